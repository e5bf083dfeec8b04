//! `mazurka bench`: what the analysis costs. Exact counts are tests; only time is measured here, and it never fails.

mod measure;
mod workloads;

use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::search::algorithm_parser;
use clap::Args;
use explore::AlgorithmInfo;
use measure::{Measurement, measure};
use report::summary::{SCHEMA_VERSION, time};
use report::table::{Align, Table, thousands};
use serde::Serialize;
use workloads::{LONG, WORKLOADS, Workload};

const EXAMPLES: &str = "\
Examples:
  mazurka bench                    all workloads
  mazurka bench lastzero           those with 'lastzero' in their name
  mazurka bench --algorithms source,optimal,pop
  mazurka bench --rounds 5 --json

'bare' is the same schedules run through the same program with no analysis; 'ratio' is what exploring them takes, \
in multiples of that. All are measured alternately, by one worker, and the best round of each counts. Build with --release.";

/// The arguments of `mazurka bench`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Only the workloads with this text in their name
    filter: Option<String>,
    /// Which algorithms, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = algorithm_parser(), default_value = "optimal,pop,unfolding")]
    algorithms: Vec<&'static AlgorithmInfo>,
    /// How often each is measured
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Bench<'a> {
    schema_version: u32,
    optimised_build: bool,
    measurements: &'a [Measurement],
    /// Time for a step of the longest execution, in multiples of a step of one a tenth as long, by the first algorithm: 1 is
    /// linear.
    growth: Option<f64>,
}

/// Measures and prints.
pub(crate) fn bench(args: &BenchArgs) -> Result<Status, Problem> {
    let filter = args.filter.as_deref().unwrap_or("").replace('-', "_");
    let chosen: Vec<&Workload> = WORKLOADS.iter().filter(|workload| workload.title().contains(&filter)).collect();
    if chosen.is_empty() {
        let names: Vec<String> = WORKLOADS.iter().map(Workload::title).collect();
        return Err(Problem::Input(format!("no workload has '{filter}' in its name; there are {}", names.join(", "))));
    }
    let mut measurements = Vec::new();
    for workload in chosen {
        eprintln!("measuring {}", workload.title());
        measurements.extend(measure(workload, &args.algorithms, args.rounds)?);
    }
    let growth = growth(&measurements);
    let optimised_build = !cfg!(debug_assertions);
    if args.json {
        print_json(&Bench { schema_version: SCHEMA_VERSION, optimised_build, measurements: &measurements, growth })?;
    } else {
        print(&text(&measurements, growth))?;
        if !optimised_build {
            print("\nThis is no release build: the figures mean little. Build with --release.\n")?;
        }
    }
    Ok(Status::Proved)
}

fn growth(measurements: &[Measurement]) -> Option<f64> {
    let step = |workload: &Workload| {
        let title = workload.title();
        measurements.iter().find(|m| m.workload == title).map(|m| m.nanoseconds_per_step)
    };
    let [short, long] = LONG;
    Some(step(&long)? / step(&short)?)
}

fn text(measurements: &[Measurement], growth: Option<f64>) -> String {
    let mut table = Table::new(&[
        ("workload", Align::Left),
        ("algorithm", Align::Left),
        ("executions", Align::Right),
        ("time", Align::Right),
        ("executions/s", Align::Right),
        ("ns/step", Align::Right),
        ("bare ns/step", Align::Right),
        ("ratio", Align::Right),
        ("", Align::Left),
    ]);
    for m in measurements {
        table.row(vec![
            m.workload.clone(),
            m.algorithm.to_owned(),
            thousands(m.executions),
            time(m.seconds),
            thousands(m.executions_per_second as u64),
            format!("{:.1}", m.nanoseconds_per_step),
            format!("{:.1}", m.bare_nanoseconds_per_step),
            format!("{:.2}", m.ratio_to_bare),
            if m.complete { String::new() } else { "the first part of the search only".to_owned() },
        ]);
    }
    let mut text = table.to_string();
    if let Some(growth) = growth {
        text += &format!("\nA step of an execution ten times as long takes {growth:.2} times as long (1 is linear).\n");
    }
    text
}
