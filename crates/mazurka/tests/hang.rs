//! What takes a process of its own: a thread that never comes to an operation ends it, with a report; and the first run of a process
//! is as every other one.

use mazurka::Checker;
use mazurka::sync::atomic::{AtomicPtr, AtomicU32, Ordering::SeqCst};
use std::process::Command;
use std::time::Duration;

/// Set in the process that is to hang: the same test, run by itself.
const HANGS: &str = "MAZURKA_TEST_HANGS";

#[test]
fn a_hang_ends_in_a_report() {
    if std::env::var_os(HANGS).is_some() {
        return hang();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_hang_ends_in_a_report", "--nocapture"])
        .env(HANGS, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.contains("thread looper has computed for more than 200ms"), "{text}");
}

/// Set in a process that has not checked anything yet.
const IS_COLD: &str = "MAZURKA_TEST_IS_COLD";

/// To find out whether allocations are noted, the first check of a process allocates a block of 8 bytes, which was counted
/// among those of the first run.
#[test]
fn the_first_run_of_a_process_is_as_every_other() {
    if std::env::var_os(IS_COLD).is_some() {
        return point_to_boxes();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_first_run_of_a_process_is_as_every_other", "--nocapture"])
        .env(IS_COLD, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn point_to_boxes() {
    let checker = Checker::new().algorithm("optimal").workers(1).bug_first(false);
    checker.assert(|| {
        let mut values = [Box::new(1u64), Box::new(2)];
        let [first, second] = values.each_mut().map(|value| std::ptr::from_mut::<u64>(value));
        let shared = mazurka::sync::Arc::new(AtomicPtr::new(first));
        let theirs = shared.clone();
        let thread = mazurka::thread::spawn(move || theirs.load(SeqCst).is_null());
        shared.store(second, SeqCst);
        thread.join().unwrap();
    });
}

fn hang() {
    Checker::new().hang_after(Duration::from_millis(200)).assert(|| {
        let thread = mazurka::thread::Builder::new().name("looper".to_owned());
        let looper = thread.spawn(|| {
            AtomicU32::new(0).load(SeqCst);
            loop {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        looper.unwrap().join().unwrap();
    });
}
