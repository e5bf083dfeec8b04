//! `mazurka verify` of programs in C and C++: programs without an end come out as their heads say, and programs with one as their
//! executions do.
//!
//! `MAZURKA_STATE_TRIALS` says how many arbitrary programs are tried, and `MAZURKA_CAMPAIGN_SEED` from which on.

use crate::arbitrary::setting;
use crate::campaign::{Built, Trial, failures, try_all};
use crate::checking::{Answer, compilers, finish};
use crate::head::{Program, programs};
use crate::parallel;
use crate::verdicts::judge_verdict;
use explore::{StateLimits, search_states};
use litmus::LitmusProgram;
use std::collections::BTreeSet;
use std::process::Command;

/// How many arbitrary programs an ordinary test tries.
const PROGRAMS: u64 = 200;

/// `mazurka verify` of a program, with these options.
fn verify(program: &Program, compiler: &str, options: &[&str]) -> Result<Answer, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(["verify", "--compiler", compiler]).args(options).args(&program.options).arg(&program.path);
    command.arg("--").args(&program.flags);
    finish(command).map_err(|problem| format!("{}: {problem}", program.name()))
}

fn told(program: &Program, compiler: &str, answer: &Answer, problem: String) -> String {
    format!("{} by {compiler}: {problem}\n{}", program.name(), answer.told())
}

#[test]
fn programs_without_an_end_come_out_as_their_heads_say() {
    let trials: Vec<(Program, &str)> = programs("endless")
        .into_iter()
        .flat_map(|program| compilers().iter().map(move |&compiler| (program.clone(), compiler)))
        .collect();
    assert!(trials.len() >= 12, "{} programs", trials.len());
    parallel::all(&trials, |(program, compiler)| {
        let answer = verify(program, compiler, &["--json", "--keep-going"])?;
        let judged = judge_verdict(program, compiler, &answer)
            .and_then(|()| judge_states(program, &answer))
            .and_then(|()| judge_replays(program, compiler, &answer));
        judged.map_err(|problem| told(program, compiler, &answer, problem))
    });
}

/// There are as many states as the head says, and the model has the same findings.
fn judge_states(program: &Program, answer: &Answer) -> Result<(), String> {
    let states = answer.states.as_ref().and_then(|states| states.checks.first()).ok_or("it says nothing of states")?;
    if states.proved != (answer.status == 0) || program.states.is_some_and(|number| number != states.states) {
        return Err(format!("{states:?}, and the head says {:?} states", program.states));
    }
    let Some(model) = &program.model else { return Ok(()) };
    let sketch = model.parse().map_err(|error| format!("{model}: {error}"))?;
    let model = LitmusProgram::new(sketch).map_err(|error| format!("{model}: {error}"))?;
    let limits = StateLimits { keep_going: true, states: Some(5000), ..StateLimits::default() };
    let report = search_states(&model, &limits, &mut |_| {}).map_err(|error| error.to_string())?;
    let of_model: BTreeSet<bool> = report.into_iter().flat_map(|report| report.findings).map(is_deadlock).collect();
    let found: BTreeSet<bool> = answer.findings().iter().map(|finding| finding.kind == "deadlock").collect();
    if found == of_model { Ok(()) } else { Err(format!("deadlocks {found:?}, of the model {of_model:?}")) }
}

fn is_deadlock(finding: explore::Finding) -> bool {
    finding.ending == trace::Ending::Deadlocked
}

/// Each finding is found again by its schedule.
fn judge_replays(program: &Program, compiler: &str, answer: &Answer) -> Result<(), String> {
    for finding in answer.findings() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args(["replay", "--json", "--compiler", compiler, "--schedule", &finding.schedule]);
        let steps = finding.steps.len().to_string();
        if finding.kind == "failure" {
            command.args(["--max-steps", &steps]);
        }
        command.arg(&program.path).arg("--").args(&program.flags);
        let again = finish(command)?;
        if again.status != 1 || !again.out.contains(&format!("\"kind\": \"{}\"", finding.kind)) {
            return Err(format!("not found again: {}\n{}", finding.headline, again.told()));
        }
    }
    Ok(())
}

/// What only `mazurka check` looks for, or takes.
fn is_of_executions(program: &Program) -> bool {
    let only =
        ["--max-steps", "--max-executions", "--algorithm", "--unroll", "--paranoid", "--memory", "--no-bug-first"];
    let text = std::fs::read_to_string(&program.path).expect("it was read before");
    let head: String = text.lines().take_while(|line| line.starts_with("// ")).collect();
    program.options.iter().any(|option| only.iter().any(|only| option.starts_with(only)))
        || head.contains("uninitialised")
        // Livelocks are no findings.
        || program.name() == "spin_for_ever.c"
}

#[test]
fn programs_with_an_end_come_out_as_by_their_executions() {
    let compiler = compilers()[0];
    let trials: Vec<Program> = ["structures", "locks", "bugs", "exits"]
        .into_iter()
        .flat_map(programs)
        .filter(|program| !is_of_executions(program))
        .collect();
    assert!(trials.len() > 100, "{} programs", trials.len());
    parallel::all(&trials, |program| {
        let answer = verify(program, compiler, &["--json", "--keep-going"])?;
        judge_verdict(program, compiler, &answer).map_err(|problem| told(program, compiler, &answer, problem))
    });
}

/// What is found by states is found by executions, and what comes first in an execution is found by states. A deadlock may be hidden
/// behind a data race on the way to it.
fn states_and_executions_agree(built: &Built, number: usize, trial: &Trial) -> Result<(), String> {
    let Some(executed) = built.found(number, trial, "pop", false)? else { return Ok(()) };
    let answer = built.verify(number, trial)?;
    let Some(states) = &answer.states else { return Err(answer.told()) };
    if states.checks.iter().any(|check| check.stopped_by.is_some()) {
        return Err(format!("not all states are met: {}", answer.told()));
    }
    let found = failures(&states.findings);
    let expected = || executed.first_failures.iter().filter(|failure| !failure.contains("never initialised"));
    let has_all = executed.has_more || expected().all(|failure| found.contains(failure));
    let made_up = found.difference(&executed.failures).next().filter(|_| !executed.has_more);
    if !has_all || made_up.is_some() {
        return Err(format!("states: {found:?}, executions: {:?}", executed.failures));
    }
    let deadlocks = states.findings.iter().any(|finding| finding.kind == "deadlock");
    let is_hidden = executed.failures.contains("data race") || found.contains("data race");
    if deadlocks != (executed.counts.deadlocked > 0) && !is_hidden {
        return Err(format!("states: deadlock {deadlocks}, executions: {} deadlocks", executed.counts.deadlocked));
    }
    Ok(())
}

#[test]
fn arbitrary_programs_come_out_the_same_by_states_and_by_executions() {
    try_all(setting("MAZURKA_STATE_TRIALS", PROGRAMS), states_and_executions_agree);
}
