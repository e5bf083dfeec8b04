//! Which steps of an `atomic` have nothing in between.

use super::*;

impl Flow {
    pub(super) fn make_atomic(&mut self, seq: Seq, in_dstep: bool) {
        self.walk_atomic(seq, in_dstep);
        let last = self.sequences[seq].last.expect("a closed sequence has an element");
        match self.elements[last].kind.clone() {
            Kind::Sub(Sub::Atomic | Sub::Block, inner) => self.make_atomic(inner, in_dstep),
            Kind::Unless(main, _) => self.make_atomic(main, in_dstep),
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].ends_atomic = true;
            }
        }
    }

    pub(super) fn walk_atomic(&mut self, seq: Seq, in_dstep: bool) {
        for element in self.elements_of(seq) {
            self.elements[element].atomic = true;
            self.elements[element].in_dstep |= in_dstep;
            match self.elements[element].kind.clone() {
                Kind::Sub(Sub::DStep, _) if !in_dstep => {}
                Kind::Sub(_, inner) => {
                    // Within `atomic`, an `atomic` is a block.
                    self.elements[element].kind = Kind::Sub(Sub::Block, inner);
                    self.walk_atomic(inner, in_dstep);
                }
                Kind::Choice(options) => {
                    for option in options {
                        self.walk_atomic(option, in_dstep);
                    }
                }
                Kind::Unless(main, escape) => {
                    self.walk_atomic(main, in_dstep);
                    self.walk_atomic(escape, in_dstep);
                }
                Kind::Leaf(_) | Kind::Goto(_) | Kind::Dot | Kind::Break => {}
            }
        }
    }

    /// A jump out of an `atomic` ends it; one from its end into another goes on with that one.
    pub(super) fn patch_atomic(&mut self) {
        for element in 0..self.elements.len() {
            let Kind::Goto(jump) = self.elements[element].kind else { continue };
            let to = self.target(jump);
            let [from, to] = [element, to].map(|element| &self.elements[element]);
            let is_inside = from.atomic || from.ends_atomic;
            let leads_inside = to.atomic || to.ends_atomic;
            let (mut atomic, mut ends) = (from.atomic, from.ends_atomic);
            if is_inside && !leads_inside {
                (atomic, ends) = (false, true);
            }
            if ends && leads_inside {
                (atomic, ends) = (true, false);
            }
            self.elements[element].atomic = atomic;
            self.elements[element].ends_atomic = ends;
        }
    }
}
