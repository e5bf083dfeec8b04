//! Wakeup trees (SRC Section 6): for every prefix of E, the sequences still to be explored after it.
//!
//! An ordered tree of steps, children in the order of their insertion. The trees of all prefixes live in one arena,
//! whose nodes are reused: exploring a child makes the tree below it the tree of the longer prefix.

use crate::dependence::Footprint;
use crate::rest::{Rest, Taken};
use crate::reversal::Reversal;
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
    parent: NodeId,
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
    rest: Rest,
}

impl WakeupTrees {
    /// A tree of nothing but its root.
    pub fn root(&mut self) -> NodeId {
        let nobody = Choice { thread: ThreadId(u32::MAX), alternative: 0 };
        self.node(NO_NODE, Sleeper { choice: nobody, footprint: Footprint::NONE }, 0)
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
        let node = self.node(parent, Sleeper { choice, footprint: Footprint::NONE }, 0);
        self.link(parent, node);
        self.get_mut(parent).below += 1;
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
    /// The first child of the root is the branch under exploration, whose first step is in conflict with the end of v: it
    /// cannot start v.
    ///
    /// Says how many nodes the tree has then.
    pub fn insert(&mut self, root: NodeId, trace: &Trace, v: &Reversal) -> usize {
        let explored = self.get(self.get(root).first_child);
        debug_assert!(v.steps(trace).any(|step| step.footprint.depends(&explored.step.footprint)), "a race with v");
        let mut first = explored.next_sibling;
        if first == NO_NODE {
            self.append_branch(root, root, v.steps(trace), v.len());
            return self.get(root).below as usize + 1;
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.fill(trace, v);
        let mut node = root;
        while let Some(child) = self.matching_child(first, trace, &mut rest) {
            node = child;
            first = self.get(child).first_child;
            if first == NO_NODE {
                break;
            }
        }
        if first != NO_NODE {
            self.append_branch(root, node, rest.steps(), rest.len());
        }
        self.rest = rest;
        self.get(root).below as usize + 1
    }

    /// The first of these siblings p with `p.… ∼ v`; its step is taken out of what is left of v, if it is there.
    #[inline]
    fn matching_child(&self, first: NodeId, trace: &Trace, rest: &mut Rest) -> Option<NodeId> {
        let mut child = first;
        while child != NO_NODE {
            let Node { step, next_sibling, .. } = self.get(child);
            match rest.take(trace, step.choice) {
                Taken::Yes => return Some(child),
                Taken::Absent if rest.is_independent(&step.footprint) => return Some(child),
                Taken::Absent | Taken::NotFirst => child = *next_sibling,
            }
        }
        None
    }

    /// So many steps become a branch below `node`, which is in the tree of `root`.
    fn append_branch(&mut self, root: NodeId, node: NodeId, steps: impl Iterator<Item = Sleeper>, len: u32) {
        let mut above = node;
        self.get_mut(node).below += len;
        while above != root {
            above = self.get(above).parent;
            self.get_mut(above).below += len;
        }
        let mut parent = node;
        let mut below = len;
        for step in steps {
            below -= 1;
            let child = self.node(parent, step, below);
            self.link(parent, child);
            parent = child;
        }
    }

    /// Makes a node the last child.
    #[inline]
    fn link(&mut self, parent: NodeId, child: NodeId) {
        let last = std::mem::replace(&mut self.get_mut(parent).last_child, child);
        if last == NO_NODE {
            self.get_mut(parent).first_child = child;
        } else {
            self.get_mut(last).next_sibling = child;
        }
    }

    #[inline]
    fn node(&mut self, parent: NodeId, step: Sleeper, below: u32) -> NodeId {
        let node = Node { step, parent, first_child: NO_NODE, last_child: NO_NODE, next_sibling: NO_NODE, below };
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
