//! Mazurka, by its command: the program is compiled once, and searched several times by one worker.

use super::{last_line, version_of};
use crate::process::{Limit, Ran, run};
use crate::workloads::Workload;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Mazurka;

/// What Mazurka did with a program.
pub struct Ours {
    /// Executions that it explored, those that were blocked included.
    pub executions: u64,
    /// CPU seconds of compiling and linking.
    pub compile: f64,
    /// CPU seconds of the process that searches: the least of all rounds.
    pub cpu: f64,
    /// Seconds of the search, by the clock: the least of all rounds.
    pub search: f64,
    /// Peak memory in bytes.
    pub memory: u64,
}

/// How often a program is searched, unless that takes long: the machine may be shared.
const ROUNDS: usize = 5;
/// A search of so many seconds is not done again.
const LONG: f64 = 5.0;

/// The release build of the command, or what the environment variable `MAZURKA` says.
fn command() -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/mazurka");
    std::env::var_os("MAZURKA").map_or_else(|| built.into(), PathBuf::from)
}

impl Mazurka {
    /// Its version, or why it cannot be run and what to do.
    pub fn version(&self) -> Result<String, String> {
        let advice =
            "run `cargo build --release -p mazurka-cli` at the root, or set MAZURKA to the path of the command";
        version_of(&command().to_string_lossy(), "--version", advice)
    }

    /// Compiles and searches a program, or says why it could not.
    pub fn measure(&self, workload: &Workload, scratch: &Path, limit: Limit) -> Result<Ours, String> {
        let program = scratch.join("program");
        let mut cc = Command::new(command());
        cc.arg("cc").arg(&workload.source).args(&workload.flags).arg("-o").arg(&program);
        let compiled = run(cc, limit)?;
        if !program.exists() {
            return Err(last_line(&compiled.out));
        }
        let mut best = searched(&program, limit)?;
        for _ in 1..ROUNDS {
            if best.search > LONG {
                break;
            }
            let next = searched(&program, limit)?;
            best.cpu = best.cpu.min(next.cpu);
            best.search = best.search.min(next.search);
        }
        Ok(Ours { compile: compiled.cpu, ..best })
    }
}

fn searched(program: &Path, limit: Limit) -> Result<Ours, String> {
    let mut check = Command::new(command());
    check.args(["check", "--json", "--keep-going", "--workers", "1"]).arg(program);
    read(&run(check, limit)?)
}

/// Reads what `--json` prints.
fn read(ran: &Ran) -> Result<Ours, String> {
    let json = serde_json::Deserializer::from_str(&ran.out).into_iter::<Value>().next();
    let Some(Ok(summary)) = json else { return Err(last_line(&ran.out)) };
    let executions = summary["counts"]["executions"].as_u64().ok_or("its JSON has no counts")?;
    let blocked = summary["counts"]["sleep_set_blocked"].as_u64().unwrap_or(0);
    Ok(Ours {
        executions: executions + blocked,
        compile: 0.0,
        cpu: ran.cpu,
        search: summary["seconds"].as_f64().ok_or("its JSON has no time")?,
        memory: summary["peak_memory_bytes"].as_u64().unwrap_or(ran.memory),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_a_search_is_read() {
        let out = r#"{"counts": {"executions": 12, "sleep_set_blocked": 3}, "seconds": 0.25, "peak_memory_bytes": 99}
                     a warning of the linker"#;
        let ours = read(&Ran { out: out.to_owned(), cpu: 0.5, memory: 1 }).unwrap();
        assert_eq!((ours.executions, ours.cpu, ours.search, ours.memory), (15, 0.5, 0.25, 99));
        let problem = read(&Ran { out: "error: no such file\n".to_owned(), cpu: 0.0, memory: 1 }).err();
        assert_eq!(problem.as_deref(), Some("error: no such file"));
    }
}
