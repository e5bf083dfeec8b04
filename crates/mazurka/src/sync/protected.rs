//! Data behind a lock: what a mutex and a reader-writer lock have in common.

use super::poison::{Poison, Watch};
use super::{LockResult, PoisonError};
use crate::object::Object;
use fiber::{Guarded, GuardedMut, GuardedRef};
use model::{ObjectId, OpKind};
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

/// The lock's object, whether a thread panicked while it held it, and the data.
pub(super) struct Protected<T: ?Sized> {
    object: Object,
    poison: Poison,
    data: Guarded<T>,
}

impl<T> Protected<T> {
    pub(super) const fn new(object: Object, value: T) -> Self {
        Protected { object, poison: Poison::new(), data: Guarded::new(value) }
    }

    pub(super) fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poison.get();
        or_poisoned(poisoned, self.data.into_inner())
    }
}

impl<T: ?Sized> Protected<T> {
    pub(super) fn id(&self) -> ObjectId {
        self.object.id(|| 0)
    }

    /// Takes the lock. Says whether it did.
    #[inline(always)]
    pub(super) fn take(&self, kind: OpKind, location: &'static Location<'static>) -> bool {
        self.object.perform(kind, location).is_done()
    }

    pub(super) fn is_poisoned(&self) -> bool {
        self.poison.get()
    }

    pub(super) fn clear_poison(&self) {
        self.poison.set(false);
    }

    pub(super) fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.poison.get();
        or_poisoned(poisoned, self.data.get_mut())
    }

    /// The guard, or an error with it if a thread panicked.
    pub(super) fn checked<G>(&self, guard: G) -> LockResult<G> {
        or_poisoned(self.poison.get(), guard)
    }

    /// Access to the data by who has just taken the lock shared.
    pub(super) fn shared(&self, location: &'static Location<'static>) -> Shared<'_, T> {
        fiber::holds(self.id(), true);
        Shared { lock: &self.object, data: Some(self.data.read()), location, not_send: PhantomData }
    }

    /// Access to the data by who has just taken the lock alone, and gives it back by `give_back`.
    pub(super) fn alone(&self, give_back: OpKind, location: &'static Location<'static>) -> Alone<'_, T> {
        fiber::holds(self.id(), true);
        let (data, watch) = (Some(self.data.write()), self.poison.watch());
        Alone { lock: self, data, watch, give_back, location, not_send: PhantomData }
    }

    pub(super) fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result
    where
        T: fmt::Debug,
    {
        f.debug_struct(name).field("data", &&self.data).field("poisoned", &self.poison.get()).finish_non_exhaustive()
    }
}

fn or_poisoned<G>(poisoned: bool, guard: G) -> LockResult<G> {
    if poisoned { Err(PoisonError::new(guard)) } else { Ok(guard) }
}

/// Shared access, until it is dropped.
pub(super) struct Shared<'a, T: ?Sized> {
    lock: &'a Object,
    data: Option<GuardedRef<'a, T>>,
    location: &'static Location<'static>,
    /// A guard stays with its thread.
    not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> Shared<'_, T> {
    pub(super) fn get(&self) -> &T {
        self.data.as_ref().expect("there until it is dropped")
    }
}

impl<T: ?Sized> Drop for Shared<'_, T> {
    fn drop(&mut self) {
        self.data = None;
        fiber::holds(self.lock.id(|| 0), false);
        self.lock.perform(OpKind::ReadUnlock, self.location);
    }
}

/// Exclusive access, until it is dropped.
pub(super) struct Alone<'a, T: ?Sized> {
    lock: &'a Protected<T>,
    /// `None` while the lock is given up for a wait.
    data: Option<GuardedMut<'a, T>>,
    watch: Watch,
    give_back: OpKind,
    location: &'static Location<'static>,
    /// A guard stays with its thread.
    not_send: PhantomData<*const ()>,
}

impl<'a, T: ?Sized> Alone<'a, T> {
    pub(super) fn lock(&self) -> &'a Protected<T> {
        self.lock
    }

    pub(super) fn get(&self) -> &T {
        self.data.as_ref().expect("a guard that is not suspended")
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        fiber::changed();
        self.data.as_mut().expect("a guard that is not suspended")
    }

    /// Gives the lock up without an operation: the wait does that.
    pub(super) fn suspend(&mut self) {
        self.data = None;
        fiber::holds(self.lock.id(), false);
    }

    /// Shared access in place of this, by an operation that does not give the lock free.
    pub(super) fn share(mut self, kind: OpKind, location: &'static Location<'static>) -> Shared<'a, T> {
        self.data = None;
        let lock = self.lock;
        lock.object.perform(kind, location);
        Shared { lock: &lock.object, data: Some(lock.data.read()), location, not_send: PhantomData }
    }

    /// The lock is held again after a wait.
    pub(super) fn resume(&mut self) {
        fiber::holds(self.lock.id(), true);
        self.data = Some(self.lock.data.write());
    }
}

impl<T: ?Sized> Drop for Alone<'_, T> {
    fn drop(&mut self) {
        if self.data.take().is_some() {
            self.lock.poison.end(&self.watch);
            fiber::holds(self.lock.id(), false);
            self.lock.object.perform(self.give_back, self.location);
        }
    }
}
