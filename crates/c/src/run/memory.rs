//! Objects that are memory of the program.

use crate::shadow::Extent;
use crate::slot::Effect;
use model::{Fingerprint, Op, State, ThreadId};
use objects::Performed;

/// Performs an operation on memory, as far as the program does not do it itself.
#[inline]
pub(crate) fn perform_on(extent: &Extent, effect: Effect, op: &Op, thread: ThreadId) -> Performed {
    let before = word(extent);
    let outcome = objects::outcome(op.kind, before);
    let mut after = before;
    if effect == Effect::Performed {
        after = objects::apply(op.kind, outcome, before, thread);
        set_word(extent, after);
    }
    Performed { outcome, before, after, misuse: None, received: 0 }
}

/// The bytes of an object, as a number: the one that they are, or, of more than 8, one that stands for them.
#[inline]
pub(crate) fn word(extent: &Extent) -> State {
    let at = extent.address;
    // SAFETY: memory of the program, which stays mapped as long as the process lives.
    unsafe {
        match extent.size {
            1 => (at as *const u8).read().into(),
            2 => (at as *const u16).read_unaligned().into(),
            4 => (at as *const u32).read_unaligned().into(),
            8 => (at as *const u64).read_unaligned(),
            size if size < 8 => {
                (0..size).rev().fold(0, |word, i| word << 8 | State::from((at as *const u8).add(i).read()))
            }
            size => Fingerprint::of_bytes(std::slice::from_raw_parts(at as *const u8, size)).0 as State,
        }
    }
}

#[inline]
pub(crate) fn set_word(extent: &Extent, word: State) {
    let bytes = word.to_le_bytes();
    // SAFETY: as in `word`; an operation is on memory that its thread may write.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), extent.address as *mut u8, extent.size) };
}
