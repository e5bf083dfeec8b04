//! What a program can do wrong in one of its threads.

use crate::Site;
use std::fmt;

/// A thread failed. It takes no further step; the other threads go on, so that the run still shows every race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What sort of failure this is.
    pub kind: FailureKind,
    /// The message for the user.
    pub message: String,
    /// Where in the program it happened.
    pub site: Site,
}

/// The sorts of failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureKind {
    /// An assertion of the program did not hold.
    Assertion,
    /// An object was used against its rules, such as a mutex unlocked by a thread that does not hold it.
    Misuse,
    /// A thread panicked.
    Panic,
    /// Two threads accessed a plain cell, one of them to write it, and nothing orders the two.
    DataRace,
    /// A thread used up its stack.
    StackOverflow,
    /// A thread was ended by a signal of the machine, such as a segmentation fault.
    Crash,
    /// Memory of the heap was used against its rules: after it was freed, out of its bounds, freed twice.
    Memory,
    /// A thread computed for too long without any operation.
    Hang,
    /// A model does what it must not.
    Property,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FailureKind::Assertion => write!(f, "assertion failed: {}", self.message),
            FailureKind::Misuse => write!(f, "misuse: {}", self.message),
            FailureKind::Panic => write!(f, "panicked: {}", self.message),
            FailureKind::DataRace => write!(f, "data race: {}", self.message),
            FailureKind::StackOverflow => write!(f, "stack overflow: {}", self.message),
            FailureKind::Crash => write!(f, "crash: {}", self.message),
            FailureKind::Memory => write!(f, "memory error: {}", self.message),
            FailureKind::Hang => write!(f, "endless loop: {}", self.message),
            FailureKind::Property => f.write_str(&self.message),
        }
    }
}
