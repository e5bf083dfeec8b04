//! Mirror of [`std::sync::Mutex`].

use super::lock_api::{guard_api, lock_api};
use super::protected::{Alone, Protected};
use super::{LockResult, TryLockError, TryLockResult};
use crate::object::Object;
use model::{ObjectId, OpKind};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

/// Mirror of [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized>(Protected<T>);

/// Mirror of [`std::sync::MutexGuard`].
pub struct MutexGuard<'a, T: ?Sized + 'a>(Alone<'a, T, false>);

lock_api!(Mutex, try_lock);
guard_api!(MutexGuard, mutable);

impl<T> Mutex<T> {
    /// A mutex that was created there, as a part of something else.
    pub(crate) const fn of(type_name: &'static str, created: &'static Location<'static>, value: T) -> Self {
        Mutex(Protected::new(Object::of(type_name, created).shown(super::protected::show), value))
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until nobody holds the mutex, and holds it.
    #[track_caller]
    #[inline(always)]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        self.0.take(OpKind::Lock, location);
        self.guard(location)
    }

    /// Holds the mutex if nobody does.
    #[track_caller]
    #[inline(always)]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        if !self.0.take(OpKind::TryLock, location) {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.guard(location)?)
    }

    #[inline(always)]
    fn guard(&self, location: &'static Location<'static>) -> LockResult<MutexGuard<'_, T>> {
        self.0.checked(MutexGuard(self.0.alone(location)))
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// The mutex.
    pub(super) fn id(&self) -> ObjectId {
        self.0.lock().id()
    }

    /// Gives the mutex up without an operation: the wait does that.
    pub(super) fn suspend(self) -> Suspended<'a, T> {
        let (lock, location) = self.0.suspend();
        Suspended { lock, location }
    }
}

/// A guard whose mutex is not held while its thread waits.
pub(super) struct Suspended<'a, T: ?Sized> {
    lock: &'a Protected<T>,
    location: &'static Location<'static>,
}

impl<'a, T: ?Sized> Suspended<'a, T> {
    /// The mutex is held again after a wait.
    pub(super) fn resume(self) -> LockResult<MutexGuard<'a, T>> {
        self.lock.checked(MutexGuard(self.lock.alone(self.location)))
    }
}
