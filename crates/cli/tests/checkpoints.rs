//! Searches that are killed, interrupted and gone on with.
#![cfg(unix)]

mod common;

use common::{Said, command, mazurka, said};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A file that is removed in the end, and what is written beside it.
struct File(PathBuf);

impl File {
    fn new(test: &str) -> Self {
        let file = File(std::env::temp_dir().join(format!("mazurka-{test}-{}.mzk", std::process::id())));
        file.remove();
        file
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path that is text")
    }

    fn remove(&self) {
        for path in [self.0.clone(), self.0.with_extension("mzk.tmp")] {
            drop(std::fs::remove_file(path));
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A started command that does not outlive the test.
struct Started(Option<Child>);

impl Started {
    fn new(args: &[&str]) -> Self {
        let child =
            command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mazurka can be started");
        Started(Some(child))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("not ended yet")
    }

    /// Sends a signal by its name.
    fn signal(&mut self, name: &str) {
        let id = self.child().id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status().expect("there is a kill");
        assert!(status.success());
    }

    fn wait(mut self) -> Said {
        said(self.0.take().expect("not ended yet").wait_with_output().expect("mazurka ends"))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// Waits until `happened`.
fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A part of the JSON of a report.
fn counts_and_findings(said: &Said) -> (serde_json::Value, serde_json::Value) {
    let report: serde_json::Value = serde_json::from_str(&said.out).expect(&said.err);
    assert_eq!(report["exhaustive"], true, "{}", said.out);
    let mut counts = report["counts"].clone();
    // What was run again depends on where the search was cut.
    let object = counts.as_object_mut().expect("counts by name");
    for name in ["steps", "steps_replayed"] {
        assert!(object.remove(name).is_some(), "{}", said.out);
    }
    (counts, report["findings"].clone())
}

/// So many times is a search killed in the middle.
const KILLS: u32 = 24;

#[test]
fn a_search_that_is_killed_again_and_again_counts_exactly() {
    // It has 720 × 720 classes, and threads that are made as it runs; in all but 720 an update is lost.
    let program = ["run", "lost_update", "6", "--keep-going", "--json"];
    let whole = counts_and_findings(&mazurka(&program));
    assert_eq!((&whole.0["executions"], &whole.0["completed"]), (&518_400.into(), &720.into()));
    is_exact_through_kills("killed", &program, &whole);
}

#[test]
fn a_search_under_a_memory_model_that_is_killed_again_and_again_counts_exactly() {
    let program = ["run", "lost_update", "6", "--memory", "rc11", "--keep-going", "--json"];
    let whole = counts_and_findings(&mazurka(&program));
    assert_eq!((&whole.0["executions"], &whole.0["completed"]), (&518_400.into(), &720.into()));
    is_exact_through_kills("killed-graphs", &program, &whole);
}

/// Kills a search in the middle, and goes on with it, again and again.
#[track_caller]
fn is_exact_through_kills(name: &str, program: &[&str], whole: &(serde_json::Value, serde_json::Value)) {
    let program = [program, &["--checkpoint-every", "5ms"]].concat();
    let file = File::new(name);
    let mut random = fastrand::Rng::with_seed(1);
    let (mut kills, mut resumed) = (0, 0);
    loop {
        let option = if file.0.exists() { "--resume" } else { "--checkpoint" };
        let workers = ["1", "2", "4"][kills as usize % 3];
        let mut search = Started::new(&[&program[..], &[option, file.path(), "--workers", workers]].concat());
        resumed += u32::from(option == "--resume");
        if kills < KILLS {
            std::thread::sleep(Duration::from_millis(random.u64(10..150)));
            search.child().kill().expect("it can be killed");
        }
        let output = search.0.take().expect("not ended yet").wait_with_output().expect("it has ended");
        if output.status.code().is_none() {
            kills += 1;
            continue;
        }
        // It came to its end: by itself, or faster than the kill.
        let said = said(output);
        assert_eq!(said.status, 1, "{}", said.err);
        assert_eq!(&counts_and_findings(&said), whole);
        if kills == KILLS {
            break;
        }
        file.remove();
    }
    assert!(resumed > KILLS / 2, "only {resumed} of the searches went on from a checkpoint");
}

/// Starts a search of some seconds, and sends it a signal as soon as it has written a checkpoint.
fn interrupted(file: &File, program: &[&str], signal: &str) -> Said {
    let mut search = Started::new(&[program, &["--checkpoint", file.path()]].concat());
    wait_until("there is a checkpoint", || file.0.exists());
    search.signal(signal);
    search.wait()
}

#[test]
fn an_interrupted_search_says_how_to_go_on() {
    let file = File::new("interrupted");
    let said = interrupted(&file, &["run", "fib_bench", "5", "--order", "last", "--workers", "1"], "INT");
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("no: it was interrupted"), "{}", said.out);
    let way = format!("go on with:\n  mazurka run fib_bench 5 --resume {} --order last", file.path());
    assert!(said.err.contains(&way), "{}", said.err);
    let rest = mazurka(&["run", "fib_bench", "5", "--resume", file.path(), "--order", "last"]);
    assert_eq!(rest.status, 0, "{}", rest.err);
    assert!(rest.out.contains("218,243, as found"), "{}", rest.out);
    assert!(rest.err.is_empty(), "{}", rest.err);
}

#[test]
fn an_interrupted_search_under_a_memory_model_says_how_to_go_on() {
    let file = File::new("interrupted-graphs");
    let program = ["run", "fib_bench", "5", "--memory", "sc", "--workers", "2"];
    let said = interrupted(&file, &program, "INT");
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.out.contains("no: it was interrupted"), "{}", said.out);
    let way = format!("go on with:\n  mazurka run fib_bench 5 --memory sc --resume {}", file.path());
    assert!(said.err.contains(&way), "{}", said.err);
    let rest = mazurka(&["run", "fib_bench", "5", "--memory", "sc", "--resume", file.path()]);
    assert_eq!(rest.status, 0, "{}", rest.err);
    assert!(rest.out.contains("218,243"), "{}", rest.out);
    let other = mazurka(&["run", "fib_bench", "5", "--memory", "tso", "--resume", file.path()]);
    assert_eq!(other.status, 2, "{}", other.out);
    assert!(other.err.contains("its search is graphs under sc, and not graphs under tso"), "{}", other.err);
    let other = mazurka(&["run", "fib_bench", "5", "--resume", file.path()]);
    assert!(other.err.contains("its search is graphs under sc, and not pop"), "{}", other.err);
}

#[test]
fn an_interrupted_search_that_found_something_is_1() {
    let file = File::new("terminated");
    let said = interrupted(&file, &["run", "lost_update", "7", "--keep-going"], "TERM");
    assert!(said.out.contains("no: it was interrupted"), "{}", said.out);
    assert!(said.err.contains("--keep-going"), "{}", said.err);
    assert_eq!(said.status, 1, "{}", said.out);
}

#[test]
fn a_limit_is_gone_on_from() {
    let file = File::new("limited");
    let (limit, path) = (["--max-executions", "40"], file.path());
    let said = mazurka(&[&["run", "lastzero", "5", "--checkpoint", path][..], &limit].concat());
    assert_eq!(said.status, 3, "{}", said.err);
    assert!(said.err.contains("--resume"), "{}", said.err);
    let said = mazurka(&[&["run", "lastzero", "5", "--resume", path][..], &limit].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.out.contains("64, as found"), "{}", said.out);
}

#[test]
fn another_file_can_be_written_to() {
    let (from, to) = (File::new("from"), File::new("to"));
    mazurka(&["run", "lastzero", "5", "--checkpoint", from.path(), "--max-executions", "9"]);
    let before = std::fs::read(&from.0).expect("it is there");
    let said = mazurka(&["run", "lastzero", "5", "--resume", from.path(), "--checkpoint", to.path()]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(std::fs::read(&from.0).expect("it is there"), before);
    assert!(mazurka(&["run", "lastzero", "5", "--resume", to.path()]).out.contains("64, as found"));
}

#[test]
fn what_cannot_be_gone_on_from_is_said() {
    let file = File::new("refused");
    let path = file.path();
    let refused = |args: &[&str], told: &str| {
        let said = mazurka(args);
        assert_eq!(said.status, 2, "{}", said.out);
        assert!(said.err.contains(told), "{}", said.err);
    };
    refused(&["run", "lastzero", "5", "--resume", path], "give the file that --checkpoint named");
    mazurka(&["run", "lastzero", "5", "--checkpoint", path, "--max-executions", "9"]);
    refused(&["run", "lastzero", "5", "--checkpoint", path], "is there already; go on from it with --resume");
    refused(&["run", "lastzero", "6", "--resume", path], "it is of the program lastzero(5)");
    refused(&["run", "lastzero", "5", "--resume", path, "--max-steps", "7"], "limit of steps is 1000000, and not 7");
    refused(&["run", "lastzero", "5", "--resume", path, "-a", "source"], "only searches by the algorithm 'pop'");
    let text = std::fs::read(&file.0).expect("it is there");
    std::fs::write(&file.0, &text[..text.len() / 2]).expect("it can be written");
    refused(&["run", "lastzero", "5", "--resume", path], "its end is missing");
    std::fs::write(&file.0, "something else\n").expect("it can be written");
    refused(&["run", "lastzero", "5", "--resume", path], "it is no checkpoint");
}
