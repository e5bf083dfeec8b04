//! A reader-writer lock: many readers or one writer, no preference between them. The lower half of its word is the number of
//! readers, or the writer, with the top bit of the word set. Between them may be a number for what it guards, which changes only
//! when a writer gives it back ([`crate::with_data`]).

use model::{State, ThreadId};

pub(crate) const WRITER: State = 1 << 63;
/// Where readers, or the writer, are.
pub(crate) const HOLDERS: State = 0xFFFF_FFFF;

#[inline]
pub(crate) fn admits_reader(state: State) -> bool {
    state & WRITER == 0
}

#[inline]
pub(crate) fn admits_writer(state: State) -> bool {
    state & (WRITER | HOLDERS) == 0
}

#[inline]
pub(crate) fn held_by(thread: ThreadId, state: State) -> State {
    freed(state) | WRITER | u64::from(thread.0)
}

#[inline]
pub(crate) fn freed(state: State) -> State {
    state & !(WRITER | HOLDERS)
}

#[inline]
pub(crate) fn downgraded(state: State) -> State {
    freed(state) | 1
}

/// How many readers hold a reader-writer lock in this state.
#[inline]
pub fn readers(state: State) -> u64 {
    if state & WRITER == 0 { state & HOLDERS } else { 0 }
}

/// Who holds a reader-writer lock exclusively in this state.
#[inline]
pub fn writer(state: State) -> Option<ThreadId> {
    (state & WRITER != 0).then_some(ThreadId((state & HOLDERS) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guarded_makes_no_difference_to_who_holds_it() {
        let free = 7 << 32;
        let held = held_by(ThreadId(3), free);
        assert!(admits_writer(free) && !admits_writer(held) && !admits_reader(held) && !admits_writer(free + 1));
        assert_eq!((writer(held), freed(held), readers(downgraded(held))), (Some(ThreadId(3)), free, 1));
    }
}
