//! Mirror of [`std::thread::LocalKey`].

use std::cell::{Cell, RefCell};
use std::fmt;

/// Mirror of [`std::thread::LocalKey`]: a value for each thread of a run.
pub struct LocalKey<T: 'static> {
    make: fn() -> T,
}

/// Mirror of [`std::thread::AccessError`]: the value was destroyed already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the thread's value was already destroyed")
    }
}

impl std::error::Error for AccessError {}

impl<T: 'static> LocalKey<T> {
    /// What `thread_local!` makes.
    #[doc(hidden)]
    pub const fn new(make: fn() -> T) -> Self {
        LocalKey { make }
    }

    /// Gives `f` the thread's value.
    ///
    /// # Panics
    /// If the value was destroyed already.
    pub fn with<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> R {
        self.try_with(f).expect("cannot access a value of thread_local! during or after its destruction")
    }

    /// Gives `f` the thread's value, if it was not destroyed already.
    pub fn try_with<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> Result<R, AccessError> {
        let key = std::ptr::from_ref(self) as usize;
        let value = fiber::Local::get(key, self.make).ok_or(AccessError)?;
        Ok(f(&value))
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value.
    pub fn set(&'static self, value: T) {
        self.with(|cell| cell.set(value));
    }

    /// A copy of the value.
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes the value, leaving the default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Replaces the value and gives back what it was.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Gives `f` the value.
    pub fn with_borrow<F: FnOnce(&T) -> R, R>(&'static self, f: F) -> R {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Gives `f` the value, to change it.
    pub fn with_borrow_mut<F: FnOnce(&mut T) -> R, R>(&'static self, f: F) -> R {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the value.
    pub fn set(&'static self, value: T) {
        self.with(|cell| *cell.borrow_mut() = value);
    }

    /// Takes the value, leaving the default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Replaces the value and gives back what it was.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// Mirror of [`std::thread_local!`]: values of each thread of a run, destroyed when the thread ends.
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = const $value:block $(; $($rest:tt)*)?) => {
        $(#[$attribute])* $visibility static $name: $crate::thread::LocalKey<$type> =
            $crate::thread::LocalKey::new(|| $value);
        $($crate::thread_local! { $($rest)* })?
    };
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr $(; $($rest:tt)*)?) => {
        $(#[$attribute])* $visibility static $name: $crate::thread::LocalKey<$type> =
            $crate::thread::LocalKey::new(|| $value);
        $($crate::thread_local! { $($rest)* })?
    };
}
