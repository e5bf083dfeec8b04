//! Model checks concurrent Rust code in `cargo test`.
//!
//! Take `mazurka::{sync, thread, cell, hint}` in place of `std`'s, and give the test's body to [`check`]: it is run once
//! for every order of its operations that can matter. If one of them fails, the test fails with that execution, step by
//! step; if none does, there is none (within the inputs of the test).
//!
//! ```should_panic
//! use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
//! use mazurka::sync::Arc;
//! use mazurka::thread;
//!
//! mazurka::check(|| {
//!     let counter = Arc::new(AtomicU32::new(0));
//!     let add = |counter: Arc<AtomicU32>| move || counter.store(counter.load(SeqCst) + 1, SeqCst);
//!     let threads = [thread::spawn(add(counter.clone())), thread::spawn(add(counter.clone()))];
//!     threads.map(|thread| thread.join().unwrap());
//!     assert_eq!(counter.load(SeqCst), 2); // not always
//! });
//! ```
//! The same with `fetch_add` passes, after the two executions that there are, because each thread gives back what it found:
//! ```
//! use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
//! use mazurka::sync::Arc;
//! use mazurka::thread;
//!
//! let report = mazurka::Checker::new().check(|| {
//!     let counter = Arc::new(AtomicU32::new(0));
//!     let add = |counter: Arc<AtomicU32>| move || counter.fetch_add(1, SeqCst);
//!     let threads = [thread::spawn(add(counter.clone())), thread::spawn(add(counter.clone()))];
//!     threads.map(|thread| thread.join().unwrap());
//!     assert_eq!(counter.load(SeqCst), 2);
//! });
//! assert!(report.is_proof());
//! assert_eq!(report.executions(), 2);
//! ```
//!
//! # What is explored
//! Every order of operations on the objects of this crate; which waiter a notify wakes; whether a time-out comes before a
//! notify; every value of [`choose`]. Memory is sequentially consistent at first; where some [`sync::atomic::Ordering`] is weaker, a
//! search under the memory model of the language follows ([`Checker::memory`]).
//! The body must do the same in every run apart from the schedule: no time, no randomness, no state that outlives a run.
//! Statics made of this crate's types start afresh in every run.
//!
//! # What is too large
//! [`Checker`] has more [workers](Checker::workers), bounds on [preemptions](Checker::preemption_bound) and
//! [delays](Checker::delay_bound), and [random](Checker::random) searches, also with [priorities](Checker::pct), each of them also as
//! a variable of the environment ([`Checker::from_env`]).
//!
//! # Features
//! `allocator` (on): this crate is the process's global allocator, a thin layer over the system's, by which objects on the
//! heap have the same identity in every run. There can be one global allocator only: if the tests have their own, the compiler
//! says that it "conflicts with global allocator in: mazurka". Turn the feature off then (`default-features = false`) and
//! wrap it by [`global_allocator!`]. With neither, an object that two threads may be the first to use should be used by its
//! creator first.

pub mod actor;
pub mod cell;
mod check;
pub mod future;
pub mod hint;
mod mailbox;
mod object;
pub mod sync;
pub mod thread;

pub use check::{Checker, Finding, FindingKind, Limit, Report, assume, check, choose, stop_exploring_here};
pub use mazurka_macros::test;

#[doc(hidden)]
pub use fiber::Recording;

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: Recording = Recording::new(std::alloc::System);

/// Makes an allocator of one's own the process's global allocator, wrapped so that objects on the heap have the same identity in
/// every run. It takes the place of `#[global_allocator]`, and needs the feature `allocator` to be off:
/// ```toml
/// mazurka = { version = "0.1", default-features = false }
/// ```
/// ```ignore
/// mazurka::global_allocator! {
///     static ALLOCATOR: MyAllocator = MyAllocator::new();
/// }
/// ```
#[macro_export]
macro_rules! global_allocator {
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr;) => {
        $(#[$attribute])*
        #[global_allocator]
        $visibility static $name: $crate::Recording<$type> = $crate::Recording::new($value);
    };
}
