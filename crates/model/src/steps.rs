//! The meaning of steps that are more than one operation on one object: what the analysis asks about states that are not at
//! hand.

use crate::{Cell, Choice, ThreadId, Touch};
use std::fmt;

/// All that decides on what a program can still do, as the program writes it down.
pub type SavedState = Vec<u8>;

/// What a transition would be in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether it can be taken.
    pub enabled: bool,
    /// What it would read and write; if it is not enabled, what that depends on: the local state of its thread is part of it.
    pub touch: Touch,
}

/// A program whose steps touch any number of things (models in Promela), as pure functions of states.
///
/// What a step does depends on nothing but the cells that it reads and the local states of the processes that move in it, and so
/// does whether it is enabled.
pub trait Steps: Send + Sync + fmt::Debug {
    /// The state in which it begins.
    fn initial(&self) -> SavedState;

    /// What a transition of a thread would be; nothing if the thread is not there.
    fn look(&self, state: &[u8], choice: Choice) -> Option<Look>;

    /// The state becomes the one after a step, which must be enabled.
    fn take(&self, state: &mut SavedState, choice: Choice);

    /// The transitions that a thread has, by their numbers, whether they are enabled or not; none if it is not there. Those count
    /// too that need what is there only in a later state, such as another process.
    fn transitions(&self, state: &[u8], later: &[u8], thread: ThreadId) -> Vec<u16>;

    /// The thread whose local state a cell is.
    fn mover(&self, state: &[u8], cell: Cell) -> Option<ThreadId>;
}
