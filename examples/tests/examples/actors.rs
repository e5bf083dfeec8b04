//! The correct version of every program of actors is proved, and the bug of the other one found and found again.

use mazurka::{Checker, FindingKind};

macro_rules! programs {
    ($($name:ident $kind:ident $says:literal,)*) => { $(
        mod $name {
            use super::*;
            use mazurka_examples::actors::$name::scenario;

            #[test]
            fn is_proved() {
                let report = Checker::from_env().check(scenario::<false>);
                assert!(report.is_proof(), "{report}");
                println!("{report}");
            }

            #[test]
            fn its_bug_is_found() {
                let report = Checker::from_env().check(scenario::<true>);
                let finding = report.finding().expect("a bug");
                assert_eq!(finding.kind, FindingKind::$kind, "{report}");
                assert!(finding.text.contains($says), "{report}");
                let again = Checker::from_env().replay(&finding.schedule).check(scenario::<true>);
                assert_eq!(again.finding().expect("the same bug").headline, finding.headline);
            }
        }
    )* };
}

programs! {
    ring Panic "all follow the node with the largest number",
    commit Panic "what is committed can be done everywhere",
    failover Panic "a write that was confirmed is kept",
    workers Deadlock "waits for a message to mailbox of pool",
    registry Panic "all count in the same place",
    limiter Panic "the timer of a window ends that window",
    chain Deadlock "waits for a message to mailbox of tail",
}
