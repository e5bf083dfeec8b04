//! What the facade keeps of a run. It is no object of the program: nothing of it is explored.

use crate::current::{Labels, TaskId};
use fiber::Guarded;

/// Where random numbers come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Data {
    /// They are choices, which a random search makes.
    Choices,
    /// They follow from a seed, the same in every execution.
    Fixed(u64),
    /// There are none: the search is exhaustive, and they would be explored one by one.
    Refused,
}

pub(crate) struct Run {
    pub(crate) data: Data,
    pub(crate) labels: Vec<(TaskId, Labels)>,
}

/// Made afresh in every run, as every static of Mazurka is.
static RUN: Guarded<Run> = Guarded::new(Run { data: Data::Choices, labels: Vec::new() });

/// Gives `f` what is kept of this run.
pub(crate) fn with<R>(f: impl FnOnce(&mut Run) -> R) -> R {
    f(&mut RUN.write())
}
