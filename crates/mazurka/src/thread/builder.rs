//! Mirror of [`std::thread::Builder`].

use super::{JoinHandle, Scope, ScopedJoinHandle};
use std::io;
use std::panic::Location;

/// Mirror of [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
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

    /// No effect: the stacks' size is chosen for the whole check ([`crate::Checker::stack_size`]).
    pub fn stack_size(self, _: usize) -> Builder {
        self
    }

    /// Creates the thread.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Ok(super::spawn_named(f, self.name, Location::caller()))
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
        Ok(scope.spawn_named(f, self.name, Location::caller()))
    }
}
