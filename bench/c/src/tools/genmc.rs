//! GenMC, under sequential consistency. It has clang's front end in it, and interprets the result.

use super::{Measured, Tool, last_line, number_after, seconds_after, version_of};
use crate::process::{Limit, run};
use crate::workloads::Workload;
use std::process::Command;

pub struct GenMc;

impl Tool for GenMc {
    fn name(&self) -> &'static str {
        "genmc sc"
    }

    fn version(&self) -> Result<String, String> {
        version_of("genmc", "--version", "build it from its repository, MPI-SWS/genmc, and install it")
    }

    fn measure(&self, workload: &Workload, limit: Limit) -> Result<Measured, String> {
        let mut command = Command::new("genmc");
        command.args(["--sc", "--disable-estimation", "--"]).args(&workload.flags).arg(&workload.source);
        let ran = run(command, limit)?;
        let label = "Number of complete executions explored:";
        let count = number_after(&ran.out, label).ok_or_else(|| last_line(&ran.out))?;
        let blocked = number_after(&ran.out, "Number of blocked executions seen:").unwrap_or(0);
        let search = seconds_after(&ran.out, "Total wall-clock time:");
        Ok(Measured { executions: count + blocked, cpu: ran.cpu, search, memory: ran.memory, over_bare: None })
    }
}
