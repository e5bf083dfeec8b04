//! Values that belong to one thread of the operating system.

use std::ops::Deref;
use std::thread::{self, ThreadId};

/// A value that the thread which made this can use. To use it elsewhere is a panic, so that it can be shared as far as the
/// compiler is concerned.
pub(crate) struct OneThread<T> {
    owner: ThreadId,
    value: T,
}

// SAFETY: the value is reached through `deref` only, which panics on any other thread than the owner. (It is not `Send`, so
// that it is dropped there, too.)
unsafe impl<T> Sync for OneThread<T> {}

impl<T> OneThread<T> {
    pub(crate) fn new(value: T) -> Self {
        OneThread { owner: thread::current().id(), value }
    }
}

impl<T> Deref for OneThread<T> {
    type Target = T;

    fn deref(&self) -> &T {
        assert_eq!(
            thread::current().id(),
            self.owner,
            "a C program is used by the thread that loaded it, and no other"
        );
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_on_its_thread() {
        let value = OneThread::new(std::cell::Cell::new(1));
        value.set(2);
        assert_eq!(value.get(), 2);
        let elsewhere = thread::scope(|scope| scope.spawn(|| value.set(3)).join());
        assert!(elsewhere.is_err());
        assert_eq!(value.get(), 2);
    }
}
