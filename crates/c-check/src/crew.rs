//! The processes that search a program in C together: copies of the one that was started for the search.

use c::CProgram;
use c::processes::{self, Copied, ProcessCopy};
use explore::{Link, NUMBERS, Processes, WorkerProcess};
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// How long a process may take to end that has closed its connection.
const PATIENCE: Duration = Duration::from_secs(1);

/// What it takes to copy this process.
pub struct Crew<'p> {
    program: &'p CProgram,
    numbers: &'static [AtomicU64; NUMBERS],
}

impl<'p> Crew<'p> {
    /// Of this process.
    pub fn new(program: &'p CProgram) -> io::Result<Self> {
        Ok(Crew { program, numbers: processes::common_numbers()? })
    }
}

impl Processes for Crew<'_> {
    fn numbers(&self) -> &[AtomicU64; NUMBERS] {
        self.numbers
    }

    fn copy(&self) -> io::Result<explore::Copied> {
        let (ours, theirs) = UnixStream::pair()?;
        // Each side closes what is the other's, and so notices its end.
        Ok(match self.program.copy_process()? {
            Copied::Original(copy) => {
                drop(theirs);
                explore::Copied::Leader(link(ours)?, Box::new(Worker(copy)))
            }
            Copied::Copy => {
                drop(ours);
                match link(theirs) {
                    Ok(link) => explore::Copied::Worker(link),
                    Err(_) => processes::leave(),
                }
            }
        })
    }

    fn discoveries(&self) -> Result<String, String> {
        let too_many = "a worker found out more about the program than can be told; use --workers 1";
        self.program.discoveries().ok_or_else(|| too_many.to_owned())
    }

    fn learn(&self, discoveries: &str) -> Result<(), String> {
        self.program.learn(discoveries)
    }

    fn recall(&self, discoveries: &str) -> Result<(), String> {
        self.program.recall(discoveries)
    }

    fn begins_anew(&self) -> bool {
        self.program.is_refined()
    }

    fn leave(&self) -> ! {
        processes::leave()
    }
}

fn link(stream: UnixStream) -> io::Result<Link> {
    Ok(Link { from: Box::new(stream.try_clone()?), to: Box::new(stream) })
}

struct Worker(ProcessCopy);

impl WorkerProcess for Worker {
    fn kill(&mut self) {
        self.0.kill();
    }

    fn end(&mut self) -> String {
        match self.0.wait_for(PATIENCE) {
            Ok(Some(status)) => match (status.signal(), status.code()) {
                (Some(signal), _) => format!("it was ended by signal {signal}"),
                (_, Some(code)) => format!("it ended by itself, with status {code}"),
                _ => "it ended".to_owned(),
            },
            Ok(None) => {
                self.0.kill();
                "it closed its connection, and went on".to_owned()
            }
            Err(error) => format!("it is not known how it ended: {error}"),
        }
    }
}
