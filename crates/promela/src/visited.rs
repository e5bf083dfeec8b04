//! The states that were met, by their names: all of them, or only so much of each that most are told apart.

use crate::tree::mix;
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
    Exact(Table<u64>),
    Compact(Table<u32>),
    Bits(Field),
}

impl Visited {
    pub(crate) fn new(keeping: Keeping) -> Self {
        match keeping {
            Keeping::Exact => Visited::Exact(Table::new(8)),
            Keeping::Compact => Visited::Compact(Table::new(16)),
            Keeping::Bits(bits) => {
                let words = (1usize << bits).div_ceil(64);
                let mut field = Vec::with_capacity(words);
                field.resize_with(words, AtomicU64::default);
                Visited::Bits(Field { words: field })
            }
        }
    }

    /// Adds a state by its name, or by its hash; says whether it is new.
    pub(crate) fn insert(&self, name: u64) -> bool {
        match self {
            Visited::Exact(table) => table.insert(mix(name), name),
            Visited::Compact(table) => {
                // No part of a hash may be 0, which is an empty slot.
                table.insert(name, ((name >> 16) as u32).max(1))
            }
            Visited::Bits(field) => field.insert(name),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Visited::Exact(table) => table.bytes.load(Ordering::Relaxed),
            Visited::Compact(table) => table.bytes.load(Ordering::Relaxed),
            Visited::Bits(field) => field.words.len() * 8,
        }
    }

    /// The part of all states that is expected to have been met, when so many were.
    pub(crate) fn coverage(&self, states: u64) -> f64 {
        let met = states as f64;
        let missed = match self {
            Visited::Exact(_) => 0.0,
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
        if matches!(self, Visited::Exact(_)) { 1.0 } else { coverage.min(1.0 - f64::EPSILON) }
    }
}

/// An element of a table; the default is an empty slot.
pub(crate) trait Element: Copy + Default + PartialEq {
    /// Where it belongs, as a part of the whole table, given what is known of it.
    fn spread(self) -> u64;
}

impl Element for u64 {
    fn spread(self) -> u64 {
        mix(self) << 8
    }
}

impl Element for u32 {
    fn spread(self) -> u64 {
        u64::from(self) << 32
    }
}

/// A hash table in parts, each of which has a lock and grows by itself.
pub(crate) struct Table<E> {
    shards: Box<[Mutex<Part<E>>]>,
    bits: u32,
    bytes: AtomicUsize,
}

struct Part<E> {
    slots: Vec<E>,
    length: usize,
}

impl<E: Element> Table<E> {
    fn new(bits: u32) -> Self {
        let part = || Mutex::new(Part { slots: Vec::new(), length: 0 });
        let shards: Box<[_]> = (0..1usize << bits).map(|_| part()).collect();
        let bytes = AtomicUsize::new(size_of_val(&*shards));
        Table { shards, bits, bytes }
    }

    fn insert(&self, hash: u64, element: E) -> bool {
        let shard = (hash >> (64 - self.bits)) as usize;
        let mut part = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        if part.length * 4 >= part.slots.len() * 3 {
            let before = part.slots.len();
            part.grow();
            self.bytes.fetch_add((part.slots.len() - before) * size_of::<E>(), Ordering::Relaxed);
        }
        part.add(element)
    }
}

impl<E: Element> Part<E> {
    fn add(&mut self, element: E) -> bool {
        let length = self.slots.len();
        let mut slot = ((u128::from(element.spread()) * length as u128) >> 64) as usize;
        loop {
            let there = self.slots[slot];
            if there == E::default() {
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
        let old = std::mem::replace(&mut self.slots, vec![E::default(); larger]);
        self.length = 0;
        for element in old.into_iter().filter(|element| *element != E::default()) {
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
        for keeping in [Keeping::Exact, Keeping::Compact, Keeping::Bits(22)] {
            let visited = Visited::new(keeping);
            let new = (0..3_000u64).filter(|number| visited.insert(hash(&number.to_le_bytes()))).count();
            assert_eq!(new, 3_000, "{keeping:?}");
            assert!((0..3_000u64).all(|number| !visited.insert(hash(&number.to_le_bytes()))), "{keeping:?}");
            assert!(visited.coverage(3_000) > 0.99);
        }
    }

    #[test]
    fn a_field_that_is_too_small_says_that_little_was_covered() {
        let visited = Visited::new(Keeping::Bits(12));
        let new = (0..20_000u64).filter(|number| visited.insert(hash(&number.to_le_bytes()))).count();
        let coverage = visited.coverage(new as u64);
        assert!(new < 20_000 && coverage < 0.9, "{new} {coverage}");
    }
}
