//! Work that one searcher leaves to others: states on its stack, with steps that it has not taken yet.

use crate::machine::Step;
use crate::outcome::TrailStep;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The steps from the start to a state.
#[derive(Clone, Default)]
pub(crate) struct Path {
    before: Option<Arc<Path>>,
    /// Of these, the first so many.
    steps: Arc<Vec<TrailStep>>,
    length: usize,
}

impl Path {
    /// This path, and then the first `length` of some steps.
    pub(crate) fn then(self: &Arc<Path>, steps: &Arc<Vec<TrailStep>>, length: usize) -> Arc<Path> {
        Arc::new(Path { before: Some(Arc::clone(self)), steps: Arc::clone(steps), length })
    }

    /// All its steps.
    pub(crate) fn steps(&self) -> Vec<TrailStep> {
        let mut parts = vec![self];
        while let Some(before) = parts.last().and_then(|path| path.before.as_deref()) {
            parts.push(before);
        }
        parts.iter().rev().flat_map(|path| &path.steps[..path.length]).copied().collect()
    }
}

/// A state and the steps that are to be taken from it.
pub(crate) struct Job {
    pub(crate) state: Vec<u8>,
    pub(crate) steps: Vec<Step>,
    pub(crate) timeout: bool,
    /// How many steps into an `atomic`.
    pub(crate) inner: u32,
    pub(crate) path: Arc<Path>,
}

/// The work that is left, and who waits for some.
pub(crate) struct Jobs {
    pool: Mutex<Pool>,
    changed: Condvar,
    /// Somebody waits, or the search is over: searchers look at the pool.
    is_calling: AtomicBool,
}

#[derive(Default)]
struct Pool {
    jobs: Vec<Job>,
    workers: usize,
    waiting: usize,
    is_over: bool,
}

impl Jobs {
    pub(crate) fn new() -> Self {
        Jobs { pool: Mutex::default(), changed: Condvar::new(), is_calling: AtomicBool::new(false) }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many will ask for work.
    pub(crate) fn begin(&self, workers: usize) {
        self.pool().workers = workers;
    }

    /// Whether a searcher should look what is wanted of it.
    pub(crate) fn is_calling(&self) -> bool {
        self.is_calling.load(Ordering::Relaxed)
    }

    /// The search is over for everybody.
    pub(crate) fn end(&self) {
        self.pool().is_over = true;
        self.is_calling.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.pool().is_over
    }

    /// Leaves work to others.
    pub(crate) fn add(&self, jobs: Vec<Job>) {
        let mut pool = self.pool();
        pool.jobs.extend(jobs);
        if !pool.is_over && pool.jobs.len() >= pool.waiting {
            self.is_calling.store(false, Ordering::Relaxed);
        }
        drop(pool);
        self.changed.notify_all();
    }

    /// The next work; none when everybody waits, or the search is over.
    pub(crate) fn take(&self) -> Option<Job> {
        let mut pool = self.pool();
        if !pool.is_over
            && let Some(job) = pool.jobs.pop()
        {
            return Some(job);
        }
        pool.waiting += 1;
        while !pool.is_over && pool.waiting < pool.workers {
            self.is_calling.store(true, Ordering::Relaxed);
            pool = self.changed.wait(pool).unwrap_or_else(PoisonError::into_inner);
            if let Some(job) = pool.jobs.pop() {
                pool.waiting -= 1;
                return Some(job);
            }
        }
        drop(pool);
        self.end();
        None
    }
}
