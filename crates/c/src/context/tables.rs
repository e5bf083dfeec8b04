//! The tables of a run, which nobody may have borrowed when a fiber is left: it may never be resumed.

use super::Context;
use model::ThreadId;
use std::cell::RefCell;

/// A table that is borrowed for a moment, in which nothing of the program is done.
pub(crate) trait Table {
    /// Whether nobody has borrowed it.
    fn is_free(&self) -> bool;
}

impl<T> Table for RefCell<T> {
    fn is_free(&self) -> bool {
        self.try_borrow_mut().is_ok()
    }
}

fn are_free(tables: &[&dyn Table]) -> bool {
    tables.iter().all(|table| table.is_free())
}

impl Context {
    /// Whether nobody has borrowed a table.
    pub(crate) fn tables_are_free(&self) -> bool {
        let of_slot = |thread: u32| are_free(&self.slot(ThreadId(thread)).tables());
        are_free(&[&self.keys, &self.at_exit, &self.refusal, &self.stacks, &self.given_names])
            && are_free(&self.recorder.tables())
            && are_free(&self.syncs.tables())
            && are_free(&self.apart.tables())
            && are_free(&self.paranoid.tables())
            && are_free(&[
                self.rounds.table(),
                self.foreign.table(),
                self.shadow.table(),
                self.uninitialised.table(),
                self.sections.table(),
            ])
            && (0..self.thread_count() as u32).all(of_slot)
    }
}
