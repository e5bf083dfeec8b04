//! Why a program in C could not be explored.

use explore::AlwaysMore;
use std::{fmt, io};

/// Why a program in C could not be explored.
#[derive(Debug)]
pub enum CheckError {
    /// The search says why.
    Search(explore::Error),
    /// The search over execution graphs says why.
    Graphs(graphs::Error),
    /// The program asked for what is not supported: what and where.
    Refused(String),
    /// Every search showed that more memory is shared than was believed.
    AlwaysMore(AlwaysMore),
    /// There is no memory for what searches have in common, or for what an execution accesses.
    NoMemory(io::Error),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Search(error) => error.fmt(f),
            CheckError::Graphs(error) => error.fmt(f),
            CheckError::Refused(refusal) => write!(f, "the program cannot be checked: {refusal}"),
            CheckError::AlwaysMore(AlwaysMore { searches }) => write!(
                f,
                "{searches} searches have each found more memory to be shared than was believed; give the program less to do"
            ),
            CheckError::NoMemory(error) => write!(f, "no memory for what a search keeps of the program: {error}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl From<explore::Error> for CheckError {
    fn from(error: explore::Error) -> Self {
        CheckError::Search(error)
    }
}

impl From<graphs::Error> for CheckError {
    fn from(error: graphs::Error) -> Self {
        CheckError::Graphs(error)
    }
}

impl From<AlwaysMore> for CheckError {
    fn from(error: AlwaysMore) -> Self {
        CheckError::AlwaysMore(error)
    }
}
