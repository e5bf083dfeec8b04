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

use crate::tables::{Exact, Handle, Kind};

/// A worker remembers 2 to the power of so many pairs and leaves.
const REMEMBERED: u32 = 13;

/// What one worker finds the names of states with.
pub(crate) struct Namer<'s> {
    tables: Handle<'s>,
    /// Keys and their numbers, those asked for last.
    remembered: Vec<(u64, u32)>,
}

impl<'s> Namer<'s> {
    pub(crate) fn new(exact: &'s Exact) -> Self {
        Namer { tables: Handle::new(exact), remembered: vec![(0, 0); 1 << REMEMBERED] }
    }

    /// The tables, between two states.
    pub(crate) fn tables(&mut self) -> &mut Handle<'s> {
        &mut self.tables
    }

    fn number(&mut self, key: u64, kind: Kind) -> u32 {
        let place = key.wrapping_add(kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED);
        let entry = &mut self.remembered[place as usize];
        if entry.0 != key || entry.1 & 1 != kind as u32 || entry.1 == 0 {
            *entry = (key, self.tables.number(kind, key));
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
    use crate::tables::mix;
    use rustc_hash::FxHashMap;

    /// Two states have the same name exactly when they are the same, however their names were come by.
    #[test]
    fn names_are_as_different_as_states() {
        let exact = Exact::new();
        let mut namer = Namer::new(&exact);
        let mut other = Namer::new(&exact);
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
                other.tables().rest();
                let name = namer.rename(crate::reuse::changed(&old, &state), &state, &mut tree);
                namer.tables().rest();
                assert_eq!(other.name(&state, &mut Vec::new()), name);
                assert_eq!(*known.entry((state.clone(), length)).or_insert(name), name);
                assert_eq!(*names.entry(name).or_insert_with(|| state.clone()), state);
            }
        }
    }
}
