//! Locks and containers whose loops wait or retry: how many executions they take. Each critical section, or each successful
//! compare-exchange, is one event, and n of them have n! orders (docs/algorithms/loops.md).

use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka::{Checker, thread};
use std::ptr;

/// What each thread does, by its number.
pub(crate) type Body = Box<dyn Fn(usize) + Send + Sync>;

/// Executions that completed, and that were cut, by `optimal` and by `pop`, which must be the same.
#[track_caller]
pub(crate) fn counts(threads: usize, body: fn() -> Body) -> (u64, u64) {
    let counts = ["optimal", "pop"].map(|algorithm| {
        let checker = Checker::new().algorithm(algorithm).workers(1).bug_first(false);
        let report = checker.check(move || {
            let body = Arc::new(body());
            let spawn = |number| {
                let body = body.clone();
                thread::spawn(move || (*body)(number))
            };
            let all: Vec<_> = (0..threads).map(spawn).collect();
            all.into_iter().for_each(|thread| thread.join().unwrap());
        });
        assert!(report.is_proof(), "{report}");
        (report.tally.completed, report.tally.cut)
    });
    assert_eq!(counts[0], counts[1], "optimal and pop");
    counts[0]
}

/// Executions that completed.
#[track_caller]
fn completed(threads: usize, body: fn() -> Body) -> u64 {
    counts(threads, body).0
}

fn exchange() -> Body {
    let lock = AtomicBool::new(false);
    Box::new(move |_| {
        while lock.swap(true, SeqCst) {}
        lock.store(false, SeqCst);
    })
}

#[test]
fn locks_by_exchange_have_the_orders_of_their_sections() {
    assert_eq!([2, 3, 4, 5].map(|threads| completed(threads, exchange)), [2, 6, 24, 120]);
}

#[test]
fn a_lock_by_compare_exchange() {
    let body = || -> Body {
        let lock = AtomicBool::new(false);
        Box::new(move |_| {
            while lock.compare_exchange(false, true, SeqCst, SeqCst).is_err() {}
            lock.store(false, SeqCst);
        })
    };
    assert_eq!([3, 4, 5].map(|threads| completed(threads, body)), [6, 24, 120]);
}

#[test]
fn a_lock_that_tests_and_then_tests_and_sets() {
    let body = || -> Body {
        let lock = AtomicBool::new(false);
        Box::new(move |_| {
            loop {
                while lock.load(SeqCst) {}
                if !lock.swap(true, SeqCst) {
                    break;
                }
            }
            lock.store(false, SeqCst);
        })
    };
    assert_eq!(completed(3, body), 6);
}

#[test]
fn a_ticket_lock() {
    let body = || -> Body {
        let (next, served) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Box::new(move |_| {
            let mine = next.fetch_add(1, SeqCst);
            while served.load(SeqCst) != mine {}
            served.store(mine + 1, SeqCst);
        })
    };
    assert_eq!(completed(4, body), 24);
}

#[test]
fn a_loop_that_retries() {
    let body = || -> Body {
        let x = AtomicUsize::new(0);
        Box::new(move |_| {
            loop {
                let seen = x.load(SeqCst);
                if x.compare_exchange(seen, seen + 1, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        })
    };
    assert_eq!(completed(3, body), 6);
}

#[test]
fn an_update_by_a_function() {
    let body = || -> Body {
        let x = AtomicUsize::new(0);
        Box::new(move |_| _ = x.fetch_update(SeqCst, SeqCst, |x| Some(x + 1)))
    };
    assert_eq!([2, 3].map(|threads| counts(threads, body)), [(2, 0), (6, 0)]);
}

/// Pushes only: every thread has a node of its own, on the heap.
#[test]
fn pushes_to_a_stack_without_locks() {
    struct Node {
        next: *mut Node,
    }
    let body = || -> Body {
        let head = AtomicPtr::<Node>::new(ptr::null_mut());
        Box::new(move |_| {
            let node = Box::into_raw(Box::new(Node { next: ptr::null_mut() }));
            loop {
                let top = head.load(SeqCst);
                // SAFETY: the node is this thread's own until it is pushed.
                #[allow(unsafe_code, reason = "a list of raw pointers")]
                unsafe {
                    (*node).next = top;
                }
                if head.compare_exchange(top, node, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        })
    };
    assert_eq!(completed(2, body), 2);
}
