//! Loops that wait by looking again: those without an end wait for a change, those that give up are explored as they are.

use crate::common::{outcomes, proved};
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, hint, thread};

/// A flag that another thread sets.
fn flag_to_be_set() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::named("flag", false));
    let theirs = flag.clone();
    thread::spawn(move || theirs.store(true, SeqCst));
    flag
}

#[test]
fn a_loop_that_looks_again_waits_for_another_value() {
    let report = proved(|| {
        let flag = flag_to_be_set();
        while !flag.load(SeqCst) {
            hint::spin_loop();
        }
    });
    assert_eq!(report.executions(), 1);
}

#[test]
fn a_loop_that_does_not_pause_waits_whatever_the_limit_is() {
    let program = || {
        let flag = flag_to_be_set();
        while !flag.load(SeqCst) {}
    };
    for limit in [1, 3, 10] {
        let report = Checker::new().spin_limit(limit).check(program);
        assert!(report.is_proof(), "{report}");
        assert_eq!(report.executions(), 1);
    }
}

#[test]
fn pauses_without_a_look_in_between_are_one() {
    let report = proved(|| {
        let flag = flag_to_be_set();
        let mut pauses = 1;
        while !flag.load(SeqCst) {
            for _ in 0..pauses {
                hint::spin_loop();
            }
            pauses = (pauses * 2).min(64);
        }
    });
    assert_eq!(report.executions(), 3);
}

#[test]
fn a_loop_may_pause_in_several_places_and_look_at_several_things() {
    proved(|| {
        let (one, two) = (flag_to_be_set(), Arc::new(AtomicBool::new(false)));
        while !two.load(SeqCst) {
            thread::yield_now();
            if one.load(SeqCst) {
                break;
            }
            hint::spin_loop();
        }
    });
    proved(|| {
        let flags = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let theirs = flags.clone();
        thread::spawn(move || theirs[0].store(true, SeqCst));
        while !flags[0].load(SeqCst) && !flags[1].load(SeqCst) {
            thread::yield_now();
        }
    });
}

#[test]
fn a_loop_may_come_after_another() {
    proved(|| {
        let (one, two) = (flag_to_be_set(), flag_to_be_set());
        for flag in [one, two] {
            while !flag.load(SeqCst) {
                thread::yield_now();
            }
        }
    });
}

#[test]
fn spin_locks_are_taken_in_turn() {
    proved(|| {
        let lock = Arc::new(AtomicBool::new(false));
        let section = |lock: &Arc<AtomicBool>| {
            let lock = lock.clone();
            thread::spawn(move || {
                while lock.swap(true, SeqCst) {
                    thread::yield_now();
                }
                lock.store(false, SeqCst);
            })
        };
        for thread in [section(&lock), section(&lock), section(&lock)] {
            thread.join().unwrap();
        }
    });
}

#[test]
fn loops_that_look_at_what_a_lock_protects_end() {
    let report = proved(|| {
        let ready = Arc::new(Mutex::new(false));
        let theirs = ready.clone();
        thread::spawn(move || *theirs.lock().unwrap() = true);
        while !*ready.lock().unwrap() {
            thread::yield_now();
        }
    });
    assert_eq!(report.tally.completed, 1, "it looks once, when there is something to see");
}

/// Whether the flag was seen within so many rounds.
fn seen_within(rounds: u32, flag: &AtomicBool, pause: fn()) -> bool {
    (0..rounds).any(|_| {
        let seen = flag.load(SeqCst);
        if !seen {
            pause();
        }
        seen
    })
}

#[test]
fn a_loop_that_gives_up_is_explored_round_by_round() {
    for pause in [thread::yield_now, hint::spin_loop, || {}] {
        for rounds in [1, 2, 3, 4, 7, 30] {
            let report = proved(move || {
                seen_within(rounds, &flag_to_be_set(), pause);
            });
            assert_eq!(report.executions(), u64::from(rounds) + 1, "the flag is set before one of the looks, or after");
        }
        assert_eq!(outcomes(move || seen_within(5, &flag_to_be_set(), pause)), [false, true]);
    }
}

#[test]
fn a_loop_that_gives_up_what_nobody_sets_is_no_livelock() {
    for pause in [thread::yield_now, || {}] {
        let report = proved(move || assert!(!seen_within(100, &AtomicBool::new(false), pause)));
        assert_eq!(report.executions(), 1);
    }
}

#[test]
fn a_loop_that_gives_up_with_a_panic() {
    let report = Checker::new().check(|| {
        let flag = flag_to_be_set();
        for round in 0.. {
            assert!(round < 6, "given up");
            if flag.load(SeqCst) {
                break;
            }
            thread::yield_now();
        }
    });
    let finding = report.finding().expect("it gives up when the flag is set late");
    assert_eq!(finding.kind, FindingKind::Panic, "{report}");
    let again = Checker::new().replay(&finding.schedule);
    let again = again.check(|| assert!(seen_within(6, &flag_to_be_set(), thread::yield_now), "given up"));
    assert_eq!(again.finding().map(|finding| finding.kind), Some(FindingKind::Panic), "{again}");
}

#[test]
fn a_loop_that_takes_a_lock_and_gives_up() {
    let seen = outcomes(|| {
        let ready = Arc::new(Mutex::new(false));
        let theirs = ready.clone();
        thread::spawn(move || *theirs.lock().unwrap() = true);
        (0..4).any(|_| {
            let seen = *ready.lock().unwrap();
            thread::yield_now();
            seen
        })
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn loops_of_one_place_some_of_which_give_up() {
    let wait = |flag: &AtomicBool, rounds: u32| seen_within(rounds, flag, thread::yield_now);
    let seen = outcomes(move || {
        let flag = flag_to_be_set();
        let theirs = flag.clone();
        let patient = thread::spawn(move || wait(&theirs, u32::MAX));
        let given_up = !wait(&flag, 4);
        assert!(patient.join().unwrap());
        given_up
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn a_loop_that_counts_its_rounds_elsewhere() {
    let report = proved(|| {
        let rounds = Box::new(std::cell::Cell::new(0));
        let flag = AtomicU32::new(0);
        while flag.load(SeqCst) == 0 && rounds.replace(rounds.get() + 1) < 50 {
            hint::spin_loop();
        }
    });
    assert_eq!(report.executions(), 1);
}
