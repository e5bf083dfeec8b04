//! Cells whose accesses are checked: see [`UnsafeCell`].

use crate::object::Object;
use fiber::Mark;
use model::OpKind;
pub use std::cell::{Cell, LazyCell, OnceCell, Ref, RefCell, RefMut};
use std::fmt;
use std::panic::Location;

/// A [`std::cell::UnsafeCell`] that knows when it is accessed: two accesses of different threads, one of them to write,
/// that nothing orders are reported as a data race.
///
/// Accesses go through [`UnsafeCell::with`] and [`UnsafeCell::with_mut`], as in loom. [`UnsafeCell::get`] is there for code
/// written for std's; it cannot know what the pointer will be used for, and counts as a write.
///
/// An access lasts as long as the closure runs. An access of a thread that is not over when the same thread begins another one,
/// one of them to write, is a panic: both have a pointer to the value.
pub struct UnsafeCell<T: ?Sized> {
    object: Object,
    value: std::cell::UnsafeCell<Inner<T>>,
}

#[repr(C)]
struct Inner<T: ?Sized> {
    mark: Mark,
    /// How many closures have a pointer to read through; -1 for one to write through.
    uses: Cell<i32>,
    value: T,
}

/// An access that is not over.
struct Access<'a> {
    object: &'a Object,
    uses: &'a Cell<i32>,
    kind: OpKind,
    location: &'static Location<'static>,
}

impl Drop for Access<'_> {
    fn drop(&mut self) {
        self.uses.set(if self.kind == OpKind::CellWrite { 0 } else { self.uses.get() - 1 });
        // Whatever was ordered after an operation of the closure was not ordered after the access.
        if fiber::close_access() && !fiber::abandoned() && !crate::thread::panicking() {
            self.object.perform(self.kind, self.location);
        }
    }
}

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        UnsafeCell { object: Object::new("UnsafeCell"), value: std::cell::UnsafeCell::new(Inner::new(value)) }
    }

    /// A cell with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, value: T) -> Self {
        UnsafeCell {
            object: Object::new("UnsafeCell").named(name),
            value: std::cell::UnsafeCell::new(Inner::new(value)),
        }
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.object.look(OpKind::CellRead);
        self.value.into_inner().value
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through the pointer.
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        let (pointer, _access) = self.access(OpKind::CellRead, Location::caller());
        f(pointer)
    }

    /// Writes through the pointer.
    #[track_caller]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        let (pointer, _access) = self.access(OpKind::CellWrite, Location::caller());
        f(pointer)
    }

    /// The pointer, for code written for std's cell; counts as a write at this moment.
    #[track_caller]
    pub fn get(&self) -> *mut T {
        self.object.perform(OpKind::CellWrite, Location::caller());
        // What is done with the pointer is not seen, nor when it ends: from now on, the local state is not known.
        fiber::begin_access();
        self.parts().0
    }

    /// The pointer, from one to a cell that need not be initialised. No operation: what is done with it is not seen.
    #[allow(unsafe_code, clippy::not_unsafe_ptr_arg_deref, reason = "the address of a field is taken, nothing is read")]
    pub const fn raw_get(this: *const Self) -> *mut T {
        // SAFETY: as for std's, `this` points into memory that has room for a cell.
        unsafe {
            let inner = std::cell::UnsafeCell::raw_get(&raw const (*this).value);
            &raw mut (*inner).value
        }
    }

    /// The value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> &mut T {
        self.object.look(OpKind::CellWrite);
        &mut self.value.get_mut().value
    }

    /// This run's value, and who uses it.
    #[allow(unsafe_code, reason = "the parts of what is in a cell")]
    fn parts(&self) -> (*mut T, &Cell<i32>) {
        let inner = fiber::instance(&self.value);
        // SAFETY: the instance lives until this run ends or this value does; nobody has a reference to the count but this
        // function, and those are shared. No reference to the value is made.
        unsafe { (&raw mut (*inner).value, &(*inner).uses) }
    }

    fn access(&self, kind: OpKind, location: &'static Location<'static>) -> (*mut T, Access<'_>) {
        self.object.perform(kind, location);
        let (pointer, uses) = self.parts();
        let is_free = if kind == OpKind::CellWrite { uses.get() == 0 } else { uses.get() >= 0 };
        assert!(is_free || fiber::abandoned(), "an UnsafeCell is accessed while another access of it is not over");
        uses.set(if kind == OpKind::CellWrite { -1 } else { uses.get() + 1 });
        fiber::open_access();
        (pointer, Access { object: &self.object, uses, kind, location })
    }
}

impl<T> Inner<T> {
    const fn new(value: T) -> Self {
        Inner { mark: Mark::of::<Inner<T>>(), uses: Cell::new(0), value }
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
