//! The threads that may take further steps: those that ended are not asked for their next one again and again.

use model::{Run, ThreadId};

/// Threads, as they were created. Of those that ended some may still be among them.
#[derive(Default)]
pub(super) struct Live {
    threads: Vec<ThreadId>,
    /// How many threads were looked at.
    known: usize,
}

impl Live {
    /// All of them, and those that were created since the last call.
    #[inline]
    pub(super) fn threads(&mut self, run: &dyn Run) -> &[ThreadId] {
        let created = self.known..run.threads();
        if !created.is_empty() {
            self.known = created.end;
            self.threads.extend(created.map(|thread| ThreadId(thread as u32)));
        }
        &self.threads
    }

    /// Leaves one out that ended.
    #[inline]
    pub(super) fn leave_out(&mut self, ended: ThreadId) {
        if let Ok(place) = self.threads.binary_search(&ended) {
            self.threads.remove(place);
        }
    }

    /// Any thread may live again.
    pub(super) fn reset(&mut self) {
        self.threads.clear();
        self.known = 0;
    }
}
