//! What a thread has not written in its frames, and therefore does not read.
//!
//! Compilers give a frame room for what it will hold later. Before a loop's first round has written there, nothing is in it; after that,
//! often what nobody reads any more. So the local states of the first round and of the second differ, and of a loop that retries, those
//! of all rounds that found different things.
//!
//! What lies below a stack's end is wiped with a word that no program uses. Where it is found in a frame, nothing was written since the
//! frame is there, and a program reads nothing that was not written: what a thread does next does not depend on it. Let two local states be
//! the same but for places that are not written in the first one. As threads are deterministic, a thread in the second one does what
//! one in the first one does, as long as it does not read such a place; and where it would be the first to do so, the first one would
//! read it too. So it does not: what is there is dead, and both are one state.
//!
//! Which one stands for both is decided once and for all runs, for what was learnt of local states is kept.

use crate::reach::Change;
use model::{Fingerprint, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// What is in four bytes that nobody has written.
pub(crate) const HALF: u32 = 0xA7C3_51E9;
pub(crate) const WORD_OF_HALVES: u64 = (HALF as u64) << 32 | HALF as u64;

/// Writes to the memory between two addresses that nobody has written there.
///
/// # Safety
/// It must be there, and nobody else uses it.
pub(crate) unsafe fn wipe(from: usize, to: usize) {
    // SAFETY: promised by the caller; all bytes are those of a number.
    let (_, halves, _) = unsafe {
        let bytes = std::slice::from_raw_parts_mut(from as *mut MaybeUninit<u8>, to - from);
        bytes.fill(MaybeUninit::new(0));
        bytes.align_to_mut::<MaybeUninit<u32>>()
    };
    halves.fill(MaybeUninit::new(HALF));
}

/// Where a thread is, and how deep its stack is there: its frames have the same places in them.
pub(crate) type Frames = (Site, usize);

/// A place in a thread's frames that is not written: a word, by how far it is below the top of the stack, and which bits of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hole {
    below_top: usize,
    bits: u64,
}

impl Hole {
    /// In this word, if there is one.
    pub(crate) fn of(word: u64, below_top: usize) -> Option<Hole> {
        let is_unwritten = |shift: u32| (word >> shift) as u32 == HALF;
        let of_half = |shift: u32| if is_unwritten(shift) { u64::from(u32::MAX) << shift } else { 0 };
        let bits = of_half(0) | of_half(32);
        (bits != 0).then_some(Hole { below_top, bits })
    }

    /// What leaves these bits out of a stack that has its top there.
    pub(crate) fn omission(self, top: usize) -> Change {
        Change { address: top - self.below_top, keep: !self.bits, put: 0 }
    }

    /// What makes the same hole in a stack that has its top there.
    pub(crate) fn change(self, top: usize) -> Change {
        Change { address: top - self.below_top, keep: !self.bits, put: WORD_OF_HALVES & self.bits }
    }
}

/// A word of which one half is not written, by how far it is below the top of the stack.
pub(crate) type Half = (usize, u64);

/// The bytes of such words that are others after the same steps: what decides them is not the program. (What is as wide as four bytes is
/// no address, which may be another one in another run.)
pub(crate) fn undecided(halves: &[Half], others: &[Half]) -> Vec<Hole> {
    let of_byte = |bits: u64, byte: u32| if bits >> (8 * byte) & 0xFF == 0 { 0 } else { 0xFF_u64 << (8 * byte) };
    let both = halves.iter().zip(others).filter(|((place, word), (other_place, other))| {
        place == other_place && Hole::of(*word, 0) == Hole::of(*other, 0) && word != other
    });
    both.map(|(&(below_top, word), &(_, other))| Hole {
        below_top,
        bits: (0..8).map(|byte| of_byte(word ^ other, byte)).sum(),
    })
    .collect()
}

/// The local states that were found, in all runs of a program.
#[derive(Default)]
pub(crate) struct States {
    /// Bytes that the program does not decide.
    undecided: FxHashMap<Frames, Vec<Hole>>,
    /// Which one each of them is taken for.
    taken_for: FxHashMap<Fingerprint, Fingerprint>,
    /// The holes that states had.
    holes: FxHashMap<Frames, Vec<Arc<[Hole]>>>,
    /// The states that had them.
    with_holes: FxHashSet<Fingerprint>,
}

/// More states are not kept: what is not taken for another one is itself.
const MOST_STATES: usize = 1 << 20;
/// So many different sets of holes of one place are tried.
const MOST_HOLES: usize = 8;

impl States {
    pub(crate) fn undecided(&self, frames: Frames) -> Vec<Hole> {
        self.undecided.get(&frames).cloned().unwrap_or_default()
    }

    pub(crate) fn add_undecided(&mut self, frames: Frames, bytes: Vec<Hole>) {
        self.undecided.entry(frames).or_default().extend(bytes);
    }

    /// Which state it is taken for, if it was found before.
    pub(crate) fn taken_for(&self, state: Fingerprint) -> Option<Fingerprint> {
        self.taken_for.get(&state).copied()
    }

    /// The sets of holes that states at a place had.
    pub(crate) fn holes(&self, frames: Frames) -> Vec<Arc<[Hole]>> {
        self.holes.get(&frames).cloned().unwrap_or_default()
    }

    /// A state with these holes is new. `others` are what it would be with other holes. Says which one it is taken for.
    pub(crate) fn add(
        &mut self,
        state: Fingerprint,
        frames: Frames,
        holes: &[Hole],
        others: &[Fingerprint],
    ) -> Fingerprint {
        if let Some(known) = self.taken_for(state) {
            return known;
        }
        if self.taken_for.len() >= MOST_STATES {
            return state;
        }
        let same = others.iter().find(|other| self.with_holes.contains(other));
        let known = same.map_or(state, |&other| self.taken_for(other).unwrap_or(other));
        self.taken_for.insert(state, known);
        if !holes.is_empty() {
            self.with_holes.insert(state);
            let all = self.holes.entry(frames).or_default();
            if all.len() < MOST_HOLES && !all.iter().any(|one| **one == *holes) {
                all.push(holes.into());
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Frames = (Site(0), 64);

    fn hole(below_top: usize) -> Hole {
        Hole::of(WORD_OF_HALVES, below_top).unwrap()
    }

    #[test]
    fn four_bytes_are_a_hole() {
        assert_eq!(Hole::of(1, 8), None);
        assert_eq!(Hole::of(u64::from(HALF) << 8, 8), None);
        let upper = Hole::of(u64::from(HALF) << 32 | 1, 8).unwrap();
        let Change { address, keep, put } = upper.change(100);
        assert_eq!((address, 0xABCD_0000_0007 & keep | put), (92, u64::from(HALF) << 32 | 7));
    }

    #[test]
    fn bytes_that_differ_beside_a_hole_are_not_decided() {
        let half = |upper: u64| upper << 32 | u64::from(HALF);
        let found = undecided(&[(8, half(0x0405_0601)), (24, half(1))], &[(8, half(0x0407_0601)), (24, half(1))]);
        assert_eq!(found, [Hole { below_top: 8, bits: 0x00FF_0000 << 32 }]);
        assert_eq!(undecided(&[(8, half(5))], &[(16, half(6))]), []);
    }

    #[test]
    fn a_state_is_taken_for_the_one_with_holes_that_came_before() {
        let mut states = States::default();
        assert_eq!(states.add(Fingerprint(1), HERE, &[hole(8)], &[]), Fingerprint(1));
        let [set] = &states.holes(HERE)[..] else { panic!() };
        assert_eq!(**set, [hole(8)]);
        assert_eq!(states.add(Fingerprint(2), HERE, &[], &[Fingerprint(1)]), Fingerprint(1));
        assert_eq!(states.add(Fingerprint(3), HERE, &[], &[Fingerprint(9)]), Fingerprint(3));
        assert_eq!(states.add(Fingerprint(4), HERE, &[hole(16)], &[Fingerprint(2)]), Fingerprint(4));
    }

    #[test]
    fn what_a_state_is_taken_for_does_not_change() {
        let mut states = States::default();
        assert_eq!(states.add(Fingerprint(2), HERE, &[], &[Fingerprint(1)]), Fingerprint(2));
        assert_eq!(states.add(Fingerprint(1), HERE, &[hole(8)], &[]), Fingerprint(1));
        assert_eq!(states.add(Fingerprint(2), HERE, &[], &[Fingerprint(1)]), Fingerprint(2));
        assert_eq!(states.taken_for(Fingerprint(2)), Some(Fingerprint(2)));
    }
}
