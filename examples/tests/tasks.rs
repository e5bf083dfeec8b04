//! The correct version of every asynchronous program is proved, and the bug of the other one found: a task that nobody
//! wakes, with its name and the place where it waits.

use mazurka::{Checker, FindingKind};

macro_rules! tasks {
    ($($name:ident $waits:literal $executions:literal,)*) => { $(
        mod $name {
            use super::*;

            #[test]
            fn is_proved() {
                let report = Checker::new().check(mazurka_examples::tasks::$name::scenario::<false>);
                assert!(report.is_proof(), "{report}");
                assert_eq!(report.executions(), $executions);
            }

            #[test]
            fn its_bug_is_found() {
                let report = Checker::new().check(mazurka_examples::tasks::$name::scenario::<true>);
                let finding = report.finding().expect("a bug");
                assert_eq!(finding.kind, FindingKind::Deadlock, "{report}");
                let line = finding.text.lines().find(|line| line.contains("to be woken"));
                assert!(line.is_some_and(|line| line.contains($waits)), "{report}");
                let again = Checker::new().replay(&finding.schedule).check(mazurka_examples::tasks::$name::scenario::<true>);
                assert_eq!(again.finding().expect("the same bug").headline, finding.headline);
            }
        }
    )* };
}

tasks! {
    mutex "task@mutex.rs" 0,
    oneshot "oneshot.rs" 0,
    mpsc "mpsc.rs" 0,
    cancellation "other" 0,
}
