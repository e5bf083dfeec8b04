//! The correct version of every asynchronous program is proved, and the bug of the other one found: a task that nobody
//! wakes, with its name and the place where it waits.

use mazurka::{Checker, FindingKind};

macro_rules! tasks {
    ($($name:ident,)*) => { $(
        mod $name {
            use super::*;

            #[test]
            fn is_proved() {
                let report = Checker::new().check(mazurka_examples::tasks::$name::scenario::<false>);
                assert!(report.is_proof(), "{report}");
                let scenario = mazurka_examples::tasks::$name::scenario::<false>;
                let optimal = Checker::new().algorithm("optimal").check(scenario);
                assert!(report.executions() > 1);
                assert_eq!(report.executions(), optimal.executions());
            }

            #[test]
            fn its_bug_is_found() {
                let report = Checker::new().check(mazurka_examples::tasks::$name::scenario::<true>);
                let finding = report.finding().expect("a bug");
                assert_eq!(finding.kind, FindingKind::Deadlock, "{report}");
                assert!(finding.text.lines().any(|line| line.contains("to be woken")), "{report}");
                let again = Checker::new().replay(&finding.schedule).check(mazurka_examples::tasks::$name::scenario::<true>);
                assert_eq!(again.finding().expect("the same bug").headline, finding.headline);
            }
        }
    )* };
}

tasks! {
    mutex,
    oneshot,
    mpsc,
    cancellation,
}
