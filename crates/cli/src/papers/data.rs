//! What the papers print. Each paper has a file; a table is its columns (which search, which figure of it) and its lines.

mod observers;
mod pop;
mod quasi_optimal;
mod source_sets;
mod source_vs_persistent;

/// A paper by the name that the command takes.
pub(super) struct Paper {
    pub(super) name: &'static str,
    pub(super) tables: &'static [Table],
}

/// All of them.
pub(super) const PAPERS: [Paper; 5] = [
    Paper { name: "source-sets", tables: &source_sets::TABLES },
    Paper { name: "observers", tables: &observers::TABLES },
    Paper { name: "quasi-optimal", tables: &quasi_optimal::TABLES },
    Paper { name: "pop", tables: &pop::TABLES },
    Paper { name: "source-vs-persistent", tables: &source_vs_persistent::TABLES },
];

/// A table, as it is printed there.
pub(super) struct Table {
    pub(super) number: &'static str,
    pub(super) caption: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) lines: &'static [Line],
    /// What differs, and why.
    pub(super) remarks: &'static [&'static str],
}

/// A figure of a search.
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) metric: Metric,
    /// Whether ours should be the paper's.
    pub(super) exact: bool,
}

/// What is counted or measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// Executions run to their end.
    Executions,
    /// Those, and the ones that sleep sets block.
    Traces,
    /// Executions, those with a false `assume` apart: `16+16`.
    CutApart,
    Blocked,
    TreeNodes,
    Events,
    EventsLive,
    Seconds,
    Megabytes,
}

/// A line of a table.
pub(super) struct Line {
    pub(super) benchmark: &'static str,
    /// The program of the library; none where it is not here.
    pub(super) program: Option<&'static str>,
    pub(super) arguments: &'static [i64],
    /// Whether it takes long.
    pub(super) long: bool,
    /// Columns that are never measured: those that take hours.
    pub(super) skipped: &'static [&'static str],
    /// What the paper has in each column; `-` for nothing.
    pub(super) paper: &'static [&'static str],
    /// Why our counts are others.
    pub(super) remark: Option<&'static str>,
}

/// A column whose figure should be the paper's.
const fn exact(title: &'static str, algorithm: &'static str, metric: Metric) -> Column {
    Column { title, algorithm, options: &[], metric, exact: true }
}

/// A column to compare with.
const fn beside(title: &'static str, algorithm: &'static str, metric: Metric) -> Column {
    Column { title, algorithm, options: &[], metric, exact: false }
}

impl Column {
    const fn with(self, options: &'static [&'static str]) -> Self {
        Column { options, ..self }
    }
}

const fn line(
    benchmark: &'static str,
    program: &'static str,
    arguments: &'static [i64],
    paper: &'static [&'static str],
) -> Line {
    Line { benchmark, program: Some(program), arguments, long: false, skipped: &[], paper, remark: None }
}

/// A line whose program is not here.
const fn absent(benchmark: &'static str, paper: &'static [&'static str]) -> Line {
    Line { benchmark, program: None, arguments: &[], long: false, skipped: &[], paper, remark: None }
}

impl Line {
    const fn long(self) -> Self {
        Line { long: true, ..self }
    }

    const fn but(self, remark: &'static str) -> Self {
        Line { remark: Some(remark), ..self }
    }

    const fn skip(self, skipped: &'static [&'static str]) -> Self {
        Line { skipped, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::GRAPHS;

    #[test]
    fn every_line_has_its_figures_and_agrees_with_the_corpus() {
        let rows = litmus::corpus::rows().unwrap();
        for table in PAPERS.iter().flat_map(|paper| paper.tables) {
            for line in table.lines {
                assert_eq!(line.paper.len(), table.columns.len(), "{} of {}", line.benchmark, table.caption);
                for title in line.skipped {
                    assert!(table.columns.iter().any(|column| column.title == *title), "{title}");
                }
                let Some(program) = line.program else { continue };
                litmus::library::find(program).unwrap().build(line.arguments).unwrap();
                let known =
                    |row: &&litmus::corpus::Row| row.program.as_deref() == Some(program) && row.args == line.arguments;
                let Some(row) = rows.iter().find(known).filter(|_| line.remark.is_none()) else { continue };
                for (column, paper) in table.columns.iter().zip(line.paper) {
                    let by_traces = column.algorithm != "observers" && matches!(column.metric, Metric::Executions);
                    if column.exact && by_traces && *paper != "-" {
                        assert_eq!(paper.replace(',', ""), row.classes.to_string(), "{}", line.benchmark);
                    }
                }
            }
        }
    }

    #[test]
    fn every_column_names_an_algorithm() {
        for column in PAPERS.iter().flat_map(|paper| paper.tables).flat_map(|table| table.columns) {
            let is_known = column.algorithm == GRAPHS || explore::algorithm(column.algorithm).is_some();
            assert!(is_known, "{}", column.algorithm);
        }
    }
}
