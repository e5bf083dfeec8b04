//! All algorithms count and find the same, with joins and without.

use crate::checking::{Answer, check_with, compilers};
use crate::head::{Program, programs};
use crate::parallel;
use crate::verdicts::judge_verdict;
use explore::ALGORITHMS;
use report::summary::Counts;

/// Completed, deadlocked, failed and cut executions.
fn endings(counts: &Counts) -> [u64; 4] {
    [counts.completed, counts.deadlocked, counts.failed, counts.assume_cut]
}

fn counts(answer: &Answer) -> Result<Counts, String> {
    match &answer.summary {
        Some(summary) if summary.exhaustive => Ok(summary.counts),
        _ => Err(answer.told()),
    }
}

/// Whether an algorithm counts the same as `pop` does.
fn judge(pop: &Counts, algorithm: &str, counts: &Counts) -> Result<(), String> {
    let same = match algorithm {
        // Runs every interleaving.
        "naive" => endings(pop).map(|n| n > 0) == endings(counts).map(|n| n > 0),
        // Has fewer classes where a write is not read.
        "observers" => {
            endings(counts).iter().zip(endings(pop)).all(|(&some, all)| some <= all && (some > 0) == (all > 0))
        }
        _ => endings(pop) == endings(counts),
    };
    if same { Ok(()) } else { Err(format!("{algorithm}: {:?}, pop: {:?}", endings(counts), endings(pop))) }
}

fn agree(program: &Program, compiler: &str) -> Result<(), String> {
    let told = |problem: String| format!("{} by {compiler}: {problem}", program.name());
    let by =
        |algorithm: &str| check_with(program, compiler, &["--json", "--keep-going", "--algorithm", algorithm], &[]);
    let pop = counts(&by("pop")?).map_err(told)?;
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.exhaustive && algorithm.name != "pop") {
        let answer = by(algorithm.name)?;
        if answer.err.contains("cannot explore programs with") {
            continue;
        }
        judge_verdict(program, compiler, &answer).map_err(told)?;
        judge(&pop, algorithm.name, &counts(&answer).map_err(told)?).map_err(told)?;
    }
    Ok(())
}

/// A mutex that is initialised anew while somebody holds it makes the unlock a misuse, which then depends on what others did.
/// `classic` and `source` lose a class there, and should not: the initialisation is to be refused while the mutex is held.
#[test]
fn a_mutex_that_is_initialised_while_it_is_held() {
    let all = programs("bugs");
    let program = all.iter().find(|program| program.name() == "initialised_while_held.c").expect("it is there");
    let executions = |algorithm: &str| {
        let options = ["--json", "--keep-going", "--algorithm", algorithm];
        counts(&check_with(program, compilers()[0], &options, &[]).unwrap()).unwrap().executions
    };
    assert_eq!(["pop", "optimal", "source", "classic"].map(executions), [6, 6, 5, 5]);
}

#[test]
fn all_algorithms_agree_on_programs_that_end() {
    let trials: Vec<(Program, &str)> = programs("exits")
        .into_iter()
        .zip(compilers().iter().cycle())
        .map(|(program, &compiler)| (program, compiler))
        .collect();
    parallel::all(&trials, |(program, compiler)| agree(program, compiler));
}
