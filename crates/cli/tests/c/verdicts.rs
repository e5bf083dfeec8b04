//! Every program comes out as its head says: the verdict, the lines, the number of classes.

use crate::checking::{Answer, check, check_for_people, check_with, compilers};
use crate::head::{Program, programs};
use crate::parallel;
use crate::verdict::Verdict;
use explore::Settings;
use litmus::LitmusProgram;
use report::summary::Counts;

/// Every program of a part, by every compiler.
#[track_caller]
fn all_of(part: &str) {
    let trials: Vec<(Program, &str)> = programs(part)
        .into_iter()
        .flat_map(|program| compilers().iter().map(move |&compiler| (program.clone(), compiler)))
        .collect();
    parallel::all(&trials, |(program, compiler)| {
        let answer = check(program, compiler, &[])?;
        judge(program, compiler, &answer)
            .map_err(|problem| format!("{} by {compiler}: {problem}\n{}", program.name(), answer.told()))
    });
}

fn judge(program: &Program, compiler: &str, answer: &Answer) -> Result<(), String> {
    judge_verdict(program, compiler, answer)?;
    if answer.status == 1 && !program.found_at.is_empty() {
        judge_lines(program, &check_for_people(program, compiler)?)?;
    }
    let Some(summary) = &answer.summary else { return Ok(()) };
    judge_classes(program, &summary.counts)
}

/// The answer is one that the head allows.
pub(crate) fn judge_verdict(program: &Program, compiler: &str, answer: &Answer) -> Result<(), String> {
    let expected = program.expected_by(compiler);
    match expected.iter().any(|verdict| verdict.fits(answer)) {
        true => Ok(()),
        false => Err(format!("expected {expected:?}")),
    }
}

/// What people read names every line that is to be found.
fn judge_lines(program: &Program, told: &Answer) -> Result<(), String> {
    let place = |line: &usize| format!("{}:{line}", program.name());
    match program.found_at.iter().map(place).find(|place| !told.out.contains(place)) {
        Some(place) => Err(format!("no finding names {place}")),
        None => Ok(()),
    }
}

fn judge_classes(program: &Program, counts: &Counts) -> Result<(), String> {
    if program.classes.is_some_and(|classes| classes != counts.executions) {
        return Err(format!("{:?} classes, not {}", program.classes, counts.executions));
    }
    let Some(model) = &program.model else { return Ok(()) };
    let model = LitmusProgram::new(model.parse().map_err(|error| format!("{model}: {error}"))?)
        .map_err(|error| format!("{model}: {error}"))?;
    same(&counts_of(&model), counts)
}

/// What exploring a litmus program counts.
pub(crate) fn counts_of(program: &LitmusProgram) -> Counts {
    let settings = Settings { keep_going: true, ..Settings::default() };
    let optimal = explore::algorithm("optimal").expect("it is one of the algorithms");
    let report = explore::check(program, &mut *(optimal.make)(), &settings).expect("litmus programs do not diverge");
    assert!(report.exhaustive, "a litmus program was not explored completely");
    Counts::from(&report.tally)
}

/// Whether both have as many classes of each ending.
pub(crate) fn same(litmus: &Counts, c: &Counts) -> Result<(), String> {
    let endings = |counts: &Counts| (counts.completed, counts.deadlocked, counts.failed, counts.assume_cut);
    if endings(litmus) == endings(c) && c.sleep_set_blocked == 0 {
        return Ok(());
    }
    Err(format!(
        "completed, deadlocked, failed, cut: {:?} in litmus, {:?} in C, where {} were sleep-set blocked",
        endings(litmus),
        endings(c),
        c.sleep_set_blocked
    ))
}

#[test]
fn structures() {
    all_of("structures");
}

#[test]
fn locks() {
    all_of("locks");
}

#[test]
fn library() {
    all_of("library");
}

#[test]
fn bugs() {
    all_of("bugs");
}

#[test]
fn cpp() {
    all_of("cpp");
}

/// Rounds without an effect cost nothing by clang. gcc keeps variables on the stack after their last use, so that not every round
/// is recognised: there, only the verdict is as the head says.
#[test]
fn loops() {
    let programs = programs("loops");
    assert!(programs.len() >= 8);
    let trials = compilers().iter().flat_map(|&compiler| programs.iter().map(move |program| (program, compiler)));
    let trials: Vec<(&Program, &str)> = trials.collect();
    parallel::all(&trials, |(program, compiler)| {
        for algorithm in ["pop", "optimal"] {
            let answer = check_with(program, compiler, &["--json", "--workers", "1", "--algorithm", algorithm], &[])?;
            judge_verdict(program, compiler, &answer)?;
            let completed = answer.summary.as_ref().ok_or("no summary")?.counts.completed;
            if *compiler == "clang" && program.classes != Some(completed) {
                return Err(format!("{} by {algorithm}: {completed} executions complete", program.name()));
            }
        }
        Ok(())
    });
}

/// A compare-exchange that fails leaves the value that was loaded before in a register that nobody reads. What the thread does next is
/// what it could have done at first, so that no attempt is left that fails.
#[test]
fn attempts_that_leave_old_values_are_none() {
    let programs = programs("loops");
    for name in ["retry.c", "fetch_update.c"] {
        let program = programs.iter().find(|program| program.name() == name).expect("it is one of them");
        for algorithm in ["pop", "optimal"] {
            let options = ["--json", "--workers", "1", "--algorithm", algorithm];
            let answer = check_with(program, "clang", &options, &[]).unwrap_or_else(|problem| panic!("{problem}"));
            let counts = answer.summary.expect("a summary").counts;
            assert_eq!((counts.completed, counts.executions), (6, 6), "{name} by {algorithm}");
        }
    }
}

/// With three threads, by clang.
#[test]
fn loops_of_three_threads() {
    let programs = programs("loops");
    for (name, classes) in [("treiber_stack.c", 858), ("linux_rwlock.c", 372)] {
        let program = programs.iter().find(|program| program.name() == name).expect("it is one of them");
        for algorithm in ["pop", "optimal"] {
            let options = ["--json", "--workers", "1", "--algorithm", algorithm];
            let answer = check_with(program, "clang", &options, &["-DN=3".to_owned()])
                .unwrap_or_else(|problem| panic!("{problem}"));
            assert_eq!(answer.summary.map(|summary| summary.counts.completed), Some(classes), "{name} by {algorithm}");
        }
    }
}

/// What the usual search comes to late: samples find it.
#[test]
fn deep() {
    let programs = programs("deep");
    assert!(programs.len() >= 10);
    parallel::all(&programs, |program| {
        let compiler = compilers()[0];
        let answer = check_with(program, compiler, &["--json"], &[])?;
        judge_verdict(program, compiler, &answer)?;
        let counts = answer.summary.as_ref().ok_or("no summary")?.counts;
        match counts.executions + counts.sampled {
            ..=1_000 => Ok(()),
            many => Err(format!("{}: {many} executions", program.name())),
        }
    });
}

#[test]
fn exits() {
    all_of("exits");
}

#[test]
fn hostile() {
    all_of("hostile");
}

/// The models that heads give as the reason for a number of classes agree with the oracle.
#[test]
fn models_have_the_classes_of_the_oracle() {
    let parts = ["corpus", "structures", "locks", "library", "bugs", "cpp", "exits", "hostile"];
    let modelled = parts.iter().flat_map(|part| programs(part)).filter(|program| program.model.is_some());
    let modelled: Vec<Program> = modelled.collect();
    assert!(modelled.len() > 20, "{} models", modelled.len());
    parallel::all(&modelled, |program| {
        let text = program.model.as_deref().unwrap_or_default();
        let told = |problem: String| format!("{}: {problem}", program.name());
        let sketch = text.parse().map_err(|error| told(format!("{error}")))?;
        let model = LitmusProgram::new(sketch).map_err(|error| told(error.to_string()))?;
        laws::check(&model, &[], 1_000_000).map_err(|violation| told(violation.to_string()))?;
        match program.expected.contains(&Verdict::Ok) && counts_of(&model).failed > 0 {
            true => Err(told("the model fails, and the program is said to be right".to_owned())),
            false => Ok(()),
        }
    });
}
