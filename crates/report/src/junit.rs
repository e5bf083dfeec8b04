//! What continuous integration reads as the result of a test: JUnit's XML.
//!
//! A search is a test suite, and each finding a test that failed. What was looked for and not found is a test, which passed, or
//! was skipped if the search was not exhaustive.

use crate::results::Results;
use crate::summary::FindingSummary;
use std::fmt::Write;

/// The file.
pub fn to_xml(results: &Results<'_>) -> String {
    let failures = results.findings.len();
    let tests = failures + results.checks.len();
    let skipped = results.checks.iter().filter(|check| check.open.is_some()).count();
    let time = format!("{:.3}", results.seconds);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"mazurka\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{time}\">\n  \
         <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
         time=\"{time}\">\n    <properties>",
        escaped(&results.suite)
    );
    for (label, value) in &results.facts {
        let _ = writeln!(xml, "      <property name=\"{}\" value=\"{}\"/>", escaped(label), escaped(value));
    }
    xml += "    </properties>\n";
    let class = escaped(&results.title);
    for check in &results.checks {
        let body = match &check.open {
            None => "/>".to_owned(),
            Some(why) => format!(">\n      <skipped message=\"not exhaustive: {}\"/>\n    </testcase>", escaped(why)),
        };
        let (name, time) = (escaped(&check.name), format!("{:.3}", check.seconds));
        let _ = writeln!(xml, "    <testcase name=\"{name}\" classname=\"{class}\" time=\"{time}\"{body}");
    }
    for finding in &results.findings {
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
    use crate::summary::Summary;
    use crate::testing::{finding, summary};

    #[test]
    fn a_finding_is_a_failed_test() {
        let xml = to_xml(&Results::from(&summary(vec![finding("deadlock: \"a\" & <b>\u{1b}")])));
        assert!(xml.contains("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{xml}");
        assert!(xml.contains("message=\"deadlock: &quot;a&quot; &amp; &lt;b&gt;\\u{1b}\" type=\"deadlock\""), "{xml}");
    }

    #[test]
    fn a_proof_is_a_test_that_passed_and_what_is_no_proof_was_skipped() {
        let proof = summary(Vec::new());
        assert!(
            to_xml(&Results::from(&proof))
                .contains("<testcase name=\"no schedule fails\" classname=\"lastzero(10)\" time=\"0.250\"/>")
        );
        let stopped = Summary { exhaustive: false, not_exhaustive_because: Some("a limit".to_owned()), ..proof };
        let xml = to_xml(&Results::from(&stopped));
        assert!(
            xml.contains("<skipped message=\"not exhaustive: a limit\"/>") && xml.contains("skipped=\"1\""),
            "{xml}"
        );
    }
}
