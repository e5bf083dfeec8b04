//! Sequential consistency: `po ∪ rf ∪ co ∪ fr` is acyclic (Lamport 1979; Shasha and Snir 1988).
//!
//! A view has how many events of each thread are before. m(e) is the last write that reaches the event before e.

use super::{Asker, Asking, Model};
use crate::graph::{Event, EventId, Graph};
use crate::hb::HappensBefore;
use crate::relation::{Relation, Relations};
use crate::views::{Kept, Past, Views};

/// See the head of this file.
#[derive(Default)]
pub(super) struct Sc(Views);

impl Kept for Sc {
    const OWN_READS: bool = true;
    const IS_CHAIN: bool = true;

    fn width(g: &Graph) -> usize {
        g.thread_count()
    }

    fn enter(view: &mut [u32], event: &Event) {
        view[event.thread.index()] = event.index + 1;
    }

    fn has(view: &[u32], write: &Event) -> bool {
        view[write.thread.index()] > write.index
    }

    fn pass(past: &mut Past, _: &Event, view: &[u32]) {
        past.all.copy_from_slice(view);
    }

    fn before(past: &Past, _: Asking) -> &[u32] {
        &past.all
    }
}

impl Model for Sc {
    fn allows(&self, r: &Relations) -> bool {
        Relation::union(&[&r.po, &r.causes, &r.rf, &r.co, &r.fr]).is_acyclic()
    }

    fn clear(&mut self, g: &Graph, _: &HappensBefore) {
        self.0.clear::<Self>(g);
    }

    fn append(&mut self, g: &Graph, _: &HappensBefore, e: EventId) {
        self.0.append::<Self>(g, e);
    }

    fn settle(&mut self, g: &Graph, kept: usize) {
        self.0.settle::<Self>(g, kept);
    }

    fn floor(&mut self, g: &Graph, _: &HappensBefore, asker: Asker) -> usize {
        self.0.floor::<Self>(g, asker)
    }
}
