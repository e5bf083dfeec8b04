//! States as trees of pairs, after Laarman, van de Pol and Weber, "Parallel Recursive State Compression for Free" (SPIN 2011).
//!
//! ```text
//! a state, eight bytes at a time:   k0  k1  k2  k3  k4
//! each gets a number:               n0  n1  n2  n3  n4
//! and so does each pair:            (n0,n1) (n2,n3) n4
//! and so on, until two are left:    (left, right)               which is the state's name
//! ```
//!
//! What two states have in common is kept once, so that a state costs little more than the eight bytes of its name. After
//! a step, only the numbers above the bytes that changed are looked up again.
//!
//! Departures: leaves are eight bytes and not four, and have numbers of their own, odd ones where those of pairs are even. So a
//! name says by itself which tree it is the top of, and states of different lengths have different names. Numbers are not
//! places in a table, so that tables can grow.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Parts of the table, each with a lock of its own.
const SHARDS: usize = 64;

/// A worker remembers 2 to the power of so many pairs and leaves.
const REMEMBERED: u32 = 15;

/// The number of every pair and every leaf, shared by all workers.
pub(crate) struct Nodes {
    shards: Box<[Mutex<Shard>]>,
    bytes: AtomicUsize,
}

struct Shard {
    /// Keys with their numbers; an empty slot has the number 0.
    slots: Vec<(u64, u32)>,
    length: u32,
}

/// A key is eight bytes of a state, or the numbers of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pair,
    Leaf,
}

impl Nodes {
    pub(crate) fn new() -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::new(Shard { slots: vec![(0, 0); 8], length: 0 }));
        Nodes { shards: shards.collect(), bytes: AtomicUsize::new(0) }
    }

    /// Bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of a key.
    fn number(&self, key: u64, kind: Kind) -> u32 {
        let hash = mix(key);
        let shard = (hash >> 58) as usize;
        let mut kept = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        kept.number(hash, key, kind, shard as u32, &self.bytes)
    }
}

impl Shard {
    fn number(&mut self, hash: u64, key: u64, kind: Kind, shard: u32, bytes: &AtomicUsize) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot].1 != 0 {
            let (there, number) = self.slots[slot];
            if there == key && number & 1 == kind as u32 {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        self.length += 1;
        assert!(self.length < u32::MAX >> 8, "fewer nodes than there are numbers: memory ends before");
        let number = (self.length * SHARDS as u32 + shard) << 1 | kind as u32;
        self.slots[slot] = (key, number);
        if self.length as usize * 4 > self.slots.len() * 3 {
            bytes.fetch_add(self.slots.len() * size_of::<(u64, u32)>(), Ordering::Relaxed);
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); mask + 1]);
        for (key, number) in old.into_iter().filter(|(_, number)| *number != 0) {
            let mut slot = mix(key) as usize & mask;
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (key, number);
        }
    }
}

/// Spreads a key over all bits.
pub(crate) fn mix(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03_u128;
    (product as u64) ^ (product >> 64) as u64
}

/// What one worker finds the names of states with.
pub(crate) struct Namer<'s> {
    nodes: &'s Nodes,
    /// Keys and their numbers, those asked for last.
    remembered: Vec<(u64, u32)>,
}

impl<'s> Namer<'s> {
    pub(crate) fn new(nodes: &'s Nodes) -> Self {
        Namer { nodes, remembered: vec![(0, 0); 1 << REMEMBERED] }
    }

    fn number(&mut self, key: u64, kind: Kind) -> u32 {
        let place = key.wrapping_add(kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED);
        let entry = &mut self.remembered[place as usize];
        if entry.0 != key || entry.1 & 1 != kind as u32 || entry.1 == 0 {
            *entry = (key, self.nodes.number(key, kind));
        }
        entry.1
    }

    fn leaf(&mut self, bytes: &[u8]) -> u32 {
        self.number(word(bytes), Kind::Leaf)
    }

    /// The name of a state. `tree` has the numbers of another state of as many bytes, and gets those of this one; `changed` has
    /// a bit for each of its leaves that is another one.
    pub(crate) fn rename(&mut self, mut changed: u64, state: &[u8], tree: &mut [u32]) -> u64 {
        let leaves = state.len().div_ceil(8);
        if leaves > 64 {
            return self.fill(state, tree);
        }
        let mut left = changed;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let end = state.len().min(8 * place + 8);
            tree[place] = self.leaf(&state[8 * place..end]);
        }
        let (mut level, mut length) = (0, leaves);
        while length > 2 {
            let next = level + length;
            let mut left = changed;
            changed = 0;
            while left != 0 {
                let place = left.trailing_zeros() as usize / 2;
                left &= !(3 << (2 * place));
                tree[next + place] = self.parent(&tree[level..next], place);
                changed |= 1 << place;
            }
            (level, length) = (next, length.div_ceil(2));
        }
        name(&tree[level..level + length])
    }

    /// The name of a state, whose numbers are put into `tree` from its beginning.
    pub(crate) fn name(&mut self, state: &[u8], tree: &mut Vec<u32>) -> u64 {
        tree.clear();
        tree.resize(size(state.len()), 0);
        self.fill(state, tree)
    }

    fn fill(&mut self, state: &[u8], tree: &mut [u32]) -> u64 {
        for (place, eight) in state.chunks(8).enumerate() {
            tree[place] = self.leaf(eight);
        }
        let (mut level, mut length) = (0, state.len().div_ceil(8));
        while length > 2 {
            let next = level + length;
            for place in 0..length.div_ceil(2) {
                tree[next + place] = self.parent(&tree[level..next], place);
            }
            (level, length) = (next, length.div_ceil(2));
        }
        name(&tree[level..level + length])
    }

    /// The number of a pair of a level; the last of an odd number of them goes up by itself.
    fn parent(&mut self, level: &[u32], place: usize) -> u32 {
        match level[2 * place..] {
            [only] => only,
            [left, right, ..] => self.number(u64::from(left) << 32 | u64::from(right), Kind::Pair),
            [] => 0,
        }
    }
}

/// The name of a tree by its top.
fn name(top: &[u32]) -> u64 {
    let [left, right] = [0, 1].map(|side| u64::from(top.get(side).copied().unwrap_or(0)));
    left << 32 | right
}

/// How many numbers the tree of a state has.
fn size(bytes: usize) -> usize {
    let mut length = bytes.div_ceil(8);
    let mut all = length;
    while length > 2 {
        length = length.div_ceil(2);
        all += length;
    }
    all
}

/// Up to eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    if let Ok(eight) = bytes.try_into() {
        return u64::from_le_bytes(eight);
    }
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    /// Two states have the same name exactly when they are the same, however their names were come by.
    #[test]
    fn names_are_as_different_as_states() {
        let nodes = Nodes::new();
        let mut namer = Namer::new(&nodes);
        let mut other = Namer::new(&nodes);
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = mix(seed.wrapping_add(0x1234_5677));
            seed % below
        };
        let mut known: FxHashMap<(Vec<u8>, usize), u64> = FxHashMap::default();
        let mut names = FxHashMap::default();
        for length in [1, 7, 8, 9, 16, 17, 24, 40, 41, 77, 530] {
            let mut state = vec![0u8; length];
            // As in models, states of different lengths differ.
            state[0] = length as u8;
            let mut tree = Vec::new();
            namer.name(&state, &mut tree);
            for _ in 0..400 {
                let old = state.clone();
                for _ in 0..=random(2) {
                    let place = random(length as u64) as usize;
                    state[place] = if place == 0 { length as u8 } else { random(3) as u8 };
                }
                let name = namer.rename(crate::reuse::changed(&old, &state), &state, &mut tree);
                assert_eq!(other.name(&state, &mut Vec::new()), name);
                assert_eq!(*known.entry((state.clone(), length)).or_insert(name), name);
                assert_eq!(*names.entry(name).or_insert_with(|| state.clone()), state);
            }
        }
    }
}
