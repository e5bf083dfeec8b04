//! Tables for people: as text and as Markdown.

use super::Measured;
use super::measure::Cell;
use report::table::{Align, Table};

/// `ours (paper's)`, with an exclamation mark where they should be the same and are not.
fn cell(cell: &Cell) -> String {
    let mark = if cell.differs() { " !" } else { "" };
    match (&cell.ours, cell.paper) {
        (Some(ours), Some(paper)) => format!("{ours} ({paper}){mark}"),
        (Some(ours), None) => ours.clone(),
        (None, Some(paper)) => format!("- ({paper})"),
        (None, None) => "-".to_owned(),
    }
}

fn rows(measured: &Measured) -> impl Iterator<Item = Vec<String>> + '_ {
    measured.rows.iter().map(|row| {
        let mut cells = vec![row.benchmark.to_owned()];
        cells.extend(row.cells.iter().map(cell));
        cells
    })
}

fn title(measured: &Measured) -> String {
    format!("{}, {}: {}", measured.paper, measured.table, measured.caption)
}

pub(super) fn text(measured: &Measured) -> String {
    let mut columns = vec![("benchmark", Align::Left)];
    columns.extend(measured.columns.iter().map(|&title| (title, Align::Right)));
    let mut table = Table::new(&columns);
    rows(measured).for_each(|row| table.row(row));
    let mut text = format!("{}\n\n{table}\n", title(measured));
    for remark in &measured.remarks {
        text += &format!("{remark}\n");
    }
    text + "\n"
}

pub(super) fn markdown(measured: &Measured) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("## {}\n\n", title(measured));
    let titles = std::iter::once("benchmark").chain(measured.columns.iter().copied());
    text += &line(titles.map(str::to_owned).collect());
    let rules = std::iter::once("---").chain(measured.columns.iter().map(|_| "---:"));
    text += &line(rules.map(str::to_owned).collect());
    rows(measured).for_each(|row| text += &line(row));
    for remark in &measured.remarks {
        text += &format!("\n{remark}\n");
    }
    text + "\n"
}
