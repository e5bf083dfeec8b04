//! Models with their known answers, which stand in their first comment:
//!
//! ```text
//! holds                                   assertions and end states
//! wrong: TEXT                             what is reported begins with this
//! states N                                without any reduction
//! holds of claim NAME, wrong of claim NAME: TEXT, and the same with `fairly of`
//! ```

use crate::oracle::{Counts, Spin};
use mazurka_promela::{Limits, Model, Outcome, Property, search, search_cycles};
use std::path::{Path, PathBuf};

pub(crate) fn models() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("a file").path())
        .map(|path| (path.clone(), std::fs::read_to_string(path).expect("a model")))
        .collect();
    found.sort();
    found
}

/// The lines of the first comment that say something of answers.
fn head(text: &str) -> Vec<&str> {
    let comment = text.split("*/").next().unwrap_or("");
    let lines = comment.lines().map(|line| line.trim().trim_start_matches(['/', '*']).trim());
    lines.filter(|line| ["holds", "wrong", "states"].iter().any(|word| line.starts_with(word))).collect()
}

fn check(path: &Path, line: &str, outcome: &Outcome) {
    let wrong = outcome.finding.as_ref().map(|finding| finding.wrong.text());
    match line.split_once(": ") {
        None => assert!(outcome.is_proof(), "{}: {line}, but {wrong:?}", path.display()),
        Some((_, text)) => {
            let found = wrong.unwrap_or("nothing is wrong");
            assert!(found.starts_with(text), "{}: {line}, but {found}", path.display());
        }
    }
}

#[test]
fn models_have_their_known_answers() {
    for (path, text) in models() {
        let model = Model::parse(&path.to_string_lossy(), &text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        let limits = Limits::default();
        for line in head(&text) {
            if let Some(states) = line.strip_prefix("states ") {
                let outcome = search(&model, &Limits { keep_going: true, ..limits.clone() });
                assert_eq!(outcome.states.to_string(), states, "{}", path.display());
            } else if let Some((_, claim)) = line.split_once("of claim ") {
                let name = claim.split(':').next().unwrap_or(claim);
                let fair = line.contains("fairly");
                let property = Property::Claim(name.to_owned());
                let outcome = search_cycles(&model, &property, fair, &limits).expect("the claim is there");
                check(&path, line, &outcome);
            } else {
                check(&path, line, &search(&model, &limits));
            }
        }
    }
}

#[test]
fn models_have_the_states_that_spin_counts() {
    let Some(spin) = Spin::find() else { return };
    for (path, text) in models() {
        let model = Model::parse(&path.to_string_lossy(), &text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        let outcome = search(&model, &Limits { keep_going: true, ..Limits::default() });
        let ours = Counts { states: outcome.states, errors: outcome.errors };
        assert_eq!(Ok(ours), spin.count(&text, &["-DSAFETY", "-DNOCLAIM"], &[]), "{}", path.display());
    }
}

/// The verdicts of claims are SPIN's, with and without fairness.
#[test]
fn claims_hold_where_they_hold_for_spin() {
    let Some(spin) = Spin::find() else { return };
    for (path, text) in models() {
        let model = Model::parse(&path.to_string_lossy(), &text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        for claim in model.claims() {
            for fair in [false, true] {
                let property = Property::Claim(claim.to_owned());
                let outcome = search_cycles(&model, &property, fair, &Limits::default()).expect("the claim is there");
                let options: &[&str] = if fair { &["-a", "-f", "-N", claim] } else { &["-a", "-N", claim] };
                let theirs = spin.count(&text, &[], options).map(|counts| counts.errors > 0);
                assert_eq!(Ok(outcome.errors > 0), theirs, "{} {claim}, fair: {fair}", path.display());
            }
        }
    }
}

#[test]
fn an_atomic_that_never_ends_is_left_when_it_comes_round() {
    let text =
        "byte x; bit b; active proctype P() { atomic { do :: x = (x + 1) % 100 od } } active proctype Q() { b = 1 }";
    let model = Model::parse("model.pml", text, &[]).expect("a model");
    let outcome = search(&model, &Limits::default());
    assert!(outcome.is_proof());
    assert_eq!(outcome.states, 3);
    let outcome = search_cycles(&model, &Property::NonProgress, false, &Limits::default()).expect("no claim is needed");
    assert_eq!(outcome.limit, None);
}

#[test]
fn an_atomic_that_grows_meets_the_limit_of_memory() {
    let model = Model::parse("m", "int x; active proctype P() { atomic { do :: x++ od } }", &[]).expect("a model");
    let outcome = search(&model, &Limits { memory: Some(10_000_000), ..Limits::default() });
    assert_eq!(outcome.limit, Some(mazurka_promela::Limit::Memory));
}

#[test]
fn a_counterexample_names_processes_lines_and_changes() {
    let text = "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 0)\n}\n";
    let model = Model::parse("model.pml", text, &[]).expect("a model");
    let outcome = search(&model, &Limits::default());
    let finding = outcome.finding.expect("the assertion fails");
    let trail = mazurka_promela::trail(&model, &finding);
    assert_eq!(trail.processes, ["P:0"]);
    let rows: Vec<_> = trail.rows.iter().map(|row| (row.line.as_str(), row.text.as_str())).collect();
    assert_eq!(rows, [("model.pml:3", "x = 1;"), ("model.pml:4", "assert(x == 0)")]);
    let changes: Vec<String> = trail.rows[0].changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["x = 1"]);
}
