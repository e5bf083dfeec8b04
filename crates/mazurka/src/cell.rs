//! Cells whose accesses are checked: see [`UnsafeCell`].

use crate::object::Object;
use model::OpKind;
pub use std::cell::{Cell, LazyCell, OnceCell, Ref, RefCell, RefMut};
use std::fmt;
use std::panic::Location;

/// A [`std::cell::UnsafeCell`] that knows when it is accessed: two accesses of different threads, one of them to write,
/// that nothing orders are reported as a data race.
///
/// Accesses go through [`UnsafeCell::with`] and [`UnsafeCell::with_mut`], as in loom. [`UnsafeCell::get`] is there for code
/// written for std's; it cannot know what the pointer will be used for, and counts as a write.
pub struct UnsafeCell<T: ?Sized> {
    object: Object,
    value: std::cell::UnsafeCell<T>,
}

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        UnsafeCell { object: Object::new("UnsafeCell"), value: std::cell::UnsafeCell::new(value) }
    }

    /// A cell with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: T) -> Self {
        UnsafeCell { object: Object::new("UnsafeCell").named(name), value: std::cell::UnsafeCell::new(value) }
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through the pointer.
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        self.object.perform(OpKind::CellRead, Location::caller());
        f(fiber::instance(&self.value))
    }

    /// Writes through the pointer.
    #[track_caller]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        self.object.perform(OpKind::CellWrite, Location::caller());
        f(fiber::instance(&self.value))
    }

    /// The pointer, for code written for std's cell; counts as a write at this moment.
    #[track_caller]
    pub fn get(&self) -> *mut T {
        self.object.perform(OpKind::CellWrite, Location::caller());
        fiber::instance(&self.value)
    }

    /// The pointer, from one to a cell that need not be initialised. No operation: what is done with it is not seen.
    #[allow(unsafe_code, reason = "the address of a field is taken, nothing is read")]
    pub const fn raw_get(this: *const Self) -> *mut T {
        // SAFETY: as for std's, `this` points into memory that has room for a cell.
        let value = unsafe { &raw const (*this).value };
        std::cell::UnsafeCell::raw_get(value)
    }

    /// The value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

impl<T: Default> Default for UnsafeCell<T> {
    #[track_caller]
    fn default() -> Self {
        UnsafeCell::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        UnsafeCell::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}
