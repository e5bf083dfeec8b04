//! `mazurka table1`: Table 1 of the paper on POP, measured again beside the paper's figures.

mod paper;

use crate::measured::{Measured, optimal_and_pop};
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use clap::Args;
use paper::{Line, TABLE_1};
use report::summary::SCHEMA_VERSION;
use report::table::{Align, Table, thousands};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka table1                       all 30 lines, at most a minute for each search
  mazurka table1 lastzero              the lines with 'lastzero' in their name
  mazurka table1 --max-time 1h --json

Each search runs in a process of its own, so that its peak memory is its own. The paper's figures were measured with other \
tools on another machine: compare ratios. Build with --release.

Exit status: 0 every count is the paper's, 1 some is not, 2 bad usage, 3 some search was stopped or refused.";

/// The arguments of `mazurka table1`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Table1Args {
    /// Only the lines with this text in their name
    filter: Option<String>,
    /// Time for each search, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s")]
    max_time: Duration,
    /// With pop: how many threads of the operating system search at the same time
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    workers: NonZeroUsize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    paper: Line,
    /// By `optimal`, by `pop`.
    ours: [Measured; 2],
}

#[derive(Serialize)]
struct Output<'a> {
    schema_version: u32,
    optimised_build: bool,
    lines: &'a [Row],
}

/// Measures, and prints line by line.
pub(crate) fn table1(args: &Table1Args) -> Result<Status, Problem> {
    let filter = args.filter.as_deref().unwrap_or("").replace('_', "-");
    let chosen: Vec<Line> = TABLE_1.into_iter().filter(|line| line.benchmark.contains(&filter)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TABLE_1.iter().map(|line| line.benchmark).collect();
        return Err(Problem::Input(format!("no line has '{filter}' in its name; there are {}", names.join(", "))));
    }
    let mut lines = Vec::new();
    for paper in chosen {
        eprintln!("measuring {}", paper.benchmark);
        let [optimal, pop] = optimal_and_pop()
            .map(|info| Measured::of(paper.program, paper.arguments, info, args.max_time, args.workers));
        lines.push(Row { paper, ours: [optimal?, pop?] });
    }
    let optimised_build = !cfg!(debug_assertions);
    if args.json {
        print_json(&Output { schema_version: SCHEMA_VERSION, optimised_build, lines: &lines })?;
    } else {
        print(&text(&lines))?;
    }
    Ok(status(&lines))
}

fn status(lines: &[Row]) -> Status {
    let all_done = lines.iter().flat_map(|line| &line.ours).all(|ours| matches!(ours, Measured::Done(_)));
    if lines.iter().any(Row::differs) {
        Status::Found
    } else if all_done {
        Status::Proved
    } else {
        Status::NotExhaustive
    }
}

impl Row {
    /// Whether a count is not the paper's, without a known reason.
    fn differs(&self) -> bool {
        let is_other =
            |ours: &Measured| matches!(ours, Measured::Done(figures) if figures.executions != self.paper.executions);
        self.paper.known_difference().is_none() && self.ours.iter().any(is_other)
    }
}

/// What there is to say about lines, once for each.
fn remarks(lines: &[Row]) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for line in lines {
        let known = line.paper.known_difference().map(|reason| format!("{}: {reason}", line.paper.program));
        let refused = line.ours.iter().filter_map(|ours| ours.refusal().map(str::to_owned));
        for remark in known.into_iter().chain(refused) {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    remarks
}

fn text(lines: &[Row]) -> String {
    let mut columns = vec![("benchmark", Align::Left), ("executions", Align::Right)];
    let ours = ["optimal", "s", "MB", "pop", "s", "MB"];
    let paper = ["TruSt s", "Optimal s", "POP s", "TruSt MB", "Optimal MB", "POP MB"];
    columns.extend(ours.iter().chain(&paper).map(|&title| (title, Align::Right)));
    columns.push(("", Align::Left));
    let mut table = Table::new(&columns);
    for line in lines {
        let mut cells = vec![line.paper.benchmark.to_owned(), thousands(line.paper.executions)];
        cells.extend(line.ours.iter().flat_map(Measured::cells));
        cells.extend(line.paper.seconds.iter().map(|seconds| format!("{seconds:.2}")));
        cells.extend(line.paper.megabytes.iter().map(u32::to_string));
        cells.push(if line.differs() { "MISMATCH".to_owned() } else { String::new() });
        table.row(cells);
    }
    let mut text = format!(
        "The paper's executions; ours by optimal and by pop with their seconds and peak memory; then the paper's seconds \
         and memory. A figure with > is of a search that was stopped.\n\n{table}"
    );
    for remark in remarks(lines) {
        text += &format!("\n{remark}\n");
    }
    text
}
