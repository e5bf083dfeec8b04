//! Exit statuses, and the messages that go with bad input.

mod common;

use common::{command, mazurka, said};
use std::process::Stdio;

#[test]
fn nothing_found_and_exhaustive_is_0() {
    let said = mazurka(&["run", "lastzero", "5"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("exhaustive           yes"), "{}", said.out);
    assert!(said.out.contains("expected executions  64, as found"), "{}", said.out);
}

#[test]
fn a_failure_is_1() {
    let said = mazurka(&["run", "lost_update", "2"]);
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(said.out.contains("failure in main: assertion failed"), "{}", said.out);
    assert!(said.out.contains("it stopped at the first finding; --keep-going goes on"), "{}", said.out);
}

#[test]
fn a_deadlock_is_1_and_explained() {
    let said = mazurka(&["run", "opposite_locks", "--keep-going"]);
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(said.out.contains("cycle: p0 → b → p1 → a → p0"), "{}", said.out);
    assert!(said.out.contains("exhaustive           yes"), "{}", said.out);
}

#[test]
fn a_limit_that_was_reached_is_3_and_said() {
    let said = mazurka(&["run", "lastzero", "5", "--max-executions", "3"]);
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("no: the limit of 3 executions was reached"), "{}", said.out);
    let said = mazurka(&["run", "lastzero", "5", "--max-steps", "4"]);
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("limit of 4 steps"), "{}", said.out);
}

#[test]
fn a_bound_that_cut_something_is_3_and_said() {
    let said = mazurka(&["run", "lastzero", "4", "--preemption-bound", "1"]);
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("no: bounded to 1 preemption, which is not a proof"), "{}", said.out);
    assert!(said.out.contains("beyond the bounds"), "{}", said.out);
    let said = mazurka(&["run", "lastzero", "4", "--delay-bound", "1", "--depth-bound", "5", "--algorithm", "naive"]);
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("bounded to 1 delay, 5 steps"), "{}", said.out);
}

#[test]
fn a_bound_that_cut_nothing_proves() {
    let said = mazurka(&["run", "lastzero", "4", "--preemption-bound", "50", "--algorithm", "source"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("exhaustive           yes"), "{}", said.out);
}

#[test]
fn a_bound_has_its_own_scheduling_order() {
    let said = mazurka(&["run", "lastzero", "4", "--delay-bound", "1", "--order", "last"]);
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("--order") && said.err.contains("--delay-bound"), "{}", said.err);
}

#[test]
fn random_schedules_have_a_default_limit() {
    let said = mazurka(&["run", "lastzero", "3", "--algorithm", "random"]);
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("  completed          10,000"), "{}", said.out);
    assert!(said.out.contains("random schedules prove nothing, and stop after 10000 executions"), "{}", said.out);
}

#[test]
fn unknown_programs_are_answered_with_the_nearest() {
    let said = mazurka(&["run", "lastzro", "5"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("there is no program 'lastzro'. Did you mean lastzero"), "{}", said.err);
    assert!(said.out.is_empty());
}

#[test]
fn bad_arguments_say_what_the_program_takes() {
    let said = mazurka(&["run", "lastzero", "5", "6"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("lastzero takes one argument: n"), "{}", said.err);
    let said = mazurka(&["run", "lastzero", "-5"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("n must be from 1"), "{}", said.err);
}

#[test]
fn unknown_options_and_algorithms_are_answered_with_the_nearest() {
    let said = mazurka(&["run", "lastzero", "--kep-going"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("--keep-going"), "{}", said.err);
    let said = mazurka(&["run", "lastzero", "--algorithm", "optmal"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("a similar value exists: 'optimal'"), "{}", said.err);
    let said = mazurka(&["run", "lastzero", "--max-time", "soon"]);
    assert_eq!(said.status, 2, "{}", said.err);
}

#[test]
fn malformed_schedules_say_where() {
    let said = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk1:0,,1"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("step group 2 of the schedule"), "{}", said.err);
    let said = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk9:0"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("format 'mzk9'"), "{}", said.err);
}

#[test]
fn schedules_that_do_not_fit_say_where() {
    let said = mazurka(&["replay", "lost_update", "2", "--schedule", "mzk1:0,7"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("the schedule does not fit this program: step 2 is of thread 7"), "{}", said.err);
}

#[test]
fn files_that_cannot_be_used_say_why() {
    let said = mazurka(&["run", "no/such.litmus"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("cannot read 'no/such.litmus'"), "{}", said.err);
    let path = std::env::temp_dir().join(format!("mazurka-statuses-{}.litmus", std::process::id()));
    std::fs::write(&path, "var x;\nx = q").expect("a file can be written");
    let said = mazurka(&["run", path.to_str().expect("UTF-8")]);
    std::fs::remove_file(&path).expect("the file is there");
    assert_eq!(said.status, 2);
    assert!(said.err.contains("line 2, column 5"), "{}", said.err);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = command(&["programs"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    drop(child.stdout.take());
    let said = said(child.wait_with_output().expect("it ends"));
    // What fits into the pipe before it is closed may be written without notice.
    assert!([0, 141].contains(&said.status), "{}", said.status);
    assert!(said.err.is_empty(), "{}", said.err);
}

#[test]
fn a_program_that_diverges_is_bad_input() {
    // The other orders never repeat the step that differs before they are done: a divergence is seen when a step is
    // replayed, and not otherwise (docs/soundness.md).
    let all = ["first", "last", "round-robin", "random"];
    let early = ["first", "round-robin"];
    for (algorithm, orders) in [("naive", &all[..]), ("classic", &early), ("source", &early), ("optimal", &early)] {
        for order in orders {
            let said = mazurka(&["run", "diverging", "--algorithm", algorithm, "--order", order]);
            assert_eq!(said.status, 2, "{algorithm} {order}: {}", said.err);
            assert!(said.err.contains("behaves differently when it is run again"), "{algorithm} {order}: {}", said.err);
            assert!(said.out.is_empty(), "{algorithm} {order}: {}", said.out);
        }
    }
}

#[test]
fn a_campaign_without_a_mismatch_is_0() {
    let said = mazurka(&["campaign", "--programs", "30", "--seed", "5", "--workers", "2"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.starts_with("seed 5\nthe laws hold on "), "{}", said.out);
    assert!(said.err.is_empty(), "{}", said.err);
}

#[test]
fn a_campaign_says_its_seed_and_can_be_repeated() {
    let first = mazurka(&["campaign", "--programs", "3", "--profile", "locks", "--max-interleavings", "500"]);
    assert_eq!(first.status, 0, "{}", first.err);
    let seed = first.out.lines().next().and_then(|line| line.strip_prefix("seed ")).expect("the seed comes first");
    let again = mazurka(&["campaign", "--programs=3", "--profile=locks", "--max-interleavings=500", "--seed", seed]);
    let without_time = |said: &str| said.rsplit_once(", in ").map(|(text, _)| text.to_owned());
    assert_eq!(without_time(&first.out), without_time(&again.out));
    assert!(without_time(&first.out).is_some(), "{}", first.out);
}

#[test]
fn a_campaign_of_an_unknown_profile_is_2() {
    let said = mazurka(&["campaign", "--profile", "lock"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("a similar value exists: 'locks'"), "{}", said.err);
    let said = mazurka(&["campaign", "--seed", "18446744073709551615"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("too large"), "{}", said.err);
}

#[test]
fn an_algorithm_that_refuses_a_program_is_said_and_left_out() {
    let path = std::env::temp_dir().join(format!("mazurka-refused-{}.litmus", std::process::id()));
    std::fs::write(&path, "var x; x = 2 | x = 2 | await x == 2").unwrap();
    let program = path.to_str().unwrap();
    let said = mazurka(&["run", program, "--algorithm", "observers"]);
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("await") && said.err.contains("--algorithm optimal"), "{}", said.err);
    let said = mazurka(&["compare", program, "--algorithms", "optimal,observers"]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("left out: the algorithm 'observers'"), "{}", said.out);
}

#[test]
fn programs_without_an_end_are_verified_by_their_states() {
    let path = std::env::temp_dir().join(format!("mazurka-endless-{}.litmus", std::process::id()));
    let program = path.to_str().unwrap();
    let verify = |text: &str, more: &[&str]| {
        std::fs::write(&path, text).unwrap();
        mazurka(&[&["verify", program], more].concat())
    };
    let said = verify("mutex m; loop { lock m; unlock m } | loop { lock m; unlock m }", &[]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("holds: every state was met") && said.out.contains("states 3, "), "{}", said.out);
    let said = verify(
        "mutex m, n; loop { lock m; lock n; unlock n; unlock m } | loop { lock n; lock m; unlock m; unlock n }",
        &[],
    );
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(said.out.contains("deadlock: 2 threads wait for ever"), "{}", said.out);
    let schedule = said.out.split("--schedule '").nth(1).and_then(|rest| rest.split('\'').next()).expect("a schedule");
    let again = mazurka(&["replay", program, "--schedule", schedule]);
    assert_eq!((again.status, again.out.contains("deadlock: 2 threads wait for ever")), (1, true), "{}", again.out);
    let said = verify("var x; loop { r = fetch_add x, 1 }", &["--max-states", "20"]);
    assert_eq!((said.status, said.out.contains("--max-states stopped the search")), (3, true), "{}", said.out);
    let said = verify("var x; x = 1", &["--reduction", "source"]);
    assert_eq!((said.status, said.err.contains("--reduction is for Promela models")), (2, true), "{}", said.err);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn sources_in_c_are_sent_to_the_command_that_takes_them() {
    let path = std::env::temp_dir().join(format!("mazurka-sent-{}.c", std::process::id()));
    std::fs::write(&path, "int main(void) { return 0; }").unwrap();
    for command in ["run", "compare"] {
        let said = mazurka(&[command, path.to_str().unwrap()]);
        assert_eq!((said.status, said.err.contains("`mazurka check ")), (2, true), "{}", said.err);
    }
    let said = mazurka(&["estimate", path.to_str().unwrap()]);
    assert_eq!(said.status, 0, "{}", said.err);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_built_in_program_is_verified_and_rust_is_refused_by_name() {
    let said = mazurka(&["verify", "lost_update", "3"]);
    assert_eq!((said.status, said.out.contains("an update was lost")), (1, true), "{}", said.err);
    let path = std::env::temp_dir().join(format!("mazurka-refused-{}.rs", std::process::id()));
    std::fs::write(&path, "").unwrap();
    let said = mazurka(&["verify", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("is Rust") && said.err.contains("only the compiler knows"), "{}", said.err);
    let said = mazurka(&["verify", "lost_update", "three"]);
    assert_eq!((said.status, said.err.contains("'three' is no number")), (2, true), "{}", said.err);
    let said = mazurka(&["verify", "lost_update", "3", "--no-races"]);
    assert_eq!((said.status, said.err.contains("--no-races is for programs in C and C++")), (2, true), "{}", said.err);
    let said = mazurka(&["verify", "no_such_program", "3"]);
    assert_eq!((said.status, said.err.contains("no_such_program")), (2, true), "{}", said.err);
}
