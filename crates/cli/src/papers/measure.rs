//! One line of a table, measured.

use super::data::{Column, Line, Metric, Table};
use crate::bounds::BoundsArgs;
use crate::child::{Answer, Child};
use crate::problem::Problem;
use report::summary::Summary;
use report::table::thousands;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A line with our figures.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) benchmark: &'static str,
    pub(super) program: Option<&'static str>,
    pub(super) arguments: &'static [i64],
    pub(super) cells: Vec<Cell>,
    #[serde(skip)]
    pub(super) remarks: Vec<String>,
}

/// Our figure and the paper's.
#[derive(Clone, Serialize)]
pub(super) struct Cell {
    pub(super) ours: Option<String>,
    pub(super) paper: Option<&'static str>,
    /// Whether ours should be the same.
    pub(super) exact: bool,
    pub(super) is_stopped: bool,
}

impl Cell {
    /// Whether our figure is not the paper's, and should be.
    pub(super) fn differs(&self) -> bool {
        let plain = |text: &str| text.replace(',', "");
        match (&self.ours, self.paper) {
            (Some(ours), Some(paper)) => self.exact && !self.is_stopped && plain(ours) != plain(paper),
            _ => false,
        }
    }
}

/// An algorithm and its options.
type Search<'a> = (&'a str, &'a [&'a str]);

/// Runs every search of a line once.
pub(super) fn row(table: &Table, line: &Line, full: bool, max_time: Duration) -> Result<Row, Problem> {
    let mut row = Row {
        benchmark: line.benchmark,
        program: line.program,
        arguments: line.arguments,
        cells: Vec::new(),
        remarks: line.remark.map(|remark| format!("{}: {remark}", line.benchmark)).into_iter().collect(),
    };
    let mut searches: Vec<(Search<'_>, Option<Summary>)> = Vec::new();
    for (column, paper) in table.columns.iter().zip(line.paper) {
        let search = (column.algorithm, column.options);
        let is_left_out = line.skipped.contains(&column.title) || (line.long && !full);
        if !is_left_out && !searches.iter().any(|(known, _)| *known == search) {
            let summary = match line.program {
                Some(program) => run(program, line.arguments, column, max_time, &mut row.remarks)?,
                None => None,
            };
            searches.push((search, summary));
        }
        let summary = searches.iter().find(|(known, _)| *known == search).and_then(|(_, found)| found.as_ref());
        let summary = summary.filter(|_| !is_left_out);
        row.cells.push(Cell {
            ours: summary.and_then(|summary| figure(summary, column.metric)),
            paper: Some(*paper).filter(|paper| *paper != "-"),
            exact: column.exact && line.remark.is_none(),
            is_stopped: summary.is_some_and(|summary| !summary.exhaustive),
        });
    }
    Ok(row)
}

fn run(
    program: &str,
    arguments: &[i64],
    column: &Column,
    max_time: Duration,
    remarks: &mut Vec<String>,
) -> Result<Option<Summary>, Problem> {
    eprintln!("measuring {program} {arguments:?} by {} {}", column.algorithm, column.options.join(" "));
    // The papers' tools run every round.
    let options = [column.options, &["--every-round"]].concat();
    let child = Child {
        program,
        arguments,
        algorithm: column.algorithm,
        max_time,
        max_executions: None,
        workers: Some(NonZeroUsize::MIN),
        bounds: BoundsArgs::default(),
        options: &options,
    };
    Ok(match child.search()? {
        Answer::Summary(summary) => Some(*summary),
        Answer::Refusal(refusal) => {
            remarks.push(refusal.refused);
            None
        }
    })
}

/// What a search counted, as the papers write it.
fn figure(summary: &Summary, metric: Metric) -> Option<String> {
    let counts = &summary.counts;
    let text = match metric {
        Metric::Executions => thousands(counts.executions),
        Metric::Traces => thousands(counts.executions + counts.sleep_set_blocked),
        Metric::CutApart if counts.assume_cut > 0 => {
            format!("{}+{}", thousands(counts.executions - counts.assume_cut), thousands(counts.assume_cut))
        }
        Metric::CutApart => thousands(counts.executions),
        Metric::Blocked => thousands(counts.sleep_set_blocked),
        Metric::TreeNodes => thousands(counts.largest_wakeup_tree),
        Metric::Events => thousands(counts.unfolding_events),
        Metric::EventsLive => thousands(counts.unfolding_events_live),
        Metric::Seconds => format!("{:.2}", summary.seconds),
        Metric::Megabytes => format!("{:.0}", summary.peak_memory_bytes? as f64 / 1e6),
    };
    Some(if summary.exhaustive { text } else { format!(">{text}") })
}
