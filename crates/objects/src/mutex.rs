//! A mutex, not recursive: locking it twice is a deadlock. Its word is 0 when free, else its owner + 1.

use model::{State, ThreadId};

pub(crate) const FREE: State = 0;

#[inline]
pub(crate) fn is_free(state: State) -> bool {
    state == FREE
}

#[inline]
pub(crate) fn held_by(thread: ThreadId) -> State {
    u64::from(thread.0) + 1
}

/// Who holds a mutex in this state.
#[inline]
pub fn owner(state: State) -> Option<ThreadId> {
    (state != FREE).then(|| ThreadId((state - 1) as u32))
}
