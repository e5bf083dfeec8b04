//! A count of references. Its word has the strong ones in its lower half and the weak ones in its upper half, so that one
//! operation can look at both. References come and go by adds, which commute.

use model::{Counting, State};

/// One weak reference.
pub const WEAK: State = 1 << 32;

/// How many strong references there are.
#[inline]
pub fn strong(state: State) -> u32 {
    state as u32
}

/// How many weak references there are.
#[inline]
pub fn weak(state: State) -> u32 {
    (state >> 32) as u32
}

#[inline]
pub(crate) fn changes(counting: Counting, state: State) -> bool {
    match counting {
        Counting::Upgrade => strong(state) > 0,
        Counting::Unwrap => strong(state) == 1,
    }
}

#[inline]
pub(crate) fn changed(counting: Counting, state: State) -> State {
    match counting {
        Counting::Upgrade => state.wrapping_add(1),
        Counting::Unwrap => state.wrapping_sub(1),
    }
}
