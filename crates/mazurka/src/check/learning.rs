//! What runs find out about a program in Rust, with which its search begins anew.

use explore::Learner;
use fiber::{FiberProgram, Knowledge};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A program, and what was known of it when the search at hand began.
pub(super) struct Learning<'p> {
    program: &'p FiberProgram,
    begun: Mutex<(Knowledge, bool)>,
}

impl<'p> Learning<'p> {
    pub(super) fn of(program: &'p FiberProgram) -> Self {
        Learning { program, begun: Mutex::new(known(program)) }
    }
}

/// What is known by now.
fn known(program: &FiberProgram) -> (Knowledge, bool) {
    (program.knowledge(), program.forgets())
}

impl Learner for Learning<'_> {
    fn begin_search(&self, _: Option<Duration>) {
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = known(self.program);
    }

    fn knows_more(&self) -> bool {
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) != known(self.program)
    }
}
