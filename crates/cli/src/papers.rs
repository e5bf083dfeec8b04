//! `mazurka papers`: every table of the papers, measured again, beside what they print.

mod data;
mod draw;
mod measure;
mod print;

use crate::output::{print as write, print_json};
use crate::problem::{Problem, Status};
use clap::Args;
use clap::builder::PossibleValuesParser;
use data::Table;
use measure::{Cell, Row};
use report::summary::SCHEMA_VERSION;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka papers                               every table, without the lines that take long
  mazurka papers quasi-optimal                 the tables of one paper
  mazurka papers pop --only lastzero           the lines with 'lastzero' in their name
  mazurka papers --full --max-time 30m --markdown > record.md
  mazurka papers pop --svg pictures            time and memory as bars

A cell has our figure and, in brackets, the paper's. An exclamation mark stands where ours should be the same and is not. A \
figure with > is of a search that was stopped, - of one that is not run: because it takes long and --full was not given, or \
because its program is not here. Each search runs in a process of its own, on one worker. The papers' seconds and memory are \
of other tools on other machines: compare ratios. Build with --release.

Exit status: 0 every count that should be the paper's is, 1 some is not, 2 bad usage, 3 some search was stopped or refused.";

/// The arguments of `mazurka papers`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PapersArgs {
    /// Only the tables of this paper
    #[arg(value_parser = PossibleValuesParser::new(data::PAPERS.map(|paper| paper.name)))]
    paper: Option<String>,
    /// Only the lines with this text in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Include the lines that take long
    #[arg(long)]
    full: bool,
    /// Time for each search, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s")]
    max_time: Duration,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    /// Draw the tables into this folder: for each, a picture of the time, of the memory and of what is counted
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// A table with our figures.
#[derive(Serialize)]
struct Measured {
    paper: &'static str,
    table: &'static str,
    caption: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Output<'a> {
    schema_version: u32,
    optimised_build: bool,
    tables: &'a [Measured],
}

/// Measures, and prints table by table.
pub(crate) fn papers(args: &PapersArgs) -> Result<Status, Problem> {
    let filter = args.only.as_deref().unwrap_or("").replace('_', "-").to_lowercase();
    let mut tables = Vec::new();
    for paper in chosen(args) {
        for table in paper.tables {
            let measured = measure(args, paper.name, table, &filter)?;
            if measured.rows.is_empty() {
                continue;
            }
            if !args.json {
                write(&if args.markdown { print::markdown(&measured) } else { print::text(&measured) })?;
            }
            if let Some(folder) = &args.svg {
                draw::draw(folder, table, &measured)?;
            }
            tables.push(measured);
        }
    }
    if tables.is_empty() {
        let lines = chosen(args).flat_map(|paper| paper.tables).flat_map(|table| table.lines);
        let mut names: Vec<&str> = Vec::new();
        for line in lines.filter(|line| line.program.is_some()) {
            if !names.contains(&line.benchmark) {
                names.push(line.benchmark);
            }
        }
        return Err(Problem::Input(format!("no line has '{filter}' in its name; there are {}", names.join(", "))));
    }
    if args.json {
        let optimised_build = !cfg!(debug_assertions);
        print_json(&Output { schema_version: SCHEMA_VERSION, optimised_build, tables: &tables })?;
    }
    Ok(status(&tables))
}

/// The papers that were asked for.
fn chosen(args: &PapersArgs) -> impl Iterator<Item = &'static data::Paper> {
    let is_chosen = |paper: &&data::Paper| args.paper.as_ref().is_none_or(|name| name == paper.name);
    data::PAPERS.iter().filter(is_chosen)
}

fn measure(args: &PapersArgs, paper: &'static str, table: &'static Table, filter: &str) -> Result<Measured, Problem> {
    let mut rows = Vec::new();
    let mut remarks: Vec<String> = table.remarks.iter().map(|&remark| remark.to_owned()).collect();
    for line in table.lines.iter().filter(|line| line.benchmark.replace('_', "-").to_lowercase().contains(filter)) {
        let row = measure::row(table, line, args.full, args.max_time)?;
        for remark in &row.remarks {
            if !remarks.contains(remark) {
                remarks.push(remark.clone());
            }
        }
        rows.push(row);
    }
    let columns = table.columns.iter().map(|column| column.title).collect();
    Ok(Measured { paper, table: table.number, caption: table.caption, columns, rows, remarks })
}

fn status(tables: &[Measured]) -> Status {
    let cells = || tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    if cells().any(Cell::differs) {
        Status::Found
    } else if cells().any(|cell| cell.is_stopped) {
        Status::NotExhaustive
    } else {
        Status::Proved
    }
}
