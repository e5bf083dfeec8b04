//! Cutoffs: events that lead to a state which another event leads to with less before it.
//!
//! What comes after such an event comes after the other one as well, so that it need not be explored. An unfolding without
//! them is finite where the program has finitely many states, and has every state that the program can reach.

use super::arena::{Details, Node, Unfolding};
use model::Choice;
use std::collections::HashSet;

/// The state of an event that is not known.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The states that events lead to.
#[derive(Debug, Default)]
pub(super) struct Cutoffs {
    /// The fewest events that lead to each state.
    smallest: Vec<u32>,
    /// Events whose state is not known yet, if anybody wants to know.
    pub(super) unknown: Option<Vec<Node>>,
}

impl Unfolding {
    /// From now on the state of every event is asked for.
    pub fn look_for_cutoffs(&mut self) {
        self.cutoffs.unknown = Some(Vec::new());
    }

    /// An event whose state is to be told.
    pub fn next_unknown(&mut self) -> Option<Node> {
        let unknown = self.cutoffs.unknown.as_mut()?;
        unknown.pop()
    }

    /// The steps that lead to the state of an event: those of its history, and its own.
    pub fn steps_to(&self, node: Node) -> Vec<Choice> {
        let mut seen = HashSet::new();
        let mut history = vec![node];
        let mut looked_at = 0;
        while let Some(&node) = history.get(looked_at) {
            looked_at += 1;
            let causes = self.slot(node).causes.iter().copied();
            history.extend(causes.filter(|&cause| cause != Node::NONE && seen.insert(cause)));
        }
        history.sort_unstable_by_key(|&node| self.slot(node).made);
        history.iter().map(|&node| self.choice(node)).collect()
    }

    /// So many events lead to the state of this number, the last of them `node`, if there is one.
    pub fn tell_state(&mut self, node: Option<Node>, state: u32, events: usize) {
        let smallest = &mut self.cutoffs.smallest;
        if smallest.len() <= state as usize {
            smallest.resize(state as usize + 1, u32::MAX);
        }
        let fewest = &mut smallest[state as usize];
        *fewest = (*fewest).min(events as u32);
        if let Some(node) = node {
            let details = &mut self.details[node.index()];
            (details.state, details.size) = (state, events as u32);
        }
    }

    /// Whether the states of events are asked for.
    #[inline]
    pub(super) fn has_cutoffs(&self) -> bool {
        self.cutoffs.unknown.is_some()
    }

    /// Whether fewer events lead to the same state.
    #[inline]
    pub fn is_cut_off(&self, node: Node) -> bool {
        if !self.has_cutoffs() {
            return false;
        }
        let Details { state, size, .. } = self.details[node.index()];
        state != UNKNOWN && self.cutoffs.smallest[state as usize] < size
    }
}
