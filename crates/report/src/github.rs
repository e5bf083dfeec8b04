//! Annotations that GitHub shows beside the lines of a change: workflow commands.

use crate::results::Results;
use crate::summary::FindingSummary;
use std::fmt::Write;

/// A line for each finding, and one with the counts.
pub fn to_text(results: &Results<'_>) -> String {
    let mut text = String::new();
    for finding in &results.findings {
        let place = finding.line().map_or(String::new(), |at| format!("file={},line={},", property(&at.file), at.line));
        let title = property(&format!("mazurka: {}", finding.kind));
        let _ = writeln!(text, "::error {place}title={title}::{}", data(&message(finding)));
    }
    for remark in &results.remarks {
        let level = if remark.is_warning { "warning" } else { "notice" };
        let _ = writeln!(text, "::{level} title=mazurka::{}", data(&remark.text));
    }
    text
}

/// The finding with its steps: an annotation has no other room for them.
fn message(finding: &FindingSummary) -> String {
    let mut text = format!("{}\n", finding.headline);
    let first = finding.steps.len().saturating_sub(30);
    if first > 0 {
        let _ = writeln!(text, "{first} steps before");
    }
    for step in &finding.steps[first..] {
        let _ = writeln!(text, "{} {}: {}", step.step, step.thread, step.does);
    }
    for wait in &finding.waiting {
        let _ = writeln!(text, "{} {}", wait.thread, wait.reason);
    }
    let _ = write!(text, "schedule: {}", finding.schedule);
    text
}

/// What comes after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;
    use crate::testing::{finding, summary};

    #[test]
    fn a_finding_is_an_error_at_its_line() {
        let text = to_text(&Results::from(&summary(vec![finding("deadlock: 100% sure")])));
        let line = text.lines().next().unwrap();
        assert!(
            line.starts_with(
                "::error file=dir/prog%2C1.c,line=7,title=mazurka%3A deadlock::deadlock: 100%25 sure%0A1 T1: lock m"
            ),
            "{line}"
        );
    }

    #[test]
    fn a_proof_is_a_notice_and_no_proof_a_warning() {
        let proof = summary(Vec::new());
        assert!(
            to_text(&Results::from(&proof))
                .starts_with("::notice title=mazurka::lastzero(10): 3328 executions by optimal; there are no others")
        );
        let stopped = Summary { exhaustive: false, not_exhaustive_because: Some("a limit".to_owned()), ..proof };
        assert!(to_text(&Results::from(&stopped)).starts_with("::warning title=mazurka::"));
    }
}
