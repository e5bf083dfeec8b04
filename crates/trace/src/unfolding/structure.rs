//! The unfolding as something to look at.

use super::arena::{Node, Unfolding};
use crate::dependence::Footprint;
use model::{Choice, ObjectId, Op};
use std::collections::HashMap;

/// An event structure: events, what happens before what, what excludes what, and the maximal configurations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// The events, each after those that happen before it.
    pub events: Vec<StructureEvent>,
    /// The maximal configurations, each as places in `events`.
    pub configurations: Vec<Vec<u32>>,
}

/// An event. Others are told by their places among all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructureEvent {
    /// Whose step, by which alternative.
    pub choice: Choice,
    /// Position among the events of its thread, from 1.
    pub index: u32,
    /// What was asked for.
    pub op: Op,
    /// What it touches.
    pub footprint: Footprint,
    /// The events directly before it.
    pub causes: Vec<u32>,
    /// The events in immediate conflict with it.
    pub conflicts: Vec<u32>,
    /// How many events are in its history, itself included.
    pub size: u32,
}

impl Unfolding {
    /// All that there is, with these maximal configurations.
    pub fn structure(&self, configurations: &[Vec<Node>]) -> Structure {
        let mut nodes: Vec<Node> = (0..self.slots.len() as u32).map(Node).filter(|&node| self.is_live(node)).collect();
        nodes.sort_by_key(|&node| self.slot(node).made);
        let mut places = vec![0; self.slots.len()];
        for (place, node) in (0..).zip(&nodes) {
            places[node.index()] = place;
        }
        let mut followers: HashMap<(ObjectId, Node), Vec<Node>> = HashMap::new();
        for &node in &nodes {
            followers.entry(self.followed_by(node)).or_default().push(node);
        }
        let rivals = |node: Node| {
            let all = &followers[&self.followed_by(node)];
            all.iter().copied().filter(move |&other| self.are_rivals(node, other))
        };
        let sorted = |nodes: &mut dyn Iterator<Item = Node>| {
            let mut all: Vec<u32> = nodes.map(|node| places[node.index()]).collect();
            all.sort_unstable();
            all
        };
        let event = |&node: &Node| {
            let slot = self.slot(node);
            let causes = slot.causes.iter().copied().filter(|&cause| cause != Node::NONE);
            let is_direct = |&cause: &Node| !causes.clone().any(|other| other != cause && self.is_below(cause, other));
            StructureEvent {
                choice: slot.choice,
                index: slot.index,
                op: self.op(node),
                footprint: slot.footprint,
                causes: sorted(&mut causes.clone().filter(is_direct)),
                conflicts: sorted(&mut rivals(node)),
                size: self.clock(node).iter().sum(),
            }
        };
        Structure {
            events: nodes.iter().map(event).collect(),
            configurations: configurations.iter().map(|all| sorted(&mut all.iter().copied())).collect(),
        }
    }

    /// What the events that may be in immediate conflict with each other have in common: the object and its last write, or
    /// for a choice the event before it.
    fn followed_by(&self, node: Node) -> (ObjectId, Node) {
        let slot = self.slot(node);
        let touches = slot.footprint.touches();
        (slot.footprint.object, if touches { slot.write } else { slot.causes[0] })
    }
}
