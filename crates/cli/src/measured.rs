//! What a search took, measured in a process of its own.

use crate::bounds::BoundsArgs;
use crate::child::{Answer, Child};
use crate::problem::Problem;
use explore::{AlgorithmInfo, algorithm};
use report::table::thousands;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The algorithms whose memory is compared: with wakeup trees, and without.
pub(crate) fn optimal_and_pop() -> [&'static AlgorithmInfo; 2] {
    ["optimal", "pop"].map(|name| algorithm(name).expect("one of the algorithms"))
}

/// What a search did.
#[derive(Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Measured {
    /// All executions.
    Done(Figures),
    /// Those before the time was up.
    Stopped(Figures),
    /// None: why.
    Refused(String),
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Figures {
    pub(crate) executions: u64,
    pub(crate) seconds: f64,
    pub(crate) peak_memory_bytes: Option<u64>,
}

impl Measured {
    /// Searches a program of the library.
    pub(crate) fn of(
        program: &str,
        arguments: &[i64],
        algorithm: &AlgorithmInfo,
        max_time: Duration,
        workers: NonZeroUsize,
    ) -> Result<Self, Problem> {
        let child = Child {
            program,
            arguments,
            algorithm: algorithm.name,
            max_time,
            max_executions: None,
            workers: Some(workers),
            bounds: BoundsArgs::default(),
            options: &[],
        };
        Ok(match child.search()? {
            Answer::Refusal(refusal) => Measured::Refused(refusal.refused),
            Answer::Summary(summary) => {
                let figures = Figures {
                    executions: summary.counts.executions,
                    seconds: summary.seconds,
                    peak_memory_bytes: summary.peak_memory_bytes,
                };
                if summary.exhaustive { Measured::Done(figures) } else { Measured::Stopped(figures) }
            }
        })
    }

    pub(crate) fn figures(&self) -> Option<&Figures> {
        match self {
            Measured::Done(figures) | Measured::Stopped(figures) => Some(figures),
            Measured::Refused(_) => None,
        }
    }

    pub(crate) fn megabytes(&self) -> Option<f64> {
        self.figures()?.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6)
    }

    /// Executions, seconds, megabytes. What was stopped has a `>`.
    pub(crate) fn cells(&self) -> [String; 3] {
        let Some(figures) = self.figures() else { return ["refused", "", ""].map(str::to_owned) };
        let more = if matches!(self, Measured::Stopped(_)) { ">" } else { "" };
        [
            format!("{more}{}", thousands(figures.executions)),
            format!("{more}{:.2}", figures.seconds),
            self.megabytes().map_or("?".to_owned(), |megabytes| format!("{more}{megabytes:.1}")),
        ]
    }
}
