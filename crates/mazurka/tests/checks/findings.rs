//! Every sort of bug is found, and told so that one understands it.

#![allow(unsafe_code, reason = "lock-free code under test")]

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Condvar, Mutex, RwLock};
use mazurka::{Checker, Finding, FindingKind, thread};

#[track_caller]
fn found(kind: FindingKind, program: impl Fn() + Send + Sync + 'static) -> Finding {
    let report = Checker::new().check(program);
    let finding = report.finding().unwrap_or_else(|| panic!("nothing was found: {report}")).clone();
    assert_eq!(finding.kind, kind, "{report}");
    finding
}

fn lost_update() {
    let counter = Arc::new(AtomicU32::named("counter", 0));
    let add = |counter: Arc<AtomicU32>| {
        move || {
            let seen = counter.load(SeqCst);
            counter.store(seen + 1, SeqCst);
        }
    };
    let threads = [thread::spawn(add(counter.clone())), thread::spawn(add(counter.clone()))];
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counter.load(SeqCst), 2, "an update was lost");
}

#[test]
fn a_failed_assertion_is_told_with_its_message_place_and_steps() {
    let finding = found(FindingKind::Panic, lost_update);
    assert!(finding.headline.contains("an update was lost"), "{}", finding.headline);
    for part in ["read counter = 0  findings.rs:2", "write counter := 1", "◀1", "◀2", "mzk1:", "MAZURKA_REPLAY='mzk1:"]
    {
        assert!(finding.text.contains(part), "no {part} in\n{}", finding.text);
    }
    assert!(finding.text.contains("tests/checks/findings.rs:30"), "{}", finding.text);
}

#[test]
fn a_schedule_shows_the_bug_again() {
    let finding = found(FindingKind::Panic, lost_update);
    let again = Checker::new().replay(&finding.schedule).check(lost_update);
    assert_eq!(again.finding().unwrap().headline, finding.headline);
    assert_eq!(again.executions(), 1);
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let report = Checker::new().replay("mzk1:0x3,0.0x20").check(lost_update);
    assert_eq!(report.finding().unwrap().kind, FindingKind::Divergence);
    assert!(report.to_string().contains("does not fit"), "{report}");
}

#[test]
fn locks_taken_crosswise() {
    let finding = found(FindingKind::Deadlock, || {
        let a = Arc::new(Mutex::named("a", ()));
        let b = Arc::new(Mutex::named("b", ()));
        let (a2, b2) = (a.clone(), b.clone());
        let thread = thread::spawn(move || {
            let _b = b2.lock().unwrap();
            let _a = a2.lock().unwrap();
        });
        let _a = a.lock().unwrap();
        let _b = b.lock().unwrap();
        drop((_a, _b));
        thread.join().unwrap();
    });
    assert!(finding.text.contains("waits to lock"), "{}", finding.text);
    assert!(finding.text.contains("cycle:"), "{}", finding.text);
    assert!(finding.text.contains("tests/checks/findings.rs:"), "{}", finding.text);
}

#[test]
fn a_notify_that_comes_too_early() {
    let finding = found(FindingKind::Deadlock, || {
        let pair = Arc::new((Mutex::new(()), Condvar::named("ready")));
        let other = pair.clone();
        thread::spawn(move || other.1.notify_one());
        let guard = pair.0.lock().unwrap();
        drop(pair.1.wait(guard).unwrap());
    });
    assert!(finding.text.contains("waits on ready, which nobody notifies any more"), "{}", finding.text);
}

#[test]
fn unordered_accesses_of_a_cell() {
    struct Shared(UnsafeCell<u32>);
    // SAFETY: not at all; that is what is found.
    unsafe impl Sync for Shared {}
    let finding = found(FindingKind::DataRace, || {
        let cell = Arc::new(Shared(UnsafeCell::named("cell", 0)));
        let theirs = cell.clone();
        // SAFETY: as above, one fiber at a time.
        let thread = thread::spawn(move || theirs.0.with_mut(|p| unsafe { *p += 1 }));
        // SAFETY: as above.
        cell.0.with(|p| unsafe { *p });
        thread.join().unwrap();
    });
    assert!(finding.headline.contains("data race"), "{}", finding.headline);
    assert!(finding.headline.contains("read cell") && finding.headline.contains("write cell"), "{}", finding.headline);
}

#[test]
fn ordered_accesses_of_a_cell_are_no_race() {
    struct Shared(UnsafeCell<u32>, Mutex<()>);
    // SAFETY: the cell is accessed under the mutex only.
    unsafe impl Sync for Shared {}
    let report = Checker::new().check(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0), Mutex::new(())));
        let add = |shared: &Arc<Shared>| {
            let shared = shared.clone();
            thread::spawn(move || {
                let _guard = shared.1.lock().unwrap();
                // SAFETY: the mutex is held.
                shared.0.with_mut(|p| unsafe { *p += 1 });
            })
        };
        for thread in [add(&shared), add(&shared)] {
            thread.join().unwrap();
        }
        // SAFETY: the others have ended.
        assert_eq!(shared.0.with(|p| unsafe { *p }), 2);
    });
    assert!(report.is_proof(), "{report}");
    assert_eq!(report.executions(), 2);
}

#[test]
fn a_lock_that_is_never_given_back() {
    let finding = found(FindingKind::Misuse, || {
        let mutex = Arc::new(Mutex::named("leaked", 0));
        let theirs = mutex.clone();
        thread::spawn(move || std::mem::forget(theirs.lock().unwrap())).join().unwrap();
    });
    assert!(finding.headline.contains("ended without giving leaked back"), "{}", finding.headline);
}

#[test]
fn a_loop_that_waits_for_nothing() {
    let finding = found(FindingKind::Livelock, || {
        let flag = Arc::new(AtomicBool::named("flag", false));
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert!(finding.headline.contains("livelock"), "{}", finding.headline);
    let finding = found(FindingKind::Livelock, || {
        let flag = AtomicBool::new(false);
        while !flag.load(SeqCst) {}
    });
    assert!(finding.headline.contains("livelock"), "{}", finding.headline);
}

#[test]
fn a_thread_that_uses_up_its_stack() {
    fn deep(n: u64) -> u64 {
        std::hint::black_box(if n == 0 { 0 } else { deep(std::hint::black_box(n - 1)) + 1 })
    }
    let finding = found(FindingKind::StackOverflow, || {
        let thread = thread::Builder::new().name("deep".to_owned()).spawn(|| deep(u64::MAX)).unwrap();
        thread.join().unwrap();
    });
    assert!(finding.headline.contains("deep") && finding.headline.contains("stack"), "{}", finding.headline);
}

/// Whoever uses up its stack mostly does so in what it calls last: the allocator, or an operation on an object that is new. Nothing of
/// these is left in the middle, where executions that come later would wait for it, or find it borrowed.
#[test]
fn a_stack_that_is_used_up_within_a_call() {
    #[allow(unconditional_recursion, reason = "it ends with the stack")]
    fn deep(n: u64, with: fn(u64, &RwLock<u32>), lock: &RwLock<u32>) {
        with(n, lock);
        deep(std::hint::black_box(n + 1), with, lock);
        std::hint::black_box(n);
    }
    let calls: [fn(u64, &RwLock<u32>); 4] = [
        |n, _| std::mem::forget(std::hint::black_box(Box::new([n; 9]))),
        |n, _| AtomicU32::new(n as u32).store(1, SeqCst),
        |n, _| _ = mazurka::sync::atomic::AtomicPtr::new(Box::leak(Box::new(n))).load(SeqCst),
        |_, lock| std::mem::forget(lock.read()),
    ];
    for call in calls {
        let report = Checker::new().stack_size(64 << 10).keep_going().check(move || {
            let x = Arc::new(AtomicU32::named("x", 0));
            let theirs = x.clone();
            let thread = thread::spawn(move || {
                theirs.store(1, SeqCst);
                deep(0, call, &RwLock::new(0));
            });
            x.store(2, SeqCst);
            let _ = thread.join();
            x.load(SeqCst);
        });
        assert_eq!(report.finding().map(|finding| finding.kind), Some(FindingKind::StackOverflow), "{report}");
        assert!(report.executions() >= 2, "{report}");
    }
}

/// The same where a thread is created with little left: at some depth, the stack ends just there.
#[test]
fn a_stack_that_is_used_up_by_the_creation_of_a_thread() {
    fn deep(n: usize) {
        if n == 0 {
            drop(thread::spawn(|| ()));
        } else {
            deep(std::hint::black_box(n - 1));
        }
        std::hint::black_box(n);
    }
    let uses_up = |n: usize| {
        let report = Checker::new().stack_size(16 << 10).keep_going().check(move || {
            let _ = thread::spawn(move || deep(n)).join();
        });
        let kind = report.finding().map(|finding| finding.kind);
        assert!(matches!(kind, None | Some(FindingKind::StackOverflow)), "{report}");
        kind.is_some()
    };
    let deepest = (0..1 << 14).step_by(64).find(|&n| uses_up(n)).expect("so many calls fit on no such stack");
    assert!((deepest - 64..deepest).filter(|&n| uses_up(n)).count() < 64);
}

#[test]
#[should_panic(expected = "outside of a check")]
fn an_operation_outside_of_a_check() {
    AtomicU32::new(0).load(SeqCst);
}

#[test]
fn a_program_that_is_not_the_same_in_every_run() {
    static RUNS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let report = Checker::new().check(|| {
        let run = RUNS.fetch_add(1, SeqCst);
        let x = Arc::new(AtomicU32::named("x", 0));
        x.store(run, SeqCst);
        let theirs = x.clone();
        thread::spawn(move || theirs.store(1, SeqCst));
        x.load(SeqCst);
    });
    assert_eq!(report.finding().unwrap().kind, FindingKind::Divergence, "{report}");
    let text = report.to_string();
    assert!(text.contains("differently") && text.contains("random numbers"), "{text}");
}

#[test]
fn a_panic_in_a_thread_is_found_and_its_join_fails() {
    let finding = found(FindingKind::Panic, || thread::spawn(|| panic!("thread {}", 7)).join().unwrap());
    assert!(finding.headline.contains("T1") && finding.headline.contains("thread 7"), "{}", finding.headline);
}

#[test]
fn a_panic_before_the_first_operation() {
    let finding = found(FindingKind::Panic, || panic!("at once"));
    assert!(finding.headline.contains("main") && finding.headline.contains("at once"), "{}", finding.headline);
}

#[test]
fn a_reader_that_wants_to_write() {
    let finding = found(FindingKind::Deadlock, || {
        let lock = RwLock::named("lock", 0);
        let _reader = lock.read().unwrap();
        let _writer = lock.write().unwrap();
    });
    assert!(finding.text.contains("waits to write-lock lock"), "{}", finding.text);
}

#[test]
fn every_sort_of_bug_is_found_when_told_to_keep_going() {
    let report = Checker::new().keep_going().check(|| {
        let x = Arc::new(AtomicU32::new(0));
        let theirs = x.clone();
        thread::spawn(move || theirs.store(1, SeqCst));
        match x.load(SeqCst) {
            0 => panic!("too early"),
            _ => panic!("too late"),
        }
    });
    assert_eq!(report.findings.len(), 2, "{report}");
}
