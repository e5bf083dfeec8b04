//! The state that every run begins in: what the program's constructors left.
//!
//! Constructors run once, on the main thread's fiber, as long as they do nothing that could be done in several ways. The
//! state that they lead to is kept. If they create a thread, say, every run begins right there, and goes on with the rest
//! of them.

use crate::snapshot::State;

/// Where runs begin.
pub(crate) struct Origin {
    pub(crate) state: State,
    /// Whether the main thread goes on from there to its first operation; otherwise it is at one, or has ended.
    pub(crate) goes_on: bool,
}
