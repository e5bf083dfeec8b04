//! Litmus tests of memory models in Rust: which outcomes there are under each model, and what a report says.

#![allow(unsafe_code, reason = "cells that nothing else protects are what some tests are about")]

use mazurka::cell::UnsafeCell;
use mazurka::sync::Arc;
use mazurka::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use mazurka::sync::atomic::{AtomicUsize, fence};
use mazurka::{Checker, FindingKind, Report, thread};
use std::collections::BTreeSet;
use std::sync::Mutex;

type Outcomes = BTreeSet<Vec<usize>>;

/// What the threads of a program return, in all executions under a model.
fn outcomes<const N: usize, const X: usize>(model: &str, bodies: [fn(&[AtomicUsize; X]) -> usize; N]) -> Outcomes {
    let found = std::sync::Arc::new(Mutex::new(Outcomes::new()));
    let told = found.clone();
    let report = Checker::new().memory(model).check(move || {
        let x: Arc<[AtomicUsize; X]> = Arc::new([const { AtomicUsize::new(0) }; X]);
        let threads = bodies.map(|body| {
            let x = x.clone();
            thread::spawn(move || body(&x))
        });
        let outcome = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        told.lock().unwrap().insert(outcome);
    });
    assert!(report.is_proof(), "{report}");
    let found = found.lock().unwrap();
    found.clone()
}

const MODELS: [&str; 5] = ["sc", "tso", "pso", "ra", "rc11"];

/// Under which models an outcome is possible.
fn models_of<const N: usize, const X: usize>(
    outcome: &[usize],
    bodies: [fn(&[AtomicUsize; X]) -> usize; N],
) -> Vec<&'static str> {
    MODELS.into_iter().filter(|model| outcomes(model, bodies).contains(outcome)).collect()
}

#[test]
fn store_buffering() {
    let weak = [
        |[x, y]: &[AtomicUsize; 2]| {
            x.store(1, Relaxed);
            y.load(Relaxed)
        },
        |[x, y]: &[AtomicUsize; 2]| {
            y.store(1, Relaxed);
            x.load(Relaxed)
        },
    ];
    assert_eq!(models_of(&[0, 0], weak), ["tso", "pso", "ra", "rc11"]);
    let fenced = [
        |[x, y]: &[AtomicUsize; 2]| {
            x.store(1, Relaxed);
            fence(SeqCst);
            y.load(Relaxed)
        },
        |[x, y]: &[AtomicUsize; 2]| {
            y.store(1, Relaxed);
            fence(SeqCst);
            x.load(Relaxed)
        },
    ];
    assert_eq!(models_of(&[0, 0], fenced), [""; 0]);
    let strong = [
        |[x, y]: &[AtomicUsize; 2]| {
            x.store(1, SeqCst);
            y.load(SeqCst)
        },
        |[x, y]: &[AtomicUsize; 2]| {
            y.store(1, SeqCst);
            x.load(SeqCst)
        },
    ];
    assert_eq!(models_of(&[0, 0], strong), ["ra"]);
}

#[test]
fn load_buffering() {
    let bodies = [
        |[x, y]: &[AtomicUsize; 2]| {
            let found = x.load(Relaxed);
            y.store(1, Relaxed);
            found
        },
        |[x, y]: &[AtomicUsize; 2]| {
            let found = y.load(Relaxed);
            x.store(1, Relaxed);
            found
        },
    ];
    assert_eq!(models_of(&[1, 1], bodies), [""; 0]);
    assert_eq!(models_of(&[0, 1], bodies), MODELS);
}

/// Two threads write, two others see the writes in different orders.
#[test]
fn independent_reads_of_independent_writes() {
    let relaxed = [
        |[x, _]: &[AtomicUsize; 2]| {
            x.store(1, Relaxed);
            0
        },
        |[_, y]: &[AtomicUsize; 2]| {
            y.store(1, Relaxed);
            0
        },
        |[x, y]: &[AtomicUsize; 2]| 2 * x.load(Acquire) + y.load(Acquire),
        |[x, y]: &[AtomicUsize; 2]| 2 * y.load(Acquire) + x.load(Acquire),
    ];
    assert_eq!(models_of(&[0, 0, 2, 2], relaxed), ["ra", "rc11"]);
    let strong = [
        |[x, _]: &[AtomicUsize; 2]| {
            x.store(1, SeqCst);
            0
        },
        |[_, y]: &[AtomicUsize; 2]| {
            y.store(1, SeqCst);
            0
        },
        |[x, y]: &[AtomicUsize; 2]| 2 * x.load(SeqCst) + y.load(SeqCst),
        |[x, y]: &[AtomicUsize; 2]| 2 * y.load(SeqCst) + x.load(SeqCst),
    ];
    assert_eq!(models_of(&[0, 0, 2, 2], strong), ["ra"]);
}

/// What a failed compare-exchange asks for is its own order.
#[test]
fn a_failed_compare_exchange_has_its_own_order() {
    fn bodies(failure: Ordering) -> [fn(&[AtomicUsize; 2]) -> usize; 2] {
        let reader = match failure {
            Acquire => |[x, y]: &[AtomicUsize; 2]| match y.compare_exchange(0, 7, Relaxed, Acquire) {
                Err(1) => 2 + x.load(Relaxed),
                _ => 0,
            },
            _ => |[x, y]: &[AtomicUsize; 2]| match y.compare_exchange(0, 7, AcqRel, Relaxed) {
                Err(1) => 2 + x.load(Relaxed),
                _ => 0,
            },
        };
        let writer = |[x, y]: &[AtomicUsize; 2]| {
            x.store(1, Relaxed);
            y.store(1, Release);
            0
        };
        [writer, reader]
    }
    assert_eq!(models_of(&[0, 2], bodies(Acquire)), [""; 0]);
    assert_eq!(models_of(&[0, 2], bodies(Relaxed)), ["rc11"]);
}

/// Message passing through a flag of these orders.
fn message_passing(store: Ordering, load: Ordering) -> impl Fn() + Sync + Send + 'static {
    move || {
        let shared = Arc::new((AtomicUsize::named("data", 0), AtomicUsize::named("flag", 0)));
        let theirs = shared.clone();
        thread::spawn(move || {
            theirs.0.store(42, Relaxed);
            theirs.1.store(1, store);
        });
        if shared.1.load(load) == 1 {
            assert_eq!(shared.0.load(Relaxed), 42);
        }
    }
}

/// Without a word about memory models.
#[test]
fn message_passing_needs_release_and_acquire() {
    let report = Checker::new().check(message_passing(Release, Acquire));
    assert!(report.is_proof() && report.memory == "rc11", "{report}");
    assert!(report.to_string().contains("under rc11"), "{report}");
    for (store, load, reason) in [
        (Relaxed, Relaxed, "a release store read by an acquire load would"),
        (Release, Relaxed, "the store releases, but the load does not acquire"),
        (Relaxed, Acquire, "the load acquires, but the store does not release"),
    ] {
        let report = Checker::new().check(message_passing(store, load));
        let finding = report.finding().unwrap_or_else(|| panic!("{store:?} {load:?}: {report}"));
        assert_eq!((finding.kind, report.memory), (FindingKind::Panic, "rc11"));
        let missing = finding.text.lines().find(|line| line.starts_with("nothing synchronises the store at"));
        let missing = missing.unwrap_or_else(|| panic!("{}", finding.text));
        assert!(missing.contains(reason) && missing.matches("outcomes.rs:").count() == 2, "{}", finding.text);
        assert!(finding.text.contains("reads data = 0 from the start, although the write of 42"), "{}", finding.text);
        assert!(!report.is_proof() && Checker::new().memory("sc").check(message_passing(store, load)).is_proof());
    }
}

#[test]
fn message_passing_by_fences() {
    fn passing(release: Ordering, acquire: Ordering) -> Report {
        Checker::new().check(move || {
            let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
            let theirs = shared.clone();
            thread::spawn(move || {
                theirs.0.store(42, Relaxed);
                fence(release);
                theirs.1.store(1, Relaxed);
            });
            if shared.1.load(Relaxed) == 1 {
                fence(acquire);
                assert_eq!(shared.0.load(Relaxed), 42);
            }
        })
    }
    assert!(passing(Release, Acquire).is_proof());
    assert!(!passing(Acquire, Acquire).is_ok());
    assert!(!passing(Release, Release).is_ok());
}

/// What is in a cell is published by a flag of this order.
fn published(order: Ordering) -> impl Fn() + Sync + Send + 'static {
    struct Shared {
        data: UnsafeCell<usize>,
        flag: AtomicUsize,
    }
    // SAFETY: that is what the test is about.
    unsafe impl Sync for Shared {}
    move || {
        let shared = Arc::new(Shared { data: UnsafeCell::new(0), flag: AtomicUsize::new(0) });
        let theirs = shared.clone();
        thread::spawn(move || {
            // SAFETY: the flag is not set.
            theirs.data.with_mut(|data| unsafe { *data = 42 });
            theirs.flag.store(1, order);
        });
        if shared.flag.load(Acquire) == 1 {
            // SAFETY: the flag is set.
            assert_eq!(shared.data.with(|data| unsafe { *data }), 42);
        }
    }
}

#[test]
fn a_cell_that_is_published_by_a_relaxed_store_is_a_data_race() {
    let report = Checker::new().check(published(Release));
    assert!(report.is_proof() && report.memory == "rc11", "{report}");
    let report = Checker::new().check(published(Relaxed));
    let finding = report.finding().expect("a data race");
    assert_eq!(finding.kind, FindingKind::DataRace, "{report}");
    assert!(finding.text.contains("nothing synchronises the store at"), "{report}");
    assert!(finding.headline.contains("nothing orders"), "{report}");
}

/// A program without weaker orders is right under the language's model if it is as sequentially consistent.
#[test]
fn a_program_without_weaker_orders_needs_no_other_search() {
    let report = Checker::new().check(message_passing_of_seq_cst);
    assert!(report.is_proof() && report.memory == "rc11" && report.weak.is_none(), "{report}");
    assert!(report.to_string().contains("no atomic operation is weaker than seq_cst"), "{report}");
}

fn message_passing_of_seq_cst() {
    let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let theirs = shared.clone();
    thread::spawn(move || {
        theirs.0.store(42, SeqCst);
        theirs.1.store(1, SeqCst);
    });
    if shared.1.load(SeqCst) == 1 {
        assert_eq!(shared.0.load(SeqCst), 42);
    }
}

/// Messages have no form in graphs.
#[test]
fn what_graphs_do_not_know_is_explored_as_sequentially_consistent() {
    let program = || {
        let (sender, receiver) = mazurka::sync::mpsc::channel();
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = x.clone();
        thread::spawn(move || {
            theirs.store(1, Relaxed);
            sender.send(()).unwrap();
        });
        receiver.recv().unwrap();
        assert_eq!(x.load(Relaxed), 1);
    };
    let report = Checker::new().check(program);
    assert!(report.is_ok() && report.exhaustive && report.memory == "sc", "{report}");
    assert!(report.to_string().contains("not a proof under rc11: memory models cannot explore"), "{report}");
    let report = Checker::new().memory("rc11").check(program);
    assert!(report.is_ok() && !report.is_proof(), "{report}");
    assert!(report.to_string().contains("not a proof under rc11"), "{report}");
}

/// What is too long for graphs is no failure, and no proof.
#[test]
fn what_is_too_long_is_said() {
    let program = || {
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = x.clone();
        let thread = thread::spawn(move || {
            for _ in 0..1_500 {
                theirs.fetch_add(1, Relaxed);
            }
        });
        thread.join().unwrap();
        assert_eq!(x.load(Relaxed), 1_500);
    };
    let report = Checker::new().check(program);
    assert!(report.is_ok() && report.exhaustive && report.memory == "sc", "{report}");
    assert!(report.to_string().contains("the limit of 2000 steps, so that this is not a proof under rc11"), "{report}");
    let report = Checker::new().memory("rc11").check(program);
    assert!(report.is_proof() && report.memory == "rc11", "{report}");
}

/// Loops that wait end under every model, with and without a pause.
#[test]
fn loops_that_wait_end() {
    fn waits(pause: fn()) -> impl Fn() + Sync + Send + 'static {
        move || {
            let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
            let theirs = shared.clone();
            thread::spawn(move || {
                theirs.0.store(1, Relaxed);
                theirs.1.store(1, Release);
            });
            while shared.1.load(Acquire) == 0 {
                pause();
            }
            assert_eq!(shared.0.load(Relaxed), 1);
        }
    }
    for model in MODELS {
        for pause in [mazurka::hint::spin_loop, thread::yield_now, || {}] {
            let report = Checker::new().memory(model).check(waits(pause));
            assert!(report.is_proof(), "{model}: {report}");
        }
    }
    let forever = || {
        let x = AtomicUsize::new(0);
        while x.load(Relaxed) == 0 {
            thread::yield_now();
        }
    };
    let report = Checker::new().memory("rc11").check(forever);
    assert_eq!(report.finding().map(|finding| finding.kind), Some(FindingKind::Livelock), "{report}");
}

/// Locks and what else synchronises order plain accesses.
#[test]
fn what_synchronises_orders_plain_accesses() {
    use mazurka::sync::{Barrier, Condvar, Mutex, Once, RwLock};
    struct All {
        data: UnsafeCell<usize>,
        ready: Mutex<bool>,
        changed: Condvar,
        barrier: Barrier,
        once: Once,
        lock: RwLock<()>,
    }
    // SAFETY: that is what the test is about.
    unsafe impl Sync for All {}
    impl All {
        fn add(&self) {
            // SAFETY: as above.
            self.data.with_mut(|data| unsafe { *data += 1 });
        }
    }
    fn twice(first: fn(&All), second: fn(&All)) {
        let report = Checker::new().memory("rc11").check(move || {
            let all = Arc::new(All {
                data: UnsafeCell::new(0),
                ready: Mutex::new(false),
                changed: Condvar::new(),
                barrier: Barrier::new(2),
                once: Once::new(),
                lock: RwLock::new(()),
            });
            let theirs = all.clone();
            let thread = thread::spawn(move || second(&theirs));
            first(&all);
            thread.join().unwrap();
            all.add();
        });
        assert!(report.is_proof(), "{report}");
    }
    let locked = |all: &All| {
        let _guard = all.ready.lock().unwrap();
        all.add();
    };
    twice(locked, locked);
    let written = |all: &All| {
        let _guard = all.lock.write().unwrap();
        all.add();
    };
    let read = |all: &All| {
        let _guard = all.lock.read().unwrap();
        // SAFETY: as above.
        all.data.with(|data| unsafe { *data });
    };
    twice(written, written);
    twice(written, read);
    twice(
        |all| {
            all.add();
            *all.ready.lock().unwrap() = true;
            all.changed.notify_one();
        },
        |all| {
            let mut ready = all.ready.lock().unwrap();
            while !*ready {
                ready = all.changed.wait(ready).unwrap();
            }
            drop(ready);
            all.add();
        },
    );
    twice(
        |all| {
            all.add();
            all.barrier.wait();
        },
        |all| {
            all.barrier.wait();
            all.add();
        },
    );
    twice(|all| all.once.call_once(|| all.add()), |all| all.once.call_once(|| all.add()));
}

#[test]
#[should_panic(expected = "there is no memory model 'arm'; there are sc, tso, pso, ra, rc11")]
fn a_model_that_there_is_not() {
    let _ = Checker::new().memory("arm");
}

#[test]
fn the_orders_to_strengthen_are_told() {
    let report = Checker::new().suggest_orders(true).check(|| {
        let shared = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let theirs = shared.clone();
        thread::spawn(move || {
            theirs[0].store(42, Relaxed);
            theirs[1].store(1, Relaxed);
        });
        if shared[1].load(Relaxed) == 1 {
            assert_eq!(shared[0].load(Relaxed), 42);
        }
    });
    let finding = report.finding().unwrap_or_else(|| panic!("{report}"));
    for words in ["write  relaxed → release", "read  relaxed → acquire"] {
        assert_eq!(finding.text.matches(words).count(), 1, "{}", finding.text);
    }
}
