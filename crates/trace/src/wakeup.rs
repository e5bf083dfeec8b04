//! Wakeup trees (SRC Section 6): for every prefix of E, the sequences still to be explored after it.
//!
//! An ordered tree of steps, children in the order of their insertion. Most nodes have one child, so the tree is kept as
//! *branches*: sequences of steps, with the branches that follow after the last one. A step that is being explored is no
//! longer in the tree: what was below it is the tree of the longer prefix. The branches of all trees live in one arena,
//! which reuses them.

use crate::dependence::Footprint;
use crate::rest::Rest;
use crate::reversal::Reversal;
use crate::sleep::Sleeper;
use crate::trace::{Event, Trace};
use model::Choice;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BranchId(u32);

const NO_BRANCH: BranchId = BranchId(u32::MAX);

/// Branches in order, linked by [`Branch::next_sibling`].
#[derive(Clone, Copy, Debug)]
struct Siblings {
    first: BranchId,
    last: BranchId,
}

const NO_SIBLINGS: Siblings = Siblings { first: NO_BRANCH, last: NO_BRANCH };

/// What is left to be explored after a prefix E', besides the step that is being explored there.
#[derive(Clone, Copy, Debug)]
pub struct WakeupTree {
    children: Siblings,
    /// How many steps it has.
    size: u32,
}

impl WakeupTree {
    /// Nothing.
    pub const EMPTY: WakeupTree = WakeupTree { children: NO_SIBLINGS, size: 0 };

    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.children.first == NO_BRANCH
    }
}

/// What was found among siblings: the one that v goes on by, and up to which of its steps.
enum Matching {
    Child(BranchId, u32),
    Redundant,
    None,
}

#[derive(Clone, Copy, Debug)]
struct Branch {
    /// Where its steps start and end. There is at least one.
    start: u32,
    end: u32,
    /// How many steps it has, and its children.
    size: u32,
    /// What follows after the last step.
    children: Siblings,
    next_sibling: BranchId,
}

const NO_STEPS: Branch = Branch { start: 0, end: 0, size: 0, children: NO_SIBLINGS, next_sibling: NO_BRANCH };

/// What is left of a sequence v while it is inserted into a wakeup tree: the steps that the path from the root has not
/// taken yet.
pub trait Guide {
    /// Whether what is left can go on by this step, `p.… ∼ v`: it is one of its first, and is then taken, or it is none of
    /// them and independent of all.
    fn goes_by(&mut self, step: &Sleeper) -> Going;

    /// The steps that are left.
    fn steps(&self) -> impl Iterator<Item = Sleeper>;

    /// How many they are.
    fn len(&self) -> u32;

    /// Whether nothing is left.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether a sequence can go on by a step of a wakeup tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Going {
    /// It can.
    On,
    /// It cannot: the next sibling may do.
    NotBy,
    /// It can, but not as it is: once the step is explored, the sequence is redundant here.
    Redundant,
}

struct RestOf<'a> {
    rest: &'a mut Rest,
    trace: &'a Trace,
}

impl Guide for RestOf<'_> {
    #[inline(always)]
    fn goes_by(&mut self, step: &Sleeper) -> Going {
        if self.rest.goes_by(self.trace, step) { Going::On } else { Going::NotBy }
    }

    fn steps(&self) -> impl Iterator<Item = Sleeper> {
        self.rest.steps()
    }

    fn len(&self) -> u32 {
        self.rest.len()
    }
}

/// The branches of the wakeup trees of all prefixes of E.
#[derive(Clone, Debug, Default)]
pub struct WakeupTrees {
    branches: Vec<Branch>,
    free: Vec<BranchId>,
    /// The steps of all branches, one after the other, and between them those that have been taken out.
    steps: Vec<Sleeper>,
    taken_out: usize,
    /// Reused: where steps are moved together, what is left of v, and the branches on the way of an insertion.
    moved: Vec<Sleeper>,
    rest: Rest,
    path: Vec<BranchId>,
}

impl WakeupTrees {
    /// The share of a search that is done, where these are the trees of the prefixes of E, and so many branches of each
    /// have been explored. A guess from the branches known now.
    pub fn share(&self, trees: &[WakeupTree], explored: impl Fn(usize) -> usize) -> f64 {
        let mut done = 0.0;
        let mut width = 1.0;
        for (len, tree) in trees.iter().enumerate() {
            let explored = explored(len) as f64;
            width /= explored + 1.0 + self.children(tree) as f64;
            done += width * explored;
        }
        done
    }

    /// How many branches a tree starts with.
    fn children(&self, tree: &WakeupTree) -> usize {
        let mut count = 0;
        let mut child = tree.children.first;
        while child != NO_BRANCH {
            count += 1;
            child = self.get(child).next_sibling;
        }
        count
    }

    /// Adds a step as the last child. What it touches is known once the other alternatives of its thread are executed.
    pub fn append(&mut self, tree: &mut WakeupTree, choice: Choice) {
        let start = self.steps.len();
        self.steps.push(Sleeper { choice, footprint: Footprint::NONE });
        tree.children = self.with_branch(tree.children, start);
        tree.size += 1;
    }

    /// Takes the first child, which is to be explored now, out of a tree that is not empty: its step, and the tree below.
    #[inline]
    pub fn take_first(&mut self, tree: &mut WakeupTree) -> (Choice, WakeupTree) {
        let first = tree.children.first;
        let branch = &mut self.branches[first.0 as usize];
        tree.children.first = branch.next_sibling;
        tree.size -= branch.size;
        let choice = self.steps[branch.start as usize].choice;
        self.taken_out += 1;
        branch.start += 1;
        branch.size -= 1;
        branch.next_sibling = NO_BRANCH;
        let children = if branch.start < branch.end {
            Siblings { first, last: first }
        } else {
            self.free.push(first);
            branch.children
        };
        (choice, WakeupTree { children, size: branch.size })
    }

    /// A step was executed as `event` besides this tree: what its other alternatives touch is known now.
    #[inline]
    pub fn learn(&mut self, tree: &WakeupTree, event: &Event) {
        let mut child = tree.children.first;
        while child != NO_BRANCH {
            let Branch { start, next_sibling, .. } = *self.get(child);
            let first = &mut self.steps[start as usize];
            // (What another transition of the thread touches has nothing to do with it.)
            if first.choice.first_of_transition() != event.choice.first_of_transition() {
                return;
            }
            first.footprint = event.footprint;
            child = next_sibling;
        }
    }

    /// `insert[E'](v, wut(E'))`: descends into the first child that can start v, takes its step out of v, and so on. At
    /// a leaf, v is already provided for; where no child can start what is left of v, that becomes a new branch.
    ///
    /// The step that is being explored after E' is in conflict with the end of v: it cannot start v.
    ///
    /// Says how many nodes the tree has then, with its root and that step.
    #[inline(never)]
    pub fn insert(&mut self, tree: &mut WakeupTree, trace: &Trace, v: &Reversal) -> usize {
        if tree.is_empty() {
            self.move_together();
            let start = self.steps.len();
            self.steps.extend(v.steps(trace));
            tree.children = self.with_branch(tree.children, start);
            tree.size = v.len();
            return tree.size as usize + 2;
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.fill(trace, v);
        let size = self.insert_by(tree, &mut RestOf { rest: &mut rest, trace });
        self.rest = rest;
        size
    }

    /// The same, with a guide that says what is left of v.
    #[inline]
    pub fn insert_by(&mut self, tree: &mut WakeupTree, rest: &mut impl Guide) -> usize {
        self.move_together();
        let start = self.steps.len();
        self.path.clear();
        let mut children = tree.children;
        loop {
            let (branch, end) = match self.matching_child(children.first, rest) {
                Matching::Child(branch, end) => (branch, end),
                Matching::Redundant => return tree.size as usize + 2,
                Matching::None => break,
            };
            self.path.push(branch);
            if end < self.get(branch).end {
                self.split(branch, end);
                break;
            }
            children = self.get(branch).children;
            if children.first == NO_BRANCH {
                return tree.size as usize + 2;
            }
        }
        self.steps.extend(rest.steps());
        match self.path.last() {
            Some(&above) => self.get_mut(above).children = self.with_branch(self.get(above).children, start),
            None => tree.children = self.with_branch(tree.children, start),
        }
        tree.size += rest.len();
        for &branch in &self.path {
            self.branches[branch.0 as usize].size += rest.len();
        }
        tree.size as usize + 2
    }

    /// The first of these siblings whose first step p can start what is left of v, `p.… ∼ v`, and where v no longer goes
    /// on by its steps.
    #[inline]
    fn matching_child(&self, first: BranchId, rest: &mut impl Guide) -> Matching {
        let mut child = first;
        while child != NO_BRANCH {
            let Branch { start, end, next_sibling, .. } = self.branches[child.0 as usize];
            let mut at = start;
            while at < end {
                match rest.goes_by(&self.steps[at as usize]) {
                    Going::On => at += 1,
                    Going::NotBy => break,
                    Going::Redundant => return Matching::Redundant,
                }
            }
            if at > start {
                return Matching::Child(child, at);
            }
            child = next_sibling;
        }
        Matching::None
    }

    /// The steps of a branch from `at` on become a branch below it.
    fn split(&mut self, above: BranchId, at: u32) {
        let Branch { start, end, size, children, .. } = *self.get(above);
        let below = self.branch(Branch { start: at, end, size: size - (at - start), children, ..NO_STEPS });
        let above = self.get_mut(above);
        above.end = at;
        above.children = Siblings { first: below, last: below };
    }

    /// Siblings, with a new branch behind them, of the steps from `start` on.
    fn with_branch(&mut self, siblings: Siblings, start: usize) -> Siblings {
        let (start, end) = (start as u32, self.steps.len() as u32);
        let last = self.branch(Branch { start, end, size: end - start, ..NO_STEPS });
        if siblings.first == NO_BRANCH {
            return Siblings { first: last, last };
        }
        self.get_mut(siblings.last).next_sibling = last;
        Siblings { last, ..siblings }
    }

    fn branch(&mut self, branch: Branch) -> BranchId {
        match self.free.pop() {
            Some(id) => {
                *self.get_mut(id) = branch;
                id
            }
            None => {
                self.branches.push(branch);
                BranchId(self.branches.len() as u32 - 1)
            }
        }
    }

    /// Moves the steps together once most of them have been taken out, and enough to make up for the work.
    #[inline]
    fn move_together(&mut self) {
        if self.taken_out > self.steps.len() / 2 && self.taken_out > self.branches.len() {
            self.move_all();
        }
    }

    fn move_all(&mut self) {
        self.moved.clear();
        // A branch that is not in use has no steps.
        for branch in &mut self.branches {
            let start = self.moved.len() as u32;
            self.moved.extend_from_slice(&self.steps[branch.start as usize..branch.end as usize]);
            (branch.start, branch.end) = (start, self.moved.len() as u32);
        }
        std::mem::swap(&mut self.steps, &mut self.moved);
        self.taken_out = 0;
    }

    #[inline]
    fn get(&self, branch: BranchId) -> &Branch {
        &self.branches[branch.0 as usize]
    }

    #[inline]
    fn get_mut(&mut self, branch: BranchId) -> &mut Branch {
        &mut self.branches[branch.0 as usize]
    }
}
