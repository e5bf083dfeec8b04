//! What atomics do in rounds of a load and a compare-exchange, as std does.

use super::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32,
    AtomicU64, AtomicUsize,
};
use std::fmt;
use std::sync::atomic::Ordering;

macro_rules! update {
    ($($name:ident $type:ty $(, for $parameter:ident)?;)*) => { $(
        impl $(<$parameter>)? $name $(<$parameter>)? {
            /// Replaces the value by what `f` makes of it, again and again until nobody came between. Gives back what
            /// it was; with an error, if `f` makes nothing of it.
            #[track_caller]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: impl FnMut($type) -> Option<$type>,
            ) -> Result<$type, $type> {
                self.fetch_update(set_order, fetch_order, f)
            }

            /// Replaces the value by what `f` makes of it, again and again until nobody came between. Gives back what
            /// it was.
            #[track_caller]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($type) -> $type,
            ) -> $type {
                match self.fetch_update(set_order, fetch_order, |value| Some(f(value))) {
                    Ok(found) | Err(found) => found,
                }
            }
        }
    )* };
}

update! {
    AtomicBool bool;
    AtomicU8 u8;
    AtomicI8 i8;
    AtomicU16 u16;
    AtomicI16 i16;
    AtomicU32 u32;
    AtomicI32 i32;
    AtomicU64 u64;
    AtomicI64 i64;
    AtomicUsize usize;
    AtomicIsize isize;
    AtomicPtr *mut T, for T;
}

/// Arithmetic with addresses. Words of pointers are no addresses, so each of these is a load and a compare-exchange, again
/// and again until nobody came between.
impl<T> AtomicPtr<T> {
    /// As [`Self::compare_exchange`], which replaces it in std.
    #[track_caller]
    pub fn compare_and_swap(&self, current: *mut T, new: *mut T, order: Ordering) -> *mut T {
        match self.compare_exchange(current, new, order, Ordering::SeqCst) {
            Ok(found) | Err(found) => found,
        }
    }

    #[track_caller]
    fn fetch_by(&self, order: Ordering, f: impl Fn(*mut T) -> *mut T) -> *mut T {
        let load = match order {
            Ordering::Release | Ordering::Relaxed => Ordering::Relaxed,
            Ordering::AcqRel | Ordering::Acquire => Ordering::Acquire,
            _ => Ordering::SeqCst,
        };
        self.update(order, load, f)
    }

    /// Moves the pointer on by so many values; gives back what it was.
    #[track_caller]
    pub fn fetch_ptr_add(&self, count: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.wrapping_add(count))
    }

    /// Moves the pointer back by so many values; gives back what it was.
    #[track_caller]
    pub fn fetch_ptr_sub(&self, count: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.wrapping_sub(count))
    }

    /// Moves the pointer on by so many bytes; gives back what it was.
    #[track_caller]
    pub fn fetch_byte_add(&self, bytes: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.wrapping_byte_add(bytes))
    }

    /// Moves the pointer back by so many bytes; gives back what it was.
    #[track_caller]
    pub fn fetch_byte_sub(&self, bytes: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.wrapping_byte_sub(bytes))
    }

    /// Bitwise or with the address; gives back what the pointer was.
    #[track_caller]
    pub fn fetch_or(&self, bits: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.map_addr(|address| address | bits))
    }

    /// Bitwise and with the address; gives back what the pointer was.
    #[track_caller]
    pub fn fetch_and(&self, bits: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.map_addr(|address| address & bits))
    }

    /// Bitwise exclusive or with the address; gives back what the pointer was.
    #[track_caller]
    pub fn fetch_xor(&self, bits: usize, order: Ordering) -> *mut T {
        self.fetch_by(order, |pointer| pointer.map_addr(|address| address ^ bits))
    }
}

impl<T> fmt::Pointer for AtomicPtr<T> {
    #[track_caller]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.load(Ordering::SeqCst), f)
    }
}
