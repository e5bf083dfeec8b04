//! The correct version of every structure is proved, and the bug of the other one found.

use mazurka::{Checker, FindingKind};

macro_rules! structures {
    ($($name:ident $kind:ident,)*) => { $(
        mod $name {
            use super::*;

            #[test]
            fn is_proved() {
                let report = Checker::from_env().check(mazurka_examples::$name::scenario::<false>);
                assert!(report.is_proof(), "{report}");
                println!("{report}");
            }

            #[test]
            fn its_bug_is_found() {
                let report = Checker::from_env().check(mazurka_examples::$name::scenario::<true>);
                let finding = report.finding().expect("a bug");
                assert_eq!(finding.kind, FindingKind::$kind, "{report}");
                let again = Checker::from_env().replay(&finding.schedule).check(mazurka_examples::$name::scenario::<true>);
                assert_eq!(again.finding().expect("the same bug").headline, finding.headline);
            }
        }
    )* };
}

structures! {
    treiber Panic,
    ms_queue Panic,
    mpmc DataRace,
    seqlock Panic,
    spinlock DataRace,
    rwlock DataRace,
    deque Panic,
    parker Deadlock,
    oneshot DataRace,
    lazy Panic,
    philosophers Deadlock,
    pool Deadlock,
}
