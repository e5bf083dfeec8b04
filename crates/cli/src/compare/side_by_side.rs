//! Several algorithms on one program, each in a process of its own.

use super::CompareArgs;
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::run::Refusal;
use crate::search::status;
use crate::target::{Target, TargetArgs};
use explore::AlgorithmInfo;
use report::summary::{SCHEMA_VERSION, Summary, memory, time};
use report::table::{Align, Table, thousands};
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// How many executions `naive` may run when nothing else is said: it is there to be looked at, not waited for.
const NAIVE_EXECUTIONS: u64 = 1_000_000;

#[derive(Serialize)]
struct Comparison<'a> {
    schema_version: u32,
    program: &'a str,
    arguments: &'a [i64],
    expected_executions: Option<u64>,
    agrees: bool,
    results: &'a [Summary],
    refusals: &'a [String],
}

/// What `mazurka run --json` prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Refusal(Refusal),
    Summary(Box<Summary>),
}

pub(super) fn compare(args: &CompareArgs, target: &TargetArgs) -> Result<Status, Problem> {
    let target = target.load()?;
    let algorithms = args.algorithms();
    let mut ran: Vec<&AlgorithmInfo> = Vec::new();
    let mut results: Vec<Summary> = Vec::new();
    let mut refusals: Vec<String> = Vec::new();
    for info in algorithms {
        match search(args, &target, info)? {
            Answer::Summary(summary) => {
                ran.push(info);
                results.push(*summary);
            }
            Answer::Refusal(refusal) => refusals.push(refusal.refused),
        }
    }
    if results.is_empty() {
        return Err(Problem::Input(refusals.join("\n")));
    }
    let disagreements = disagreements(&ran, &results);
    if args.json {
        print_json(&Comparison {
            schema_version: SCHEMA_VERSION,
            program: &target.name,
            arguments: &target.arguments,
            expected_executions: target.classes,
            agrees: disagreements.is_empty(),
            results: &results,
            refusals: &refusals,
        })?;
    } else {
        print(&text(&target, &results, &disagreements))?;
        for refusal in &refusals {
            print(&format!("\nleft out: {refusal}\n"))?;
        }
    }
    let found = results.iter().any(|result| result.counts.failed + result.counts.deadlocked > 0);
    Ok(status(found || !disagreements.is_empty(), results.iter().any(|result| result.exhaustive)))
}

/// Runs `mazurka run` on the same program. Its progress line goes to the same terminal.
fn search(args: &CompareArgs, target: &Target, info: &AlgorithmInfo) -> Result<Answer, Problem> {
    let this =
        std::env::current_exe().map_err(|error| Problem::Input(format!("cannot find mazurka itself: {error}")))?;
    let mut command = Command::new(this);
    command.args(["run", &target.name]).args(target.arguments.iter().map(i64::to_string));
    command.args(["--keep-going", "--json", "--algorithm", info.name]);
    command.args(["--max-time", &humantime::format_duration(args.max_time).to_string()]);
    args.bounds.hand_on(&mut command);
    let naive = (info.name == "naive").then_some(NAIVE_EXECUTIONS);
    if let Some(executions) = args.max_executions.or(naive) {
        command.args(["--max-executions", &executions.to_string()]);
    }
    let cannot =
        |why: &dyn std::fmt::Display| Problem::Input(format!("the search by {} did not work: {why}", info.name));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot(&error))?;
    if output.stdout.is_empty() {
        return Err(cannot(&format_args!("it ended with {}", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| cannot(&error))
}

/// Counts that cannot both be right.
fn disagreements(algorithms: &[&AlgorithmInfo], results: &[Summary]) -> Vec<String> {
    let mut found: Vec<String> = results
        .iter()
        .filter(|result| result.agrees == Some(false))
        .map(|result| {
            let (counted, expected) = (result.counts.executions, result.expected_executions.unwrap_or(0));
            format!("{} found {counted} executions, and {expected} are expected", result.algorithm)
        })
        .collect();
    let exhaustive = || algorithms.iter().zip(results).filter(|(_, result)| result.exhaustive);
    for (_, best) in exhaustive().filter(|(info, _)| info.optimal) {
        for (info, other) in exhaustive() {
            let (least, most) = (best.counts.executions, other.counts.executions);
            if most < least || (info.optimal && most != least) {
                found.push(format!(
                    "{} explored {most} executions, and {}, which explores each class once, {least}",
                    other.algorithm, best.algorithm
                ));
            }
        }
    }
    found
}

fn text(target: &Target, results: &[Summary], disagreements: &[String]) -> String {
    let mut table = Table::new(&[
        ("algorithm", Align::Left),
        ("executions", Align::Right),
        ("completed", Align::Right),
        ("deadlocked", Align::Right),
        ("failed", Align::Right),
        ("cut", Align::Right),
        ("blocked", Align::Right),
        ("time", Align::Right),
        ("executions/s", Align::Right),
        ("memory", Align::Right),
        ("", Align::Left),
    ]);
    for result in results {
        let counts = &result.counts;
        table.row(vec![
            result.algorithm.clone(),
            thousands(counts.executions),
            thousands(counts.completed),
            thousands(counts.deadlocked),
            thousands(counts.failed),
            thousands(counts.assume_cut),
            thousands(counts.sleep_set_blocked),
            time(result.seconds),
            thousands(result.executions_per_second as u64),
            result.peak_memory_bytes.map_or("?".to_owned(), memory),
            result.not_exhaustive_because.as_ref().map_or(String::new(), |reason| format!("stopped: {reason}")),
        ]);
    }
    let mut text = format!("{}\n\n{table}", target.title());
    if let Some(expected) = target.classes {
        text += &format!("\n{} classes are expected.\n", thousands(expected));
    }
    for disagreement in disagreements {
        text += &format!("\nMISMATCH: {disagreement}.\n");
    }
    text
}
