//! A sequence lock: readers look again if a writer came between.

use crate::shim::hint;
use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use crate::shim::thread;

/// Two numbers that are written together. With `BUG`, a reader does not look whether a writer came between.
pub struct SeqLock<const BUG: bool> {
    sequence: AtomicUsize,
    pair: [AtomicUsize; 2],
}

impl<const BUG: bool> SeqLock<BUG> {
    /// Both are 0.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        SeqLock { sequence: AtomicUsize::new(0), pair: [AtomicUsize::new(0), AtomicUsize::new(0)] }
    }

    /// Writes both; there is one writer.
    pub fn write(&self, pair: [usize; 2]) {
        self.sequence.fetch_add(1, SeqCst);
        self.pair[0].store(pair[0], SeqCst);
        self.pair[1].store(pair[1], SeqCst);
        self.sequence.fetch_add(1, SeqCst);
    }

    /// Reads both.
    pub fn read(&self) -> [usize; 2] {
        loop {
            let before = self.sequence.load(SeqCst);
            if before.is_multiple_of(2) {
                let pair = [self.pair[0].load(SeqCst), self.pair[1].load(SeqCst)];
                if BUG || self.sequence.load(SeqCst) == before {
                    return pair;
                }
            }
            hint::spin_loop();
        }
    }
}

/// A reader never sees half of what a writer wrote.
pub fn scenario<const BUG: bool>() {
    let lock = Arc::new(SeqLock::<BUG>::new());
    let writer = lock.clone();
    let writer = thread::spawn(move || writer.write([1, 1]));
    let [a, b] = lock.read();
    assert_eq!(a, b, "both numbers are of the same write");
    writer.join().unwrap();
}
