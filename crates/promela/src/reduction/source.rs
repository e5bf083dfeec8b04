//! Static source sets.
//!
//! ```text
//! a may-set T': one transition for each process, of those that it can take next, now or when others have moved
//! T is a source set in s if every may-set T' has a T'' with               (CMP Theorem 3, corrected)
//!     the possible steps of T'' are some, and are in T
//!     no init_accesses(t''), t'' in T'', conflicts with future_accesses(t') of a t' in T' \ T''
//!
//! T := {}
//! for every may-set T', those with the largest T'' first:
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

/// Which of the steps are a source set, and whether they are a persistent one.
pub(crate) fn set(analysis: &mut Analysis<'_>, present: &Present<'_>, steps: &[Step]) -> (Vec<bool>, bool) {
    let persistent = persistent::set(analysis, present, steps, 0);
    if count(&persistent) == 1 {
        return (persistent, true);
    }
    let choices: Vec<usize> = (0..present.count()).map(|process| present.transitions(process)).collect();
    let may_sets = choices.iter().filter(|choices| **choices > 0).try_fold(1usize, |all, more| all.checked_mul(*more));
    if may_sets.is_none_or(|may_sets| may_sets > MOST_MAY_SETS) {
        return (persistent, true);
    }
    let nexts: Vec<Vec<Next>> = (0..present.count()).map(|process| nexts(analysis, present, steps, process)).collect();
    let mut may_set = vec![0; choices.len()];
    let mut covers = vec![covers_of(&nexts, &may_set, steps)];
    while advance(&mut may_set, &choices) {
        covers.push(covers_of(&nexts, &may_set, steps));
    }
    let chosen = cover_all(covers, steps.len());
    if count(&chosen) < count(&persistent) { (chosen, false) } else { (persistent, true) }
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

/// The possible steps of each T'' that a may-set has.
fn covers_of(nexts: &[Vec<Next>], may_set: &[usize], steps: &[Step]) -> Vec<Vec<bool>> {
    let is_of = |process: u8, transition: u16| may_set[usize::from(process)] == usize::from(transition);
    // A rendezvous belongs to a may-set that has both its sides.
    let is_there = |step: &Step| {
        is_of(step.process, step.transition)
            && step.partner.is_none_or(|(process, transition)| is_of(process, transition))
    };
    let cover = |first: &Step| {
        let closed = closure(nexts, may_set, usize::from(first.process));
        steps.iter().map(|step| is_there(step) && closed[usize::from(step.process)]).collect()
    };
    steps.iter().filter(|step| is_there(step)).map(cover).collect()
}

/// Some steps that hold a cover of every may-set. Those with the largest covers come first: what they need anyway is
/// often enough for the others.
fn cover_all(mut covers: Vec<Vec<Vec<bool>>>, steps: usize) -> Vec<bool> {
    let least = |covers: &Vec<Vec<bool>>| covers.iter().map(|cover| count(cover)).min().unwrap_or(0);
    covers.sort_by_key(|covers| std::cmp::Reverse(least(covers)));
    let mut chosen = vec![false; steps];
    for covers in covers {
        let with = |cover: &Vec<bool>| -> Vec<bool> {
            cover.iter().zip(&chosen).map(|(more, chosen)| *more || *chosen).collect()
        };
        // A may-set without a possible step is that of no sequence.
        if let Some(best) = covers.iter().map(with).min_by_key(|chosen| count(chosen)) {
            chosen = best;
        }
    }
    chosen
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
