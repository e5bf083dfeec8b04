//! Addresses in objects.

use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka::{Checker, thread};

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
