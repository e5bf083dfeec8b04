//! What continuous integration reads as the result of a test: JUnit's XML.
//!
//! A search is a test suite, and each finding a test that failed. A search that found nothing is one test, which passed, or
//! was skipped if it was not exhaustive.

use crate::summary::{FindingSummary, Summary};
use std::fmt::Write;

/// The file.
pub fn to_xml(summary: &Summary) -> String {
    let failures = summary.findings.len();
    let tests = failures.max(1);
    let skipped = usize::from(failures == 0 && !summary.exhaustive);
    let time = format!("{:.3}", summary.seconds);
    let suite = format!("{} by {}", summary.title(), summary.algorithm);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"mazurka\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{time}\">\n  \
         <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
         time=\"{time}\">\n    <properties>",
        escaped(&suite)
    );
    for (label, value) in summary.rows() {
        let _ = writeln!(xml, "      <property name=\"{}\" value=\"{}\"/>", escaped(label.trim()), escaped(&value));
    }
    xml += "    </properties>\n";
    let class = escaped(&summary.title());
    if summary.findings.is_empty() {
        let reason = summary.not_exhaustive_because.as_deref().unwrap_or("the search was stopped");
        let body = match summary.exhaustive {
            true => "/>".to_owned(),
            false => format!(">\n      <skipped message=\"not exhaustive: {}\"/>\n    </testcase>", escaped(reason)),
        };
        let _ = writeln!(xml, "    <testcase name=\"no schedule fails\" classname=\"{class}\" time=\"{time}\"{body}");
    }
    for finding in &summary.findings {
        let _ = writeln!(
            xml,
            "    <testcase name=\"{}\" classname=\"{class}\" time=\"{time}\">\n      \
             <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>",
            escaped(&finding.headline),
            escaped(&finding.headline),
            finding.kind,
            escaped(&text(finding))
        );
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

/// A finding as lines: its steps, who waits, its schedule.
fn text(finding: &FindingSummary) -> String {
    let mut text = String::from("\n");
    for step in &finding.steps {
        let _ = writeln!(text, "{:>5}  {}  {}", step.step, step.thread, step.does);
        if let Some(failure) = &step.failure {
            let _ = writeln!(text, "       ✗ {failure}");
        }
    }
    for wait in &finding.waiting {
        let _ = writeln!(text, "{}  {}", wait.thread, wait.reason);
    }
    let _ = writeln!(text, "schedule: {}", finding.schedule);
    text
}

/// What XML 1.0 can hold: control characters are not among it, not even escaped.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || ['\u{fffe}', '\u{ffff}'].contains(&c) => safe.extend(c.escape_default()),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, summary};

    #[test]
    fn a_finding_is_a_failed_test() {
        let xml = to_xml(&summary(vec![finding("deadlock: \"a\" & <b>\u{1b}")]));
        assert!(xml.contains("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{xml}");
        assert!(xml.contains("message=\"deadlock: &quot;a&quot; &amp; &lt;b&gt;\\u{1b}\" type=\"deadlock\""), "{xml}");
    }

    #[test]
    fn a_proof_is_a_test_that_passed_and_what_is_no_proof_was_skipped() {
        let proof = summary(Vec::new());
        assert!(
            to_xml(&proof).contains("<testcase name=\"no schedule fails\" classname=\"lastzero(10)\" time=\"0.250\"/>")
        );
        let stopped = Summary { exhaustive: false, not_exhaustive_because: Some("a limit".to_owned()), ..proof };
        let xml = to_xml(&stopped);
        assert!(
            xml.contains("<skipped message=\"not exhaustive: a limit\"/>") && xml.contains("skipped=\"1\""),
            "{xml}"
        );
    }
}
