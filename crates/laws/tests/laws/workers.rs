//! What is counted and found does not depend on the number of workers.

use explore::{Error, Limit, Report, Settings};
use litmus::corpus;
use model::Program;
use std::num::NonZeroUsize;

const WORKERS: [usize; 3] = [1, 2, 4];

fn search(program: &dyn Program, workers: usize, change: impl Fn(&mut Settings)) -> Report {
    try_search(program, workers, change).unwrap()
}

fn try_search(program: &dyn Program, workers: usize, change: impl Fn(&mut Settings)) -> Result<Report, Error> {
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.workers = NonZeroUsize::new(workers).unwrap();
    change(&mut settings);
    let pop = explore::algorithm("pop").unwrap();
    explore::check(program, &mut *(pop.make)(), &settings)
}

/// All that must be the same.
fn results(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let tally = &report.tally;
    let schedules: Vec<String> = report.findings.iter().map(|finding| finding.schedule.to_string()).collect();
    (tally.completed, tally.deadlocked, tally.failed, tally.cut, tally.sleep_set_blocked, tally.longest, schedules)
}

#[test]
fn counts_and_findings_are_those_of_one_worker() {
    for row in corpus::rows().unwrap().into_iter().filter(|row| !row.heavy) {
        let program = row.build().unwrap();
        let alone = match try_search(&program, 1, |_| ()) {
            // Messages.
            Err(Error::Unsupported { .. }) => continue,
            alone => alone.unwrap(),
        };
        assert_eq!(alone.tally.executions(), row.classes, "{}", row.name());
        for workers in WORKERS {
            for runs_alone in [0, Settings::default().runs_alone] {
                let together = search(&program, workers, |settings| settings.runs_alone = runs_alone);
                assert!(together.exhaustive);
                assert_eq!(results(&together), results(&alone), "{} by {workers} workers", row.name());
            }
        }
    }
}

#[test]
fn a_limit_is_one_for_all_workers() {
    let program = litmus::library::find("fib_bench").unwrap().build(&[4]).unwrap();
    for workers in WORKERS {
        let report = search(&program, workers, |settings| settings.limits.executions = Some(1000));
        assert_eq!(report.limit, Some(Limit::Executions(1000)), "{workers} workers");
        assert_eq!(report.tally.runs(), 1000, "{workers} workers");
        assert!(!report.exhaustive);
    }
}

#[test]
fn the_first_failure_stops_every_worker() {
    // The assertion fails only where all six adds come before the read, late in the search.
    let text = "var x; r = x; assert r != 6 | fetch_add x, 1 | fetch_add x, 1 | fetch_add x, 1 | fetch_add x, 1 | \
                fetch_add x, 1 | fetch_add x, 1";
    let program = litmus::LitmusProgram::new(text.parse().unwrap()).unwrap();
    for workers in WORKERS {
        let report = search(&program, workers, |settings| settings.keep_going = false);
        assert_eq!(report.findings.len(), 1, "{workers} workers");
        assert!(!report.exhaustive);
        let schedule = &report.findings[0].schedule;
        let again = explore::replay(&program, schedule, &Settings::default(), &mut ()).unwrap();
        assert_eq!(again.findings[0].failures, report.findings[0].failures, "{workers} workers");
    }
}
