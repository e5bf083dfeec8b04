//! What schedules cost, counted by running every interleaving within a bound.

use litmus::LitmusProgram;
use mazurka_explore::{Bounds, Limit, Report, Settings, algorithm, check};

fn run(text: &str, name: &str, bounds: Bounds) -> Report {
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let settings = Settings { keep_going: true, bounds, ..Settings::default() };
    check(&program, &mut *(algorithm(name).unwrap().make)(), &settings).unwrap()
}

/// How many executions there are within each bound, counted from 0.
fn counts<const N: usize>(text: &str, bounds: impl Fn(u32) -> Bounds) -> [u64; N] {
    std::array::from_fn(|bound| run(text, "naive", bounds(bound as u32)).tally.executions())
}

fn preemptions(bound: u32) -> Bounds {
    Bounds { preemptions: Some(bound), ..Bounds::default() }
}

fn delays(bound: u32) -> Bounds {
    Bounds { delays: Some(bound), ..Bounds::default() }
}

fn depth(bound: usize) -> Bounds {
    Bounds { depth: Some(bound), ..Bounds::default() }
}

const TWO_OF_THREE: &str = "var x; x = 1; x = 2; x = 3 | x = 4; x = 5; x = 6";
const THREE_OF_ONE: &str = "var x; x = 1 | x = 2 | x = 3";

#[test]
fn a_preemption_leaves_a_thread_that_could_go_on() {
    // One preemption: either thread, before its second or its third step. C(6,3) in all.
    assert_eq!(counts(TWO_OF_THREE, preemptions), [2, 6, 14, 18, 20]);
    // Threads of one step have ended when another goes on.
    assert_eq!(counts(THREE_OF_ONE, preemptions), [6, 6]);
}

#[test]
fn leaving_a_blocked_thread_is_no_preemption() {
    let text = "mutex m; lock m; unlock m | lock m; unlock m";
    // Leaving the holder while the other waits is one, and then only the holder can go on.
    assert_eq!(counts(text, preemptions), [2, 2]);
    let text = "mutex m; var x; lock m; x = 1; unlock m | x = 2; lock m; unlock m";
    // With one, the first thread is left while it holds m (two places; the second one blocks, and the way back is free),
    // or the second before it locks.
    assert_eq!(counts(text, preemptions), [2, 5]);
}

#[test]
fn a_delay_passes_over_an_enabled_thread() {
    // 0,1,2 costs none; 0,2,1 and 1,2,0 one; 1,0,2 and 2,0,1 two; 2,1,0 three.
    assert_eq!(counts(THREE_OF_ONE, delays), [1, 3, 5, 6]);
    // Switching to the second thread and back is one delay each time that the first could go on.
    assert_eq!(counts(TWO_OF_THREE, delays), [1, 4, 10, 16, 19, 20]);
}

#[test]
fn a_thread_that_yields_is_left_for_nothing() {
    let text = "var x; x = 1; yield; x = 2 | x = 3; x = 4";
    let without = "var x; x = 1; x = 2 | x = 3; x = 4";
    assert_eq!(counts::<1>(without, preemptions), [2]);
    // The second thread can also run when the first has yielded.
    assert_eq!(counts::<1>(text, preemptions), [3]);
    // The round robin goes on with the second thread then.
    assert_eq!(counts::<1>(text, delays), [1]);
}

#[test]
fn executions_are_followed_to_their_depth() {
    let report = run(THREE_OF_ONE, "naive", depth(2));
    assert_eq!((report.tally.executions(), report.tally.out_of_bounds), (0, 6));
    let report = run("var x; x = 1 | x = 2; r = x; assume r == 1; x = 3; x = 4", "naive", depth(4));
    assert_eq!((report.tally.cut, report.tally.completed), (2, 0), "x is 1 at the assume in one of three executions");
    assert_eq!(report.tally.out_of_bounds, 1);
}

#[test]
fn what_was_cut_is_no_proof() {
    for name in ["naive", "classic", "source", "optimal", "pop"] {
        for bounds in [preemptions(0), delays(0), depth(3)] {
            let report = run(TWO_OF_THREE, name, bounds);
            assert!(!report.exhaustive, "{name} within {bounds}");
            assert_eq!(report.limit, Some(Limit::Bounds(bounds)), "{name}");
        }
    }
}

#[test]
fn a_bound_that_nothing_meets_changes_nothing() {
    for name in ["naive", "classic", "source", "optimal", "pop"] {
        for bounds in [preemptions(5), delays(9), depth(6)] {
            let report = run(TWO_OF_THREE, name, bounds);
            assert!(report.exhaustive, "{name} within {bounds}: {:?}", report.limit);
            assert_eq!(report.tally.executions(), 20, "{name} within {bounds}");
        }
    }
}

#[test]
fn a_failure_within_the_bound_is_found_and_has_its_pivot() {
    let text = "var x;
        def adder() { t = x; x = t + 1 }
        main: a = spawn adder(); b = spawn adder(); join a; join b; t = x; assert t == 2, \"an update was lost\"";
    for name in ["naive", "source", "optimal", "pop"] {
        assert_eq!(run(text, name, preemptions(0)).tally.failed, 0, "{name}");
    }
    for name in ["naive", "source", "optimal"] {
        let report = run(text, name, preemptions(1));
        assert!(report.tally.failed > 0, "{name}");
        assert!(report.findings[0].pivot.is_some(), "{name}: the pivot is looked for without bounds");
    }
}

#[test]
fn random_schedules_stay_within_the_bounds() {
    let program = LitmusProgram::new(TWO_OF_THREE.parse().unwrap()).unwrap();
    let mut settings = Settings { bounds: preemptions(0), ..Settings::default() };
    settings.limits.executions = Some(200);
    let mut switches = Switches::default();
    mazurka_explore::check_with(&program, &mut *(algorithm("random").unwrap().make)(), &settings, &mut switches)
        .unwrap();
    assert_eq!((switches.executions, switches.most), (200, 1));
}

/// The most switches of an execution.
#[derive(Default)]
struct Switches {
    executions: u64,
    most: usize,
}

impl trace::Sink for Switches {
    fn execution(&mut self, execution: &trace::Execution<'_>) -> std::ops::ControlFlow<()> {
        let switches = execution.trace.events().windows(2).filter(|pair| pair[0].thread() != pair[1].thread());
        self.executions += 1;
        self.most = self.most.max(switches.count());
        std::ops::ControlFlow::Continue(())
    }
}

/// The classes of all executions.
#[derive(Default)]
struct Classes(std::collections::BTreeSet<trace::Class>);

impl trace::Sink for Classes {
    fn execution(&mut self, execution: &trace::Execution<'_>) -> std::ops::ControlFlow<()> {
        self.0.insert(execution.trace.class());
        std::ops::ControlFlow::Continue(())
    }
}

/// Where sections can be passed in many orders, prefixes of one class are followed once, and every class is found.
#[test]
fn prefixes_of_one_class_are_followed_once() {
    let text = "mutex m; mutex n; lock m; unlock m; lock n; unlock n | lock n; unlock n; lock m; unlock m
        | lock m; unlock m; lock n; unlock n";
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let settings = Settings { keep_going: true, bounds: preemptions(2), ..Settings::default() };
    let [naive, source] = ["naive", "source"].map(|name| {
        let mut classes = Classes::default();
        let algorithm = &mut *(algorithm(name).unwrap().make)();
        let report = mazurka_explore::check_with(&program, algorithm, &settings, &mut classes).unwrap();
        (report.tally.executions(), classes.0)
    });
    assert_eq!(naive.1, source.1);
    // Without that, 130.
    assert_eq!((naive.0, source.0, source.1.len()), (216, 32, 22));
}

/// A loop does not multiply what is within a bound: local states are not asked for, unless it may have no end.
#[test]
fn loops_are_looked_for_within_a_bound_only_where_executions_are_long() {
    let retry = "loop { t = x; r = compare_exchange x, t, t + 1; if r == t { break } }";
    let retry = &format!("var x; {retry} | {retry}");
    let waiting = "var x; loop { r = x; if r == 1 { break } } | x = 1";
    for name in ["source", "naive"] {
        let short = run(retry, name, preemptions(1));
        assert!(short.known.is_empty() && short.limit == Some(Limit::Bounds(preemptions(1))), "{name}");
        assert!(!run(retry, name, Bounds::default()).known.is_empty(), "{name}");
        let endless = run(waiting, name, preemptions(1));
        assert!(endless.exhaustive && !endless.known.is_empty(), "{name}");
    }
}
