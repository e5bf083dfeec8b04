//! Programs that were made to be got wrong: variants of those that once were.

mod endings;
mod loops;
mod pointers;
mod references;
mod statics;

use mazurka::{FindingKind, Report};

#[track_caller]
fn finds(kind: FindingKind, report: &Report) {
    assert_eq!(report.finding().map(|finding| finding.kind), Some(kind), "{report}");
}
