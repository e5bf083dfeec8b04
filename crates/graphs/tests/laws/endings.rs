//! Deadlocks, failures and data races under each model.

use crate::{explored, program};
use mazurka_graphs::model;
use trace::{Ending, Tally};

fn tally(text: &str, memory: &str) -> Tally {
    explored(&program(text), model(memory).unwrap(), 0, None).unwrap().1
}

#[test]
fn a_missing_release_is_found_where_it_matters() {
    let text = |store: &str, load: &str| {
        format!("var x, f; x = 1 plain; f = 1 {store} | r = f {load}; if r == 1 {{ s = x plain; assert s == 1 }}")
    };
    for (store, load, fails) in [
        ("release", "acquire", false),
        ("relaxed", "acquire", true),
        ("release", "relaxed", true),
        ("seq_cst", "seq_cst", false),
    ] {
        let text = text(store, load);
        assert_eq!(tally(&text, "rc11").failed > 0, fails, "{text}");
        for memory in ["sc", "ra", "tso"] {
            assert_eq!(tally(&text, memory).failed, 0, "{text} under {memory}");
        }
    }
    assert!(tally(&text("relaxed", "acquire"), "pso").failed > 0);
}

#[test]
fn plain_accesses_that_nothing_orders_race() {
    let racy = "var x; x = 1 plain | r = x plain";
    let locked = "var x; mutex m; lock m; x = 1 plain; unlock m | lock m; r = x plain; unlock m";
    for memory in ["sc", "ra", "rc11"] {
        assert!(tally(racy, memory).failed > 0);
        assert_eq!(tally(locked, memory).failed, 0);
    }
    assert_eq!(tally(racy, "tso").failed, 0, "a race is defined there");
}

#[test]
fn deadlocks_are_found() {
    let crossed = "mutex m, n; lock m; lock n; unlock n; unlock m | lock n; lock m; unlock m; unlock n";
    for memory in ["sc", "tso", "pso", "ra", "rc11"] {
        assert_eq!(tally(crossed, memory).deadlocked, 1, "{memory}");
        assert_eq!(tally("var x; await x == 1", memory).deadlocked, 1);
        assert_eq!(tally("mutex m; unlock m", memory).failed, 1);
    }
}

#[test]
fn a_long_program_needs_no_deep_stack() {
    let mut body = String::from("i = 0; while i < 3000 { x = i relaxed; i = i + 1 }");
    body = format!("var x, y; {body} | r = y relaxed");
    assert_eq!(tally(&body, "rc11").completed, 1);
}

#[test]
fn schedules_that_cannot_be_are_refused() {
    let text = "var x; x = 1 | r = choose 2; x = r | r = x; fetch_add x, 1";
    for steps in ["0w1", "0w4294967295", "0w0,1o2", "1o9", "0w0,2r7", "2ri,2ri,2w3", "9w0", "0ri", "0o0"] {
        let schedule = format!("mzg1:rc11:{steps}");
        assert!(mazurka_graphs::replay(&program(text), &schedule).is_err(), "{schedule}");
    }
}

#[test]
fn a_schedule_that_ends_before_its_execution_is_refused() {
    let text = program("var x; mutex m; x = 1 | lock m | lock m");
    let of = |steps: &str| mazurka_graphs::replay(&text, &format!("mzg1:rc11:{steps}"));
    assert_eq!(of("0w0,1ri,1w0").expect("the rest waits").ending, Ending::Deadlocked);
    let error = of("1ri,1w0").map(|_| ()).expect_err("the first thread could go on").to_string();
    assert!(error.contains("thread 0 could go on"), "{error}");
}
