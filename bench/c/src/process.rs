//! Runs a command and measures it.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The most wall time that a command may take.
#[derive(Clone, Copy)]
pub struct Limit(pub Duration);

/// A command that ended.
pub struct Ran {
    pub out: String,
    /// CPU seconds of it and of the commands that it ran.
    pub cpu: f64,
    /// The most memory of one process among them, in bytes.
    pub memory: u64,
}

/// Runs a command to its end. What it says on the standard error stream comes after what it says on the output.
pub fn run(mut command: Command, limit: Limit) -> Result<Ran, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let usage = wait(&mut child, limit);
    let text = out.join().unwrap_or_default() + &err.join().unwrap_or_default();
    let usage = usage.ok_or_else(|| format!("> {} s", limit.0.as_secs()))?;
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    // The kernel counts in kilobytes.
    Ok(Ran { out: text, cpu, memory: usage.ru_maxrss as u64 * 1024 })
}

fn reader(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stream) = stream {
            // What could not be read is missing in what is parsed, and said then.
            let _ = stream.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// Waits for the end of a command; `None` when it had to be ended.
fn wait(child: &mut Child, limit: Limit) -> Option<libc::rusage> {
    let started = Instant::now();
    loop {
        let (mut status, pid) = (0, child.id() as libc::pid_t);
        // SAFETY: an rusage is plain numbers, for which zero is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: a child of this process that was not waited for yet, and memory that is there.
        let ended = unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) };
        if ended == pid {
            return Some(usage);
        }
        if started.elapsed() > limit.0 {
            // Ended here, or ended by itself meanwhile: both is fine.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}
