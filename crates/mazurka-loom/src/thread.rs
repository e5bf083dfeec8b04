//! Mirror of `loom::thread`. As in loom, what a thread takes and gives need not be `Send`.

pub use mazurka::thread::{
    AccessError, JoinHandle, LocalKey, Result, Scope, ScopedJoinHandle, Thread, ThreadId, current, panicking, park,
    park_timeout, scope, sleep, yield_now,
};

use mazurka::thread::Wish;
use std::io;
use std::panic::Location;

/// Creates a thread.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    mazurka::thread::spawn_as(f, Wish::default(), Location::caller())
}

/// Mirror of `loom::thread::Builder`.
#[derive(Debug, Default)]
pub struct Builder(mazurka::thread::Builder);

impl Builder {
    /// Nothing chosen.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The thread's name, which reports use.
    pub fn name(self, name: String) -> Builder {
        Builder(self.0.name(name))
    }

    /// At least so many bytes of stack.
    pub fn stack_size(self, size: usize) -> Builder {
        Builder(self.0.stack_size(size))
    }

    /// Creates the thread.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + 'static,
        T: 'static,
    {
        Ok(mazurka::thread::spawn_as(f, self.0.wish(), Location::caller()))
    }
}
