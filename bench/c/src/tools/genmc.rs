//! GenMC, under sequential consistency. It has clang's front end in it, and interprets the result.

use super::{Measured, Said, Tool, last_line, number_after, seconds_after, version_of};
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
        let Said { executions, search } = read(&ran.out)?;
        Ok(Measured { executions, cpu: ran.cpu, search, memory: ran.memory })
    }
}

/// Reads what it prints at the end.
fn read(text: &str) -> Result<Said, String> {
    let count = number_after(text, "Number of complete executions explored:").ok_or_else(|| last_line(text))?;
    let blocked = number_after(text, "Number of blocked executions seen:").unwrap_or(0);
    Ok(Said { executions: count + blocked, search: seconds_after(text, "Total wall-clock time:") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_blocked_executions() {
        let text = "*** Compilation complete.\n*** Transformation complete.\n*** Verification complete.\n\
                    No errors were detected.\nNumber of complete executions explored: 40320\n\
                    Total wall-clock time: 0.73s\n";
        assert_eq!(read(text), Ok(Said { executions: 40_320, search: Some(0.73) }));
    }

    #[test]
    fn blocked_executions_count() {
        let text = "*** Verification complete.\nNo errors were detected.\nNumber of complete executions explored: 36\n\
                    Number of blocked executions seen: 60\nTotal wall-clock time: 0.05s\n";
        assert_eq!(read(text), Ok(Said { executions: 96, search: Some(0.05) }));
    }

    #[test]
    fn a_program_that_it_does_not_know() {
        let text = "ERROR: Tried to execute an unknown external function: pthread_rwlock_rdlock\n";
        assert_eq!(read(text), Err(text.trim().to_owned()));
    }
}
