//! `mazurka memory`: how the memory of optimal and pop grows with the program.

use crate::measured::{Measured, optimal_and_pop};
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use clap::Args;
use report::chart::{Bar, BarChart, Group};
use report::summary::SCHEMA_VERSION;
use report::table::{Align, Table};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka memory                               all programs, as a table
  mazurka memory --svg memory.svg              and as a picture
  mazurka memory lastzero --max-time 10m

Each search runs in a process of its own. A figure with > is of a search that was stopped. Build with --release.

Exit status: 0 every search was exhaustive, 2 bad usage, 3 some search was stopped or refused.";

/// The arguments of `mazurka memory`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MemoryArgs {
    /// Only the programs with this text in their name
    filter: Option<String>,
    /// Time for each search, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "5m")]
    max_time: Duration,
    /// With pop: how many threads of the operating system search at the same time
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    workers: NonZeroUsize,
    /// Write a picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// The programs on which wakeup trees grow, each in several sizes.
const PROGRAMS: [(&str, &[&[i64]]); 6] = [
    ("exp_mem3", &[&[7], &[8], &[9]]),
    ("lastzero", &[&[10], &[15], &[18]]),
    ("filesystem", &[&[22], &[24]]),
    ("indexer", &[&[15], &[16]]),
    ("pol", &[&[10, 3]]),
    ("wakeup_stress", &[&[8]]),
];

#[derive(Serialize)]
struct Row {
    program: &'static str,
    arguments: &'static [i64],
    /// By `optimal`, by `pop`.
    measured: [Measured; 2],
}

impl Row {
    fn title(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(i64::to_string).collect();
        format!("{}({})", self.program, arguments.join(","))
    }
}

#[derive(Serialize)]
struct Output<'a> {
    schema_version: u32,
    optimised_build: bool,
    rows: &'a [Row],
}

/// Measures, prints, and draws if asked to.
pub(crate) fn memory(args: &MemoryArgs) -> Result<Status, Problem> {
    let filter = args.filter.as_deref().unwrap_or("").replace('-', "_");
    let mut rows = Vec::new();
    for (program, sizes) in PROGRAMS.into_iter().filter(|(program, _)| program.contains(&filter)) {
        for &arguments in sizes {
            let [optimal, pop] =
                optimal_and_pop().map(|info| Measured::of(program, arguments, info, args.max_time, args.workers));
            rows.push(Row { program, arguments, measured: [optimal?, pop?] });
        }
    }
    if rows.is_empty() {
        let names = PROGRAMS.map(|(program, _)| program).join(", ");
        return Err(Problem::Input(format!("no program has '{filter}' in its name; there are {names}")));
    }
    if args.json {
        let optimised_build = !cfg!(debug_assertions);
        print_json(&Output { schema_version: SCHEMA_VERSION, optimised_build, rows: &rows })?;
    } else {
        print(&table(&rows).to_string())?;
    }
    if let Some(path) = &args.svg {
        std::fs::write(path, chart(&rows).to_svg())
            .map_err(|error| Problem::Input(format!("cannot write '{}': {error}", path.display())))?;
    }
    let all_done = rows.iter().flat_map(|row| &row.measured).all(|measured| matches!(measured, Measured::Done(_)));
    Ok(if all_done { Status::Proved } else { Status::NotExhaustive })
}

fn table(rows: &[Row]) -> Table {
    let mut columns = vec![("program", Align::Left)];
    columns.extend(["optimal", "s", "MB", "pop", "s", "MB"].map(|title| (title, Align::Right)));
    let mut table = Table::new(&columns);
    for row in rows {
        let mut cells = vec![row.title()];
        cells.extend(row.measured.iter().flat_map(Measured::cells));
        table.row(cells);
    }
    table
}

fn chart(rows: &[Row]) -> BarChart {
    let bar = |measured: &Measured| {
        let [executions, _, megabytes] = measured.cells();
        let text = if measured.figures().is_some() { megabytes } else { executions };
        Bar { value: measured.megabytes(), text }
    };
    let group = |row: &Row| Group { label: row.title(), bars: row.measured.iter().map(bar).collect() };
    BarChart {
        title: "Peak memory of a search".to_owned(),
        unit: "MB, logarithmic".to_owned(),
        series: optimal_and_pop().map(|info| info.name.to_owned()).to_vec(),
        groups: rows.iter().map(group).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_in_the_library() {
        for (program, sizes) in PROGRAMS {
            for arguments in sizes {
                litmus::library::find(program).unwrap().build(arguments).unwrap();
            }
        }
    }
}
