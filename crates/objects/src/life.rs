//! The life of a lock or the like: it has one from its initialisation until it is destroyed or its memory is freed. Outside
//! of it, its word is one of those below, which no use of it yields.

use model::{Idle, State};

/// The word of an object that was destroyed.
pub const DESTROYED: State = State::MAX;
/// The word of an object whose memory was freed.
pub const FREED: State = State::MAX - 1;
/// The word of an object that nobody has initialised.
pub const UNINITIALISED: State = State::MAX - 2;

/// Whether an object with this word has a life.
#[inline]
pub fn is_alive(state: State) -> bool {
    state < UNINITIALISED
}

/// Whether nobody uses an object in this state.
pub(crate) fn is_idle(idle: Idle, state: State) -> bool {
    match idle {
        Idle::Always => true,
        Idle::AtZero => state == 0,
        Idle::AtMultiplesOf(number) => state.is_multiple_of(number.into()),
    }
}
