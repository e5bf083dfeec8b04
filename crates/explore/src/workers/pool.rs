//! Where workers meet.

use super::Others;
use crate::explorer::Stop;
use crate::pop::Task;
use crate::shared::Shared;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where tasks change hands, and are shown when a checkpoint is due.
pub(super) struct Pool<'a> {
    shared: &'a Shared<'a>,
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
    /// What the workers have left that wait for a checkpoint to be written.
    shown: Vec<Task>,
    /// How many they are.
    showing: usize,
    /// How many checkpoints were written.
    written: u64,
}

impl<'a> Pool<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, workers: usize) -> Self {
        Pool { shared, workers, hungry: AtomicUsize::new(0), state: Mutex::default(), changed: Condvar::new() }
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

    /// Writes a checkpoint if workers wait for it and the others are idle.
    fn write_if_all_wait(&self, state: &mut PoolState) -> Result<(), Stop> {
        if state.showing == 0 || state.showing + state.idle < self.workers {
            return Ok(());
        }
        let mut tasks = std::mem::take(&mut state.shown);
        tasks.extend(state.tasks.iter().cloned());
        self.shared.write_checkpoint(&tasks)?;
        state.showing = 0;
        state.written += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// The tasks that nobody has taken.
    pub(super) fn take_all(&self) -> Vec<Task> {
        std::mem::take(&mut self.lock().tasks)
    }

    /// Lets a worker work. If it ends by an error, or by a panic, so do the others: nobody waits for one that is gone.
    pub(super) fn attend<T>(&self, work: impl FnOnce() -> (Result<(), Stop>, T)) -> (Result<(), Stop>, T) {
        let closing = Closing(self);
        let (result, left) = work();
        if result.is_ok() {
            std::mem::forget(closing);
        }
        (result, left)
    }

    fn close(&self) {
        self.shared.end();
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn wait<'g>(&self, state: MutexGuard<'g, PoolState>) -> MutexGuard<'g, PoolState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Others for Pool<'_> {
    fn take(&self) -> Result<Option<Task>, Stop> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.closed || (state.tasks.is_empty() && state.idle == self.workers) {
                state.closed = true;
                self.changed.notify_all();
                return Ok(None);
            }
            if let Some(task) = state.tasks.pop() {
                state.idle -= 1;
                self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
                return Ok(Some(task));
            }
            self.write_if_all_wait(&mut state)?;
            self.hungry.store(state.idle, Ordering::Relaxed);
            state = self.wait(state);
        }
    }

    #[inline]
    fn feed(&self, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        if self.hungry.load(Ordering::Relaxed) > 0 && tasks.len() > 1 {
            self.feed_some(tasks);
        }
        Ok(())
    }

    #[cold]
    fn show(&self, tasks: &VecDeque<Task>) -> Result<(), Stop> {
        let mut state = self.lock();
        state.shown.extend(tasks.iter().cloned());
        state.showing += 1;
        let written = state.written;
        self.write_if_all_wait(&mut state)?;
        while state.written == written && !state.closed {
            state = self.wait(state);
        }
        Ok(())
    }
}

/// Ends the search when dropped.
struct Closing<'p, 'a>(&'p Pool<'a>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
