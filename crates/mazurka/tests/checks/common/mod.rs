//! What several tests share.

#![allow(dead_code, reason = "no test uses all of it")]

use mazurka::{Checker, Report};
use std::sync::{Arc, Mutex};

/// Nothing is found in any execution of `program`.
#[track_caller]
pub(crate) fn proved(program: impl Fn() + Send + Sync + 'static) -> Report {
    let report = Checker::new().check(program);
    assert!(report.is_proof(), "{report}");
    report
}

/// The different values that `program` gives over all executions.
#[track_caller]
pub(crate) fn outcomes<T: Ord + Send + 'static>(program: impl Fn() -> T + Send + Sync + 'static) -> Vec<T> {
    let seen: Arc<Mutex<Vec<T>>> = Arc::default();
    let all = seen.clone();
    proved(move || {
        let value = program();
        all.lock().unwrap().push(value);
    });
    let mut seen = std::mem::take(&mut *seen.lock().unwrap());
    seen.sort();
    seen.dedup();
    seen
}

/// `program` has so many classes, and nothing is found in any of them.
#[track_caller]
pub(crate) fn classes(expected: u64, program: impl Fn() + Send + Sync + 'static) {
    let report = proved(program);
    assert_eq!(report.executions(), expected);
    assert_eq!(report.tally.sleep_set_blocked, 0);
}
