//! What a checker can be told: workers, bounds, random searches.

use mazurka::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, thread};

/// Every order of the writes, and what `main` reads.
fn writers(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    for i in 0..n {
        let x = x.clone();
        thread::spawn(move || x.store(i, SeqCst));
    }
    x.load(SeqCst);
}

fn lost_update() {
    let x = Arc::new(AtomicU32::named("x", 0));
    let adders: [_; 2] = std::array::from_fn(|_| {
        let x = x.clone();
        thread::spawn(move || x.store(x.load(SeqCst) + 1, SeqCst))
    });
    adders.into_iter().for_each(|adder| adder.join().unwrap());
    assert_eq!(x.load(SeqCst), 2, "an update was lost");
}

#[test]
fn workers_count_and_find_the_same() {
    for workers in [1, 2, 4] {
        let report = Checker::new().algorithm("pop").workers(workers).check(|| writers(6));
        assert!(report.is_proof(), "{report}");
        assert_eq!(report.executions(), 5040, "{workers} workers");
    }
    let report = Checker::new().workers(3).check(lost_update);
    assert_eq!(report.algorithm, "pop");
    let finding = report.finding().expect("an update is lost");
    assert_eq!(finding.kind, FindingKind::Panic, "{report}");
    assert!(Checker::new().replay(&finding.schedule).check(lost_update).finding().is_some());
}

#[test]
fn workers_share_nothing_that_is_checked() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    static NUMBERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let program = || {
        let add = |i: usize| {
            COUNT.fetch_add(1, SeqCst);
            NUMBERS.lock().unwrap().push(i);
        };
        let threads: Vec<_> = (0..4).map(|i| thread::spawn(move || add(i))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!((COUNT.load(SeqCst), NUMBERS.lock().unwrap().len()), (4, 4));
    };
    let counts: Vec<u64> = [1, 2]
        .map(|workers| {
            let report = Checker::new().algorithm("pop").workers(workers).check(program);
            assert!(report.is_proof(), "{report}");
            report.executions()
        })
        .to_vec();
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn loops_wait_whoever_explores_them() {
    let program = || {
        let turn = Arc::new(AtomicUsize::new(0));
        for i in 0..5 {
            let turn = turn.clone();
            thread::spawn(move || {
                while turn.load(SeqCst) != i {
                    thread::yield_now();
                }
                turn.store(i + 1, SeqCst);
            });
        }
    };
    let alone = Checker::new().algorithm("pop").check(program);
    let together = Checker::new().algorithm("pop").workers(2).check(program);
    assert!(alone.is_proof() && together.is_proof(), "{alone}\n{together}");
    assert_eq!(alone.executions(), together.executions());
}

#[test]
fn a_bound_on_preemptions() {
    // One thread must stop between its load and its store.
    let none = Checker::new().preemption_bound(0).check(lost_update);
    assert!(none.is_ok() && !none.is_proof(), "{none}");
    assert_eq!(none.algorithm, "source");
    assert!(none.to_string().contains("0 preemptions"), "{none}");
    let one = Checker::new().preemption_bound(1).check(lost_update);
    assert_eq!(one.finding().map(|finding| finding.kind), Some(FindingKind::Panic), "{one}");
}

#[test]
fn a_bound_on_delays() {
    let none = Checker::new().delay_bound(0).check(lost_update);
    assert!(none.is_ok() && !none.is_proof(), "{none}");
    assert!(Checker::new().delay_bound(2).check(lost_update).finding().is_some());
}

#[test]
fn random_searches_find_and_do_not_prove() {
    for seed in 0..3 {
        for checker in [Checker::new().random(200, seed), Checker::new().pct(200, 2, seed)] {
            let report = checker.check(lost_update);
            let finding = report.finding().unwrap_or_else(|| panic!("nothing found: {report}"));
            assert!(Checker::new().replay(&finding.schedule).check(lost_update).finding().is_some());
            assert!(!checker.check(|| writers(2)).is_proof());
        }
    }
    let counts = |seed| Checker::new().pct(50, 3, seed).check(|| writers(3)).tally;
    assert_eq!(counts(1), counts(1), "the same seed gives the same executions");
}

#[test]
#[should_panic(expected = "there is no algorithm 'magic'; there are naive")]
fn an_algorithm_that_is_not_there() {
    let _ = Checker::new().algorithm("magic");
}
