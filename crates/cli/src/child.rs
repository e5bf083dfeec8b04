//! A search in a process of its own, so that its peak memory is its own.

use crate::bounds::BoundsArgs;
use crate::problem::Problem;
use crate::run::Refusal;
use report::summary::Summary;
use serde::Deserialize;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What `mazurka run --json` prints.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    Refusal(Refusal),
    Summary(Box<Summary>),
}

/// The name of the search by execution graphs, as summaries have it.
pub(crate) const GRAPHS: &str = "graphs";

/// What is searched, and how.
pub(crate) struct Child<'a> {
    pub(crate) program: &'a str,
    pub(crate) arguments: &'a [i64],
    /// The name of an algorithm, or [`GRAPHS`].
    pub(crate) algorithm: &'a str,
    pub(crate) max_time: Duration,
    pub(crate) max_executions: Option<u64>,
    /// None: one for each core.
    pub(crate) workers: Option<NonZeroUsize>,
    pub(crate) bounds: BoundsArgs,
    /// Further options of `mazurka run`.
    pub(crate) options: &'a [&'a str],
}

impl Child<'_> {
    /// Runs `mazurka run`. Its progress line goes to the same terminal.
    pub(crate) fn search(&self) -> Result<Answer, Problem> {
        let this =
            std::env::current_exe().map_err(|error| Problem::Input(format!("cannot find mazurka itself: {error}")))?;
        let mut command = Command::new(this);
        command.args(["run", self.program]).args(self.arguments.iter().map(i64::to_string));
        command.args(["--keep-going", "--json"]);
        command.args(if self.algorithm == GRAPHS { ["--memory", "sc"] } else { ["--algorithm", self.algorithm] });
        command.args(["--max-time", &humantime::format_duration(self.max_time).to_string()]);
        command.args(self.options);
        self.bounds.hand_on(&mut command);
        if let Some(executions) = self.max_executions {
            command.args(["--max-executions", &executions.to_string()]);
        }
        if let Some(workers) = self.workers {
            command.args(["--workers", &workers.to_string()]);
        }
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| self.failed(&error))?;
        if output.stdout.is_empty() {
            return Err(self.failed(&format_args!("it ended with {}", output.status)));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| self.failed(&error))
    }

    fn failed(&self, why: &dyn Display) -> Problem {
        Problem::Input(format!("the search by {} did not work: {why}", self.algorithm))
    }
}
