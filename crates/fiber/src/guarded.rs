//! Data that the program protects by its own objects: what is in a mutex, in a cell, in a lazily made static.
//!
//! Data of statics must be as it was at the start in every run, and apart for checks in different OS threads. The static
//! itself is never touched: its first use in a run makes a copy of its bits, which is right for a value that was made at
//! compile time and that nobody uses or drops, and the copy is dropped when the run ends.

use crate::context::{self, Context};
use crate::local_state::{begin_access, begin_holding, end_access, end_holding};
use crate::part::Mark;
use crate::place::is_static;
use std::alloc::Layout;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr;

/// Where this run's instance of the value is: in the cell, or in a copy if the cell is part of a static.
///
/// The pointer is good until the run ends, or until the cell moves or is dropped. Nothing is said about who uses it.
#[inline]
pub fn instance<T: ?Sized>(cell: &UnsafeCell<T>) -> *mut T {
    let address = ptr::from_ref(cell).cast::<u8>() as usize;
    if is_static(address) { instance_of_static(cell, address) } else { cell.get() }
}

/// Never inlined: a frame of the program is to have nothing of it.
#[inline(never)]
fn instance_of_static<T: ?Sized>(cell: &UnsafeCell<T>, address: usize) -> *mut T {
    match context::current() {
        Some(context) => context::quietly(|| context.copies.of(context, cell, address)),
        None => cell.get(),
    }
}

/// The copies of statics that a run has made.
#[derive(Default)]
pub(crate) struct Copies(RefCell<Vec<Copy>>);

struct Copy {
    of: usize,
    at: *mut u8,
    layout: Layout,
    /// Drops the value.
    drop: Box<dyn FnOnce()>,
}

impl Copies {
    fn of<T: ?Sized>(&self, _: &Context, cell: &UnsafeCell<T>, address: usize) -> *mut T {
        let found = self.0.borrow().iter().find(|copy| copy.of == address).map(|copy| copy.at);
        let original = cell.get();
        let moved = |at: *mut u8| original.wrapping_byte_offset((at as isize).wrapping_sub(address as isize));
        if let Some(at) = found {
            return moved(at);
        }
        let layout = Layout::for_value(cell);
        let size = layout.size().max(1);
        let layout = Layout::from_size_align(size, layout.align()).unwrap_or(layout);
        // SAFETY: the size is not 0; the bits are those of a value that was made at compile time and is used by nobody.
        let at = unsafe {
            let at = std::alloc::alloc(layout);
            assert!(!at.is_null(), "no memory for the copy of a static");
            ptr::copy_nonoverlapping(original.cast::<u8>(), at, Layout::for_value(cell).size());
            at
        };
        let value = moved(at);
        // SAFETY: dropped once, when the run has ended.
        let drop: Box<dyn FnOnce() + '_> = Box::new(move || unsafe { ptr::drop_in_place(value) });
        // SAFETY: the value is a static's, so its type borrows nothing that ends.
        let drop = unsafe { std::mem::transmute::<Box<dyn FnOnce() + '_>, Box<dyn FnOnce() + 'static>>(drop) };
        self.0.borrow_mut().push(Copy { of: address, at, layout, drop });
        value
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Drops the copies, the latest first. May be left in the middle by what a destructor does.
    pub(crate) fn clear(&self) {
        while let Some(copy) = { self.0.borrow_mut().pop() } {
            (copy.drop)();
            // SAFETY: allocated with this layout.
            unsafe { std::alloc::dealloc(copy.at, copy.layout) };
        }
    }

    /// Forgets what the copies are of, and gives back their memory alone.
    pub(crate) fn forget(&self) {
        while let Some(copy) = { self.0.borrow_mut().pop() } {
            // SAFETY: allocated with this layout; nothing of the run is used any more.
            unsafe { std::alloc::dealloc(copy.at, copy.layout) };
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// The static whose copy `address` is in, and how far into it.
    pub(crate) fn original(&self, address: usize) -> Option<(usize, usize)> {
        let copies = self.0.borrow();
        let copy =
            copies.iter().find(|copy| (copy.at as usize..copy.at as usize + copy.layout.size()).contains(&address))?;
        Some((copy.of, address - copy.at as usize))
    }
}

/// A value to which access is given by who holds what, as the program's own locks decide it, and checked like a `RefCell`
/// does. It is shared between fibers only, never between OS threads.
pub struct Guarded<T: ?Sized>(UnsafeCell<Inner<T>>);

#[repr(C)]
struct Inner<T: ?Sized> {
    mark: Mark,
    /// How many shared accesses there are; -1 for an exclusive one.
    uses: Cell<isize>,
    value: UnsafeCell<T>,
}

impl<T: ?Sized> Inner<T> {
    fn place(&self) -> (usize, usize) {
        (self.value.get().cast::<u8>() as usize, size_of_val(&self.value))
    }
}

// SAFETY: fibers of one OS thread take turns; a static has a copy in each run.
unsafe impl<T: ?Sized + Send> Sync for Guarded<T> {}
// SAFETY: as for the value.
unsafe impl<T: ?Sized + Send> Send for Guarded<T> {}

impl<T> Guarded<T> {
    /// A value that nobody uses.
    pub const fn new(value: T) -> Self {
        let mark = Mark::of::<Inner<T>>();
        Guarded(UnsafeCell::new(Inner { mark, uses: Cell::new(0), value: UnsafeCell::new(value) }))
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.into_inner().value.into_inner()
    }
}

impl<T: ?Sized> Guarded<T> {
    #[inline]
    fn inner(&self) -> &Inner<T> {
        // SAFETY: the instance lives until this run ends or this value does; `Inner` is shared, its fields are cells.
        unsafe { &*instance(&self.0) }
    }

    /// Exclusive access.
    ///
    /// # Panics
    /// If there is any other access.
    #[inline]
    pub fn write(&self) -> GuardedMut<'_, T> {
        let inner = self.inner();
        begin_access();
        if inner.uses.get() != 0 {
            crate::unwinding::refuse_data();
        }
        inner.uses.set(-1);
        // SAFETY: nobody else has access.
        GuardedMut { value: unsafe { &mut *inner.value.get() }, uses: &inner.uses }
    }

    /// Exclusive access begins by who holds a lock that guards the value, until [`Guarded::end_exclusive`].
    ///
    /// # Panics
    /// As [`Guarded::write`].
    pub fn begin_exclusive(&self) {
        let inner = self.inner();
        if inner.uses.replace(-1) != 0 {
            crate::unwinding::refuse_data();
        }
        begin_holding(inner.place());
    }

    /// The access is over.
    pub fn end_exclusive(&self) {
        let inner = self.inner();
        inner.uses.set(0);
        end_holding(inner.place());
    }

    /// Shared access begins by who holds a lock that guards the value, until [`Guarded::end_shared`].
    ///
    /// # Panics
    /// As [`Guarded::read`].
    pub fn begin_shared(&self) {
        let inner = self.inner();
        if inner.uses.get() < 0 {
            crate::unwinding::refuse_data();
        }
        inner.uses.set(inner.uses.get() + 1);
        begin_holding(inner.place());
    }

    /// The access is over.
    pub fn end_shared(&self) {
        let inner = self.inner();
        inner.uses.set(inner.uses.get() - 1);
        end_holding(inner.place());
    }

    /// The value, for who has access by a lock.
    #[inline]
    pub fn as_ptr(&self) -> *mut T {
        self.inner().value.get()
    }

    /// Where the value is, and how many bytes it is.
    pub fn place(&self) -> (*const u8, usize) {
        let (start, len) = self.inner().place();
        (start as *const u8, len)
    }

    /// Shared access.
    ///
    /// # Panics
    /// If there is an exclusive access.
    #[inline]
    pub fn read(&self) -> GuardedRef<'_, T> {
        let inner = self.inner();
        begin_access();
        if inner.uses.get() < 0 {
            crate::unwinding::refuse_data();
        }
        inner.uses.set(inner.uses.get() + 1);
        // SAFETY: nobody has exclusive access.
        GuardedRef { value: unsafe { &*inner.value.get() }, uses: &inner.uses }
    }

    /// The value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().value.get_mut()
    }
}

/// A value that is set once and then stays.
pub struct OnceValue<T>(UnsafeCell<Once<T>>);

#[repr(C)]
struct Once<T> {
    mark: Mark,
    value: Option<T>,
}

// SAFETY: fibers of one OS thread take turns; a static has a copy in each run.
unsafe impl<T: Send + Sync> Sync for OnceValue<T> {}
// SAFETY: as for the value.
unsafe impl<T: Send> Send for OnceValue<T> {}

impl<T> OnceValue<T> {
    /// Not set.
    pub const fn new() -> Self {
        OnceValue(UnsafeCell::new(Once { mark: Mark::of::<Once<T>>(), value: None }))
    }

    /// The value, if it is set.
    pub fn get(&self) -> Option<&T> {
        begin_access();
        end_access();
        // SAFETY: a value that is set is not changed or moved as long as it is shared, and the copy that a run has of a
        // static lives until the run ends.
        unsafe { (*instance(&self.0)).value.as_ref() }
    }

    /// Sets the value; gives it back if there is one already.
    pub fn set(&self, value: T) -> Result<(), T> {
        if self.get().is_some() {
            return Err(value);
        }
        // SAFETY: there is no reference to a value that is not there.
        unsafe { (*instance(&self.0)).value = Some(value) };
        Ok(())
    }

    /// The place of the value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> &mut Option<T> {
        &mut self.0.get_mut().value
    }

    /// The value, if it is set.
    pub fn into_inner(self) -> Option<T> {
        self.0.into_inner().value
    }
}

impl<T> Default for OnceValue<T> {
    fn default() -> Self {
        OnceValue::new()
    }
}

/// Exclusive access to a [`Guarded`] value.
pub struct GuardedMut<'a, T: ?Sized> {
    value: &'a mut T,
    uses: &'a Cell<isize>,
}

/// Shared access to a [`Guarded`] value.
pub struct GuardedRef<'a, T: ?Sized> {
    value: &'a T,
    uses: &'a Cell<isize>,
}

impl<T: ?Sized> Drop for GuardedMut<'_, T> {
    fn drop(&mut self) {
        self.uses.set(0);
        end_access();
    }
}

impl<T: ?Sized> Drop for GuardedRef<'_, T> {
    fn drop(&mut self) {
        self.uses.set(self.uses.get() - 1);
        end_access();
    }
}

impl<T: ?Sized> Deref for GuardedMut<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> DerefMut for GuardedMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: ?Sized> Deref for GuardedRef<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

// SAFETY: sharing it shares the value; fibers of one OS thread take turns at the count.
unsafe impl<T: ?Sized + Sync> Sync for GuardedMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for GuardedRef<'_, T> {}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Guarded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inner().uses.get() {
            -1 => f.write_str("<locked>"),
            _ => fmt::Debug::fmt(&*self.read(), f),
        }
    }
}
