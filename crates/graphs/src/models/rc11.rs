//! RC11, the repaired memory model of C11 (Lahav, Vafeiadis, Kang, Hur, Dreyer; PLDI 2017), with the release sequences of
//! C++20 (no same-thread part).
//!
//! Coherence: `hb;eco?` is irreflexive, `eco = (rf ∪ co ∪ fr)⁺`. Seq_cst: psc is acyclic, where
//! `scb = po ∪ po≠loc;hb;po≠loc ∪ hb|loc ∪ co ∪ fr` and
//! `psc = ([Esc] ∪ [Fsc];hb?);scb;([Esc] ∪ hb?;[Fsc]) ∪ [Fsc];(hb ∪ hb;eco;hb);[Fsc]`; spawn and join count as po there.
//!
//! m(e) is the last write that happens before e, or that something reads which happens before e. Clocks do not tell psc: a
//! choice that is not maximal, in a graph with two seq_cst events or more, is held against the axioms. (A maximal one
//! never goes against them.)

use super::{Asker, Model};
use crate::graph::{Event, EventId, Graph, Label};
use crate::hb::{HappensBefore, synchronises};
use crate::relation::{Relation, Relations};
use model::Order;

/// See the head of this file.
pub(super) struct Rc11;

/// The order of an event as the model takes it.
type Reading = fn(usize, &Relations) -> Option<Order>;

/// The axioms, with orders read in this way.
pub(super) fn allows(r: &Relations, order: Reading) -> bool {
    let n = r.len();
    let hb = happens_before(r, order);
    let eco = Relation::union(&[&r.rf, &r.co, &r.fr]).closure();
    let coherent = hb.is_irreflexive() && eco.is_irreflexive() && hb.then(&eco).is_irreflexive();
    let is_sc = |a: usize| order(a, r) == Some(Order::SeqCst);
    coherent && ((0..n).filter(|&a| is_sc(a)).count() < 2 || psc(r, &hb, &eco, is_sc).is_acyclic())
}

fn happens_before(r: &Relations, order: Reading) -> Relation {
    let n = r.len();
    let order = |a: usize| order(a, r);
    let is_fence = |a: usize| r.nodes[a].event.is_some_and(|event| event.label == Label::Fence);
    let is_atomic = |a: usize| order(a).is_some_and(|order| order != Order::Plain);
    let releases = |a: usize| order(a).is_some_and(Order::releases);
    let acquires = |a: usize| order(a).is_some_and(Order::acquires);
    let identity = Relation::of(n, |a, b| a == b);
    let is_write = |a: usize| r.nodes[a].is_write() && is_atomic(a);
    let is_read = |a: usize| r.nodes[a].is_read() && is_atomic(a);
    let sequence = r.rf.then(&r.rmw).closure().reflexive().between(is_write, |_| true);
    let releasing = Relation::union(&[
        &identity.between(|a| is_write(a) && releases(a), |_| true),
        &r.po.between(|a| is_fence(a) && releases(a), is_write),
    ]);
    let acquiring = Relation::union(&[
        &identity.between(|a| is_read(a) && acquires(a), |_| true),
        &r.po.between(is_read, |a| is_fence(a) && acquires(a)),
    ]);
    let sw = releasing.then(&sequence).then(&r.rf.between(|_| true, is_read)).then(&acquiring);
    let causes = r.causes.between(|_| true, |b| r.nodes[b].event.is_some_and(|event| synchronises(&event)));
    Relation::union(&[&r.po, &causes, &sw]).closure()
}

fn psc(r: &Relations, hb: &Relation, eco: &Relation, is_sc: impl Fn(usize) -> bool + Copy) -> Relation {
    let n = r.len();
    let is_fence = |a: usize| is_sc(a) && r.nodes[a].event.is_some_and(|event| event.label == Label::Fence);
    let po = Relation::union(&[&r.po, &r.causes]).closure();
    let local = r.same_location(&po);
    let other = po.filter(|a, b| !local.has(a, b));
    let through = other.then(hb).then(&other);
    let scb = Relation::union(&[&po, &through, &r.same_location(hb), &r.co, &r.fr]);
    let identity = Relation::of(n, |a, b| a == b && is_sc(a));
    let near = hb.reflexive();
    let left = Relation::union(&[&identity, &near.between(is_fence, |_| true)]);
    let right = Relation::union(&[&identity, &near.between(|_| true, is_fence)]);
    let fences = Relation::union(&[hb, &hb.then(eco).then(hb)]).between(is_fence, is_fence);
    Relation::union(&[&left.then(&scb).then(&right), &fences])
}

/// The rank of the last write that happens before the asker, or that is read by what does.
pub(super) fn floor(g: &Graph, hb: &HappensBefore, asker: Asker) -> usize {
    let clock = hb.before(g, asker.thread, asker.index);
    let object = asker.object;
    let is_before = |e: EventId| g.is_in(e, clock);
    let is_seen =
        |&w: &EventId| is_before(w) || g.readers(object, w).any(|r| g.event(r).label == Label::Read && is_before(r));
    g.co(object).iter().rposition(is_seen).map_or(0, |place| place + 1)
}

impl Model for Rc11 {
    fn allows(&self, r: &Relations) -> bool {
        allows(r, |a, r| r.nodes[a].event.map(|event| event.order))
    }

    fn needs_happens_before(&self) -> bool {
        true
    }

    fn floor(&mut self, g: &Graph, hb: &HappensBefore, asker: Asker) -> usize {
        floor(g, hb, asker)
    }

    fn needs_axioms(&self, g: &Graph, added: &[Event]) -> bool {
        let is_sc = |event: &&Event| event.order == Order::SeqCst && event.label != Label::Ghost;
        g.events().iter().chain(added).filter(is_sc).nth(1).is_some()
    }

    /// Where every access is seq_cst, psc is `(po ∪ rf ∪ co ∪ fr)⁺`: reads-from synchronises, and is in `hb|loc`.
    fn is_sequential(&self, g: &Graph) -> bool {
        let is_access = |event: &&Event| event.is_read() || event.is_write();
        g.events().iter().filter(is_access).all(|event| event.order == Order::SeqCst)
    }
}
