//! The code of the program is not looked into on this system: everything on a stack counts.

use crate::registers::Registers;

/// Nothing is known of it.
#[derive(Default)]
pub(crate) struct Code;

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
    /// It is not known.
    pub(crate) fn ignores_result(&self, _: &Registers, _: usize) -> bool {
        false
    }

    /// Nothing is to be changed.
    pub(crate) fn without_dead(&self, _: &mut Registers, _: usize, _: &mut Vec<Change>) {}
}
