//! Reductions come to the same verdicts as the search of all states, on every model and on arbitrary ones.

use crate::answers::models;
use crate::arbitrary;
use mazurka_promela::{Limits, Model, Outcome, Reduction, search, unreached};

/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;

/// How many arbitrary models are tried: `MAZURKA_REDUCED_MODELS`, or so many.
const MODELS: u64 = 600;

fn explored(model: &Model, reduction: Reduction, ignore_end_states: bool) -> Outcome {
    let limits = Limits {
        keep_going: true,
        states: Some(MOST_STATES),
        memory: Some(200_000_000),
        ignore_end_states,
        reduction,
        ..Limits::default()
    };
    search(model, &limits)
}

/// Why a reduction is wrong on a model, if it is.
fn difference(model: &Model) -> Option<String> {
    for ignore_end_states in [false, true] {
        let full = explored(model, Reduction::Full, ignore_end_states);
        if full.limit.is_some() {
            return None;
        }
        for reduction in Reduction::ALL {
            let reduced = explored(model, reduction, ignore_end_states);
            let is_as_large = reduced.states == full.states;
            let has_size = if reduction == Reduction::Sleep { is_as_large } else { reduced.states <= full.states };
            let is_less = reduced.transitions <= full.transitions;
            let lines = |outcome: &Outcome| format!("{:?}", unreached(model, outcome));
            if (reduced.errors > 0) != (full.errors > 0) || !has_size || !is_less || lines(&reduced) != lines(&full) {
                let shown = |outcome: &Outcome| (outcome.states, outcome.transitions, outcome.errors, lines(outcome));
                return Some(format!("{reduction:?}: {:?}, full: {:?}", shown(&reduced), shown(&full)));
            }
        }
    }
    None
}

#[test]
fn models_have_the_same_verdicts_by_every_reduction() {
    for (path, text) in models() {
        let model = Model::parse(&path.to_string_lossy(), &text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(difference(&model), None, "{}", path.display());
    }
}

fn difference_by(genes: &[u8]) -> Option<String> {
    let text = arbitrary::model(genes, false);
    let model = Model::parse("model.pml", &text, &[]).ok()?;
    difference(&model).map(|why| format!("{why}\n{text}"))
}

#[test]
fn arbitrary_models_have_the_same_verdicts_by_every_reduction() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let models = number("MAZURKA_REDUCED_MODELS").unwrap_or(MODELS);
    let first = number("MAZURKA_SPIN_SEED").unwrap_or(1);
    for seed in first..first + models {
        let genes = arbitrary::genes(seed, 200);
        if difference_by(&genes).is_some() {
            panic!("seed {seed}:\n{}", arbitrary::shrink(genes, difference_by));
        }
    }
}
