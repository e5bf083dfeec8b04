//! Data behind a lock: what a mutex and a reader-writer lock have in common.

use super::poison::Poison;
use super::{LockResult, PoisonError};
use crate::object::Object;
use fiber::{Answer, Guarded};
use model::{ObjectId, OpKind, Update};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
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

    /// An operation on the lock.
    #[inline(always)]
    fn perform(&self, kind: OpKind, location: &'static Location<'static>) -> Answer {
        if fiber::is_watched() {
            self.say_where_data_is();
        }
        self.object.perform(kind, location)
    }

    #[inline(never)]
    fn say_where_data_is(&self) {
        fiber::guards(self.data.place(), self.poison.place());
    }

    /// Takes the lock. Says whether it did.
    #[inline(always)]
    pub(super) fn take(&self, kind: OpKind, location: &'static Location<'static>) -> bool {
        self.perform(kind, location).is_done()
    }

    /// An operation on the lock: a thread that holds it may be about to panic.
    pub(super) fn is_poisoned(&self, location: &'static Location<'static>) -> bool {
        if fiber::is_checked() {
            self.perform(OpKind::Read, location);
        }
        self.poison.get()
    }

    pub(super) fn clear_poison(&self, location: &'static Location<'static>) {
        if fiber::is_checked() {
            self.perform(OpKind::ReadModifyWrite(Update::FetchAdd(0)), location);
        }
        self.poison.set(false);
    }

    pub(super) fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.poison.get();
        if fiber::is_watched() {
            // Another word would have to say what is guarded from now on: the next use is the first.
            self.object.forget();
        }
        or_poisoned(poisoned, self.data.get_mut())
    }

    /// The guard, or an error with it if a thread panicked.
    #[inline(always)]
    pub(super) fn checked<G>(&self, guard: G) -> LockResult<G> {
        or_poisoned(self.is_spoilt(), guard)
    }

    #[inline(never)]
    fn is_spoilt(&self) -> bool {
        self.poison.get()
    }

    /// Access to the data by who has just taken the lock shared.
    #[inline(always)]
    pub(super) fn shared(&self, location: &'static Location<'static>) -> Shared<'_, T> {
        self.begin_shared();
        Shared { lock: self, location, not_send: PhantomData }
    }

    /// Access to the data by who has just taken the lock alone.
    #[inline(always)]
    pub(super) fn alone<const WRITER: bool>(&self, location: &'static Location<'static>) -> Alone<'_, T, WRITER> {
        self.begin_alone();
        Alone { lock: self, location, not_send: PhantomData }
    }

    #[inline(never)]
    fn begin_shared(&self) {
        fiber::holds(self.id(), true);
        self.data.begin_shared();
    }

    #[inline(never)]
    #[allow(unsafe_code, reason = "the end of an access")]
    fn end_shared(&self, location: &'static Location<'static>) {
        // SAFETY: called by the guard that began it, which stays with its thread, when it is dropped.
        unsafe { self.data.end_shared() };
        fiber::holds(self.id(), false);
        self.perform(OpKind::ReadUnlock, location);
    }

    #[inline(never)]
    fn begin_alone(&self) {
        fiber::holds(self.id(), true);
        self.data.begin_exclusive();
        self.poison.begin();
    }

    #[inline(never)]
    fn end_alone<const WRITER: bool>(&self, location: &'static Location<'static>) {
        self.end_exclusive();
        self.poison.end();
        fiber::holds(self.id(), false);
        self.perform(if WRITER { OpKind::WriteUnlock } else { OpKind::Unlock }, location);
    }

    #[allow(unsafe_code, reason = "the end of an access")]
    fn end_exclusive(&self) {
        // SAFETY: called by the guard that began it, which stays with its thread, when it is dropped or given away.
        unsafe { self.data.end_exclusive() };
    }

    /// The lock is given up without an operation.
    fn suspend(&self) {
        self.end_exclusive();
        fiber::holds(self.id(), false);
    }

    /// Shared access in place of exclusive one.
    fn share(&self, kind: OpKind, location: &'static Location<'static>) {
        self.end_exclusive();
        self.perform(kind, location);
        self.data.begin_shared();
    }
}

fn or_poisoned<G>(poisoned: bool, guard: G) -> LockResult<G> {
    if poisoned { Err(PoisonError::new(guard)) } else { Ok(guard) }
}

/// Who holds a lock with this word.
pub(super) fn show(word: u64) -> String {
    fiber::without_data(word).to_string()
}

/// Shared access, until it is dropped.
// Guards are two words, and all that is done with them is done elsewhere: what would stay of one in the program's frame would be a part
// of the local state.
pub(super) struct Shared<'a, T: ?Sized> {
    lock: &'a Protected<T>,
    location: &'static Location<'static>,
    /// A guard stays with its thread.
    not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> Shared<'_, T> {
    #[inline]
    #[allow(unsafe_code, reason = "the data of a lock that is held")]
    pub(super) fn get(&self) -> &T {
        // SAFETY: nobody has exclusive access while this is there.
        unsafe { &*self.lock.data.as_ptr() }
    }
}

impl<T: ?Sized> Drop for Shared<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.lock.end_shared(self.location);
    }
}

/// Exclusive access by a mutex, or by a writer, until it is dropped.
pub(super) struct Alone<'a, T: ?Sized, const WRITER: bool> {
    lock: &'a Protected<T>,
    location: &'static Location<'static>,
    /// A guard stays with its thread.
    not_send: PhantomData<*const ()>,
}

impl<'a, T: ?Sized, const WRITER: bool> Alone<'a, T, WRITER> {
    pub(super) fn lock(&self) -> &'a Protected<T> {
        self.lock
    }

    #[inline]
    #[allow(unsafe_code, reason = "the data of a lock that is held")]
    pub(super) fn get(&self) -> &T {
        // SAFETY: nobody else has access while this is there.
        unsafe { &*self.lock.data.as_ptr() }
    }

    #[inline]
    #[allow(unsafe_code, reason = "the data of a lock that is held")]
    pub(super) fn get_mut(&mut self) -> &mut T {
        fiber::changed();
        // SAFETY: as above.
        unsafe { &mut *self.lock.data.as_ptr() }
    }

    /// Gives the lock up without an operation: the wait does that.
    pub(super) fn suspend(self) -> (&'a Protected<T>, &'static Location<'static>) {
        let guard = ManuallyDrop::new(self);
        guard.lock.suspend();
        (guard.lock, guard.location)
    }

    /// Shared access in place of this, by an operation that does not give the lock free.
    pub(super) fn share(self, kind: OpKind, location: &'static Location<'static>) -> Shared<'a, T> {
        let lock = ManuallyDrop::new(self).lock;
        lock.share(kind, location);
        Shared { lock, location, not_send: PhantomData }
    }
}

impl<T: ?Sized, const WRITER: bool> Drop for Alone<'_, T, WRITER> {
    #[inline(always)]
    fn drop(&mut self) {
        self.lock.end_alone::<WRITER>(self.location);
    }
}
