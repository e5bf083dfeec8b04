//! Observers (Aronis, Jonsson, Lång, Sagonas: Optimal DPOR with Observers, TACAS 2018): happens-before in which two
//! operations depend on each other only if a later one, their *observer*, could tell their order.
//!
//! - Two *blind* writes of a variable (writes that do not read it) depend only if one of them is *seen*: if anything but
//!   another blind write is the next to touch the variable. That is the observer.
//! - Two sends to a mailbox depend only if the message of the first was received by a receive that could have taken the
//!   second's, had that been older: it matches, and nobody received it before. That receive is the observer.
//!
//! All other dependences are as in [`crate::dependence`]. The relation is that of whole executions: it grows with every
//! observer that is executed, so it is worked out at the end of an execution, by [`Trace::observe`].

use crate::class::Class;
use crate::dependence::{Footprint, Mode};
use crate::history::NO_EVENT;
use crate::race::Race;
use crate::trace::{Event, EventId, Trace};
use model::{Access, Guard, ObjectId, OpKind, Pattern, Stepped, Tag};
use std::hash::Hash;

/// A receive that took a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taker {
    /// Its place in its sequence.
    pub(crate) event: EventId,
    pub(crate) pattern: Pattern,
}

impl Taker {
    /// Whether it could have taken a message with this tag, which another receive may have taken.
    pub(crate) fn could_take(&self, tag: Tag, other: Option<Taker>) -> bool {
        self.pattern.matches(tag) && other.is_none_or(|other| other.event > self.event)
    }
}

/// Whether an operation writes a variable without reading it.
#[inline]
pub(crate) fn is_blind(kind: OpKind) -> bool {
    let nature = kind.nature();
    nature.overwrites && nature.access == Access::Atomic
}

impl Event {
    /// What it touches, as long as nothing is known of its observers: a blind write is unseen.
    #[inline]
    pub fn unobserved(&self) -> Footprint {
        if is_blind(self.op.kind) { Footprint { mode: Mode::Unseen, ..self.footprint } } else { self.footprint }
    }
}

impl Trace {
    /// Whether observers make a difference to this execution: two threads wrote a variable and nobody looked at it in
    /// between, or sent to the same mailbox. Says to which object.
    pub fn conditional(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let is_conditional = |event: &&Event| {
            let found = event.found;
            let kind = event.op.kind;
            let after_same_kind = found.write != NO_EVENT && {
                let earlier = self.event(found.write);
                earlier.thread() != event.thread()
                    && (matches!(kind, OpKind::Send { .. })
                        || (is_blind(earlier.op.kind) && found.read == NO_EVENT && found.add == NO_EVENT))
            };
            after_same_kind && (is_blind(kind) || matches!(kind, OpKind::Send { .. }))
        };
        self.events().iter().filter(is_conditional).map(|event| event.op.object)
    }

    /// Makes `seen` the same execution with its happens-before relation, and its races, by observers.
    pub fn observe(&self, seen: &mut Trace) {
        seen.cut(0);
        let mut is_seen = vec![false; self.len()];
        seen.takers.clear();
        seen.takers.resize(self.len(), None);
        for (id, event) in self.events().iter().enumerate() {
            if let Mode::Take(pattern) = event.footprint.mode {
                let send = self.send_taken_by(id as EventId);
                seen.takers[send as usize] = Some(Taker { event: id as EventId, pattern });
            } else if event.footprint.touches() && !is_blind(event.op.kind) && event.found.write != NO_EVENT {
                is_seen[event.found.write as usize] = true;
            }
        }
        for (event, &is_seen) in self.events().iter().zip(&is_seen) {
            let footprint = if is_seen { event.footprint } else { event.unobserved() };
            let Event { op, outcome, before, after, .. } = *event;
            seen.push_as(event.choice, &Stepped { op, outcome, before, after, failure: None }, footprint, Guard::NONE);
        }
    }

    /// The receive that took the message of a send, in a trace with observers.
    pub(crate) fn taker(&self, send: EventId) -> Option<Taker> {
        self.takers.get(send as usize).copied().flatten()
    }

    /// `observers(e,e',E)` of a race of a trace with observers, and what happens after them on the same object; earliest
    /// first. None for a race that needs no observer.
    pub(crate) fn observers(&self, race: &Race) -> Vec<EventId> {
        let Some(second) = race.second else { return Vec::new() };
        let (e, later) = (self.event(race.first), self.event(second));
        match (e.op.kind, later.op.kind) {
            (OpKind::Write(_), OpKind::Write(_)) => self.lookers(second),
            (OpKind::Send { .. }, OpKind::Send { .. }) => {
                self.taker(race.first).iter().map(|taker| taker.event).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What touches a variable after a blind write of it, up to the next one.
    fn lookers(&self, write: EventId) -> Vec<EventId> {
        let object = self.event(write).op.object;
        let mut later: Vec<EventId> = self.history(object).take_while(|&event| event > write).collect();
        later.reverse();
        let next = later.iter().position(|&event| is_blind(self.event(event).op.kind));
        later.truncate(next.unwrap_or(later.len()));
        later
    }

    /// The class of this execution by observers (OBS Definition 1): what every thread did and saw, and what happened before
    /// each of its steps.
    pub fn class_by_observers(&self) -> Class {
        let mut seen = Trace::new();
        self.observe(&mut seen);
        seen.class_of(|event, row, hasher| {
            (event.choice, event.index, event.op.kind, event.op.object).hash(hasher);
            match seen.send_taken_by(row as EventId) {
                // The number of a message depends on sends that nobody tells apart.
                NO_EVENT if is_blind(event.op.kind) || event.footprint.is_on_mailbox() => {}
                NO_EVENT => event.outcome.hash(hasher),
                send => (seen.event(send).thread(), seen.event(send).index).hash(hasher),
            }
            let sees_word = !is_blind(event.op.kind) && !event.footprint.is_on_mailbox();
            if event.footprint.touches() && event.footprint.mode != Mode::Add && sees_word {
                event.before.hash(hasher);
            }
        })
    }
}
