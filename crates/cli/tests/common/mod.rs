//! Runs the command.

use std::process::{Command, Output};

/// What the command said.
pub(crate) struct Said {
    /// The exit status.
    pub(crate) status: i32,
    /// On the standard output.
    pub(crate) out: String,
    /// On the standard error stream.
    pub(crate) err: String,
}

/// Runs `mazurka` with these arguments.
pub(crate) fn mazurka(args: &[&str]) -> Said {
    said(command(args).output().expect("mazurka can be started"))
}

/// `mazurka` with these arguments, not started yet.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(args);
    command
}

/// What a finished command said.
pub(crate) fn said(output: Output) -> Said {
    Said {
        status: output.status.code().expect("mazurka ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}
