//! Mirror of [`std::sync::OnceLock`].

use super::Once;
use fiber::OnceValue;
use std::fmt;
use std::panic::Location;

/// Mirror of [`std::sync::OnceLock`].
pub struct OnceLock<T> {
    once: Once,
    value: OnceValue<T>,
}

impl<T> OnceLock<T> {
    /// Not set.
    #[track_caller]
    pub const fn new() -> Self {
        OnceLock { once: Once::of("OnceLock", Location::caller()), value: OnceValue::new() }
    }

    /// The value, if it is set.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        if self.once.is_completed() { self.value.get() } else { None }
    }

    /// Sets the value; gives it back if there is one already.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.once.call(true, |_| self.fill(&mut value), Location::caller());
        value.map_or(Ok(()), Err)
    }

    /// The value, made by `f` if there is none.
    #[track_caller]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.once.call(true, |_| self.fill(&mut Some(f())), Location::caller());
        self.value.get().expect("set by now")
    }

    /// Waits until the value is set.
    #[track_caller]
    pub fn wait(&self) -> &T {
        self.once.wait_force();
        self.value.get().expect("set by now")
    }

    /// The place of the value, of which the caller has the only reference.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut()
    }

    /// The value, if it is set.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    /// Takes the value out; it is not set afterwards.
    #[track_caller]
    pub fn take(&mut self) -> Option<T> {
        self.once = Once::of("OnceLock", Location::caller());
        self.value.take()
    }

    fn fill(&self, value: &mut Option<T>) {
        if let Some(new) = value.take() {
            *value = self.value.set(new).err();
        }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.get().map_or_else(OnceLock::new, |value| OnceLock::from(value.clone()))
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

impl<T> Default for OnceLock<T> {
    #[track_caller]
    fn default() -> Self {
        OnceLock::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        let lock = OnceLock::new();
        let _ = lock.set(value);
        lock
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnceLock").field(&if fiber::is_checked() { self.get() } else { self.value.get() }).finish()
    }
}
