//! Programs without an end, by `unfolding` with cutoffs, against a plain search of states.

use explore::Settings;
use litmus::LitmusProgram;
use mazurka_laws::{Checked, check_cutoffs, looping};

/// How many arbitrary programs are tried; `MAZURKA_CUTOFF_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 2000;
/// States of a program, and configurations within an execution.
const MOST: usize = 2000;

fn program(text: &str) -> LitmusProgram {
    LitmusProgram::new(text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).unwrap()
}

#[test]
fn every_state_of_arbitrary_programs_with_loops_is_reached() {
    let wanted = std::env::var("MAZURKA_CUTOFF_PROGRAMS").ok().and_then(|number| number.parse().ok());
    let (mut held, mut too_large) = (0, 0);
    for seed in 0..wanted.unwrap_or(PROGRAMS) {
        let text = looping(seed);
        match check_cutoffs(&program(&text), MOST) {
            Ok(Checked::Holds { .. }) => held += 1,
            Ok(Checked::TooLarge) => too_large += 1,
            Err(violation) => panic!("seed {seed}: {text}\n{violation}"),
        }
    }
    assert!(held > 4 * too_large, "{held} hold, {too_large} are too large");
}

/// Executions of a program with cutoffs, however they end.
fn executions(text: &str) -> u64 {
    let program = program(text);
    assert!(matches!(check_cutoffs(&program, 10_000).unwrap(), Checked::Holds { .. }), "{text}");
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.unfolding.cutoffs = true;
    let unfolding = explore::algorithm("unfolding").unwrap();
    explore::check(&program, &mut *(unfolding.make)(), &settings).unwrap().tally.runs()
}

#[test]
fn loops_that_wait_end() {
    let spin = "q = 1; while q { q = swap x, 1 }; x = 0";
    assert_eq!(executions(&format!("var x; {spin} | {spin}")), 2);
    assert_eq!(executions(&format!("var x; {spin} | {spin} | {spin}")), 6);
    assert_eq!(executions("var x; x = 1 | r = 0; while !r { r = x }"), 1);
    let endless = "loop { lock m; unlock m }";
    assert_eq!(executions(&format!("mutex m; {endless} | {endless}")), 2);
    assert_eq!(executions(&format!("mutex m; {endless} | {endless} | {endless}")), 3);
}
