//! Runs `mazurka check`.

use crate::head::Program;
use report::summary::{FindingSummary, Summary};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// No check of these programs takes nearly so long, on a machine that does much else beside it too.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(600);

/// No report of these programs is nearly so long, however much the program writes.
const LONGEST_OUTPUT: usize = 4 << 20;

/// What a check answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    /// The JSON, if there is one.
    pub(crate) summary: Option<Summary>,
    /// The same of `mazurka verify`.
    pub(crate) states: Option<States>,
}

/// What `mazurka verify` says of a program.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct States {
    pub(crate) checks: Vec<StatesCheck>,
    pub(crate) findings: Vec<FindingSummary>,
}

/// What came of its search.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct StatesCheck {
    pub(crate) states: u64,
    pub(crate) proved: bool,
    #[serde(default)]
    pub(crate) stopped_by: Option<String>,
}

impl Answer {
    pub(crate) fn findings(&self) -> &[FindingSummary] {
        let of_states = self.states.as_ref().map_or(&[][..], |states| &states.findings);
        self.summary.as_ref().map_or(of_states, |summary| &summary.findings)
    }

    /// The end of what it said, for a message.
    pub(crate) fn told(&self) -> String {
        let findings: Vec<_> = self.findings().iter().map(|finding| finding.headline.as_str()).collect();
        let counts = self.summary.as_ref().map(|summary| format!("{:?}", summary.counts)).unwrap_or_default();
        let tail = |text: &str| text.chars().rev().take(1500).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        let out = if self.summary.is_none() && self.states.is_none() { tail(&self.out) } else { String::new() };
        format!("status {}, findings {findings:?}\n{counts}{out}{}", self.status, tail(&self.err))
    }
}

/// The compilers that are installed, by the name that `--compiler` takes.
pub(crate) fn compilers() -> &'static [&'static str] {
    static INSTALLED: OnceLock<Vec<&str>> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let works = |name: &&str| {
            let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let found: Vec<_> = ["clang", "gcc"].into_iter().filter(works).collect();
        assert!(!found.is_empty(), "neither clang nor gcc is installed");
        found
    })
}

/// Checks a program by a compiler: `mazurka check` with all findings and a second opinion on what each step changed, and these flags
/// for the compiler.
pub(crate) fn check(program: &Program, compiler: &str, flags: &[String]) -> Result<Answer, String> {
    let asks_itself = program.options.iter().any(|option| option == "--paranoid");
    let options = ["--json", "--keep-going", "--paranoid"];
    let wanted = if asks_itself { &options[..2] } else { &options[..] };
    check_with(program, compiler, wanted, flags)
}

/// Checks a program by a compiler with these options, and these flags for the compiler.
pub(crate) fn check_with(
    program: &Program,
    compiler: &str,
    options: &[&str],
    flags: &[String],
) -> Result<Answer, String> {
    checked(command(compiler, options), program, flags)
}

/// The same for people to read.
pub(crate) fn check_for_people(program: &Program, compiler: &str) -> Result<Answer, String> {
    check_with(program, compiler, &["--keep-going"], &[])
}

fn checked(mut command: Command, program: &Program, flags: &[String]) -> Result<Answer, String> {
    command.args(&program.options).arg(&program.path);
    command.arg("--").args(&program.flags).args(flags);
    finish(command).map_err(|problem| format!("{}: {problem}", program.name()))
}

/// `mazurka check` with these options; what to check is still to be given.
pub(crate) fn command(compiler: &str, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(["check", "--compiler", compiler]).args(options);
    command
}

/// Runs a command to its end.
pub(crate) fn finish(mut command: Command) -> Result<Answer, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start: {error}"))?;
    let (closes, closed) = mpsc::channel();
    let out = reader(child.stdout.take(), closes.clone());
    let err = reader(child.stderr.take(), closes);
    // It closes both when it ends, if not before.
    let status = (0..2).all(|_| closed.recv_timeout(TIMEOUT).is_ok()).then(|| wait(&mut child)).flatten();
    if status.is_none() {
        // Ended here, or ended by itself meanwhile: both is fine.
        let _ = child.kill();
        let _ = child.wait();
    }
    let (out, err) = (out.join().expect("reading goes on"), err.join().expect("reading goes on"));
    let status = status.ok_or_else(|| format!("was still running after {TIMEOUT:?}\n{out}{err}"))?;
    let status = status.code().ok_or_else(|| format!("the command itself was ended by a signal: {status}\n{err}"))?;
    if out.len() + err.len() > LONGEST_OUTPUT {
        return Err(format!("said more than {LONGEST_OUTPUT} bytes"));
    }
    let (summary, states) = (serde_json::from_str(&out).ok(), serde_json::from_str(&out).ok());
    Ok(Answer { status, out, err, summary, states })
}

fn reader(stream: Option<impl Read + Send + 'static>, closes: mpsc::Sender<()>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // Bytes that could not be read are missing in what is compared.
            let _ = stream.take(2 * LONGEST_OUTPUT as u64).read_to_end(&mut bytes);
        }
        // Nobody listens any more when the command took too long.
        let _ = closes.send(());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// How it ended, if it does soon.
fn wait(child: &mut Child) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(50);
    while start.elapsed() < TIMEOUT {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    None
}
