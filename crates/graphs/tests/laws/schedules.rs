//! The schedule of a finding runs the execution that was found, and ends as that did, whatever the program and the model.
//!
//! `MAZURKA_GRAPHS_SCHEDULES` says how many programs of each profile are tried, `MAZURKA_GRAPHS_SEED` where to begin.

use crate::arbitrary::number;
use crate::program;
use litmus::LitmusProgram;
use litmus::arbitrary::{Generator, Profile};
use litmus::sketch::Sketch;
use mazurka_graphs::{MODELS, ModelInfo, ReplayError, Settings, check, replay, schedule};
use model::Program;
use std::ops::ControlFlow;
use trace::{Ending, Tally};

/// How many programs of each profile an ordinary run tries.
const PROGRAMS: u64 = 100;
/// Programs with more graphs are left out.
const MOST_GRAPHS: u64 = 2_000;

/// A schedule that is not run as it was found, with what came of it; and how many findings there are.
fn differing(program: &LitmusProgram, info: &'static ModelInfo) -> (Option<(String, Ending, String)>, usize) {
    let settings = Settings { keep_going: true, ..Settings::default() };
    let mut watch = |tally: &Tally, _| match tally.executions() > MOST_GRAPHS {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let Ok(report) = check(program, info, &settings, &mut watch) else { return (None, 0) };
    let differs = |finding: &mazurka_graphs::Finding| {
        let text = schedule(&finding.graph, report.model, program.names());
        match replay(program, &text) {
            Ok(again) if again.ending == finding.ending => None,
            Ok(again) => Some((text, finding.ending, format!("{:?}", again.ending))),
            Err(error) => Some((text, finding.ending, error.to_string())),
        }
    };
    (report.findings.iter().find_map(differs), report.findings.len())
}

#[test]
fn what_was_found_is_what_its_schedule_runs() {
    let first = number("MAZURKA_GRAPHS_SEED", 0);
    let mut findings = 0;
    for profile in Profile::ALL {
        let generator = Generator::new(profile);
        for seed in first..first + number("MAZURKA_GRAPHS_SCHEDULES", PROGRAMS) {
            for info in MODELS {
                let differs = |sketch: &Sketch| {
                    LitmusProgram::new(sketch.clone()).is_ok_and(|program| differing(&program, info).0.is_some())
                };
                let Ok(program) = LitmusProgram::new(generator.sample(seed)) else { continue };
                let (found, many) = differing(&program, info);
                findings += many;
                if found.is_some() {
                    let smallest = generator.shrink(seed, differs).expect("it differs");
                    let program = LitmusProgram::new(smallest.clone()).expect("it differs");
                    let found = differing(&program, info).0;
                    panic!("seed {seed} of {}, under {}: {found:?}\n{smallest}", profile.name(), info.name);
                }
            }
        }
    }
    println!("{findings} findings");
    assert!(findings > 1_000, "only {findings} findings");
}

/// Loops that wait for ever: by one operation, by two, by an exchange, and beside a lock.
#[test]
fn a_livelock_is_run_as_one_and_what_ends_before_it_is_not() {
    let texts = [
        ("var x; loop { r = x; if r == 1 { break } } | x = 2", "0ri"),
        ("var x, y; loop { r = x; s = y; if r + s == 2 { break } } | x = 1", "0ri,0ri"),
        ("var l; loop { r = swap l, 1; if r == 0 { break } } | loop { r = swap l, 1; if r == 0 { break } }", ""),
        ("var x; mutex m; loop { r = x; if r == 1 { break } } lock m | lock m; r = x", "1ri,1w0"),
    ];
    for (text, prefix) in texts {
        let program = program(text);
        for info in MODELS {
            let report = check(&program, info, &Settings::default(), &mut |_, _| ControlFlow::Continue(())).unwrap();
            let deadlock = report.findings.iter().find(|finding| finding.ending == Ending::Deadlocked);
            let whole = schedule(&deadlock.expect("it waits for ever").graph, info, program.names());
            let ending = |schedule: &str| replay(&program, schedule).map(|again| again.ending);
            assert_eq!(ending(&whole), Ok(Ending::Deadlocked), "{whole} of {text}");
            let short = ending(&format!("mzg1:{}:{prefix}", info.name));
            assert!(matches!(short, Err(ReplayError::Short(_))), "{short:?} of {text}");
        }
    }
}
