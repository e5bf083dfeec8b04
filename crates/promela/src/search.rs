//! The search of all states: one worker begins, and others help when there are many.
//!
//! What is a state to be kept, and what is between two of them, is as in SPIN: the steps of an `atomic`, as long as its
//! process can go on, and the two halves of a rendezvous have nothing in between.

use crate::jobs::Jobs;
use crate::model::Model;
use crate::outcome::{Limits, Outcome, Progress};
use crate::reduction::Reduction;
use crate::store::Store;
use crate::tables::Exact;
use crate::visited::Visited;
use crate::worker::Worker;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// With fewer states than this, one worker does it all, so that what it finds first is always the same.
const ALONE: u64 = 30_000;

/// What all workers of a search have in common.
pub(crate) struct Shared<'m> {
    pub(crate) model: &'m Model,
    pub(crate) limits: &'m Limits,
    pub(crate) exact: Exact,
    /// Where states are not kept exactly.
    pub(crate) visited: Option<Visited>,
    /// States within long `atomic`s.
    pub(crate) inner: Mutex<Store>,
    pub(crate) jobs: Jobs,
    pub(crate) progress: &'m Progress,
    pub(crate) started: Instant,
}

impl<'m> Shared<'m> {
    pub(crate) fn new(model: &'m Model, limits: &'m Limits, progress: &'m Progress) -> Self {
        Shared {
            model,
            limits,
            exact: Exact::new(),
            visited: Visited::new(limits.keeping),
            inner: Mutex::new(Store::new()),
            jobs: Jobs::new(),
            progress,
            started: Instant::now(),
        }
    }

    /// Bytes of the states.
    pub(crate) fn memory(&self) -> usize {
        self.exact.memory() + self.visited.as_ref().map_or(0, Visited::memory)
    }
}

/// Searches all states of a model.
pub fn search(model: &Model, limits: &Limits) -> Outcome {
    search_watched(model, limits, &Progress::default())
}

/// Searches all states of a model, and says how far it is.
pub fn search_watched(model: &Model, limits: &Limits, progress: &Progress) -> Outcome {
    let shared = Shared::new(model, limits, progress);
    let workers = if limits.reduction == Reduction::Full { limits.workers.max(1) } else { 1 };
    let mut first = Worker::new(&shared);
    let mut outcome = if workers == 1 {
        first.run();
        first.outcome
    } else {
        if first.run_until(ALONE) { first.outcome } else { together(&shared, first, workers) }
    };
    outcome.states = progress.states();
    outcome.memory = shared.memory() as u64;
    outcome.coverage = shared.visited.as_ref().map_or(1.0, |visited| visited.coverage(outcome.states));
    outcome
}

/// Goes on with several workers.
fn together(shared: &Shared<'_>, mut first: Worker<'_>, workers: usize) -> Outcome {
    shared.jobs.begin(workers);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut worker = Worker::new(shared);
                    worker.help();
                    worker.outcome
                })
            })
            .collect();
        first.help();
        let mut outcome = first.outcome;
        for other in others {
            match other.join() {
                Ok(more) => outcome.add(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcome
    })
}

impl Shared<'_> {
    pub(crate) fn note_states(&self, fresh: u64) -> u64 {
        self.progress.states.fetch_add(fresh, Ordering::Relaxed) + fresh
    }
}
