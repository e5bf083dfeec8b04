//! What is seen at the end: last values, and runs that are given up.

use super::finds;
use crate::common::outcomes;
use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex, mpsc};
use mazurka::{Checker, FindingKind, thread};

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
