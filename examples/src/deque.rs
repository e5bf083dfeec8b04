//! A work-stealing deque (Chase and Lev) of fixed size: its owner pushes and pops at the bottom, thieves take from the top.

use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicI64, AtomicU32, Ordering::SeqCst};
use crate::shim::thread;

const SIZE: usize = 4;

/// Numbers to be taken once each. With `BUG`, the owner takes the last one without looking whether a thief has it.
pub struct Deque<const BUG: bool> {
    top: AtomicI64,
    bottom: AtomicI64,
    items: [AtomicU32; SIZE],
}

impl<const BUG: bool> Deque<BUG> {
    /// An empty deque.
    #[allow(clippy::new_without_default, reason = "an example")]
    pub fn new() -> Self {
        let items = std::array::from_fn(|_| AtomicU32::new(0));
        Deque { top: AtomicI64::new(0), bottom: AtomicI64::new(0), items }
    }

    fn item(&self, at: i64) -> &AtomicU32 {
        &self.items[at as usize % SIZE]
    }

    /// Puts a number at the bottom; for the owner.
    pub fn push(&self, value: u32) {
        let bottom = self.bottom.load(SeqCst);
        self.item(bottom).store(value, SeqCst);
        self.bottom.store(bottom + 1, SeqCst);
    }

    /// Takes the number at the bottom; for the owner.
    pub fn pop(&self) -> Option<u32> {
        let bottom = self.bottom.load(SeqCst) - 1;
        self.bottom.store(bottom, SeqCst);
        let top = self.top.load(SeqCst);
        if top > bottom {
            self.bottom.store(bottom + 1, SeqCst);
            return None;
        }
        let value = self.item(bottom).load(SeqCst);
        if top == bottom {
            // The last one: a thief may want it too.
            let taken = BUG || self.top.compare_exchange(top, top + 1, SeqCst, SeqCst).is_ok();
            self.bottom.store(bottom + 1, SeqCst);
            if BUG {
                self.top.store(top + 1, SeqCst);
            }
            return taken.then_some(value);
        }
        Some(value)
    }

    /// Takes the number at the top; for thieves.
    pub fn steal(&self) -> Option<u32> {
        let top = self.top.load(SeqCst);
        if top >= self.bottom.load(SeqCst) {
            return None;
        }
        let value = self.item(top).load(SeqCst);
        self.top.compare_exchange(top, top + 1, SeqCst, SeqCst).is_ok().then_some(value)
    }
}

/// An owner with two numbers, and a thief.
pub fn scenario<const BUG: bool>() {
    let deque = Arc::new(Deque::<BUG>::new());
    deque.push(1);
    deque.push(2);
    let thief = deque.clone();
    let thief = thread::spawn(move || [thief.steal(), thief.steal()]);
    let own = [deque.pop(), deque.pop()];
    let stolen = thief.join().unwrap();
    let mut taken: Vec<u32> = own.into_iter().chain(stolen).chain([deque.pop(), deque.pop()]).flatten().collect();
    taken.sort_unstable();
    assert_eq!(taken, [1, 2], "every number is taken once");
}
