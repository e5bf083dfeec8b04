//! Several algorithms on one program, each in a process of its own.

use super::CompareArgs;
use crate::child::{Answer, Child};
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::search::status;
use crate::target::{Target, TargetArgs};
use explore::{AlgorithmInfo, Equivalence};
use report::summary::{SCHEMA_VERSION, Summary, memory, time};
use report::table::{Align, Table, thousands};
use serde::Serialize;

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
            // What is said of a program, not of an algorithm, is said once.
            Answer::Refusal(refusal) if refusals.contains(&refusal.refused) => {}
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

fn search(args: &CompareArgs, target: &Target, info: &AlgorithmInfo) -> Result<Answer, Problem> {
    let naive = (info.name == "naive").then_some(NAIVE_EXECUTIONS);
    let options = target.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let child = Child {
        program: &target.name,
        arguments: &target.arguments,
        algorithm: info.name,
        max_time: args.max_time,
        max_executions: args.max_executions.or(naive),
        workers: args.workers,
        bounds: args.bounds,
        options: &options,
    };
    child.search()
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
    for (best_info, best) in exhaustive().filter(|(info, _)| info.guarantee.is_optimal()) {
        for (info, other) in exhaustive() {
            let (least, most) = (best.counts.executions, other.counts.executions);
            // With observers, a class is one trace or several.
            let wrong = match (best_info.equivalence, info.equivalence) {
                (best, other) if best == other => most < least || (info.guarantee.is_optimal() && most != least),
                (Equivalence::Observations, _) => most < least,
                (Equivalence::Traces, _) => false,
            };
            if wrong {
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
        let observations = target.observations.map(|n| format!(", and {} with observers", thousands(n)));
        text += &format!("\n{} classes are expected{}.\n", thousands(expected), observations.unwrap_or_default());
    }
    for disagreement in disagreements {
        text += &format!("\nMISMATCH: {disagreement}.\n");
    }
    text
}
