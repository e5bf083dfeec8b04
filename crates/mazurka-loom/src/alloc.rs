//! Mirror of `loom::alloc`. Leaks are not looked for: that is left to the tools that do so for all memory.

pub use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};

/// Mirror of `loom::alloc::Track`: the value, and no tracking.
#[derive(Debug)]
pub struct Track<T>(T);

impl<T> Track<T> {
    /// The value.
    pub fn new(value: T) -> Track<T> {
        Track(value)
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.0
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0
    }
}
