//! What POP still has to explore, in a form that depends on nothing else: tasks go from worker to worker, and into files.

use model::Choice;
use std::sync::Arc;
use trace::dependence::Mode;

/// Whether a step belongs to a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// To none.
    Free,
    /// To one, and it is not its last.
    Inside,
    /// It is the last of one, which was moved before an event that touched the same object in this mode; none when the
    /// schedule is another alternative of a step.
    Head(Option<Mode>),
}

/// A step with all that the rest of the search needs to know of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) choice: Choice,
    pub(crate) mark: Mark,
}

/// An execution to be explored: it starts with a prefix of an execution explored before, and a schedule.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) parent: Arc<[Step]>,
    /// E1 is the first so many steps of the parent.
    pub(crate) prefix: usize,
    /// σ.
    pub(crate) schedule: Vec<Step>,
    /// Races whose second event comes earlier belong to the parent.
    pub(crate) own_from: usize,
    /// Its share of the whole search.
    pub(crate) share: f64,
}

impl Task {
    /// The whole search.
    pub(crate) fn whole() -> Self {
        Task { parent: Arc::default(), prefix: 0, schedule: Vec::new(), own_from: 0, share: 1.0 }
    }

    /// The steps of `E1.σ`.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.parent[..self.prefix].iter().chain(&self.schedule).copied()
    }
}
