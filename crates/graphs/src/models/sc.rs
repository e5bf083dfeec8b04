//! Sequential consistency: `po ∪ rf ∪ co ∪ fr` is acyclic (Lamport 1979; Shasha and Snir 1988).
//!
//! The clock of an event is how many events of each thread are before or at it. m(e) is the last write that reaches the event before e.

use super::{Asker, Model};
use crate::clocks::Clocks;
use crate::graph::{EventId, Graph, Label};
use crate::hb::HappensBefore;
use crate::relation::{Relation, Relations};
use crate::views::{InOrder, overwritten, settle};

/// See the head of this file.
#[derive(Default)]
pub(super) struct Sc {
    clocks: Clocks,
    /// The clocks of so many first events depend on no event that stands behind these in the arena.
    in_order: usize,
}

/// The event before this one in its thread, or what spawned it.
fn before(g: &Graph, e: EventId) -> EventId {
    let event = g.event(e);
    if event.index > 0 { g.before(e) } else { g.spawn_of(event.thread) }
}

impl Sc {
    /// The clock of the next event, as far as what is before it stands before it in the arena.
    fn push(&mut self, g: &Graph, e: EventId) {
        let event = g.event(e);
        self.clocks.push_copy(before(g, e));
        self.clocks.row_mut(e)[event.thread.index()] = event.index + 1;
        let mut join = |other: EventId| {
            if other < e {
                self.clocks.join_event(e, other, g.event(other));
            }
        };
        join(event.cause);
        match event.label {
            Label::Read => join(event.source),
            Label::Write => overwritten(g, event).for_each(join),
            _ => {}
        }
    }
}

impl InOrder for Sc {
    fn come_to(&mut self, _: &Graph, _: EventId) {}

    fn update(&mut self, g: &Graph, e: EventId) -> bool {
        if e as usize == self.clocks.len() {
            self.push(g, e);
            return true;
        }
        let event = g.event(e);
        let mut changed = self.clocks.join_within(e, before(g, e));
        let mut join = |other: EventId| changed |= self.clocks.join_within(e, other);
        join(event.cause);
        match event.label {
            Label::Read => join(event.source),
            Label::Write => overwritten(g, event).for_each(join),
            _ => {}
        }
        changed
    }
}

impl Model for Sc {
    fn allows(&self, r: &Relations) -> bool {
        Relation::union(&[&r.po, &r.causes, &r.rf, &r.co, &r.fr]).is_acyclic()
    }

    fn clear(&mut self, _: &Graph) {
        self.clocks.clear();
        self.in_order = usize::MAX;
    }

    fn append(&mut self, g: &Graph, e: EventId) {
        self.clocks.widen(g.thread_count());
        self.push(g, e);
    }

    fn settle(&mut self, g: &Graph, kept: usize) {
        self.clocks.widen(g.thread_count());
        let new = kept.min(self.in_order);
        self.clocks.cut(new);
        self.in_order = settle(self, g, new);
    }

    fn floor(&mut self, g: &Graph, _: &HappensBefore, asker: Asker) -> usize {
        let Asker { thread, index, object, cause, .. } = asker;
        let before = if index > 0 { g.of_thread(thread)[index as usize - 1] } else { g.spawn_of(thread) };
        let (before, cause) = (self.clocks.row(before), self.clocks.row(cause));
        let is_seen = |&w: &EventId| g.is_in(w, before) || g.is_in(w, cause);
        g.co(object).iter().rposition(is_seen).map_or(0, |place| place + 1)
    }
}
