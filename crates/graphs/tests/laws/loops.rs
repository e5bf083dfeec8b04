//! Loops that wait: under each model, what completes is what completes where the one round that leaves the loop is all there is
//! of it, `assume` in place of `break`. (The search of the latter knows nothing of loops.)
//!
//! `MAZURKA_GRAPHS_PROGRAMS` says how many programs are tried, `MAZURKA_GRAPHS_SEED` where to begin.

use crate::arbitrary::number;
use crate::{explored, program};
use fastrand::Rng;
use mazurka_graphs::MODELS;
use mazurka_graphs::naive::Key;
use std::collections::BTreeSet;
use trace::Ending;

const PROGRAMS: u64 = 1_500;
/// Programs with more graphs are left out.
const MOST_GRAPHS: usize = 3_000;

#[test]
fn a_round_without_effect_is_a_blocked_read() {
    let first = number("MAZURKA_GRAPHS_SEED", 0);
    let (mut tried, mut completed, mut stuck) = (0, 0, 0);
    for seed in first..first + number("MAZURKA_GRAPHS_PROGRAMS", PROGRAMS) {
        let (waiting, assuming) = (text(seed, true), text(seed, false));
        for info in MODELS {
            let Some((expected, _)) = explored(&program(&assuming), info, MOST_GRAPHS, None) else { continue };
            for order in [None, Some(seed)] {
                let Some((found, tally)) = explored(&program(&waiting), info, 4 * MOST_GRAPHS, order) else {
                    panic!("seed {seed} under {}: it does not end\n{waiting}", info.name);
                };
                let of = |keep: &crate::Keep| -> BTreeSet<Key> {
                    let completed = keep.found.iter().filter(|(_, (ending, _))| *ending == Ending::Completed);
                    completed.map(|(key, _)| key.clone()).collect()
                };
                let (expected, completes) = (of(&expected), of(&found));
                assert!(
                    expected == completes && found.found.values().all(|&(_, times)| times == 1),
                    "seed {seed} under {}: {} complete, {} do where the loop is one round\n{waiting}",
                    info.name,
                    completes.len(),
                    expected.len(),
                );
                tried += 1;
                completed += completes.len();
                stuck += tally.deadlocked;
            }
        }
    }
    println!("{tried} searches, {completed} graphs that complete, {stuck} livelocks and deadlocks");
    assert!(completed > 0 && stuck > 0);
}

/// A program in which some threads wait, by loops or by assumptions.
fn text(seed: u64, waits: bool) -> String {
    let mut rng = Rng::with_seed(seed);
    let threads: Vec<String> = (0..rng.u32(2..=3)).map(|thread| self::thread(&mut rng, thread, waits)).collect();
    format!("var x, y; {}", threads.join(" | "))
}

fn thread(rng: &mut Rng, thread: u32, waits: bool) -> String {
    let mut body: Vec<String> = (0..rng.u32(0..=2)).map(|i| statement(rng, &format!("r{i}"))).collect();
    if thread == 0 || rng.bool() {
        body.push(wait(rng, waits));
        if rng.bool() {
            body.push(statement(rng, "s"));
        }
    }
    if body.is_empty() {
        body.push(statement(rng, "r"));
    }
    format!("p{thread}: {}", body.join("; "))
}

fn variable(rng: &mut Rng) -> &'static str {
    if rng.bool() { "x" } else { "y" }
}

fn order(rng: &mut Rng, of: [&'static str; 3]) -> &'static str {
    of[rng.usize(0..3)]
}

const READ: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
const WRITE: [&str; 3] = ["relaxed", "release", "seq_cst"];
const UPDATE: [&str; 3] = ["relaxed", "acq_rel", "seq_cst"];

fn statement(rng: &mut Rng, register: &str) -> String {
    let (x, value) = (variable(rng), rng.u32(0..2));
    match rng.u32(0..6) {
        0..=2 => format!("{x} = {value} {}", order(rng, WRITE)),
        3 => format!("{register} = swap {x}, {value} {}", order(rng, UPDATE)),
        4 => "fence seq_cst".to_owned(),
        _ => format!("{register} = {x} {}", order(rng, READ)),
    }
}

fn wait(rng: &mut Rng, waits: bool) -> String {
    let (x, y, value, other) = (variable(rng), variable(rng), rng.u32(0..2), rng.u32(0..2));
    let (round, test) = match rng.u32(0..4) {
        0 => (format!("a = {x} {}", order(rng, READ)), format!("a == {value}")),
        // The answer is the value found: the round that leaves the loop is the one that changes it.
        1 => (format!("a = compare_exchange {x}, 0, 1 {}", order(rng, UPDATE)), "a == 0".to_owned()),
        2 => (format!("a = swap {x}, 1 {}", order(rng, UPDATE)), "a == 0".to_owned()),
        _ => {
            let looks = format!("a = {x} {}; b = {y} {}", order(rng, READ), order(rng, READ));
            (format!("{looks}; k = 0; if a == {value} {{ if b == {other} {{ k = 1 }} }}"), "k == 1".to_owned())
        }
    };
    if waits { format!("loop {{ {round}; if {test} {{ break }} }}") } else { format!("{round}; assume {test}") }
}
