//! What code-scanning pages read: SARIF 2.1.0, with the steps of each finding as a code flow.

use crate::results::Results;
use crate::summary::{FindingSummary, LineSummary};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Longer executions are told by their last steps: pages that show them refuse more.
const MOST_STEPS: usize = 1_000;

/// The kinds of findings, with what they are.
const RULES: [(&str, &str); 2] =
    [("failure", "A thread fails under some schedule."), ("deadlock", "Threads wait for ever under some schedule.")];

/// The file. `text_of` is the text of a file that nobody else has, such as the listing of a built-in program.
pub fn to_json(results: &Results<'_>, text_of: impl Fn(&str) -> Option<String>) -> String {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for line in results.findings.iter().copied().flat_map(lines) {
        let next = files.len();
        files.entry(&line.file).or_insert(next);
    }
    let mut artifacts: Vec<(usize, Value)> =
        files.iter().map(|(file, &place)| (place, artifact(file, text_of(file)))).collect();
    artifacts.sort_by_key(|(place, _)| *place);
    let rules = RULES.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "mazurka", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "artifacts": artifacts.into_iter().map(|(_, artifact)| artifact).collect::<Vec<_>>(),
            "results": results.findings.iter().map(|finding| result(finding, &files)).collect::<Vec<_>>(),
            "properties": results.properties,
        }],
    });
    serde_json::to_string_pretty(&sarif).expect("strings, numbers and lists are always JSON") + "\n"
}

/// Every line that a finding speaks of.
fn lines(finding: &FindingSummary) -> impl Iterator<Item = &LineSummary> {
    let steps = finding.steps.iter().filter_map(|step| step.line.as_ref());
    let waits = finding.waiting.iter().filter_map(|wait| wait.line.as_ref());
    steps.chain(waits).chain(finding.failures.iter().filter_map(|failure| failure.line.as_ref()))
}

fn artifact(file: &str, text: Option<String>) -> Value {
    let mut artifact = json!({ "location": { "uri": uri(file) } });
    if let Some(text) = text {
        artifact["contents"] = json!({ "text": text });
    }
    artifact
}

/// A path as a reference: what stands for something else in one is written by its number.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => uri.push(byte.into()),
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

fn location(line: Option<&LineSummary>, message: &str, files: &BTreeMap<&str, usize>) -> Value {
    let mut location = json!({ "message": { "text": message } });
    if let Some(line) = line {
        location["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri(&line.file), "index": files[line.file.as_str()] },
            "region": { "startLine": line.line },
        });
    }
    location
}

fn result(finding: &FindingSummary, files: &BTreeMap<&str, usize>) -> Value {
    let rule = RULES.iter().position(|(id, _)| *id == finding.kind);
    let mut result = json!({
        "ruleId": finding.kind,
        "level": if rule.is_some() { "error" } else { "note" },
        "message": { "text": message(finding) },
        "locations": [location(finding.line(), &finding.headline, files)],
        "codeFlows": [{ "message": { "text": "the interleaving" }, "threadFlows": [flow(finding, files)] }],
        "partialFingerprints": { "mazurkaHeadline/v1": finding.headline },
        "properties": { "schedule": finding.schedule },
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = json!(rule);
    }
    result
}

fn message(finding: &FindingSummary) -> String {
    let mut text = finding.headline.clone();
    for wait in &finding.waiting {
        text += &format!("\n{} {}", wait.thread, wait.reason);
    }
    if let Some([first, second]) = finding.pivot {
        text += &format!("\nStep {first} comes before step {second}; the other way round, this does not happen.");
    }
    text
}

/// All steps, in the one order in which they were taken.
fn flow(finding: &FindingSummary, files: &BTreeMap<&str, usize>) -> Value {
    let first = finding.steps.len().saturating_sub(MOST_STEPS);
    let is_essential = |step: u32| finding.pivot.is_some_and(|pivot| pivot.contains(&step));
    let mut locations: Vec<Value> = finding.steps[first..]
        .iter()
        .map(|step| {
            let text = format!("{}: {}", step.thread, step.does);
            let importance = match step.failure.is_some() || is_essential(step.step) {
                true => "essential",
                false => "important",
            };
            json!({
                "location": location(step.line.as_ref(), &text, files),
                "executionOrder": step.step,
                "importance": importance,
            })
        })
        .collect();
    for failure in &finding.failures {
        let text = format!("{}: {}", failure.thread, failure.message);
        locations.push(json!({ "location": location(failure.line.as_ref(), &text, files), "importance": "essential" }));
    }
    for wait in &finding.waiting {
        let text = format!("{} {}", wait.thread, wait.reason);
        locations.push(json!({ "location": location(wait.line.as_ref(), &text, files), "importance": "essential" }));
    }
    if locations.is_empty() {
        locations.push(json!({ "location": location(None, "no step was taken", files) }));
    }
    json!({ "locations": locations })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, summary};

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("/a b/ü.c"), "file:///a%20b/%C3%BC.c");
        assert_eq!(uri("tests/x.rs"), "tests/x.rs");
    }

    #[test]
    fn the_interleaving_is_a_code_flow() {
        let sarif: Value =
            serde_json::from_str(&to_json(&Results::from(&summary(vec![finding("deadlock: T1")])), |_| None)).unwrap();
        let result = &sarif["runs"][0]["results"][0];
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        assert_eq!(steps[0]["location"]["message"]["text"], "T1: lock m");
        assert_eq!(steps.last().unwrap()["location"]["message"]["text"], "T1 waits to lock m");
    }

    #[test]
    fn a_search_that_found_nothing_has_no_results() {
        let sarif: Value = serde_json::from_str(&to_json(&Results::from(&summary(Vec::new())), |_| None)).unwrap();
        assert_eq!(sarif["runs"][0]["results"], json!([]));
    }
}
