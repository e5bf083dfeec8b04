//! Threads, what is each thread's own, choices, and the attribute.

use crate::common::{outcomes, proved};
use mazurka::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::thread;
use std::cell::Cell;
use std::time::Duration;

#[test]
fn thread_locals_are_each_threads_own_and_destroyed() {
    thread_local_test();
}

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Noisy;

impl Drop for Noisy {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, SeqCst);
    }
}

mazurka::thread_local! {
    static NOISY: Noisy = Noisy;
    static NUMBER: Cell<u32> = const { Cell::new(3) };
}

fn thread_local_test() {
    proved(|| {
        let thread = thread::spawn(|| {
            NOISY.with(|_| {});
            NUMBER.set(NUMBER.get() + 1);
            NUMBER.get()
        });
        assert_eq!(NUMBER.get(), 3);
        assert_eq!(thread.join().unwrap(), 4);
        assert_eq!(DROPPED.load(SeqCst), 1);
    });
}

#[test]
fn scoped_threads_borrow() {
    let sums = outcomes(|| {
        let total = AtomicU32::new(0);
        let numbers = [1, 2, 3];
        let seen = thread::scope(|scope| {
            for number in &numbers {
                scope.spawn(|| total.fetch_add(*number, SeqCst));
            }
            scope.spawn(|| total.load(SeqCst)).join().unwrap()
        });
        assert_eq!(total.load(SeqCst), 6);
        seen
    });
    assert_eq!(sums, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn park_and_unpark() {
    proved(|| {
        let main = thread::current();
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = flag.clone();
        thread::spawn(move || {
            theirs.store(true, SeqCst);
            main.unpark();
        });
        while !flag.load(SeqCst) {
            thread::park();
        }
    });
    let ways = outcomes(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let (theirs, main) = (flag.clone(), thread::current());
        let thread = thread::spawn(move || {
            theirs.store(true, SeqCst);
            main.unpark();
        });
        thread::park_timeout(Duration::from_secs(1));
        let way = flag.load(SeqCst);
        thread.join().unwrap();
        way
    });
    assert_eq!(ways, [false, true]);
}

#[test]
fn choices_and_assumptions() {
    let seen = outcomes(|| {
        let n = mazurka::choose(4);
        mazurka::assume(n != 2);
        n
    });
    assert_eq!(seen, [0, 1, 3]);
}

#[test]
fn a_pause_is_not_a_loop() {
    proved(|| {
        let x = Arc::new(AtomicU32::new(0));
        let theirs = x.clone();
        thread::spawn(move || theirs.load(SeqCst));
        x.load(SeqCst);
        thread::yield_now();
        x.load(SeqCst);
        thread::yield_now();
    });
    proved(|| {
        let lock = Arc::new(Mutex::new(0));
        let theirs = lock.clone();
        thread::spawn(move || {
            let _held = theirs.lock().unwrap();
            thread::yield_now();
        });
        let _held = lock.lock().unwrap();
        thread::yield_now();
    });
}

#[test]
fn names_and_stacks_are_as_asked_for() {
    proved(|| {
        let builder = thread::Builder::new().name("deep".to_owned()).stack_size(4 << 20);
        let thread = builder.spawn(|| {
            assert_eq!(thread::current().name(), Some("deep"));
            std::hint::black_box([1u8; 2 << 20])[7]
        });
        assert_eq!(thread.unwrap().join().unwrap(), 1);
    });
}

#[test]
fn a_thread_is_finished_or_not() {
    let seen = outcomes(|| {
        let thread = thread::spawn(|| AtomicU32::new(0).load(SeqCst));
        let finished = thread.is_finished();
        thread.join().unwrap();
        finished
    });
    assert_eq!(seen, [false, true]);
    proved(|| {
        let thread = thread::spawn(|| AtomicU32::new(0).load(SeqCst));
        while !thread.is_finished() {
            thread::yield_now();
        }
    });
}

#[mazurka::test]
fn the_attribute_makes_a_test() {
    let x = Arc::new(AtomicU32::new(0));
    let theirs = x.clone();
    thread::spawn(move || theirs.store(1, SeqCst));
    assert!(x.load(SeqCst) < 2);
}

#[mazurka::test(max_executions(1), algorithm("source"))]
fn the_attribute_takes_settings() {
    AtomicU32::new(0).load(SeqCst);
}
