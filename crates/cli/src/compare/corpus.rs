//! The counts of the corpus, found again.

use super::CompareArgs;
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use explore::{AlgorithmInfo, Equivalence, Error, Limits, LoopRules, Report, Settings, check_with};
use litmus::corpus::{self, Expected, Row};
use report::progress::ProgressLine;
use report::summary::time;
use report::table::thousands;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use trace::{Class, Execution, Progress, Sink};

/// One row by one algorithm.
#[derive(Serialize)]
struct Checked {
    program: String,
    algorithm: &'static str,
    expected_classes: u64,
    expected_deadlocks: Option<u64>,
    /// Different classes that were explored.
    classes: u64,
    executions: u64,
    deadlocked: u64,
    sleep_set_blocked: u64,
    paper: Option<Paper>,
    seconds: f64,
    verdict: Verdict,
}

/// The paper's figures for an algorithm that is not optimal: to compare with, never to equal.
#[derive(Clone, Copy, Serialize)]
struct Paper {
    /// Executions and blocked runs together.
    runs: u64,
    /// The blocked among them, if the paper says.
    blocked: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Agrees,
    Mismatch,
    NotExhaustive,
}

pub(super) fn compare(args: &CompareArgs, filter: &str) -> Result<Status, Problem> {
    let rows: Vec<Row> = corpus::rows().map_err(Problem::input)?;
    let matching: Vec<&Row> = rows.iter().filter(|row| row.name().contains(filter)).collect();
    let chosen: Vec<&Row> = matching.iter().copied().filter(|row| args.heavy || !row.heavy).collect();
    if chosen.is_empty() {
        let hint = if matching.is_empty() { "leave the filter out to see all" } else { "--heavy includes it" };
        return Err(Problem::Input(format!("no row of the corpus is meant by '{filter}'; {hint}")));
    }
    let widths = Widths { name: chosen.iter().map(|row| shown_name(row).chars().count()).max().unwrap_or(0) };
    if !args.json {
        print(&widths.head())?;
    }
    let mut all = Vec::new();
    let (mut refused, mut unknown) = (0, 0);
    for row in &chosen {
        for info in args.algorithms() {
            let Some(expected) = expected(row, info) else {
                unknown += 1;
                continue;
            };
            let Some(checked) = check_row(args, row, info, expected)? else {
                refused += 1;
                continue;
            };
            if !args.json {
                print(&widths.line(&checked, row))?;
            }
            all.push(checked);
        }
    }
    let count = |verdict| all.iter().filter(|checked| checked.verdict == verdict).count();
    let (mismatches, stopped) = (count(Verdict::Mismatch), count(Verdict::NotExhaustive));
    if args.json {
        print_json(&all)?;
    } else {
        let left_out = matching.len() - chosen.len();
        let heavy = if left_out > 0 {
            format!("; {left_out} heavy rows left out, --heavy includes them")
        } else {
            String::new()
        };
        let refused = if refused > 0 {
            format!("; {refused} left out, as their algorithm does not know all their operations")
        } else {
            String::new()
        };
        let unknown = if unknown > 0 {
            format!("; {unknown} left out, as their count with observers is not in the corpus")
        } else {
            String::new()
        };
        print(&format!(
            "\n{} agree, {mismatches} mismatch, {stopped} stopped at a limit{heavy}{refused}{unknown}\n",
            count(Verdict::Agrees)
        ))?;
    }
    Ok(match (mismatches, stopped) {
        (0, 0) => Status::Proved,
        (0, _) => Status::NotExhaustive,
        _ => Status::Found,
    })
}

/// What a row says of what the algorithm takes for a class.
fn expected(row: &Row, info: &AlgorithmInfo) -> Option<Expected> {
    match info.equivalence {
        Equivalence::Traces => Some(row.traces()),
        Equivalence::Observations => row.observations(),
    }
}

/// Nothing when the algorithm refuses an operation of the program.
fn check_row(
    args: &CompareArgs,
    row: &Row,
    info: &'static AlgorithmInfo,
    expected: Expected,
) -> Result<Option<Checked>, Problem> {
    let program = row.build().map_err(Problem::input)?;
    let limits = Limits { executions: args.max_executions, time: Some(args.max_time), ..Limits::default() };
    let settings = Settings { limits, keep_going: true, loops: LoopRules::NONE, ..Settings::default() };
    let title = format!("{} by {}", shown_name(row), info.name);
    // An optimal algorithm explores no class twice, which the laws check: its executions are its classes.
    let mut classes =
        Classes { progress: ProgressLine::new(title), seen: (!info.guarantee.is_optimal()).then(HashSet::new) };
    let report = match check_with(&program, &mut *(info.make)(), &settings, &mut classes) {
        Err(Error::Unsupported { .. }) => return Ok(None),
        result => result?,
    };
    classes.progress.clear();
    let found = classes.seen.map_or(report.tally.executions(), |seen| seen.len() as u64);
    Ok(Some(Checked {
        program: row.name(),
        algorithm: info.name,
        expected_classes: expected.classes,
        expected_deadlocks: expected.deadlocks,
        classes: found,
        executions: report.tally.executions(),
        deadlocked: report.tally.deadlocked,
        sleep_set_blocked: report.tally.sleep_set_blocked,
        paper: paper(row, info),
        seconds: report.elapsed.as_secs_f64(),
        verdict: verdict(row, info, expected, &report, found),
    }))
}

fn verdict(row: &Row, info: &AlgorithmInfo, expected: Expected, report: &Report, found: u64) -> Verdict {
    if !report.exhaustive {
        return Verdict::NotExhaustive;
    }
    let agrees = |expected: Option<u64>, found: u64| {
        !info.guarantee.is_optimal() || expected.is_none_or(|expected| expected == found)
    };
    let endings = agrees(expected.deadlocks, report.tally.deadlocked) && agrees(expected.cut, report.tally.cut);
    let allowed = info.guarantee.most_blocked(row.pop_blocked, true, false);
    let blocked = allowed.is_some_and(|allowed| report.tally.sleep_set_blocked > allowed);
    if found == expected.classes && endings && !blocked { Verdict::Agrees } else { Verdict::Mismatch }
}

fn paper(row: &Row, info: &AlgorithmInfo) -> Option<Paper> {
    let (runs, blocked) = match info.name {
        "classic" => (row.classic, row.classic_blocked),
        "source" => (row.source, row.source_blocked),
        _ => (None, None),
    };
    runs.map(|runs| Paper { runs, blocked })
}

/// Counts different classes, and shows progress.
struct Classes {
    progress: ProgressLine,
    seen: Option<HashSet<Class>>,
}

impl Sink for Classes {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        if let Some(seen) = &mut self.seen {
            seen.insert(execution.trace.class());
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.progress.progress(progress)
    }
}

/// Rows are printed as they are found, so that their columns are measured before.
struct Widths {
    name: usize,
}

const LONGEST_NAME: usize = 40;

fn shown_name(row: &Row) -> String {
    let name = row.name().split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() <= LONGEST_NAME {
        name
    } else {
        name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
    }
}

impl Widths {
    fn head(&self) -> String {
        format!(
            "{:<width$}  {:<9}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}\n",
            "program",
            "algorithm",
            "expected",
            "classes",
            "executions",
            "blocked",
            "time",
            width = self.name
        )
    }

    fn line(&self, checked: &Checked, row: &Row) -> String {
        let verdict = match (checked.verdict, checked.paper) {
            (Verdict::Mismatch, _) => "  MISMATCH".to_owned(),
            (Verdict::NotExhaustive, _) => "  stopped at a limit".to_owned(),
            (Verdict::Agrees, Some(Paper { runs, blocked })) => {
                let blocked =
                    blocked.map_or(String::new(), |blocked| format!(", {} of them blocked", thousands(blocked)));
                format!("  paper: {} runs{blocked}", thousands(runs))
            }
            (Verdict::Agrees, None) => String::new(),
        };
        format!(
            "{:<width$}  {:<9}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}{verdict}\n",
            shown_name(row),
            checked.algorithm,
            thousands(checked.expected_classes),
            thousands(checked.classes),
            thousands(checked.executions),
            thousands(checked.sleep_set_blocked),
            time(checked.seconds),
            width = self.name
        )
    }
}
