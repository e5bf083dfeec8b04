//! A thread that never comes to an operation ends the process, with a report.

use mazurka::Checker;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
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
