//! Mirror of `loom::model`.

use mazurka::Checker;
use std::path::PathBuf;
use std::time::Duration;

/// Mirror of `loom::model::Builder`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Builder {
    /// No effect: any number of threads is fine.
    pub max_threads: usize,
    /// No effect: executions may have a million steps.
    pub max_branches: usize,
    /// Stops after so many executions.
    pub max_permutations: Option<usize>,
    /// Stops after so much time.
    pub max_duration: Option<Duration>,
    /// No effect: all executions are explored, with any number of preemptions.
    pub preemption_bound: Option<usize>,
    /// No effect: a finding has its schedule.
    pub checkpoint_file: Option<PathBuf>,
    /// No effect.
    pub checkpoint_interval: usize,
    /// No effect: everything is explored.
    pub expect_explicit_explore: bool,
    /// No effect: locations are always known.
    pub location: bool,
    /// No effect: a finding is printed in full.
    pub log: bool,
}

impl Builder {
    /// The usual settings, changed by loom's variables `LOOM_MAX_PERMUTATIONS` and `LOOM_MAX_DURATION` (seconds).
    pub fn new() -> Builder {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        Builder {
            max_threads: usize::MAX,
            max_branches: usize::MAX,
            max_permutations: number("LOOM_MAX_PERMUTATIONS").map(|n| n as usize),
            max_duration: number("LOOM_MAX_DURATION").map(Duration::from_secs),
            preemption_bound: None,
            checkpoint_file: None,
            checkpoint_interval: 20_000,
            expect_explicit_explore: false,
            location: true,
            log: false,
        }
    }

    /// No effect: a finding has its schedule.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Explores `f`; panics with a report if there is a finding.
    #[track_caller]
    pub fn check<F: Fn() + Sync + Send + 'static>(&self, f: F) {
        // As in loom, every panic of a thread is one of the model.
        let mut checker = Checker::from_env().joined_panics(true);
        if let Some(executions) = self.max_permutations {
            checker = checker.max_executions(executions as u64);
        }
        if let Some(time) = self.max_duration {
            checker = checker.max_time(time);
        }
        checker.assert(f);
    }
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

/// Explores `f`; panics with a report if there is a finding.
#[track_caller]
pub fn model<F: Fn() + Sync + Send + 'static>(f: F) {
    Builder::new().check(f);
}
