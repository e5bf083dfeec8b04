//! What is told of an execution that was given up because it had too many steps.

use crate::search::findings::schedule_of;
use model::{Names, Op, ThreadId};
use trace::Trace;

/// So many of the last steps are looked at: more than a round of most loops.
const TAIL: usize = 2_000;

/// An execution that did not end.
#[derive(Clone, Debug)]
pub struct TooLong {
    /// Its schedule so far, as text.
    pub schedule: String,
    /// Its last steps: who did what.
    pub tail: Vec<(ThreadId, Op)>,
}

impl TooLong {
    pub(crate) fn new(trace: &Trace, names: &dyn Names) -> Self {
        let events = trace.events();
        let tail = &events[events.len().saturating_sub(TAIL)..];
        TooLong {
            schedule: schedule_of(trace, names).to_string(),
            tail: tail.iter().map(|event| (event.thread(), event.op)).collect(),
        }
    }
}
