//! A counting semaphore. Its word is the count.

use model::State;

#[inline]
pub(crate) fn available(count: State) -> bool {
    count > 0
}
