//! The ways to search: by several workers, with less of each state, for a shortest counterexample; and replays.

use crate::answers::models;
use crate::oracle::Spin;
use mazurka_promela::{
    Keeping, Limits, Model, Outcome, Progress, Property, Wrong, replay, search, search_cycles, search_shortest, trail,
    unreached,
};
use std::path::Path;

const ALL: Limits = Limits {
    states: None,
    time: None,
    memory: None,
    keep_going: true,
    ignore_end_states: false,
    reduction: mazurka_promela::Reduction::Full,
    keeping: Keeping::Exact,
    workers: 1,
};

fn parsed(path: &Path, text: &str) -> Model {
    Model::parse(&path.to_string_lossy(), text, &[]).unwrap_or_else(|problem| panic!("{problem}"))
}

fn counts(outcome: &Outcome) -> (u64, u64, u64) {
    (outcome.states, outcome.transitions, outcome.errors)
}

fn large(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/promela/models").join(name);
    Model::read(&path, &[]).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn several_workers_meet_the_states_that_one_meets() {
    let model = large("philosophers.pml");
    let one = search(&model, &ALL);
    assert_eq!(one.states, 154_450);
    for workers in [2, 3] {
        let several = search(&model, &Limits { workers, ..ALL });
        assert_eq!(counts(&several), counts(&one));
        let finding = several.finding.expect("they can all wait");
        assert!(replay(&model, &finding.schedule()).is_ok_and(|(_, is_wrong)| is_wrong));
    }
}

#[test]
fn a_limit_ends_the_search_of_all_workers() {
    let model = large("filter.pml");
    let states = Some(60_000);
    let outcome = search(&model, &Limits { workers: 2, states, ..ALL });
    assert_eq!(outcome.limit, Some(mazurka_promela::Limit::States));
    let outcome = search(&model, &Limits { workers: 2, memory: Some(5_000_000), ..ALL });
    assert_eq!(outcome.limit, Some(mazurka_promela::Limit::Memory));
    assert!(!outcome.is_proof());
}

/// With room enough, states that are kept in part are told apart as well, but it is never a proof.
#[test]
fn states_that_are_kept_in_part_are_as_many() {
    for (path, text) in models() {
        let model = parsed(&path, &text);
        let exact = search(&model, &ALL);
        for keeping in [Keeping::Compact, Keeping::Bits(24)] {
            let part = search(&model, &Limits { keeping, ..ALL });
            let is_near = part.states <= exact.states && part.states as f64 >= 0.999 * exact.states as f64;
            assert!(is_near, "{} {keeping:?}: {} of {}", path.display(), part.states, exact.states);
            assert!(!part.is_proof() && part.coverage < 1.0);
        }
    }
}

/// A field that is much too small loses states, and says so.
#[test]
fn a_small_field_says_how_little_it_covers() {
    let model = large("philosophers.pml");
    let part = search(&model, &Limits { keeping: Keeping::Bits(17), ..ALL });
    assert!(part.states < 154_450 && part.coverage < 0.9, "{} {}", part.states, part.coverage);
}

/// Every counterexample leads to what it shows when its schedule is replayed.
#[test]
fn counterexamples_are_replayed() {
    let mut replayed = 0;
    for (path, text) in models() {
        let model = parsed(&path, &text);
        let claims = model.claims().map(|name| Property::Claim(name.to_owned()));
        let properties = claims.chain([Property::NonProgress]);
        let mut outcomes = vec![search(&model, &Limits::default())];
        outcomes.push(search_shortest(&model, &Limits::default(), &Progress::default()));
        outcomes
            .extend(properties.map(|it| search_cycles(&model, &it, false, &Limits::default()).expect("it is there")));
        for finding in outcomes.into_iter().filter_map(|outcome| outcome.finding) {
            let schedule = finding.schedule();
            match replay(&model, &schedule) {
                Ok((again, is_wrong)) => assert!(is_wrong && again.wrong == finding.wrong, "{}", path.display()),
                Err(problem) => panic!("{}: {schedule}: {problem}", path.display()),
            }
            replayed += 1;
        }
    }
    assert!(replayed > 20, "{replayed}");
}

#[test]
fn a_schedule_that_does_not_fit_is_refused() {
    let model = Model::parse("m.pml", "byte x; active proctype P() { x = 1; x == 2 }", &[]).expect("a model");
    for (schedule, why) in [
        ("mzk1:0", "is no schedule of a model"),
        ("mzp1:0.0,0.0", "step 2 of the schedule is not possible"),
        ("mzp1:7.0", "step 1 of the schedule is not possible"),
        ("mzp1:0.x", "is no step of a schedule"),
        ("mzp1:0.0;from 9", "is no part of a schedule"),
        ("mzp1:0.0;from 0;accepted", "do not come back"),
    ] {
        let problem = replay(&model, schedule).map(|_| ()).expect_err(schedule);
        assert!(problem.contains(why), "{schedule}: {problem}");
    }
    assert!(replay(&model, "mzp1:0.0").is_ok_and(|(_, is_wrong)| is_wrong));
    assert!(replay(&model, "mzp1:").is_ok_and(|(_, is_wrong)| !is_wrong));
}

/// A shortest counterexample is as long as the one that SPIN finds breadth first.
#[test]
fn shortest_counterexamples_are_as_long_as_those_of_spin() {
    let Some(spin) = Spin::find() else { return };
    for (path, text) in models() {
        let model = parsed(&path, &text);
        let shortest = search_shortest(&model, &Limits::default(), &Progress::default());
        let found = search(&model, &Limits::default());
        assert_eq!(shortest.errors > 0, found.errors > 0, "{}", path.display());
        if shortest.errors == 0 {
            assert_eq!(shortest.states, found.states, "{}", path.display());
        } else if let (Some(depth), Some(finding)) = (spin.shortest(&text), &shortest.finding) {
            // Both sides of a rendezvous count for SPIN, and a step that fails does not.
            let failing = u64::from(matches!(finding.wrong, Wrong::Fault(_)));
            assert_eq!(trail(&model, finding).rows.len() as u64, depth + failing, "{}", path.display());
        }
    }
}

/// The lines of statements that no process came to are those of SPIN.
#[test]
fn unreached_lines_are_those_of_spin() {
    let Some(spin) = Spin::find() else { return };
    for (path, text) in models() {
        let model = Model::parse("model.pml", &text, &[]).expect("a model");
        let outcome = search(&model, &ALL);
        let ours = unreached(&model, &outcome).into_iter().map(|found| (found.proctype, found.line));
        let ours: std::collections::BTreeSet<_> = ours.collect();
        let theirs = spin.unreached(&text).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        assert_eq!(ours, theirs, "{}", path.display());
    }
}
