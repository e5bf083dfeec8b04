//! Every interleaving: the oracle that the other algorithms are compared with.
//!
//! No paper, no reduction, nothing clever: after every prefix, every enabled thread by every alternative. What it
//! reaches is what there is.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::{Choice, Pending};

/// See the head of this file.
pub(crate) struct Naive;

impl Algorithm for Naive {
    fn forget(&mut self) {}

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        // left[i]: the steps still to be explored after the first i steps of E; all[i]: how many there were.
        let mut left: Vec<Vec<Choice>> = Vec::new();
        let mut all: Vec<usize> = Vec::new();
        let mut enabled: Vec<Pending> = Vec::new();
        loop {
            let beyond = e.enabled(&mut enabled)?;
            if enabled.is_empty() {
                e.finish(|| Some(share(&left, &all)))?;
            } else {
                e.note_out_of_bounds(beyond);
            }
            left.push(enabled.iter().rev().flat_map(every_alternative).collect());
            all.push(left.last().map_or(0, Vec::len));
            while left.last().is_some_and(Vec::is_empty) {
                left.pop();
                all.pop();
            }
            let Some(steps) = left.last_mut() else { return Ok(()) };
            let step = steps.pop().expect("a prefix with steps left");
            e.cut(left.len() - 1);
            e.step(step)?;
        }
    }
}

/// Every way to take a step, the last alternative first, for lists that are taken from their end.
pub(crate) fn every_alternative(pending: &Pending) -> impl Iterator<Item = Choice> + use<> {
    let pending = *pending;
    (0..pending.alternatives).rev().map(move |alternative| pending.choice_of(alternative))
}

/// The share of the tree that lies behind the current path.
fn share(left: &[Vec<Choice>], all: &[usize]) -> f64 {
    let mut done = 0.0;
    let mut width = 1.0;
    for (left, &all) in left.iter().zip(all) {
        width /= all as f64;
        done += width * (all - left.len() - 1) as f64;
    }
    done
}
