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
        let mut by_thread: Vec<(ThreadId, u32, usize)> =
            self.events().iter().enumerate().map(|(i, event)| (event.thread(), event.index, i)).collect();
        by_thread.sort_unstable();
        let mut hashers = [DefaultHasher::default(), DefaultHasher::default()];
        "another".hash(&mut hashers[1]);
        for hasher in &mut hashers {
            for &(_, _, i) in &by_thread {
                self.hash_event(&self.events()[i], i, hasher);
            }
        }
        Class(hashers[0].finish(), hashers[1].finish())
    }

    fn hash_event(&self, event: &Event, row: usize, hasher: &mut DefaultHasher) {
        (event.choice, event.index, event.op.kind, event.op.object, event.outcome).hash(hasher);
        let sees_word = !matches!(event.footprint.mode, Mode::Add | Mode::Take | Mode::TimeOut(_));
        if event.footprint.touches() && sees_word {
            event.before.hash(hasher);
        }
        for (thread, &steps) in self.clocks.row(row).iter().enumerate() {
            if steps > 0 {
                (thread, steps).hash(hasher);
            }
        }
    }
}
