//! SPIN is the oracle: the same states and the same errors, on arbitrary models.

use crate::arbitrary;
use crate::oracle::{Counts, Spin};
use mazurka_promela::{Limits, Model, search};

/// Models with more states are left out.
const MOST_STATES: u64 = 50_000;

/// How many models are tried: `MAZURKA_SPIN_MODELS`, or so many.
const MODELS: u64 = 300;

fn count(text: &str) -> Result<Option<Counts>, String> {
    let model = Model::parse("model.pml", text, &[]).map_err(|problem| problem.to_string())?;
    let limits = Limits { keep_going: true, states: Some(MOST_STATES), memory: Some(200_000_000), ..Limits::default() };
    let outcome = search(&model, &limits);
    Ok(outcome.limit.is_none().then_some(Counts { states: outcome.states, errors: outcome.errors }))
}

/// Why the two differ, if they do.
fn difference(spin: &Spin, genes: &[u8]) -> Option<String> {
    let text = arbitrary::model(genes, false);
    let ours = match count(&text) {
        Ok(Some(ours)) => Ok(ours),
        Ok(None) => return None,
        Err(problem) => Err(problem),
    };
    let theirs = spin.count(&text, &["-DSAFETY"], &[]);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) if ours == theirs => None,
        (Err(_), Err(_)) => None,
        // A long way through an `atomic`, or one without an end.
        (Ok(_), Err(reason)) if reason.contains("too deep") => None,
        (ours, theirs) => Some(format!("ours {ours:?}\nSPIN's {theirs:?}\n{text}")),
    }
}

#[test]
fn arbitrary_models_have_the_states_that_spin_counts() {
    let Some(spin) = Spin::find() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let models = number("MAZURKA_SPIN_MODELS").unwrap_or(MODELS);
    let first = number("MAZURKA_SPIN_SEED").unwrap_or(1);
    for seed in first..first + models {
        let genes = arbitrary::genes(seed, 200);
        if difference(&spin, &genes).is_some() {
            panic!("seed {seed}:\n{}", arbitrary::shrink(genes, |genes| difference(&spin, genes)));
        }
    }
}

/// What a search takes back of a receive is what was received, also where that was too large for the variable. (SPIN puts the part back
/// that fitted, and finds an error here that no execution has.)
#[test]
fn a_receive_of_a_number_that_does_not_fit_is_taken_back() {
    let text = "chan c = [1] of { byte };\nbyte x;\n\
                active proctype p() { c!2; if :: x = 1 :: c?2 fi; assert(empty(c) || c?[2]) }\n\
                active proctype q() { bit j; end: c?j }\n";
    assert_eq!(count(text), Ok(Some(Counts { states: 13, errors: 0 })));
}
