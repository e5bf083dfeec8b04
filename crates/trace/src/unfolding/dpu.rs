//! The choices of Dpu 0.5.2, the tool of the paper, where the algorithm leaves them open: how many executions are blocked
//! with k-partial alternatives depends on them.
//!
//! - The open events of D are looked after newest first, k of them, each by a candidate of its own.
//! - With k = 1 the first candidate that fits is taken. Otherwise each spike is filtered before candidates are combined; one
//!   that does not fit is replaced by the last.
//! - Candidates come in the order in which they were made; but for the first locks of a mutex in the order of a ring:
//!   from d on, where the ring is the first, the newest, and so on back to the second.
//! - What an alternative adds is replayed round robin, each thread as far as it goes.

use super::alternative::{Alternatives, Found};
use super::arena::{Node, Unfolding};
use super::configuration::Configuration;
use super::done::Done;

impl Alternatives {
    /// As [`Alternatives::find`], by the choices of Dpu.
    pub fn find_as_dpu(&mut self, unfolding: &mut Unfolding, c: &mut Configuration, done: &Done) -> Found {
        let wanted = self.k().map_or(usize::MAX, |k| k as usize);
        let mut spikes = Vec::new();
        for open in done.open().iter().rev().take(wanted) {
            let spike = spike(unfolding, c, open.node, wanted == 1);
            if spike.is_empty() {
                return Found::Nothing;
            }
            spikes.push(spike);
        }
        let len = c.len();
        if !combine(unfolding, c, &spikes) {
            return Found::Nothing;
        }
        let added: Vec<Node> = c.nodes()[len..].to_vec();
        c.shrink(unfolding, len);
        self.set_path(round_robin(unfolding, c, added));
        Found::Alternative
    }
}

/// The candidates for d that fit alone.
fn spike(unfolding: &mut Unfolding, c: &mut Configuration, d: Node, first_only: bool) -> Vec<Node> {
    let mut spike = unfolding.followers_as_made(d);
    if unfolding.slot(d).write == Node::NONE {
        as_ring(&mut spike, d);
    }
    spike.retain(|&f| unfolding.are_rivals(d, f));
    let mut at = 0;
    while at < spike.len() {
        let fits = fits_alone(unfolding, c, spike[at]);
        if fits && first_only {
            return vec![spike[at]];
        }
        if fits {
            at += 1;
        } else if first_only {
            spike.remove(at);
        } else {
            spike.swap_remove(at);
        }
    }
    spike
}

fn fits_alone(unfolding: &mut Unfolding, c: &mut Configuration, node: Node) -> bool {
    let len = c.len();
    let fits = add(unfolding, c, node);
    c.shrink(unfolding, len);
    fits
}

/// Adds an event unless it is there.
fn add(unfolding: &mut Unfolding, c: &mut Configuration, node: Node) -> bool {
    c.has(node) || c.add(unfolding, node).is_ok()
}

/// Puts the events that no write came before into the order in which Dpu lists them for d.
fn as_ring(roots: &mut [Node], d: Node) {
    if let Some((_, all_but_first)) = roots.split_first_mut() {
        all_but_first.reverse();
    }
    let place = roots.iter().position(|&root| root == d).unwrap_or(0);
    roots.rotate_left(place);
}

/// Adds one candidate of each spike, the first that fit together.
fn combine(unfolding: &mut Unfolding, c: &mut Configuration, spikes: &[Vec<Node>]) -> bool {
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    while chosen.len() < spikes.len() {
        let spike = &spikes[chosen.len()];
        let len = c.len();
        match (from..spike.len()).find(|&place| add(unfolding, c, spike[place])) {
            Some(place) => {
                chosen.push((place, len));
                from = 0;
            }
            None => {
                let Some((place, len)) = chosen.pop() else { return false };
                c.shrink(unfolding, len);
                from = place + 1;
            }
        }
    }
    true
}

/// The same events: of each thread in turn as many as can come next.
fn round_robin(unfolding: &Unfolding, c: &mut Configuration, mut left: Vec<Node>) -> Vec<Node> {
    left.sort_by_key(|&node| (unfolding.choice(node).thread, unfolding.slot(node).index));
    let len = c.len();
    while !left.is_empty() {
        left.retain(|&node| {
            let slot = unfolding.slot(node);
            let mut causes = slot.causes.iter().filter(|&&cause| cause != Node::NONE);
            let comes_next = causes.all(|&cause| c.has(cause));
            if comes_next {
                c.push(unfolding, node);
            }
            !comes_next
        });
    }
    let path = c.nodes()[len..].to_vec();
    c.shrink(unfolding, len);
    path
}
