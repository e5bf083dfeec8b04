//! Which events are kept: those in C and D, those in immediate conflict with one of them, and their histories (Q of C15).
//!
//! An event that is in immediate conflict with one of C or D is listed with it, its *keeper*: only when the keeper leaves
//! has anything to be looked at.

use super::arena::{Node, Unfolding};

impl Unfolding {
    /// `node` comes into C at this place: its siblings by other alternatives are made.
    pub fn enter(&mut self, node: Node, place: usize) {
        self.slot_mut(node).in_c = true;
        self.places[node.index()] = place as u32;
        self.hints.enter(node);
        self.take(node);
        self.make_siblings(node);
    }

    /// `node` leaves C: for D, or for good.
    pub fn leave(&mut self, node: Node) {
        self.slot_mut(node).in_c = false;
        self.hints.leave(node);
        self.clear_way(node);
    }

    /// `node`, which was the last of C, comes into D.
    pub(super) fn enter_done(&mut self, node: Node) {
        self.hints.enter(node);
        let slot = self.slot_mut(node);
        (slot.in_d, slot.obstacle) = (true, node);
    }

    /// `node` leaves D.
    pub(super) fn leave_done(&mut self, node: Node) {
        self.hints.leave(node);
        let slot = self.slot_mut(node);
        (slot.in_d, slot.obstacle) = (false, Node::NONE);
        self.clear_way(node);
    }

    /// `node` is no longer in C or D: it and what it kept are freed unless something else needs them.
    pub fn forget(&mut self, node: Node) {
        if !self.forgets {
            return;
        }
        let mut next = std::mem::replace(&mut self.slot_mut(node).keeps, Node::NONE);
        while next != Node::NONE {
            let kept = next;
            let slot = self.slot_mut(kept);
            next = std::mem::replace(&mut slot.next_kept, Node::NONE);
            slot.is_kept = false;
            self.release(kept);
        }
        self.release(node);
    }

    /// Frees what was made since the last call and is not needed.
    pub fn release_unneeded(&mut self) {
        while let Some(node) = self.fresh.pop() {
            self.release(node);
        }
    }

    /// Frees an event, and then its causes, unless it is in C or D, or in immediate conflict with one that is, or happens
    /// before an event that is there.
    #[inline]
    fn release(&mut self, node: Node) {
        if self.slot(node).may_be_free() {
            self.releasing.push(node);
            self.release_all();
        }
    }

    fn release_all(&mut self) {
        while let Some(node) = self.releasing.pop() {
            if let Some(keeper) = self.find_keeper(node) {
                let next = std::mem::replace(&mut self.slot_mut(keeper).keeps, node);
                let slot = self.slot_mut(node);
                (slot.next_kept, slot.is_kept) = (next, true);
                continue;
            }
            self.free(node);
        }
    }

    /// Frees an event. Its causes are to be released.
    fn free(&mut self, node: Node) {
        self.unchain(node);
        self.unfollow(node);
        self.slot_mut(node).index = 0;
        self.free.push(node);
        for i in 0..self.slot(node).causes.len() {
            let cause = self.slot(node).causes[i];
            if cause != Node::NONE {
                let slot = self.slot_mut(cause);
                slot.children -= 1;
                if slot.may_be_free() {
                    self.releasing.push(cause);
                }
            }
        }
    }
}
