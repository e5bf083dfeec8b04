//! Total store order (x86; Sewell and others 2010; axioms as in Alglave and others, TOPLAS 2014).
//!
//! `po|loc ∪ rf ∪ co ∪ fr` is acyclic, and so is `ghb = ppo ∪ rfe ∪ co ∪ fr`, where ppo is po without the pairs from a write to
//! a read, but for those with a full fence between: a seq_cst fence, either part of an update that writes, spawn, join, or the
//! place right behind a seq_cst write. Other fences and orders mean nothing.
//!
//! Writes of a thread are in ghb in program order, so that a view has the last write of each thread.

use super::{Asker, Asking, Model};
use crate::graph::{Event, EventId, Graph, Label};
use crate::hb::HappensBefore;
use crate::relation::{Node, Relation, Relations};
use crate::views::{Kept, Past, Views};
use model::Order;

/// See the head of this file.
#[derive(Default)]
pub(super) struct Tso(Views);

/// Whether an event is a full fence.
pub(super) fn is_full(event: &Event) -> bool {
    match event.label {
        Label::Fence => event.order == Order::SeqCst,
        Label::Read | Label::Write => event.update,
        Label::Spawn(_) | Label::Join(_) | Label::After => true,
        Label::Choose | Label::Nothing | Label::Ghost => false,
    }
}

/// Whether an event is in no order at all.
pub(super) fn is_idle(event: &Event) -> bool {
    !is_full(event) && !event.is_read() && !event.is_write()
}

/// Whether right behind an event there is a full fence.
pub(super) fn is_fenced(event: &Event) -> bool {
    event.is_write() && event.order == Order::SeqCst
}

impl Kept for Tso {
    fn width(g: &Graph) -> usize {
        g.thread_count()
    }

    fn enter(view: &mut [u32], event: &Event) {
        if event.is_write() {
            view[event.thread.index()] = event.index + 1;
        }
    }

    fn has(view: &[u32], write: &Event) -> bool {
        view[write.thread.index()] > write.index
    }

    fn pass(past: &mut Past, event: &Event, view: &[u32]) {
        if is_full(event) || event.is_read() {
            past.join(view);
        } else if event.is_write() {
            crate::clocks::join(&mut past.all, view);
        }
        if is_fenced(event) || is_full(event) {
            past.fence();
        }
    }

    fn before(past: &Past, access: Asking) -> &[u32] {
        match access {
            Asking::Read => &past.reads,
            Asking::Update | Asking::Write(_) => &past.all,
        }
    }
}

/// ppo by the axioms: `keeps` says which pairs without a full fence between are kept, by the events between.
pub(super) fn preserved(r: &Relations, keeps: impl Fn(&Event, &Event, &[&Event]) -> bool) -> Relation {
    let event = |a: usize| r.nodes[a].event;
    Relation::of(r.len(), |a, b| {
        let (Some(first), Some(second)) = (event(a), event(b)) else { return false };
        if !r.po.has(a, b) || is_idle(&first) || is_idle(&second) {
            return false;
        }
        let between: Vec<&Event> = r
            .nodes
            .iter()
            .filter_map(|node: &Node| node.event.as_ref())
            .filter(|e| e.thread == first.thread && first.index < e.index && e.index < second.index)
            .collect();
        let is_ordered = is_full(&first) || is_full(&second) || !first.is_write() || is_fenced(&first);
        is_ordered || between.iter().any(|e| is_full(e) || is_fenced(e)) || keeps(&first, &second, &between)
    })
}

/// The axioms, with this ppo.
pub(super) fn allows(r: &Relations, ppo: &Relation) -> bool {
    let local = Relation::union(&[&r.same_location(&r.po), &r.rf, &r.co, &r.fr]);
    let external = r.rf.filter(|a, b| r.nodes[a].thread() != r.nodes[b].thread());
    let ghb = Relation::union(&[ppo, &r.causes, &external, &r.co, &r.fr]);
    local.is_acyclic() && ghb.is_acyclic()
}

impl Model for Tso {
    fn allows(&self, r: &Relations) -> bool {
        allows(r, &preserved(r, |_, second, _| second.is_write()))
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
