//! Wakeup trees (SRC Section 6): for every prefix of E, the sequences still to be explored after it.
//!
//! An ordered tree of steps, children in the order of their insertion. The trees of all prefixes live in one arena,
//! whose nodes are reused: exploring a child makes the tree below it the tree of the longer prefix.

use crate::dependence::Footprint;
use crate::reversal::{Reversal, Taken};
use crate::sleep::Sleeper;
use crate::trace::{Event, Trace};
use model::{Choice, ThreadId};

/// A node of a wakeup tree; the root stands for the prefix itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

const NO_NODE: NodeId = NodeId(u32::MAX);

#[derive(Clone, Copy, Debug)]
struct Node {
    step: Sleeper,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
    /// How many nodes there are below this one.
    below: u32,
}

/// The wakeup trees of all prefixes of E.
#[derive(Clone, Debug, Default)]
pub struct WakeupTrees {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    /// Reused by insertions.
    path: Vec<NodeId>,
}

impl WakeupTrees {
    /// A tree of nothing but its root.
    pub fn root(&mut self) -> NodeId {
        let nobody = Choice { thread: ThreadId(u32::MAX), alternative: 0 };
        self.node(Sleeper { choice: nobody, footprint: Footprint::NONE })
    }

    /// The first step to be explored, if any is left.
    #[inline]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        Some(self.get(node).first_child).filter(|&child| child != NO_NODE)
    }

    /// How many children a node has.
    pub fn children(&self, node: NodeId) -> usize {
        let mut count = 0;
        let mut child = self.get(node).first_child;
        while child != NO_NODE {
            count += 1;
            child = self.get(child).next_sibling;
        }
        count
    }

    /// The step that a node stands for.
    #[inline]
    pub fn choice(&self, node: NodeId) -> Choice {
        self.get(node).step.choice
    }

    /// Adds a step as the last child. What it touches is known once it is executed.
    pub fn append(&mut self, parent: NodeId, choice: Choice) {
        let node = self.node(Sleeper { choice, footprint: Footprint::NONE });
        self.append_node(parent, node);
    }

    /// The first child is executed, as `event`. What it touches is known now, for its other alternatives too, and the
    /// tree below it becomes one of its own, which the parent no longer counts.
    pub fn execute_first(&mut self, parent: NodeId, event: &Event) {
        let mut child = self.get(parent).first_child;
        let below = self.get(child).below;
        self.get_mut(parent).below -= below;
        while child != NO_NODE && self.get(child).step.choice.thread == event.thread() {
            let node = self.get_mut(child);
            node.step.footprint = event.footprint;
            child = node.next_sibling;
        }
    }

    /// Takes the first child, which has been explored, out of the tree.
    pub fn remove_first(&mut self, parent: NodeId) {
        let child = self.get(parent).first_child;
        debug_assert!(self.get(child).first_child == NO_NODE, "an explored branch has nothing left below it");
        let next = self.get(child).next_sibling;
        let parent = self.get_mut(parent);
        parent.first_child = next;
        parent.below -= 1;
        if next == NO_NODE {
            parent.last_child = NO_NODE;
        }
        self.free.push(child);
    }

    /// `insert[E'](v, wut(E'))`: descends into the first child that can start v, takes its step out of v, and so on. At
    /// a leaf, v is already provided for; where no child can start what is left of v, that becomes a new branch.
    ///
    /// The first child of the root is the branch under exploration; it is in conflict with the end of v.
    ///
    /// Says how many nodes the tree has then.
    pub fn insert(&mut self, root: NodeId, trace: &Trace, v: &mut Reversal) -> usize {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let mut node = root;
        let mut at_leaf = false;
        while !at_leaf && let Some(child) = self.matching_child(node, trace, v) {
            path.push(node);
            node = child;
            at_leaf = self.get(node).first_child == NO_NODE;
        }
        if !at_leaf {
            let added = self.append_branch(node, trace, v);
            for &above in &path {
                self.get_mut(above).below += added;
            }
        }
        self.path = path;
        self.get(root).below as usize + 1
    }

    /// The first child p with `p.… ∼ v`; its step is taken out of v, if it is there.
    fn matching_child(&self, node: NodeId, trace: &Trace, v: &mut Reversal) -> Option<NodeId> {
        let mut child = self.get(node).first_child;
        while child != NO_NODE {
            let step = self.get(child).step;
            match v.take_initial(trace, step.choice) {
                Taken::Yes => return Some(child),
                Taken::Absent if v.is_independent(trace, &step.footprint) => return Some(child),
                Taken::Absent | Taken::NotFirst => {}
            }
            child = self.get(child).next_sibling;
        }
        None
    }

    /// What is left of v becomes a branch below `node`. Says how many nodes it has.
    fn append_branch(&mut self, node: NodeId, trace: &Trace, v: &Reversal) -> u32 {
        let steps = v.events().iter().map(|&event| Sleeper::of(trace.event(event)));
        let last = v.last().map(|last| Sleeper { choice: last.choice, footprint: last.footprint });
        let added = v.len() as u32;
        let mut parent = node;
        for (i, step) in steps.chain(last).enumerate() {
            let child = self.node(step);
            self.get_mut(child).below = added - 1 - i as u32;
            if parent == node {
                self.append_node(parent, child);
            } else {
                let parent = self.get_mut(parent);
                parent.first_child = child;
                parent.last_child = child;
            }
            parent = child;
        }
        self.get_mut(node).below += added - 1;
        added
    }

    fn append_node(&mut self, parent: NodeId, child: NodeId) {
        let last = self.get(parent).last_child;
        if last == NO_NODE {
            self.get_mut(parent).first_child = child;
        } else {
            self.get_mut(last).next_sibling = child;
        }
        let parent = self.get_mut(parent);
        parent.last_child = child;
        parent.below += 1;
    }

    fn node(&mut self, step: Sleeper) -> NodeId {
        let node = Node { step, first_child: NO_NODE, last_child: NO_NODE, next_sibling: NO_NODE, below: 0 };
        match self.free.pop() {
            Some(id) => {
                *self.get_mut(id) = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId(self.nodes.len() as u32 - 1)
            }
        }
    }

    #[inline]
    fn get(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    #[inline]
    fn get_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }
}
