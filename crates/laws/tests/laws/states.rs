//! Searches of states: as many states as a plain search finds on programs that need not end, and what executions find on programs
//! that do.

use explore::{StateLimit, StateLimits, search_states};
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use mazurka_laws::{Checked, check_states, check_states_by_executions, looping};

/// How many arbitrary programs of each sort are tried; `MAZURKA_STATE_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 2000;
const MOST: usize = 3000;
const EXECUTIONS: u64 = 2000;

fn programs() -> u64 {
    std::env::var("MAZURKA_STATE_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(PROGRAMS)
}

fn program(text: &str) -> LitmusProgram {
    LitmusProgram::new(text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap()
}

#[test]
fn programs_with_loops_have_the_states_of_a_plain_search() {
    let (mut held, mut too_large) = (0, 0);
    for seed in 0..programs() {
        let text = looping(seed);
        match check_states(&program(&text), MOST) {
            Ok(Checked::Holds { .. }) => held += 1,
            Ok(Checked::TooLarge) => too_large += 1,
            Err(violation) => panic!("seed {seed}: {text}\n{violation}"),
        }
    }
    assert!(held > 4 * too_large, "{held} hold, {too_large} are too large");
}

#[test]
fn programs_with_ends_have_the_findings_of_their_executions() {
    let (mut held, mut too_large) = (0, 0);
    for profile in Profile::ALL.into_iter().chain([Profile::Arms]).filter(|profile| *profile != Profile::Large) {
        let generator = Generator::new(profile);
        for seed in 0..programs() / 10 {
            let sketch = generator.sample(seed);
            match check_states_by_executions(&LitmusProgram::new(sketch.clone()).unwrap(), EXECUTIONS) {
                Ok(Checked::Holds { .. }) => held += 1,
                Ok(Checked::TooLarge) => too_large += 1,
                Err(violation) => panic!("{} {seed}: {sketch}\n{violation}", profile.name()),
            }
        }
    }
    assert!(held > 4 * too_large, "{held} hold, {too_large} are too large");
}

fn counts(text: &str, limits: &StateLimits) -> (u64, u64, Option<StateLimit>) {
    let report = search_states(&program(text), limits, &mut |_| {}).expect("no error").expect("it has states");
    (report.counts.states, report.counts.errors, report.limit)
}

#[test]
fn what_no_execution_ends_in_is_searched() {
    let all = StateLimits { keep_going: true, ..StateLimits::default() };
    // Twice two places, without both being inside.
    assert_eq!(counts("mutex m; loop { lock m; unlock m } | loop { lock m; unlock m }", &all), (3, 0, None));
    let dining =
        "mutex m, n; loop { lock m; lock n; unlock n; unlock m } | loop { lock n; lock m; unlock m; unlock n }";
    assert_eq!(counts(dining, &all).1, 1);
    assert_eq!(counts(dining, &StateLimits { ignore_end_states: true, ..all }).1, 0);
    // Each value of x fails once, and so does each place of the other thread.
    let broken = "var x; loop { x = 1; x = 0 } | loop { r = x; assert r == 0 }";
    assert_eq!(counts(broken, &StateLimits::default()).1, 1);
    assert!(counts(broken, &all).1 >= 1);
}

#[test]
fn a_limit_ends_a_search_and_is_told() {
    let program = program("var x; loop { r = fetch_add x, 1 } | s = x");
    let by = |limits: StateLimits| {
        let report = search_states(&program, &limits, &mut |_| {}).expect("no error").expect("it has states");
        (report.limit, report.counts.states)
    };
    assert_eq!(by(StateLimits { states: Some(100), ..StateLimits::default() }), (Some(StateLimit::States), 101));
    assert_eq!(by(StateLimits { memory: Some(50_000), ..StateLimits::default() }).0, Some(StateLimit::Memory));
    let time = Some(std::time::Duration::from_millis(20));
    assert_eq!(by(StateLimits { time, ..StateLimits::default() }).0, Some(StateLimit::Time));
}
