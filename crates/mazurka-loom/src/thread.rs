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

    /// At least so many bytes of stack.
    pub fn stack_size(mut self, size: usize) -> Builder {
        self.stack_size = size;
        self
    }

    /// Creates the thread.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + 'static,
        T: 'static,
    {
        let wish = Wish { name: self.name.as_deref(), stack_size: self.stack_size };
        Ok(mazurka::thread::spawn_as(f, wish, Location::caller()))
    }
}
