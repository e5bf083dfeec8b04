//! Mirror of [`std::sync::atomic::AtomicPtr`].
//!
//! Addresses differ from run to run, so a pointer's word is not its address but a number for what it points to
//! (`fiber::token_of`): which block of memory, and how far into it. The address of a block that was freed is not given to
//! another one in the same run.

use super::{check_load, check_store, of, of_both};
use crate::object::{Object, target};
use fiber::Answer;
use model::{OpKind, Order, Orders, Update};
use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering;

/// Mirror of [`std::sync::atomic::AtomicPtr`].
pub struct AtomicPtr<T> {
    object: Object,
    initial: std::sync::atomic::AtomicPtr<T>,
}

fn show(token: u64) -> String {
    match token {
        0 => "null".to_owned(),
        token => format!("ptr {token}"),
    }
}

fn pointer<T>(token: u64) -> *mut T {
    fiber::pointer_of(token).cast()
}

target!(AtomicPtr<T>, self => fiber::token_of(self.initial.load(Ordering::Relaxed).cast()););

impl<T> AtomicPtr<T> {
    /// An atomic with this value.
    #[track_caller]
    pub const fn new(value: *mut T) -> Self {
        AtomicPtr { object: Object::new("AtomicPtr").shown(show), initial: std::sync::atomic::AtomicPtr::new(value) }
    }

    /// An atomic with this value, and a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: *mut T) -> Self {
        AtomicPtr {
            object: Object::new("AtomicPtr").shown(show).named(name),
            initial: std::sync::atomic::AtomicPtr::new(value),
        }
    }

    #[inline(always)]
    fn perform(&self, kind: OpKind, location: &'static Location<'static>, orders: Orders) -> Answer {
        fiber::perform_atomic_on(self, kind, location, orders)
    }

    fn perform_plain(&self, location: &'static Location<'static>) -> Answer {
        fiber::perform_ordered_on(self, OpKind::PlainRead, location, Orders::of(Order::Plain))
    }

    /// The value.
    #[track_caller]
    #[inline(always)]
    pub fn load(&self, order: Ordering) -> *mut T {
        check_load(order);
        pointer(self.perform(OpKind::Read, Location::caller(), of(order)).before())
    }

    /// Replaces the value.
    #[track_caller]
    #[inline(always)]
    pub fn store(&self, value: *mut T, order: Ordering) {
        check_store(order);
        self.perform(OpKind::Write(fiber::token_of(value.cast())), Location::caller(), of(order));
    }

    /// Replaces the value and gives back what it was.
    #[track_caller]
    #[inline(always)]
    pub fn swap(&self, value: *mut T, order: Ordering) -> *mut T {
        let update = Update::Swap(fiber::token_of(value.cast()));
        pointer(self.perform(OpKind::ReadModifyWrite(update), Location::caller(), of(order)).before())
    }

    /// Replaces the value if it is `current`. Gives back what it was.
    #[track_caller]
    #[inline(always)]
    pub fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        order: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        check_load(failure);
        let kind =
            OpKind::CompareExchange { expected: fiber::token_of(current.cast()), new: fiber::token_of(new.cast()) };
        let done = self.perform(kind, Location::caller(), of_both(order, failure));
        if done.is_done() { Ok(pointer(done.before())) } else { Err(pointer(done.before())) }
    }

    /// As [`Self::compare_exchange`]; fails without a reason only with [`crate::Checker::spurious`].
    #[track_caller]
    #[inline(always)]
    pub fn compare_exchange_weak(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        if fiber::happens_without_reason(Location::caller()) {
            return Err(self.load(failure));
        }
        self.compare_exchange(current, new, success, failure)
    }

    /// Replaces the value by what `f` makes of it, again and again until nobody came between.
    #[track_caller]
    pub fn fetch_update<F: FnMut(*mut T) -> Option<*mut T>>(
        &self,
        set_order: Ordering,
        fetch_order: Ordering,
        mut f: F,
    ) -> Result<*mut T, *mut T> {
        let mut found = self.load(fetch_order);
        while let Some(new) = f(found) {
            match self.compare_exchange_weak(found, new, set_order, fetch_order) {
                Ok(found) => return Ok(found),
                Err(other) => found = other,
            }
        }
        Err(found)
    }

    /// The value, of which the caller has the only reference: a read, as far as others can tell.
    pub fn get_mut(&mut self) -> &mut *mut T {
        if let Some(word) = self.object.word() {
            *self.initial.get_mut() = pointer(word);
            self.object.forget();
        }
        self.initial.get_mut()
    }

    /// Gives `f` the value, of which the caller has the only reference: a read, as far as others can tell. As in loom.
    pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut *mut T) -> R) -> R {
        f(self.get_mut())
    }

    /// Reads the value without synchronising, as in loom: a plain read.
    ///
    /// # Safety
    /// None is needed here; on a real atomic, nobody may write meanwhile.
    #[track_caller]
    #[allow(unsafe_code, reason = "as loom's")]
    pub unsafe fn unsync_load(&self) -> *mut T {
        pointer(self.perform_plain(Location::caller()).before())
    }

    /// The value.
    pub fn into_inner(mut self) -> *mut T {
        *self.get_mut()
    }
}

impl<T> Default for AtomicPtr<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(std::ptr::null_mut())
    }
}

impl<T> From<*mut T> for AtomicPtr<T> {
    #[track_caller]
    fn from(value: *mut T) -> Self {
        Self::new(value)
    }
}

impl<T> fmt::Debug for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if fiber::is_checked() {
            fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
        } else {
            fmt::Debug::fmt(&self.initial.load(Ordering::Relaxed), f)
        }
    }
}
