//! References that are counted.

use crate::common::{outcomes, proved};
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Weak};
use mazurka::thread;

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
