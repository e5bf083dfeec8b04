//! Locks and containers whose loops wait or retry: how many executions they take. Each critical section, or each successful
//! compare-exchange, is one event, and n of them have n! orders (docs/algorithms/loops.md).

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, RwLock};
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

fn exchange() -> Body {
    let lock = AtomicBool::new(false);
    Box::new(move |_| {
        while lock.swap(true, SeqCst) {}
        lock.store(false, SeqCst);
    })
}

#[test]
fn locks_by_exchange_have_the_orders_of_their_sections() {
    assert_eq!([2, 3, 4, 5].map(|threads| counts(threads, exchange)), [(2, 0), (6, 0), (24, 0), (120, 0)]);
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
    assert_eq!([3, 4, 5].map(|threads| counts(threads, body)), [(6, 0), (24, 0), (120, 0)]);
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
    assert_eq!([2, 3].map(|threads| counts(threads, body)), [(2, 0), (6, 0)]);
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
    assert_eq!([2, 3, 4].map(|threads| counts(threads, body)), [(2, 0), (6, 0), (24, 0)]);
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
    assert_eq!([2, 3].map(|threads| counts(threads, body)), [(2, 0), (6, 0)]);
}

#[test]
fn an_update_by_a_function() {
    let body = || -> Body {
        let x = AtomicUsize::new(0);
        Box::new(move |_| _ = x.fetch_update(SeqCst, SeqCst, |x| Some(x + 1)))
    };
    assert_eq!([2, 3].map(|threads| counts(threads, body)), [(2, 0), (6, 0)]);
}

/// Pushes only: every thread has a node of its own, on the heap. What it writes there before it fails is no part of its stack, so that the
/// round counts.
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
    assert_eq!([2, 3].map(|threads| counts(threads, body)), [(2, 0), (12, 0)]);
}

/// Treiber's stack: each thread pushes, then pops. As in C, where the argument is.
fn treiber() -> Body {
    struct Node {
        next: *mut Node,
    }
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
        loop {
            let top = head.load(SeqCst);
            assert!(!top.is_null());
            // SAFETY: nodes are never freed.
            #[allow(unsafe_code, reason = "a list of raw pointers")]
            let next = unsafe { (*top).next };
            if head.compare_exchange(top, next, SeqCst, SeqCst).is_ok() {
                break;
            }
        }
    })
}

#[test]
fn a_stack_without_locks() {
    assert_eq!([counts(2, treiber), counts(3, treiber)], [(8, 2), (556, 424)]);
}

/// The reader-writer lock of Linux: each thread reads, then writes. Nobody looks at what the additions find that give the lock back.
/// As many executions as in C (`crates/c/tests/programs/loops/linux_rwlock.c`).
fn linux_rwlock() -> Body {
    const BIAS: i32 = 0x100000;
    let (lock, data) = (AtomicI32::new(BIAS), Data(UnsafeCell::new(0)));
    Box::new(move |_| {
        let data = &data;
        while lock.fetch_sub(1, SeqCst) <= 0 {
            lock.fetch_add(1, SeqCst);
            while lock.load(SeqCst) <= 0 {}
        }
        data.0.with(|_| ());
        lock.fetch_add(1, SeqCst);
        while lock.fetch_sub(BIAS, SeqCst) != BIAS {
            lock.fetch_add(BIAS, SeqCst);
            while lock.load(SeqCst) != BIAS {}
        }
        data.0.with_mut(|_| ());
        lock.fetch_add(BIAS, SeqCst);
    })
}

struct Data(UnsafeCell<u32>);

// SAFETY: the lock orders all accesses, which is what is checked.
#[allow(unsafe_code, reason = "data that a lock guards that is no mutex")]
unsafe impl Sync for Data {}

#[test]
fn a_reader_writer_lock_of_a_kernel() {
    assert_eq!([counts(2, linux_rwlock), counts(3, linux_rwlock)], [(10, 22), (372, 9264)]);
}

/// Where nobody looks at what an addition finds, its place in the order of additions is none.
#[test]
fn additions_whose_results_are_not_used_commute() {
    let blind = || -> Body {
        let x = AtomicUsize::new(0);
        Box::new(move |_| _ = x.fetch_add(1, SeqCst))
    };
    let seen = || -> Body {
        let x = AtomicUsize::new(0);
        Box::new(move |_| assert!(x.fetch_add(1, SeqCst) < 3))
    };
    assert_eq!((counts(9, blind), counts(3, seen)), ((1, 0), (6, 0)));
    let all = Checker::new().bug_first(false).keep_going().check(|| {
        let x = Arc::new(AtomicI32::new(0));
        for number in 0..5 {
            let x = x.clone();
            thread::spawn(move || match number {
                0 => while x.load(SeqCst) != 10 {},
                1 | 2 => _ = x.fetch_add(3, SeqCst),
                3 => _ = x.fetch_sub(-4, SeqCst),
                _ => [1, 1, 8].into_iter().for_each(|by| _ = x.fetch_add(by, SeqCst)),
            });
        }
    });
    // It sees 3 + 3 + 4, or 1 + 1 + 8, or never sees 10.
    assert_eq!((all.executions(), all.findings.len()), (3, 1), "{all}");
}

/// What an addition finds is used by who called the function that it is in, or by nobody.
#[test]
fn results_are_followed_to_those_who_look() {
    #[inline(never)]
    fn next(x: &AtomicU8) -> u8 {
        x.fetch_add(1, SeqCst)
    }
    let looks = || -> Body {
        let x = AtomicU8::new(0);
        Box::new(move |_| assert!(next(&x) < 3))
    };
    let does_not = || -> Body {
        let x = AtomicU8::new(0);
        Box::new(move |_| _ = next(&x))
    };
    assert_eq!((counts(3, looks), counts(3, does_not)), ((6, 0), (1, 0)));
}

/// Threads that poll a flag under its mutex, and the last one, which sets it.
fn polled<const N: usize>(pause: fn()) -> Body {
    let flag = Mutex::new(false);
    Box::new(move |number| {
        if number == N {
            *flag.lock().unwrap() = true;
            return;
        }
        while !*flag.lock().unwrap() {
            pause();
        }
    })
}

/// Each order of the last looks is a class: of those before, nothing is left.
#[test]
fn a_flag_that_is_polled_under_a_mutex() {
    assert_eq!([counts(2, || polled::<1>(|| {})), counts(4, || polled::<3>(|| {}))], [(1, 0), (6, 0)]);
    assert_eq!(counts(4, || polled::<3>(thread::yield_now)), (6, 0));
    assert_eq!(counts(4, || polled::<3>(mazurka::hint::spin_loop)), (6, 0));
}

/// Readers do not see each other: that one reads while another one looks is no part of a class.
#[test]
fn a_flag_that_is_polled_by_readers() {
    let body = || -> Body {
        let flag = RwLock::new(false);
        Box::new(move |number| {
            if number == 2 {
                *flag.write().unwrap() = true;
                return;
            }
            while !*flag.read().unwrap() {}
        })
    };
    assert_eq!(counts(3, body), (1, 3));
}

/// A thread that tries a lock until it finds something behind it, with a pause while it holds it or without.
#[test]
fn a_lock_that_is_tried_until_there_is_something() {
    let executions = [thread::yield_now, || {}].map(|pause| {
        let report = crate::common::proved(move || {
            let flag = Arc::new(Mutex::new(false));
            let theirs = flag.clone();
            thread::spawn(move || *theirs.lock().unwrap() = true);
            loop {
                match flag.try_lock() {
                    Ok(set) if *set => break,
                    _ => pause(),
                }
            }
        });
        report.executions()
    });
    assert_eq!(executions, crate::waiting::by_build([2, 2], [4, 3]));
}

/// What a section changes, and what it does not: a thread that looks for another value goes on, one that looks for a value that
/// nobody puts there is stuck for ever.
#[test]
fn what_a_lock_guards_decides() {
    let program = |last: u32| {
        move || {
            let data = Arc::new(Mutex::new(vec![0]));
            let theirs = data.clone();
            let writer = thread::spawn(move || (1..4).for_each(|value| theirs.lock().unwrap()[0] = value));
            while data.lock().unwrap()[0] != last {}
            writer.join().unwrap();
        }
    };
    assert!(Checker::new().check(program(3)).is_proof());
    let report = Checker::new().check(program(2));
    assert_eq!(report.finding().map(|finding| finding.kind), Some(mazurka::FindingKind::Livelock), "{report}");
    let report = Checker::new().check(program(7));
    assert_eq!(report.finding().map(|finding| finding.kind), Some(mazurka::FindingKind::Livelock), "{report}");
}

/// Somebody changes what a lock guards by other means: whoever polls it notices nevertheless.
#[test]
#[allow(unsafe_code, reason = "what some programs do")]
fn what_a_lock_guards_is_changed_without_it() {
    struct Shared {
        lock: Mutex<Box<u32>>,
        turn: AtomicUsize,
    }
    crate::common::proved(|| {
        let shared = Arc::new(Shared { lock: Mutex::new(Box::new(0)), turn: AtomicUsize::new(0) });
        let place = {
            let mut data = shared.lock.lock().unwrap();
            &raw mut **data as usize
        };
        let theirs = shared.clone();
        let writer = thread::spawn(move || {
            while theirs.turn.load(SeqCst) == 0 {}
            // SAFETY: the other one waits for its turn.
            unsafe { *(place as *mut u32) = 1 };
            theirs.turn.store(0, SeqCst);
        });
        while **shared.lock.lock().unwrap() == 0 {
            shared.turn.store(1, SeqCst);
            while shared.turn.load(SeqCst) == 1 {}
        }
        writer.join().unwrap();
    });
}

#[test]
fn a_lock_that_was_taken_apart_guards_what_was_put_there() {
    crate::common::proved(|| {
        let mut data = Mutex::new(0);
        *data.lock().unwrap() += 1;
        *data.get_mut().unwrap() = 5;
        let data = Arc::new(data);
        let theirs = data.clone();
        let other = thread::spawn(move || while *theirs.lock().unwrap() != 6 {});
        while *data.lock().unwrap() != 5 {}
        *data.lock().unwrap() = 6;
        other.join().unwrap();
    });
}
