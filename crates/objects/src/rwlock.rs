//! A reader-writer lock: many readers or one writer, no preference between them. Its word is the number of readers, or
//! the writer with the top bit set.

use model::{State, ThreadId};

pub(crate) const FREE: State = 0;
pub(crate) const ONE_READER: State = 1;
const WRITER: State = 1 << 63;

#[inline]
pub(crate) fn admits_reader(state: State) -> bool {
    state & WRITER == 0
}

#[inline]
pub(crate) fn admits_writer(state: State) -> bool {
    state == FREE
}

#[inline]
pub(crate) fn held_by(thread: ThreadId) -> State {
    WRITER | u64::from(thread.0)
}

/// How many readers hold a reader-writer lock in this state.
#[inline]
pub fn readers(state: State) -> u64 {
    if state & WRITER == 0 { state } else { 0 }
}

/// Who holds a reader-writer lock exclusively in this state.
#[inline]
pub fn writer(state: State) -> Option<ThreadId> {
    (state & WRITER != 0).then_some(ThreadId((state & !WRITER) as u32))
}
