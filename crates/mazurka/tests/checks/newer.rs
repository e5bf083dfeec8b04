//! What std has got lately does here what it does there.

#![allow(unsafe_code, reason = "pointers are compared, threads borrow")]

use crate::common::{outcomes, proved};
use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering::SeqCst};
use mazurka::sync::{Arc, LazyLock, Once, OnceLock, RwLock, RwLockWriteGuard};
use mazurka::{Checker, thread};

#[test]
fn a_writer_that_downgrades_lets_readers_in_and_no_writer() {
    let all = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let (writing, reading) = (lock.clone(), lock.clone());
        let writer = thread::spawn(move || *writing.write().unwrap() = 2);
        let reader = thread::spawn(move || *reading.read().unwrap());
        let mut guard = lock.write().unwrap();
        let before = *guard;
        *guard = 1;
        let guard = RwLockWriteGuard::downgrade(guard);
        assert_eq!(*guard, 1);
        drop(guard);
        writer.join().unwrap();
        (before, reader.join().unwrap(), *lock.read().unwrap())
    });
    assert_eq!(all, [(0, 0, 2), (0, 1, 2), (0, 2, 2), (2, 0, 1), (2, 1, 1), (2, 2, 1)]);
}

/// A program with a downgrade, a reader and a writer, in a form that every algorithm explores.
fn downgrading() {
    let lock = Arc::new(RwLock::new(0));
    let (writing, reading) = (lock.clone(), lock.clone());
    let threads =
        [thread::spawn(move || *writing.write().unwrap() += 1), thread::spawn(move || _ = reading.try_read().is_ok())];
    drop(RwLockWriteGuard::downgrade(lock.write().unwrap()));
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn every_algorithm_explores_as_many_classes_of_a_downgrade() {
    let optimal = Checker::new().algorithm("optimal").check(downgrading);
    assert!(optimal.is_proof(), "{optimal}");
    for name in ["pop", "observers"] {
        let report = Checker::new().algorithm(name).check(downgrading);
        assert!(report.is_proof(), "{report}");
        assert_eq!(report.executions(), optimal.executions(), "{name}");
    }
    for name in ["naive", "classic", "source"] {
        let report = Checker::new().algorithm(name).check(downgrading);
        assert!(report.is_proof() && report.executions() >= optimal.executions(), "{report}");
    }
}

#[test]
fn who_downgrades_holds_the_lock_until_the_guard_goes() {
    let report = Checker::new().check(|| {
        let lock = RwLock::new(0);
        let _guard = RwLockWriteGuard::downgrade(lock.write().unwrap());
        drop(lock.write());
    });
    let finding = report.finding().expect("a deadlock with itself");
    assert!(finding.text.contains("waits to write-lock"), "{}", finding.text);
}

#[test]
fn atomics_are_updated() {
    proved(|| {
        let x = AtomicU8::new(1);
        assert_eq!((x.update(SeqCst, SeqCst, |value| value + 2), x.load(SeqCst)), (1, 3));
        assert_eq!(x.try_update(SeqCst, SeqCst, |value| value.checked_sub(4)), Err(3));
        assert_eq!((x.try_update(SeqCst, SeqCst, |value| Some(value * 2)), x.load(SeqCst)), (Ok(3), 6));
        let b = AtomicBool::new(false);
        assert!(!b.update(SeqCst, SeqCst, |value| !value) && b.load(SeqCst));
    });
}

#[test]
fn no_update_is_lost() {
    proved(|| {
        let x = Arc::new(AtomicU8::new(0));
        let theirs = x.clone();
        let thread = thread::spawn(move || theirs.update(SeqCst, SeqCst, |value| value + 1));
        x.update(SeqCst, SeqCst, |value| value + 1);
        thread.join().unwrap();
        assert_eq!(x.load(SeqCst), 2);
    });
}

#[test]
fn pointers_are_computed_with() {
    proved(|| {
        let mut values = [0u32; 4];
        let first = values.as_mut_ptr();
        let p = AtomicPtr::new(first);
        assert_eq!(p.fetch_ptr_add(2, SeqCst), first);
        assert_eq!(p.fetch_ptr_sub(1, SeqCst), unsafe { first.add(2) });
        assert_eq!(p.fetch_byte_add(4, SeqCst), unsafe { first.add(1) });
        assert_eq!(p.fetch_byte_sub(8, SeqCst), unsafe { first.add(2) });
        assert_eq!(p.fetch_or(1, SeqCst), first);
        assert_eq!(p.fetch_xor(3, SeqCst).addr(), first.addr() | 1);
        assert_eq!(p.fetch_and(!3, SeqCst).addr(), first.addr() | 2);
        assert_eq!(p.load(SeqCst), first);
        assert_eq!(format!("{p:p}"), format!("{first:p}"));
    });
}

#[test]
fn lazy_values_are_looked_at_and_changed() {
    proved(|| {
        let mut lazy = LazyLock::new(|| 1);
        assert_eq!(LazyLock::get(&lazy), None);
        assert_eq!(LazyLock::get_mut(&mut lazy), None);
        *LazyLock::force_mut(&mut lazy) += 1;
        *lazy += 1;
        assert_eq!((LazyLock::get(&lazy), *lazy), (Some(&3), 3));
        let set = OnceLock::from(4);
        assert!(set.clone() == set && set != OnceLock::new());
    });
}

#[test]
fn who_waits_for_a_once_waits_for_its_end() {
    proved(|| {
        let once = Arc::new(Once::new());
        let theirs = once.clone();
        let thread = thread::spawn(move || theirs.call_once(|| {}));
        once.wait_force();
        assert!(once.is_completed());
        thread.join().unwrap();
    });
}

#[test]
fn a_thread_borrows() {
    proved(|| {
        let x = AtomicU8::new(1);
        // SAFETY: the thread is joined before `x` goes.
        let thread = unsafe { thread::Builder::new().spawn_unchecked(|| x.fetch_add(1, SeqCst)) };
        assert_eq!(thread.unwrap().join().unwrap(), 1);
        assert_eq!(x.load(SeqCst), 2);
    });
}
