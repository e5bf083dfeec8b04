//! Reductions come to the same verdicts as the search of all states, on every model and on arbitrary ones.

use crate::answers::models;
use crate::arbitrary;
use crate::oracle::Spin;
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

/// The verifiers of SPIN have a reduction of their own, by steps that touch nothing of others. Both reductions here leave no more
/// states than that.
#[test]
fn reductions_leave_no_more_states_than_spins() {
    let Some(spin) = Spin::find() else { return };
    let mut fewer = 0;
    for (path, text) in models() {
        let model = Model::parse(&path.to_string_lossy(), &text, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        let theirs = spin.reduced(&text).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        for reduction in [Reduction::Persistent, Reduction::Source] {
            let ours = explored(&model, reduction, false).states;
            assert!(ours <= theirs, "{}: {ours} by {reduction:?}, and {theirs}", path.display());
            fewer += u64::from(ours < theirs);
        }
    }
    assert!(fewer > 40, "{fewer}");
}

/// Where all steps of a persistent set close cycles, another set is explored, and not all steps.
#[test]
fn a_cycle_asks_for_another_set_and_not_for_all_steps() {
    let text = "active [3] proctype Round() { bit x; do :: x = 1 - x od }";
    let model = Model::parse("model.pml", text, &[]).expect("a model");
    let counts = |reduction: Reduction| {
        let outcome = explored(&model, reduction, false);
        (outcome.states, outcome.transitions)
    };
    assert_eq!(counts(Reduction::Full), (8, 24));
    for reduction in [Reduction::Persistent, Reduction::Source] {
        assert_eq!(counts(reduction), (8, 14), "{reduction:?}");
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
