//! Mirror of [`std::sync::RwLock`].

use super::lock_api::{guard_api, lock_api};
use super::protected::{Alone, Protected, Shared};
use super::{LockResult, TryLockError, TryLockResult};
use crate::object::Object;
use model::OpKind;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

/// Mirror of [`std::sync::RwLock`]. Neither readers nor writers are preferred: every order is explored.
pub struct RwLock<T: ?Sized>(Protected<T>);

/// Mirror of [`std::sync::RwLockReadGuard`].
pub struct RwLockReadGuard<'a, T: ?Sized + 'a>(Shared<'a, T>);

/// Mirror of [`std::sync::RwLockWriteGuard`].
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a>(Alone<'a, T, true>);

lock_api!(RwLock, try_read);
guard_api!(RwLockReadGuard);
guard_api!(RwLockWriteGuard, mutable);

impl<T: ?Sized> RwLock<T> {
    /// Waits until no writer holds the lock, and holds it shared.
    #[track_caller]
    #[inline(always)]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        self.0.take(OpKind::ReadLock, location);
        self.refuse_recursion(location);
        self.reader(location)
    }

    /// std's may let nobody read while somebody waits to write: a thread that reads already waits for ever then.
    #[inline(never)]
    fn refuse_recursion(&self, location: &'static Location<'static>) {
        if fiber::times_held(self.0.id()) > 0
            && !fiber::abandoned()
            && let Some(writer) = fiber::waiting_writer(self.0.id())
        {
            let _taken = self.reader(location);
            panic!(
                "read() by a thread that reads the RwLock already, while {writer} waits to write: std's may deadlock"
            );
        }
    }

    /// Holds the lock shared if no writer holds it.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        if !self.0.take(OpKind::TryReadLock, location) {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.reader(location)?)
    }

    /// Waits until nobody holds the lock, and holds it alone.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        self.0.take(OpKind::WriteLock, location);
        self.writer(location)
    }

    /// Holds the lock alone if nobody holds it.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        if !self.0.take(OpKind::TryWriteLock, location) {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.writer(location)?)
    }

    #[inline(always)]
    fn reader(&self, location: &'static Location<'static>) -> LockResult<RwLockReadGuard<'_, T>> {
        self.0.checked(RwLockReadGuard(self.0.shared(location)))
    }

    fn writer(&self, location: &'static Location<'static>) -> LockResult<RwLockWriteGuard<'_, T>> {
        self.0.checked(RwLockWriteGuard(self.0.alone(location)))
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Holds the lock shared instead of alone: no writer comes between.
    #[track_caller]
    pub fn downgrade(guard: Self) -> RwLockReadGuard<'a, T> {
        RwLockReadGuard(guard.0.share(OpKind::Downgrade, Location::caller()))
    }
}
