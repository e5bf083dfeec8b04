//! A count-down latch: it opens when it has been counted down to 0, and stays open. Its word is how many are missing.
//! Nobody who counts it down looks at it, so that they commute.

use model::State;

#[inline]
pub(crate) fn is_open(missing: State) -> bool {
    missing == 0
}

#[inline]
pub(crate) fn counted_down(missing: State) -> State {
    missing.saturating_sub(1)
}
