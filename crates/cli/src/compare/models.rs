//! The reductions of `mazurka verify` side by side, on one Promela model.

use super::CompareArgs;
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::target::TargetArgs;
use promela::{Limits, Outcome, Reduction, search};
use report::summary::time;
use report::table::{Align, Table, thousands};
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Compared<'a> {
    schema_version: u32,
    model: &'a str,
    agrees: bool,
    results: Vec<Result>,
}

#[derive(Serialize)]
struct Result {
    reduction: &'static str,
    states: u64,
    transitions: u64,
    wrong: bool,
    complete: bool,
    seconds: f64,
}

pub(super) fn compare(args: &CompareArgs, target: &TargetArgs) -> std::result::Result<Status, Problem> {
    let name = &*target.name;
    let model = crate::verify::read(Path::new(name), &target.defines)?;
    let mut results = Vec::new();
    for reduction in Reduction::ALL {
        let started = Instant::now();
        // All findings are looked for, so that the numbers are those of the whole search.
        let limits = Limits { keep_going: true, time: Some(args.max_time), reduction, ..Limits::default() };
        let outcome = search(&model, &limits);
        results.push(result(reduction, &outcome, started.elapsed()));
    }
    let complete: Vec<&Result> = results.iter().filter(|result| result.complete).collect();
    let agrees = complete.windows(2).all(|pair| pair[0].wrong == pair[1].wrong);
    let is_wrong = results.iter().any(|result| result.wrong);
    let is_complete = !complete.is_empty();
    if args.json {
        print_json(&Compared { schema_version: 1, model: name, agrees, results })?;
    } else {
        print(&text(name, &results, agrees))?;
    }
    Ok(match (is_wrong || !agrees, is_complete) {
        (true, _) => Status::Found,
        (false, true) => Status::Proved,
        (false, false) => Status::NotExhaustive,
    })
}

fn result(reduction: Reduction, outcome: &Outcome, took: Duration) -> Result {
    Result {
        reduction: reduction.name(),
        states: outcome.states,
        transitions: outcome.transitions,
        wrong: outcome.errors > 0,
        complete: outcome.limit.is_none(),
        seconds: took.as_secs_f64(),
    }
}

fn text(name: &str, results: &[Result], agrees: bool) -> String {
    let right = Align::Right;
    let columns = [
        ("reduction", Align::Left),
        ("states", right),
        ("transitions", right),
        ("time", right),
        ("verdict", Align::Left),
    ];
    let mut table = Table::new(&columns);
    for result in results {
        let verdict = match (result.wrong, result.complete) {
            (true, _) => "something is wrong",
            (false, true) => "holds",
            (false, false) => "nothing found, not all states met",
        };
        table.row(vec![
            result.reduction.to_owned(),
            thousands(result.states),
            thousands(result.transitions),
            time(result.seconds),
            verdict.to_owned(),
        ]);
    }
    let mut text = format!("{name}: assertions and end states\n\n{table}");
    if !agrees {
        text += "\nThe verdicts differ: this is an error of Mazurka's.\n";
    }
    text
}
