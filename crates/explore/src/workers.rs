//! Several workers on one search, each with its own run of the program.
//!
//! POP's tasks share nothing, so a worker keeps its own stack of them and works on the latest. When others are idle, it
//! gives away its oldest tasks: they are the largest subtrees. Idle workers sleep until then. The search is over when all
//! of them are idle.

use crate::explorer::{Explorer, Stop};
use crate::pop::{Pop, Task};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// So many executions are run before other workers are called: most searches are smaller.
const RUNS_ALONE: usize = 256;

/// Explores what these tasks are, and all that comes of them.
pub(crate) fn explore(e: &mut Explorer<'_>, tasks: Vec<Task>) -> Result<(), Stop> {
    let workers = e.settings().workers.get();
    let mut worker = Worker { pop: Pop::default(), tasks: tasks.into() };
    let alone = if workers == 1 { usize::MAX } else { RUNS_ALONE };
    worker.work_alone(e, alone)?;
    if worker.tasks.is_empty() { Ok(()) } else { explore_together(e, worker, workers) }
}

fn explore_together(e: &mut Explorer<'_>, mut worker: Worker, workers: usize) -> Result<(), Stop> {
    let pool = Pool { workers, ..Pool::default() };
    let shared = e.shared();
    thread::scope(|scope| {
        let join = || {
            // A run belongs to the thread that it was started in.
            let mut e = Explorer::joining(shared);
            let result = Worker::default().work(&mut e, &pool);
            e.hand_in();
            result
        };
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(join)).collect();
        let mut result = worker.work(e, &pool);
        for other in others {
            let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = first_cause(result, other);
        }
        result
    })
}

/// Of two workers' results, the one that says why the search ended.
fn first_cause(one: Result<(), Stop>, other: Result<(), Stop>) -> Result<(), Stop> {
    match (one, other) {
        (Ok(()) | Err(Stop::Elsewhere), other @ Err(_)) => other,
        (one @ Err(Stop::Limit(_)), other @ Err(Stop::Error(_) | Stop::Found | Stop::Told)) => {
            drop(one);
            other
        }
        (one, _) => one,
    }
}

/// A worker with its tasks, the latest last.
#[derive(Default)]
struct Worker {
    pop: Pop,
    tasks: VecDeque<Task>,
}

impl Worker {
    fn work_alone(&mut self, e: &mut Explorer<'_>, mut runs: usize) -> Result<(), Stop> {
        while runs > 0
            && let Some(task) = self.tasks.pop_back()
        {
            self.tasks.extend(self.pop.run(e, &task)?);
            runs -= 1;
        }
        Ok(())
    }

    fn work(&mut self, e: &mut Explorer<'_>, pool: &Pool) -> Result<(), Stop> {
        while let Some(task) = self.tasks.pop_back().or_else(|| pool.take()) {
            match self.pop.run(e, &task) {
                Ok(found) => self.tasks.extend(found),
                Err(stop) => {
                    e.shared().end();
                    pool.close();
                    return Err(stop);
                }
            }
            pool.feed(&mut self.tasks);
        }
        Ok(())
    }
}

/// Where tasks change hands.
#[derive(Default)]
struct Pool {
    workers: usize,
    /// How many workers wait for a task; a hint that is read without the lock.
    hungry: AtomicUsize,
    state: Mutex<PoolState>,
    changed: Condvar,
}

#[derive(Default)]
struct PoolState {
    tasks: Vec<Task>,
    idle: usize,
    closed: bool,
}

impl Pool {
    /// A task from somebody else; none when the search is over.
    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.closed || (state.tasks.is_empty() && state.idle == self.workers) {
                state.closed = true;
                self.changed.notify_all();
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.idle -= 1;
                self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
                return Some(task);
            }
            self.hungry.store(state.idle, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives the oldest of a worker's tasks to those who have none. It keeps one.
    #[inline]
    fn feed(&self, tasks: &mut VecDeque<Task>) {
        if self.hungry.load(Ordering::Relaxed) > 0 && tasks.len() > 1 {
            self.feed_some(tasks);
        }
    }

    #[cold]
    fn feed_some(&self, tasks: &mut VecDeque<Task>) {
        let mut state = self.lock();
        let wanted = state.idle.saturating_sub(state.tasks.len()).min(tasks.len() - 1);
        state.tasks.extend(tasks.drain(..wanted));
        self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    /// The search is over.
    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
