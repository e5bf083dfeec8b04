//! The oracle's laws hold of the structures that are small enough to run every interleaving.

use explore::SchedulingOrder;
use fiber::{FiberProgram, Options};

/// The most interleavings that the oracle may run.
const INTERLEAVINGS: u64 = 10_000;

macro_rules! structures {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for scenario in [mazurka_examples::$name::scenario::<false>, mazurka_examples::$name::scenario::<true>] {
                let program = FiberProgram::new(scenario, Options::default());
                match laws::check(&program, &[SchedulingOrder::FirstCreated, SchedulingOrder::LastCreated], INTERLEAVINGS) {
                    Ok(checked) => println!("{checked:?}"),
                    Err(violation) => panic!("{violation}"),
                }
            }
        }
    )* };
}

// Not the spin lock: its loops have more interleavings than the oracle can run in a test.
structures! { treiber ms_queue mpmc seqlock rwlock deque parker oneshot lazy philosophers pool }
