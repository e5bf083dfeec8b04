//! The arena of events, in which equal events are one.

use super::cutoff::{Cutoffs, UNKNOWN};
use super::naming::Draft;
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

/// What is known of an event.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) choice: Choice,
    /// Position among the events of its thread, from 1.
    pub(super) index: u32,
    pub(super) op: Op,
    pub(super) footprint: Footprint,
    /// How many alternatives its step has.
    pub(super) alternatives: u32,
    /// Position among all events that were ever made: causes come before what they cause.
    pub(super) made: u64,
    /// The event before it in its thread (for a first event, the spawn), then the other maximal events of its history, in
    /// the order of their numbers. The first is [`Node::NONE`] where there is none.
    pub(super) causes: Vec<Node>,
    /// The last write of its object in its history.
    pub(super) write: Node,
    /// The events of its object in its history after that write, ascending.
    pub(super) segment: Vec<Node>,
    /// The state that it leads to, and how many events do so.
    pub(super) state: u32,
    pub(super) size: u32,
    /// Why it could not be added to C when that was last tried.
    obstacle: Obstacle,
    /// An event of C or D that was in immediate conflict with it, with the number by which it was made.
    keeper: (Node, u64),
    /// How many events have it among their causes.
    children: u32,
    pub(super) in_c: bool,
    pub(super) in_d: bool,
    is_live: bool,
    /// Whether the walk of this number has seen it.
    pub(super) seen: u64,
    hash: u64,
    next_in_bucket: Node,
    /// Its neighbours among the followers of the same write.
    next: Node,
    previous: Node,
    followers: Followers,
}

/// What is in the way of an event: as long as it is, the event need not be tried again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    node: Node,
    /// The number by which it was made: another event may have its place by now.
    made: u64,
    /// Whether it is in the history of the event and in the way if in D; or else in conflict with it and in the way if in C.
    is_done: bool,
}

impl Obstacle {
    const NONE: Obstacle = Obstacle { node: Node::NONE, made: 0, is_done: false };
}

/// Events whose last write is the same, in the order in which they were made.
#[derive(Clone, Copy, Debug)]
struct Followers {
    first: Node,
    last: Node,
}

impl Followers {
    const NONE: Followers = Followers { first: Node::NONE, last: Node::NONE };
}

/// U: see the head of `unfolding.rs`.
#[derive(Debug)]
pub struct Unfolding {
    pub(super) slots: Vec<Slot>,
    free: Vec<Node>,
    /// One row of `width` entries for each slot.
    clocks: Vec<u32>,
    width: usize,
    /// Heads of chains, a power of two of them.
    buckets: Vec<Node>,
    /// The events of each object that no write came before.
    roots: Vec<Followers>,
    pub(super) draft: Draft,
    /// What was made since [`Unfolding::release_unneeded`] was last called.
    fresh: Vec<Node>,
    made: u64,
    most_live: usize,
    walks: u64,
    forgets: bool,
    pub(super) walk: Vec<Node>,
    releasing: Vec<Node>,
    pub(super) cutoffs: Cutoffs,
}

/// Where a table starts.
const BUCKETS: usize = 1 << 10;

impl Unfolding {
    /// No event. One that forgets frees what nothing needs.
    pub fn new(forgets: bool) -> Self {
        Unfolding {
            slots: Vec::new(),
            free: Vec::new(),
            clocks: Vec::new(),
            width: 0,
            buckets: vec![Node::NONE; BUCKETS],
            roots: Vec::new(),
            draft: Draft::default(),
            fresh: Vec::new(),
            made: 0,
            most_live: 0,
            walks: 0,
            forgets,
            walk: Vec::new(),
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
        self.slot(node).is_live
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
        self.slot(node).op
    }

    /// Whether another event can be in conflict with it although both have their histories in common: it touches an
    /// object, or is a choice.
    #[inline]
    pub fn has_rivals(&self, node: Node) -> bool {
        self.slot(node).footprint.touches() || self.slot(node).alternatives > 1
    }

    /// Whether `earlier` happens before `node`, where both belong to one configuration.
    #[inline]
    pub(super) fn is_below(&self, earlier: Node, node: Node) -> bool {
        let Slot { choice, index, .. } = self.slot(earlier);
        self.clocks.get(node.index() * self.width + choice.thread.index()).is_some_and(|steps| steps >= index)
    }

    /// How many events of each thread are in the history of an event, itself included.
    pub(super) fn clock(&self, node: Node) -> &[u32] {
        &self.clocks[node.index() * self.width..][..self.width]
    }

    /// A number that no walk over events has had yet.
    pub(super) fn begin_walk(&mut self) -> u64 {
        self.walks += 1;
        self.walks
    }

    /// The event of the draft, by this alternative: the one there is, or a new one.
    pub(super) fn intern(&mut self, alternative: u32) -> Node {
        let draft = std::mem::take(&mut self.draft);
        let choice = Choice { alternative, ..draft.choice };
        let hash = hash_of(choice, &draft.causes);
        let found = self.find(choice, draft.footprint, &draft.causes, hash);
        let node = found.unwrap_or_else(|| self.make(&draft, choice, hash));
        self.draft = draft;
        node
    }

    /// The event that has this name.
    fn find(&self, choice: Choice, footprint: Footprint, causes: &[Node], hash: u64) -> Option<Node> {
        let mut node = self.buckets[hash as usize & (self.buckets.len() - 1)];
        while node != Node::NONE {
            let slot = self.slot(node);
            let is_same = slot.hash == hash && slot.choice == choice && slot.footprint == footprint;
            if is_same && slot.causes == causes {
                return Some(node);
            }
            node = slot.next_in_bucket;
        }
        None
    }

    fn make(&mut self, draft: &Draft, choice: Choice, hash: u64) -> Node {
        let node = self.free.pop().unwrap_or(Node(self.slots.len() as u32));
        if node.index() == self.slots.len() {
            self.slots.push(Slot::empty());
        }
        let made = self.made;
        let slot = &mut self.slots[node.index()];
        slot.choice = choice;
        slot.index = draft.index;
        slot.op = draft.op;
        slot.footprint = draft.footprint;
        slot.alternatives = draft.alternatives;
        slot.made = made;
        slot.causes.clone_from(&draft.causes);
        slot.write = draft.write;
        slot.segment.clone_from(&draft.segment);
        (slot.children, slot.in_c, slot.in_d, slot.is_live) = (0, false, false, true);
        (slot.hash, slot.state) = (hash, UNKNOWN);
        (slot.obstacle, slot.keeper) = (Obstacle::NONE, (Node::NONE, 0));
        slot.followers = Followers::NONE;
        self.keep_clock(node, &draft.clock);
        for &cause in draft.causes.iter().filter(|&&cause| cause != Node::NONE) {
            self.slot_mut(cause).children += 1;
        }
        self.follow(node);
        self.made += 1;
        self.most_live = self.most_live.max(self.live());
        if self.live() > self.buckets.len() {
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

    fn keep_clock(&mut self, node: Node, clock: &[u32]) {
        if clock.len() > self.width {
            self.widen(clock.len());
        }
        let (start, width) = (node.index() * self.width, self.width);
        if self.clocks.len() < start + width {
            self.clocks.resize(start + width, 0);
        }
        let row = &mut self.clocks[start..start + width];
        row[..clock.len()].copy_from_slice(clock);
        row[clock.len()..].fill(0);
    }

    #[cold]
    fn widen(&mut self, width: usize) {
        let rows = self.clocks.len().checked_div(self.width).unwrap_or(0);
        let mut clocks = Vec::with_capacity(rows * width);
        for row in 0..rows {
            clocks.extend_from_slice(&self.clocks[row * self.width..][..self.width]);
            clocks.resize((row + 1) * width, 0);
        }
        (self.clocks, self.width) = (clocks, width);
    }

    fn chain(&mut self, node: Node) {
        let bucket = self.slot(node).hash as usize & (self.buckets.len() - 1);
        let next = std::mem::replace(&mut self.buckets[bucket], node);
        self.slot_mut(node).next_in_bucket = next;
    }

    fn unchain(&mut self, node: Node) {
        let Slot { hash, next_in_bucket, .. } = *self.slot(node);
        let bucket = hash as usize & (self.buckets.len() - 1);
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
            if self.slot(node).is_live && self.slot(node).made + 1 < self.made {
                self.chain(node);
            }
        }
    }

    /// The followers among which an event is.
    fn followers_mut(&mut self, node: Node) -> &mut Followers {
        let Slot { write, footprint, .. } = *self.slot(node);
        if write != Node::NONE {
            return &mut self.slot_mut(write).followers;
        }
        let object = footprint.object.index();
        if self.roots.len() <= object {
            self.roots.resize(object + 1, Followers::NONE);
        }
        &mut self.roots[object]
    }

    fn follow(&mut self, node: Node) {
        if !self.slot(node).footprint.touches() {
            return;
        }
        let followers = self.followers_mut(node);
        let previous = std::mem::replace(&mut followers.last, node);
        if previous == Node::NONE {
            followers.first = node;
        } else {
            self.slot_mut(previous).next = node;
        }
        let slot = self.slot_mut(node);
        (slot.previous, slot.next) = (previous, Node::NONE);
    }

    fn unfollow(&mut self, node: Node) {
        let Slot { next, previous, footprint, .. } = *self.slot(node);
        if !footprint.touches() {
            return;
        }
        if next != Node::NONE {
            self.slot_mut(next).previous = previous;
        }
        if previous != Node::NONE {
            self.slot_mut(previous).next = next;
        }
        let followers = self.followers_mut(node);
        if followers.first == node {
            followers.first = next;
        }
        if followers.last == node {
            followers.last = previous;
        }
    }

    /// `node` could not be added because of `obstacle`, which is in its history and in D, or else in conflict with it.
    pub(super) fn note_obstacle(&mut self, node: Node, obstacle: Node, is_done: bool) {
        let Slot { made, in_c, .. } = *self.slot(obstacle);
        // What an alternative adds to C is not there for long.
        if is_done || in_c {
            self.slot_mut(node).obstacle = Obstacle { node: obstacle, made, is_done };
        }
    }

    /// Whether what was in the way of an event still is.
    #[inline]
    pub(super) fn is_hindered(&self, node: Node) -> bool {
        let Obstacle { node: obstacle, made, is_done } = self.slot(node).obstacle;
        self.slots
            .get(obstacle.index())
            .is_some_and(|slot| slot.made == made && if is_done { slot.in_d } else { slot.in_c })
    }

    /// Whether the event of C or D that was in immediate conflict with `node` is still there.
    #[inline]
    fn has_keeper(&self, node: Node) -> bool {
        let (keeper, made) = self.slot(node).keeper;
        self.slots.get(keeper.index()).is_some_and(|slot| slot.made == made && (slot.in_c || slot.in_d))
    }

    /// The first event that may be in immediate conflict with `node`, in the order in which they were made.
    #[inline]
    pub(super) fn first_rival(&self, node: Node) -> Node {
        let slot = self.slot(node);
        if !slot.footprint.touches() {
            return self.sibling_from(node, 0);
        }
        match slot.write {
            Node::NONE => self.roots.get(slot.footprint.object.index()).map_or(Node::NONE, |roots| roots.first),
            write => self.slot(write).followers.first,
        }
    }

    /// The one after `rival`.
    #[inline]
    pub(super) fn next_rival(&self, node: Node, rival: Node) -> Node {
        if self.slot(node).footprint.touches() {
            return self.slot(rival).next;
        }
        self.sibling_from(node, self.slot(rival).choice.alternative + 1)
    }

    /// The first sibling of a choice from this alternative on.
    fn sibling_from(&self, node: Node, alternative: u32) -> Node {
        let slot = self.slot(node);
        let siblings = (alternative..slot.alternatives).map(|alternative| self.sibling(slot, alternative));
        siblings.flatten().next().unwrap_or(Node::NONE)
    }

    /// The same step by another alternative, if it is there.
    fn sibling(&self, slot: &Slot, alternative: u32) -> Option<Node> {
        let choice = Choice { alternative, ..slot.choice };
        self.find(choice, slot.footprint, &slot.causes, hash_of(choice, &slot.causes))
    }

    /// All siblings of an event by other alternatives, as far as they are not there.
    pub(super) fn make_siblings(&mut self, node: Node) {
        if self.slot(node).alternatives <= 1 {
            return;
        }
        let mut draft = std::mem::take(&mut self.draft);
        draft.copy(self.slot(node), self.clock(node));
        self.draft = draft;
        for alternative in 0..self.slot(node).alternatives {
            self.intern(alternative);
        }
    }

    /// The events in immediate conflict with `node`.
    pub fn rivals(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.followers(node).filter(move |&rival| self.are_rivals(node, rival))
    }

    /// The events with the same last write, or the siblings of a choice.
    fn followers(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut next = self.first_rival(node);
        std::iter::from_fn(move || {
            let rival = (next != Node::NONE).then_some(next)?;
            next = self.next_rival(node, rival);
            Some(rival)
        })
    }

    /// `d #ᵢ f`, for two events with the same last write, or two siblings: they depend on each other, and each has below it
    /// what the other has below it of what it conflicts with itself.
    pub fn are_rivals(&self, d: Node, f: Node) -> bool {
        let (slot, other) = (self.slot(d), self.slot(f));
        if slot.choice.thread == other.choice.thread {
            return slot.choice.alternative != other.choice.alternative && slot.causes == other.causes;
        }
        let [mine, theirs] = [slot.footprint.mode, other.footprint.mode];
        mine.conflicts(theirs)
            && self.has_below(&other.segment, d, &slot.segment)
            && self.has_below(&slot.segment, f, &other.segment)
    }

    /// Whether all of another's segment that `node` conflicts with is in its own segment, and `node` not in the other one.
    fn has_below(&self, segment: &[Node], node: Node, own: &[Node]) -> bool {
        let mode = self.slot(node).footprint.mode;
        segment
            .iter()
            .all(|&g| g != node && (!self.slot(g).footprint.mode.conflicts(mode) || own.binary_search(&g).is_ok()))
    }

    /// `node` comes into C: its siblings by other alternatives are made.
    pub fn enter(&mut self, node: Node) {
        self.slot_mut(node).in_c = true;
        self.make_siblings(node);
    }

    /// `node` leaves C.
    pub fn leave(&mut self, node: Node) {
        self.slot_mut(node).in_c = false;
    }

    /// `node` is no longer in C or D: it and its rivals are freed unless something else needs them.
    pub fn forget(&mut self, node: Node) {
        if !self.forgets {
            return;
        }
        let mut next = self.first_rival(node);
        while next != Node::NONE {
            // A rival that is freed takes no other follower of the same write with it: those do not happen before it
            // by a write, and what happens before it otherwise has been kept by it.
            let rival = next;
            next = self.next_rival(node, rival);
            let slot = self.slot(rival);
            let may_go = !slot.in_c && !slot.in_d && slot.children == 0 && !self.has_keeper(rival);
            if may_go && self.are_rivals(node, rival) {
                self.walk.push(rival);
            }
        }
        self.walk.push(node);
        while let Some(node) = self.walk.pop() {
            self.release(node);
        }
    }

    /// Frees what was made since the last call and is not needed.
    pub fn release_unneeded(&mut self) {
        let mut fresh = std::mem::take(&mut self.fresh);
        for node in fresh.drain(..) {
            self.release(node);
        }
        self.fresh = fresh;
    }

    /// Frees an event, and then its causes, unless it is in C or D, or in immediate conflict with one that is, or happens
    /// before an event that is there.
    pub(super) fn release(&mut self, node: Node) {
        self.releasing.push(node);
        while let Some(node) = self.releasing.pop() {
            let slot = self.slot(node);
            if !slot.is_live || slot.in_c || slot.in_d || slot.children > 0 || self.has_keeper(node) {
                continue;
            }
            let keeper = self.followers(node).find(|&rival| {
                let slot = self.slot(rival);
                (slot.in_c || slot.in_d) && self.are_rivals(node, rival)
            });
            if let Some(keeper) = keeper {
                self.slot_mut(node).keeper = (keeper, self.slot(keeper).made);
                continue;
            }
            self.unchain(node);
            self.unfollow(node);
            self.slot_mut(node).is_live = false;
            self.free.push(node);
            let causes = std::mem::take(&mut self.slot_mut(node).causes);
            for &cause in causes.iter().filter(|&&cause| cause != Node::NONE) {
                self.slot_mut(cause).children -= 1;
                self.releasing.push(cause);
            }
            self.slot_mut(node).causes = causes;
        }
    }
}

/// Of what names an event.
#[inline]
fn hash_of(choice: Choice, causes: &[Node]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let start = (u64::from(choice.thread.0) << 32 | u64::from(choice.alternative)).wrapping_mul(FACTOR);
    let mix = |hash: u64, cause: &Node| (hash.rotate_left(23) ^ u64::from(cause.0)).wrapping_mul(FACTOR);
    let hash = causes.iter().fold(start, mix);
    hash ^ hash >> 32
}

impl Slot {
    fn empty() -> Self {
        let draft = Draft::default();
        Slot {
            choice: draft.choice,
            index: 0,
            op: draft.op,
            footprint: Footprint::NONE,
            alternatives: 1,
            made: 0,
            causes: Vec::new(),
            write: Node::NONE,
            segment: Vec::new(),
            state: UNKNOWN,
            size: 0,
            obstacle: Obstacle::NONE,
            keeper: (Node::NONE, 0),
            children: 0,
            in_c: false,
            in_d: false,
            is_live: false,
            seen: 0,
            hash: 0,
            next_in_bucket: Node::NONE,
            next: Node::NONE,
            previous: Node::NONE,
            followers: Followers::NONE,
        }
    }

    /// Whether its mode is that of a write, which everything on the object depends on.
    #[inline]
    pub(super) fn is_write(&self) -> bool {
        self.footprint.mode == Mode::Write && self.footprint.touches()
    }
}
