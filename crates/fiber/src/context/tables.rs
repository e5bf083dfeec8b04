//! The tables of a run, which nobody may have borrowed where a fiber may end: it would stay borrowed ([`crate::overflow`]).

use super::Context;
use std::cell::RefCell;

/// A table that is borrowed for a moment, in which no fiber ends.
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
    /// Whether nobody has borrowed a table of the run, or of the thread that runs.
    pub(crate) fn tables_are_free(&self) -> bool {
        are_free(&[&self.world, &self.met, &self.stacks, &self.places, &self.taken, &self.came, &self.created])
            && are_free(&self.counts.tables())
            && are_free(&self.tokens.tables())
            && are_free(&[self.copies.table(), self.guards.table(), self.blocks.table(), self.code.table()])
            && are_free(&self.running().tables())
    }
}
