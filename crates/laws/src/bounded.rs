//! What a search promises where it is bounded (docs/algorithms/bounds.md).
//!
//! Every interleaving within the bounds, by the oracle, gives the classes *within the bounds*. Then:
//! 1. an algorithm that is exhaustive within bounds reaches exactly these, each with the same ending;
//! 2. an optimal algorithm completes no class twice;
//! 3. a search that says that it was exhaustive, for it met no bound, has reached all classes of the program.

use crate::{Checked, Classes, Explored, Violation, oracle, run, violation};
use explore::{ALGORITHMS, AlgorithmInfo, Bounds, Settings};
use model::Program;

/// What the oracle knows.
struct Known {
    /// Classes within the bounds.
    within: Classes,
    /// All classes, if it can tell.
    all: Option<Classes>,
}

/// Tries these laws on `program` with every exhaustive algorithm. The oracle may run so many interleavings.
pub fn check_within(program: &dyn Program, bounds: Bounds, interleavings: u64) -> Result<Checked, Box<Violation>> {
    let Some(within) = oracle(program, bounds, interleavings)? else { return Ok(Checked::TooLarge) };
    let known = Known { within, all: oracle(program, Bounds::default(), interleavings)? };
    let mut settings = Settings { keep_going: true, bounds, ..Settings::default() };
    settings.limits.executions = Some(4 * interleavings.max(1000));
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive()) {
        let Some(found) = run(program, algorithm, &settings)? else { continue };
        if let Some(problem) = problem(program, algorithm, &found, &known) {
            return Err(violation(algorithm, &settings, format!("within {bounds}: {problem}")));
        }
    }
    Ok(Checked::Holds { classes: known.within.len() })
}

fn problem(program: &dyn Program, algorithm: &AlgorithmInfo, found: &Explored, known: &Known) -> Option<String> {
    let names = program.names();
    let promised = algorithm.guarantee.is_exhaustive_within_bounds().then_some(&known.within);
    if let Some(difference) = promised.and_then(|within| within.difference(&found.classes, names)) {
        return Some(difference);
    }
    if algorithm.guarantee.is_optimal() && found.classes.repeated() > 0 {
        return Some(format!("{} executions of classes that were explored before", found.classes.repeated()));
    }
    let all = known.all.as_ref().filter(|_| found.report.exhaustive)?;
    match all.by(algorithm.equivalence, names) {
        Ok(all) => all.difference(&found.classes, names).map(|d| format!("said to be exhaustive, but {d}")),
        Err(problem) => Some(problem),
    }
}
