//! The class of an execution: one value for each Mazurkiewicz trace.

use crate::dependence::Mode;
use crate::trace::{Event, Trace};
use model::{Fingerprint, ThreadId};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Stands for a class of executions: equal for equivalent executions, different (up to a chance of 2⁻¹²⁸) for others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class(u64, u64);

impl Trace {
    /// The class of this execution: what every thread did and saw, and what happened before each of its steps.
    ///
    /// The words that events found are part of it although happens-before decides them, except for adds and receives: if the
    /// dependence relation were too coarse to decide them, the comparison with the oracle would show it.
    pub fn class(&self) -> Class {
        self.class_of(|event, _, hasher| hash_event(event, hasher))
    }

    /// What an event adds to the class of each prefix that it is in: prefixes for which the sums of all events are equal are equivalent (up
    /// to a chance of 2⁻¹²⁸). `bytes` are reused.
    pub fn part_of_class(&self, event: usize, bytes: &mut Vec<u8>) -> u128 {
        bytes.clear();
        let mut bytes = Bytes(bytes);
        hash_event(&self.events()[event], &mut bytes);
        self.hash_clock(event, &mut bytes);
        Fingerprint::of_bytes(bytes.0).0
    }

    /// The class by what `hash_event` makes of each event, whose place it is given, and by what happens before it.
    pub(crate) fn class_of(&self, hash_event: impl Fn(&Event, usize, &mut DefaultHasher)) -> Class {
        let mut by_thread: Vec<(ThreadId, u32, usize)> =
            self.events().iter().enumerate().map(|(i, event)| (event.thread(), event.index, i)).collect();
        by_thread.sort_unstable();
        let mut hashers = [DefaultHasher::default(), DefaultHasher::default()];
        "another".hash(&mut hashers[1]);
        for hasher in &mut hashers {
            for &(_, _, i) in &by_thread {
                hash_event(&self.events()[i], i, hasher);
                self.hash_clock(i, hasher);
            }
        }
        Class(hashers[0].finish(), hashers[1].finish())
    }

    fn hash_clock(&self, row: usize, hasher: &mut impl Hasher) {
        for (thread, &steps) in self.clocks.row(row).iter().enumerate() {
            if steps > 0 {
                (thread, steps).hash(hasher);
            }
        }
    }
}

fn hash_event(event: &Event, hasher: &mut impl Hasher) {
    (event.choice, event.index, event.op.kind, event.op.object, event.outcome).hash(hasher);
    let sees_word = !matches!(event.footprint.mode, Mode::Add | Mode::Take(_) | Mode::TimeOut(_));
    if event.footprint.touches() && sees_word {
        event.before.hash(hasher);
    }
}

/// Keeps what is to be hashed.
struct Bytes<'b>(&'b mut Vec<u8>);

impl Hasher for Bytes<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        Fingerprint::of_bytes(self.0).0 as u64
    }
}
