//! Running one test.

use crate::suite::Suite;
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Passed,
    Failed,
    /// It was killed by a signal of its own.
    Crashed(i32),
    /// It did not end in time.
    Stopped,
    /// It is not there.
    Missing,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ending: Ending,
    /// CPU time of the process.
    pub cpu: Duration,
    /// What it said about executions.
    pub executions: Option<u64>,
}

impl Outcome {
    pub const MISSING: Outcome = Outcome { ending: Ending::Missing, cpu: Duration::ZERO, executions: None };
}

/// Runs a test for at most `limit` of CPU time, and ten times that of wall time, for machines that do other work, too.
pub fn run(suite: &Suite, executable: &Path, test: &str, limit: Duration, log: &Path) -> io::Result<Outcome> {
    let file = File::create(log)?;
    let mut command = Command::new(executable);
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env("LOOM_MAX_PREEMPTIONS", suite.preemptions.to_string()).env("LOOM_MAX_BRANCHES", "10000");
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let seconds = limit.as_secs().max(1);
    // SAFETY: `setrlimit` and `setpgid` may be called between fork and exec.
    unsafe {
        command.pre_exec(move || {
            let time = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 };
            let memory = libc::rlimit { rlim_cur: 12 << 30, rlim_max: 12 << 30 };
            libc::setrlimit(libc::RLIMIT_CPU, &time);
            libc::setrlimit(libc::RLIMIT_AS, &memory);
            Ok(())
        });
    }
    let before = children_time();
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit * 10 {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let cpu = children_time().saturating_sub(before);
    let ending = match status {
        None => Ending::Stopped,
        Some(status) => match (status.success(), status.signal()) {
            (true, _) => Ending::Passed,
            (false, Some(libc::SIGXCPU | libc::SIGKILL)) => Ending::Stopped,
            (false, Some(signal)) => Ending::Crashed(signal),
            (false, None) => Ending::Failed,
        },
    };
    let text = std::fs::read(log)?;
    Ok(Outcome { ending, cpu, executions: executions(&String::from_utf8_lossy(&text)) })
}

/// The sum of what the tool's lines say.
fn executions(text: &str) -> Option<u64> {
    let counts = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("mazurka: ").or_else(|| line.split_once("Completed in "))?;
        let number: String =
            rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
        number.parse::<u64>().ok()
    });
    counts.reduce(|a, b| a + b)
}

/// CPU time of all processes that were waited for.
fn children_time() -> Duration {
    // SAFETY: a zeroed `rusage` is valid, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}
