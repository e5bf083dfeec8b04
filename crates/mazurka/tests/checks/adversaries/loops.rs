//! Loops that wait, and loops that look like it.

use super::finds;
use crate::common::proved;
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use mazurka::{Checker, FindingKind, thread};
use std::time::Duration;

#[test]
fn a_wait_with_a_time_out_in_a_loop_ends() {
    proved(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = pair.clone();
        let child = thread::spawn(move || {
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
        let mut guard = pair.0.lock().unwrap();
        while !*guard {
            guard = pair.1.wait_timeout(guard, Duration::from_millis(1)).unwrap().0;
        }
        drop(guard);
        child.join().unwrap();
    });
}

#[test]
fn a_count_that_is_taken_and_given_back_around_a_look() {
    proved(|| {
        let (count, flag) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let theirs = flag.clone();
        let child = thread::spawn(move || theirs.store(true, SeqCst));
        loop {
            count.fetch_add(1, SeqCst);
            let seen = flag.load(SeqCst);
            count.fetch_sub(1, SeqCst);
            if seen {
                break;
            }
            thread::yield_now();
        }
        child.join().unwrap();
    });
}

#[test]
fn a_reader_that_polls() {
    proved(|| {
        let lock = Arc::new(RwLock::new(0));
        let theirs = lock.clone();
        let child = thread::spawn(move || *theirs.write().unwrap() = 3);
        while *lock.read().unwrap() != 3 {
            thread::yield_now();
        }
        child.join().unwrap();
    });
}

#[test]
fn a_channel_that_is_polled() {
    proved(|| {
        let (sender, receiver) = mpsc::channel();
        let child = thread::spawn(move || sender.send(4).unwrap());
        let got = loop {
            match receiver.try_recv() {
                Ok(value) => break value,
                Err(_) => thread::yield_now(),
            }
        };
        assert_eq!(got, 4);
        child.join().unwrap();
    });
}

#[test]
fn a_thread_that_is_asked_whether_it_has_ended() {
    proved(|| {
        let child = thread::spawn(|| ());
        while !child.is_finished() {
            thread::yield_now();
        }
    });
}

#[test]
fn a_notify_without_the_lock_ends_a_loop_of_waits_with_time_outs() {
    let program = |notifies: bool| {
        Checker::new().check(move || {
            let pair = Arc::new((Mutex::new(()), Condvar::new()));
            let theirs = pair.clone();
            let child = thread::spawn(move || {
                if notifies {
                    theirs.1.notify_one();
                }
            });
            let mut guard = pair.0.lock().unwrap();
            for _ in 0..2 {
                let (again, result) = pair.1.wait_timeout(guard, Duration::from_millis(1)).unwrap();
                guard = again;
                if !result.timed_out() {
                    break;
                }
            }
            drop(guard);
            child.join().unwrap();
        })
    };
    assert!(program(true).is_proof() && program(false).is_proof());
    let report = Checker::new().check(|| {
        let pair = (Mutex::new(()), Condvar::new());
        let mut guard = pair.0.lock().unwrap();
        loop {
            let (again, result) = pair.1.wait_timeout(guard, Duration::from_millis(1)).unwrap();
            guard = again;
            if !result.timed_out() {
                break;
            }
        }
    });
    finds(FindingKind::Livelock, &report);
}

#[test]
fn a_flag_that_is_looked_at_between_sleeps() {
    proved(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = flag.clone();
        let child = thread::spawn(move || theirs.store(true, SeqCst));
        while !flag.load(SeqCst) {
            thread::park_timeout(Duration::from_millis(1));
        }
        child.join().unwrap();
    });
}

/// Two sights of the same sum.
#[test]
fn a_loop_that_gives_up_at_one_sight_and_not_at_another() {
    let report = Checker::new().check(|| {
        let xy = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let theirs = xy.clone();
        thread::spawn(move || {
            theirs[1].store(3, SeqCst);
            theirs[1].store(1, SeqCst);
            theirs[0].store(2, SeqCst);
        });
        let mut rounds = 0;
        loop {
            let seen = (xy[0].load(SeqCst), xy[1].load(SeqCst));
            rounds += u32::from(seen == (2, 1));
            assert!(rounds < 20, "gave up");
            thread::yield_now();
        }
    });
    finds(FindingKind::Panic, &report);
}

#[test]
fn a_loop_with_an_end_of_its_own_is_no_livelock() {
    for rounds in [10, 300] {
        let report = Checker::new().check(move || {
            let stop = AtomicBool::new(false);
            for _ in 0..rounds {
                if stop.load(SeqCst) {
                    break;
                }
            }
        });
        assert!(report.is_proof(), "{report}");
    }
    let report = Checker::new().check(|| {
        let stop = AtomicBool::new(false);
        for _ in 0..1500 {
            if stop.load(SeqCst) {
                break;
            }
        }
    });
    assert!(report.is_ok(), "{report}");
}
