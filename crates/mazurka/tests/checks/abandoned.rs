//! Runs that are given up: code of the program that runs then can neither abort the process nor hang nor see nonsense.

use crate::common::proved;
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::{Checker, FindingKind, Report, thread};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does something when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Two threads lock two mutexes crosswise; each of them keeps something meanwhile.
fn deadlock<T: 'static>(keep: impl Fn(&Arc<[Mutex<u32>; 2]>) -> T) {
    let locks = Arc::new([Mutex::new(0), Mutex::new(0)]);
    for i in 0..2 {
        let (locks, kept) = (locks.clone(), keep(&locks));
        let body = move || {
            let _kept = kept;
            let _first = locks[i].lock().unwrap();
            let _second = locks[1 - i].lock().unwrap();
        };
        thread::spawn_as(body, thread::Wish::default(), std::panic::Location::caller());
    }
}

#[track_caller]
fn is_deadlock(report: &Report) {
    assert_eq!(report.finding().map(|finding| finding.kind), Some(FindingKind::Deadlock), "{report}");
}

#[test]
fn a_destructor_that_panics() {
    let report = Checker::new().check(|| {
        deadlock(|_| {
            let mut dropped = false;
            OnDrop(move || {
                // Only a thread that came to its end may drop it.
                dropped = !dropped;
                assert!(!std::thread::panicking(), "dropped too early");
            })
        })
    });
    is_deadlock(&report);
    // The threads that it was done in are gone, and panics are what they were.
    assert!(catch_unwind(|| panic!("as usual")).is_err());
    assert!(!std::thread::panicking());
}

/// As a worker of an async runtime does. The search goes on after a first finding, to explain it, in the same OS thread.
#[test]
fn a_destructor_that_aborts_the_process_where_threads_panic() {
    for bug_first in [true, false] {
        let report = Checker::new().bug_first(bug_first).check(|| {
            deadlock(|_| {
                OnDrop(|| {
                    if std::thread::panicking() {
                        std::process::abort();
                    }
                })
            })
        });
        is_deadlock(&report);
    }
}

#[test]
fn a_destructor_that_waits() {
    let report = Checker::new().check(|| {
        deadlock(|locks| {
            let locks = locks.clone();
            OnDrop(move || drop((locks[0].lock(), locks[1].lock())))
        })
    });
    is_deadlock(&report);
    let report = Checker::new().check(|| {
        let never = Arc::new(AtomicBool::new(false));
        deadlock(|_| {
            let never = never.clone();
            OnDrop(move || {
                while !never.load(SeqCst) {
                    std::hint::black_box(());
                }
            })
        })
    });
    assert!(report.finding().is_some(), "{report}");
}

#[test]
fn a_thread_that_catches_everything() {
    let report = Checker::new().check(|| {
        let lock = Arc::new(Mutex::new(()));
        let _held = lock.lock().unwrap();
        let other = lock.clone();
        let looper = thread::spawn(move || {
            loop {
                let _ = catch_unwind(AssertUnwindSafe(|| drop(other.lock())));
            }
        });
        looper.join().unwrap();
    });
    is_deadlock(&report);
}

#[test]
fn no_lock_is_held_twice_when_a_run_is_given_up() {
    static TWICE: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let report = Checker::new().keep_going().check(|| {
        let inside = std::rc::Rc::new(std::cell::Cell::new(0));
        deadlock(|locks| {
            let (locks, inside) = (locks.clone(), inside.clone());
            OnDrop(move || {
                for lock in &*locks {
                    let mut guard = lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    inside.set(inside.get() + 1);
                    if inside.get() > 1 {
                        TWICE.fetch_add(1, SeqCst);
                    }
                    *guard += 1;
                    inside.set(inside.get() - 1);
                }
            })
        });
    });
    assert!(report.tally.deadlocked > 0, "{report}");
    assert_eq!(TWICE.load(SeqCst), 0);
}

#[test]
fn a_search_goes_on_after_threads_were_forgotten() {
    let report = Checker::new().keep_going().check(|| {
        let x = Arc::new(AtomicU32::new(0));
        deadlock(|locks| {
            let (locks, x) = (locks.clone(), x.clone());
            OnDrop(move || {
                x.fetch_add(1, SeqCst);
                drop(locks[0].lock());
            })
        });
        x.store(7, SeqCst);
    });
    assert!(report.exhaustive && report.tally.deadlocked > 0 && report.tally.completed > 0, "{report}");
}

#[test]
fn a_static_with_a_destructor_that_waits() {
    use mazurka::sync::LazyLock;
    struct Waits(Mutex<u32>);
    impl Drop for Waits {
        fn drop(&mut self) {
            std::mem::forget(self.0.lock());
            drop(self.0.lock());
        }
    }
    static WAITS: LazyLock<Waits> = LazyLock::new(|| Waits(Mutex::new(1)));
    proved(|| assert_eq!(*WAITS.0.lock().unwrap(), 1));
}
