//! The papers' programs in C have the classes of their litmus forms, and those are the corpus' counts.

use crate::checking::{check, check_with, compilers};
use crate::head::{Program, programs};
use crate::parallel;
use crate::verdicts::{counts_of, same};
use litmus::c_source::{self, Unprintable};
use litmus::corpus::{self, Row};
use report::summary::Counts;

/// Rows of more classes than this only with [`EVERY_ROW`].
const MOST_CLASSES: u64 = 20_000;

/// Set, all rows are tried, the heavy ones too.
const EVERY_ROW: &str = "MAZURKA_EVERY_ROW";

/// A program with arguments.
struct Trial {
    program: Program,
    row: Row,
    compiler: &'static str,
}

impl Trial {
    fn flags(&self) -> Vec<String> {
        let macros = self.program.litmus.as_ref().map_or(&[][..], |(_, macros)| macros);
        macros.iter().zip(&self.row.args).map(|(name, value)| format!("-D{name}={value}")).collect()
    }

    fn run(&self) -> Result<(), String> {
        let told = |problem: String| format!("{} by {}: {problem}", self.row.name(), self.compiler);
        let answer = check(&self.program, self.compiler, &self.flags())?;
        let counts = match &answer.summary {
            Some(summary) if answer.status < 2 => summary.counts,
            _ => return Err(told(answer.told())),
        };
        if counts.executions != self.row.classes {
            let (found, known) = (counts.executions, self.row.classes);
            return Err(told(format!("{found} classes, not {known}\n{}", answer.told())));
        }
        let litmus = self.row.build().map_err(|error| told(error.to_string()))?;
        let expected = counts_of(&litmus);
        // gcc keeps variables on the stack after their last use, so that a thread that comes round is not known to: it goes on
        // instead of being cut.
        match self.compiler {
            "gcc" => same(&rounds_run(expected), &rounds_run(counts)).map_err(told),
            _ => same(&expected, &counts).map_err(told),
        }
    }
}

/// As many, where executions that are cut are counted with those that complete.
fn rounds_run(counts: Counts) -> Counts {
    Counts { completed: counts.completed + counts.assume_cut, assume_cut: 0, ..counts }
}

/// The rows of a program: all, or three of them, spread from the smallest to the largest.
fn rows_of(program: &Program, rows: &[Row]) -> Vec<Row> {
    let Some((name, _)) = &program.litmus else { return Vec::new() };
    let every = std::env::var_os(EVERY_ROW).is_some();
    let of_program = |row: &&Row| row.program.as_ref() == Some(name);
    let wanted = |row: &&Row| every || (!row.heavy && row.classes <= MOST_CLASSES);
    let mut found: Vec<Row> = rows.iter().filter(of_program).filter(wanted).cloned().collect();
    found.sort_by_key(|row| row.classes);
    assert!(!found.is_empty(), "the corpus has no row of {name}");
    let last = found.len() - 1;
    if !every {
        let mut chosen = vec![0, last / 2, last];
        chosen.dedup();
        found = chosen.into_iter().map(|i| found[i].clone()).collect();
    }
    found
}

#[test]
fn the_papers_programs_have_the_classes_of_their_litmus_forms() {
    let rows = corpus::rows().expect("the corpus can be read");
    let mut trials = Vec::new();
    for program in programs("corpus") {
        let rows = rows_of(&program, &rows);
        for (i, &compiler) in compilers().iter().enumerate() {
            // Each further compiler is tried on the largest only.
            let skipped = if i == 0 { 0 } else { rows.len().saturating_sub(1) };
            let rows = rows.iter().skip(skipped).cloned();
            trials.extend(rows.map(|row| Trial { program: program.clone(), row, compiler }));
        }
    }
    parallel::all(&trials, Trial::run);
}

#[test]
fn unfoldings_have_the_same_classes() {
    let rows = corpus::rows().expect("the corpus can be read");
    let mut trials = Vec::new();
    for program in programs("corpus") {
        let smallest = rows_of(&program, &rows).into_iter().next();
        trials.extend(smallest.map(|row| Trial { program, row, compiler: compilers()[0] }));
    }
    assert!(trials.len() > 30, "only {} programs", trials.len());
    parallel::all(&trials, |trial| {
        let options = ["--json", "--keep-going", "--every-round", "--algorithm", "unfolding"];
        let answer = check_with(&trial.program, trial.compiler, &options, &trial.flags())?;
        match answer.summary.as_ref().map(|summary| summary.counts) {
            Some(counts) if counts.executions == trial.row.classes && counts.sleep_set_blocked == 0 => Ok(()),
            _ => Err(format!("{}, {} classes: {}", trial.row.name(), trial.row.classes, answer.told())),
        }
    });
}

#[test]
fn every_program_of_the_library_is_there_in_c() {
    let written: Vec<String> =
        programs("corpus").into_iter().map(|p| p.name().trim_end_matches(".c").to_owned()).collect();
    for entry in litmus::library::all() {
        let program = entry.build_default().expect("defaults are good arguments");
        // C has no mailboxes.
        let portable = c_source::portable(program.sketch());
        if matches!(c_source::print(&[portable]), Err(Unprintable::Action(_))) {
            continue;
        }
        assert!(written.iter().any(|name| name == entry.name), "no C form of {}", entry.name);
    }
}
