//! The oracle's laws hold of the structures that are small enough to run every interleaving.

use explore::SchedulingOrder;
use fiber::{FiberProgram, Options};
use laws::Checked;

/// The most interleavings that the oracle may run.
const INTERLEAVINGS: u64 = 1_000_000;

fn lawful(scenario: fn()) {
    let program = FiberProgram::new(scenario, Options::default());
    let orders = [SchedulingOrder::FirstCreated, SchedulingOrder::LastCreated];
    let checked = loop {
        let knowledge = program.knowledge();
        let checked = laws::check(&program, &orders, INTERLEAVINGS);
        // As a check does: what a run shows of its references is known from the start of the next search.
        if program.knowledge() == knowledge {
            break checked;
        }
    };
    match checked {
        Ok(Checked::Holds { .. }) => {}
        Ok(Checked::TooLarge) => panic!("more than {INTERLEAVINGS} interleavings"),
        Err(violation) => panic!("{violation}"),
    }
}

macro_rules! structures {
    ($($name:ident $($bug:literal)*,)*) => { $(
        #[test]
        fn $name() {
            $(lawful(mazurka_examples::$name::scenario::<$bug>);)*
        }
    )* };
}

// Not Michael and Scott's queue, which has more than 8 million interleavings, nor the spin lock with its bug, under which
// all threads may hold it.
structures! {
    treiber false true,
    mpmc false true,
    seqlock false true,
    spinlock false,
    rwlock false true,
    deque false true,
    parker false true,
    oneshot false true,
    lazy false true,
    philosophers false true,
    pool false true,
}
