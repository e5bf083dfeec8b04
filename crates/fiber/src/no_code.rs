//! The code of the program is not looked into on this system: everything on a stack counts.

use crate::context::Table;
use crate::registers::Registers;
use std::cell::RefCell;

/// Nothing is known of it.
#[derive(Default)]
pub(crate) struct Code {
    none: RefCell<()>,
}

/// There is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) address: usize,
}

impl Change {
    pub(crate) fn of(self, word: u64) -> u64 {
        word
    }
}

impl Code {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.none
    }

    /// It is not known.
    pub(crate) fn ignores_result(&self, _: &Registers, _: usize) -> bool {
        false
    }

    /// Nothing is to be changed.
    pub(crate) fn without_dead(&self, _: &mut Registers, _: usize, _: &mut Vec<Change>) {}
}
