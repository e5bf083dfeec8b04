//! Mirror of `shuttle::scheduler`: how a test is searched. Schedulers of one's own have no place here: the search decides.

use crate::run::Data;
use mazurka::Checker;
use std::fs;
use std::io;
use std::path::Path;

/// A way to search.
pub trait Scheduler {
    #[doc(hidden)]
    fn settings(&self, checker: Checker) -> Checker;

    #[doc(hidden)]
    fn data(&self) -> RandomData;
}

/// Where a scheduler takes random numbers from.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RandomData(pub(crate) Data);

impl<S: Scheduler + ?Sized> Scheduler for Box<S> {
    fn settings(&self, checker: Checker) -> Checker {
        (**self).settings(checker)
    }

    fn data(&self) -> RandomData {
        (**self).data()
    }
}

/// The seed that the environment asks for by `SHUTTLE_RANDOM_SEED`, or this one.
fn seed(otherwise: u64) -> u64 {
    match std::env::var("SHUTTLE_RANDOM_SEED") {
        Err(_) => otherwise,
        Ok(text) => match text.trim().parse() {
            Ok(seed) => seed,
            Err(_) => panic!("SHUTTLE_RANDOM_SEED: '{text}' is not a number that it can be"),
        },
    }
}

/// A seed that nobody chose.
fn any_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// Random schedules.
#[derive(Clone, Debug)]
pub struct RandomScheduler {
    seed: u64,
    executions: u64,
}

impl RandomScheduler {
    /// So many executions.
    pub fn new(max_iterations: usize) -> Self {
        Self::new_from_seed(any_seed(), max_iterations)
    }

    /// So many executions by a seed, unless `SHUTTLE_RANDOM_SEED` says another.
    pub fn new_from_seed(random_seed: u64, max_iterations: usize) -> Self {
        RandomScheduler { seed: seed(random_seed), executions: max_iterations as u64 }
    }
}

impl Scheduler for RandomScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        checker.random(self.executions, self.seed)
    }

    fn data(&self) -> RandomData {
        RandomData(Data::Choices)
    }
}

/// Random schedules; here the same as [`RandomScheduler`].
#[derive(Clone, Debug)]
pub struct UrwRandomScheduler(RandomScheduler);

impl UrwRandomScheduler {
    /// So many executions.
    pub fn new(max_iterations: usize) -> Self {
        UrwRandomScheduler(RandomScheduler::new(max_iterations))
    }

    /// So many executions by a seed.
    pub fn new_from_seed(random_seed: u64, max_iterations: usize) -> Self {
        UrwRandomScheduler(RandomScheduler::new_from_seed(random_seed, max_iterations))
    }
}

impl Scheduler for UrwRandomScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        self.0.settings(checker)
    }

    fn data(&self) -> RandomData {
        self.0.data()
    }
}

/// Random priorities that change a few times.
#[derive(Clone, Debug)]
pub struct PctScheduler {
    seed: u64,
    depth: u32,
    executions: u64,
}

impl PctScheduler {
    /// So many executions, for bugs of this depth.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn new(max_depth: usize, max_iterations: usize) -> Self {
        Self::new_from_seed(any_seed(), max_depth, max_iterations)
    }

    /// The same by a seed, unless `SHUTTLE_RANDOM_SEED` says another.
    ///
    /// # Panics
    /// If the depth is 0.
    pub fn new_from_seed(random_seed: u64, max_depth: usize, max_iterations: usize) -> Self {
        assert!(max_depth > 0, "bugs have a depth of 1 or more");
        let depth = u32::try_from(max_depth).unwrap_or(u32::MAX);
        PctScheduler { seed: seed(random_seed), depth, executions: max_iterations as u64 }
    }
}

impl Scheduler for PctScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        checker.pct(self.executions, self.depth, self.seed)
    }

    fn data(&self) -> RandomData {
        RandomData(Data::Choices)
    }
}

/// Every schedule that can make a difference.
#[derive(Clone, Debug)]
pub struct DfsScheduler {
    executions: Option<usize>,
    data: Data,
}

impl DfsScheduler {
    /// At most so many executions; with random numbers that are the same in all of them, or with none.
    pub fn new(max_iterations: Option<usize>, allow_random_data: bool) -> Self {
        let data = if allow_random_data { Data::Fixed(0x1234_5678) } else { Data::Refused };
        DfsScheduler { executions: max_iterations, data }
    }
}

impl Scheduler for DfsScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        match self.executions {
            Some(executions) => checker.max_executions(executions as u64),
            None => checker,
        }
    }

    fn data(&self) -> RandomData {
        RandomData(self.data)
    }
}

/// The first executions of [`DfsScheduler`]: the first of them lets each thread run as long as it can.
#[derive(Clone, Debug)]
pub struct RoundRobinScheduler(DfsScheduler);

impl RoundRobinScheduler {
    /// So many executions.
    pub fn new(max_iterations: usize) -> Self {
        RoundRobinScheduler(DfsScheduler::new(Some(max_iterations), true))
    }
}

impl Scheduler for RoundRobinScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        self.0.settings(checker)
    }

    fn data(&self) -> RandomData {
        self.0.data()
    }
}

/// One schedule, as a report printed it.
#[derive(Clone, Debug)]
pub struct ReplayScheduler(String);

impl ReplayScheduler {
    /// The schedule that a report printed (`mzk1:…`); shuttle's own schedules are not understood.
    pub fn new_from_encoded(encoded_schedule: &str) -> Self {
        ReplayScheduler(encoded_schedule.trim().to_owned())
    }

    /// The schedule in a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn new_from_file<P: AsRef<Path>>(path: P) -> io::Result<Self> {
        Ok(Self::new_from_encoded(&fs::read_to_string(path)?))
    }

    /// No effect: a schedule that ends early goes on by the first thread that can.
    pub fn set_allow_incomplete(&mut self) {}
}

impl Scheduler for ReplayScheduler {
    fn settings(&self, checker: Checker) -> Checker {
        checker.replay(&self.0)
    }

    fn data(&self) -> RandomData {
        RandomData(Data::Choices)
    }
}

/// The scheduler that is given: that steps come out the same again is always looked at.
#[derive(Clone, Debug)]
pub struct UncontrolledNondeterminismCheckScheduler<S>(S);

impl<S: Scheduler> UncontrolledNondeterminismCheckScheduler<S> {
    /// As the scheduler.
    pub fn new(scheduler: S) -> Self {
        UncontrolledNondeterminismCheckScheduler(scheduler)
    }
}

impl<S: Scheduler> Scheduler for UncontrolledNondeterminismCheckScheduler<S> {
    fn settings(&self, checker: Checker) -> Checker {
        self.0.settings(checker)
    }

    fn data(&self) -> RandomData {
        self.0.data()
    }
}
