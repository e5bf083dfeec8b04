//! What several tests share.

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
