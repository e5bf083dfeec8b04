//! Data that the program protects by its own objects: what is in a mutex, in a cell, in a lazily made static.
//!
//! Data of statics must be as it was at the start in every run, and apart for checks in different OS threads. The static
//! itself is never touched: its first use in a run makes a copy of its bits, which is right for a value that was made at
//! compile time and that nobody uses or drops, and the copy is dropped when the run ends.

use crate::context::{self, Context, Table};
use crate::local_state::{begin_access, begin_holding, end_access, end_holding};
use crate::part::Mark;
use crate::place::is_static;
use std::alloc::Layout;
use std::cell::{RefCell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.0
    }

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
/// does. It is shared between fibers, which take turns; as long as some fiber uses it, no other OS thread does.
pub struct Guarded<T: ?Sized>(UnsafeCell<Inner<T>>);

#[repr(C)]
struct Inner<T: ?Sized> {
    mark: Mark,
    uses: Uses,
    value: UnsafeCell<T>,
}

impl<T: ?Sized> Inner<T> {
    fn place(&self) -> (usize, usize) {
        (self.value.get().cast::<u8>() as usize, size_of_val(&self.value))
    }
}

// SAFETY: `Uses` gives the value to fibers of one OS thread at a time, which take turns; a static has a copy in each run.
unsafe impl<T: ?Sized + Send> Sync for Guarded<T> {}
// SAFETY: as for the value.
unsafe impl<T: ?Sized + Send> Send for Guarded<T> {}

impl<T> Guarded<T> {
    /// A value that nobody uses.
    pub const fn new(value: T) -> Self {
        let mark = Mark::of::<Inner<T>>();
        Guarded(UnsafeCell::new(Inner { mark, uses: Uses::new(), value: UnsafeCell::new(value) }))
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.into_inner().value.into_inner()
    }
}

impl<T: ?Sized> Guarded<T> {
    #[inline]
    fn inner(&self) -> &Inner<T> {
        // SAFETY: the instance lives until this run ends or this value does; `Inner` is shared, and what of it is changed is
        // an atomic, or in a cell.
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
        if !inner.uses.begin_alone() {
            crate::unwinding::refuse_data();
        }
        // SAFETY: nobody else has access.
        GuardedMut { value: unsafe { &mut *inner.value.get() }, uses: &inner.uses, not_send: PhantomData }
    }

    /// Exclusive access begins by who holds a lock that guards the value, until [`Guarded::end_exclusive`].
    ///
    /// # Panics
    /// As [`Guarded::write`].
    pub fn begin_exclusive(&self) {
        let inner = self.inner();
        if !inner.uses.begin_alone() {
            crate::unwinding::refuse_data();
        }
        begin_holding(inner.place());
    }

    /// The access is over.
    ///
    /// # Safety
    /// The caller has begun it by [`Guarded::begin_exclusive`], in this OS thread, and uses it no longer.
    pub unsafe fn end_exclusive(&self) {
        let inner = self.inner();
        inner.uses.end();
        end_holding(inner.place());
    }

    /// Shared access begins by who holds a lock that guards the value, until [`Guarded::end_shared`].
    ///
    /// # Panics
    /// As [`Guarded::read`].
    pub fn begin_shared(&self) {
        let inner = self.inner();
        if !inner.uses.begin_shared() {
            crate::unwinding::refuse_data();
        }
        begin_holding(inner.place());
    }

    /// The access is over.
    ///
    /// # Safety
    /// The caller has begun it by [`Guarded::begin_shared`], in this OS thread, and uses it no longer.
    pub unsafe fn end_shared(&self) {
        let inner = self.inner();
        inner.uses.end();
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
        self.try_read().unwrap_or_else(|| crate::unwinding::refuse_data())
    }

    #[inline]
    fn try_read(&self) -> Option<GuardedRef<'_, T>> {
        let inner = self.inner();
        if !inner.uses.begin_shared() {
            return None;
        }
        begin_access();
        // SAFETY: nobody has exclusive access.
        Some(GuardedRef { value: unsafe { &*inner.value.get() }, uses: &inner.uses, not_send: PhantomData })
    }

    /// The value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().value.get_mut()
    }
}

/// Who uses a value: nobody, or fibers of one OS thread. The upper bits say which one that is, the lower ones how many accesses there
/// are, or that there is an exclusive one. Only that OS thread changes a number that is not 0.
struct Uses(AtomicU64);

/// The lower bits of [`Uses`]: an exclusive access has all of them.
const ALONE: u64 = 0xFFFF;

impl Uses {
    const fn new() -> Self {
        Uses(AtomicU64::new(0))
    }

    /// Exclusive access, if there is no access.
    #[inline]
    fn begin_alone(&self) -> bool {
        self.begin_first(ALONE)
    }

    /// Shared access, if there is no exclusive one, and none by another OS thread.
    #[inline]
    fn begin_shared(&self) -> bool {
        let word = self.0.load(Ordering::Relaxed);
        if word == 0 {
            return self.begin_first(1);
        }
        let is_of_others = word & !ALONE != this_os_thread() || word & ALONE >= ALONE - 1;
        if !is_of_others {
            self.0.store(word + 1, Ordering::Relaxed);
        }
        !is_of_others
    }

    #[inline]
    fn begin_first(&self, count: u64) -> bool {
        self.0.compare_exchange(0, this_os_thread() | count, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// An access by this OS thread is over.
    #[inline]
    fn end(&self) {
        let word = self.0.load(Ordering::Relaxed);
        let is_last = matches!(word & ALONE, 0 | 1 | ALONE);
        self.0.store(if is_last { 0 } else { word - 1 }, Ordering::Release);
    }
}

/// A number of the OS thread that calls, with zeros for the lower bits.
#[inline]
fn this_os_thread() -> u64 {
    // The address of what each has of its own, which is a multiple of 8.
    (context::cell_of_os_thread() as u64) << 13
}

/// A value that is set once and then stays.
pub struct OnceValue<T>(UnsafeCell<Once<T>>);

#[repr(C)]
struct Once<T> {
    mark: Mark,
    value: OnceLock<T>,
}

// SAFETY: what is shared is a `OnceLock`, which can be for such a `T`.
unsafe impl<T: Send + Sync> Sync for OnceValue<T> {}
// SAFETY: as for the value.
unsafe impl<T: Send> Send for OnceValue<T> {}

impl<T> OnceValue<T> {
    /// Not set.
    pub const fn new() -> Self {
        OnceValue(UnsafeCell::new(Once { mark: Mark::of::<Once<T>>(), value: OnceLock::new() }))
    }

    fn value(&self) -> &OnceLock<T> {
        // SAFETY: a value that is set is not changed or moved as long as it is shared, and the copy that a run has of a
        // static lives until the run ends.
        unsafe { &(*instance(&self.0)).value }
    }

    /// The value, if it is set.
    pub fn get(&self) -> Option<&T> {
        begin_access();
        end_access();
        self.value().get()
    }

    /// Sets the value; gives it back if there is one already.
    pub fn set(&self, value: T) -> Result<(), T> {
        begin_access();
        end_access();
        self.value().set(value)
    }

    /// The value, of which the caller has the only reference, if it is set.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut().value.get_mut()
    }

    /// Takes the value out; it is not set afterwards.
    pub fn take(&mut self) -> Option<T> {
        self.0.get_mut().value.take()
    }

    /// The value, if it is set.
    pub fn into_inner(self) -> Option<T> {
        self.0.into_inner().value.into_inner()
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
    uses: &'a Uses,
    /// It ends in the OS thread in which it began.
    not_send: PhantomData<*const ()>,
}

/// Shared access to a [`Guarded`] value.
pub struct GuardedRef<'a, T: ?Sized> {
    value: &'a T,
    uses: &'a Uses,
    /// As above.
    not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> Drop for GuardedMut<'_, T> {
    fn drop(&mut self) {
        self.uses.end();
        end_access();
    }
}

impl<T: ?Sized> Drop for GuardedRef<'_, T> {
    fn drop(&mut self) {
        self.uses.end();
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

// SAFETY: sharing it shares the value, and no more.
unsafe impl<T: ?Sized + Sync> Sync for GuardedMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for GuardedRef<'_, T> {}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Guarded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_read() {
            Some(value) => fmt::Debug::fmt(&*value, f),
            None => f.write_str("<locked>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::panic::catch_unwind;

    /// Whether another OS thread gets at a value.
    fn elsewhere(get: impl Fn() + Sync) -> bool {
        std::thread::scope(|scope| scope.spawn(|| catch_unwind(std::panic::AssertUnwindSafe(&get)).is_ok()).join())
            .unwrap()
    }

    #[test]
    fn one_os_thread_uses_a_value_at_a_time() {
        let value = Guarded::new(Cell::new(1));
        let (one, other) = (value.read(), value.read());
        assert!(!elsewhere(|| value.read().set(2)));
        assert!(!elsewhere(|| value.write().set(2)));
        drop(one);
        assert!(!elsewhere(|| value.read().set(2)));
        assert_eq!(format!("{value:?}"), "Cell { value: 1 }");
        drop(other);
        assert!(elsewhere(|| value.read().set(2)));
        let alone = value.write();
        assert!(!elsewhere(|| drop(value.read())));
        assert_eq!(format!("{value:?}"), "<locked>");
        drop(alone);
        assert_eq!(value.into_inner().get(), 2);
    }

    #[test]
    fn two_os_threads_use_a_value_in_turn() {
        const ROUNDS: usize = 10_000;
        // Not `Sync`: both would change it at the same time if both got at it.
        let value = Guarded::new(Cell::new(0));
        let add = || {
            let mut done = 0;
            while done < ROUNDS {
                if let Some(value) = value.try_read() {
                    value.set(value.get() + 1);
                    done += 1;
                }
            }
        };
        std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(add))));
        assert_eq!(value.into_inner().get(), 2 * ROUNDS);
    }

    #[test]
    fn a_value_is_set_once() {
        let value = OnceValue::new();
        let set = |number: usize| usize::from(value.set(number).is_ok());
        let sets: usize = std::thread::scope(|scope| {
            [1, 2].map(|number| scope.spawn(move || set(number))).map(|thread| thread.join().unwrap()).iter().sum()
        });
        assert_eq!(sets, 1);
        assert!(value.get().is_some_and(|value| (1..=2).contains(value)));
    }
}
