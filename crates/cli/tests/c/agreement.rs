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
pub(crate) fn judge(pop: &Counts, algorithm: &str, counts: &Counts) -> Result<(), String> {
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
    for algorithm in
        ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive() && algorithm.name != "pop")
    {
        let answer = by(algorithm.name)?;
        if answer.err.contains("cannot explore programs with") {
            continue;
        }
        judge_verdict(program, compiler, &answer).map_err(told)?;
        judge(&pop, algorithm.name, &counts(&answer).map_err(told)?).map_err(told)?;
    }
    Ok(())
}

/// A thread that gives back what it does not hold is a misuse, and so is the use of a mutex that does not live: which of them
/// it is depends on what others did.
#[test]
fn a_mutex_that_is_initialised_or_destroyed_while_others_use_it() {
    let programs: Vec<Program> = programs("bugs")
        .into_iter()
        .filter(|program| {
            ["initialised_while_held.c", "destroyed_or_not_held.c", "rwlock_not_held.c"].contains(&program.name())
        })
        .collect();
    assert_eq!(programs.len(), 3);
    parallel::all(&programs, |program| agree(program, compilers()[0]));
}

/// What a thread tries again after main has returned is no execution of its own: there is one for each order of what succeeds, also
/// where each failed attempt is run and given up.
#[test]
fn attempts_after_the_end_of_main_are_no_executions() {
    let all = programs("exits");
    let program = all.iter().find(|program| program.name() == RETRY).expect("it is there");
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive()) {
        let options = ["--json", "--keep-going", "--algorithm", algorithm.name];
        let counts = check_with(program, compilers()[0], &options, &[]).and_then(|answer| counts(&answer));
        let completed = counts.unwrap_or_else(|problem| panic!("{}: {problem}", algorithm.name)).completed;
        match algorithm.name {
            "naive" => assert!(completed >= 2),
            name => assert_eq!(completed, 2, "{name}"),
        }
    }
}

/// Algorithms follow more or fewer of the rules on loops, so that they cut more or fewer executions of it.
const RETRY: &str = "retry_after_main.c";

#[test]
fn all_algorithms_agree_on_programs_that_end() {
    let trials: Vec<(Program, &str)> = programs("exits")
        .into_iter()
        .filter(|program| program.name() != RETRY)
        .zip(compilers().iter().cycle())
        .map(|(program, &compiler)| (program, compiler))
        .collect();
    parallel::all(&trials, |(program, compiler)| agree(program, compiler));
}
