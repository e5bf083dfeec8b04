//! shuttle's paths and types over Mazurka.
//!
//! In `Cargo.toml`, put
//! ```toml
//! shuttle = { package = "mazurka-shuttle", version = "0.1" }
//! ```
//! in place of shuttle, and the same tests run: the random ones as many times as they ask for, [`check_dfs`] as a search that
//! runs one execution for each class of schedules that can make a difference. What is different is said at each item and in
//! docs/from-shuttle.md.

pub mod current;
pub mod future;
pub mod lazy_static;
pub mod rand;
mod run;
mod runner;
pub mod scheduler;

pub use runner::{
    Config, ContinuationFunctionBehavior, FailurePersistence, MaxSteps, PortfolioRunner, Runner,
    UngracefulShutdownConfig, check, check_dfs, check_pct, check_random, check_random_with_seed,
    check_uncontrolled_nondeterminism, check_urw, replay, replay_from_file,
};

pub use mazurka::thread_local;
pub use mazurka::{hint, sync, thread};

/// Mirror of `shuttle::annotations`: names for objects are given by `named` constructors here.
pub mod annotations {
    /// Mirror of `shuttle::annotations::WithName`: the name is not used.
    pub trait WithName: Sized {
        /// The same.
        #[must_use]
        fn with_name_and_kind(self, _name: Option<&str>, _kind: Option<&str>) -> Self {
            self
        }

        /// The same.
        #[must_use]
        fn with_name(self, _name: &str) -> Self {
            self
        }
    }

    impl<T> WithName for T {}
}

/// Mirror of shuttle's `lazy_static!`: statics that are made afresh in every execution.
#[macro_export]
macro_rules! lazy_static {
    ($($(#[$attribute:meta])* $visibility:vis static ref $name:ident: $type:ty = $value:expr;)*) => { $(
        $(#[$attribute])* $visibility static $name: $crate::lazy_static::Lazy<$type> =
            $crate::lazy_static::Lazy::new(|| $value);
    )* };
}
