//! loom's paths and types over Mazurka.
//!
//! In `Cargo.toml`, put
//! ```toml
//! loom = { package = "mazurka-loom", version = "0.1" }
//! ```
//! in place of loom, and the same tests run, without limits on the number of threads, faster, and with
//! reports that show the interleaving. What is different is said at each item and in docs/from-loom.md; the most important:
//! interleavings are explored first, and where an operation is weaker than `SeqCst`, executions under the memory model RC11 follow for
//! a while.

pub mod alloc;
pub mod cell;
pub mod model;

pub use model::model;

/// As many threads as a check can have; loom has a limit of its own.
pub const MAX_THREADS: usize = u32::MAX as usize;

/// Mirror of `loom::hint`.
pub mod hint {
    pub use mazurka::hint::spin_loop;

    /// Panics: to come here is a bug of the program.
    ///
    /// # Safety
    /// None is needed here; std's must not be reached.
    #[track_caller]
    pub unsafe fn unreachable_unchecked() -> ! {
        unreachable!("unreachable_unchecked was reached")
    }
}

/// Mirror of `loom::future`.
pub mod future {
    pub use mazurka::future::{AtomicWaker, block_on};
}

/// Mirror of `loom::sync`.
pub mod sync {
    pub use mazurka::sync::*;

    mod notify;
    pub use notify::Notify;
}

pub mod thread;

pub mod lazy_static;

pub use mazurka::thread_local;

/// Explores from here on: always so.
pub fn explore() {}

/// Asks for no exploration from here on. It is explored nevertheless, which finds no less.
pub fn stop_exploring() {}

/// Gives this execution up, without a finding.
pub fn skip_branch() {
    mazurka::stop_exploring_here();
}

/// Mirror of loom's `lazy_static!`: statics that are made afresh in every execution.
#[macro_export]
macro_rules! lazy_static {
    ($($(#[$attribute:meta])* $visibility:vis static ref $name:ident: $type:ty = $value:expr;)*) => { $(
        $(#[$attribute])* $visibility static $name: $crate::lazy_static::Lazy<$type> =
            $crate::lazy_static::Lazy::new(|| $value);
    )* };
}
