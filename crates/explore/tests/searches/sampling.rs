//! The chances that `random` and `pct` promise, by fixed seeds: nothing here depends on time.

use litmus::LitmusProgram;
use mazurka_explore::{Settings, algorithm, check_with};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use trace::{Ending, Execution, Sink};

/// How often each schedule was run, and how many executions failed.
#[derive(Default, Debug, PartialEq, Eq)]
struct Sample {
    schedules: BTreeMap<Vec<u32>, u64>,
    failed: u64,
}

impl Sink for Sample {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let threads = execution.trace.events().iter().map(|event| event.thread().0);
        *self.schedules.entry(threads.collect()).or_default() += 1;
        self.failed += u64::from(execution.ending == Ending::Failed);
        ControlFlow::Continue(())
    }
}

fn sample(text: &str, name: &str, depth: u32, executions: u64, seed: u64) -> Sample {
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let pct_depth = NonZeroU32::new(depth).unwrap();
    let mut settings = Settings { keep_going: true, seed, pct_depth, ..Settings::default() };
    settings.limits.executions = Some(executions);
    let mut sample = Sample::default();
    let report = check_with(&program, &mut *(algorithm(name).unwrap().make)(), &settings, &mut sample).unwrap();
    assert!(!report.exhaustive);
    assert_eq!(report.tally.runs(), executions);
    sample
}

/// Whether a count out of `executions` is as likely as five standard deviations allow.
#[track_caller]
fn assert_chance(count: u64, executions: u64, chance: f64) {
    let n = executions as f64;
    let deviation = (n * chance * (1.0 - chance)).sqrt();
    assert!((count as f64 - n * chance).abs() <= 5.0 * deviation, "{count} of {executions}, with a chance of {chance}");
}

const THREE_OF_ONE: &str = "var x; x = 1 | x = 2 | x = 3";

const LOST_UPDATE: &str = "var x;
    def adder() { t = x; x = t + 1 }
    main: a = spawn adder(); b = spawn adder(); join a; join b; t = x; assert t == 2, \"an update was lost\"";

/// The second thread must see both variables between their two writes: it must run between the first two steps of the
/// first thread, leave off there, and run again between the last two. That takes three switches away from a thread that
/// could go on.
const SEEN_BETWEEN: &str = "var a; var b;
    a = 1; a = 0; b = 1; b = 0 | r = a; s = b; assert r + s < 2, \"both seen\"";

#[test]
fn random_takes_every_enabled_thread_with_the_same_chance() {
    let sample = sample("var x; x = 1 | x = 2; x = 3", "random", 1, 10_000, 1);
    let chances = [(vec![0, 1, 1], 0.5), (vec![1, 0, 1], 0.25), (vec![1, 1, 0], 0.25)];
    for (schedule, chance) in chances {
        assert_chance(sample.schedules[&schedule], 10_000, chance);
    }
}

#[test]
fn every_order_of_priorities_is_as_likely() {
    let sample = sample(THREE_OF_ONE, "pct", 1, 6000, 1);
    assert_eq!(sample.schedules.len(), 6);
    for &count in sample.schedules.values() {
        assert_chance(count, 6000, 1.0 / 6.0);
    }
}

#[test]
fn without_change_points_no_thread_is_left_that_could_go_on() {
    let sample = sample("var x; x = 1; x = 2; x = 3 | x = 4; x = 5; x = 6", "pct", 1, 1000, 2);
    assert_eq!(sample.schedules.keys().collect::<Vec<_>>(), [&[0, 0, 0, 1, 1, 1], &[1, 1, 1, 0, 0, 0]]);
}

#[test]
fn change_points_are_anywhere_with_the_same_chance() {
    let sample = sample("var x; x = 1; x = 2; x = 3 | x = 4; x = 5; x = 6", "pct", 2, 12_000, 3);
    // The change point is one of six steps; a switch comes of it when it is one of the first two of the first thread.
    for (schedule, chance) in [([0, 1, 1, 1, 0, 0], 1.0), ([0, 0, 1, 1, 1, 0], 1.0), ([0, 0, 0, 1, 1, 1], 4.0)] {
        assert_chance(sample.schedules[schedule.as_slice()], 12_000, chance / 12.0);
    }
}

#[test]
fn a_bug_of_depth_2_has_its_chance() {
    assert_eq!(sample(LOST_UPDATE, "pct", 1, 2000, 4).failed, 0, "it takes a change point");
    // 3 threads, 9 steps.
    let failed = sample(LOST_UPDATE, "pct", 2, 2700, 4).failed;
    assert!(failed >= 2700 / (3 * 9), "{failed}");
}

#[test]
fn a_bug_of_depth_4_has_its_chance() {
    assert_eq!(sample(SEEN_BETWEEN, "pct", 3, 20_000, 5).failed, 0, "it takes three change points");
    // 2 threads, 6 steps; one order of priorities and one choice of change points lead to it, no others.
    let failed = sample(SEEN_BETWEEN, "pct", 4, 43_200, 5).failed;
    assert_chance(failed, 43_200, 1.0 / f64::from(2 * 6 * 6 * 6));
}

#[test]
fn a_thread_that_waits_by_yielding_lets_the_others_go_on() {
    let text = "var x; r = x; while r == 0 { yield; r = x } | x = 1";
    let sample = sample(text, "pct", 1, 100, 6);
    let longest = sample.schedules.keys().map(Vec::len).max();
    assert_eq!(longest, Some(4), "read, yield, write, read");
}

#[test]
fn a_seed_gives_the_same_executions_again() {
    for name in ["random", "pct"] {
        let first = sample(LOST_UPDATE, name, 3, 50, 7);
        assert_eq!(first, sample(LOST_UPDATE, name, 3, 50, 7), "{name}");
        assert_ne!(first, sample(LOST_UPDATE, name, 3, 50, 8), "{name}");
    }
}
