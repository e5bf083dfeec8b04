//! Mirror of [`std::thread::Builder`].

use super::{JoinHandle, Scope, ScopedJoinHandle};
use fiber::Wish;
use std::io;
use std::panic::Location;

/// Mirror of [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack_size: usize,
}

impl Builder {
    /// Nothing chosen.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The thread's name, which reports use.
    pub fn name(mut self, name: String) -> Builder {
        self.name = Some(name);
        self
    }

    /// At least so many bytes of stack; not fewer than [`crate::Checker::stack_size`] says.
    pub fn stack_size(mut self, size: usize) -> Builder {
        self.stack_size = size;
        self
    }

    /// What was chosen; for other mirrors.
    #[doc(hidden)]
    pub fn wish(&self) -> Wish<'_> {
        Wish { name: self.name.as_deref(), stack_size: self.stack_size }
    }

    /// Creates the thread.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Ok(super::spawn_as(f, self.wish(), Location::caller()))
    }

    /// Creates a thread that may borrow.
    ///
    /// # Safety
    /// As for std's: what the thread borrows must outlive it. When a run is given up, threads end before those that created
    /// them.
    #[track_caller]
    #[allow(unsafe_code, reason = "as std's")]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        // SAFETY: promised by the caller.
        Ok(unsafe { super::spawn_borrowing(f, self.wish(), Location::caller()) })
    }

    /// Creates the thread in a scope.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Ok(scope.spawn_as(f, self.wish(), Location::caller()))
    }
}
