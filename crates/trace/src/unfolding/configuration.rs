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
    /// For each event of the unfolding, whether it is in here: asked more often than anything else.
    has: Vec<bool>,
}

/// Why an event cannot be added: an event of its history that is in D, or one of C that it is in conflict with. None for a
/// cutoff.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle(pub(super) Node);

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
        self.has.get(node.index()).is_some_and(|&has| has)
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
        if self.has.len() <= node.index() {
            self.has.resize(unfolding.slots.len(), false);
        }
        self.has[node.index()] = true;
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
        self.has[node.index()] = false;
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
        let mut missing = std::mem::take(&mut unfolding.walk);
        let result = self.add_missing(unfolding, f, &mut missing);
        missing.clear();
        unfolding.walk = missing;
        result
    }

    fn add_missing(&mut self, unfolding: &mut Unfolding, f: Node, missing: &mut Vec<Node>) -> Result<(), Obstacle> {
        self.find_missing(unfolding, f, missing)?;
        if missing.len() > 1 {
            missing.sort_unstable_by_key(|&node| unfolding.slot(node).made);
        }
        let len = self.len();
        for &node in &*missing {
            if let Some(other) = self.in_conflict_with(unfolding, node) {
                self.shrink(unfolding, len);
                return Err(Obstacle(other));
            }
            self.push(unfolding, node);
        }
        Ok(())
    }

    /// What of `[f]` is missing, unless one of it is done with, cut off, or another event is in its place. The obstacle is the
    /// one that stays longest.
    fn find_missing(&self, unfolding: &mut Unfolding, f: Node, missing: &mut Vec<Node>) -> Result<(), Obstacle> {
        let walk = unfolding.begin_walk();
        missing.clear();
        missing.push(f);
        let mut obstacle = None;
        let mut looked_at = 0;
        while let Some(&node) = missing.get(looked_at) {
            looked_at += 1;
            if unfolding.is_cut_off(node) {
                return Err(Obstacle(Node::NONE));
            }
            if let Some(other) = self.in_the_way_of(unfolding, node) {
                let place = unfolding.place(other);
                if obstacle.is_none_or(|(first, _)| place < first) {
                    obstacle = Some((place, other));
                }
                // What is known is that of its history that stays longest.
                if unfolding.slot(node).obstacle != Node::NONE {
                    continue;
                }
            }
            for &cause in &*unfolding.slots[node.index()].causes {
                if cause == Node::NONE || self.has(cause) {
                    continue;
                }
                if unfolding.seen[cause.index()] != walk {
                    unfolding.seen[cause.index()] = walk;
                    missing.push(cause);
                }
            }
        }
        obstacle.map_or(Ok(()), |(_, other)| Err(Obstacle(other)))
    }

    /// What can be seen at once to be in the way of an event that is missing: itself if it is in D, what is known, or another
    /// event in its place.
    #[inline]
    fn in_the_way_of(&self, unfolding: &Unfolding, node: Node) -> Option<Node> {
        let slot = unfolding.slot(node);
        if slot.in_d {
            return Some(node);
        }
        if slot.obstacle != Node::NONE {
            return Some(slot.obstacle);
        }
        self.in_place_of(slot)
    }

    /// The event that its thread has at the place of an event that is missing.
    #[inline]
    fn in_place_of(&self, slot: &Slot) -> Option<Node> {
        self.threads.get(slot.choice.thread.index())?.get(slot.index as usize - 1).copied()
    }

    /// An event that is there and in conflict with one of which all causes are there: the first such one of its object, which
    /// stays longest.
    fn in_conflict_with(&self, unfolding: &Unfolding, node: Node) -> Option<Node> {
        let slot = unfolding.slot(node);
        let in_place = self.in_place_of(slot);
        if in_place.is_some() || !slot.footprint.touches() {
            return in_place;
        }
        let (mode, clock) = (slot.footprint.mode, unfolding.clock(node));
        let is_in_conflict = |other: &&Touch| {
            let is_below = clock.get(other.thread.index()).is_some_and(|&steps| steps >= other.index);
            other.mode.conflicts(mode) && !is_below
        };
        let touched = self.objects.get(slot.footprint.object.index())?;
        let is_last = self.last_write(slot) == slot.write;
        let others = if is_last { touched.after_write(mode) } else { touched.after(slot.write) };
        others.iter().find(is_in_conflict).map(|other| other.node)
    }

    /// Takes events out until `len` are left.
    pub(super) fn shrink(&mut self, unfolding: &Unfolding, len: usize) {
        while self.len() > len {
            self.pop(unfolding);
        }
    }
}
