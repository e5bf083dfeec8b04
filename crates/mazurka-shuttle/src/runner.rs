//! Mirror of shuttle's runners and of its functions `check_*`.

use crate::run;
use crate::scheduler::{
    DfsScheduler, PctScheduler, RandomScheduler, ReplayScheduler, RoundRobinScheduler, Scheduler,
    UncontrolledNondeterminismCheckScheduler, UrwRandomScheduler,
};
use mazurka::{Checker, Limit, Report};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Mirror of `shuttle::Config`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Bytes of each thread's stack, if that is more than Mazurka's.
    pub stack_size: usize,
    /// What is done with the schedule of a failure.
    pub failure_persistence: FailurePersistence,
    /// What is done with long executions.
    pub max_steps: MaxSteps,
    /// Stops after so much time.
    pub max_time: Option<Duration>,
    /// No effect.
    pub silence_warnings: bool,
    /// No effect.
    pub record_steps_in_span: bool,
    /// No effect.
    pub ungraceful_shutdown_config: UngracefulShutdownConfig,
}

impl Config {
    /// The usual settings.
    pub fn new() -> Self {
        Config {
            stack_size: 0xf000,
            failure_persistence: FailurePersistence::Print,
            max_steps: MaxSteps::FailAfter(1_000_000),
            max_time: None,
            silence_warnings: false,
            record_steps_in_span: false,
            ungraceful_shutdown_config: UngracefulShutdownConfig::new(),
        }
    }

    fn checker(&self) -> Checker {
        // As in shuttle, memory is sequentially consistent, and every panic of a thread is one of the test.
        let mut checker = Checker::from_env().memory("sc").joined_panics(true);
        if std::env::var_os("MAZURKA_WORKERS").is_none() {
            // Runs of shuttle come one after the other: they count in std's atomics what a run does.
            checker = checker.workers(1);
        }
        if self.stack_size > MOST_OF_SHUTTLE {
            checker = checker.stack_size(self.stack_size);
        }
        if let Some(time) = self.max_time {
            checker = checker.max_time(time);
        }
        match self.max_steps {
            MaxSteps::None => checker.max_steps(usize::MAX),
            MaxSteps::FailAfter(steps) | MaxSteps::ContinueAfter(steps) => checker.max_steps(steps),
        }
    }
}

/// Stacks up to this size are those of tests that chose none; Mazurka's own are larger.
const MOST_OF_SHUTTLE: usize = 256 << 10;

impl Default for Config {
    fn default() -> Self {
        Config::new()
    }
}

/// Mirror of `shuttle::FailurePersistence`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FailurePersistence {
    /// The schedule is printed all the same: it is part of the report.
    None,
    /// The schedule is printed.
    Print,
    /// The schedule is also written to a new file in this folder, or in the current one.
    File(Option<PathBuf>),
}

/// Mirror of `shuttle::MaxSteps`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MaxSteps {
    /// Executions may be of any length.
    None,
    /// A longer execution is a failure.
    FailAfter(usize),
    /// A longer execution is given up.
    ContinueAfter(usize),
}

/// Mirror of `shuttle::UngracefulShutdownConfig`: no effect.
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct UngracefulShutdownConfig {
    /// No effect.
    pub immediately_return_on_panic: bool,
    /// No effect.
    pub continuation_function_behavior: ContinuationFunctionBehavior,
}

impl UngracefulShutdownConfig {
    /// The usual settings.
    pub const fn new() -> Self {
        UngracefulShutdownConfig {
            immediately_return_on_panic: false,
            continuation_function_behavior: ContinuationFunctionBehavior::Leak,
        }
    }
}

/// Mirror of `shuttle::ContinuationFunctionBehavior`: no effect.
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub enum ContinuationFunctionBehavior {
    /// No effect.
    Drop,
    /// No effect.
    #[default]
    Leak,
}

/// Mirror of `shuttle::Runner`.
#[derive(Debug)]
pub struct Runner<S> {
    scheduler: S,
    config: Config,
}

impl<S: Scheduler + 'static> Runner<S> {
    /// A scheduler and settings.
    pub fn new(scheduler: S, config: Config) -> Self {
        Runner { scheduler, config }
    }

    /// Runs the test; panics with the report of a failure. Says how many executions there were.
    #[track_caller]
    pub fn run<F: Fn() + Send + Sync + 'static>(self, f: F) -> usize {
        search(&self.scheduler, &self.config, Arc::new(f))
    }
}

#[track_caller]
fn search<S: Scheduler + ?Sized>(scheduler: &S, config: &Config, f: Arc<dyn Fn() + Send + Sync>) -> usize {
    let data = scheduler.data().0;
    let report = scheduler.settings(config.checker()).check(move || {
        run::with(|run| run.data = data);
        f();
    });
    judge(&report, config);
    usize::try_from(report.executions()).unwrap_or(usize::MAX)
}

/// Panics if something was found.
#[track_caller]
fn judge(report: &Report, config: &Config) {
    if let Some(finding) = report.finding() {
        let file = match &config.failure_persistence {
            FailurePersistence::File(folder) => save(folder.as_deref(), &finding.schedule),
            _ => String::new(),
        };
        panic!("{report}{file}");
    }
    // Random searches have no other limit than that of executions.
    let is_too_long = report.tally.too_long > 0 || matches!(report.limit, Some(Limit::Steps(_)));
    if let MaxSteps::FailAfter(steps) = config.max_steps
        && is_too_long
    {
        panic!("an execution did not end within {steps} steps, the most that max_steps allows\n{report}");
    }
}

/// Writes a schedule to a file that is not there yet; says where.
fn save(folder: Option<&Path>, schedule: &str) -> String {
    let folder = folder.unwrap_or(Path::new("."));
    let free = (0..1000).map(|n| folder.join(format!("schedule{n:03}.txt"))).find(|path| !path.exists());
    let Some(path) = free else { return "\nthere is no name left for a file with the schedule".to_owned() };
    match fs::write(&path, schedule) {
        Ok(()) => format!("\nthe schedule is in {}: shuttle::replay_from_file runs it again", path.display()),
        Err(problem) => format!("\nthe schedule could not be written to {}: {problem}", path.display()),
    }
}

/// Mirror of `shuttle::PortfolioRunner`: the schedulers one after the other, each with all workers.
pub struct PortfolioRunner {
    schedulers: Vec<Box<dyn Scheduler + Send>>,
    stop_on_first_failure: bool,
    config: Config,
}

impl PortfolioRunner {
    /// No schedulers yet.
    pub fn new(stop_on_first_failure: bool, config: Config) -> Self {
        PortfolioRunner { schedulers: Vec::new(), stop_on_first_failure, config }
    }

    /// One more scheduler.
    pub fn add(&mut self, scheduler: impl Scheduler + Send + 'static) {
        self.schedulers.push(Box::new(scheduler));
    }

    /// Runs the test; panics with the report of a failure.
    #[track_caller]
    pub fn run<F: Fn() + Send + Sync + 'static>(self, f: F) {
        let f: Arc<dyn Fn() + Send + Sync> = Arc::new(f);
        let mut first = None;
        for scheduler in &self.schedulers {
            let result = catch_unwind(AssertUnwindSafe(|| search(scheduler, &self.config, f.clone())));
            if let Err(panic) = result {
                first.get_or_insert(panic);
                if self.stop_on_first_failure {
                    break;
                }
            }
        }
        if let Some(panic) = first {
            resume_unwind(panic);
        }
    }
}

impl std::fmt::Debug for PortfolioRunner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PortfolioRunner").field("schedulers", &self.schedulers.len()).finish_non_exhaustive()
    }
}

/// One execution.
#[track_caller]
pub fn check<F: Fn() + Send + Sync + 'static>(f: F) {
    Runner::new(RoundRobinScheduler::new(1), Config::new()).run(f);
}

/// So many random executions.
#[track_caller]
pub fn check_random<F: Fn() + Send + Sync + 'static>(f: F, iterations: usize) {
    Runner::new(RandomScheduler::new(iterations), Config::new()).run(f);
}

/// So many random executions by a seed.
#[track_caller]
pub fn check_random_with_seed<F: Fn() + Send + Sync + 'static>(f: F, seed: u64, iterations: usize) {
    Runner::new(RandomScheduler::new_from_seed(seed, iterations), Config::new()).run(f);
}

/// So many random executions.
#[track_caller]
pub fn check_urw<F: Fn() + Send + Sync + 'static>(f: F, iterations: usize) {
    Runner::new(UrwRandomScheduler::new(iterations), Config::new()).run(f);
}

/// So many executions with random priorities, for bugs of this depth.
#[track_caller]
pub fn check_pct<F: Fn() + Send + Sync + 'static>(f: F, iterations: usize, depth: usize) {
    Runner::new(PctScheduler::new(depth, iterations), Config::new()).run(f);
}

/// Every execution that can make a difference, or at most so many.
#[track_caller]
pub fn check_dfs<F: Fn() + Send + Sync + 'static>(f: F, max_iterations: Option<usize>) {
    Runner::new(DfsScheduler::new(max_iterations, false), Config::new()).run(f);
}

/// So many random executions; that steps come out the same again is looked at in every search.
#[track_caller]
pub fn check_uncontrolled_nondeterminism<F: Fn() + Send + Sync + 'static>(f: F, max_iterations: usize) {
    let scheduler = UncontrolledNondeterminismCheckScheduler::new(DfsScheduler::new(Some(max_iterations), true));
    Runner::new(scheduler, Config::new()).run(f);
}

/// One schedule again, as a report printed it.
#[track_caller]
pub fn replay<F: Fn() + Send + Sync + 'static>(f: F, encoded_schedule: &str) {
    Runner::new(ReplayScheduler::new_from_encoded(encoded_schedule), Config::new()).run(f);
}

/// The schedule in a file again.
///
/// # Panics
/// If the file cannot be read.
#[track_caller]
pub fn replay_from_file<F: Fn() + Send + Sync + 'static, P: AsRef<Path>>(f: F, path: P) {
    let path = path.as_ref();
    match ReplayScheduler::new_from_file(path) {
        Ok(scheduler) => Runner::new(scheduler, Config::new()).run(f),
        Err(problem) => panic!("{}: {problem}", path.display()),
    };
}
