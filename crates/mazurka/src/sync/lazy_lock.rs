//! Mirror of [`std::sync::LazyLock`].

use super::Once;
use fiber::{Guarded, OnceValue};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

/// Mirror of [`std::sync::LazyLock`]. As a static, it is made afresh in every run.
pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    make: Guarded<Option<F>>,
    value: OnceValue<T>,
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value that is made when it is first used.
    #[track_caller]
    pub const fn new(f: F) -> Self {
        LazyLock {
            once: Once::of("LazyLock", Location::caller()),
            make: Guarded::new(Some(f)),
            value: OnceValue::new(),
        }
    }

    /// The value.
    #[track_caller]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        let make = |_: &_| {
            let f = this.make.write().take();
            if let Some(f) = f {
                let _ = this.value.set(f());
            }
        };
        this.once.call(false, make, Location::caller());
        this.value.get().expect("LazyLock instance has previously been poisoned")
    }

    /// The value, made now if it was not before, of which the caller has the only reference.
    #[track_caller]
    pub fn force_mut(this: &mut LazyLock<T, F>) -> &mut T {
        LazyLock::force(this);
        this.value.get_mut().expect("forced a moment ago")
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it was made.
    #[track_caller]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        if this.once.is_completed() { this.value.get() } else { None }
    }

    /// The value, if it was made, of which the caller has the only reference.
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        this.value.get_mut()
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;
    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        LazyLock::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    #[track_caller]
    fn default() -> Self {
        LazyLock::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_made = !fiber::is_checked() || self.once.is_completed();
        f.debug_tuple("LazyLock").field(&self.value.get().filter(|_| is_made)).finish()
    }
}
