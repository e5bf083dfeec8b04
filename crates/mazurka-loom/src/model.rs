//! Mirror of `loom::model`.

use mazurka::{Checker, Limit};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Mirror of `loom::model::Builder`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Builder {
    /// No effect: any number of threads is fine.
    pub max_threads: usize,
    /// An execution with more steps fails, as in loom. The usual number, [`MAX_BRANCHES`], stands for no limit of loom's:
    /// then only an execution of a million steps fails.
    pub max_branches: usize,
    /// Stops after so many executions.
    pub max_permutations: Option<usize>,
    /// Stops after so much time.
    pub max_duration: Option<Duration>,
    /// Explores only executions with at most so many preemptions.
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

/// What `max_branches` is if nobody chooses it.
const MAX_BRANCHES: usize = 1_000;

impl Builder {
    /// The usual settings, changed by loom's variables `LOOM_MAX_BRANCHES`, `LOOM_MAX_PERMUTATIONS`, `LOOM_MAX_DURATION`
    /// (seconds), `LOOM_MAX_PREEMPTIONS`, `LOOM_CHECKPOINT_FILE`, `LOOM_CHECKPOINT_INTERVAL`, `LOOM_LOCATION` and
    /// `LOOM_LOG`.
    ///
    /// # Panics
    /// If a variable is no number where it must be one.
    pub fn new() -> Builder {
        Builder {
            max_threads: crate::MAX_THREADS,
            max_branches: number("LOOM_MAX_BRANCHES").unwrap_or(MAX_BRANCHES),
            max_permutations: number("LOOM_MAX_PERMUTATIONS"),
            max_duration: number("LOOM_MAX_DURATION").map(Duration::from_secs),
            preemption_bound: number("LOOM_MAX_PREEMPTIONS"),
            checkpoint_file: std::env::var_os("LOOM_CHECKPOINT_FILE").map(PathBuf::from),
            checkpoint_interval: number("LOOM_CHECKPOINT_INTERVAL").unwrap_or(20_000),
            expect_explicit_explore: false,
            location: std::env::var_os("LOOM_LOCATION").is_some(),
            log: std::env::var_os("LOOM_LOG").is_some(),
        }
    }

    /// No effect: a finding has its schedule.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Mazurka's settings for these.
    fn checker(&self) -> Checker {
        // As in loom, every panic of a thread is one of the model.
        let mut checker = Checker::from_env().leaks(true).joined_panics(true);
        if std::env::var_os("MAZURKA_WORKERS").is_none() {
            // Models of loom are run one after the other: they count in std's atomics what a run does.
            checker = checker.workers(1);
        }
        if let Some(executions) = self.max_permutations {
            checker = checker.max_executions(executions as u64);
        }
        if let Some(time) = self.max_duration {
            checker = checker.max_time(time);
        }
        if let Some(preemptions) = self.preemption_bound {
            checker = checker.preemption_bound(u32::try_from(preemptions).unwrap_or(u32::MAX));
        }
        if self.max_branches != MAX_BRANCHES {
            checker = checker.max_steps(self.max_branches);
        }
        checker
    }

    /// Explores `f`; panics with a report if there is a finding.
    #[track_caller]
    pub fn check<F: Fn() + Sync + Send + 'static>(&self, f: F) {
        let report = self.checker().check(f);
        if !report.is_ok() {
            panic!("{report}");
        }
        if let Some(Limit::Steps(steps)) = report.limit {
            panic!(
                "an execution did not end within {steps} steps, which is the maximum number of branches that was set \
                 (max_branches, LOOM_MAX_BRANCHES): its loop has no end, or the maximum is too small\n{report}"
            );
        }
        println!("{report}");
    }
}

/// What a variable says.
fn number<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    match text.trim().parse() {
        Ok(number) => Some(number),
        Err(_) => panic!("{name}: '{text}' is not a number that it can be"),
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
