//! What was in the way of events when they were last looked at.
//!
//! Histories overlap: most of them that a search for an alternative walks through come to the same obstacle. So every event on the way
//! from a candidate to its obstacle has a hint that says which one it is, and no walk goes beyond it. Nobody takes a hint back:
//! it is good as long as the obstacle has been in C, or in D, without a break.

use super::arena::Node;

/// One for each event.
#[derive(Debug, Default)]
pub(super) struct Hints {
    hints: Vec<Hint>,
    /// For each event, the moment at which it came into C or D; 0 if it is in neither.
    since: Vec<u32>,
    now: u32,
}

#[derive(Clone, Copy, Debug)]
struct Hint {
    obstacle: Node,
    since: u32,
}

impl Hint {
    const NONE: Hint = Hint { obstacle: Node::NONE, since: 0 };
}

impl Hints {
    /// There is a new event by this name.
    pub(super) fn make(&mut self, node: Node) {
        if self.hints.len() <= node.index() {
            self.hints.resize(node.index() + 1, Hint::NONE);
            self.since.resize(node.index() + 1, 0);
        }
        self.hints[node.index()] = Hint::NONE;
    }

    /// An event comes into C or D.
    #[inline]
    pub(super) fn enter(&mut self, node: Node) {
        if self.now == u32::MAX {
            self.forget();
        }
        self.now += 1;
        self.since[node.index()] = self.now;
    }

    /// Moments are counted from the start again.
    #[cold]
    fn forget(&mut self) {
        self.hints.fill(Hint::NONE);
        self.now = 0;
    }

    /// An event leaves C or D.
    #[inline]
    pub(super) fn leave(&mut self, node: Node) {
        self.since[node.index()] = 0;
    }

    /// What is in the way of an event, if that is known.
    #[inline]
    pub(super) fn of(&self, node: Node) -> Option<Node> {
        let Hint { obstacle, since } = self.hints[node.index()];
        (since != 0 && self.since[obstacle.index()] == since).then_some(obstacle)
    }

    /// An event that is in C or D is in the way of another one.
    #[inline]
    pub(super) fn set(&mut self, node: Node, obstacle: Node) {
        self.hints[node.index()] = Hint { obstacle, since: self.since[obstacle.index()] };
    }
}
