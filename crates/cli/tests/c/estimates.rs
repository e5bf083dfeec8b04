//! `mazurka estimate` of programs in C.

use crate::checking::{check_with, compilers, finish};
use crate::head::{folder, programs};
use std::process::Command;

/// What `mazurka estimate` says of a program of the corpus, as JSON, and the exit status.
fn estimate(program: &str, options: &[&str], flags: &[&str]) -> (i32, serde_json::Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(["estimate", "--json", "--compiler", compilers()[0]]).args(options);
    command.arg(folder().join("corpus").join(program)).arg("--").args(flags);
    let answer = finish(command).unwrap();
    (answer.status, serde_json::from_str(&answer.out).unwrap_or_default())
}

#[test]
fn a_small_program_is_explored_to_the_end() {
    // Which memory is shared is found out by the samples, and known to the last ones.
    let fib = programs("corpus").into_iter().find(|program| program.name() == "fib_bench.c").unwrap();
    let flags = ["-DN=2".to_owned()];
    let explored = check_with(&fib, compilers()[0], &["--json", "--keep-going"], &flags).unwrap();
    let executions = explored.summary.unwrap().counts.executions as f64;
    for options in [&[][..], &["--memory", "sc"]] {
        let (status, said) = estimate("fib_bench.c", options, &["-DN=2"]);
        assert_eq!((status, &said["exact"]), (0, &true.into()), "{said}");
        assert_eq!(said["executions"], executions, "{said}");
    }
}

#[test]
fn a_large_program_is_estimated() {
    let rows = litmus::corpus::rows().unwrap();
    let row = rows.iter().find(|row| row.program.as_deref() == Some("fib_bench") && row.args == [4]).unwrap();
    let (status, said) = estimate("fib_bench.c", &["--samples", "20", "--width", "50"], &["-DN=4"]);
    assert_eq!((status, &said["exact"]), (0, &false.into()), "{said}");
    let [estimated, error] = ["executions", "standard_error"].map(|key| said[key].as_f64().unwrap());
    assert!((estimated - row.classes as f64).abs() <= 4.0 * error, "{said}");
}

#[test]
fn options_of_other_programs_are_refused() {
    let mazurka = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.arg("estimate").args(arguments);
        finish(command).unwrap()
    };
    let source = folder().join("corpus/fib_bench.c").display().to_string();
    let answer = mazurka(&[&source, "-D", "N=2"]);
    assert!(answer.status == 2 && answer.err.contains("behind --"), "{}", answer.told());
    let answer = mazurka(&["lastzero", "5", "--no-races"]);
    assert!(answer.status == 2 && answer.err.contains("--no-races"), "{}", answer.told());
}
