//! Relations on the events of a graph, as bit matrices: what axioms are written in. Slow and simple.

use crate::graph::{Event, EventId, Graph, Label, NONE};
use model::{ObjectId, ThreadId};

/// A relation on numbers below `n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    n: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    pub(crate) fn empty(n: usize) -> Self {
        let words = n.div_ceil(64).max(1);
        Relation { n, words, bits: vec![0; n * words] }
    }

    /// The pairs for which `holds`.
    pub(crate) fn of(n: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let mut relation = Relation::empty(n);
        for a in 0..n {
            (0..n).filter(|&b| holds(a, b)).for_each(|b| relation.add(a, b));
        }
        relation
    }

    pub(crate) fn add(&mut self, a: usize, b: usize) {
        self.bits[a * self.words + b / 64] |= 1 << (b % 64);
    }

    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        self.bits[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.bits[a * self.words..][..self.words]
    }

    fn join(&mut self, a: usize, row: &[u64]) {
        self.bits[a * self.words..][..self.words].iter_mut().zip(row).for_each(|(to, from)| *to |= from);
    }

    /// In any of them.
    pub(crate) fn union(relations: &[&Relation]) -> Self {
        let mut all = relations[0].clone();
        for other in &relations[1..] {
            all.bits.iter_mut().zip(&other.bits).for_each(|(to, from)| *to |= from);
        }
        all
    }

    /// One after the other.
    pub(crate) fn then(&self, other: &Relation) -> Self {
        let mut composed = Relation::empty(self.n);
        for a in 0..self.n {
            for b in (0..self.n).filter(|&b| self.has(a, b)) {
                composed.join(a, other.row(b));
            }
        }
        composed
    }

    /// Once or more.
    pub(crate) fn closure(&self) -> Self {
        let mut closed = self.clone();
        for middle in 0..self.n {
            let row = closed.row(middle).to_vec();
            for a in (0..self.n).filter(|&a| a != middle) {
                if closed.has(a, middle) {
                    closed.join(a, &row);
                }
            }
        }
        closed
    }

    /// Or equal.
    pub(crate) fn reflexive(&self) -> Self {
        let mut relation = self.clone();
        (0..self.n).for_each(|a| relation.add(a, a));
        relation
    }

    /// From where the first holds to where the second does.
    pub(crate) fn between(&self, from: impl Fn(usize) -> bool, to: impl Fn(usize) -> bool) -> Self {
        Relation::of(self.n, |a, b| self.has(a, b) && from(a) && to(b))
    }

    pub(crate) fn filter(&self, holds: impl Fn(usize, usize) -> bool) -> Self {
        Relation::of(self.n, |a, b| self.has(a, b) && holds(a, b))
    }

    pub(crate) fn is_irreflexive(&self) -> bool {
        (0..self.n).all(|a| !self.has(a, a))
    }

    pub(crate) fn is_acyclic(&self) -> bool {
        self.closure().is_irreflexive()
    }
}

/// An event as axioms see it: the initial writes are events too, ghosts are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Its event, but for an initial write.
    pub(crate) event: Option<Event>,
    object: ObjectId,
    id: EventId,
}

impl Node {
    pub(crate) fn is_read(&self) -> bool {
        self.event.is_some_and(|event| event.is_read())
    }

    pub(crate) fn is_write(&self) -> bool {
        self.event.is_none_or(|event| event.is_write())
    }

    pub(crate) fn thread(&self) -> Option<ThreadId> {
        self.event.map(|event| event.thread)
    }

    fn location(&self) -> Option<ObjectId> {
        (self.is_read() || self.is_write()).then_some(self.object)
    }
}

/// The relations of a graph.
pub(crate) struct Relations {
    pub(crate) nodes: Vec<Node>,
    /// Program order; initial writes are before everything.
    pub(crate) po: Relation,
    /// Spawn to every event of the child, every event of a child to its join, other causes.
    pub(crate) causes: Relation,
    pub(crate) rf: Relation,
    pub(crate) co: Relation,
    pub(crate) fr: Relation,
    /// The read of an update to its write.
    pub(crate) rmw: Relation,
}

impl Relations {
    pub(crate) fn of(g: &Graph) -> Self {
        // Of what nobody touches, nothing can be said.
        let mut touched = vec![false; g.object_count()];
        for event in g.events() {
            touched.get_mut(event.object().index()).into_iter().for_each(|seen| *seen = true);
        }
        let initial = (0..).zip(&touched).filter(|(_, seen)| **seen);
        let initial = initial.map(|(o, _)| Node { event: None, object: ObjectId(o), id: NONE });
        let events = (0..).zip(g.events()).filter(|(_, event)| event.label != Label::Ghost);
        let nodes: Vec<Node> =
            initial.chain(events.map(|(id, event)| Node { event: Some(*event), object: event.object(), id })).collect();
        let n = nodes.len();
        let at = |a: usize| nodes[a].event;
        let po = Relation::of(n, |a, b| match (at(a), at(b)) {
            (None, Some(_)) => true,
            (Some(a), Some(b)) => a.thread == b.thread && a.index < b.index,
            _ => false,
        });
        let causes = Relation::of(n, |a, b| match (at(a), at(b)) {
            (Some(first), Some(second)) => {
                first.label == Label::Spawn(second.thread)
                    || second.label == Label::Join(first.thread)
                    || second.cause == nodes[a].id
            }
            _ => false,
        });
        let is_source = |a: usize, b: usize| {
            let Some(read) = at(b).filter(|event| event.is_read()) else { return false };
            nodes[a].is_write() && nodes[a].object == nodes[b].object && read.source == nodes[a].id
        };
        let rf = Relation::of(n, is_source);
        let rank = |a: usize| at(a).map_or(0, |event| event.place as usize + 1);
        let are_writes =
            |a: usize, b: usize| nodes[a].is_write() && nodes[b].is_write() && nodes[a].object == nodes[b].object;
        let co = Relation::of(n, |a, b| are_writes(a, b) && rank(a) < rank(b));
        let mut fr = Relation::empty(n);
        for w in 0..n {
            (0..n).filter(|&r| rf.has(w, r)).for_each(|r| fr.join(r, co.row(w)));
        }
        let rmw = Relation::of(n, |a, b| match (at(a), at(b)) {
            (Some(a), Some(b)) => {
                a.is_read() && b.is_write() && b.update && a.thread == b.thread && a.index + 1 == b.index
            }
            _ => false,
        });
        Relations { nodes, po, causes, rf, co, fr, rmw }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Of a relation, the pairs on one location.
    pub(crate) fn same_location(&self, relation: &Relation) -> Relation {
        let location = |a: usize| self.nodes[a].location();
        relation.filter(|a, b| location(a).is_some() && location(a) == location(b))
    }

    /// What all models ask for: program order and reads-from do not go round, and nothing is between the parts of an update.
    pub(crate) fn are_sane(&self) -> bool {
        let between = self.fr.then(&self.co);
        let split = (0..self.len()).any(|r| (0..self.len()).any(|w| self.rmw.has(r, w) && between.has(r, w)));
        !split && Relation::union(&[&self.po, &self.causes, &self.rf]).is_acyclic() && self.updates_follow()
    }

    /// The write of an update is after what its read reads.
    fn updates_follow(&self) -> bool {
        let n = self.len();
        (0..n).all(|r| (0..n).all(|w| !self.rmw.has(r, w) || self.fr.has(r, w)))
    }
}
