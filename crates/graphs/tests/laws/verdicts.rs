//! Under `sc`, graphs find what interleavings find: a failure or a deadlock of an arbitrary program is there in both, or in none.
//! And what there is under `sc`, there is under every other model.
//!
//! `MAZURKA_GRAPHS_VERDICTS` says how many programs of each profile are tried, `MAZURKA_GRAPHS_SEED` where to begin.

use crate::arbitrary::number;
use crate::explored;
use explore::{Settings, algorithm, check};
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use litmus::sketch::Sketch;
use mazurka_graphs::model;
use trace::Tally;

/// How many programs of each profile an ordinary run tries.
const PROGRAMS: u64 = 300;
/// Programs with more graphs are left out.
const MOST_GRAPHS: usize = 3_000;

/// Whether some execution fails, deadlocks, and completes. The latter two are not asked for where there are data races: a graph with
/// one is a failure however it ends, and interleavings of it need not all have the race.
type Verdict = [bool; 3];

/// What graphs say under a model, and whether there are data races; none if the program is too large, or has operations that graphs do not
/// have.
fn by_graphs(program: &LitmusProgram, memory: &str) -> Option<(Verdict, bool)> {
    let (keep, tally) = explored(program, model(memory).expect("a model"), MOST_GRAPHS, None)?;
    Some((verdict(&tally, keep.has_races), keep.has_races))
}

fn verdict(tally: &Tally, has_races: bool) -> Verdict {
    [tally.failed > 0, !has_races && tally.deadlocked > 0, !has_races && tally.completed > 0]
}

/// What graphs and interleavings say; none if the program is too large, or has operations that graphs do not have.
fn verdicts(sketch: &Sketch) -> Option<(Verdict, Verdict)> {
    let program = LitmusProgram::new(sketch.clone()).ok()?;
    let (graphs, has_races) = by_graphs(&program, "sc")?;
    let settings = Settings { keep_going: true, ..Settings::default() };
    let mut optimal = (algorithm("optimal").expect("an algorithm").make)();
    let steps = check(&program, &mut *optimal, &settings).ok()?.tally;
    Some((graphs, verdict(&steps, has_races)))
}

/// What a program does under `sc`, and does not under this model; none if there is nothing.
fn lost(sketch: &Sketch, memory: &str) -> Option<(Verdict, Verdict)> {
    let program = LitmusProgram::new(sketch.clone()).ok()?;
    let (sc, has_races_under_sc) = by_graphs(&program, "sc")?;
    // A machine knows no data races.
    if has_races_under_sc && matches!(memory, "tso" | "pso") {
        return None;
    }
    let (weak, has_races) = by_graphs(&program, memory)?;
    let asked = |verdict: usize| verdict == 0 || !has_races;
    (0..sc.len()).any(|i| asked(i) && sc[i] && !weak[i]).then_some((sc, weak))
}

#[test]
fn what_there_is_under_sc_there_is_under_every_model() {
    let first = number("MAZURKA_GRAPHS_SEED", 0);
    for profile in Profile::ALL.into_iter().filter(|profile| *profile != Profile::Messages) {
        let generator = Generator::new(profile);
        for seed in first..first + number("MAZURKA_GRAPHS_VERDICTS", PROGRAMS) / 3 {
            for memory in ["tso", "pso", "ra", "rc11"] {
                if lost(&generator.sample(seed), memory).is_some() {
                    let differs = |sketch: &Sketch| lost(sketch, memory).is_some();
                    let smallest = generator.shrink(seed, differs).expect("it differs");
                    panic!(
                        "seed {seed} of {}: fails, deadlocks, completes under sc and {memory}: {:?}\n{smallest}",
                        profile.name(),
                        lost(&smallest, memory)
                    );
                }
            }
        }
    }
}

#[test]
fn graphs_and_interleavings_find_the_same() {
    let first = number("MAZURKA_GRAPHS_SEED", 0);
    let mut tried = 0;
    for profile in Profile::ALL.into_iter().filter(|profile| *profile != Profile::Messages) {
        let generator = Generator::new(profile);
        for seed in first..first + number("MAZURKA_GRAPHS_VERDICTS", PROGRAMS) {
            let differs = |sketch: &Sketch| verdicts(sketch).is_some_and(|(graphs, steps)| graphs != steps);
            let Some((graphs, steps)) = verdicts(&generator.sample(seed)) else { continue };
            tried += 1;
            if graphs != steps {
                let smallest = generator.shrink(seed, differs).expect("it differs");
                let (graphs, steps) = verdicts(&smallest).expect("it differs");
                panic!(
                    "seed {seed} of {}: fails, deadlocks, completes: {graphs:?} by graphs and {steps:?} by interleavings\n{smallest}",
                    profile.name()
                );
            }
        }
    }
    println!("{tried} programs");
    assert!(tried > 1_000);
}
