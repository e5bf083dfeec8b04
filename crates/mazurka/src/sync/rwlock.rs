//! Mirror of [`std::sync::RwLock`].

use super::poison::{Poison, Watch};
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::object::Object;
use fiber::{Guarded, GuardedMut, GuardedRef};
use model::OpKind;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

/// Mirror of [`std::sync::RwLock`]. Neither readers nor writers are preferred: every order is explored.
pub struct RwLock<T: ?Sized> {
    object: Object,
    poison: Poison,
    data: Guarded<T>,
}

/// Mirror of [`std::sync::RwLockReadGuard`].
pub struct RwLockReadGuard<'a, T: ?Sized + 'a> {
    lock: &'a Object,
    data: Option<GuardedRef<'a, T>>,
    location: &'static Location<'static>,
    not_send: PhantomData<*const ()>,
}

/// Mirror of [`std::sync::RwLockWriteGuard`].
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a> {
    lock: &'a RwLock<T>,
    data: Option<GuardedMut<'a, T>>,
    watch: Watch,
    location: &'static Location<'static>,
    not_send: PhantomData<*const ()>,
}

impl<T> RwLock<T> {
    /// A lock that nobody holds.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        RwLock { object: Object::new("RwLock"), poison: Poison::new(), data: Guarded::new(value) }
    }

    /// A lock with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: T) -> Self {
        RwLock { object: Object::new("RwLock").named(name), poison: Poison::new(), data: Guarded::new(value) }
    }

    /// The data.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poison.get();
        let data = self.data.into_inner();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until no writer holds the lock, and holds it shared.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        self.object.perform(OpKind::ReadLock, location);
        self.reader(location)
    }

    /// Holds the lock shared if no writer holds it.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let location = Location::caller();
        if !self.object.perform(OpKind::TryReadLock, location).is_done() {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.reader(location)?)
    }

    /// Waits until nobody holds the lock, and holds it alone.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        self.object.perform(OpKind::WriteLock, location);
        self.writer(location)
    }

    /// Holds the lock alone if nobody holds it.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let location = Location::caller();
        if !self.object.perform(OpKind::TryWriteLock, location).is_done() {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.writer(location)?)
    }

    /// Whether a writer panicked.
    pub fn is_poisoned(&self) -> bool {
        self.poison.get()
    }

    /// Forgets that a writer panicked.
    pub fn clear_poison(&self) {
        self.poison.set(false);
    }

    /// The data, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.poison.get();
        let data = self.data.get_mut();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }

    fn reader(&self, location: &'static Location<'static>) -> LockResult<RwLockReadGuard<'_, T>> {
        fiber::holds(self.object.id(|| 0), true);
        let data = Some(self.data.read());
        let guard = RwLockReadGuard { lock: &self.object, data, location, not_send: PhantomData };
        if self.poison.get() { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }

    fn writer(&self, location: &'static Location<'static>) -> LockResult<RwLockWriteGuard<'_, T>> {
        fiber::holds(self.object.id(|| 0), true);
        let data = Some(self.data.write());
        let guard = RwLockWriteGuard { lock: self, data, watch: self.poison.watch(), location, not_send: PhantomData };
        if self.poison.get() { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        self.data = None;
        fiber::holds(self.lock.id(|| 0), false);
        self.lock.perform(OpKind::ReadUnlock, self.location);
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        self.data = None;
        self.lock.poison.end(&self.watch);
        fiber::holds(self.lock.object.id(|| 0), false);
        self.lock.object.perform(OpKind::WriteUnlock, self.location);
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.data.as_ref().expect("there until it is dropped")
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.data.as_ref().expect("there until it is dropped")
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        fiber::changed();
        self.data.as_mut().expect("there until it is dropped")
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> Self {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        RwLock::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RwLock")
            .field("data", &&self.data)
            .field("poisoned", &self.poison.get())
            .finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
