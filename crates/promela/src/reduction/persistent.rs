//! Static persistent sets.
//!
//! ```text
//! T is persistent in s if no sequence from s outside of T has a step that is dependent with one in T.
//!
//! C := { some process }                                   (Godefroid 1996, section 4.3; Overman 1981)
//! repeat: if some p in C has a transition t at its control state, possible or not,
//!         and init_accesses(t) conflicts with future_accesses(q) of some q not in C
//!         then C := C + q
//! T := the possible steps of the processes in C           (if there are none, begin with another process)
//! ```
//!
//! Of all processes to begin with, the one is taken whose set is smallest, and of several such ones the youngest. Where a cycle asks for
//! more, the set with the fewest steps that were not explored yet comes next, and all steps only behind the last. That transitions which are not possible count
//! is needed: a process outside could make one possible, which then is a first step of C that T does not have. A rendezvous
//! is touched by both sides, so that both are in C or neither is.

use crate::analysis::{Analysis, Present};
use crate::machine::Step;
use crate::touch::Touch;
use std::rc::Rc;

/// Which of the steps are a persistent set. Of them, the first so many were explored, and there must be another one.
pub(crate) fn set(analysis: &mut Analysis<'_>, present: &Present<'_>, steps: &[Step], explored: usize) -> Vec<bool> {
    let init = inits(analysis, present, steps);
    let futures: Vec<Rc<Touch>> =
        (0..present.count()).map(|process| analysis.future(&present.view(process), present.control(process))).collect();
    let mut best = vec![true; steps.len()];
    for process in (0..present.count()).rev() {
        let cluster = cluster(process, &init, &futures);
        let chosen: Vec<bool> = steps.iter().map(|step| cluster[usize::from(step.process)]).collect();
        let size = count(&chosen[explored..]);
        if size > 0 && size < count(&best[explored..]) {
            best = chosen;
        }
    }
    best
}

pub(crate) fn count(chosen: &[bool]) -> usize {
    chosen.iter().filter(|chosen| **chosen).count()
}

/// For each process, what its next step touches, whichever of its transitions it is.
fn inits(analysis: &Analysis<'_>, present: &Present<'_>, steps: &[Step]) -> Vec<Touch> {
    let of = |process: usize| {
        let mut all = Touch::default();
        for transition in 0..present.transitions(process) {
            all.add(&analysis.init(&present.view(process), transition, is_possible(steps, process, transition)));
        }
        all
    };
    (0..present.count()).map(of).collect()
}

/// Whether a process can take a transition now, by itself or as who sends.
pub(crate) fn is_possible(steps: &[Step], process: usize, transition: usize) -> bool {
    steps.iter().any(|step| (usize::from(step.process), usize::from(step.transition)) == (process, transition))
}

/// The processes that one draws in.
fn cluster(first: usize, init: &[Touch], futures: &[Rc<Touch>]) -> Vec<bool> {
    let mut is_in = vec![false; init.len()];
    is_in[first] = true;
    let mut left = vec![first];
    while let Some(process) = left.pop() {
        for other in 0..init.len() {
            if !is_in[other] && init[process].conflicts(&futures[other]) {
                is_in[other] = true;
                left.push(other);
            }
        }
    }
    is_in
}
