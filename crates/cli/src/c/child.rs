//! The process in which the program under test runs.

use crate::problem::{Problem, Status};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::{env, fs, io};

/// A folder for intermediate files, which is removed in the end.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Result<Self, Problem> {
        let cannot = |error: io::Error| Problem::Input(format!("cannot make a folder for intermediate files: {error}"));
        let base = env::temp_dir();
        for nth in 0.. {
            let path = base.join(format!("mazurka-{}-{nth}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot(error)),
            }
        }
        unreachable!("some number is free")
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left behind in a folder for such files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts this command once more, with the arguments that it was given, for the search of a program that was built.
/// With a debugger, that is what is started.
pub(super) fn run(program: &Path, debugger: bool) -> Result<Status, Problem> {
    let cannot = |error: io::Error| Problem::Input(format!("cannot start a process for the search: {error}"));
    let mut arguments = env::args_os().skip(1);
    let subcommand = arguments.next().unwrap_or_default();
    let this = env::current_exe().map_err(cannot)?;
    let mut command = if debugger {
        let mut command = Command::new("gdb");
        command.args(DEBUGGER).arg("--args").arg(this);
        command
    } else {
        let mut command = Command::new(this);
        command.stdin(Stdio::null());
        command
    };
    command.arg(subcommand).arg("--built").arg(program).args(arguments);
    ::c::processes::prepare(&mut command);
    status_of(command.status().map_err(cannot)?)
}

/// The debugger stops where a thread fails, and leaves the signals alone that the runtime uses itself.
const DEBUGGER: &[&str] = &[
    "-q",
    "-ex",
    "handle SIGALRM nostop noprint pass",
    "-ex",
    "set breakpoint pending on",
    "-ex",
    "break mazurka_failed",
    "-ex",
    "run",
];

fn status_of(status: ExitStatus) -> Result<Status, Problem> {
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(Status::Proved),
        (Some(1), _) => Ok(Status::Found),
        (Some(3), _) => Ok(Status::NotExhaustive),
        (_, Some(signal)) => Err(Problem::Input(format!(
            "the process for the search was ended by signal {signal}: the program under test has destroyed its memory, \
             or used up the machine's"
        ))),
        _ => Ok(Status::BadInput),
    }
}
