//! Every row of the corpus, by every exhaustive algorithm.

use explore::{ALGORITHMS, AlgorithmInfo, Equivalence, Error, LoopRules, Report, SchedulingOrder, Settings};
use litmus::LitmusProgram;
use litmus::corpus::{self, Expected, Row};
use mazurka_laws::{Checked, check};

/// Rows with at most so many classes are run by the algorithms that are not optimal, and in every scheduling order.
const SMALL: u64 = 500;
/// Algorithms that are not optimal give up after so many runs, the oracle after so many interleavings.
const RUNS: u64 = 20_000;

fn light_rows() -> impl Iterator<Item = (Row, LitmusProgram)> {
    let rows = corpus::rows().unwrap().into_iter().filter(|row| !row.heavy);
    rows.map(|row| {
        let program = row.build().unwrap();
        (row, program)
    })
}

/// Nothing when the algorithm refuses an operation of the program.
fn run(program: &LitmusProgram, algorithm: &str, order: SchedulingOrder) -> Option<Report> {
    let mut settings = Settings { keep_going: true, order, loops: LoopRules::NONE, ..Settings::default() };
    let algorithm = explore::algorithm(algorithm).unwrap();
    settings.limits.executions = (!algorithm.guarantee.is_optimal()).then_some(RUNS);
    match explore::check(program, &mut *(algorithm.make)(), &settings) {
        Err(Error::Unsupported { .. }) => None,
        result => Some(result.unwrap()),
    }
}

/// The counts of a row, where it has them for what the algorithm takes for a class.
fn assert_counts(row: &Row, report: &Report, algorithm: &AlgorithmInfo, order: &str) {
    let name = format!("{} by {} ({order})", row.name(), algorithm.name);
    assert!(report.exhaustive, "{name}");
    let expected = match algorithm.equivalence {
        Equivalence::Traces => Some(row.traces()),
        Equivalence::Observations => row.observations(),
    };
    let Some(Expected { classes, deadlocks, cut }) = expected else {
        assert!((1..=row.classes).contains(&report.tally.executions()), "classes of {name}");
        return;
    };
    assert_eq!(report.tally.executions(), classes, "classes of {name}");
    assert!(deadlocks.is_none_or(|deadlocks| report.tally.deadlocked == deadlocks), "deadlocks of {name}");
    assert!(cut.is_none_or(|cut| report.tally.cut == cut), "cut executions of {name}");
}

#[test]
fn optimal_algorithms_explore_each_class_once() {
    for (row, program) in light_rows() {
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_optimal()) {
            let Some(report) = run(&program, algorithm.name, SchedulingOrder::FirstCreated) else {
                assert_ne!(algorithm.name, "optimal", "{} is refused", row.name());
                continue;
            };
            assert_counts(&row, &report, algorithm, "first");
            let blocked = algorithm.guarantee.most_blocked(row.pop_blocked, true, false).unwrap_or(0);
            assert_eq!(report.tally.sleep_set_blocked, blocked, "{} by {}", row.name(), algorithm.name);
        }
    }
}

#[test]
fn no_scheduling_order_changes_the_counts() {
    let mut compared = 0;
    for (row, program) in light_rows().filter(|(row, _)| row.classes <= SMALL) {
        for algorithm in
            ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive() && algorithm.name != "naive")
        {
            for (name, order) in SchedulingOrder::ALL {
                let Some(report) = run(&program, algorithm.name, order) else { continue };
                if report.limit.is_none() {
                    assert_counts(&row, &report, algorithm, name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 1000, "only {compared} counts were compared");
}

#[test]
fn the_laws_hold_where_the_oracle_can_tell() {
    let orders = SchedulingOrder::ALL.map(|(_, order)| order);
    let mut told = 0;
    for (row, program) in light_rows().filter(|(row, _)| row.classes <= SMALL) {
        match check(&program, &orders, RUNS) {
            Ok(Checked::Holds { classes }) => {
                assert_eq!(classes as u64, row.classes, "classes of {} by the oracle", row.name());
                told += 1;
            }
            Ok(Checked::TooLarge) => {}
            Err(violation) => panic!("{}: {violation}", row.name()),
        }
    }
    assert!(told >= 50, "only {told} rows are small enough for the oracle");
}

/// The papers' figures for the other algorithms depend on the scheduling order; ours must be of their size.
#[test]
fn blocked_runs_are_of_the_papers_order() {
    for (row, program) in light_rows().filter(|(row, _)| row.classes <= SMALL) {
        for (algorithm, runs) in [("source", row.source), ("classic", row.classic)] {
            let Some(paper) = runs else { continue };
            let ours = run(&program, algorithm, SchedulingOrder::FirstCreated).map_or(0, |report| report.tally.runs());
            assert!(
                (row.classes..=4 * paper).contains(&ours),
                "{} by {algorithm}: {ours} runs, the paper has {paper}",
                row.name()
            );
        }
    }
}
