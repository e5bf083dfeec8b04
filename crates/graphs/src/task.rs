//! Tasks: graphs to start from, each self-contained. Any worker can take any; they share nothing.

use crate::branch::Branch;
use crate::graph::{Event, EventId, Graph, Label, NONE};

/// One event of a task, to be executed again in the order of the steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    pub(crate) stamp: u32,
    /// Of a read or ghost, the number of the step that it reads ([`NONE`](crate::NONE): the initial write); of a write, how many
    /// of the writes before it in the task are before it in coherence order; else the alternative.
    pub(crate) argument: u32,
    pub(crate) kind: StepKind,
    pub(crate) maximal: bool,
    /// Of the write of an update: which alternative.
    pub(crate) alternative: u32,
}

/// What a step is: enough to see that a program does the same again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    Read,
    Write,
    Ghost,
    Other,
}

/// A graph to start from.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Task {
    pub(crate) steps: Vec<Step>,
    /// How many of the first ones the graph has, too, in whose visit it was made, as far as that is known.
    pub(crate) kept: usize,
    /// Why it was made; none of the first, and of those that come from another process.
    pub(crate) branch: Option<Branch>,
    /// Its share of the whole search, if all tasks of a visit are of the same size.
    pub(crate) share: f64,
}

impl Step {
    /// The step that adds an event: a write in the place that it names.
    pub(crate) fn of(event: &Event) -> Self {
        let (kind, argument) = match event.label {
            Label::Read => (StepKind::Read, event.source),
            Label::Ghost => (StepKind::Ghost, event.source),
            Label::Write => (StepKind::Write, event.place),
            _ => (StepKind::Other, event.alternative),
        };
        let &Event { thread, stamp, maximal, alternative, .. } = event;
        Step { thread: thread.0, stamp, argument, kind, maximal, alternative }
    }

    /// The steps that added the events of a graph.
    pub(crate) fn of_graph(g: &Graph) -> impl Iterator<Item = Step> {
        g.events().iter().map(|event| Step::of(&Event { place: event.entered, ..*event }))
    }
}

impl Task {
    /// The whole search.
    pub(crate) fn whole() -> Self {
        Task { share: 1.0, ..Task::default() }
    }

    /// Becomes the task of a graph.
    pub(crate) fn describe(&mut self, g: &Graph) {
        self.steps.clear();
        self.steps.extend(Step::of_graph(g));
    }

    /// Becomes the task of the events of a graph that are kept, `steps` are of all its events. `numbers` has the numbers of those
    /// that are kept afterwards. No write that is left out is before one that is kept in coherence order, so that places stay.
    pub(crate) fn describe_kept(
        &mut self,
        g: &Graph,
        steps: &[Step],
        numbers: &mut Vec<EventId>,
        keep: impl Fn(EventId) -> bool,
    ) {
        let first = (0..g.len() as EventId).find(|&e| !keep(e)).unwrap_or(g.len() as EventId);
        self.kept = first as usize;
        numbers.clear();
        numbers.extend(0..first);
        self.steps.clear();
        self.steps.extend_from_slice(&steps[..first as usize]);
        for (e, step) in (first..).zip(&steps[first as usize..]) {
            if !keep(e) {
                numbers.push(NONE);
                continue;
            }
            debug_assert!(g.is_kept_before(e, numbers), "coherence order leads from what is gone to what is kept");
            numbers.push(self.steps.len() as EventId);
            let argument = match step.kind {
                StepKind::Read | StepKind::Ghost if step.argument != NONE => numbers[step.argument as usize],
                _ => step.argument,
            };
            self.steps.push(Step { argument, ..*step });
        }
    }
}
