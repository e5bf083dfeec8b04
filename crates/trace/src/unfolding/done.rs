//! D: the events that are done with, and which of them C is in conflict with.

use super::arena::{Node, Unfolding};
use crate::dependence::Footprint;
use model::Choice;

/// An event of D that C is not in conflict with: it is enabled there.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub(super) node: Node,
    pub(super) choice: Choice,
    pub(super) footprint: Footprint,
}

impl Open {
    /// Whether an event that comes next justifies this one: both are enabled where it does, and depend on each other.
    #[inline]
    pub(super) fn is_justified_by(&self, choice: Choice, footprint: &Footprint) -> bool {
        self.choice.thread == choice.thread || self.footprint.depends(footprint)
    }
}

/// See the head of this file.
#[derive(Debug, Default)]
pub struct Done {
    /// All, each with the length of C when it was added.
    all: Vec<(Node, usize)>,
    /// Those that are not justified, the newest last.
    open: Vec<Open>,
    /// Those that are, each with the place in C of the event that justifies it.
    justified: Vec<(Open, usize)>,
}

impl Done {
    /// Those that C is not in conflict with, the newest last.
    #[inline]
    pub fn open(&self) -> &[Open] {
        &self.open
    }

    /// Whether a step that is enabled is done with.
    #[inline]
    pub fn has(&self, choice: Choice) -> bool {
        self.open.iter().any(|open| open.choice == choice)
    }

    /// A step was put at this place of C, as its last event.
    #[inline]
    pub fn grow(&mut self, choice: Choice, footprint: Footprint, place: usize) {
        if !self.open.iter().any(|open| open.is_justified_by(choice, &footprint)) {
            return;
        }
        let newest_first = self.justified.len();
        let justified = &mut self.justified;
        self.open.retain(|open| {
            let is_justified = open.is_justified_by(choice, &footprint);
            if is_justified {
                justified.push((*open, place));
            }
            !is_justified
        });
        justified[newest_first..].reverse();
    }

    /// C was cut to this length: what was added beyond it is dropped, and what was justified beyond it is open again.
    pub fn cut(&mut self, unfolding: &mut Unfolding, len: usize, dropped: &mut Vec<Node>) {
        while let Some(&(node, added)) = self.all.last()
            && added > len
        {
            self.all.pop();
            unfolding.leave_done(node);
            unfolding.give_back(node);
            self.open.retain(|open| open.node != node);
            dropped.push(node);
        }
        while let Some(&(open, place)) = self.justified.last()
            && place >= len
        {
            self.justified.pop();
            self.open.push(open);
        }
    }

    /// `node`, which comes next in C of this length, is done with.
    pub fn add(&mut self, unfolding: &mut Unfolding, node: Node, len: usize) {
        unfolding.enter_done(node);
        let slot = unfolding.slot(node);
        self.open.push(Open { node, choice: slot.choice, footprint: slot.footprint });
        self.all.push((node, len));
    }

    /// Takes out again what was added last.
    pub fn take_back(&mut self, unfolding: &mut Unfolding) {
        if let Some((node, _)) = self.all.pop() {
            self.open.pop();
            unfolding.leave_done(node);
        }
    }
}
