//! Programs that were made to be got wrong: variants of those that once were.

use crate::common::{outcomes, proved};
use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, RwLock, Weak, mpsc};
use mazurka::{Checker, FindingKind, Report, thread};
use std::time::Duration;

#[track_caller]
fn finds(kind: FindingKind, report: &Report) {
    assert_eq!(report.finding().map(|finding| finding.kind), Some(kind), "{report}");
}

// References.

#[test]
fn an_upgrade_while_the_last_reference_is_in_another_value() {
    struct Outer {
        inner: Arc<u32>,
    }
    let seen = outcomes(|| {
        let outer = Arc::new(Outer { inner: Arc::new(7) });
        let weak = Arc::downgrade(&outer.inner);
        let theirs = outer.clone();
        let child = thread::spawn(move || drop(theirs));
        drop(outer);
        let upgraded = weak.upgrade().map(|value| *value);
        child.join().unwrap();
        (upgraded, weak.upgrade().is_some())
    });
    assert_eq!(seen, [(None, false), (Some(7), false)]);
}

#[test]
fn an_upgrade_keeps_the_value_and_may_be_the_last() {
    struct Noted(Arc<AtomicU32>);
    impl Drop for Noted {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    let seen = outcomes(|| {
        let drops = Arc::new(AtomicU32::new(0));
        let strong = Arc::new(Noted(drops.clone()));
        let weak = Arc::downgrade(&strong);
        let child = thread::spawn(move || {
            let upgraded = weak.upgrade();
            let got = upgraded.is_some();
            drop(upgraded);
            got
        });
        drop(strong);
        let early = drops.load(SeqCst);
        let got = child.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
        (got, early)
    });
    assert_eq!(seen, [(false, 1), (true, 0), (true, 1)]);
}

#[test]
fn references_in_a_list_that_are_dropped_together() {
    let seen = outcomes(|| {
        let value = Arc::new(AtomicU32::new(0));
        let many = vec![value.clone(), value.clone(), value.clone()];
        let child = thread::spawn(move || drop(many));
        let count = Arc::strong_count(&value);
        child.join().unwrap();
        count
    });
    assert_eq!(seen, [1, 2, 3, 4]);
}

#[test]
fn only_one_of_many_unwraps() {
    let seen = outcomes(|| {
        let value = Arc::new(5);
        let threads = [0, 1].map(|_| {
            let value = value.clone();
            thread::spawn(move || Arc::try_unwrap(value).is_ok())
        });
        drop(value);
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(seen, [[false, false], [false, true], [true, false]]);
}

#[test]
fn weak_counts_of_what_is_gone() {
    let seen = outcomes(|| {
        let strong = Arc::new(1);
        let weak: Weak<i32> = Arc::downgrade(&strong);
        let theirs = weak.clone();
        let child = thread::spawn(move || drop((strong, theirs)));
        let counts = (weak.strong_count(), weak.weak_count());
        child.join().unwrap();
        counts
    });
    // The strong one goes first, and what is gone has no weak references. The two looks are two operations.
    assert_eq!(seen, [(0, 0), (1, 0), (1, 2)]);
}

#[test]
fn clones_and_drops_of_references_within_locks_do_not_multiply() {
    let program = |clones: usize| {
        proved(move || {
            let value = Arc::new(0);
            let threads = [0, 1, 2].map(|_| {
                let value = value.clone();
                thread::spawn(move || (0..clones).for_each(|_| drop(value.clone())))
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        })
        .executions()
    };
    assert_eq!((program(0), program(1), program(5)), (1, 1, 1));
}

// Statics.

static OUTER: LazyLock<Vec<Mutex<u32>>> =
    LazyLock::new(|| (0..3).map(|_| Mutex::new(*INNER.lock().unwrap())).collect());
static INNER: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(1));
static NAMES: OnceLock<Mutex<Vec<Arc<AtomicU32>>>> = OnceLock::new();

#[test]
fn statics_that_make_each_other() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let one = thread::spawn(|| *OUTER[0].lock().unwrap() += 1);
            let two = thread::spawn(|| *INNER.lock().unwrap() += 0);
            *OUTER[1].lock().unwrap() += 1;
            one.join().unwrap();
            two.join().unwrap();
            assert_eq!(OUTER.iter().map(|x| *x.lock().unwrap()).sum::<u32>(), 5);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

#[test]
fn a_static_list_that_grows() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let register = || {
                let mine = Arc::new(AtomicU32::new(0));
                NAMES.get_or_init(Mutex::default).lock().unwrap().push(mine.clone());
                mine.store(1, SeqCst);
            };
            let threads = [thread::spawn(register), thread::spawn(register)];
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            let names = NAMES.get().unwrap().lock().unwrap();
            assert_eq!(names.iter().map(|name| name.load(SeqCst)).sum::<u32>(), 2);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

mazurka::thread_local! {
    static KEPT: Arc<AtomicU32> = {
        let kept = Arc::new(AtomicU32::new(0));
        INNER.lock().unwrap();
        kept
    };
}

#[test]
fn thread_locals_that_use_statics() {
    for algorithm in ["pop", "optimal"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let threads = [0, 1].map(|_| thread::spawn(|| KEPT.with(|kept| kept.fetch_add(1, SeqCst))));
            assert_eq!(threads.map(|thread| thread.join().unwrap()), [0, 0]);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

// Pointers.

/// A pointer with a mark in its lowest bit, into the middle of a block, in an integer.
#[test]
#[allow(unsafe_code, reason = "raw pointers")]
fn pointers_with_marks() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let slot = Arc::new(AtomicPtr::new(std::ptr::null_mut::<u64>()));
            let threads = [1u64, 2].map(|value| {
                let slot = slot.clone();
                thread::spawn(move || {
                    let block = Box::into_raw(Box::new([0, value, 0, 0]));
                    // SAFETY: within the block.
                    let middle = unsafe { &raw mut (*block)[1] }.map_addr(|address| address | 1);
                    let before = slot.swap(middle, SeqCst).map_addr(|address| address & !1);
                    if !before.is_null() {
                        // SAFETY: whoever takes it out owns it.
                        unsafe { drop(Box::from_raw(before.sub(1).cast::<[u64; 4]>())) };
                    }
                })
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            let last = slot.load(SeqCst);
            assert_eq!(last.addr() & 1, 1);
            let last = last.map_addr(|address| address & !1);
            // SAFETY: nobody else has it.
            let block = unsafe { Box::from_raw(last.sub(1).cast::<[u64; 4]>()) };
            assert!(block[1] == 1 || block[1] == 2);
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
        assert_eq!(report.executions(), 2, "{algorithm}");
    }
}

/// As parking lots and epochs do: a pointer in an `AtomicUsize`.
#[test]
#[allow(unsafe_code, reason = "raw pointers")]
fn addresses_in_integers() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let slot = Arc::new(AtomicUsize::new(0));
            let threads = [1u64, 2, 3].map(|value| {
                let slot = slot.clone();
                thread::spawn(move || {
                    let before = slot.swap(Box::into_raw(Box::new(value)).expose_provenance(), SeqCst);
                    if before != 0 {
                        // SAFETY: whoever takes it out owns it.
                        unsafe { drop(Box::from_raw(std::ptr::with_exposed_provenance_mut::<u64>(before))) };
                    }
                })
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            let last = slot.load(SeqCst);
            // SAFETY: nobody else has it.
            unsafe { drop(Box::from_raw(std::ptr::with_exposed_provenance_mut::<u64>(last))) };
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

#[test]
#[allow(unsafe_code, reason = "raw pointers")]
fn a_block_that_is_freed_and_given_again() {
    for algorithm in ["pop", "optimal", "source"] {
        let report = Checker::new().algorithm(algorithm).check(|| {
            let slot = Arc::new(AtomicPtr::new(std::ptr::null_mut::<u32>()));
            let theirs = slot.clone();
            let child = thread::spawn(move || {
                for i in 0..3 {
                    let old = theirs.swap(Box::into_raw(Box::new(i)), SeqCst);
                    if !old.is_null() {
                        // SAFETY: only this thread frees.
                        unsafe { drop(Box::from_raw(old)) };
                    }
                }
            });
            let one = slot.load(SeqCst);
            let two = slot.load(SeqCst);
            child.join().unwrap();
            let last = slot.swap(std::ptr::null_mut(), SeqCst);
            assert!(!last.is_null() && (one.is_null() || !two.is_null()));
            // SAFETY: the other thread has ended.
            unsafe { drop(Box::from_raw(last)) };
        });
        assert!(report.is_proof(), "{algorithm}: {report}");
    }
}

// Loops.

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

// Messages: last values.

#[test]
fn last_values_are_seen_by_destructors() {
    struct Looks(AtomicU32, u32);
    impl Drop for Looks {
        fn drop(&mut self) {
            assert_ne!(*self.0.get_mut(), self.1);
        }
    }
    let ends_with = |value| {
        Checker::new().check(move || {
            let (sender, receiver) = mpsc::channel();
            let x = Arc::new(Looks(AtomicU32::new(0), value));
            let threads = [1, 2].map(|i| {
                let (x, sender) = (x.clone(), sender.clone());
                thread::spawn(move || {
                    x.0.store(i, SeqCst);
                    sender.send(()).unwrap();
                })
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            receiver.recv().unwrap();
        })
    };
    finds(FindingKind::Panic, &ends_with(1));
    finds(FindingKind::Panic, &ends_with(2));
    assert!(ends_with(3).is_proof());
}

#[test]
fn last_values_of_locks_are_seen() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        let x = std::sync::Arc::new(Mutex::new(0));
        let threads = [1, 2].map(|i| {
            let (x, sender) = (x.clone(), sender.clone());
            thread::spawn(move || {
                *x.lock().unwrap() = i;
                drop(x);
                sender.send(()).unwrap();
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        receiver.recv().unwrap();
        std::sync::Arc::into_inner(x).unwrap().into_inner().unwrap()
    });
    assert_eq!(seen, [1, 2]);
}

#[test]
#[allow(unsafe_code, reason = "plain accesses")]
fn last_values_of_cells_that_an_atomic_orders() {
    struct Cells(AtomicBool, UnsafeCell<u32>);
    // SAFETY: the flag is a lock.
    unsafe impl Sync for Cells {}
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::channel();
        let cells = Arc::new(Cells(AtomicBool::new(false), UnsafeCell::new(0)));
        let threads = [1, 2].map(|i| {
            let (cells, sender) = (cells.clone(), sender.clone());
            thread::spawn(move || {
                while cells.0.swap(true, SeqCst) {
                    thread::yield_now();
                }
                // SAFETY: the flag is a lock.
                cells.1.with_mut(|cell| unsafe { *cell = i });
                cells.0.store(false, SeqCst);
                sender.send(()).unwrap();
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        receiver.recv().unwrap();
        // SAFETY: nobody writes any more.
        cells.1.with(|cell| unsafe { *cell })
    });
    assert_eq!(seen, [1, 2]);
}

// Given up runs.

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn runs_that_are_given_up_in_destructors_of_all_sorts() {
    let deadlock = |destructor: fn(&Arc<(Mutex<u32>, AtomicU32)>)| {
        let report = Checker::new().check(move || {
            let shared = Arc::new((Mutex::new(0), AtomicU32::new(0)));
            let theirs = shared.clone();
            thread::spawn(move || {
                let _guard = theirs.0.lock().unwrap();
                let in_drop = theirs.clone();
                let _last = OnDrop(move || destructor(&in_drop));
                thread::park();
            });
            thread::yield_now();
            drop(shared.0.lock().unwrap());
        });
        finds(FindingKind::Deadlock, &report);
    };
    deadlock(|shared| assert_eq!(shared.1.load(SeqCst), 17));
    deadlock(|shared| drop(shared.0.lock()));
    deadlock(|shared| while shared.1.load(SeqCst) == 0 {});
    deadlock(|_| thread::park());
    deadlock(|_| thread::spawn(|| ()).join().unwrap());
    deadlock(|_| {
        loop {
            let _ = std::panic::catch_unwind(thread::park);
        }
    });
    deadlock(|shared| {
        let (sender, receiver) = mpsc::channel::<()>();
        shared.1.store(1, SeqCst);
        let _ = receiver.recv();
        drop(sender);
    });
}
