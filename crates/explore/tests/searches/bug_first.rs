//! Samples before the proof, and simpler executions for what is found.

use litmus::LitmusProgram;
use mazurka_explore::{Report, Settings, check_by, replay};
use std::ops::ControlFlow;
use trace::{Execution, Sink};

fn program(text: &str) -> LitmusProgram {
    LitmusProgram::new(text.parse().unwrap()).unwrap()
}

fn settings() -> Settings {
    Settings { bug_first: true, shrink: true, ..Settings::default() }
}

fn search(text: &str, settings: &Settings) -> Report {
    check_by(None, &program(text), settings, &mut ()).unwrap().1
}

/// Writers of two variables, and one thread that must not see only the first write.
fn reorder(writers: usize) -> String {
    let check = "a = x; b = y; assert a == b, \"half\"";
    format!("var x, y; {}{check}", "x = 1; y = 1 | ".repeat(writers))
}

/// How often a finding goes from one thread to another.
fn switches(report: &Report) -> usize {
    let events = report.findings[0].trace.events();
    events.windows(2).filter(|pair| pair[0].thread() != pair[1].thread()).count()
}

#[test]
fn a_bug_that_the_search_for_proof_comes_to_late_is_found_by_samples() {
    let report = search(&reorder(12), &settings());
    assert!(report.is_sampled() && !report.exhaustive);
    assert!(report.sampled.runs() <= 500 && report.tally.runs() <= 256, "{report:?}");
    assert_eq!(report.findings[0].failures[0].1.message, "half");
}

#[test]
fn small_searches_and_bounded_ones_are_not_put_off() {
    let two = search(&reorder(1), &settings());
    assert_eq!(two.sampled.runs(), 0);
    let fetches = format!("var x; {}r = fetch_add x, 1", "r = fetch_add x, 1 | ".repeat(5));
    let proof = search(&fetches, &settings());
    assert_eq!((proof.tally.completed, proof.exhaustive), (720, true));
    assert_eq!(proof.sampled.runs(), 500);
    let all = search(&fetches, &Settings { keep_going: true, ..settings() });
    assert_eq!((all.tally.completed, all.sampled.runs()), (720, 0));
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    executions: u64,
    aside: u64,
}

impl Sink for Told {
    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        self.executions += 1;
        ControlFlow::Continue(())
    }

    fn aside(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        self.aside += 1;
        ControlFlow::Continue(())
    }
}

#[test]
fn nobody_is_told_of_an_execution_twice() {
    let text = format!("var x; {}r = fetch_add x, 1", "r = fetch_add x, 1 | ".repeat(5));
    let mut told = Told::default();
    check_by(None, &program(&text), &settings(), &mut told).unwrap();
    assert_eq!((told.executions, told.aside), (720, 500 + 256));
}

#[test]
fn a_finding_is_shown_with_few_switches_and_can_be_run_again() {
    // Both must be seen half done, which needs two switches away from threads that could go on.
    let text = "var x, y; x = 1; yield; y = 1; yield | yield; yield; a = x; yield; b = y; assert a == b, \"half\" | yield; yield";
    let simple = search(text, &settings());
    let found = search(text, &Settings { shrink: false, ..settings() });
    assert!(switches(&simple) <= switches(&found), "{} and {}", switches(&simple), switches(&found));
    assert!(switches(&simple) <= 4, "{} switches", switches(&simple));
    let finding = &simple.findings[0];
    let again = replay(&program(text), &finding.schedule, &settings(), &mut ()).unwrap();
    assert_eq!(again.findings[0].schedule, finding.schedule);
    assert_eq!(again.findings[0].failures, finding.failures);
}

#[test]
fn a_deadlock_stays_the_same_deadlock() {
    let text = "mutex m, n; var x; lock m; x = 1; lock n; unlock n; unlock m | lock n; r = x; lock m; unlock m; unlock n \
                | yield; r = x";
    let simple = search(text, &settings());
    let found = search(text, &Settings { shrink: false, ..settings() });
    let waits = |report: &Report| report.findings[0].waiting.iter().map(|p| (p.thread, p.op)).collect::<Vec<_>>();
    assert_eq!(waits(&simple), waits(&found));
}
