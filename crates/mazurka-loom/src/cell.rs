//! Mirror of `loom::cell`.

use std::fmt;
use std::marker::PhantomData;

/// Mirror of `loom::cell::UnsafeCell`: accesses that nothing orders are found.
#[derive(Debug)]
pub struct UnsafeCell<T: ?Sized>(mazurka::cell::UnsafeCell<T>);

/// Mirror of `loom::cell::ConstPtr`: the read counts when the pointer is made.
pub struct ConstPtr<T: ?Sized>(*const T, PhantomData<*const ()>);

/// Mirror of `loom::cell::MutPtr`: the write counts when the pointer is made.
pub struct MutPtr<T: ?Sized>(*mut T, PhantomData<*const ()>);

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        UnsafeCell(mazurka::cell::UnsafeCell::new(value))
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through the pointer.
    #[track_caller]
    pub fn with<F: FnOnce(*const T) -> R, R>(&self, f: F) -> R {
        self.0.with(f)
    }

    /// Writes through the pointer.
    #[track_caller]
    pub fn with_mut<F: FnOnce(*mut T) -> R, R>(&self, f: F) -> R {
        self.0.with_mut(f)
    }

    /// A pointer to read through.
    #[track_caller]
    pub fn get(&self) -> ConstPtr<T> {
        ConstPtr(self.0.with(|pointer| pointer), PhantomData)
    }

    /// A pointer to write through.
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<T> {
        MutPtr(self.0.with_mut(|pointer| pointer), PhantomData)
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

impl<T: ?Sized> ConstPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As for any raw pointer to the cell's value.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: promised by the caller.
        unsafe { &*self.0 }
    }

    /// Reads through the pointer.
    pub fn with<F: FnOnce(*const T) -> R, R>(&self, f: F) -> R {
        f(self.0)
    }
}

impl<T: ?Sized> MutPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As for any raw pointer to the cell's value.
    #[allow(clippy::mut_from_ref, reason = "as loom's")]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: promised by the caller.
        unsafe { &mut *self.0 }
    }

    /// Writes through the pointer.
    pub fn with<F: FnOnce(*mut T) -> R, R>(&self, f: F) -> R {
        f(self.0)
    }
}

impl<T: ?Sized> fmt::Debug for ConstPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: ?Sized> fmt::Debug for MutPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Mirror of `loom::cell::Cell`: accesses that nothing orders are found.
#[derive(Debug, Default)]
pub struct Cell<T>(UnsafeCell<T>);

impl<T> Cell<T> {
    /// A cell with this value.
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Cell(UnsafeCell::new(value))
    }

    /// Sets the value.
    #[track_caller]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Swaps the values of two cells.
    #[track_caller]
    pub fn swap(&self, other: &Self) {
        if std::ptr::eq(self, other) {
            return;
        }
        // SAFETY: neither pointer leaves, and nothing else runs meanwhile.
        self.0.with_mut(|mine| other.0.with_mut(|theirs| unsafe { std::ptr::swap(mine, theirs) }));
    }

    /// Sets the value and gives back what it was.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: the pointer does not leave, and nothing else runs meanwhile.
        self.0.with_mut(|place| unsafe { std::ptr::replace(place, value) })
    }

    /// The value.
    #[track_caller]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: the pointer does not leave, and nothing else runs meanwhile.
        self.0.with(|place| unsafe { *place })
    }

    /// Takes the value, leaving the default.
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: Copy> Clone for Cell<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Cell::new(self.get())
    }
}

impl<T> From<T> for Cell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Cell::new(value)
    }
}

impl<T: PartialEq + Copy> PartialEq for Cell<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq + Copy> Eq for Cell<T> {}

impl<T: PartialOrd + Copy> PartialOrd for Cell<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Ord + Copy> Ord for Cell<T> {
    #[track_caller]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.get().cmp(&other.get())
    }
}
