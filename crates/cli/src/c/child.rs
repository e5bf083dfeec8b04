//! The process in which the program under test runs.

use super::debug::Start;
use crate::problem::{OUTPUT_CLOSED, Problem, Status};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::{env, fs, io, thread};

/// A folder for intermediate files, which is removed in the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Self, Problem> {
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

    /// It is not removed: the process becomes another that needs what is in it.
    pub(super) fn keep(self) {
        std::mem::forget(self);
    }

    pub(crate) fn path(&self) -> &Path {
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
pub(super) fn run(program: &Path, start: Start, ends: Ends) -> Result<Status, Problem> {
    let cannot = |error: io::Error| Problem::Input(format!("cannot start a process for the search: {error}"));
    let mut arguments = env::args_os().skip(1);
    let subcommand = arguments.next().unwrap_or_default();
    let this = env::current_exe().map_err(cannot)?;
    let mut command = match start {
        Start::Under(debugger) => {
            let words = debugger.command();
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).arg(this);
            command
        }
        Start::Child | Start::InPlace => {
            let mut command = Command::new(this);
            command.stdin(Stdio::null());
            command
        }
    };
    command.arg(subcommand).arg("--built").arg(program).args(arguments);
    if start == Start::InPlace {
        ::c::processes::prepare_in_place(&mut command);
        return Err(cannot(command.exec()));
    }
    ::c::processes::prepare(&mut command);
    let status = match ends {
        Ends::AtOnce => command.status().map_err(cannot)?,
        Ends::InOrder => end_in_order(&mut command)?,
    };
    if start == Start::Child { status_of(status) } else { Ok(Status::Proved) }
}

/// A process that explores slices of a search on a cluster.
#[cfg(feature = "cluster")]
pub(crate) struct Slicing<'s> {
    /// The program.
    pub(crate) built: &'s Path,
    /// Where it is told what to do.
    pub(crate) socket: &'s Path,
    /// The rest of its arguments.
    pub(crate) words: &'s [String],
}

#[cfg(feature = "cluster")]
impl Slicing<'_> {
    pub(crate) fn spawn(&self) -> io::Result<std::process::Child> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("check").arg("--built").arg(self.built).arg("--slices").arg(self.socket).args(self.words);
        // Ctrl-C is for the process that talks to the cluster.
        command.stdin(Stdio::null()).process_group(0);
        ::c::processes::prepare(&mut command);
        command.spawn()
    }
}

/// How the process for the search ends when this one is told to end by a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// As any process does.
    AtOnce,
    /// It writes what is left to do first.
    InOrder,
}

/// How often it is looked at whether there was a signal.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Runs the command to its end. The first signal that tells this process to end is passed on; the second ends both.
fn end_in_order(command: &mut Command) -> Result<ExitStatus, Problem> {
    let cannot = |error: io::Error| Problem::Input(format!("cannot run the process for the search: {error}"));
    let is_told = crate::checkpoint::watch()?;
    ::c::processes::defer_signals(command);
    let mut process = command.spawn().map_err(cannot)?;
    let mut is_passed_on = false;
    loop {
        if let Some(status) = process.try_wait().map_err(cannot)? {
            return Ok(status);
        }
        if is_told.load(Ordering::Relaxed) && !is_passed_on {
            ::c::processes::tell_to_end(&process);
            is_passed_on = true;
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// The process for the search ends with its answer in a status that no program under test is likely to end it with.
const ANSWER: i32 = 64;

/// Ends the process for the search.
pub(super) fn answer(status: Status) -> ! {
    std::process::exit(ANSWER + status as i32)
}

pub(crate) fn status_of(status: ExitStatus) -> Result<Status, Problem> {
    let is = |code: i32, answer: Status| code == ANSWER + answer as i32;
    match (status.code(), status.signal()) {
        (Some(code), _) if is(code, Status::Proved) => Ok(Status::Proved),
        (Some(code), _) if is(code, Status::Found) => Ok(Status::Found),
        (Some(code), _) if is(code, Status::NotExhaustive) => Ok(Status::NotExhaustive),
        // It has said why, or nobody reads what it says.
        (Some(code), _) if code == Status::BadInput as i32 || code == i32::from(OUTPUT_CLOSED) => Ok(Status::BadInput),
        (Some(code), _) => Err(Problem::Input(format!(
            "the program under test ended the process for the search, with status {code}: by a function that is not known \
             to end a program, which has to be taken out for a check"
        ))),
        (_, Some(signal)) => Err(Problem::Input(format!(
            "the process for the search was ended by signal {signal}: the program under test has destroyed its memory, \
             or used up the machine's"
        ))),
        _ => Ok(Status::BadInput),
    }
}
