//! The states that were met, by hashes: only so much of each is kept that most are told apart. Where each is kept exactly, they are
//! in the [tables](crate::tables) of names.

use crate::tables::mix;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keeping {
    /// Each, exactly.
    #[default]
    Exact,
    /// 48 bits of a hash of each, in four bytes: two states may be taken for one.
    Compact,
    /// Three bits of a field of 2 to the power of so many.
    Bits(u8),
}

/// Bits that a state sets in a field.
const BITS_EACH: u32 = 3;

/// A set of states that several workers use at once.
pub(crate) enum Visited {
    Compact(Table),
    Bits(Field),
}

impl Visited {
    /// None for states that are kept exactly.
    pub(crate) fn new(keeping: Keeping) -> Option<Self> {
        match keeping {
            Keeping::Exact => None,
            Keeping::Compact => Some(Visited::Compact(Table::new())),
            Keeping::Bits(bits) => {
                let words = (1usize << bits).div_ceil(64);
                let mut field = Vec::with_capacity(words);
                field.resize_with(words, AtomicU64::default);
                Some(Visited::Bits(Field { words: field }))
            }
        }
    }

    /// Adds a state by its hash; says whether it is new.
    pub(crate) fn insert(&self, hash: u64) -> bool {
        match self {
            Visited::Compact(table) => table.insert(hash),
            Visited::Bits(field) => field.insert(hash),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Visited::Compact(table) => table.bytes.load(Ordering::Relaxed),
            Visited::Bits(field) => field.words.len() * 8,
        }
    }

    /// The part of all states that is expected to have been met, when so many were.
    pub(crate) fn coverage(&self, states: u64) -> f64 {
        let met = states as f64;
        let missed = match self {
            Visited::Compact(_) => met * met / 2.0 / 2f64.powi(48),
            Visited::Bits(field) => {
                // Each new state was taken for an old one with the probability that all its bits were set, as they filled up.
                let bits = field.words.len() as f64 * 64.0;
                let parts = 1_000;
                let wrong = (0..parts).map(|part| {
                    let filled =
                        1.0 - (-f64::from(BITS_EACH) * met * (f64::from(part) + 0.5) / f64::from(parts) / bits).exp();
                    filled.powi(BITS_EACH as i32)
                });
                // Of those that were asked for, so many were new and not seen to be.
                let rate = wrong.sum::<f64>() / f64::from(parts);
                met * rate / (1.0 - rate).max(f64::MIN_POSITIVE)
            }
        };
        let coverage = met / (met + missed).max(f64::MIN_POSITIVE);
        // However few states there are, two may have been taken for one.
        coverage.min(1.0 - f64::EPSILON)
    }
}

/// Bits of a hash that choose a part of a table.
const PART_BITS: u32 = 16;

/// A hash table in parts, each of which has a lock and grows by itself. What is kept of a hash is the part that it belongs to, and 32
/// more bits.
pub(crate) struct Table {
    parts: Box<[Mutex<Part>]>,
    bytes: AtomicUsize,
}

#[derive(Default)]
struct Part {
    /// An empty slot is 0.
    slots: Vec<u32>,
    length: usize,
}

impl Table {
    fn new() -> Self {
        let parts: Box<[_]> = (0..1usize << PART_BITS).map(|_| Mutex::default()).collect();
        let bytes = AtomicUsize::new(size_of_val(&*parts));
        Table { parts, bytes }
    }

    fn insert(&self, hash: u64) -> bool {
        let part = (hash >> (64 - PART_BITS)) as usize;
        let mut part = self.parts[part].lock().unwrap_or_else(PoisonError::into_inner);
        if part.length * 4 >= part.slots.len() * 3 {
            let before = part.slots.len();
            part.grow();
            self.bytes.fetch_add((part.slots.len() - before) * size_of::<u32>(), Ordering::Relaxed);
        }
        part.add(((hash >> PART_BITS) as u32).max(1))
    }
}

impl Part {
    fn add(&mut self, element: u32) -> bool {
        let length = self.slots.len();
        let mut slot = ((u64::from(element) * length as u64) >> 32) as usize;
        loop {
            let there = self.slots[slot];
            if there == 0 {
                self.slots[slot] = element;
                self.length += 1;
                return true;
            }
            if there == element {
                return false;
            }
            slot += 1;
            if slot == length {
                slot = 0;
            }
        }
    }

    fn grow(&mut self) {
        let larger = (self.slots.len() * 3 / 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![0; larger]);
        self.length = 0;
        for element in old.into_iter().filter(|element| *element != 0) {
            self.add(element);
        }
    }
}

/// A field of bits.
pub(crate) struct Field {
    words: Vec<AtomicU64>,
}

impl Field {
    fn insert(&self, hash: u64) -> bool {
        let mask = self.words.len() as u64 * 64 - 1;
        let step = mix(hash) | 1;
        let mut is_new = false;
        for turn in 0..u64::from(BITS_EACH) {
            let bit = hash.wrapping_add(turn.wrapping_mul(step)) & mask;
            let old = self.words[(bit / 64) as usize].fetch_or(1 << (bit % 64), Ordering::Relaxed);
            is_new |= old >> (bit % 64) & 1 == 0;
        }
        is_new
    }
}

/// A hash of a state, for those who do not keep it.
pub(crate) fn hash(state: &[u8]) -> u64 {
    let fold = |hash: u64, eight: &[u8]| {
        let mut word = [0; 8];
        word[..eight.len()].copy_from_slice(eight);
        mix(hash.rotate_left(29) ^ u64::from_le_bytes(word))
    };
    mix(state.chunks(8).fold(state.len() as u64, fold))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_new_once() {
        for keeping in [Keeping::Compact, Keeping::Bits(22)] {
            let visited = Visited::new(keeping).expect("by hashes");
            let new = (0..3_000u64).filter(|number| visited.insert(hash(&number.to_le_bytes()))).count();
            assert_eq!(new, 3_000, "{keeping:?}");
            assert!((0..3_000u64).all(|number| !visited.insert(hash(&number.to_le_bytes()))), "{keeping:?}");
            assert!(visited.coverage(3_000) > 0.99);
        }
    }

    #[test]
    fn a_field_that_is_too_small_says_that_little_was_covered() {
        let visited = Visited::new(Keeping::Bits(12)).expect("by hashes");
        let new = (0..20_000u64).filter(|number| visited.insert(hash(&number.to_le_bytes()))).count();
        let coverage = visited.coverage(new as u64);
        assert!(new < 20_000 && coverage < 0.9, "{new} {coverage}");
    }
}
