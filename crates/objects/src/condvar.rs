//! A condition variable. Its word is the number of waiters. Nobody wakes without a notify: spurious wake-ups are not
//! explored.

use model::State;

/// How many threads a notify can choose from; a notify that finds nobody still has one way to happen.
#[inline]
pub(crate) fn candidates(waiters: State) -> u32 {
    (waiters as u32).max(1)
}

/// A notify that finds nobody only looks.
#[inline]
pub(crate) fn has_waiters(waiters: State) -> bool {
    waiters > 0
}

#[inline]
pub(crate) fn after_notify_one(waiters: State) -> State {
    waiters.saturating_sub(1)
}
