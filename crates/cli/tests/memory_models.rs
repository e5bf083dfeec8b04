//! `mazurka run --memory`, and what it does without.

mod common;

use common::mazurka;
use std::path::PathBuf;

/// A file with this program.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("UTF-8").to_owned()
}

fn message_passing(name: &str, store: &str, load: &str) -> String {
    let text = format!(
        "var x, f; p: x = 1 relaxed; f = 1 {store} | q: r = f {load}; if r == 1 {{ s = x relaxed; assert s == 1 }}"
    );
    file(name, &text)
}

#[test]
fn a_relaxed_store_is_found_with_the_reason_and_the_order_to_strengthen() {
    let said = mazurka(&["run", &message_passing("relaxed.litmus", "relaxed", "relaxed"), "--suggest-orders"]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    for line in [
        "by graphs under rc11",
        "read x = 0 relaxed, from the start",
        "although the write of 1 (step 1 of p) is before it",
        "nothing synchronises the store at step 2 of p `f = 1 relaxed`",
        "p  `f = 1 relaxed`  relaxed → release",
        "q  `r = f relaxed`  relaxed → acquire",
    ] {
        assert!(said.out.contains(line), "{line}\n{}", said.out);
    }
}

#[test]
fn release_and_acquire_are_a_proof() {
    let said = mazurka(&["run", &message_passing("acquire.litmus", "release", "acquire")]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains("by graphs under rc11"), "{}", said.out);
}

#[test]
fn machines_keep_writes_in_order_or_do_not() {
    let program = message_passing("machines.litmus", "relaxed", "relaxed");
    for (memory, status) in [("sc", 0), ("tso", 0), ("pso", 1), ("ra", 0), ("rc11", 1)] {
        let said = mazurka(&["run", &program, "--memory", memory, "--json"]);
        assert_eq!(said.status, status, "{memory}: {}", said.err);
        assert!(said.out.contains(&format!("\"memory\": \"{memory}\"")), "{}", said.out);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let program = message_passing("refused.litmus", "relaxed", "relaxed");
    for (options, message) in [
        (&["--algorithm", "pop"][..], "are for searches without --memory"),
        (&["--preemption-bound", "1"], "are for searches without --memory"),
        (&["--checkpoint", "never.mzk", "--tree", "never.html"], "leave out --checkpoint and --resume"),
    ] {
        let said = mazurka(&[&["run", &program, "--memory", "rc11"], options].concat());
        assert_eq!(said.status, 2, "{}", said.out);
        assert!(said.err.contains(message), "{}", said.err);
    }
    let messages = file("messages.litmus", "mailbox m; send m, 1 | r = receive m");
    let said = mazurka(&["run", &messages, "--memory", "rc11"]);
    assert_eq!(said.status, 2, "{}", said.out);
    assert!(said.err.contains("messages are explored as sequentially consistent"), "{}", said.err);
}

#[test]
fn an_estimate_is_of_the_graphs_of_its_model() {
    let program = message_passing("estimated.litmus", "relaxed", "relaxed");
    for (memory, graphs) in [("sc", 2.0), ("rc11", 3.0)] {
        let said = mazurka(&["estimate", &program, "--memory", memory, "--json"]);
        assert_eq!(said.status, 0, "{}", said.err);
        let found: serde_json::Value = serde_json::from_str(&said.out).expect(&said.out);
        assert_eq!((&found["executions"], &found["exact"]), (&graphs.into(), &true.into()), "{}", said.out);
        assert_eq!(found["memory"], memory);
    }
    let said = mazurka(&["estimate", "fib_bench", "5", "--memory", "sc", "--samples", "20", "--width", "50", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).expect(&said.err);
    let (mean, error) = (found["executions"].as_f64().unwrap(), found["standard_error"].as_f64().unwrap());
    assert!((mean - 218_243.0).abs() < 5.0 * error && error < mean / 4.0, "{}", said.out);
    assert_eq!(mazurka(&["estimate", "lastzero", "5", "--memory", "sc", "--order", "last"]).status, 2);
}

#[test]
fn messages_are_explored_under_sc_alone_and_the_report_says_so() {
    let text = "mailbox m; var x; p: x = 1 relaxed; send m, 1 | q: r = receive m; s = x relaxed";
    let file = file("messages.litmus", text);
    let said = mazurka(&["run", &file]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let remark = "memory model       sc only, because messages are explored as sequentially consistent";
    assert!(said.out.contains(remark), "{}", said.out);
    let said = mazurka(&["run", &file, "--memory", "rc11"]);
    assert_eq!(said.status, 2, "{}{}", said.out, said.err);
}
