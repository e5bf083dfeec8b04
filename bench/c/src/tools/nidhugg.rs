//! Nidhugg, under sequential consistency. `nidhuggc` compiles by clang and interprets the result.

use super::{Measured, Tool, last_line, number_after, seconds_after, version_of};
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
        let count = number_after(&ran.out, "Trace count:").ok_or_else(|| last_line(&ran.out))?;
        // Blocked ones of any sort are told in parentheses: "(also 3 sleepset blocked)".
        let blocked = number_after(&ran.out, "(also ").unwrap_or(0);
        let search = seconds_after(&ran.out, "Total wall-clock time:");
        Ok(Measured { executions: count + blocked, cpu: ran.cpu, search, memory: ran.memory, over_bare: None })
    }
}
