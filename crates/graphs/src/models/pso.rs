//! Partial store order (SPARC): as [`tso`](super::tso), but writes of one thread to different locations are ordered only where
//! the second releases, or a fence that releases is between.
//!
//! What is in a view of one location's writes is a beginning of its coherence order, so that a view has how many of each
//! location are in it.

use super::tso::{allows, is_fenced, is_full, preserved};
use super::{Asker, Asking, Model};
use crate::clocks::join;
use crate::graph::{Event, EventId, Graph, Label};
use crate::hb::HappensBefore;
use crate::relation::Relations;
use crate::views::{Kept, Past, Views};

/// See the head of this file.
#[derive(Default)]
pub(super) struct Pso(Views);

impl Kept for Pso {
    fn width(g: &Graph) -> usize {
        // Rows without a cell could not be counted, and objects may come later.
        g.object_count().max(1)
    }

    fn enter(view: &mut [u32], event: &Event) {
        if event.is_write() {
            view[event.object().index()] = event.place + 1;
        }
    }

    fn has(view: &[u32], write: &Event) -> bool {
        view[write.object().index()] > write.place
    }

    fn pass(past: &mut Past, event: &Event, view: &[u32]) {
        if is_full(event) || event.is_read() {
            past.join(view);
        } else if event.is_write() {
            join(&mut past.all, view);
        }
        if is_fenced(event) || is_full(event) {
            past.fence();
        } else if event.label == Label::Fence && event.order.releases() {
            join(&mut past.writes, &past.all);
        }
    }

    fn before(past: &Past, access: Asking) -> &[u32] {
        match access {
            Asking::Read => &past.reads,
            Asking::Write(order) if !order.releases() => &past.writes,
            Asking::Update | Asking::Write(_) => &past.all,
        }
    }
}

impl Model for Pso {
    fn allows(&self, r: &Relations) -> bool {
        let keeps = |first: &Event, second: &Event, between: &[&Event]| {
            let is_barrier = |e: &&Event| e.label == Label::Fence && e.order.releases();
            second.is_write()
                && (first.object() == second.object() || second.order.releases() || between.iter().any(is_barrier))
        };
        allows(r, &preserved(r, keeps))
    }

    fn clear(&mut self, g: &Graph) {
        self.0.clear::<Self>(g);
    }

    fn append(&mut self, g: &Graph, e: EventId) {
        self.0.append::<Self>(g, e);
    }

    fn settle(&mut self, g: &Graph, kept: usize) {
        self.0.settle::<Self>(g, kept);
    }

    fn floor(&mut self, g: &Graph, _: &HappensBefore, asker: Asker) -> usize {
        self.0.floor::<Self>(g, asker)
    }
}
