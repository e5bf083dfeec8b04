//! Models as programs: the laws hold of every algorithm on them, and their executions end in the states that the search of all
//! states finds.

#[path = "../../tests/promela/arbitrary.rs"]
mod arbitrary;

use crate::ModelProgram;
use crate::machine::{Alone, Fault, Machine, Shape, Step};
use crate::model::Model;
use crate::{Limits, Reduction, search};
use explore::{AlgorithmInfo, SchedulingOrder, Settings, algorithm, check, check_with};
use laws::Checked;
use model::Choice;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use trace::{Execution, Sink};

/// How many interleavings the oracle may run.
const INTERLEAVINGS: u64 = 3_000;

/// The steps of a state, and whether they are time-outs.
fn steps(machine: &Machine<'_>, state: &[u8], shape: &Shape, alone: Alone) -> Result<(Vec<Step>, bool), Fault> {
    let mut steps = Vec::new();
    if let Alone::Process(process) = alone {
        machine.steps_of(state, shape, process, false, &mut steps)?;
    }
    for timeout in [false, true] {
        if !steps.is_empty() {
            return Ok((steps, false));
        }
        for process in 0..shape.processes.len() as u8 {
            machine.steps_of(state, shape, process, timeout, &mut steps)?;
        }
        if !steps.is_empty() {
            return Ok((steps, timeout));
        }
    }
    Ok((steps, false))
}

/// More states are not looked at.
const STATES: usize = 20_000;

/// What there is to be met.
#[derive(Default)]
struct Reachable {
    /// The states in which nothing can go on.
    ends: BTreeSet<Vec<u8>>,
    /// Whether some way leads back to a state on it.
    comes_back: bool,
}

/// A state that is being looked at, or is done with.
type Visit = (Vec<u8>, Option<u8>, bool);

/// What there is to be met; none if something fails on the way, or there are too many states.
fn reachable(model: &Model) -> Option<Reachable> {
    let machine = Machine::new(model);
    let mut found = Reachable::default();
    // Each state, and whether it is on the way that is being followed.
    let mut seen: HashMap<(Vec<u8>, Option<u8>), bool> = HashMap::new();
    let mut left: Vec<Visit> = vec![(machine.initial().ok()?, None, false)];
    let mut shape = Shape::default();
    while let Some((state, process, is_done)) = left.pop() {
        let key = (state.clone(), process);
        if is_done {
            seen.insert(key, false);
            continue;
        }
        if let Some(is_on_the_way) = seen.get(&key) {
            found.comes_back |= is_on_the_way;
            continue;
        }
        seen.insert(key, true);
        left.push((state.clone(), process, true));
        machine.shape(&state, &mut shape);
        let alone = process.map_or(Alone::Nobody, Alone::Process);
        let (steps, timeout) = steps(&machine, &state, &shape, alone).ok()?;
        if steps.is_empty() {
            found.ends.insert(state.clone());
        }
        if seen.len() > STATES {
            return None;
        }
        for step in steps {
            let (mut after, mut shape) = (state.clone(), shape.clone());
            let alone = machine.take(&mut after, &mut shape, step, timeout).ok()?;
            if !machine.noted.take().is_empty() {
                return None;
            }
            let process = if let Alone::Process(process) = alone { Some(process) } else { None };
            left.push((after, process, false));
        }
    }
    Some(found)
}

/// The states that executions end in.
struct Ends<'p> {
    program: &'p ModelProgram,
    found: BTreeSet<Vec<u8>>,
}

impl Sink for Ends<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let choices: Vec<Choice> = execution.trace.events().iter().map(|event| event.choice).collect();
        self.found.insert(self.program.end_of(&choices));
        ControlFlow::Continue(())
    }
}

/// The states that the executions of a search pass through.
struct Passed<'p> {
    program: &'p ModelProgram,
    found: HashSet<Vec<u8>>,
}

impl Sink for Passed<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let choices: Vec<Choice> = execution.trace.events().iter().map(|event| event.choice).collect();
        self.found.extend((0..=choices.len()).map(|taken| self.program.end_of(&choices[..taken])));
        ControlFlow::Continue(())
    }
}

/// How many states a search with dynamic source sets would have to store: those that it passes through if it explores no class twice,
/// and knows nothing before it runs. None where executions do not end, or are too many.
fn dynamic(model: &Arc<Model>) -> Option<u64> {
    let program = ModelProgram::new(Arc::clone(model)).ok()?;
    let limits = explore::Limits { executions: Some(INTERLEAVINGS), ..explore::Limits::default() };
    let settings = Settings { keep_going: true, limits, ..Settings::default() };
    let mut passed = Passed { program: &program, found: HashSet::new() };
    let source = algorithm("source").expect("it is one of them");
    let report = check_with(&program, &mut *(source.make)(), &settings, &mut passed).ok()?;
    report.exhaustive.then_some(passed.found.len() as u64)
}

/// States of all, by static and by dynamic source sets; of models whose executions end, without `atomic`, whose middles are states
/// to one of them only.
fn stored(text: &str) -> Option<[u64; 3]> {
    if ["atomic", "d_step"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let model = Model::parse("model.pml", text, &[]).map(Arc::new).ok()?;
    let by = |reduction| search(&model, &Limits { keep_going: true, reduction, ..Limits::default() });
    let [full, source] = [Reduction::Full, Reduction::Source].map(by);
    (full.errors == 0).then_some([full.states, source.states, dynamic(&model)?])
}

/// What is measured in docs/algorithms/static-source.md.
#[test]
fn dynamic_source_sets_pass_through_fewer_states_than_there_are() {
    let (mut all, mut models) = ([0; 3], 0);
    for seed in 0..2_000 {
        let genes = arbitrary::genes(seed, 20 + (seed % 100) as usize);
        let text = arbitrary::model(&genes, true);
        let Some(counts) = stored(&text) else { continue };
        assert!(counts[2] <= counts[0], "{counts:?}\n{text}");
        models += 1;
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    println!("{models} models: states, by static, by dynamic source sets: {all:?}");
    assert!(models > 100, "{models}");
}

/// Tries the laws on a model, and compares the states that its executions end in. Says how many classes it has, unless there are too
/// many to be looked at.
fn difference(text: &str, seed: u64) -> Result<Option<usize>, String> {
    // Some of what is made is no model.
    let Ok(model) = Model::parse("model.pml", text, &[]).map(Arc::new) else { return Ok(None) };
    let program = ModelProgram::new(Arc::clone(&model)).map_err(|problem| problem.to_string())?;
    let orders = [SchedulingOrder::FirstCreated, SchedulingOrder::ALL[1 + (seed % 3) as usize].1];
    let classes = match laws::check(&program, &orders, INTERLEAVINGS) {
        Ok(Checked::Holds { classes }) => classes,
        Ok(Checked::TooLarge) => return Ok(None),
        Err(violation) => return Err(violation.to_string()),
    };
    let settings = Settings { keep_going: true, ..Settings::default() };
    let mut found = Ends { program: &program, found: BTreeSet::new() };
    let optimal = algorithm("optimal").expect("it is one of them");
    let report =
        check_with(&program, &mut *(optimal.make)(), &settings, &mut found).map_err(|error| error.to_string())?;
    let (failed, deadlocked) = (report.tally.failed, report.tally.deadlocked);
    let verified = search(&model, &Limits { keep_going: true, ..Limits::default() });
    if (failed + deadlocked > 0) != (verified.errors > 0) {
        return Err(format!("{failed} failed, {deadlocked} deadlocks, and {} errors by states", verified.errors));
    }
    let Some(Reachable { ends, .. }) = reachable(&model) else { return Ok(Some(classes)) };
    if report.exhaustive && found.found != ends {
        return Err(format!("executions end in {} states, and there are {}", found.found.len(), ends.len()));
    }
    Ok(Some(classes))
}

/// Whether an algorithm says of a model what it should: that executions come back to states if they do, and nothing else. Says
/// whether they do; nothing where that is not known, or the search is too long.
fn is_told(text: &str, info: &AlgorithmInfo) -> Result<Option<bool>, String> {
    let Ok(model) = Model::parse("model.pml", text, &[]).map(Arc::new) else { return Ok(None) };
    let Some(Reachable { comes_back, .. }) = reachable(&model) else { return Ok(None) };
    let program = ModelProgram::new(model).map_err(|problem| problem.to_string())?;
    let limits = explore::Limits { executions: Some(INTERLEAVINGS), ..explore::Limits::default() };
    let settings = Settings { keep_going: true, limits, ..Settings::default() };
    match check(&program, &mut *(info.make)(), &settings) {
        Err(explore::Error::ComesBack { step, to }) if comes_back && to < step => Ok(Some(true)),
        Ok(report) if !comes_back && report.exhaustive => Ok(Some(false)),
        Ok(report) if report.limit.is_some() => Ok(None),
        other => {
            Err(format!("{}: {:?}, and comes back: {comes_back}", info.name, other.map(|report| report.exhaustive)))
        }
    }
}

#[test]
fn what_comes_back_to_a_state_is_told_by_every_algorithm() {
    let mut told = [0, 0];
    for seed in 0..500 {
        let genes = arbitrary::genes(seed, 20 + (seed % 60) as usize);
        let text = arbitrary::model(&genes, seed % 8 == 0);
        for name in ["naive", "classic", "source", "optimal", "pop"] {
            match is_told(&text, algorithm(name).expect("it is one of them")) {
                Ok(Some(comes_back)) => told[usize::from(comes_back)] += 1,
                Ok(None) => {}
                Err(problem) => panic!("seed {seed}: {problem}\n{text}"),
            }
        }
    }
    assert!(told.iter().all(|count| *count > 100), "{told:?}");
}

/// Whoever gives a limit has executions given up at it; those that sample take one after the other.
#[test]
fn executions_that_come_back_can_be_given_up_instead() {
    let text = "byte x; active proctype p() { do :: x = 1 - x od } active proctype q() { assert(x == 0) }";
    let program =
        ModelProgram::new(Model::parse("model.pml", text, &[]).map(Arc::new).expect("a model")).expect("it fits");
    let by = |name: &str, settings: &Settings| {
        check(&program, &mut *(algorithm(name).expect("one of them").make)(), settings)
    };
    assert_eq!(by("pop", &Settings::default()).unwrap_err(), explore::Error::ComesBack { step: 2, to: 0 });
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    (settings.limits.steps, settings.limits.executions) = (20, Some(50));
    for name in ["naive", "random"] {
        let report = by(name, &settings).expect("a report");
        assert!(!report.exhaustive && report.tally.failed > 0, "{name}");
    }
}

/// Tries arbitrary models; of one that breaks a law, the smallest like it is shown.
fn campaign(seeds: std::ops::Range<u64>) {
    let (mut tried, mut classes, mut large) = (0, 0, 0);
    for seed in seeds {
        let genes = arbitrary::genes(seed, 30 + (seed % 60) as usize);
        match difference(&arbitrary::model(&genes, true), seed) {
            Ok(Some(found)) => (tried, classes) = (tried + 1, classes + found),
            Ok(None) => large += 1,
            Err(_) => {
                let problem = arbitrary::shrink(genes, |genes| {
                    let text = arbitrary::model(genes, true);
                    difference(&text, seed).err().map(|problem| format!("{problem}\n{text}"))
                });
                panic!("seed {seed}: {problem}");
            }
        }
    }
    eprintln!("{tried} models of {classes} classes, {large} too large");
    assert!(tried > 0);
}

/// 300 models in an ordinary run; as many as `MAZURKA_MODELS` says, from `MAZURKA_FIRST_SEED` on, by hand.
#[test]
fn arbitrary_models_obey_the_laws() {
    let count = std::env::var("MAZURKA_MODELS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let first = std::env::var("MAZURKA_FIRST_SEED").ok().and_then(|first| first.parse().ok()).unwrap_or(0);
    campaign(first..first + count);
}

/// How many classes the oracle finds.
fn classes(text: &str) -> usize {
    (0..3).map(|seed| difference(text, seed).expect("the laws hold").expect("it is small")).max().expect("three times")
}

/// A process that is made after an event can be met in its place where that event comes later.
#[test]
fn a_rendezvous_with_a_process_that_is_made_later_is_found() {
    let text = "chan r = [0] of { byte }; byte x; \
        proctype p0() { { x = 0 } unless { r!1 } } \
        proctype p1() { { if :: r?x -> true fi }; x = 2 } \
        proctype p2() { if :: r?x -> skip :: else -> skip fi } \
        init { run p0(); run p1(); run p2(); skip }";
    assert_eq!(classes(text), 6);
}

/// What is taken in place of an event can come before later events too, which pop would not reverse: they are in its schedule.
#[test]
fn what_could_be_taken_instead_comes_before_later_events_too() {
    let text = "byte b; chan d = [2] of { byte, bit }; \
        active proctype p0() { if :: true -> d?b, _ :: d!1, 1 fi } \
        active proctype p1() { d!!2, 0 }";
    assert_eq!(classes(text), 3);
}

/// A send and a receive commute unless the one takes what the other one gave, or gives where that one made room.
#[test]
fn sends_and_receives_of_a_channel_with_messages_commute() {
    let of = |capacity: u32| {
        format!(
            "chan c = [{capacity}] of {{ byte }}; byte x; active proctype p() {{ c!1; c!2; c!3 }} \
             active proctype q() {{ c?x; c?x; c?x }}"
        )
    };
    assert_eq!([1, 2, 3].map(|capacity| classes(&of(capacity))), [1, 1, 1]);
    let looking = "chan c = [2] of { byte }; byte x; active proctype p() { c!1 } active proctype q() { x = len(c) }";
    assert_eq!(classes(looking), 2);
}

/// An `atomic` is one step as far as there is one way to go on; where there are several, nobody else comes between.
#[test]
fn nobody_comes_between_the_statements_of_an_atomic() {
    let one_way = "byte x, y; active proctype p() { atomic { x = 1; y = 1; x = 2 } } active proctype q() { y = x }";
    assert_eq!(classes(one_way), 2);
    let two_ways = "byte x, y; active proctype p() { atomic { x = 1; if :: y = 1 :: y = 2 fi; x = 2 } } \
        active proctype q() { assert(x != 1) }";
    // Each step of the other process comes before both of them or after.
    assert_eq!(classes(two_ways), 6);
    let blocked = "byte x, y; active proctype p() { atomic { x = 1; y > 0; x = 2 } } active proctype q() { y = x + 1 }";
    assert_eq!(classes(blocked), 2);
}

/// A time-out comes when nobody can go on otherwise, and not before.
#[test]
fn a_time_out_is_the_last_resort() {
    let text = "byte x; chan c = [1] of { byte }; active proctype p() { do :: c?x :: timeout -> break od } \
        active proctype q() { if :: c!1 :: skip fi }";
    assert_eq!(classes(text), 2);
}

#[test]
fn processes_that_wait_where_they_may_end_are_no_deadlock() {
    let ending = |label: &str| {
        let text = format!("chan c = [0] of {{ byte }}; active proctype server() {{ {label} c?_ }}");
        let model = Model::parse("model.pml", &text, &[]).map(Arc::new).expect("a model");
        let program = ModelProgram::new(model).expect("it fits");
        let pop = algorithm("pop").expect("it is one of them");
        let report = check_with(&program, &mut *(pop.make)(), &Settings::default(), &mut ()).expect("it ends");
        (report.tally.completed, report.tally.deadlocked)
    };
    assert_eq!((ending("end:"), ending("")), ((1, 0), (0, 1)));
}
