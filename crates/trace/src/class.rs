//! The class of an execution: one value for each Mazurkiewicz trace.

use crate::dependence::Mode;
use crate::trace::{Event, Trace};
use model::ThreadId;
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
        self.class_of(|event, _, hasher| {
            (event.choice, event.index, event.op.kind, event.op.object, event.outcome).hash(hasher);
            let sees_word = !matches!(event.footprint.mode, Mode::Add | Mode::Take(_) | Mode::TimeOut(_));
            if event.footprint.touches() && sees_word {
                event.before.hash(hasher);
            }
        })
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

    fn hash_clock(&self, row: usize, hasher: &mut DefaultHasher) {
        for (thread, &steps) in self.clocks.row(row).iter().enumerate() {
            if steps > 0 {
                (thread, steps).hash(hasher);
            }
        }
    }
}
