//! The states that were met: all of them, exactly.

use std::hash::Hasher;

/// How many slots a table begins with.
const FIRST: usize = 1 << 12;

/// States by their numbers, in the order in which they were met.
pub(crate) struct Store {
    /// For each slot, the number of a state, and some bits of its hash, so that most others are told apart by them.
    slots: Vec<u64>,
    /// All states, one behind the other.
    bytes: Vec<u8>,
    /// Where each state begins; the last is where the next will.
    starts: Vec<u64>,
}

const EMPTY: u64 = u64::MAX;
/// Bits of a slot that are a state's number.
const NUMBER: u32 = 40;

impl Store {
    pub(crate) fn new() -> Self {
        Store { slots: vec![EMPTY; FIRST], bytes: Vec::new(), starts: vec![0] }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.slots.capacity() * 8 + self.bytes.capacity() + self.starts.capacity() * 8
    }

    pub(crate) fn get(&self, number: usize) -> &[u8] {
        &self.bytes[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The number of a state, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u8]) -> (usize, bool) {
        if self.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(state);
        let tag = hash >> NUMBER;
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == EMPTY {
                let number = self.len();
                self.slots[slot] = tag << NUMBER | number as u64;
                self.bytes.extend_from_slice(state);
                self.starts.push(self.bytes.len() as u64);
                return (number, true);
            }
            let number = (found & ((1 << NUMBER) - 1)) as usize;
            if found >> NUMBER == tag && self.get(number) == state {
                return (number, false);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a state, if it was met.
    pub(crate) fn find(&self, state: &[u8]) -> Option<usize> {
        let hash = hash(state);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == EMPTY {
                return None;
            }
            let number = (found & ((1 << NUMBER) - 1)) as usize;
            if found >> NUMBER == hash >> NUMBER && self.get(number) == state {
                return Some(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![EMPTY; mask + 1];
        for number in 0..self.len() {
            let hash = hash(self.get(number));
            let mut slot = hash as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (hash >> NUMBER) << NUMBER | number as u64;
        }
    }
}

/// A hash whose low and high bits are both good.
fn hash(state: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(state);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
