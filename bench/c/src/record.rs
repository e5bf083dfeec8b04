//! The record of a run, as Markdown.

use crate::quoted;
use crate::tools::{Measured, Ours};
use crate::workloads::Workload;

/// What was found out about the tools, and how they were measured.
pub fn head(ours: &str, others: &[(&str, Result<String, String>)]) -> String {
    let mut text = format!(
        "# C programs\n\n\
         Written by `cargo run --release` in `bench/c`, after `cargo build --release -p mazurka-cli` at the root.\n\n\
         - mazurka: {ours}, algorithm pop, one worker\n"
    );
    for (name, version) in others {
        let version = version.as_ref().unwrap_or_else(|problem| problem);
        text += &format!("- {name}: {version}\n");
    }
    text += "\nTimes are the least of up to five rounds, because the machine may be shared. *Compile* and *CPU* are CPU seconds of \
             the commands `mazurka cc` and `mazurka check`, *search* is by the clock and holds the last search alone; \
             *executions/s* are by the lesser of the two, for neither is less than the CPU time of the search. *Over bare replay* is the time of the search over that of its schedules, run through \
             the same front end without any analysis; it is below 1 where going back to a state saves more than the \
             analysis costs.\n";
    text
}

/// The heading of Mazurka's table.
pub fn our_heading() -> String {
    let quoted: Vec<String> =
        quoted::TOOLS.iter().map(|tool| format!(" {tool}, executions/s, quoted | Mazurka's over it |")).collect();
    let titles =
        "| program | classes | executions | compile s | CPU s | search s | executions/s | MB | over bare replay |";
    let columns = 9 + 2 * quoted.len();
    format!("\n## Mazurka\n\n{}\n\n{titles}{}\n|{}\n", QUOTED, quoted.concat(), "---|".repeat(columns))
}

const QUOTED: &str = "The figures of other tools in this table are **quoted, not measured in this run**: they are of a machine \
                      of the same kind on another day (see `bench/c/src/quoted.rs`).";

/// Mazurka on one program.
pub fn our_row(workload: &Workload, ours: &Result<Ours, String>, over_bare: Option<f64>) -> String {
    let begin = format!("| {} | {} |", workload.title, workload.classes);
    let ours = match ours {
        Ok(ours) => ours,
        Err(problem) => return format!("{begin} {problem} |{}", " |".repeat(6 + 2 * quoted::TOOLS.len())),
    };
    let rate = ours.executions as f64 / ours.search.min(ours.cpu).max(1e-9);
    let mut row = format!(
        "{begin} {} | {:.2} | {:.3} | {:.5} | {rate:.0} | {:.0} | {} |",
        agreed(ours.executions, workload),
        ours.compile,
        ours.cpu,
        ours.search,
        ours.memory as f64 / 1e6,
        over_bare.map_or(String::new(), |ratio| format!("{ratio:.2}")),
    );
    for quoted in quoted::of(workload) {
        row += &match quoted {
            Some(theirs) => format!(" {theirs:.0} | {:.0} |", rate / theirs),
            None => "  |  |".to_owned(),
        };
    }
    row
}

/// The heading of the other tools' table.
pub fn others_heading() -> &'static str {
    "\n## Other tools, in the same run\n\n\
     | program | classes | tool | executions | CPU s | search s | executions/CPU s | MB | times Mazurka's CPU |\n\
     |---|---|---|---|---|---|---|---|---|"
}

/// Another tool on one program; `ours` is Mazurka's CPU time, compiling included.
pub fn their_row(workload: &Workload, tool: &str, measured: &Result<Measured, String>, ours: Option<f64>) -> String {
    let begin = format!("| {} | {} | {tool} |", workload.title, workload.classes);
    let measured = match measured {
        Ok(measured) => measured,
        Err(problem) => return format!("{begin} {problem} | | | | | |"),
    };
    let text = |value: Option<String>| value.unwrap_or_default();
    format!(
        "{begin} {} | {:.3} | {} | {:.0} | {:.0} | {} |",
        agreed(measured.executions, workload),
        measured.cpu,
        text(measured.search.map(|seconds| format!("{seconds:.2}"))),
        measured.executions as f64 / measured.cpu.max(1e-9),
        measured.memory as f64 / 1e6,
        text(ours.map(|ours| format!("{:.1}", measured.cpu / ours.max(1e-9)))),
    )
}

/// A number of executions, marked when it is not that of the classes.
fn agreed(executions: u64, workload: &Workload) -> String {
    let mark = if executions == workload.classes { "" } else { " (!)" };
    format!("{executions}{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fib() -> Workload {
        Workload { title: "fib_bench(5)".to_owned(), source: "fib.c".into(), flags: Vec::new(), classes: 218_243 }
    }

    fn ours(executions: u64) -> Ours {
        Ours { executions, compile: 0.1, cpu: 0.5, search: 0.5, memory: 6_000_000 }
    }

    #[test]
    fn a_row_has_the_columns_of_its_heading() {
        let columns = |line: &str| line.matches('|').count();
        let heading = our_heading();
        let expected = columns(heading.lines().last().unwrap());
        assert_eq!(columns(heading.lines().rev().nth(1).unwrap()), expected);
        assert_eq!(columns(&our_row(&fib(), &Ok(ours(218_243)), Some(1.5))), expected);
        assert_eq!(columns(&our_row(&fib(), &Err("> 5 s".to_owned()), None)), expected);
        let expected = columns(others_heading().lines().last().unwrap());
        let measured = Measured { executions: 218_243, cpu: 31.2, search: None, memory: 84_000_000 };
        assert_eq!(columns(&their_row(&fib(), "nidhugg optimal", &Ok(measured), Some(0.5))), expected);
        assert_eq!(columns(&their_row(&fib(), "nidhugg optimal", &Err("> 5 s".to_owned()), None)), expected);
    }

    #[test]
    fn a_rate_stands_beside_the_quoted_ones() {
        let row = our_row(&fib(), &Ok(ours(218_243)), None);
        assert!(row.ends_with("| 7000 | 62 | 28000 | 16 |"), "{row}");
    }

    #[test]
    fn a_count_that_is_not_the_classes_is_marked() {
        assert!(our_row(&fib(), &Ok(ours(5)), None).contains("| 5 (!) |"));
    }
}
