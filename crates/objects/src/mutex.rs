//! A mutex, not recursive: locking it twice is a deadlock. The lower half of its word is 0 when it is free, else its owner + 1. The
//! upper half may be a number for what it guards, which changes only when it is given back ([`crate::with_data`]).

use model::{State, ThreadId};

/// Where the owner is.
const OWNER: State = 0xFFFF_FFFF;

#[inline]
pub(crate) fn is_free(state: State) -> bool {
    state & OWNER == 0
}

#[inline]
pub(crate) fn held_by(thread: ThreadId, state: State) -> State {
    state & !OWNER | (u64::from(thread.0) + 1)
}

#[inline]
pub(crate) fn freed(state: State) -> State {
    state & !OWNER
}

/// Who holds a mutex in this state.
#[inline]
pub fn owner(state: State) -> Option<ThreadId> {
    (!is_free(state)).then(|| ThreadId((state & OWNER) as u32 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guarded_makes_no_difference_to_who_holds_it() {
        let free = 7 << 32;
        let held = held_by(ThreadId(3), free);
        assert!(is_free(free) && !is_free(held));
        assert_eq!((owner(free), owner(held), freed(held)), (None, Some(ThreadId(3)), free));
    }
}
