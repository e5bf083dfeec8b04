//! The tools, one a file.

mod genmc;
mod mazurka;
mod nidhugg;

use crate::process::Limit;
use crate::workloads::Workload;
use std::process::Command;

pub use mazurka::{Mazurka, Ours};

/// What another tool did with a program.
pub struct Measured {
    /// Executions that it explored, those that were blocked included.
    pub executions: u64,
    /// CPU seconds of its whole process, compiling included.
    pub cpu: f64,
    /// Seconds of the search alone, where the tool tells.
    pub search: Option<f64>,
    /// Peak memory in bytes.
    pub memory: u64,
}

/// What a tool said of its search.
#[derive(Clone, PartialEq, Debug)]
struct Said {
    /// Executions, those that were blocked included.
    executions: u64,
    /// Seconds of the search, where the tool tells.
    search: Option<f64>,
}

/// Another model checker for C.
pub trait Tool {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Its version, or why it cannot be run and what to do.
    fn version(&self) -> Result<String, String>;

    /// Explores a program, or says why it could not.
    fn measure(&self, workload: &Workload, limit: Limit) -> Result<Measured, String>;
}

/// Those that Mazurka is compared with.
pub fn others() -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(nidhugg::Nidhugg { mode: "--optimal", name: "nidhugg optimal" }),
        Box::new(nidhugg::Nidhugg { mode: "--source", name: "nidhugg source" }),
        Box::new(genmc::GenMc),
    ]
}

/// What a command says about its version.
fn version_of(command: &str, flag: &str, install: &str) -> Result<String, String> {
    let output = Command::new(command).arg(flag).output();
    let output = output.map_err(|_| format!("not installed (no command '{command}' on the PATH; {install})"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned).ok_or_else(|| format!("'{command} {flag}' says nothing; {install}"))
}

/// The number after `label` in a text.
fn number_after(text: &str, label: &str) -> Option<u64> {
    let rest = text.split_once(label)?.1.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Seconds after `label`, as in `Total wall-clock time: 1.25s`.
fn seconds_after(text: &str, label: &str) -> Option<f64> {
    let rest = text.split_once(label)?.1.trim_start();
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().ok()
}

/// The last line that says something, for a message.
fn last_line(text: &str) -> String {
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing").replace('|', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_behind_their_labels() {
        let text = "Trace count: 12 (also 3 sleepset blocked)\nTotal wall-clock time: 1.25 s\n";
        assert_eq!(number_after(text, "Trace count:"), Some(12));
        assert_eq!(number_after(text, "(also "), Some(3));
        assert_eq!(seconds_after(text, "time:"), Some(1.25));
        assert_eq!(number_after(text, "no such label"), None);
        assert_eq!(last_line(text), "Total wall-clock time: 1.25 s");
    }

    #[test]
    fn a_tool_that_is_not_there_is_said_to_be_so() {
        let problem = version_of("no-such-model-checker", "--version", "build it").unwrap_err();
        assert_eq!(problem, "not installed (no command 'no-such-model-checker' on the PATH; build it)");
    }

    #[test]
    fn a_version_is_the_first_line() {
        assert!(version_of("cargo", "--version", "install Rust").unwrap().starts_with("cargo 1."));
    }
}
