//! Nidhugg, under sequential consistency. `nidhuggc` compiles by clang and interprets the result.

use super::{Measured, Said, Tool, last_line, number_after, seconds_after, version_of};
use crate::process::{Limit, run};
use crate::workloads::Workload;
use std::process::Command;

pub struct Nidhugg {
    /// The option that picks the algorithm.
    pub mode: &'static str,
    pub name: &'static str,
}

impl Tool for Nidhugg {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> Result<String, String> {
        version_of("nidhuggc", "--version", "build it from its repository, nidhugg/nidhugg, and install it")
    }

    fn measure(&self, workload: &Workload, limit: Limit) -> Result<Measured, String> {
        let mut command = Command::new("nidhuggc");
        command.args(&workload.flags).args(["--", "--sc", self.mode]).arg(&workload.source);
        let ran = run(command, limit)?;
        let Said { executions, search } = read(&ran.out)?;
        Ok(Measured { executions, cpu: ran.cpu, search, memory: ran.memory })
    }
}

/// Reads what it prints at the end.
fn read(text: &str) -> Result<Said, String> {
    let count = number_after(text, "Trace count:").ok_or_else(|| last_line(text))?;
    let blocked: u64 = ["(also ", "Assume-blocked trace count:", "Await-blocked trace count:"]
        .iter()
        .filter_map(|label| number_after(text, label))
        .sum();
    Ok(Said { executions: count + blocked, search: seconds_after(text, "Total wall-clock time:") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_blocked_executions() {
        let text = "Trace count: 218243\nNo errors were detected.\nTotal wall-clock time: 31.22 s\n";
        assert_eq!(read(text), Ok(Said { executions: 218_243, search: Some(31.22) }));
    }

    #[test]
    fn blocked_executions_count() {
        let text = "Trace count: 3328 (also 16867 sleepset blocked)\nNo errors were detected.\n";
        assert_eq!(read(text), Ok(Said { executions: 20_195, search: None }));
        let text = "Trace count: 16\nAssume-blocked trace count: 16\nNo errors were detected.\n";
        assert_eq!(read(text), Ok(Said { executions: 32, search: None }));
    }

    #[test]
    fn a_program_that_it_does_not_compile() {
        let text = "prog.c:3:1: error: unknown type name 'atomic_int'\n1 error generated.\n";
        assert_eq!(read(text), Err("1 error generated.".to_owned()));
    }
}
