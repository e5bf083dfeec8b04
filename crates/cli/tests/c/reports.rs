//! What reports say: names, lines, call stacks, and the program's output.

use crate::checking::{Answer, command, compilers, finish};
use crate::head::folder;
use std::process::{Command, Stdio};

/// Checks a program and hands what comes out to `judge`, by every compiler.
#[track_caller]
fn checked(program: &str, options: &[&str], judge: impl Fn(&Answer)) {
    for compiler in compilers() {
        let mut command = command(compiler, options);
        command.arg(folder().join(program)).args(["--", "-std=gnu++17"].iter().filter(|_| program.ends_with("cpp")));
        judge(&finish(command).unwrap_or_else(|problem| panic!("{program} by {compiler}: {problem}")));
    }
}

#[track_caller]
fn says(program: &str, words: &[&str]) {
    checked(program, &[], |answer| {
        for word in words {
            assert!(answer.out.contains(word), "'{word}' is not in\n{}\n{}", answer.out, answer.err);
        }
    });
}

#[test]
fn variables_on_stacks_have_names() {
    says("bugs/race_on_stack.c", &["read result of main = 0", "write result of main := 1"]);
    says("bugs/loop_variable.c", &["write i of main := 1"]);
    says("cpp/uncaught.cpp", &["read ready of main = 0"]);
}

#[test]
fn an_exception_is_told_with_its_type_and_words() {
    says("cpp/uncaught.cpp", &["uncaught exception std::runtime_error: not ready at `uncaught.cpp:12`"]);
    says("hostile/throw_in_main.cpp", &["uncaught exception int at `throw_in_main.cpp:5`"]);
}

#[test]
fn blocks_of_the_heap_are_told_with_their_lives() {
    let life = "a block of 8 bytes allocated at rcu_early_free.c:18 that was freed at rcu_early_free.c:39";
    says("structures/rcu_early_free.c", &[life]);
    checked("structures/rcu_early_free.c", &[], |answer| {
        // Two objects are freed, and one line says so.
        assert_eq!(answer.out.matches("free heap object").count(), 1, "{}", answer.out);
    });
    says("cpp/double_delete.cpp", &["is freed twice, first at double_delete.cpp:14"]);
}

#[test]
fn a_data_race_has_both_stacks() {
    checked("bugs/race_in_function.c", &["--json"], |answer| {
        let stacks = &answer.findings()[0].stacks;
        let calls: Vec<_> = stacks.iter().map(|stack| stack.calls.join(", ")).collect();
        let inner = "increment at race_in_function.c:9";
        assert_eq!(
            calls,
            [format!("{inner}, main at race_in_function.c:22"), format!("{inner}, worker at race_in_function.c:14")]
        );
        assert!(stacks.iter().all(|stack| stack.step.is_some()));
    });
}

#[test]
fn a_deadlock_has_lines_and_owners() {
    checked("corpus/opposite_locks.c", &["--json"], |answer| {
        let waiting = &answer.findings()[0].waiting;
        let told: Vec<_> = waiting
            .iter()
            .map(|wait| {
                let holders: Vec<_> =
                    wait.holders.iter().map(|holder| holder.site.clone().unwrap_or_default()).collect();
                format!("{} {} {}", wait.thread, wait.site.as_deref().unwrap_or_default(), holders.join(" "))
            })
            .collect();
        assert_eq!(
            told,
            [
                "main opposite_locks.c:33 ",
                "T1 opposite_locks.c:12 opposite_locks.c:21",
                "T2 opposite_locks.c:22 opposite_locks.c:11"
            ]
        );
    });
}

#[test]
fn output_is_muted_but_for_a_replay() {
    for compiler in compilers() {
        let program = folder().join("bugs/abort_after_output.c");
        let mut check = command(compiler, &["--json"]);
        check.arg(&program);
        let answer = finish(check).unwrap();
        assert!(!answer.out.contains("the worker's"), "{}", answer.out);
        let mut replay = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        replay.args(["replay", "--compiler", compiler, "--schedule", &answer.findings()[0].schedule]).arg(&program);
        let told = finish(replay).unwrap();
        assert!(told.out.contains("the worker's 1\n") && told.out.contains("abort was called"), "{}", told.out);
    }
}

/// A debugger that is there stops in the program's own code.
#[test]
fn a_replay_under_the_debugger_stops_at_the_failure() {
    let program = folder().join("bugs/abort_after_output.c");
    let mut check = command(compilers()[0], &["--json"]);
    check.arg(&program);
    let answer = finish(check).unwrap();
    for (debugger, stops) in [("gdb", "Breakpoint 1, "), ("lldb", "stop reason = breakpoint 1.1")] {
        let version = Command::new(debugger).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !version.is_ok_and(|status| status.success()) {
            continue;
        }
        let mut replay = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        // What the debugger starts up with is run before its own commands end.
        replay.args(["replay", "--compiler", compilers()[0], "--schedule", &answer.findings()[0].schedule]);
        replay.arg(format!("--{debugger}")).arg(&program);
        let told = finish(replay).unwrap();
        assert!(told.out.contains(stops) && told.out.contains("mazurka_failed"), "{}{}", told.out, told.err);
    }
}
