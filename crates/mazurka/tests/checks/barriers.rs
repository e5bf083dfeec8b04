//! Barriers: the order of arrivals matters only where somebody can tell.

use crate::common::classes;
use crate::retry::{Body, counts};
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Barrier};
use mazurka::{Checker, FindingKind, thread};

/// Runs `body` in so many threads, with a barrier of so many parties.
fn at_barrier(threads: usize, parties: usize, body: impl Fn(&Barrier) + Send + Sync + 'static) {
    let shared = Arc::new((Barrier::new(parties), body));
    let threads: Vec<_> = (0..threads)
        .map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.1(&shared.0))
        })
        .collect();
    for thread in threads {
        let _ = thread.join();
    }
}

#[test]
fn arrivals_of_one_meeting_commute() {
    classes(1, || {
        at_barrier(6, 6, |barrier| {
            barrier.wait();
        });
    });
    classes(1, || {
        at_barrier(4, 4, |barrier| {
            barrier.wait();
            barrier.wait();
        });
    });
}

/// The same by `optimal` and by `pop`.
#[test]
fn arrivals_by_both_algorithms() {
    let once = || -> Body {
        let barrier = Barrier::new(6);
        Box::new(move |_| _ = barrier.wait())
    };
    let twice = || -> Body {
        let barrier = Barrier::new(4);
        Box::new(move |_| {
            barrier.wait();
            std::hint::black_box(barrier.wait().is_leader());
        })
    };
    assert_eq!([counts(6, once), counts(4, twice)], [(1, 0), (24, 0)]);
}

#[test]
fn who_asks_who_was_last_sees_their_order() {
    classes(24, || {
        at_barrier(4, 4, |barrier| {
            barrier.wait().is_leader();
        });
    });
    classes(24, || {
        at_barrier(4, 4, |barrier| {
            barrier.wait();
            barrier.wait().is_leader();
        });
    });
}

#[test]
fn every_thread_may_be_the_last() {
    let leaders = crate::common::outcomes(|| {
        let leader = Arc::new(AtomicUsize::new(9));
        let barrier = Arc::new(Barrier::new(3));
        let threads: Vec<_> = (0..3)
            .map(|i| {
                let (leader, barrier) = (Arc::clone(&leader), Arc::clone(&barrier));
                thread::spawn(move || {
                    if barrier.wait().is_leader() {
                        leader.store(i, SeqCst);
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        leader.load(SeqCst)
    });
    assert_eq!(leaders, [0, 1, 2]);
}

#[test]
fn where_more_come_than_meet_each_may_be_left_over() {
    let report = Checker::new().keep_going().check(|| {
        at_barrier(3, 2, |barrier| {
            barrier.wait();
        });
    });
    assert_eq!(report.tally.deadlocked, 6, "{report}");
    assert!(report.findings.iter().all(|finding| finding.kind == FindingKind::Deadlock));
    assert_eq!(report.findings.len(), 3, "one for each thread that is left over");
}
