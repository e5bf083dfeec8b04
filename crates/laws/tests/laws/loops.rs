//! Arbitrary programs with loops that wait or retry, against the laws on them. `MAZURKA_LOOPS` says how many,
//! `MAZURKA_SEED` from which seed on.

use explore::LoopRules;
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use mazurka_laws::{Checked, check_loops};
use std::sync::atomic::{AtomicU64, Ordering};

const PROGRAMS: u64 = 4000;
const INTERLEAVINGS: u64 = 1000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// All rules for every second program, and some of them for the others.
fn rules(seed: u64) -> LoopRules {
    let awaits = LoopRules { awaits: true, ..LoopRules::ROUNDS };
    match seed % 8 {
        1 => LoopRules::ROUNDS,
        3 => awaits,
        5 => LoopRules { shortcuts: true, ..awaits },
        7 => LoopRules { sections: false, ..LoopRules::ALL },
        _ => LoopRules::ALL,
    }
}

fn try_programs(profile: Profile, programs: u64) {
    let seed = from_environment("MAZURKA_SEED", 0);
    let programs = from_environment("MAZURKA_LOOPS", programs);
    let shows = profile == Profile::LoopsThatShow;
    let (next, held) = (AtomicU64::new(seed), AtomicU64::new(0));
    let work = || {
        let generator = Generator::new(profile);
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= from_environment("MAZURKA_SEED", 0) + programs {
                return;
            }
            let trial = |sketch: &litmus::Sketch| {
                let program = LitmusProgram::new(sketch.clone()).expect("arbitrary programs can be built");
                check_loops(&program, program.object_count(), rules(seed), INTERLEAVINGS, shows)
            };
            match trial(&generator.sample(seed)) {
                Ok(Checked::Holds { .. }) => {
                    held.fetch_add(1, Ordering::Relaxed);
                }
                Ok(Checked::TooLarge) => {}
                Err(violation) => {
                    println!("seed {seed} of {}: {violation}; shrinking", profile.name());
                    let smallest = generator.shrink(seed, |sketch| trial(sketch).is_err());
                    let smallest = smallest.unwrap_or_else(|| generator.sample(seed));
                    let again = trial(&smallest).err().unwrap_or(violation);
                    panic!("seed {seed} of {}, {:?}: {again}\n{smallest}", profile.name(), rules(seed));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let held = held.into_inner();
    println!("{held} of {programs} programs of {}", profile.name());
    assert!(held >= programs / 2, "only {held} of {programs} programs were small enough for the oracle");
}

#[test]
fn loops_that_wait_or_retry_obey_the_laws() {
    try_programs(Profile::Loops, PROGRAMS);
}

#[test]
fn loops_that_show_the_middles_of_their_rounds_obey_the_laws() {
    try_programs(Profile::LoopsThatShow, PROGRAMS / 4);
}

/// By observers, whether the section waited depended on the order of writes that nobody had seen.
#[test]
fn a_section_does_not_wait_for_writes_that_nobody_has_seen() {
    let text = "var x; var a[2]; var y; mutex m;
         loop { r = x; if r != 1 { s = swap x, 1; if s != 1 { break } } } x = 0; t = a[0]
         | loop { lock m; r = y; unlock m; if r == 1 { break } } | lock m; x = 0; unlock m";
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let checked = check_loops(&program, program.object_count(), LoopRules::ALL, INTERLEAVINGS, false);
    assert!(matches!(checked, Ok(Checked::Holds { .. })), "{text}: {checked:?}");
}

/// In the middle of its round, between its own two additions, the first thread found what the second one had added; when it goes round
/// again, it finds 0 there and leaves the loop: it is not stuck.
#[test]
fn who_sees_others_in_the_middle_of_a_round_is_not_stuck_because_of_that() {
    let text = "var x;
         loop { r0 = fetch_add x, 1; if r0 == 0 { break }; fetch_add x, -1 }; r2 = x
         | x = 1; loop { r0 = fetch_add x, 1; if r0 == 0 { break }; fetch_add x, -1 }; r2 = x
         | r0 = swap x, 1";
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let checked = check_loops(&program, program.object_count(), LoopRules::ALL, INTERLEAVINGS, true);
    assert!(matches!(checked, Ok(Checked::Holds { .. })), "{text}: {checked:?}");
}

/// The second thread has looked at x for the last time before the first one goes round for ever. Its look at y is on the way to where it
/// goes round, and not where it does.
#[test]
fn who_is_on_the_way_to_its_loop_is_not_stuck_there() {
    let text = "var x, y;
         x = 1; loop { r0 = fetch_add x, 1; if r0 == 0 { break }; fetch_add x, -1 }
         | loop { loop { r0 = x; if r0 == 0 { break } }; r1 = y; if r1 == 1 { break } }
         | r0 = y";
    let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
    let checked = check_loops(&program, program.object_count(), LoopRules::ALL, INTERLEAVINGS, true);
    assert!(matches!(checked, Ok(Checked::Holds { .. })), "{text}: {checked:?}");
}

/// A register that was set in the round before makes another local state of the same place. Whether that matters is for what the
/// thread does with it: sometimes nothing, sometimes the round is none.
#[test]
fn registers_that_keep_old_values_obey_the_laws() {
    let retry = |meanwhile: &str, commit: &str, until: &str| {
        format!("q = 7; loop {{ r = x; {meanwhile} q = r; c = {commit}; if c == {until} {{ break }} }}")
    };
    let (add, set) = ("compare_exchange x, r, r + 1", "compare_exchange x, r, 5");
    let bodies = [
        retry("if q == 9 { q = 1 }", add, "r"),
        retry("if q == 1 { r = r + 1 }", add, "r"),
        retry("if q == 1 { y = 1 }", add, "r"),
        retry("if q == 0 { assert r != 2 }", add, "r"),
        retry("if q == 9 { q = 1 }", set, "r"),
        retry("if q == 9 { q = 1 }", "swap x, 1", "0"),
        retry("if q == 9 { q = 1 }", "compare_exchange x, 2, 0", "2"),
        "x = 1; x = 0".to_owned(),
        "x = 1; y = 2".to_owned(),
        "x += 1".to_owned(),
        "loop { s = y; if s == 1 { break } } x = 0".to_owned(),
    ];
    let mut held = 0;
    for a in 0..bodies.len() {
        for b in a..bodies.len() {
            for c in b..=bodies.len() {
                let third = bodies.get(c).map_or(String::new(), |body| format!(" | {body}"));
                let text = format!("var x, y; {} | {}{third}", bodies[a], bodies[b]);
                let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
                let checked = check_loops(&program, program.object_count(), LoopRules::ALL, INTERLEAVINGS, false);
                assert!(checked.is_ok(), "{text}: {checked:?}");
                held += u32::from(matches!(checked, Ok(Checked::Holds { .. })));
            }
        }
    }
    println!("{held} programs");
    assert!(held >= 100, "only {held} programs were small enough for the oracle");
}
