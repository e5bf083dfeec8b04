//! A configuration that grows event by event and shrinks again: C, and C with what an alternative adds to it.

use super::arena::{Node, Unfolding};
use super::slot::Slot;
use crate::dependence::Mode;
use model::{Choice, ThreadId};

/// C: see the head of `unfolding.rs`.
#[derive(Debug, Default)]
pub struct Configuration {
    /// In the order in which they were added.
    nodes: Vec<Node>,
    /// The events of each thread.
    threads: Vec<Vec<Node>>,
    objects: Vec<Touched>,
    /// For each event of the unfolding, [`IN_C`] if it is in here, or else the last walk that saw it: asked more often than
    /// anything else.
    marks: Vec<u32>,
    walks: u32,
}

/// More than the number of any walk.
const IN_C: u32 = u32::MAX;

/// Why an event cannot be added: an event of its history that is in D, or one of C that it is in conflict with. None for a
/// cutoff.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle(pub(super) Node);

/// A walk through a history. Reused.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// What is missing, causes first.
    missing: Vec<Node>,
    /// Events of which causes are still to be looked at: how many, and the first obstacle so far.
    frames: Vec<(Node, u32, First)>,
}

/// The obstacle that stays longest, with its place.
#[derive(Clone, Copy, Debug)]
struct First {
    place: u32,
    obstacle: Node,
}

impl First {
    #[inline]
    fn at(other: Option<Node>, places: &[u32]) -> First {
        other.map_or(First { place: u32::MAX, obstacle: Node::NONE }, |other| First {
            place: places[other.index()],
            obstacle: other,
        })
    }

    #[inline]
    fn meet(&mut self, obstacle: Node, places: &[u32]) {
        self.join(First { place: places[obstacle.index()], obstacle });
    }

    #[inline]
    fn join(&mut self, other: First) {
        if other.place < self.place || self.obstacle == Node::NONE {
            *self = other;
        }
    }
}

/// The events of an object.
#[derive(Debug, Default)]
struct Touched {
    nodes: Vec<Touch>,
    /// Which of them are writes.
    writes: Vec<u32>,
    /// How many of them neither read nor write.
    others: u32,
}

impl Touched {
    /// The events after this write, which is one of them, or none.
    fn after(&self, write: Node) -> &[Touch] {
        let mut writes = self.writes.iter().rev().map(|&place| place as usize);
        let last = writes.find(|&place| self.nodes[place].node == write);
        &self.nodes[last.map_or(0, |place| place + 1)..]
    }

    /// The events after the last write that may be in conflict with one in this mode.
    fn after_write(&self, mode: Mode) -> &[Touch] {
        if mode == Mode::Read && self.others == 0 {
            return &[];
        }
        &self.nodes[self.writes.last().map_or(0, |&write| write as usize + 1)..]
    }
}

/// An event of an object, with what tells whether another one is in conflict with it.
#[derive(Clone, Copy, Debug)]
struct Touch {
    node: Node,
    mode: Mode,
    thread: ThreadId,
    index: u32,
}

impl Configuration {
    /// All events, each after those that happen before it.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many events it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no event.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether an event is in it.
    #[inline]
    pub(super) fn has(&self, node: Node) -> bool {
        self.marks.get(node.index()) == Some(&IN_C)
    }

    /// The last write of an event's object.
    #[inline]
    pub(super) fn last_write(&self, slot: &Slot) -> Node {
        let touched = self.objects.get(slot.footprint.object.index());
        let last = touched.and_then(|touched| Some(touched.nodes[*touched.writes.last()? as usize].node));
        last.unwrap_or(Node::NONE)
    }

    /// Adds an event whose history is there.
    pub fn push(&mut self, unfolding: &Unfolding, node: Node) {
        let slot = unfolding.slot(node);
        self.nodes.push(node);
        if self.marks.len() <= node.index() {
            self.marks.resize(unfolding.slots.len(), 0);
        }
        self.marks[node.index()] = IN_C;
        let thread = slot.choice.thread.index();
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        self.threads[thread].push(node);
        if slot.footprint.touches() {
            let object = slot.footprint.object.index();
            if self.objects.len() <= object {
                self.objects.resize_with(object + 1, Touched::default);
            }
            let touched = &mut self.objects[object];
            match slot.footprint.mode {
                Mode::Write => touched.writes.push(touched.nodes.len() as u32),
                Mode::Read => {}
                _ => touched.others += 1,
            }
            let Choice { thread, .. } = slot.choice;
            touched.nodes.push(Touch { node, mode: slot.footprint.mode, thread, index: slot.index });
        }
    }

    /// Takes the last event out.
    pub fn pop(&mut self, unfolding: &Unfolding) -> Option<Node> {
        let node = self.nodes.pop()?;
        self.marks[node.index()] = 0;
        let slot = unfolding.slot(node);
        self.threads[slot.choice.thread.index()].pop();
        if slot.footprint.touches() {
            let touched = &mut self.objects[slot.footprint.object.index()];
            touched.nodes.pop();
            match slot.footprint.mode {
                Mode::Write => _ = touched.writes.pop(),
                Mode::Read => {}
                _ => touched.others -= 1,
            }
        }
        Some(node)
    }

    /// Adds all of `[f]` that is missing. If one of it is done with (in D) or does not fit, nothing is added.
    pub(super) fn add(&mut self, unfolding: &mut Unfolding, f: Node) -> Result<(), Obstacle> {
        if let Some(other) = self.in_conflict_after_last_write(unfolding, f) {
            return Err(Obstacle(other));
        }
        let mut walk = std::mem::take(&mut unfolding.walk);
        let missing = self.find_missing(unfolding, f, &mut walk);
        let result = missing.and_then(|()| self.add_missing(unfolding, &walk.missing));
        unfolding.walk = walk;
        result
    }

    fn add_missing(&mut self, unfolding: &Unfolding, missing: &[Node]) -> Result<(), Obstacle> {
        let len = self.len();
        for &node in missing {
            if let Some(other) = self.in_conflict_with(unfolding, node) {
                self.shrink(unfolding, len);
                return Err(Obstacle(other));
            }
            self.push(unfolding, node);
        }
        Ok(())
    }

    /// What of `[f]` is missing, causes first, unless one of it is done with, cut off, or another event is in its place. The obstacle
    /// is the one that stays longest, and every event of the walk that has one gets it as its hint.
    fn find_missing(&mut self, unfolding: &mut Unfolding, f: Node, walk: &mut Walk) -> Result<(), Obstacle> {
        let number = self.begin_walk(unfolding);
        let has_cutoffs = unfolding.has_cutoffs();
        let Unfolding { slots, places, hints, .. } = unfolding;
        let Configuration { marks, threads, .. } = self;
        let own = slots[f.index()].obstacle;
        let known = if own == Node::NONE { hints.of(f) } else { Some(own) };
        if let Some(known) = known {
            return Err(Obstacle(known));
        }
        walk.missing.clear();
        walk.frames.clear();
        let mut node = f;
        let mut causes = slots[f.index()].causes.iter();
        let mut first = First::at(in_place_of(threads, &slots[f.index()]), places);
        loop {
            if let Some(&cause) = causes.next() {
                // There is no mark of no event.
                let Some(mark) = marks.get_mut(cause.index()) else { continue };
                if *mark == IN_C {
                    continue;
                }
                if let Some(known) = hints.of(cause) {
                    first.meet(known, places);
                    continue;
                }
                if *mark == number {
                    continue;
                }
                *mark = number;
                let slot = &slots[cause.index()];
                // Of an event of D it is itself.
                if slot.obstacle != Node::NONE {
                    first.meet(slot.obstacle, places);
                    continue;
                }
                walk.frames.push((node, causes.as_slice().len() as u32, first));
                node = cause;
                causes = slot.causes.iter();
                first = First::at(in_place_of(threads, slot), places);
                continue;
            }
            match first.obstacle {
                Node::NONE => walk.missing.push(node),
                _ if first.place == u32::MAX => {}
                obstacle => hints.set(node, obstacle),
            }
            let Some((parent, left, mut firsts)) = walk.frames.pop() else { break };
            if first.obstacle != Node::NONE {
                firsts.join(first);
            }
            let all = &slots[parent.index()].causes;
            (node, causes, first) = (parent, all[all.len() - left as usize..].iter(), firsts);
        }
        if has_cutoffs && walk.missing.iter().any(|&node| unfolding.is_cut_off(node)) {
            return Err(Obstacle(Node::NONE));
        }
        if first.obstacle == Node::NONE { Ok(()) } else { Err(Obstacle(first.obstacle)) }
    }

    /// A number that no walk over events has had yet.
    fn begin_walk(&mut self, unfolding: &Unfolding) -> u32 {
        if self.marks.len() < unfolding.slots.len() {
            self.marks.resize(unfolding.slots.len(), 0);
        }
        if self.walks == IN_C - 1 {
            self.walks = 0;
            self.marks.iter_mut().filter(|mark| **mark != IN_C).for_each(|mark| *mark = 0);
        }
        self.walks += 1;
        self.walks
    }

    /// An event that is there and in conflict with one of which all causes are there: the first such one of its object, which
    /// stays longest.
    fn in_conflict_with(&self, unfolding: &Unfolding, node: Node) -> Option<Node> {
        let slot = unfolding.slot(node);
        let in_place = in_place_of(&self.threads, slot);
        if in_place.is_some() || !slot.footprint.touches() {
            return in_place;
        }
        let touched = self.objects.get(slot.footprint.object.index())?;
        let is_last = self.last_write(slot) == slot.write;
        let others = if is_last { touched.after_write(slot.footprint.mode) } else { touched.after(slot.write) };
        first_in_conflict(others, slot, unfolding.clock(node))
    }

    /// The same among the events after the last write of its object, if that is the one that it follows: it is known without its
    /// history.
    fn in_conflict_after_last_write(&self, unfolding: &Unfolding, f: Node) -> Option<Node> {
        let slot = unfolding.slot(f);
        let touched = self.objects.get(slot.footprint.object.index())?;
        let others = touched.after_write(slot.footprint.mode);
        if others.is_empty() || self.last_write(slot) != slot.write {
            return None;
        }
        first_in_conflict(others, slot, unfolding.clock(f))
    }

    /// Takes events out until `len` are left.
    pub(super) fn shrink(&mut self, unfolding: &Unfolding, len: usize) {
        while self.len() > len {
            self.pop(unfolding);
        }
    }
}

/// The first of these events of an object with which another one is in conflict.
#[inline]
fn first_in_conflict(others: &[Touch], slot: &Slot, clock: &[u32]) -> Option<Node> {
    let is_in_conflict = |other: &&Touch| {
        let is_below = clock.get(other.thread.index()).is_some_and(|&steps| steps >= other.index);
        other.mode.conflicts(slot.footprint.mode) && !is_below
    };
    others.iter().find(is_in_conflict).map(|other| other.node)
}

/// The event that its thread has at the place of an event that is missing.
#[inline]
fn in_place_of(threads: &[Vec<Node>], slot: &Slot) -> Option<Node> {
    threads.get(slot.choice.thread.index())?.get(slot.index as usize - 1).copied()
}
