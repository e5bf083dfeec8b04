//! Concurrent structures, each in a version that Mazurka proves and one with a bug that it finds.
//!
//! Every module has the structure, generic over `const BUG: bool`, and a `scenario` that uses it from a few threads and
//! asserts what must hold. `tests/examples/structures.rs` checks both versions of all of them. [`actors`] has programs of actors,
//! [`tasks`] asynchronous ones.
//!
//! | module | structure | the bug |
//! |---|---|---|
//! | [`treiber`] | Treiber's stack | a pop that stores instead of comparing |
//! | [`ms_queue`] | Michael and Scott's queue | an enqueue that stores instead of comparing |
//! | [`mpmc`] | bounded queue by sequence numbers (Vyukov) | a slot given free before it is read |
//! | [`seqlock`] | sequence lock | a reader that does not look again |
//! | [`spinlock`] | spin lock with back-off | test, then set |
//! | [`rwlock`] | reader-writer lock of one word | readers that do not look for a writer |
//! | [`deque`] | work-stealing deque (Chase and Lev) | the last element taken without comparing |
//! | [`parker`] | parker | the token looked at before the lock is taken |
//! | [`oneshot`] | channel for one message | ready before it is written |
//! | [`lazy`] | lazy initialiser | two threads both find nothing |
//! | [`philosophers`] | dining philosophers | everybody takes the left fork first |
//! | [`pool`] | thread pool with shutdown | shutdown wakes one worker only |

pub mod actors;
pub mod deque;
pub mod lazy;
pub mod mpmc;
pub mod ms_queue;
pub mod oneshot;
pub mod parker;
pub mod philosophers;
pub mod pool;
pub mod rwlock;
pub mod seqlock;
/// What the structures are made of. A program would have `std` here, and this under `cfg(test)`.
pub mod shim {
    pub use mazurka::{cell, future, hint, sync, thread};
}
pub mod spinlock;
pub mod tasks;
pub mod treiber;
