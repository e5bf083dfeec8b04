//! Mirror of [`std::sync::Mutex`].

use super::poison::{Poison, Watch};
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::object::Object;
use fiber::{Guarded, GuardedMut};
use model::{ObjectId, OpKind};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

/// Mirror of [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    object: Object,
    poison: Poison,
    data: Guarded<T>,
}

/// Mirror of [`std::sync::MutexGuard`].
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    lock: &'a Mutex<T>,
    /// `None` while the mutex is given up for a wait.
    data: Option<GuardedMut<'a, T>>,
    watch: Watch,
    location: &'static Location<'static>,
    /// A guard stays with its thread.
    not_send: PhantomData<*const ()>,
}

impl<T> Mutex<T> {
    /// A mutex that nobody holds.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Mutex { object: Object::new("Mutex"), poison: Poison::new(), data: Guarded::new(value) }
    }

    /// A mutex with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: T) -> Self {
        Mutex { object: Object::new("Mutex").named(name), poison: Poison::new(), data: Guarded::new(value) }
    }

    /// The data.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poison.get();
        let data = self.data.into_inner();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until nobody holds the mutex, and holds it.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        self.object.perform(OpKind::Lock, location);
        self.guard(location)
    }

    /// Holds the mutex if nobody does.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let location = Location::caller();
        if !self.object.perform(OpKind::TryLock, location).is_done() {
            return Err(TryLockError::WouldBlock);
        }
        Ok(self.guard(location)?)
    }

    /// Whether a thread panicked while it held the mutex.
    pub fn is_poisoned(&self) -> bool {
        self.poison.get()
    }

    /// Forgets that a thread panicked.
    pub fn clear_poison(&self) {
        self.poison.set(false);
    }

    /// The data, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.poison.get();
        let data = self.data.get_mut();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }

    pub(super) fn id(&self) -> ObjectId {
        self.object.id(|| 0)
    }

    fn guard(&self, location: &'static Location<'static>) -> LockResult<MutexGuard<'_, T>> {
        fiber::holds(self.id(), true);
        let guard = MutexGuard {
            lock: self,
            data: Some(self.data.write()),
            watch: self.poison.watch(),
            location,
            not_send: PhantomData,
        };
        if self.poison.get() { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    pub(super) fn lock(&self) -> &'a Mutex<T> {
        self.lock
    }

    /// Gives the mutex up without an operation: the wait does that.
    pub(super) fn suspend(&mut self) {
        self.data = None;
        fiber::holds(self.lock.id(), false);
    }

    /// The mutex is held again after a wait.
    pub(super) fn resume(mut self) -> LockResult<MutexGuard<'a, T>> {
        fiber::holds(self.lock.id(), true);
        self.data = Some(self.lock.data.write());
        if self.lock.poison.get() { Err(PoisonError::new(self)) } else { Ok(self) }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if self.data.take().is_some() {
            self.lock.poison.end(&self.watch);
            fiber::holds(self.lock.id(), false);
            self.lock.object.perform(OpKind::Unlock, self.location);
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.data.as_ref().expect("a guard that is not suspended")
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        fiber::changed();
        self.data.as_mut().expect("a guard that is not suspended")
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Mutex::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").field("data", &&self.data).field("poisoned", &self.poison.get()).finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
