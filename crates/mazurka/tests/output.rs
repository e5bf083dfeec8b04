//! What a check prints: nothing by itself, a line with `--nocapture`, a live line on a terminal. The tests run themselves
//! again, in a process whose output they can read.

use mazurka::Checker;
use mazurka::sync::Arc;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;
use std::process::{Command, Stdio};

/// Set in the process that is to do the check.
const CHECKS: &str = "MAZURKA_TEST_CHECKS";

fn is_child() -> bool {
    std::env::var_os(CHECKS).is_some()
}

/// This test alone, in a process of its own.
fn again(test: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).args(arguments).env(CHECKS, "1");
    command
}

fn writers(n: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    for i in 0..n {
        let x = x.clone();
        thread::spawn(move || x.store(i, SeqCst));
    }
}

/// The lines of the check, on both streams.
fn lines_of(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = [output.stdout, output.stderr].concat();
    let lines = String::from_utf8(text).unwrap();
    lines.lines().filter(|line| line.contains("mazurka:")).map(str::to_owned).collect()
}

#[test]
fn the_counts_are_a_line() {
    if is_child() {
        return mazurka::check(|| writers(3));
    }
    let quiet = lines_of(&mut again("the_counts_are_a_line", &[]));
    assert_eq!(quiet, [""; 0]);
    let lines = lines_of(&mut again("the_counts_are_a_line", &["--nocapture"]));
    assert_eq!(lines.len(), 1, "{lines:?}");
    let (before, after) = lines[0].split_once(" in ").expect("a time");
    assert!(before.ends_with("mazurka: 6 executions"), "{lines:?}");
    let (counts, remark) = after.rsplit_once("; ").expect("a remark on memory models");
    assert!(counts.ends_with(" by pop; there are no others"), "{lines:?}");
    assert_eq!(remark, "no atomic operation is weaker than seq_cst, so that holds under rc11 too");
}

#[test]
fn a_limit_is_said() {
    if is_child() {
        return Checker::from_env().max_executions(2).assert(|| writers(3));
    }
    let lines = lines_of(&mut again("a_limit_is_said", &["--nocapture"]));
    assert!(lines[0].contains("mazurka: 2 executions in "), "{lines:?}");
    assert!(lines[0].ends_with("; not all: the limit of 2 executions was reached"), "{lines:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_search_says_how_far_it_is_on_a_terminal_only() {
    const NAME: &str = "a_long_search_says_how_far_it_is_on_a_terminal_only";
    if is_child() {
        let time = std::time::Duration::from_millis(1700);
        return Checker::from_env().max_time(time).assert(|| writers(12));
    }
    let piped = again(NAME, &["--nocapture"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&piped.stderr), "");
    let (mut reads, writes) = terminal();
    let mut child = again(NAME, &["--nocapture"]).stdout(Stdio::null()).stderr(writes).spawn().unwrap();
    let shown = read_until_closed(&mut reads);
    assert!(child.wait().unwrap().success());
    for part in [NAME, " executions, ", "/s, depth 2", "% done"] {
        assert!(shown.contains(part), "no '{part}' in {shown:?}");
    }
}

/// The lines of a report that run the finding again in a debugger: each stops where the test fails, and knows the way there.
#[cfg(target_os = "linux")]
#[test]
fn a_debugger_stops_where_it_fails() {
    use std::io::Write;
    const NAME: &str = "a_debugger_stops_where_it_fails";
    if is_child() {
        return Checker::from_env().assert(debugged);
    }
    let found = again(NAME, &["--nocapture"]).output().unwrap();
    let report = String::from_utf8([found.stdout, found.stderr].concat()).unwrap();
    let line_of = |words: &str| {
        let line = report.lines().find_map(|line| line.trim().strip_prefix(words));
        line.unwrap_or_else(|| panic!("no line begins with {words:?}:\n{report}")).trim().to_owned()
    };
    for (debugger, words, stops) in [
        ("gdb", "in gdb, which stops where it fails:", "Breakpoint 1, "),
        ("lldb", "in lldb:", "stop reason = breakpoint 1.1"),
    ] {
        let line = line_of(words);
        if Command::new(debugger).arg("--version").output().is_err() {
            assert!(
                debugger == "lldb" || std::env::var_os("MAZURKA_REQUIRE_TOOLS").is_none(),
                "no {debugger} is installed"
            );
            eprintln!("left out: {debugger} is not installed");
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env(CHECKS, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"bt\nkill\nquit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let told = format!("{line}\n{said}\n{}", String::from_utf8_lossy(&output.stderr));
        for part in [stops, "mazurka_panicked", "assert_failed", "debugged"] {
            assert!(said.contains(part), "no {part:?} in\n{told}");
        }
    }
}

/// Fails in one of two orders.
#[cfg(target_os = "linux")]
fn debugged() {
    let x = Arc::new(AtomicUsize::new(0));
    let other = x.clone();
    thread::spawn(move || other.store(1, SeqCst));
    assert_eq!(x.load(SeqCst), 0, "the store came first");
}

/// Both ends of a terminal of 200 columns: what is written to the second is read from the first.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a system call")]
fn terminal() -> (std::fs::File, Stdio) {
    use std::os::fd::{FromRawFd, OwnedFd};
    let size = libc::winsize { ws_row: 25, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
    let (mut reads, mut writes) = (-1, -1);
    // SAFETY: all pointers are to memory that is there, or null where that is allowed; both descriptors are new.
    unsafe {
        let done = libc::openpty(&mut reads, &mut writes, std::ptr::null_mut(), std::ptr::null(), &size);
        assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
        (std::fs::File::from_raw_fd(reads), OwnedFd::from_raw_fd(writes).into())
    }
}

/// Everything until the last writer has gone, which a terminal tells by an error.
#[cfg(target_os = "linux")]
fn read_until_closed(terminal: &mut std::fs::File) -> String {
    use std::io::Read;
    let mut shown = Vec::new();
    let mut some = [0; 4096];
    while let Ok(length @ 1..) = terminal.read(&mut some) {
        shown.extend_from_slice(&some[..length]);
    }
    String::from_utf8_lossy(&shown).into_owned()
}
