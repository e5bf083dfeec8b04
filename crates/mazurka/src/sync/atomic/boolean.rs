//! Mirror of [`std::sync::atomic::AtomicBool`].

use super::{check_load, check_store, of, of_both};
use crate::object::{Object, target};
use fiber::Answer;
use model::{Function, OpKind, Order, Orders, Update, Width};
use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering;

/// Mirror of [`std::sync::atomic::AtomicBool`].
pub struct AtomicBool {
    object: Object,
    initial: std::sync::atomic::AtomicBool,
}

const WIDTH: Width = Width { bits: 1, signed: false };

target!(AtomicBool, self => u64::from(self.initial.load(Ordering::Relaxed)););

impl AtomicBool {
    /// An atomic with this value.
    #[track_caller]
    pub const fn new(value: bool) -> Self {
        let object = Object::new("AtomicBool").shown(|word| (word != 0).to_string());
        AtomicBool { object, initial: std::sync::atomic::AtomicBool::new(value) }
    }

    /// An atomic with this value, and a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: bool) -> Self {
        let atomic = Self::new(value);
        AtomicBool { object: atomic.object.named(name), initial: atomic.initial }
    }

    #[inline(always)]
    fn perform(&self, kind: OpKind, location: &'static Location<'static>, orders: Orders) -> Answer {
        fiber::perform_atomic_on(self, kind, location, orders)
    }

    fn perform_plain(&self, location: &'static Location<'static>) -> Answer {
        fiber::perform_ordered_on(self, OpKind::PlainRead, location, Orders::of(Order::Plain))
    }

    #[inline(always)]
    fn fetch(&self, function: Function, value: bool, order: Ordering, location: &'static Location<'static>) -> bool {
        let update = Update::Fetch { function, width: WIDTH, operand: u64::from(value) };
        self.perform(OpKind::ReadModifyWrite(update), location, of(order)).before() != 0
    }

    /// The value.
    #[track_caller]
    #[inline(always)]
    pub fn load(&self, order: Ordering) -> bool {
        check_load(order);
        self.perform(OpKind::Read, Location::caller(), of(order)).before() != 0
    }

    /// Replaces the value.
    #[track_caller]
    #[inline(always)]
    pub fn store(&self, value: bool, order: Ordering) {
        check_store(order);
        self.perform(OpKind::Write(u64::from(value)), Location::caller(), of(order));
    }

    /// Replaces the value and gives back what it was.
    #[track_caller]
    #[inline(always)]
    pub fn swap(&self, value: bool, order: Ordering) -> bool {
        self.perform(OpKind::ReadModifyWrite(Update::Swap(u64::from(value))), Location::caller(), of(order)).before()
            != 0
    }

    /// Replaces the value if it is `current`. Gives back what it was.
    #[track_caller]
    #[inline(always)]
    pub fn compare_exchange(&self, current: bool, new: bool, order: Ordering, failure: Ordering) -> Result<bool, bool> {
        check_load(failure);
        let kind = OpKind::CompareExchange { expected: u64::from(current), new: u64::from(new) };
        let done = self.perform(kind, Location::caller(), of_both(order, failure));
        if done.is_done() { Ok(done.before() != 0) } else { Err(done.before() != 0) }
    }

    /// As [`Self::compare_exchange`]; fails without a reason only with [`crate::Checker::spurious`].
    #[track_caller]
    #[inline(always)]
    pub fn compare_exchange_weak(
        &self,
        current: bool,
        new: bool,
        success: Ordering,
        failure: Ordering,
    ) -> Result<bool, bool> {
        if fiber::happens_without_reason(Location::caller()) {
            return Err(self.load(failure));
        }
        self.compare_exchange(current, new, success, failure)
    }

    /// As [`Self::compare_exchange`], which replaces it in std.
    #[track_caller]
    pub fn compare_and_swap(&self, current: bool, new: bool, order: Ordering) -> bool {
        match self.compare_exchange(current, new, order, Ordering::SeqCst) {
            Ok(found) | Err(found) => found,
        }
    }

    /// Logical and; gives back what the value was.
    #[track_caller]
    #[inline(always)]
    pub fn fetch_and(&self, value: bool, order: Ordering) -> bool {
        self.fetch(Function::And, value, order, Location::caller())
    }

    /// Logical nand; gives back what the value was.
    #[track_caller]
    #[inline(always)]
    pub fn fetch_nand(&self, value: bool, order: Ordering) -> bool {
        self.fetch(Function::Nand, value, order, Location::caller())
    }

    /// Logical or; gives back what the value was.
    #[track_caller]
    #[inline(always)]
    pub fn fetch_or(&self, value: bool, order: Ordering) -> bool {
        self.fetch(Function::Or, value, order, Location::caller())
    }

    /// Logical exclusive or; gives back what the value was.
    #[track_caller]
    #[inline(always)]
    pub fn fetch_xor(&self, value: bool, order: Ordering) -> bool {
        self.fetch(Function::Xor, value, order, Location::caller())
    }

    /// Logical not; gives back what the value was.
    #[track_caller]
    #[inline(always)]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch(Function::Xor, true, order, Location::caller())
    }

    /// Replaces the value by what `f` makes of it, again and again until nobody came between.
    #[track_caller]
    pub fn fetch_update<F: FnMut(bool) -> Option<bool>>(
        &self,
        set_order: Ordering,
        fetch_order: Ordering,
        mut f: F,
    ) -> Result<bool, bool> {
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
    pub fn get_mut(&mut self) -> &mut bool {
        if let Some(word) = self.object.word() {
            *self.initial.get_mut() = word != 0;
            self.object.forget();
        }
        self.initial.get_mut()
    }

    /// Gives `f` the value, of which the caller has the only reference: a read, as far as others can tell. As in loom.
    pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut bool) -> R) -> R {
        f(self.get_mut())
    }

    /// Reads the value without synchronising, as in loom: a plain read.
    ///
    /// # Safety
    /// None is needed here; on a real atomic, nobody may write meanwhile.
    #[track_caller]
    #[allow(unsafe_code, reason = "as loom's")]
    pub unsafe fn unsync_load(&self) -> bool {
        self.perform_plain(Location::caller()).before() != 0
    }

    /// The value.
    pub fn into_inner(mut self) -> bool {
        *self.get_mut()
    }
}

impl Default for AtomicBool {
    #[track_caller]
    fn default() -> Self {
        Self::new(false)
    }
}

impl From<bool> for AtomicBool {
    #[track_caller]
    fn from(value: bool) -> Self {
        Self::new(value)
    }
}

impl fmt::Debug for AtomicBool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if fiber::is_checked() {
            fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
        } else {
            fmt::Debug::fmt(&self.initial.load(Ordering::Relaxed), f)
        }
    }
}
