//! Static source sets.
//!
//! ```text
//! a may-set T': one transition for each process, of those that it can take next, now or when others have moved
//! T is a source set in s if every may-set T' has a T'' with               (CMP Theorem 3, corrected)
//!     the possible steps of T'' are some, and are in T
//!     no init_accesses(t''), t'' in T'', conflicts with future_accesses(t') of a t' in T' \ T''
//!
//! T := {}
//! for every may-set T':
//!     for every possible t in T': T''(t) := the smallest set with t that conflicts with nothing else of T'
//!     if the possible steps of no T''(t) are in T already: add those of the T''(t) that adds fewest
//! ```
//!
//! The theorem as printed lets T'' be any part of T'; its proof explores a transition of T'', so that T'' must be explored.
//! Here T'' may also have transitions that are not possible in s. None of them can be the first of T'' in a sequence: what
//! comes before it conflicts with nothing that it looks at, so that it would be possible in s. Hence the first is a
//! possible one, which is in T; and if a sequence has none of T'', any possible one is independent of all of it.
//!
//! `future_accesses(t')` is what its process may do *if t' comes first*. This is what persistent sets cannot use, and
//! what makes {t2, t3} of the paper's Fig. 3 enough. A persistent set is a source set, so that the smaller one of both is taken.

use super::persistent::{self, count, is_possible};
use crate::analysis::{Analysis, Present};
use crate::machine::Step;
use crate::touch::Touch;

/// With more may-sets than this, persistent sets have to do.
const MOST_MAY_SETS: usize = 256;

/// A transition that a process can take next.
struct Next {
    init: Touch,
    future: Touch,
}

/// Which of the steps are a source set.
pub(crate) fn set(analysis: &mut Analysis<'_>, present: &Present<'_>, steps: &[Step]) -> Vec<bool> {
    let persistent = persistent::set(analysis, present, steps);
    if count(&persistent) == 1 {
        return persistent;
    }
    let choices: Vec<usize> = (0..present.count()).map(|process| present.transitions(process)).collect();
    let may_sets = choices.iter().filter(|choices| **choices > 0).try_fold(1usize, |all, more| all.checked_mul(*more));
    if may_sets.is_none_or(|may_sets| may_sets > MOST_MAY_SETS) {
        return persistent;
    }
    let nexts: Vec<Vec<Next>> = (0..present.count()).map(|process| nexts(analysis, present, steps, process)).collect();
    let mut chosen = vec![false; steps.len()];
    let mut may_set = vec![0; choices.len()];
    loop {
        cover(&nexts, &may_set, steps, &mut chosen);
        if count(&chosen) >= count(&persistent) {
            return persistent;
        }
        if !advance(&mut may_set, &choices) {
            return chosen;
        }
    }
}

fn nexts(analysis: &mut Analysis<'_>, present: &Present<'_>, steps: &[Step], process: usize) -> Vec<Next> {
    let view = present.view(process);
    let next = |transition: usize| Next {
        init: analysis.init(&view, transition, is_possible(steps, process, transition)),
        future: analysis.future_by(&view, transition),
    };
    (0..present.transitions(process)).map(next).collect()
}

/// The next may-set, as a number whose digits are choices; none behind the last.
fn advance(may_set: &mut [usize], choices: &[usize]) -> bool {
    for (choice, choices) in may_set.iter_mut().zip(choices) {
        *choice += 1;
        if *choice < *choices {
            return true;
        }
        *choice = 0;
    }
    false
}

/// Sees to it that a may-set has its T''.
fn cover(nexts: &[Vec<Next>], may_set: &[usize], steps: &[Step], chosen: &mut Vec<bool>) {
    let is_of = |process: u8, transition: u16| may_set[usize::from(process)] == usize::from(transition);
    // A rendezvous belongs to a may-set that has both its sides.
    let is_there = |step: &Step| {
        is_of(step.process, step.transition)
            && step.partner.is_none_or(|(process, transition)| is_of(process, transition))
    };
    let mut best: Option<Vec<bool>> = None;
    for first in steps.iter().filter(|step| is_there(step)) {
        let closed = closure(nexts, may_set, usize::from(first.process));
        let mut more = chosen.clone();
        for (place, step) in steps.iter().enumerate() {
            more[place] |= is_there(step) && closed[usize::from(step.process)];
        }
        if best.as_ref().is_none_or(|best| count(&more) < count(best)) {
            best = Some(more);
        }
    }
    if let Some(best) = best {
        *chosen = best;
    }
}

/// The processes of the smallest T'' with the transition of this one.
fn closure(nexts: &[Vec<Next>], may_set: &[usize], first: usize) -> Vec<bool> {
    let mut is_in = vec![false; nexts.len()];
    is_in[first] = true;
    let mut left = vec![first];
    while let Some(process) = left.pop() {
        for other in (0..nexts.len()).filter(|other| !nexts[*other].is_empty()) {
            let conflicts = || nexts[process][may_set[process]].init.conflicts(&nexts[other][may_set[other]].future);
            if !is_in[other] && conflicts() {
                is_in[other] = true;
                left.push(other);
            }
        }
    }
    is_in
}
