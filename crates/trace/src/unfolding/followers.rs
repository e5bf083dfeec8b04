//! Which events may be in immediate conflict with which: those whose last write of an object is the same, the *followers* of
//! that write (the children of a lock in the paper's trees).
//!
//! There can be very many of them, and few are of use at a time. So they are apart by thread and mode, and one that
//! something is in the way of is not among them at all: it is with its *obstacle* until that is gone. An obstacle is an event
//! of C that it is in conflict with, or an event of D in its history.

use super::arena::{Node, Unfolding};
use super::slot::Slot;
use crate::dependence::{Footprint, Mode};
use model::ThreadId;

/// The followers of a write, or of none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followers {
    /// The first of those that are in C or D, and the last: the ones that stay longest come first.
    first_taken: Node,
    last_taken: Node,
    /// The first group of the others, apart for those that only read: most events do not look at these.
    readers: GroupId,
    groups: GroupId,
}

impl Followers {
    pub(super) const NONE: Followers =
        Followers { first_taken: Node::NONE, last_taken: Node::NONE, readers: GroupId::NONE, groups: GroupId::NONE };

    /// The first of the groups among which those of a mode are.
    fn first_group(&self, mode: Mode) -> GroupId {
        if mode == Mode::Read { self.readers } else { self.groups }
    }
}

/// Followers of one thread in one mode.
#[derive(Clone, Copy, Debug)]
struct Group {
    thread: ThreadId,
    mode: Mode,
    first: Node,
    next: GroupId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GroupId(u32);

impl GroupId {
    pub(super) const NONE: GroupId = GroupId(u32::MAX);
}

/// All groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    free: Vec<GroupId>,
    /// Events that an obstacle was found for, which are to be put there.
    hindered: Vec<Node>,
}

/// How far the candidates for an event were looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    alternative: u32,
    group: GroupId,
    /// Where to go on after that group and those after it.
    readers: GroupId,
    next: Node,
}

impl Unfolding {
    /// The followers among which an event is.
    fn followers_of(&self, node: Node) -> Followers {
        let Slot { write, footprint, .. } = self.slot(node);
        self.followers(*write, footprint)
    }

    /// Those of a write of an object, or of none.
    fn followers(&self, write: Node, footprint: &Footprint) -> Followers {
        match write {
            Node::NONE => self.roots.get(footprint.object.index()).copied().unwrap_or(Followers::NONE),
            write => self.slot(write).followers,
        }
    }

    /// Whether a write has a follower that may be a candidate for an event of this thread which follows it, too.
    pub(super) fn has_group_against(&self, write: Node, thread: ThreadId, footprint: Footprint) -> bool {
        let Followers { groups, readers, .. } = self.followers(write, &footprint);
        let readers = if footprint.mode.conflicts(Mode::Read) { readers } else { GroupId::NONE };
        [groups, readers].into_iter().any(|mut at| {
            while let Some(group) = self.groups.all.get(at.0 as usize) {
                if group.thread != thread && group.first != Node::NONE && group.mode.conflicts(footprint.mode) {
                    return true;
                }
                at = group.next;
            }
            false
        })
    }

    fn followers_mut(&mut self, node: Node) -> &mut Followers {
        let Slot { write, footprint, .. } = self.slot(node);
        let (write, object) = (*write, footprint.object.index());
        if write != Node::NONE {
            return &mut self.slot_mut(write).followers;
        }
        if self.roots.len() <= object {
            self.roots.resize(object + 1, Followers::NONE);
        }
        &mut self.roots[object]
    }

    /// A new event is a follower.
    pub(super) fn follow(&mut self, node: Node) {
        if self.slot(node).footprint.touches() {
            let group = self.group_of(node);
            self.slot_mut(node).group = group;
            self.put_into_group(node);
        }
    }

    /// The group for an event: there is one for each thread and mode.
    fn group_of(&mut self, node: Node) -> GroupId {
        let (thread, mode) = (self.slot(node).choice.thread, self.slot(node).footprint.mode);
        let first = self.followers_of(node).first_group(mode);
        let mut at = first;
        while at != GroupId::NONE {
            let group = &self.groups.all[at.0 as usize];
            if group.thread == thread && group.mode == mode {
                return at;
            }
            at = group.next;
        }
        let id = self.groups.make(Group { thread, mode, first: Node::NONE, next: first });
        let followers = self.followers_mut(node);
        *(if mode == Mode::Read { &mut followers.readers } else { &mut followers.groups }) = id;
        id
    }

    fn put_into_group(&mut self, node: Node) {
        let group = self.slot(node).group;
        let first = std::mem::replace(&mut self.groups.all[group.0 as usize].first, node);
        self.link_before(node, first);
    }

    fn link_before(&mut self, node: Node, next: Node) {
        let slot = self.slot_mut(node);
        (slot.previous, slot.next) = (Node::NONE, next);
        if next != Node::NONE {
            self.slot_mut(next).previous = node;
        }
    }

    /// Takes an event out of the list that it is in. Says whether it was the first, and the one after it.
    fn unlink(&mut self, node: Node) -> (bool, Node) {
        let Slot { previous, next, .. } = *self.slot(node);
        if next != Node::NONE {
            self.slot_mut(next).previous = previous;
        }
        if previous != Node::NONE {
            self.slot_mut(previous).next = next;
        }
        (previous == Node::NONE, next)
    }

    /// An event that is not in C or D goes away: it is no follower any more, and has none itself.
    pub(super) fn unfollow(&mut self, node: Node) {
        let obstacle = self.slot(node).obstacle;
        if obstacle != Node::NONE {
            if let (true, next) = self.unlink(node) {
                self.slot_mut(obstacle).hinders = next;
            }
        } else if self.slot(node).footprint.touches() {
            self.take_from_group(node);
        }
        let followers = std::mem::replace(&mut self.slot_mut(node).followers, Followers::NONE);
        self.groups.free(followers.groups);
        self.groups.free(followers.readers);
    }

    fn take_from_group(&mut self, node: Node) {
        if let (true, next) = self.unlink(node) {
            let group = self.slot(node).group;
            self.groups.all[group.0 as usize].first = next;
        }
    }

    /// An event comes into C.
    pub(super) fn take(&mut self, node: Node) {
        if !self.slot(node).footprint.touches() {
            return;
        }
        self.take_from_group(node);
        let followers = self.followers_mut(node);
        let previous = std::mem::replace(&mut followers.last_taken, node);
        if previous == Node::NONE {
            followers.first_taken = node;
        } else {
            self.slot_mut(previous).next = node;
        }
        let slot = self.slot_mut(node);
        (slot.previous, slot.next) = (previous, Node::NONE);
    }

    /// An event is neither in C nor in D any more: it may be a candidate again.
    pub fn give_back(&mut self, node: Node) {
        self.places[node.index()] = u32::MAX;
        if !self.slot(node).footprint.touches() {
            return;
        }
        let previous = self.slot(node).previous;
        let (was_first, next) = self.unlink(node);
        let followers = self.followers_mut(node);
        if was_first {
            followers.first_taken = next;
        }
        if next == Node::NONE {
            followers.last_taken = previous;
        }
        self.put_into_group(node);
    }

    /// The first event of C or D that is in immediate conflict with `node`: the one that stays longest.
    pub(super) fn find_keeper(&self, node: Node) -> Option<Node> {
        let slot = self.slot(node);
        if !slot.footprint.touches() {
            let mut siblings = (0..slot.alternatives).filter_map(|alternative| self.sibling(slot, alternative));
            return siblings.find(|&sibling| sibling != node && self.slot(sibling).is_taken());
        }
        let mut next = self.followers_of(node).first_taken;
        while next != Node::NONE {
            if self.are_rivals(node, next) {
                return Some(next);
            }
            next = self.slot(next).next;
        }
        None
    }

    /// Before the first candidate for `d`.
    pub(super) fn candidates(&self, d: Node) -> Cursor {
        let Footprint { mode, .. } = self.slot(d).footprint;
        let Followers { groups, readers, .. } =
            if self.slot(d).footprint.touches() { self.followers_of(d) } else { Followers::NONE };
        let readers = if mode.conflicts(Mode::Read) { readers } else { GroupId::NONE };
        Cursor { alternative: 0, group: groups, readers, next: Node::NONE }
    }

    /// The next event that may be in immediate conflict with `d`, and that nothing is known to be in the way of.
    #[inline]
    pub(super) fn next_candidate(&self, d: Node, cursor: &mut Cursor) -> Option<Node> {
        let slot = self.slot(d);
        while cursor.alternative < slot.alternatives {
            let alternative = cursor.alternative;
            cursor.alternative += 1;
            if alternative != slot.choice.alternative
                && let Some(sibling) = self.sibling(slot, alternative)
                && self.slot(sibling).obstacle == Node::NONE
            {
                return Some(sibling);
            }
        }
        loop {
            while cursor.next != Node::NONE {
                let f = self.slot(cursor.next);
                let node = std::mem::replace(&mut cursor.next, f.next);
                if f.obstacle == Node::NONE {
                    return Some(node);
                }
            }
            if cursor.group == GroupId::NONE {
                cursor.group = std::mem::replace(&mut cursor.readers, GroupId::NONE);
            }
            let group = self.groups.all.get(cursor.group.0 as usize)?;
            cursor.group = group.next;
            if group.thread != slot.choice.thread && group.mode.conflicts(slot.footprint.mode) {
                cursor.next = group.first;
            }
        }
    }

    /// Whether there is any candidate for `d` that nothing is known to be in the way of.
    #[inline]
    pub fn has_candidate(&self, d: Node) -> bool {
        self.next_candidate(d, &mut self.candidates(d)).is_some()
    }

    /// `node` cannot be added because of `obstacle`, which is in its history and in D, or else in conflict with it.
    pub(super) fn note_obstacle(&mut self, node: Node, obstacle: Node) {
        // A cutoff has none, and what an alternative adds to C is not there for long.
        let stays = obstacle != Node::NONE && self.slot(obstacle).is_taken();
        if stays && !self.slot(node).is_taken() {
            self.slot_mut(node).obstacle = obstacle;
            self.groups.hindered.push(node);
        }
    }

    /// The events for which an obstacle was noted go there. Nobody is looking at candidates.
    pub(super) fn set_hindered_apart(&mut self) {
        while let Some(node) = self.groups.hindered.pop() {
            if self.slot(node).footprint.touches() {
                self.take_from_group(node);
            }
            let obstacle = self.slot(node).obstacle;
            let first = std::mem::replace(&mut self.slot_mut(obstacle).hinders, node);
            self.link_before(node, first);
        }
    }

    /// `obstacle` left C or D: what it was in the way of may be a candidate again.
    pub(super) fn clear_way(&mut self, obstacle: Node) {
        let mut next = std::mem::replace(&mut self.slot_mut(obstacle).hinders, Node::NONE);
        while next != Node::NONE {
            let node = next;
            let slot = self.slot_mut(node);
            next = slot.next;
            slot.obstacle = Node::NONE;
            if slot.footprint.touches() {
                self.put_into_group(node);
            }
        }
    }

    /// All events whose last write is that of `node`, or its siblings if it touches nothing, in the order in which they were
    /// made. Where no obstacle was ever noted.
    pub(super) fn followers_as_made(&self, node: Node) -> Vec<Node> {
        let slot = self.slot(node);
        if !slot.footprint.touches() {
            return (0..slot.alternatives).filter_map(|alternative| self.sibling(slot, alternative)).collect();
        }
        let followers = self.followers_of(node);
        let mut heads = vec![followers.first_taken];
        for mut at in [followers.groups, followers.readers] {
            while at != GroupId::NONE {
                let group = &self.groups.all[at.0 as usize];
                heads.push(group.first);
                at = group.next;
            }
        }
        let mut all = Vec::new();
        for mut next in heads {
            while next != Node::NONE {
                all.push(next);
                next = self.slot(next).next;
            }
        }
        all.sort_unstable_by_key(|&node| self.slot(node).made);
        all
    }
}

impl Groups {
    fn make(&mut self, group: Group) -> GroupId {
        match self.free.pop() {
            Some(id) => {
                self.all[id.0 as usize] = group;
                id
            }
            None => {
                self.all.push(group);
                GroupId(self.all.len() as u32 - 1)
            }
        }
    }

    /// Frees a group and those after it.
    fn free(&mut self, mut id: GroupId) {
        while id != GroupId::NONE {
            self.free.push(id);
            id = self.all[id.0 as usize].next;
        }
    }
}
