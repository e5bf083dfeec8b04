//! The oracle: all graphs that satisfy the axioms, by trying everything.
//!
//! Every operation of every thread is added in every order with every write and every place, and what the axioms refuse is
//! dropped; graphs that were met before are remembered. It shares with the search what an operation is and how threads go on,
//! but neither clocks nor the order of the search. A graph is complete when every thread that is left waits at an operation
//! that the last write of its object does not let pass.

use crate::access::{Access, Asked};
use crate::graph::{Event, EventId, Graph, Label, NONE};
use crate::models::ModelInfo;
use crate::run::{Error, Run, writing, written};
use crate::task::Task;
use model::{Names, Order, ThreadId, Threads};
use std::collections::{HashMap, HashSet};
use trace::Ending;

/// What tells a graph from others of the same program: for each event of each thread, the thread and the index of the write
/// that it reads, or its alternative; and the coherence order of each object.
pub type Key = Vec<u32>;

/// The key of a graph.
pub fn key(g: &Graph) -> Key {
    let mut key = Vec::new();
    let name = |e: EventId, key: &mut Key| match e {
        NONE => key.extend([u32::MAX, 0]),
        e => key.extend([g.event(e).thread.0, g.event(e).index]),
    };
    for thread in (0..g.thread_count() as u32).map(ThreadId) {
        let events = g.of_thread(thread);
        if events.is_empty() {
            continue;
        }
        key.extend([u32::MAX - 1, thread.0, events.len() as u32]);
        for &e in events {
            match g.event(e).label {
                Label::Read => name(g.event(e).source, &mut key),
                _ => key.push(g.event(e).alternative),
            }
        }
    }
    for object in (0..g.object_count() as u32).map(model::ObjectId) {
        if !g.co(object).is_empty() {
            key.extend([u32::MAX - 2, object.0]);
            g.co(object).iter().for_each(|&w| name(w, &mut key));
        }
    }
    key
}

/// All complete graphs and how they end; none if more than `most` graphs would have to be remembered.
pub fn all_graphs<'t>(
    threads: Box<dyn Threads + 't>,
    names: &'t dyn Names,
    info: &'static ModelInfo,
    most: usize,
) -> Result<Option<HashMap<Key, Ending>>, Error> {
    let mut oracle = Oracle {
        run: Run::new(threads, names, info),
        info,
        seen: HashSet::new(),
        open: vec![Task::default()],
        child: Graph::default(),
    };
    oracle.child = oracle.run.g.clone();
    let mut found = HashMap::new();
    while let Some(task) = oracle.open.pop() {
        oracle.run.load(&task)?;
        if let Some(ending) = oracle.expand()? {
            found.insert(key(&oracle.run.g), ending);
        }
        if oracle.seen.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

struct Oracle<'t> {
    run: Run<'t>,
    info: &'static ModelInfo,
    seen: HashSet<Key>,
    open: Vec<Task>,
    child: Graph,
}

impl Oracle<'_> {
    /// Adds everything to the graph at hand that can be; says how it ends, if it is complete.
    fn expand(&mut self) -> Result<Option<Ending>, Error> {
        if let Some(updating) = self.run.updating {
            let read = *self.run.g.event(updating.read);
            let place = self.run.g.rank(read.source) as u32;
            for alternative in 0..updating.asked.alternatives(read.value) {
                self.try_child(&[Event { place, ..written(&read, &updating.asked, alternative) }]);
            }
            return Ok(None);
        }
        self.run.look_at_requests()?;
        let (mut is_complete, mut waits) = (true, false);
        for thread in (0..self.run.thread_count() as u32).map(ThreadId) {
            let Some(&asked) = self.run.asked(thread) else { continue };
            waits = true;
            if self.run.cause(thread, &asked).is_none() {
                continue;
            }
            let last = self.run.g.last_or_none(asked.op.object);
            is_complete &= asked.blocks && !asked.passes(self.run.g.word(asked.op.object, last));
            self.try_all(thread, &asked);
        }
        if is_complete {
            self.run.note_broken_releases();
        }
        Ok(is_complete.then(|| match waits {
            _ if !self.run.failures.is_empty() => Ending::Failed,
            _ if self.run.is_cut() => Ending::Cut,
            true => Ending::Deadlocked,
            false => Ending::Completed,
        }))
    }

    fn try_all(&mut self, thread: ThreadId, asked: &Asked) {
        let object = asked.op.object;
        match asked.access {
            Access::Read | Access::Update => {
                for rank in 0..=self.run.g.co(object).len() {
                    let source = self.run.g.of_rank(object, rank);
                    if asked.passes(self.run.g.word(object, source)) {
                        self.try_child(&[self.run.reading(thread, asked, source)]);
                    }
                }
            }
            Access::Write(value) => {
                for place in 0..=self.run.g.co(object).len() as u32 {
                    self.try_child(&[Event { place, ..writing(thread, asked, value) }]);
                }
            }
            Access::Choose(alternatives) => {
                for alternative in 0..alternatives {
                    let event = Event::new(thread, Label::Choose, asked.op, Order::Relaxed);
                    self.try_child(&[Event { alternative, ..event }]);
                }
            }
            Access::Nothing | Access::Fence | Access::Spawn | Access::Join(_) | Access::Pass(_) => {
                let order = if asked.access == Access::Fence { asked.orders.success } else { Order::Relaxed };
                let label = if asked.access == Access::Fence { Label::Fence } else { Label::Nothing };
                self.try_child(&[Event::new(thread, label, asked.op, order)]);
            }
        }
    }

    fn try_child(&mut self, events: &[Event]) {
        let mut numbers = Vec::new();
        self.child.restrict(&self.run.g, &mut numbers, |_| true);
        for event in events {
            self.child.put(&Event { stamp: self.child.next_stamp(), ..*event });
        }
        if self.seen.insert(key(&self.child)) && self.info.allows(&self.child) {
            let mut task = Task::default();
            task.describe(&self.child);
            self.open.push(task);
        }
    }
}
