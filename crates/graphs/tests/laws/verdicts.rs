//! Under `sc`, graphs find what interleavings find: a failure or a deadlock of an arbitrary program is there in both, or in none.
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

/// What graphs and interleavings say; none if the program is too large, or has operations that graphs do not have.
fn verdicts(sketch: &Sketch) -> Option<(Verdict, Verdict)> {
    let program = LitmusProgram::new(sketch.clone()).ok()?;
    let sc = model("sc").expect("a model");
    let (keep, graphs) = explored(&program, sc, MOST_GRAPHS, None)?;
    let settings = Settings { keep_going: true, ..Settings::default() };
    let mut optimal = (algorithm("optimal").expect("an algorithm").make)();
    let steps = check(&program, &mut *optimal, &settings).ok()?.tally;
    let verdict = |tally: &Tally| {
        let ends = !keep.has_races;
        [tally.failed > 0, ends && tally.deadlocked > 0, ends && tally.completed > 0]
    };
    Some((verdict(&graphs), verdict(&steps)))
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
