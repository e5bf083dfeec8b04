//! Where workers meet.

use super::{Common, Ended, Others};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where tasks change hands, and are shown when a checkpoint is due.
pub struct Pool<'a, C: Common> {
    common: &'a C,
    workers: usize,
    /// How many workers wait for a task; a hint that is read without the lock.
    hungry: AtomicUsize,
    state: Mutex<PoolState<C::Task>>,
    changed: Condvar,
}

struct PoolState<T> {
    tasks: Vec<T>,
    idle: usize,
    closed: bool,
    /// What the workers have left that wait for a checkpoint to be written.
    shown: Vec<T>,
    /// How many they are.
    showing: usize,
    /// How many checkpoints were written.
    written: u64,
}

impl<'a, C: Common> Pool<'a, C> {
    pub(super) fn new(common: &'a C, workers: usize) -> Self {
        let state = PoolState { tasks: Vec::new(), idle: 0, closed: false, shown: Vec::new(), showing: 0, written: 0 };
        Pool { common, workers, hungry: AtomicUsize::new(0), state: Mutex::new(state), changed: Condvar::new() }
    }

    #[cold]
    fn feed_some(&self, tasks: &mut VecDeque<C::Task>) {
        let mut state = self.lock();
        let wanted = state.idle.saturating_sub(state.tasks.len()).min(tasks.len() - 1);
        state.tasks.extend(tasks.drain(..wanted));
        self.hungry.store(state.idle.saturating_sub(state.tasks.len()), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    /// Writes a checkpoint if workers wait for it and the others are idle.
    fn write_if_all_wait(&self, state: &mut PoolState<C::Task>) -> Result<(), C::Stop> {
        if state.showing == 0 || state.showing + state.idle < self.workers {
            return Ok(());
        }
        let mut tasks = std::mem::take(&mut state.shown);
        tasks.extend(state.tasks.iter().cloned());
        self.common.write_checkpoint(&tasks)?;
        state.showing = 0;
        state.written += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// The tasks that nobody has taken.
    pub(super) fn take_all(&self) -> Vec<C::Task> {
        std::mem::take(&mut self.lock().tasks)
    }

    /// Lets a worker work. If it ends by an error, or by a panic, so do the others: nobody waits for one that is gone.
    pub(super) fn attend(&self, work: impl FnOnce() -> Ended<C>) -> Ended<C> {
        let closing = Closing(self);
        let (result, left) = work();
        if result.is_ok() {
            std::mem::forget(closing);
        }
        (result, left)
    }

    fn close(&self) {
        self.common.end();
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn wait<'g>(&self, state: MutexGuard<'g, PoolState<C::Task>>) -> MutexGuard<'g, PoolState<C::Task>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, PoolState<C::Task>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Common> Others for Pool<'_, C> {
    type Task = C::Task;
    type Stop = C::Stop;

    fn take(&self) -> Result<Option<C::Task>, C::Stop> {
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
    fn feed(&self, tasks: &mut VecDeque<C::Task>) -> Result<(), C::Stop> {
        if self.hungry.load(Ordering::Relaxed) > 0 && tasks.len() > 1 {
            self.feed_some(tasks);
        }
        Ok(())
    }

    #[cold]
    fn show(&self, tasks: &VecDeque<C::Task>) -> Result<(), C::Stop> {
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
struct Closing<'p, 'a, C: Common>(&'p Pool<'a, C>);

impl<C: Common> Drop for Closing<'_, '_, C> {
    fn drop(&mut self) {
        self.0.close();
    }
}
