//! The record: a table for each suite, and what came of all.

use crate::run::{Ending, Outcome};
use crate::suite::Suite;
use std::fmt::Write;
use std::time::Duration;

/// One test, by both tools.
pub struct Row {
    pub test: String,
    pub loom: Outcome,
    pub mazurka: Outcome,
}

/// A suite, run by both.
pub struct Section {
    pub suite: Suite,
    /// What is to be said of it: that it was not built, or has no tests.
    pub remark: Option<String>,
    pub rows: Vec<Row>,
}

fn word(outcome: &Outcome) -> String {
    match outcome.ending {
        Ending::Passed => "pass".to_owned(),
        Ending::Failed => "fail".to_owned(),
        Ending::Crashed(signal) => format!("signal {signal}"),
        Ending::Stopped => "no end".to_owned(),
        Ending::Missing => "–".to_owned(),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

fn count(outcome: &Outcome) -> String {
    outcome.executions.map_or("–".to_owned(), |n| n.to_string())
}

/// Tests, those that passed, and CPU time.
#[derive(Default)]
struct Sum {
    tests: usize,
    passed: usize,
    cpu: Duration,
}

impl Sum {
    fn add(&mut self, outcome: &Outcome) {
        self.tests += usize::from(outcome.ending != Ending::Missing);
        self.passed += usize::from(outcome.ending == Ending::Passed);
        self.cpu += outcome.cpu;
    }
}

pub fn print(sections: &[Section]) -> String {
    let mut text = String::from(
        "| suite | version | preemptions | tests | pass with loom | pass with Mazurka | CPU s with loom | CPU s with Mazurka |\n|---|---|---|---|---|---|---|---|\n",
    );
    let (mut all_loom, mut all_mazurka) = (Sum::default(), Sum::default());
    for section in sections {
        let (mut loom, mut mazurka) = (Sum::default(), Sum::default());
        for row in &section.rows {
            [&mut loom, &mut all_loom].into_iter().for_each(|sum| sum.add(&row.loom));
            [&mut mazurka, &mut all_mazurka].into_iter().for_each(|sum| sum.add(&row.mazurka));
        }
        let Suite { name, version, preemptions, .. } = &section.suite;
        let _ = writeln!(
            text,
            "| {name} | {version} | {preemptions} | {} | {} | {} | {} | {} |",
            section.rows.len(),
            loom.passed,
            mazurka.passed,
            seconds(loom.cpu),
            seconds(mazurka.cpu)
        );
    }
    let _ = writeln!(
        text,
        "| all | | | {} | {} | {} | {} | {} |\n",
        all_loom.tests.max(all_mazurka.tests),
        all_loom.passed,
        all_mazurka.passed,
        seconds(all_loom.cpu),
        seconds(all_mazurka.cpu)
    );
    for section in sections {
        section.print(&mut text);
    }
    text
}

impl Section {
    fn print(&self, text: &mut String) {
        let _ = writeln!(text, "## {} {}\n", self.suite.name, self.suite.version);
        if let Some(remark) = &self.remark {
            let _ = writeln!(text, "{remark}\n");
        }
        if self.rows.is_empty() {
            return;
        }
        text.push_str(
            "| test | loom | CPU s | executions | Mazurka | CPU s | executions |\n|---|---|---|---|---|---|---|\n",
        );
        for Row { test, loom, mazurka } in &self.rows {
            let _ = writeln!(
                text,
                "| {test} | {} | {} | {} | {} | {} | {} |",
                word(loom),
                seconds(loom.cpu),
                count(loom),
                word(mazurka),
                seconds(mazurka.cpu),
                count(mazurka)
            );
        }
        text.push('\n');
    }
}
