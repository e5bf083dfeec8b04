//! What the mirrors of locks offer alike, over [`Protected`](super::protected::Protected).

/// Methods and traits of a lock that is a tuple of one `Protected`.
macro_rules! lock_api {
    ($name:ident, $try:ident) => {
        impl<T> $name<T> {
            /// A lock that nobody holds.
            #[track_caller]
            pub const fn new(value: T) -> Self {
                $name(Protected::new(Object::new(stringify!($name)).shown(super::protected::show), value))
            }

            /// A lock with a name for reports.
            #[track_caller]
            pub const fn named(name: &'static str, value: T) -> Self {
                $name(Protected::new(Object::new(stringify!($name)).named(name).shown(super::protected::show), value))
            }

            /// The data.
            pub fn into_inner(self) -> LockResult<T> {
                self.0.into_inner()
            }
        }

        impl<T: ?Sized> $name<T> {
            /// Whether a thread panicked while it held the lock alone.
            #[track_caller]
            pub fn is_poisoned(&self) -> bool {
                self.0.is_poisoned(Location::caller())
            }

            /// Forgets that a thread panicked.
            #[track_caller]
            pub fn clear_poison(&self) {
                self.0.clear_poison(Location::caller());
            }

            /// The data, of which the caller has the only reference.
            pub fn get_mut(&mut self) -> LockResult<&mut T> {
                self.0.get_mut()
            }
        }

        impl<T: Default> Default for $name<T> {
            #[track_caller]
            fn default() -> Self {
                $name::new(T::default())
            }
        }

        impl<T> From<T> for $name<T> {
            #[track_caller]
            fn from(value: T) -> Self {
                $name::new(value)
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut shown = f.debug_struct(stringify!($name));
                if !fiber::is_checked() {
                    return shown.finish_non_exhaustive();
                }
                match self.$try() {
                    Ok(guard) => shown.field("data", &&*guard),
                    Err(TryLockError::Poisoned(poisoned)) => shown.field("data", &&**poisoned.get_ref()),
                    Err(TryLockError::WouldBlock) => shown.field("data", &format_args!("<locked>")),
                };
                shown.field("poisoned", &self.is_poisoned()).finish_non_exhaustive()
            }
        }
    };
}

/// Traits of a guard that is a tuple of one access.
macro_rules! guard_api {
    ($name:ident) => {
        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;
            fn deref(&self) -> &T {
                self.0.get()
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    };
    ($name:ident, mutable) => {
        guard_api!($name);

        impl<T: ?Sized> DerefMut for $name<'_, T> {
            fn deref_mut(&mut self) -> &mut T {
                self.0.get_mut()
            }
        }
    };
}

pub(super) use {guard_api, lock_api};
