//! A spin lock with back-off.

use crate::shim::cell::UnsafeCell;
use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicBool, Ordering::SeqCst};
use crate::shim::{hint, thread};

/// A number behind a lock. With `BUG`, the lock is looked at and then taken, in two steps.
pub struct SpinLock<const BUG: bool> {
    held: AtomicBool,
    value: UnsafeCell<u32>,
}

// SAFETY: the value is accessed by who holds the lock.
unsafe impl<const BUG: bool> Sync for SpinLock<BUG> {}

impl<const BUG: bool> SpinLock<BUG> {
    /// A lock that nobody holds.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        SpinLock { held: AtomicBool::new(false), value: UnsafeCell::new(0) }
    }

    fn try_take(&self) -> bool {
        if BUG {
            let free = !self.held.load(SeqCst);
            if free {
                self.held.store(true, SeqCst);
            }
            free
        } else {
            self.held.compare_exchange(false, true, SeqCst, SeqCst).is_ok()
        }
    }

    /// Lets `f` change the value.
    pub fn with<T>(&self, f: impl FnOnce(&mut u32) -> T) -> T {
        let mut pause = 1;
        while !self.try_take() {
            for _ in 0..pause {
                hint::spin_loop();
            }
            pause = (pause * 2).min(8);
        }
        // SAFETY: the lock is held.
        let result = self.value.with_mut(|value| f(unsafe { &mut *value }));
        self.held.store(false, SeqCst);
        result
    }
}

/// Three threads count.
pub fn scenario<const BUG: bool>() {
    let lock = Arc::new(SpinLock::<BUG>::new());
    let count = || {
        let lock = lock.clone();
        thread::spawn(move || lock.with(|value| *value += 1))
    };
    for thread in [count(), count(), count()] {
        thread.join().unwrap();
    }
    assert_eq!(lock.with(|value| *value), 3);
}
