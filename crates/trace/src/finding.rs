//! What is kept of an execution that fails or deadlocks.

use crate::{Ending, EventId, Execution, Trace};
use model::{Failure, Pending, Schedule, ThreadId};

/// A failure or a deadlock, with the execution that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// [`Ending::Failed`] or [`Ending::Deadlocked`].
    pub ending: Ending,
    /// The execution.
    pub trace: Trace,
    /// The failures, each with its thread.
    pub failures: Vec<(ThreadId, Failure)>,
    /// What the threads that are left wait for.
    pub waiting: Vec<Pending>,
    /// The same execution, as text that `replay` takes.
    pub schedule: Schedule,
    /// Two steps whose order makes the difference: the other way round, this does not happen.
    pub pivot: Option<(EventId, EventId)>,
}

impl Finding {
    /// Of this execution, which is the one of a schedule.
    pub fn new(execution: &Execution<'_>, schedule: Schedule) -> Self {
        Finding {
            ending: execution.ending,
            trace: execution.trace.clone(),
            failures: execution.failures.to_vec(),
            waiting: execution.waiting.to_vec(),
            schedule,
            pivot: None,
        }
    }

    /// The execution, as whoever listens to a search is told of it.
    pub fn execution(&self) -> Execution<'_> {
        Execution { trace: &self.trace, ending: self.ending, failures: &self.failures, waiting: &self.waiting }
    }

    /// Whether an execution fails in the same way, or has the same threads wait for the same.
    pub fn is_of_sort(&self, execution: &Execution<'_>) -> bool {
        let waits = |pending: &[Pending]| pending.iter().map(|p| (p.thread, p.op)).collect::<Vec<_>>();
        self.ending == execution.ending
            && match self.ending {
                Ending::Deadlocked => waits(&self.waiting) == waits(execution.waiting),
                _ => self.failures == execution.failures,
            }
    }
}
