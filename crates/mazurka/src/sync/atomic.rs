//! Mirror of [`std::sync::atomic`].
//!
//! The search that comes first takes every operation as sequentially consistent; under another memory model
//! ([`crate::Checker::memory`]) orderings and fences count as they do in Rust.

use crate::object::{Object, target};
use fiber::Answer;
use model::{Function, OpKind, Order, Orders, Update, Width};
use std::fmt;
use std::panic::Location;
pub use std::sync::atomic::Ordering;

mod boolean;
mod pointer;
mod update;

pub use boolean::AtomicBool;
pub use pointer::AtomicPtr;

/// See [`std::sync::atomic::fence`]. Where memory is sequentially consistent, it is nothing.
#[track_caller]
pub fn fence(order: Ordering) {
    check_fence(order);
    fiber::fence(of(order).success, Location::caller());
}

/// See [`std::sync::atomic::compiler_fence`]. It orders nothing that another thread could tell.
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    check_fence(order);
}

#[track_caller]
fn check_fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
}

/// The orders of an operation.
#[inline(always)]
fn of(order: Ordering) -> Orders {
    Orders::of(match order {
        Ordering::Relaxed => Order::Relaxed,
        Ordering::Acquire => Order::Acquire,
        Ordering::Release => Order::Release,
        Ordering::AcqRel => Order::AcqRel,
        _ => Order::SeqCst,
    })
}

/// The orders of a compare-exchange.
#[inline(always)]
fn of_both(success: Ordering, failure: Ordering) -> Orders {
    Orders { success: of(success).success, failure: of(failure).success }
}

/// See [`std::hint::spin_loop`].
#[deprecated = "replaced by `hint::spin_loop`"]
#[track_caller]
pub fn spin_loop_hint() {
    crate::hint::spin_loop();
}

/// An atomic of `false`.
#[deprecated = "the `new` function is now preferred"]
#[allow(clippy::declare_interior_mutable_const, reason = "as std's")]
pub const ATOMIC_BOOL_INIT: AtomicBool = AtomicBool::new(false);

/// An atomic of 0.
#[deprecated = "the `new` function is now preferred"]
#[allow(clippy::declare_interior_mutable_const, reason = "as std's")]
pub const ATOMIC_ISIZE_INIT: AtomicIsize = AtomicIsize::new(0);

/// An atomic of 0.
#[deprecated = "the `new` function is now preferred"]
#[allow(clippy::declare_interior_mutable_const, reason = "as std's")]
pub const ATOMIC_USIZE_INIT: AtomicUsize = AtomicUsize::new(0);

#[track_caller]
#[inline]
fn check_load(order: Ordering) {
    assert!(!matches!(order, Ordering::Release | Ordering::AcqRel), "there is no such thing as a {order:?} load");
}

#[track_caller]
#[inline]
fn check_store(order: Ordering) {
    assert!(!matches!(order, Ordering::Acquire | Ordering::AcqRel), "there is no such thing as a {order:?} store");
}

macro_rules! atomic {
    ($($name:ident $type:ident $bits:literal $signed:literal,)*) => { $(
        #[doc = concat!("Mirror of [`std::sync::atomic::", stringify!($name), "`].")]
        pub struct $name {
            object: Object,
            /// The value before the first operation of a run.
            initial: std::sync::atomic::$name,
        }

        impl $name {
            const WIDTH: Width = Width { bits: $bits, signed: $signed };

            /// An atomic with this value.
            #[track_caller]
            pub const fn new(value: $type) -> Self {
                let object = Object::new(stringify!($name)).shown(|word| Self::value(word).to_string());
                $name { object, initial: std::sync::atomic::$name::new(value) }
            }

            /// An atomic with this value, and a name for reports.
            #[track_caller]
            pub const fn named(name: &'static str, value: $type) -> Self {
                let atomic = Self::new(value);
                $name { object: atomic.object.named(name), initial: atomic.initial }
            }

            #[inline]
            fn word(value: $type) -> u64 {
                let word = Self::WIDTH.extend(value as u64);
                // An integer of this size may be an address, which is another one in every run.
                if Self::WIDTH.bits == 64 { fiber::word_of_integer(word) } else { word }
            }

            #[inline]
            fn value(word: u64) -> $type {
                if Self::WIDTH.bits == 64 { fiber::integer_of_word(word) as $type } else { word as $type }
            }

            #[inline(always)]
            fn perform(&self, kind: OpKind, location: &'static Location<'static>, orders: Orders) -> Answer {
                fiber::perform_atomic_on(self, kind, location, orders)
            }

            fn perform_plain(&self, location: &'static Location<'static>) -> Answer {
                fiber::perform_ordered_on(self, OpKind::PlainRead, location, Orders::of(Order::Plain))
            }

            #[inline(always)]
            fn fetch(&self, function: Function, operand: $type, order: Ordering, location: &'static Location<'static>) -> $type {
                let update = Update::Fetch { function, width: Self::WIDTH, operand: Self::WIDTH.extend(operand as u64) };
                Self::value(self.perform(OpKind::ReadModifyWrite(update), location, of(order)).before())
            }

            /// The same of an addition or a subtraction.
            #[inline(always)]
            fn add(&self, function: Function, operand: $type, order: Ordering, location: &'static Location<'static>) -> $type {
                let update = Update::Fetch { function, width: Self::WIDTH, operand: Self::WIDTH.extend(operand as u64) };
                fiber::perform_update_on(self, update, location, of(order)) as $type
            }

            /// The value.
            #[track_caller]
            #[inline(always)]
            pub fn load(&self, order: Ordering) -> $type {
                check_load(order);
                Self::value(self.perform(OpKind::Read, Location::caller(), of(order)).before())
            }

            /// Replaces the value.
            #[track_caller]
            #[inline(always)]
            pub fn store(&self, value: $type, order: Ordering) {
                check_store(order);
                self.perform(OpKind::Write(Self::word(value)), Location::caller(), of(order));
            }

            /// Replaces the value and gives back what it was.
            #[track_caller]
            #[inline(always)]
            pub fn swap(&self, value: $type, order: Ordering) -> $type {
                let update = Update::Swap(Self::word(value));
                Self::value(self.perform(OpKind::ReadModifyWrite(update), Location::caller(), of(order)).before())
            }

            /// Replaces the value if it is `current`. Gives back what it was.
            #[track_caller]
            #[inline(always)]
            pub fn compare_exchange(
                &self,
                current: $type,
                new: $type,
                order: Ordering,
                failure: Ordering,
            ) -> Result<$type, $type> {
                check_load(failure);
                let kind = OpKind::CompareExchange { expected: Self::word(current), new: Self::word(new) };
                let done = self.perform(kind, Location::caller(), of_both(order, failure));
                let found = Self::value(done.before());
                if done.is_done() { Ok(found) } else { Err(found) }
            }

            /// As [`Self::compare_exchange`]; fails without a reason only with [`crate::Checker::spurious`].
            #[track_caller]
            #[inline(always)]
            pub fn compare_exchange_weak(
                &self,
                current: $type,
                new: $type,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$type, $type> {
                if fiber::happens_without_reason(Location::caller()) {
                    return Err(self.load(failure));
                }
                self.compare_exchange(current, new, success, failure)
            }

            /// As [`Self::compare_exchange`], which replaces it in std.
            #[track_caller]
            pub fn compare_and_swap(&self, current: $type, new: $type, order: Ordering) -> $type {
                match self.compare_exchange(current, new, order, Ordering::SeqCst) {
                    Ok(found) | Err(found) => found,
                }
            }

            /// Adds to the value, wrapping around, and gives back what it was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_add(&self, value: $type, order: Ordering) -> $type {
                if Self::WIDTH.bits == 64 {
                    let update = Update::FetchAdd(value as u64);
                    return fiber::perform_update_on(self, update, Location::caller(), of(order)) as $type;
                }
                self.add(Function::Add, value, order, Location::caller())
            }

            /// Subtracts from the value, wrapping around, and gives back what it was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_sub(&self, value: $type, order: Ordering) -> $type {
                self.add(Function::Sub, value, order, Location::caller())
            }

            /// Bitwise and; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_and(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::And, value, order, Location::caller())
            }

            /// Bitwise nand; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_nand(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::Nand, value, order, Location::caller())
            }

            /// Bitwise or; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_or(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::Or, value, order, Location::caller())
            }

            /// Bitwise exclusive or; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_xor(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::Xor, value, order, Location::caller())
            }

            /// The larger of both; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_max(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::Max, value, order, Location::caller())
            }

            /// The smaller of both; gives back what the value was.
            #[track_caller]
            #[inline(always)]
            pub fn fetch_min(&self, value: $type, order: Ordering) -> $type {
                self.fetch(Function::Min, value, order, Location::caller())
            }

            /// Replaces the value by what `f` makes of it, again and again until nobody came between.
            #[track_caller]
            pub fn fetch_update<F: FnMut($type) -> Option<$type>>(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: F,
            ) -> Result<$type, $type> {
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
            pub fn get_mut(&mut self) -> &mut $type {
                if let Some(word) = self.object.word() {
                    *self.initial.get_mut() = Self::value(word);
                    self.object.forget();
                }
                self.initial.get_mut()
            }

            /// Gives `f` the value, of which the caller has the only reference: a read, as far as others can tell. As in loom.
            pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $type) -> R) -> R {
                f(self.get_mut())
            }

            /// Reads the value without synchronising, as in loom: a plain read.
            ///
            /// # Safety
            /// None is needed here; on a real atomic, nobody may write meanwhile.
            #[track_caller]
            #[allow(unsafe_code, reason = "as loom's")]
            pub unsafe fn unsync_load(&self) -> $type {
                Self::value(self.perform_plain(Location::caller()).before())
            }

            /// The value.
            pub fn into_inner(mut self) -> $type {
                *self.get_mut()
            }
        }

        target!($name, self => Self::word(self.initial.load(Ordering::Relaxed)););

        impl Default for $name {
            #[track_caller]
            fn default() -> Self {
                Self::new(0)
            }
        }

        impl From<$type> for $name {
            #[track_caller]
            fn from(value: $type) -> Self {
                Self::new(value)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if fiber::is_checked() {
                    fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
                } else {
                    fmt::Debug::fmt(&self.initial.load(Ordering::Relaxed), f)
                }
            }
        }
    )* };
}

atomic! {
    AtomicU8 u8 8 false,
    AtomicI8 i8 8 true,
    AtomicU16 u16 16 false,
    AtomicI16 i16 16 true,
    AtomicU32 u32 32 false,
    AtomicI32 i32 32 true,
    AtomicU64 u64 64 false,
    AtomicI64 i64 64 true,
    AtomicUsize usize 64 false,
    AtomicIsize isize 64 true,
}
