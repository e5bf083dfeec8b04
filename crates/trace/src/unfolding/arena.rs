//! The arena of events, in which equal events are one.

use super::clocks::Clocks;
use super::configuration::Walk;
use super::cutoff::{Cutoffs, UNKNOWN};
use super::followers::{Followers, Groups};
use super::hints::Hints;
use super::naming::Draft;
use super::slot::{AfterWrite, Slot};
use crate::dependence::{Footprint, Mode};
use model::{Choice, Op};

/// An event of the unfolding. Its number is given to another one when the event is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub(super) u32);

impl Node {
    /// No event.
    pub(super) const NONE: Node = Node(u32::MAX);

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is seldom asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Details {
    pub(super) op: Op,
    /// The state that it leads to, and how many events do so.
    pub(super) state: u32,
    pub(super) size: u32,
}

/// U: see the head of `unfolding.rs`.
#[derive(Debug)]
pub struct Unfolding {
    pub(super) slots: Vec<Slot>,
    pub(super) details: Vec<Details>,
    /// For each event, its place in C, or the one that it had before it came into D: the lower, the longer it stays there. One that
    /// is in neither, and has [`u32::MAX`], is an event that an alternative adds to C.
    pub(super) places: Vec<u32>,
    pub(super) free: Vec<Node>,
    clocks: Clocks,
    /// Heads of chains, a power of two of them.
    buckets: Vec<Node>,
    /// The events of each object that no write came before.
    pub(super) roots: Vec<Followers>,
    pub(super) groups: Groups,
    pub(super) draft: Draft,
    /// What was made since [`Unfolding::release_unneeded`] was last called.
    pub(super) fresh: Vec<Node>,
    made: u64,
    most_live: usize,
    pub(super) forgets: bool,
    /// Reused.
    pub(super) walk: Walk,
    pub(super) hints: Hints,
    pub(super) releasing: Vec<Node>,
    pub(super) cutoffs: Cutoffs,
}

/// Where a table starts.
const BUCKETS: usize = 1 << 10;

impl Unfolding {
    /// No event. One that forgets frees what nothing needs.
    pub fn new(forgets: bool) -> Self {
        Unfolding {
            slots: Vec::new(),
            details: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            clocks: Clocks::default(),
            buckets: vec![Node::NONE; BUCKETS],
            roots: Vec::new(),
            groups: Groups::default(),
            draft: Draft::default(),
            fresh: Vec::new(),
            made: 0,
            most_live: 0,
            forgets,
            walk: Walk::default(),
            hints: Hints::default(),
            releasing: Vec::new(),
            cutoffs: Cutoffs::default(),
        }
    }

    /// How many events were made. One that was forgotten and made again counts again.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// How many events there are.
    pub fn live(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The most events that there were at one time.
    pub fn most_live(&self) -> usize {
        self.most_live
    }

    pub(super) fn is_live(&self, node: Node) -> bool {
        self.slot(node).is_live()
    }

    #[inline]
    pub(super) fn slot(&self, node: Node) -> &Slot {
        &self.slots[node.index()]
    }

    #[inline]
    pub(super) fn slot_mut(&mut self, node: Node) -> &mut Slot {
        &mut self.slots[node.index()]
    }

    /// The step that an event is.
    #[inline]
    pub fn choice(&self, node: Node) -> Choice {
        self.slot(node).choice
    }

    /// What an event touches.
    #[inline]
    pub fn footprint(&self, node: Node) -> Footprint {
        self.slot(node).footprint
    }

    /// What was asked for.
    pub fn op(&self, node: Node) -> Op {
        self.details[node.index()].op
    }

    /// Whether `earlier` happens before `node`, where both belong to one configuration.
    #[inline]
    pub(super) fn is_below(&self, earlier: Node, node: Node) -> bool {
        let Slot { choice, index, .. } = self.slot(earlier);
        self.clocks.row(node.index()).get(choice.thread.index()).is_some_and(|steps| steps >= index)
    }

    /// How many events of each thread are in the history of an event, itself included.
    pub(super) fn clock(&self, node: Node) -> &[u32] {
        self.clocks.row(node.index())
    }

    /// The event of the draft, by this alternative: the one there is, or a new one.
    pub(super) fn intern(&mut self, alternative: u32) -> Node {
        let Draft { choice, footprint, ref causes, .. } = self.draft;
        let choice = Choice { alternative, ..choice };
        let hash = hash_of(choice, causes);
        let found = self.find(choice, footprint, causes, hash);
        found.unwrap_or_else(|| self.make(choice, hash))
    }

    /// The event that has this name.
    pub(super) fn find(&self, choice: Choice, footprint: Footprint, causes: &[Node], hash: u64) -> Option<Node> {
        self.find_hashed(hash, |slot| slot.choice == choice && *slot.causes == *causes && slot.footprint == footprint)
    }

    /// The event that has the name of another one, but without the cause at this place.
    pub(super) fn find_without(&self, slot: &Slot, place: usize) -> Option<Node> {
        let (before, after) = (&slot.causes[..place], &slot.causes[place + 1..]);
        let hash = slot.hash.wrapping_sub(mixed(!u64::from(slot.causes[place].0)));
        self.find_hashed(hash, |other| {
            other.choice == slot.choice
                && other.causes.len() + 1 == slot.causes.len()
                && other.causes[..place] == *before
                && other.causes[place..] == *after
                && other.footprint == slot.footprint
        })
    }

    #[inline]
    fn find_hashed(&self, hash: u64, is_meant: impl Fn(&Slot) -> bool) -> Option<Node> {
        let mut node = self.buckets[self.bucket(hash)];
        while node != Node::NONE {
            let slot = self.slot(node);
            if slot.hash == hash && is_meant(slot) {
                return Some(node);
            }
            node = slot.next_in_bucket;
        }
        None
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash ^ hash >> 32) as usize & (self.buckets.len() - 1)
    }

    fn make(&mut self, choice: Choice, hash: u64) -> Node {
        let node = self.free.pop().unwrap_or(Node(self.slots.len() as u32));
        let (draft, made) = (&self.draft, self.made);
        let details = Details { op: draft.op, state: UNKNOWN, size: 0 };
        // Nobody asks for those of an event without siblings that may be forgotten.
        let has_details = !self.forgets || draft.alternatives > 1 || self.cutoffs.unknown.is_some();
        if node.index() == self.slots.len() {
            self.slots.push(Slot::empty());
            self.details.push(details);
            self.places.push(u32::MAX);
        }
        if has_details {
            self.details[node.index()] = details;
        }
        let slot = &mut self.slots[node.index()];
        slot.choice = choice;
        slot.index = draft.index;
        slot.footprint = draft.footprint;
        slot.alternatives = draft.alternatives;
        slot.made = made;
        slot.causes.set(&draft.causes);
        slot.write = draft.write;
        slot.set_segment(&draft.segment);
        slot.after_write = draft.after_write();
        (slot.children, slot.in_c, slot.in_d) = (0, false, false);
        slot.hash = hash;
        self.hints.make(node);
        self.clocks.keep(node.index(), &draft.clock);
        for cause in draft.causes.iter().filter(|&&cause| cause != Node::NONE) {
            self.slots[cause.index()].children += 1;
        }
        self.follow(node);
        self.made += 1;
        self.most_live = self.most_live.max(self.live());
        if self.live() * 2 > self.buckets.len() {
            self.grow_table();
        }
        self.chain(node);
        if self.forgets {
            self.fresh.push(node);
        }
        if let Some(unknown) = &mut self.cutoffs.unknown {
            unknown.push(node);
        }
        node
    }

    fn chain(&mut self, node: Node) {
        let bucket = self.bucket(self.slot(node).hash);
        let next = std::mem::replace(&mut self.buckets[bucket], node);
        self.slot_mut(node).next_in_bucket = next;
    }

    pub(super) fn unchain(&mut self, node: Node) {
        let Slot { hash, next_in_bucket, .. } = *self.slot(node);
        let bucket = self.bucket(hash);
        let mut at = self.buckets[bucket];
        if at == node {
            self.buckets[bucket] = next_in_bucket;
            return;
        }
        while self.slot(at).next_in_bucket != node {
            at = self.slot(at).next_in_bucket;
        }
        self.slot_mut(at).next_in_bucket = next_in_bucket;
    }

    #[cold]
    fn grow_table(&mut self) {
        let len = self.buckets.len() * 2;
        self.buckets.clear();
        self.buckets.resize(len, Node::NONE);
        for node in (0..self.slots.len() as u32).map(Node) {
            // The newest is live and not in a chain yet: its maker puts it into one.
            if self.slot(node).is_live() && self.slot(node).made + 1 < self.made {
                self.chain(node);
            }
        }
    }

    /// The same step by another alternative, if it is there.
    pub(super) fn sibling(&self, slot: &Slot, alternative: u32) -> Option<Node> {
        let choice = Choice { alternative, ..slot.choice };
        self.find(choice, slot.footprint, &slot.causes, hash_of(choice, &slot.causes))
    }

    /// All siblings of an event by other alternatives, as far as they are not there.
    pub(super) fn make_siblings(&mut self, node: Node) {
        if self.slot(node).alternatives <= 1 {
            return;
        }
        let mut draft = std::mem::take(&mut self.draft);
        draft.copy(self.slot(node), self.op(node), self.clock(node));
        self.draft = draft;
        for alternative in 0..self.slot(node).alternatives {
            self.intern(alternative);
        }
    }

    /// `d #ᵢ f`, for two events with the same last write, or two siblings: they depend on each other, and each has below it
    /// what the other has below it of what it conflicts with itself.
    pub fn are_rivals(&self, d: Node, f: Node) -> bool {
        let (slot, other) = (self.slot(d), self.slot(f));
        if slot.choice.thread == other.choice.thread {
            return slot.choice.alternative != other.choice.alternative && *slot.causes == *other.causes;
        }
        let [mine, theirs] = [slot.footprint.mode, other.footprint.mode];
        mine.conflicts(theirs) && self.has_below(other, d, slot) && self.has_below(slot, f, other)
    }

    /// Whether all of another's segment that `node` conflicts with is in its own segment, and `node` not in the other one.
    fn has_below(&self, other: &Slot, node: Node, own: &Slot) -> bool {
        if other.after_write == AfterWrite::Nothing {
            return true;
        }
        let segment = other.segment();
        if segment.binary_search(&node).is_ok() {
            return false;
        }
        match own.footprint.mode {
            Mode::Read | Mode::Peek if other.after_write == AfterWrite::Reads => true,
            Mode::Write => is_within(segment, own.segment()),
            mode => {
                let is_own = |g: &Node| own.segment().binary_search(g).is_ok();
                segment.iter().all(|g| !self.slot(*g).footprint.mode.conflicts(mode) || is_own(g))
            }
        }
    }
}

/// Whether all events of one ascending list are in another.
fn is_within(some: &[Node], all: &[Node]) -> bool {
    let mut all = all.iter();
    some.len() <= all.len() && some.iter().all(|g| all.find(|other| *other >= g) == Some(g))
}

/// Of what names an event: a sum, so that it is known at once for an event with one cause less.
#[inline]
pub(super) fn hash_of(choice: Choice, causes: &[Node]) -> u64 {
    let step = u64::from(choice.thread.0) << 32 | u64::from(choice.alternative);
    causes.iter().fold(mixed(step), |sum, &cause| sum.wrapping_add(mixed(!u64::from(cause.0))))
}

#[inline]
fn mixed(word: u64) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = word.wrapping_add(1).wrapping_mul(FACTOR);
    (product ^ product >> 32).wrapping_mul(FACTOR)
}
