//! One execution as the data of a space–time diagram.

use super::arrows::{Arrow, arrows};
use super::fold::folds;
use super::states::{self, WaitChange};
use super::texts::{Ref, Texts};
use crate::finding::Named;
use crate::holders::Holders;
use crate::summary::{StackSummary, kind_of};
use crate::words;
use model::{Moment, Names, ObjectId, ThreadId};
use serde::Serialize;
use std::collections::HashMap;
use trace::{Ending, EventId};

/// What the diagrams of a page share.
#[derive(Default)]
pub(super) struct Cast {
    pub(super) texts: Texts,
    threads: Vec<String>,
    objects: Vec<ObjectData>,
    object_of: HashMap<ObjectId, u32>,
}

/// The same, as the script reads it.
#[derive(Serialize)]
pub(super) struct CastData {
    threads: Vec<String>,
    objects: Vec<ObjectData>,
}

#[derive(Serialize)]
struct ObjectData {
    name: String,
    /// What it is like before anybody touches it.
    first: Ref,
}

impl Cast {
    /// Nobody yet, with these texts.
    pub(super) fn with(texts: Texts) -> Self {
        Cast { texts, ..Cast::default() }
    }

    /// Threads and objects belong to one program; texts to all.
    pub(super) fn take_data(&mut self) -> CastData {
        self.object_of.clear();
        CastData { threads: std::mem::take(&mut self.threads), objects: std::mem::take(&mut self.objects) }
    }

    /// Names the threads up to this one.
    pub(super) fn meet_threads(&mut self, last: Option<ThreadId>, names: &dyn Names) {
        while last.is_some_and(|last| self.threads.len() <= last.index()) {
            self.threads.push(words::printable(&names.thread(ThreadId(self.threads.len() as u32))));
        }
    }

    /// The number of a step's object, from 1 on; 0 if it has none. `at_start` is what it is like before anybody touches it.
    pub(super) fn object(
        &mut self,
        object: ObjectId,
        names: &dyn Names,
        at_start: impl FnOnce() -> Option<String>,
    ) -> Ref {
        if object == ObjectId::NONE {
            return 0;
        }
        if let Some(&known) = self.object_of.get(&object) {
            return known;
        }
        let first = at_start().map_or(0, |text| self.texts.text(&text));
        self.objects.push(ObjectData { name: words::printable(&names.object(object)), first });
        let place = self.objects.len() as Ref;
        self.object_of.insert(object, place);
        place
    }
}

/// Steps, as columns: the nth of each is of the nth step.
#[derive(Serialize, Default, Clone)]
pub(super) struct Columns {
    /// The thread's number, from 0.
    pub(super) thread: Vec<u32>,
    /// What was done.
    pub(super) text: Vec<Ref>,
    pub(super) site: Vec<Ref>,
    pub(super) object: Vec<Ref>,
    /// What the object is like afterwards; 0 where that is not told.
    pub(super) value: Vec<Ref>,
    /// Three numbers for each arrow: how much later than the one before it the step is that it leads to, how many steps it
    /// spans (fewer than none if it leads upwards), and why it is there.
    arrows: Vec<i32>,
    /// Three numbers for each change of who waits: after how many steps, which thread, for what (0: no longer).
    pub(super) waits: Vec<u32>,
}

/// A failure, at its step.
#[derive(Serialize, Clone)]
pub(super) struct FailureData {
    pub(super) step: Option<EventId>,
    /// Of a data race: the step of the other access.
    pub(super) against: Option<EventId>,
    pub(super) thread: u32,
    pub(super) text: String,
    pub(super) site: Ref,
}

/// A thread that waits for ever.
#[derive(Serialize, Clone)]
pub(super) struct WaitingData {
    pub(super) thread: u32,
    pub(super) reason: String,
    pub(super) site: Ref,
}

/// An edge of the wait-for graph.
#[derive(Serialize, Clone)]
pub(super) struct EdgeData {
    from: u32,
    via: Option<String>,
    to: u32,
    in_cycle: bool,
}

/// What is said of an execution beside its steps.
#[derive(Serialize, Clone)]
pub(super) struct About {
    pub(super) kind: &'static str,
    pub(super) headline: String,
    pub(super) pivot: Option<[EventId; 2]>,
    /// Steps that matter.
    pub(super) key: Vec<EventId>,
    /// Runs of steps to be folded: first, and one after the last.
    pub(super) folds: Vec<[u32; 2]>,
    pub(super) failures: Vec<FailureData>,
    pub(super) waiting: Vec<WaitingData>,
    pub(super) edges: Vec<EdgeData>,
    pub(super) cycle: Vec<String>,
    pub(super) stacks: Vec<StackSummary>,
    /// Why no interleaving does this, and what is missing: under memory models.
    pub(super) reasons: Vec<String>,
}

/// An execution, recorded for a page.
pub(super) struct Recorded {
    pub(super) columns: Columns,
    pub(super) about: About,
}

/// Records the steps, and all that is said of the execution.
pub(super) fn record(story: &Named<'_>, headline: String, stacks: Vec<StackSummary>, cast: &mut Cast) -> Recorded {
    let in_trace = story.execution.trace.events().iter().map(|event| event.thread());
    let last = in_trace.chain(story.execution.waiting.iter().map(|pending| pending.thread)).max();
    cast.meet_threads(last, story.names);
    let arrows = arrows(story.execution.trace);
    let mut columns = Columns::default();
    let mut holders = Holders::default();
    let mut steps = words::steps(story.execution.trace, story.names).into_iter();
    for (step, event) in (0..).zip(story.execution.trace.events()) {
        holders.apply(step, event);
        let text = steps.next().unwrap_or_default();
        let object = cast.object(event.op.object, story.names, || states::at_start(event, story.names));
        columns.thread.push(event.thread().0);
        columns.text.push(cast.texts.text(&text));
        columns.site.push(cast.texts.site(story.place_of_step(step), story.names));
        columns.object.push(object);
        let value = states::after(event, &holders, story.names);
        columns.value.push(value.map_or(0, |value| cast.texts.text(&value)));
    }
    columns.push_arrows(&arrows);
    let waits = states::waits(story.execution.trace, story.execution.waiting, story.names);
    columns.push_waits(&waits, &mut cast.texts);
    let about = about(story, headline, stacks, &arrows, cast);
    Recorded { columns, about }
}

impl About {
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn headline(&self) -> &str {
        &self.headline
    }
}

impl Columns {
    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.thread.len()
    }

    /// How many of its first steps are those of another execution, with the same arrows to them.
    pub(super) fn common(&self, other: &Columns) -> usize {
        let step = |columns: &Columns, i: usize| {
            (columns.thread[i], columns.text[i], columns.site[i], columns.object[i], columns.value[i])
        };
        let both = self.len().min(other.len());
        let same = (0..both).take_while(|&i| step(self, i) == step(other, i)).count();
        let (ours, theirs) = (self.arrows_by_end(), other.arrows_by_end());
        let differs = |to: &&i32| ours.get(to) != theirs.get(to);
        let first = ours.keys().chain(theirs.keys()).filter(differs).min();
        first.map_or(same, |&first| same.min(first as usize))
    }

    /// The arrows that lead to each step: whence and why.
    fn arrows_by_end(&self) -> HashMap<i32, Vec<(i32, i32)>> {
        let mut to = 0;
        let mut arrows: HashMap<i32, Vec<(i32, i32)>> = HashMap::new();
        for arrow in self.arrows.chunks_exact(3) {
            to += arrow[0];
            arrows.entry(to).or_default().push((to - arrow[1], arrow[2]));
        }
        arrows
    }

    /// Leaves out what is said of the first steps.
    pub(super) fn leave_out(&mut self, steps: usize) {
        for column in [&mut self.thread, &mut self.text, &mut self.site, &mut self.object, &mut self.value] {
            column.drain(..steps);
        }
        let mut to = 0;
        let mut arrows = Vec::new();
        let mut last = 0;
        for arrow in self.arrows.chunks_exact(3) {
            to += arrow[0];
            if to as usize >= steps {
                arrows.extend([to - last, arrow[1], arrow[2]]);
                last = to;
            }
        }
        self.arrows = arrows;
        let is_later = |change: &&[u32]| steps == 0 || change[0] as usize > steps;
        self.waits = self.waits.chunks_exact(3).filter(is_later).flatten().copied().collect();
    }

    pub(super) fn push_arrows(&mut self, arrows: &[Arrow]) {
        let mut last = 0;
        for arrow in arrows {
            let [from, to] = [arrow.from, arrow.to].map(|step| step as i32);
            self.arrows.extend([to - last, to - from, arrow.why as i32]);
            last = to;
        }
    }

    fn push_waits(&mut self, waits: &[WaitChange], texts: &mut Texts) {
        for change in waits {
            let what = change.waits.as_ref().map_or(0, |text| texts.text(text));
            self.waits.extend([change.steps, change.thread.0, what]);
        }
    }
}

fn about(story: &Named<'_>, headline: String, stacks: Vec<StackSummary>, arrows: &[Arrow], cast: &mut Cast) -> About {
    let mut key = story.steps_that_matter();
    key.sort_unstable();
    key.dedup();
    let folds = folds(story.execution.trace.len(), &key, arrows);
    let failures = story.execution.failures.iter().map(|(thread, failure)| FailureData {
        step: story.step_of(*thread, failure),
        against: story.against(*thread, failure),
        thread: thread.0,
        text: words::printable(&failure.to_string()),
        site: cast.texts.site(story.place_of_failure(*thread, failure), story.names),
    });
    let failures = failures.collect();
    let explanation = (story.execution.ending == Ending::Deadlocked).then(|| story.explanation());
    let (waits, edges, cycle) = explanation.map_or_else(Default::default, |told| (told.waits, told.edges, told.cycle));
    let waiting = waits.into_iter().zip(story.execution.waiting).map(|(wait, pending)| WaitingData {
        thread: pending.thread.0,
        reason: wait.reason,
        site: cast.texts.site(story.names.place(Moment::Wait(pending.thread), pending.op.site), story.names),
    });
    let waiting = waiting.collect();
    About {
        kind: kind_of(story.execution.ending),
        headline,
        pivot: story.pivot.map(|(first, second)| [first, second]),
        key,
        folds: folds.into_iter().map(|run| [run.start, run.end]).collect(),
        failures,
        waiting,
        edges: edges
            .into_iter()
            .map(|edge| EdgeData { from: edge.from.0, via: edge.via, to: edge.to.0, in_cycle: edge.in_cycle })
            .collect(),
        cycle,
        stacks,
        reasons: Vec::new(),
    }
}
