//! A reader-writer lock of one word: the number of readers, or all ones for a writer.

use crate::shim::cell::UnsafeCell;
use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicU32, Ordering::SeqCst};
use crate::shim::{hint, thread};

const WRITER: u32 = u32::MAX;

/// A number behind a lock. With `BUG`, readers do not look for a writer.
pub struct RwLock<const BUG: bool> {
    state: AtomicU32,
    value: UnsafeCell<u32>,
}

// SAFETY: the value is accessed by who holds the lock.
unsafe impl<const BUG: bool> Sync for RwLock<BUG> {}

impl<const BUG: bool> RwLock<BUG> {
    /// A lock that nobody holds.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        RwLock { state: AtomicU32::new(0), value: UnsafeCell::new(0) }
    }

    /// The value.
    pub fn read(&self) -> u32 {
        let mut readers = self.state.load(SeqCst);
        loop {
            if readers == WRITER && !BUG {
                hint::spin_loop();
                readers = self.state.load(SeqCst);
                continue;
            }
            match self.state.compare_exchange(readers, readers.wrapping_add(1), SeqCst, SeqCst) {
                Ok(_) => break,
                Err(found) => readers = found,
            }
        }
        // SAFETY: the lock is held, shared.
        let value = self.value.with(|value| unsafe { *value });
        self.state.fetch_sub(1, SeqCst);
        value
    }

    /// Adds to the value.
    pub fn add(&self, by: u32) {
        while self.state.compare_exchange(0, WRITER, SeqCst, SeqCst).is_err() {
            hint::spin_loop();
        }
        // SAFETY: the lock is held.
        self.value.with_mut(|value| unsafe { *value += by });
        self.state.store(0, SeqCst);
    }
}

/// Two readers and a writer.
pub fn scenario<const BUG: bool>() {
    let lock = Arc::new(RwLock::<BUG>::new());
    let read = || {
        let lock = lock.clone();
        thread::spawn(move || lock.read())
    };
    let readers = [read(), read()];
    lock.add(1);
    for reader in readers {
        assert!(reader.join().unwrap() <= 1);
    }
    assert_eq!(lock.read(), 1);
}
