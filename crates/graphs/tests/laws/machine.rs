//! Machines with store buffers: what `tso` and `pso` are in hardware. Shares nothing with graphs but the names of events.
//!
//! A write goes into the buffer of its thread, from which it reaches the memory later: in order (tso), or in order for each
//! location and not past a barrier (pso). A read takes the newest write of its own buffer, or the memory.

use mazurka_graphs::naive::Key;
use model::{Answer, ObjectId, OpKind, Order, Outcome, Request, State, ThreadId, ThreadState, Threads};
use std::collections::{BTreeSet, HashSet};

/// A write by the thread and the index of its event.
type Name = (u32, u32);
const INITIAL: Name = (u32::MAX, 0);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Entry {
    Write {
        name: Name,
        object: u32,
        value: State,
        releases: bool,
    },
    /// What was buffered before goes first.
    Barrier,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Machine {
    /// What was answered, in order.
    log: Vec<(u32, State, bool, u32)>,
    /// For each thread, its events as they stand in a key.
    events: Vec<Vec<Vec<u32>>>,
    /// The writes of each object that reached the memory.
    memory: Vec<Vec<(Name, State)>>,
    buffers: Vec<Vec<Entry>>,
}

/// All that runs of the machine end in; none if it has more states than `most`, or operations that it does not know.
pub(crate) fn machine_graphs(mut threads: Box<dyn Threads + '_>, pso: bool, most: usize) -> Option<BTreeSet<Key>> {
    let objects = threads.objects();
    let start = Machine { memory: vec![Vec::new(); objects], ..Machine::default() };
    let (mut open, mut seen, mut found) = (vec![start], HashSet::new(), BTreeSet::new());
    while let Some(machine) = open.pop() {
        if !seen.insert((machine.key(), machine.buffers.clone())) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let before = open.len();
        machine.flushes(pso, &mut open);
        machine.replay(&mut *threads);
        for thread in 0..threads.threads() as u32 {
            machine.step(&*threads, ThreadId(thread), pso, &mut open)?;
        }
        if open.len() == before {
            found.insert(machine.key());
        }
    }
    Some(found)
}

impl Machine {
    fn key(&self) -> Key {
        let mut key = Vec::new();
        for (thread, events) in self.events.iter().enumerate().filter(|(_, events)| !events.is_empty()) {
            key.extend([u32::MAX - 1, thread as u32, events.len() as u32]);
            key.extend(events.iter().flatten());
        }
        for (object, writes) in self.memory.iter().enumerate().filter(|(_, writes)| !writes.is_empty()) {
            key.extend([u32::MAX - 2, object as u32]);
            key.extend(writes.iter().flat_map(|&((thread, index), _)| [thread, index]));
        }
        key
    }

    fn replay(&self, threads: &mut dyn Threads) {
        threads.restart();
        for &(thread, before, done, alternative) in &self.log {
            let outcome = if done { Outcome::Done } else { Outcome::Refused };
            threads.resume(ThreadId(thread), Answer { before, after: before, last: before, outcome, alternative });
        }
    }

    fn buffer(&self, thread: ThreadId) -> &[Entry] {
        self.buffers.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    fn flushes(&self, pso: bool, open: &mut Vec<Machine>) {
        for (thread, buffer) in self.buffers.iter().enumerate() {
            for (place, entry) in buffer.iter().enumerate() {
                let Entry::Write { name, object, value, releases } = *entry else { continue };
                let holds = |earlier: &Entry| match earlier {
                    Entry::Barrier => true,
                    Entry::Write { object: other, .. } => !pso || releases || *other == object,
                };
                if buffer[..place].iter().any(holds) {
                    continue;
                }
                let mut next = self.clone();
                let buffer = &mut next.buffers[thread];
                buffer.remove(place);
                while buffer.first() == Some(&Entry::Barrier) {
                    buffer.remove(0);
                }
                next.memory[object as usize].push((name, value));
                open.push(next);
            }
        }
    }

    /// The machine after an operation whose events are these.
    fn after(&self, thread: ThreadId, answer: (State, bool, u32), events: Vec<Vec<u32>>) -> Machine {
        let mut next = self.clone();
        let number = thread.index() + 1;
        next.events.resize(next.events.len().max(number), Vec::new());
        next.buffers.resize(next.buffers.len().max(number), Vec::new());
        next.events[thread.index()].extend(events);
        next.log.push((thread.0, answer.0, answer.1, answer.2));
        next
    }

    /// All ways to perform the operation that a thread asks for; nothing if the machine does not know it.
    fn step(&self, threads: &dyn Threads, thread: ThreadId, pso: bool, open: &mut Vec<Machine>) -> Option<()> {
        let Some(Request { op, orders }) = threads.request(thread) else { return Some(()) };
        let buffer = self.buffer(thread);
        let index = self.events.get(thread.index()).map_or(0, Vec::len) as u32;
        let is_empty = buffer.is_empty();
        let order = orders.success;
        let write = |value: State, order: Order| {
            let mut next = self.after(thread, (0, true, 0), vec![vec![0]]);
            let name = (thread.0, index);
            if order == Order::SeqCst {
                next.memory[op.object.index()].push((name, value));
                return is_empty.then_some(next);
            }
            let entry = Entry::Write { name, object: op.object.0, value, releases: order.releases() };
            next.buffers[thread.index()].push(entry);
            Some(next)
        };
        let nothing = || self.after(thread, (0, true, 0), vec![vec![0]]);
        match op.kind {
            OpKind::Write(value) => open.extend(write(value, order)),
            OpKind::Unlock if !self.holds(thread, op.object) => return None,
            OpKind::Unlock => open.extend(write(0, Order::Release)),
            OpKind::Yield => open.push(nothing()),
            OpKind::Choose(of) => {
                open.extend((0..of).map(|a| self.after(thread, (0, true, a), vec![vec![a]])));
            }
            OpKind::Spawn => open.extend(is_empty.then(nothing)),
            OpKind::Join(child) => {
                let ended = threads.state(child) == ThreadState::Ended && self.buffer(child).is_empty();
                open.extend((is_empty && ended).then(nothing));
            }
            OpKind::Fence if order == Order::SeqCst => open.extend(is_empty.then(nothing)),
            OpKind::Fence => {
                let mut next = nothing();
                if pso && order.releases() && !is_empty && buffer.last() != Some(&Entry::Barrier) {
                    next.buffers[thread.index()].push(Entry::Barrier);
                }
                open.push(next);
            }
            OpKind::Read
            | OpKind::Await(_)
            | OpKind::ReadModifyWrite(_)
            | OpKind::CompareExchange { .. }
            | OpKind::Add(_)
            | OpKind::Lock
            | OpKind::TryLock
            | OpKind::Section
            | OpKind::Acquire
            | OpKind::TryAcquire
            | OpKind::Release => self.look(threads, thread, &op, open),
            _ => return None,
        }
        Some(())
    }

    /// A read, or an update in one step, for which the buffer must be empty.
    fn look(&self, threads: &dyn Threads, thread: ThreadId, op: &model::Op, open: &mut Vec<Machine>) {
        let object = op.object.index();
        let own = self.buffer(thread).iter().rev().find_map(|entry| match entry {
            Entry::Write { name, object, value, .. } if *object == op.object.0 => Some((*name, *value)),
            _ => None,
        });
        let in_memory = || self.memory[object].last().copied().unwrap_or((INITIAL, threads.initial(op.object)));
        let (source, value) = own.unwrap_or_else(in_memory);
        if !objects::enabled(op.kind, value) {
            return;
        }
        let outcome = objects::outcome(op.kind, value);
        let read = vec![source.0, source.1];
        let updates = outcome == Outcome::Done && !matches!(op.kind, OpKind::Read | OpKind::Await(_));
        if !updates {
            open.push(self.after(thread, (value, outcome == Outcome::Done, 0), vec![read]));
        } else if self.buffer(thread).is_empty() {
            let mut next = self.after(thread, (value, true, 0), vec![read, vec![0]]);
            let index = next.events[thread.index()].len() as u32 - 1;
            let written = objects::apply(op.kind, outcome, value, thread);
            next.memory[object].push(((thread.0, index), written));
            open.push(next);
        }
    }

    /// Whether a thread holds a mutex, as far as the memory and its own buffer tell.
    fn holds(&self, thread: ThreadId, mutex: ObjectId) -> bool {
        let released = |entry: &Entry| matches!(entry, Entry::Write { object, .. } if *object == mutex.0);
        let last = self.memory[mutex.index()].last();
        let is_owner = last.is_some_and(|&(_, word)| objects::mutex_owner(word) == Some(thread));
        is_owner && !self.buffer(thread).iter().any(released)
    }
}
