//! A configuration that grows event by event and shrinks again: C, and C with what an alternative adds to it.

use super::arena::{Node, Slot, Unfolding};

/// C: see the head of `unfolding.rs`.
#[derive(Debug, Default)]
pub struct Configuration {
    /// In the order in which they were added.
    nodes: Vec<Node>,
    /// The events of each thread.
    threads: Vec<Vec<Node>>,
    objects: Vec<Touched>,
}

/// The events of an object.
#[derive(Debug, Default)]
struct Touched {
    nodes: Vec<Node>,
    /// Which of them are writes.
    writes: Vec<u32>,
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
    pub(super) fn has(&self, slot: &Slot, node: Node) -> bool {
        let own = self.threads.get(slot.choice.thread.index());
        own.is_some_and(|own| own.get(slot.index as usize - 1) == Some(&node))
    }

    /// How many events of its thread come before the next one that fits.
    #[inline]
    pub(super) fn steps_of(&self, slot: &Slot) -> usize {
        self.threads.get(slot.choice.thread.index()).map_or(0, Vec::len)
    }

    /// The last write of an event's object.
    #[inline]
    pub(super) fn last_write(&self, slot: &Slot) -> Node {
        let touched = self.objects.get(slot.footprint.object.index());
        let last = touched.and_then(|touched| Some(touched.nodes[*touched.writes.last()? as usize]));
        last.unwrap_or(Node::NONE)
    }

    /// The events of the same object after its last write.
    fn after_write(&self, slot: &Slot) -> &[Node] {
        let Some(touched) = self.objects.get(slot.footprint.object.index()) else { return &[] };
        &touched.nodes[touched.writes.last().map_or(0, |&write| write as usize + 1)..]
    }

    /// Adds an event whose history is there.
    pub fn push(&mut self, unfolding: &Unfolding, node: Node) {
        let slot = unfolding.slot(node);
        self.nodes.push(node);
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
            if slot.is_write() {
                touched.writes.push(touched.nodes.len() as u32);
            }
            touched.nodes.push(node);
        }
    }

    /// Takes the last event out.
    pub fn pop(&mut self, unfolding: &Unfolding) -> Option<Node> {
        let node = self.nodes.pop()?;
        let slot = unfolding.slot(node);
        self.threads[slot.choice.thread.index()].pop();
        if slot.footprint.touches() {
            let touched = &mut self.objects[slot.footprint.object.index()];
            touched.nodes.pop();
            if slot.is_write() {
                touched.writes.pop();
            }
        }
        Some(node)
    }

    /// Adds all of `[f]` that is missing. False, and nothing is added, if one of it is done with (in D) or does not fit.
    pub(super) fn add(&mut self, unfolding: &mut Unfolding, f: Node) -> bool {
        let mut missing = std::mem::take(&mut unfolding.walk);
        let fits = self.find_missing(unfolding, f, &mut missing) && {
            if missing.len() > 1 {
                missing.sort_unstable_by_key(|&node| unfolding.slot(node).made);
            }
            let len = self.len();
            let in_conflict = missing.iter().find_map(|&node| self.add_next(unfolding, node));
            if let Some(other) = in_conflict {
                self.shrink(unfolding, len);
                unfolding.note_obstacle(f, other, false);
            }
            in_conflict.is_none()
        };
        missing.clear();
        unfolding.walk = missing;
        fits
    }

    /// What of `[f]` is missing. False if one of it is done with, cut off, or another event is in its place.
    fn find_missing(&self, unfolding: &mut Unfolding, f: Node, missing: &mut Vec<Node>) -> bool {
        let walk = unfolding.begin_walk();
        missing.clear();
        missing.push(f);
        let mut looked_at = 0;
        while let Some(&node) = missing.get(looked_at) {
            looked_at += 1;
            let slot = unfolding.slot(node);
            if slot.in_d {
                unfolding.note_obstacle(f, node, true);
                return false;
            }
            if let Some(other) = self.in_place_of(slot) {
                unfolding.note_obstacle(f, other, false);
                return false;
            }
            if unfolding.is_cut_off(node) {
                return false;
            }
            for i in 0..slot.causes.len() {
                let cause = unfolding.slots[node.index()].causes[i];
                if cause == Node::NONE {
                    continue;
                }
                let slot = &mut unfolding.slots[cause.index()];
                if slot.seen != walk && !self.has(slot, cause) {
                    slot.seen = walk;
                    missing.push(cause);
                }
            }
        }
        true
    }

    /// The event that its thread has at the place of an event that is missing.
    #[inline]
    fn in_place_of(&self, slot: &Slot) -> Option<Node> {
        self.threads.get(slot.choice.thread.index())?.get(slot.index as usize - 1).copied()
    }

    /// Adds an event of which all causes are there. If something that is there is in conflict with it, says what.
    fn add_next(&mut self, unfolding: &Unfolding, node: Node) -> Option<Node> {
        let slot = unfolding.slot(node);
        let mut in_conflict = self.in_place_of(slot);
        if in_conflict.is_none() && slot.footprint.touches() {
            let last_write = self.last_write(slot);
            in_conflict = if last_write != slot.write {
                Some(last_write)
            } else {
                self.after_write(slot).iter().copied().find(|&other| {
                    let mode = unfolding.slot(other).footprint.mode;
                    mode.conflicts(slot.footprint.mode) && !unfolding.is_below(other, node)
                })
            };
        }
        if in_conflict.is_none() {
            self.push(unfolding, node);
        }
        in_conflict
    }

    /// Takes events out until `len` are left.
    pub(super) fn shrink(&mut self, unfolding: &Unfolding, len: usize) {
        while self.len() > len {
            self.pop(unfolding);
        }
    }
}
