//! A bounded queue for many producers and consumers, by a sequence number for each slot (Vyukov).

use crate::shim::cell::UnsafeCell;
use crate::shim::sync::Arc;
use crate::shim::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use crate::shim::thread;

struct Slot {
    sequence: AtomicUsize,
    value: UnsafeCell<u32>,
}

/// A queue of numbers. With `BUG`, a slot is given free before its number is read.
pub struct Queue<const BUG: bool> {
    slots: Vec<Slot>,
    head: AtomicUsize,
    tail: AtomicUsize,
}

// SAFETY: a slot is accessed by the one whose turn its sequence number says it is.
unsafe impl<const BUG: bool> Sync for Queue<BUG> {}

impl<const BUG: bool> Queue<BUG> {
    /// An empty queue for so many numbers.
    pub fn new(capacity: usize) -> Self {
        let slot = |i| Slot { sequence: AtomicUsize::new(i), value: UnsafeCell::new(0) };
        Queue { slots: (0..capacity).map(slot).collect(), head: AtomicUsize::new(0), tail: AtomicUsize::new(0) }
    }

    /// Puts a number at the end, unless the queue is full.
    pub fn push(&self, value: u32) -> bool {
        let mut tail = self.tail.load(SeqCst);
        loop {
            let slot = &self.slots[tail % self.slots.len()];
            let sequence = slot.sequence.load(SeqCst);
            if sequence < tail {
                return false;
            }
            if sequence > tail {
                tail = self.tail.load(SeqCst);
                continue;
            }
            match self.tail.compare_exchange(tail, tail + 1, SeqCst, SeqCst) {
                Ok(_) => {
                    // SAFETY: it is this thread's turn.
                    slot.value.with_mut(|place| unsafe { *place = value });
                    slot.sequence.store(tail + 1, SeqCst);
                    return true;
                }
                Err(found) => tail = found,
            }
        }
    }

    /// Takes the first number.
    pub fn pop(&self) -> Option<u32> {
        let mut head = self.head.load(SeqCst);
        loop {
            let slot = &self.slots[head % self.slots.len()];
            let sequence = slot.sequence.load(SeqCst);
            if sequence <= head {
                return None;
            }
            if sequence > head + 1 {
                head = self.head.load(SeqCst);
                continue;
            }
            match self.head.compare_exchange(head, head + 1, SeqCst, SeqCst) {
                Ok(_) => {
                    let free = head + self.slots.len();
                    if BUG {
                        slot.sequence.store(free, SeqCst);
                    }
                    // SAFETY: it is this thread's turn.
                    let value = slot.value.with(|place| unsafe { *place });
                    if !BUG {
                        slot.sequence.store(free, SeqCst);
                    }
                    return Some(value);
                }
                Err(found) => head = found,
            }
        }
    }
}

/// A queue of two places: a producer of three numbers, and a consumer. (One place is too few for this queue: a full slot
/// and a free one then have the same sequence number. Mazurka found that.)
pub fn scenario<const BUG: bool>() {
    let queue = Arc::new(Queue::<BUG>::new(2));
    let producer = queue.clone();
    let producer = thread::spawn(move || (1..=3).filter(|&value| producer.push(value)).count());
    let consumer = queue.clone();
    let consumer = thread::spawn(move || consumer.pop());
    let put = producer.join().unwrap();
    let taken = consumer.join().unwrap().into_iter().chain(std::iter::from_fn(|| queue.pop())).count();
    assert_eq!(put, taken, "what is put is taken");
}
