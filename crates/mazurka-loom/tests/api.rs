//! loom's own paths, types and macros.

use loom::cell::{Cell, UnsafeCell};
use loom::future::{AtomicWaker, block_on};
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use loom::sync::{Arc, Condvar, Mutex, Notify, RwLock, mpsc};
use loom::{model, thread};
use std::task::Poll;
use std::time::Duration;

loom::lazy_static! {
    static ref COUNT: AtomicUsize = AtomicUsize::new(3);
}

loom::thread_local! {
    static OWN: std::cell::Cell<u32> = std::cell::Cell::new(1);
}

#[test]
fn a_builder_with_its_fields() {
    let mut builder = model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.max_branches = 10_000;
    builder.max_duration = Some(Duration::from_secs(10));
    builder.max_permutations = Some(1000);
    builder.check(|| {
        let thread = thread::spawn(|| COUNT.fetch_add(1, SeqCst));
        COUNT.fetch_add(1, SeqCst);
        thread.join().unwrap();
        assert_eq!(COUNT.load(SeqCst), 5);
    });
}

#[test]
fn thread_locals_and_skipped_branches() {
    loom::model(|| {
        loom::stop_exploring();
        loom::explore();
        let thread = thread::spawn(|| {
            OWN.with(|own| own.set(2));
            OWN.with(|own| own.get())
        });
        assert_eq!(OWN.with(|own| own.get()), 1);
        assert_eq!(thread.join().unwrap(), 2);
        loom::skip_branch();
        unreachable!("nothing is explored behind that");
    });
}

#[test]
fn more_threads_than_five() {
    loom::model(|| {
        let threads: Vec<_> = (0..7).map(|_| thread::spawn(|| AtomicUsize::new(0).load(SeqCst))).collect();
        assert!(threads.into_iter().all(|thread| thread.join().is_ok()));
    });
}

#[test]
fn notify_wakes() {
    loom::model(|| {
        let shared = Arc::new((Notify::new(), AtomicBool::new(false)));
        let theirs = shared.clone();
        thread::spawn(move || {
            theirs.1.store(true, SeqCst);
            theirs.0.notify();
        });
        shared.0.wait();
        assert!(shared.1.load(SeqCst));
    });
}

#[test]
fn a_future_is_woken() {
    loom::model(|| {
        let shared = Arc::new((AtomicWaker::new(), AtomicBool::new(false)));
        let theirs = shared.clone();
        thread::spawn(move || {
            theirs.1.store(true, SeqCst);
            theirs.0.wake();
        });
        block_on(std::future::poll_fn(|context| {
            shared.0.register_by_ref(context.waker());
            if shared.1.load(SeqCst) { Poll::Ready(()) } else { Poll::Pending }
        }));
    });
}

#[test]
#[should_panic(expected = "deadlock")]
fn a_future_that_is_not_woken() {
    loom::model(|| block_on(std::future::pending::<()>()));
}

#[test]
#[should_panic(expected = "data race")]
fn pointers_of_cells_are_checked() {
    struct Shared(UnsafeCell<u32>);
    // SAFETY: not at all; that is what is found.
    unsafe impl Sync for Shared {}
    loom::model(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0)));
        let theirs = shared.clone();
        // SAFETY: as above, one fiber at a time.
        thread::spawn(move || unsafe { *theirs.0.get_mut().deref() = 1 });
        // SAFETY: as above.
        assert!(unsafe { *shared.0.get().deref() } < 2);
    });
}

#[test]
fn the_rest_is_std_s() {
    loom::model(|| {
        let cell = Cell::new(1);
        cell.swap(&Cell::new(2));
        assert_eq!((cell.get(), cell.replace(5), cell.take(), cell.into_inner()), (2, 2, 5, 0));
        let mut x = AtomicUsize::new(1);
        assert_eq!(x.with_mut(|x| std::mem::replace(x, 2)), 1);
        // SAFETY: nobody else has it.
        assert_eq!(unsafe { x.unsync_load() }, 2);
        let (sender, receiver) = mpsc::channel();
        sender.send(1).unwrap();
        assert_eq!(receiver.recv(), Ok(1));
        assert_eq!(*RwLock::new(1).read().unwrap(), 1);
        let pair = (Mutex::new(()), Condvar::new());
        assert!(pair.1.wait_timeout(pair.0.lock().unwrap(), Duration::ZERO).unwrap().1.timed_out());
        assert_eq!(loom::alloc::Track::new(3).into_inner(), 3);
    });
}

/// What `f` is found for.
fn finding(f: fn()) -> String {
    let panic = std::panic::catch_unwind(|| loom::model(f)).expect_err("a finding");
    panic.downcast_ref::<String>().expect("a text").clone()
}

/// One thread reads without synchronising what another one does `with`, as in loom.
fn unsynchronised(with: fn(&AtomicUsize)) {
    let x = Arc::new(AtomicUsize::new(0));
    let theirs = x.clone();
    let thread = thread::spawn(move || with(&theirs));
    // SAFETY: what a real atomic would need is what is checked.
    unsafe { x.unsync_load() };
    thread.join().unwrap();
    // SAFETY: the other one has ended.
    unsafe { x.unsync_load() };
}

#[test]
fn loads_without_synchronising_race_with_stores() {
    for races in [|| unsynchronised(|x| x.store(1, SeqCst)), || unsynchronised(|x| _ = x.fetch_add(0, SeqCst))] {
        let text = finding(races);
        assert!(text.contains("data race"), "{text}");
    }
    loom::model(|| unsynchronised(|x| _ = x.load(SeqCst)));
    // SAFETY: as above.
    loom::model(|| unsynchronised(|x| _ = unsafe { x.unsync_load() }));
}

#[test]
fn leaks_are_found() {
    assert!(finding(|| std::mem::forget(loom::sync::Arc::new(1))).contains("leaked"));
    assert!(finding(|| std::mem::forget(loom::alloc::Track::new(1))).contains("leaked"));
    fn layout() -> loom::alloc::Layout {
        loom::alloc::Layout::new::<u64>()
    }
    // SAFETY: the layout has a size.
    let forgotten = || assert!(!unsafe { loom::alloc::alloc(layout()) }.is_null());
    assert!(finding(forgotten).contains("leaked"));
    loom::model(|| {
        drop((loom::sync::Arc::new(1), loom::alloc::Track::new(1)));
        // SAFETY: freed with the layout that it was allocated with.
        unsafe { loom::alloc::dealloc(loom::alloc::alloc_zeroed(layout()), layout()) };
    });
}

loom::lazy_static! {
    static ref SHARED: loom::sync::Arc<u8> = loom::sync::Arc::new(1);
}

#[test]
fn what_a_static_holds_is_no_leak() {
    loom::model(|| {
        let thread = loom::thread::spawn(|| **SHARED);
        assert_eq!((thread.join().unwrap(), **SHARED), (1, 1));
    });
}

#[test]
fn a_preemption_bound_holds() {
    let executions = |bound| {
        static RUN: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        RUN.store(0, std::sync::atomic::Ordering::SeqCst);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = bound;
        builder.check(|| {
            RUN.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let x = loom::sync::Arc::new(loom::sync::atomic::AtomicU32::new(0));
            let add = |x: loom::sync::Arc<loom::sync::atomic::AtomicU32>| {
                move || {
                    // Additions whose results nobody uses would commute.
                    for _ in 0..3 {
                        let seen = x.load(loom::sync::atomic::Ordering::SeqCst);
                        x.store(seen + 1, loom::sync::atomic::Ordering::SeqCst);
                    }
                }
            };
            let thread = loom::thread::spawn(add(x.clone()));
            add(x)();
            thread.join().unwrap();
        });
        RUN.load(std::sync::atomic::Ordering::SeqCst)
    };
    let (none, one, all) = (executions(Some(0)), executions(Some(1)), executions(None));
    assert!(none < one && one < all, "{none} {one} {all}");
}

#[test]
fn an_execution_with_more_branches_fails() {
    let mut builder = loom::model::Builder::new();
    builder.max_branches = 5;
    let check = std::panic::AssertUnwindSafe(|| {
        builder.check(|| {
            let x = loom::sync::atomic::AtomicU32::new(0);
            for _ in 0..9 {
                x.fetch_add(1, loom::sync::atomic::Ordering::SeqCst);
            }
        });
    });
    let panic = std::panic::catch_unwind(check).expect_err("too long");
    assert!(panic.downcast_ref::<String>().expect("a text").contains("maximum number of branches"));
}
