//! Tests as they are written for loom, of the structures in `examples/`, compiled against loom's paths.

#![allow(dead_code, missing_docs, unreachable_pub, reason = "modules of another package")]

/// What the structures are made of.
mod shim {
    pub use loom::{cell, hint, sync, thread};
}

macro_rules! tests {
    ($($name:ident)*) => {
        mod tests { $(
            mod $name {
                #[test]
                fn correct() {
                    loom::model(crate::$name::scenario::<false>);
                }

                #[test]
                #[should_panic(expected = "schedule: mzk1:")]
                fn with_a_bug() {
                    loom::model(crate::$name::scenario::<true>);
                }
            }
        )* }
    };
}

#[path = "../../../examples/src/deque.rs"]
mod deque;
#[path = "../../../examples/src/lazy.rs"]
mod lazy;
#[path = "../../../examples/src/mpmc.rs"]
mod mpmc;
#[path = "../../../examples/src/ms_queue.rs"]
mod ms_queue;
#[path = "../../../examples/src/oneshot.rs"]
mod oneshot;
#[path = "../../../examples/src/parker.rs"]
mod parker;
#[path = "../../../examples/src/philosophers.rs"]
mod philosophers;
#[path = "../../../examples/src/pool.rs"]
mod pool;
#[path = "../../../examples/src/rwlock.rs"]
mod rwlock;
#[path = "../../../examples/src/seqlock.rs"]
mod seqlock;
#[path = "../../../examples/src/spinlock.rs"]
mod spinlock;
#[path = "../../../examples/src/treiber.rs"]
mod treiber;

tests! { deque lazy mpmc ms_queue oneshot parker philosophers pool rwlock seqlock spinlock treiber }
