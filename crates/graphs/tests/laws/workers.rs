//! Several workers find what one finds.

use crate::program;
use litmus::LitmusProgram;
use mazurka_graphs::{Limit, MODELS, Report, Settings, check, model};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

fn settings(workers: usize) -> Settings {
    Settings { keep_going: true, workers: NonZeroUsize::new(workers).unwrap(), ..Settings::default() }
}

fn by(program: &LitmusProgram, model: &str, settings: &Settings) -> Report {
    let mut go_on = |_: &trace::Tally, _: usize| ControlFlow::Continue(());
    check(program, mazurka_graphs::model(model).unwrap(), settings, &mut go_on).unwrap()
}

/// What must not depend on the number of workers.
fn told(report: &Report) -> (trace::Tally, Vec<String>, bool) {
    let finding = |finding: &mazurka_graphs::Finding| format!("{:?} {:?}", finding.failures, finding.waiting);
    let mut findings: Vec<String> = report.findings.iter().map(finding).collect();
    findings.sort();
    // The branch of a task decides how much of it is executed again.
    (trace::Tally { replayed: 0, ..report.tally }, findings, report.exhaustive)
}

#[test]
fn counts_and_findings_do_not_depend_on_the_number_of_workers() {
    let mut shared = 0;
    for row in litmus::corpus::graph_rows().unwrap() {
        let program = program(&row.text);
        for info in MODELS {
            let [one, two, four] = [1, 2, 4].map(|workers| by(&program, info.name, &settings(workers)));
            assert_eq!(one.tally.executions(), row.graphs(info.name).unwrap(), "{} under {}", row.name, info.name);
            assert_eq!(told(&one), told(&two), "{} under {} by two", row.name, info.name);
            assert_eq!(told(&one), told(&four), "{} under {} by four", row.name, info.name);
            shared += u32::from(one.tally.executions() > 200);
        }
    }
    assert!(shared > 10, "{shared} searches were large enough for several workers");
}

/// Retry loops are learnt of while several workers search.
#[test]
fn what_is_learnt_of_loops_is_learnt_by_all() {
    let text = "var l, x, y;
        def locked(i) { y = i; s = y; if s == 1 { t = 1; while t == 1 { t = swap l, 1 }; r = x; x = r + i; l = 0 release } }
        main: a = spawn locked(4); b = spawn locked(3); c = spawn locked(2); d = spawn locked(1); join a; join b; join c; join d";
    let program = program(text);
    let [one, three] = [1, 3].map(|workers| by(&program, "rc11", &settings(workers)));
    assert!(one.exhaustive && one.tally.executions() > 1_000, "{:?}", one.tally);
    assert_eq!(told(&one), told(&three));
}

#[test]
fn limits_hold_for_all_workers_together() {
    let program = program("var x; x = 1 | x = 2 | x = 3 | x = 4 | x = 5 | x = 6 | x = 7");
    let whole = by(&program, "rc11", &settings(2));
    assert_eq!((whole.tally.executions(), whole.exhaustive), (5_040, true));
    let some = by(&program, "rc11", &Settings { executions: Some(1_000), ..settings(3) });
    assert_eq!((some.tally.executions(), some.limit), (1_000, Some(Limit::Executions(1_000))));
    assert!(!some.exhaustive);
    let all = by(&program, "rc11", &Settings { executions: Some(5_040), ..settings(3) });
    assert_eq!((all.tally.executions(), all.exhaustive), (5_040, true));
}

#[test]
fn whoever_is_told_of_progress_ends_all_workers() {
    let program = program("var x; x = 1 | x = 2 | x = 3 | x = 4 | x = 5 | x = 6 | x = 7");
    let mut most = 0;
    let mut until = |tally: &trace::Tally, _: usize| {
        most = most.max(tally.executions());
        if tally.executions() < 500 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let report = check(&program, model("sc").unwrap(), &settings(4), &mut until).unwrap();
    assert!(!report.exhaustive && report.tally.executions() < 5_040);
    assert!((500..1_500).contains(&most), "{most}");
}
