//! Mirror of [`std::sync::Condvar`].
//!
//! Nobody wakes without a notify, except with [`crate::Checker::spurious`], and from a wait with a time-out: that may end at any
//! time, which is explored.

use super::{LockResult, MutexGuard, PoisonError};
use crate::object::Object;
use model::OpKind;
use std::panic::Location;
use std::time::Duration;

/// Mirror of [`std::sync::Condvar`].
#[derive(Debug)]
pub struct Condvar {
    object: Object,
}

/// Mirror of [`std::sync::WaitTimeoutResult`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time was up before a notify came.
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// A condition variable that nobody waits on.
    #[track_caller]
    #[allow(clippy::new_without_default, reason = "there is one, with the caller's location")]
    pub const fn new() -> Self {
        Condvar { object: Object::new("Condvar") }
    }

    /// A condition variable with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str) -> Self {
        Condvar { object: Object::new("Condvar").named(name) }
    }

    /// Gives the mutex up, waits for a notify, and holds the mutex again.
    #[track_caller]
    pub fn wait<'a, T: ?Sized>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let location = Location::caller();
        let mutex = guard.id();
        let condvar = self.object.id(|| 0);
        self.object.perform(OpKind::Wait { mutex }, location);
        let guard = guard.suspend();
        fiber::perform(OpKind::Unlock, mutex, location);
        if fiber::happens_without_reason(location) {
            self.object.perform(OpKind::StopWaiting, location);
            fiber::perform(OpKind::Lock, mutex, location);
        } else {
            fiber::perform(OpKind::Relock { condvar }, mutex, location);
        }
        guard.resume()
    }

    /// Waits as long as the condition holds.
    #[track_caller]
    pub fn wait_while<'a, T: ?Sized, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Waits for a notify, or until the time is up, which may be at any time.
    #[track_caller]
    pub fn wait_timeout<'a, T: ?Sized>(
        &self,
        guard: MutexGuard<'a, T>,
        _: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let location = Location::caller();
        let mutex = guard.id();
        self.object.perform(OpKind::Wait { mutex }, location);
        let guard = guard.suspend();
        fiber::perform(OpKind::Unlock, mutex, location);
        // A loop that only waits until the time is up again and again is one that waits for a change.
        fiber::spin(location);
        let timed_out = WaitTimeoutResult(self.object.perform(OpKind::StopWaiting, location).is_done());
        fiber::perform(OpKind::Lock, mutex, location);
        match guard.resume() {
            Ok(guard) => Ok((guard, timed_out)),
            Err(poisoned) => Err(PoisonError::new((poisoned.into_inner(), timed_out))),
        }
    }

    /// As [`Condvar::wait_timeout`], in milliseconds.
    #[deprecated = "replaced by `wait_timeout`"]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T: ?Sized>(
        &self,
        guard: MutexGuard<'a, T>,
        milliseconds: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        match self.wait_timeout(guard, Duration::from_millis(milliseconds.into())) {
            Ok((guard, result)) => Ok((guard, !result.timed_out())),
            Err(poisoned) => {
                let (guard, result) = poisoned.into_inner();
                Err(PoisonError::new((guard, !result.timed_out())))
            }
        }
    }

    /// Waits as long as the condition holds, or until the time is up.
    #[track_caller]
    pub fn wait_timeout_while<'a, T: ?Sized, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        duration: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let (again, result) = self.wait_timeout(guard, duration)?;
            guard = again;
            if result.timed_out() {
                let still = condition(&mut *guard);
                return Ok((guard, WaitTimeoutResult(still)));
            }
        }
    }

    /// Wakes one thread that waits; which one is explored.
    #[track_caller]
    pub fn notify_one(&self) {
        self.object.perform(OpKind::NotifyOne, Location::caller());
    }

    /// Wakes all threads that wait.
    #[track_caller]
    pub fn notify_all(&self) {
        self.object.perform(OpKind::NotifyAll, Location::caller());
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Self {
        Condvar::new()
    }
}
