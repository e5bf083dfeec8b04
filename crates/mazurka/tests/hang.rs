//! A thread that never comes to an operation ends the process, with a report.

use mazurka::Checker;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::process::Command;
use std::time::Duration;

#[test]
fn a_hang_ends_in_a_report() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hangs", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.contains("thread looper has computed for more than 200ms"), "{text}");
}

#[test]
#[ignore = "run by the other test, in a process of its own"]
fn hangs() {
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
