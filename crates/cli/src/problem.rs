//! How the command ends: exit statuses, and the problems that are no findings.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Nothing was found, and the search was exhaustive.
    Proved = 0,
    /// A failure or a deadlock was found.
    Found = 1,
    /// Bad usage or input. The argument parser uses it too.
    BadInput = 2,
    /// Nothing was found, but the search was not exhaustive.
    NotExhaustive = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// The status of a process whose reader went away, as if it had been ended by the signal for that: it is no result.
pub(crate) const OUTPUT_CLOSED: u8 = 128 + 13;

/// Why the command could not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The user can put it right; the message says how.
    Input(String),
    /// Whoever read the output has gone away.
    OutputClosed,
}

impl Problem {
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Problem::Input(message.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Input(message) => f.write_str(message),
            Problem::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Problem::OutputClosed,
            _ => Problem::Input(format!("cannot write the output: {error}")),
        }
    }
}

impl From<explore::Error> for Problem {
    fn from(error: explore::Error) -> Self {
        Problem::input(error)
    }
}
