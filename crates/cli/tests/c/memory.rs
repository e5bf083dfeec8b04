//! Memory models in C: classic algorithms with the weakest orders that are right, proved under rc11, and with one of them weaker,
//! found; litmus tests under each model; what reports say.

use crate::checking::{Answer, command, compilers, finish};
use crate::head::folder;
use std::process::Command;

/// Checks a program of the folder `memory` with these options, and these flags for the compiler.
fn check(program: &str, options: &[&str], flags: &[&str], compiler: &str) -> Answer {
    let mut command = command(compiler, options);
    command.arg(folder().join("memory").join(program)).arg("--").args(flags);
    finish(command).unwrap_or_else(|problem| panic!("{program} {flags:?} by {compiler}: {problem}"))
}

/// The program is right with its own orders, and wrong with each of these.
#[track_caller]
fn rows(program: &str, weaker: &[&str]) {
    let answer = check(program, &["--memory", "rc11"], &[], "clang");
    assert_eq!(answer.status, 0, "{program}: {}{}", answer.out, answer.err);
    for order in weaker {
        let flag = format!("-D{order}");
        let answer = check(program, &["--memory", "rc11"], &[&flag], "clang");
        assert_eq!(answer.status, 1, "{program} with {order}: {}{}", answer.out, answer.err);
        let answer = check(program, &["--memory", "sc"], &[&flag], "clang");
        assert_eq!(answer.status, 0, "{program} with {order} under sc: {}{}", answer.out, answer.err);
    }
}

#[test]
fn locks() {
    rows("spinlock.c", &["LOCK=RLX", "UNLOCK=RLX"]);
    rows("ticket.c", &["SEEN=RLX", "UNLOCK=RLX"]);
    rows("mcs.c", &["ENTER=REL", "LINK=RLX", "FOLLOW=RLX", "WOKEN=RLX", "WAKE=RLX", "LEAVE=RLX"]);
    rows("peterson.c", &["TURN=ACQ", "TURN=REL", "SEEN=RLX", "UNLOCK=RLX"]);
    rows("dekker.c", &["FENCE=AR"]);
    rows("bakery.c", &["FENCE=AR", "UNLOCK=RLX", "SEEN=RLX"]);
}

#[test]
fn structures() {
    rows("chase_lev.c", &["PUSH=RLX", "TAKE=AR", "STEAL=AR", "BOTTOM=RLX"]);
    rows("ms_queue.c", &["LINK=RLX", "FOLLOW=RLX"]);
    rows("treiber.c", &["PUSH=RLX", "POP=RLX"]);
    rows("spsc.c", &["PUBLISH=RLX", "SEEN=RLX", "FREED=RLX", "FREE=RLX"]);
}

#[test]
fn publication_and_reclamation() {
    rows("seqlock.c", &["BEGIN=RLX", "END=RLX", "FIRST=RLX", "AGAIN=RLX"]);
    rows("hazard.c", &["PROTECT=AR", "SCAN=AR", "CLEAR=RLX", "SEEN=RLX"]);
    rows("rcu.c", &["ENTER=AR", "WAIT=AR", "LEAVE=RLX", "OUTSIDE=RLX", "PUBLISH=RLX", "READ=RLX"]);
    rows("dcl.c", &["PUBLISH=RLX", "SEEN=RLX"]);
    rows("arc.c", &["DROP=RLX", "LAST=RLX"]);
    rows("parker.c", &["UNPARK=RLX", "PARK=RLX"]);
}

#[test]
fn a_relaxed_store_is_found_without_being_asked_for_with_the_reason_and_the_order_to_strengthen() {
    for compiler in compilers() {
        let answer = check("message_passing.c", &["--suggest-orders"], &[], compiler);
        assert_eq!(answer.status, 1, "{}{}", answer.out, answer.err);
        for words in [
            "read data = 0 relaxed, from the start",
            "although the write of 1 (step 3 of T1) is before it",
            "nothing synchronises the store at step 4 of T1 `message_passing.c:14`",
            "message_passing.c:14  write  relaxed → release",
            "message_passing.c:18  read  relaxed → acquire",
        ] {
            assert!(answer.out.contains(words), "{compiler}: '{words}' is not in\n{}", answer.out);
        }
        let answer = check("message_passing.c", &[], &["-DSTORE=REL", "-DLOAD=ACQ"], compiler);
        assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
        assert!(answer.out.contains("by graphs, and there are no others"), "{}", answer.out);
    }
}

#[test]
fn seq_cst_is_enough_for_the_model_of_the_language() {
    let answer = check("message_passing.c", &[], &["-DSTORE=SC", "-DLOAD=SC", "-DDATA=SC"], "clang");
    assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("rc11: no atomic operation is weaker than seq_cst"), "{}", answer.out);
}

/// Racing accesses of volatile variables are defined under tso and pso, and an error otherwise.
#[test]
fn machines_define_races() {
    for (memory, status) in [("sc", 1), ("tso", 1), ("pso", 1), ("rc11", 1)] {
        let answer = check("store_buffering.c", &["--memory", memory], &[], "clang");
        assert_eq!(answer.status, status, "{memory}: {}{}", answer.out, answer.err);
        let is_race = answer.out.contains("data race");
        assert_eq!(is_race, matches!(memory, "sc" | "rc11"), "{memory}: {}", answer.out);
    }
    for (memory, fenced) in [("tso", 0), ("pso", 0)] {
        let answer = check("store_buffering.c", &["--memory", memory], &["-DFENCED"], "clang");
        assert_eq!(answer.status, fenced, "{memory}: {}{}", answer.out, answer.err);
    }
}

#[test]
fn a_schedule_is_run_again() {
    let answer = check("message_passing.c", &["--memory", "rc11", "--json"], &[], "clang");
    let schedule = answer.findings()[0].schedule.clone();
    assert!(schedule.starts_with("mzg1:rc11:"), "{schedule}");
    let mut replay = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    replay
        .args(["replay", "--compiler", "clang", "--schedule", &schedule])
        .arg(folder().join("memory/message_passing.c"));
    let said = finish(replay).expect("it ends");
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("assertion failed"), "{}", said.out);
}

#[test]
fn a_program_that_is_given_up_is_not_proved() {
    for program in ["../hostile/endless_loop.c", "../exits/constructor_loops.c"] {
        let answer = check(program, &["--memory", "rc11", "--max-time", "1s"], &[], "clang");
        assert_eq!(answer.status, 3, "{program}: {}{}", answer.out, answer.err);
    }
}
