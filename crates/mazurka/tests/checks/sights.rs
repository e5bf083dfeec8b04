//! Everything by which a program can see something is explored, or refused with a reason.

use crate::common::{outcomes, proved};
use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, RwLock, mpsc};
use mazurka::{Checker, FindingKind, Report, thread};
use std::ptr;

#[track_caller]
fn finds(kind: FindingKind, report: &Report) {
    assert_eq!(report.finding().map(|finding| finding.kind), Some(kind), "{report}");
}

/// Two threads store, and something is sent, so that `observers` is chosen; what is there in the end is looked at by `look`.
fn last_values(look: fn(AtomicU32) -> u32) -> Vec<u32> {
    outcomes(move || {
        let (sender, receiver) = mpsc::channel();
        let x = std::sync::Arc::new(AtomicU32::new(0));
        let threads = [1, 2].map(|i| {
            let (x, sender) = (x.clone(), sender.clone());
            thread::spawn(move || {
                x.store(i, SeqCst);
                drop(x);
                sender.send(()).unwrap();
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        receiver.recv().unwrap();
        look(std::sync::Arc::into_inner(x).expect("the others are gone"))
    })
}

#[test]
fn last_values_are_seen_by_whatever_shows_them() {
    assert_eq!(last_values(AtomicU32::into_inner), [1, 2]);
    assert_eq!(last_values(|mut x| *x.get_mut()), [1, 2]);
    assert_eq!(last_values(|mut x| x.with_mut(|x| *x)), [1, 2]);
    assert_eq!(last_values(|x| format!("{x:?}").parse().unwrap()), [1, 2]);
}

#[test]
fn texts_for_people_are_looks() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicU32::new(0));
        let writer = x.clone();
        let child = thread::spawn(move || writer.store(1, SeqCst));
        let text = format!("{x:?}");
        child.join().unwrap();
        text
    });
    assert_eq!(seen, ["0", "1"]);
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        let child = thread::spawn(move || *other.lock().unwrap() = 1);
        let text = format!("{lock:?}");
        child.join().unwrap();
        text
    });
    let data = |data: &str| format!("Mutex {{ data: {data}, poisoned: false, .. }}");
    assert_eq!(seen, [data("0"), data("1"), data("<locked>")]);
    let seen = outcomes(|| {
        let once = Arc::new(OnceLock::new());
        let other = once.clone();
        let child = thread::spawn(move || other.set(1));
        let text = format!("{once:?}");
        child.join().unwrap().unwrap();
        text
    });
    assert_eq!(seen, ["OnceLock(None)", "OnceLock(Some(1))"]);
}

#[test]
fn poisoning_is_seen_in_its_order() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        let child = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            panic!("poison");
        });
        let before = lock.is_poisoned();
        assert!(child.join().is_err());
        (before, lock.is_poisoned())
    });
    assert_eq!(seen, [(false, true), (true, true)]);
}

struct Inner {
    x: Mutex<u32>,
    boxed: Box<AtomicU32>,
}

static LAZY: LazyLock<Inner> = LazyLock::new(|| Inner { x: Mutex::new(0), boxed: Box::new(AtomicU32::new(0)) });
static ONCE: OnceLock<Vec<AtomicU32>> = OnceLock::new();

mazurka::thread_local! {
    static LOCAL: Vec<AtomicU32> = vec![AtomicU32::new(0), AtomicU32::new(0)];
}

#[test]
fn what_is_made_once_is_the_same_whoever_makes_it() {
    let program = || {
        let threads = [0, 1].map(|i| {
            thread::spawn(move || {
                let mine = Box::new(AtomicU32::new(0));
                *LAZY.x.lock().unwrap() += 1;
                LAZY.boxed.fetch_add(1, SeqCst);
                ONCE.get_or_init(|| vec![AtomicU32::new(0), AtomicU32::new(0)])[i].fetch_add(1, SeqCst);
                LOCAL.with(|local| local[i].fetch_add(1, SeqCst));
                let other = Box::new(AtomicU32::new(0));
                mine.fetch_add(1 + other.load(SeqCst), SeqCst);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!((*LAZY.x.lock().unwrap(), LAZY.boxed.load(SeqCst)), (2, 2));
        assert_eq!(ONCE.get().map(|once| once[0].load(SeqCst) + once[1].load(SeqCst)), Some(2));
        LOCAL.with(|local| assert_eq!(local[0].load(SeqCst), 0));
    };
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(program);
        assert!(report.is_proof(), "{report}");
    }
}

struct Node {
    value: u32,
    next: *mut Node,
}

/// Treiber's stack, with nodes freed when they are popped: by one thread only, so that nobody looks at a node that is gone.
#[allow(unsafe_code, reason = "raw pointers")]
fn treiber() {
    let head = Arc::new(AtomicPtr::<Node>::new(ptr::null_mut()));
    let push = |head: &AtomicPtr<Node>, value| {
        let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
        loop {
            let next = head.load(SeqCst);
            // SAFETY: the node is not shared yet.
            unsafe { (*node).next = next };
            if head.compare_exchange(next, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    };
    let pop = |head: &AtomicPtr<Node>| loop {
        let node = head.load(SeqCst);
        if node.is_null() {
            return None;
        }
        // SAFETY: only this thread frees nodes.
        let next = unsafe { (*node).next };
        if head.compare_exchange(node, next, SeqCst, SeqCst).is_ok() {
            // SAFETY: nobody else refers to it.
            return Some(unsafe { Box::from_raw(node) }.value);
        }
    };
    let pushers = [1, 2].map(|value| {
        let head = head.clone();
        thread::spawn(move || {
            push(&head, value);
            push(&head, value + 10);
        })
    });
    let mut sum = 0;
    sum += pop(&head).unwrap_or(0);
    push(&head, 100);
    sum += pop(&head).unwrap_or(0);
    pushers.into_iter().for_each(|pusher| pusher.join().unwrap());
    while let Some(value) = pop(&head) {
        sum += value;
    }
    assert_eq!(sum, 126);
}

#[test]
fn a_stack_that_frees_its_nodes() {
    for algorithm in ["pop", "optimal"] {
        let report = Checker::new().algorithm(algorithm).max_executions(20_000).check(treiber);
        assert!(report.is_ok(), "{report}");
    }
}

#[test]
#[allow(unsafe_code, reason = "plain accesses")]
fn an_access_lasts_as_long_as_its_closure() {
    struct Shared(UnsafeCell<u32>, AtomicU32);
    // SAFETY: that is what is checked.
    unsafe impl Sync for Shared {}
    let report = Checker::new().check(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0), AtomicU32::new(0)));
        let other = shared.clone();
        thread::spawn(move || {
            other.0.with_mut(|cell| {
                other.1.store(1, SeqCst);
                // SAFETY: none: somebody else reads meanwhile.
                unsafe { *cell = 1 };
            });
        });
        if shared.1.load(SeqCst) == 1 {
            // SAFETY: none: it is being written.
            shared.0.with(|cell| unsafe { *cell });
        }
    });
    finds(FindingKind::DataRace, &report);
    let report = Checker::new().check(|| {
        let cell = UnsafeCell::new(0);
        cell.with_mut(|_| cell.with_mut(|_| ()));
    });
    finds(FindingKind::Panic, &report);
    proved(|| {
        let cell = UnsafeCell::new(0);
        cell.with(|_| cell.with(|_| ()));
        cell.with_mut(|_| ());
    });
}

#[test]
fn panics_that_are_dealt_with() {
    let handled = || assert!(thread::spawn(|| panic!("handled")).join().is_err());
    assert!(Checker::new().check(handled).is_proof());
    finds(FindingKind::Panic, &Checker::new().joined_panics(true).check(handled));
    let report = Checker::new().check(|| thread::spawn(|| panic!("the cause")).join().unwrap());
    assert!(report.finding().is_some_and(|finding| finding.text.contains("the cause")), "{report}");
    let report = Checker::new().check(|| drop(thread::spawn(|| panic!("nobody looks"))));
    finds(FindingKind::Panic, &report);
}

#[test]
fn a_scope_panics_with_its_threads() {
    let seen = outcomes(|| {
        let scope = |join: bool| {
            let result = std::panic::catch_unwind(|| {
                thread::scope(|scope| {
                    let child = scope.spawn(|| panic!("in the scope"));
                    if join {
                        assert!(child.join().is_err());
                    }
                })
            });
            result.is_err()
        };
        // A panic that nobody joined is a finding.
        (scope(true), true)
    });
    assert_eq!(seen, [(false, true)]);
    let report = Checker::new().check(|| thread::scope(|scope| _ = scope.spawn(|| panic!("in the scope"))));
    finds(FindingKind::Panic, &report);
    assert!(report.finding().is_some_and(|finding| finding.text.contains("a scoped thread panicked")), "{report}");
}

#[test]
fn reads_within_reads_while_somebody_waits_to_write() {
    let program = |writes: bool| {
        Checker::new().check(move || {
            let lock = Arc::new(RwLock::new(0));
            let other = lock.clone();
            thread::spawn(move || {
                if writes {
                    *other.write().unwrap() = 1
                }
            });
            let _first = lock.read().unwrap();
            let _second = lock.read().unwrap();
        })
    };
    finds(FindingKind::Panic, &program(true));
    assert!(program(false).is_proof());
}

#[test]
#[allow(unsafe_code, reason = "what some programs do")]
fn zeros_are_atomics() {
    proved(|| {
        // SAFETY: all zeros are a valid value.
        let x: AtomicUsize = unsafe { std::mem::zeroed() };
        x.fetch_add(1, SeqCst);
        assert_eq!((x.load(SeqCst), x.into_inner()), (1, 1));
    });
}

#[test]
fn stacks_are_as_large_as_those_of_std() {
    fn deep(n: u32) -> u32 {
        let frame = std::hint::black_box([n; 256]);
        if n == 0 { frame[1] } else { deep(n - 1) + frame[0] - n }
    }
    proved(|| _ = thread::spawn(|| deep(1000)).join());
    let report = Checker::new().stack_size(64 << 10).check(|| _ = thread::spawn(|| deep(1000)).join());
    finds(FindingKind::StackOverflow, &report);
    assert!(report.finding().is_some_and(|finding| finding.text.contains("MAZURKA_STACK_SIZE")), "{report}");
}

#[test]
fn a_lock_from_outside_is_refused() {
    let outside = Arc::new(Mutex::new(0));
    let report = Checker::new().check(move || *outside.lock().unwrap() += 1);
    assert!(report.finding().is_some_and(|finding| finding.text.contains("made outside of the check")), "{report}");
}

#[test]
fn what_happens_without_a_reason() {
    let weak = |checker: Checker| {
        checker.check(|| {
            let x = AtomicU32::new(0);
            assert!(x.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_ok(), "failed");
        })
    };
    assert!(weak(Checker::new()).is_proof());
    finds(FindingKind::Panic, &weak(Checker::new().spurious(true)));
    let wait = |checker: Checker| {
        checker.check(|| {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let other = pair.clone();
            let child = thread::spawn(move || {
                *other.0.lock().unwrap() = true;
                other.1.notify_one();
            });
            let mut guard = pair.0.lock().unwrap();
            if !*guard {
                guard = pair.1.wait(guard).unwrap();
            }
            assert!(*guard, "woken for nothing");
            drop(guard);
            child.join().unwrap();
        })
    };
    assert!(wait(Checker::new()).is_proof());
    finds(FindingKind::Panic, &wait(Checker::new().spurious(true)));
    let parks = Checker::new().spurious(true).check(thread::park);
    assert_eq!((parks.tally.completed, parks.tally.deadlocked), (0, 1), "{parks}");
}

#[test]
fn the_body_is_run_as_often_as_is_counted() {
    static RUNS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let report = proved(|| {
        RUNS.fetch_add(1, SeqCst);
        let x = Arc::new(AtomicU32::new(0));
        let other = x.clone();
        thread::spawn(move || other.store(1, SeqCst));
        x.load(SeqCst);
    });
    assert_eq!(RUNS.load(SeqCst), report.executions());
}

#[test]
fn a_run_that_does_not_end_says_where_it_is() {
    let report = Checker::new().check(|| {
        let x = AtomicU32::new(0);
        loop {
            x.fetch_add(1, SeqCst);
        }
    });
    finds(FindingKind::Livelock, &report);
    let text = &report.finding().unwrap().text;
    for part in
        ["main took 2000 of the last 2000 steps", "add at", "sights.rs", "schedule so far: mzk1:", "What to try"]
    {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}
