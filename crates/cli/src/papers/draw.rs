//! Tables as figures: for each thing that a table measures, a bar for each algorithm and size.

use super::Measured;
use super::data::{Metric, Table};
use super::measure::Cell;
use crate::problem::Problem;
use crate::reports::write;
use report::chart::{Bar, BarChart, Group};
use std::path::Path;

/// What is drawn of a table: the name of the file, and what the figures count.
const DRAWN: [(Metric, &str, &str); 9] = [
    (Metric::Seconds, "time", "seconds"),
    (Metric::Megabytes, "memory", "MB"),
    (Metric::Executions, "executions", "executions"),
    (Metric::Traces, "traces", "executions, and those that sleep sets block"),
    (Metric::CutApart, "executions-apart", "executions without a false assume"),
    (Metric::Blocked, "blocked", "executions that sleep sets block"),
    (Metric::TreeNodes, "wakeup-trees", "nodes of the largest wakeup tree"),
    (Metric::Events, "events", "events of the unfolding"),
    (Metric::EventsLive, "live-events", "events that are kept"),
];

/// Writes a file for each figure of a table into a folder.
pub(super) fn draw(folder: &Path, table: &Table, measured: &Measured) -> Result<(), Problem> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Problem::Input(format!("cannot make the folder '{}': {error}", folder.display())))?;
    for (metric, name, unit) in DRAWN {
        let chart = chart(table, measured, metric, unit);
        if !chart.series.is_empty() && chart.groups.iter().flat_map(|group| &group.bars).any(|bar| bar.value.is_some())
        {
            let file = format!(
                "{}-{}-{name}.svg",
                measured.paper,
                measured.table.to_lowercase().replace(", ", "-").replace(' ', "-")
            );
            write(&folder.join(file), &chart.to_svg())?;
        }
    }
    Ok(())
}

fn chart(table: &Table, measured: &Measured, metric: Metric, unit: &str) -> BarChart {
    let places: Vec<usize> = (0..table.columns.len()).filter(|&place| table.columns[place].metric == metric).collect();
    let series = |&place: &usize| {
        let column = &table.columns[place];
        std::iter::once(column.algorithm).chain(column.options.iter().copied()).collect::<Vec<_>>().join(" ")
    };
    let group = |row: &super::measure::Row| Group {
        label: row.benchmark.to_owned(),
        bars: places.iter().map(|&place| bar(&row.cells[place])).collect(),
    };
    let is_measured = |row: &&super::measure::Row| row.cells.iter().any(|cell| cell.ours.is_some());
    BarChart {
        title: format!("{}, {}: {}", measured.paper, measured.table, measured.caption),
        unit: format!("{unit}, logarithmic"),
        series: places.iter().map(series).collect(),
        groups: measured.rows.iter().filter(is_measured).map(group).collect(),
    }
}

/// A figure as text is a number with commas, with `>` before it if the search was stopped, or two with `+` between them.
fn bar(cell: &Cell) -> Bar {
    let text = cell.ours.clone().unwrap_or_else(|| "-".to_owned());
    let number = text.trim_start_matches('>').replace(',', "");
    let value = number.split('+').next().and_then(|number| number.parse().ok());
    Bar { value: value.filter(|&value: &f64| value > 0.0), text }
}
