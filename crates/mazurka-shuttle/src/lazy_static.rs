//! Mirror of `shuttle::lazy_static`.

pub use crate::lazy_static;

use mazurka::sync::LazyLock;
use std::fmt;
use std::ops::Deref;

/// A static that is made when it is first used in an execution, and dropped when the execution ends.
pub struct Lazy<T>(LazyLock<T>);

impl<T: 'static> Lazy<T> {
    /// What `lazy_static!` makes.
    #[track_caller]
    pub const fn new(make: fn() -> T) -> Self {
        Lazy(LazyLock::new(make))
    }

    /// The value.
    #[track_caller]
    pub fn get(&'static self) -> &'static T {
        LazyLock::force(&self.0)
    }
}

impl<T: 'static> Deref for Lazy<T> {
    type Target = T;
    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(&self.0)
    }
}

impl<T: 'static> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").finish_non_exhaustive()
    }
}

/// Mirror of `lazy_static::LazyStatic`.
pub trait LazyStatic {
    /// Makes the value, if it was not made.
    fn initialize(lazy: &Self);
}

impl<T: 'static> LazyStatic for Lazy<T> {
    fn initialize(lazy: &Self) {
        LazyLock::force(&lazy.0);
    }
}

/// Makes the value of a static, if it was not made.
pub fn initialize<T: LazyStatic>(lazy: &T) {
    LazyStatic::initialize(lazy);
}
