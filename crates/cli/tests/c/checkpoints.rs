//! Searches of C programs that are killed, interrupted and gone on with.

use crate::arbitrary::Scratch;
use crate::checking::{Answer, command, compilers, finish};
use report::summary::Counts;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Two threads and main increment what is atomic by a load and a store, take a lock, wait for a flag and use a block of the heap. In
/// some orders, an update is lost.
const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *thread(void *unused)
{
    for (int i = 0; i < N; i++)
        x = x + 1;
    pthread_mutex_lock(&m);
    (*shared)++;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *waiter(void *unused)
{
    while (!flag)
        ;
    pthread_mutex_lock(&m);
    (*shared)++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    shared = calloc(1, sizeof *shared);
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_create(&t[2], NULL, waiter, NULL);
    x = x + 1;
    flag = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(*shared == 3 && x > 2);
    free(shared);
    return 0;
}
";

/// A program, and a file for its checkpoints.
struct Search {
    scratch: Scratch,
    compiler: &'static str,
}

impl Search {
    fn new(compiler: &'static str) -> Self {
        let scratch = Scratch::new();
        std::fs::write(scratch.path().join("program.c"), PROGRAM).expect("a file can be written");
        Search { scratch, compiler }
    }

    fn file(&self) -> PathBuf {
        self.scratch.path().join("search.mzk")
    }

    /// A check, with what comes after the program and before its flags.
    fn command(&self, options: &[&str], n: u32) -> Command {
        let mut check =
            command(self.compiler, &["--json", "--keep-going", "--no-shrink", "--checkpoint-every", "20ms"]);
        check.current_dir(self.scratch.path()).arg("program.c").args(options).args(["--", &format!("-DN={n}")]);
        check
    }

    fn check(&self, options: &[&str], n: u32) -> Answer {
        finish(self.command(options, n)).expect("it ends")
    }

    fn start(&self, options: &[&str]) -> Started {
        let mut check = self.command(options, 2);
        check.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Started(Some(check.spawn().expect("it can be started")))
    }
}

/// A started command that does not outlive the test.
struct Started(Option<Child>);

impl Started {
    fn signal(&mut self, name: &str) {
        let id = self.0.as_ref().expect("not ended yet").id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().is_ok_and(|status| status.success()));
    }

    /// The status that it ended with, if no signal ended it, and what it said.
    fn wait(mut self) -> (Option<i32>, String, String) {
        let output = self.0.take().expect("not ended yet").wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // Ended here, or by itself meanwhile: both is fine.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// What does not depend on where a search was cut.
fn counted(answer: &Answer) -> [u64; 5] {
    let summary = answer.summary.as_ref().unwrap_or_else(|| panic!("{}", answer.told()));
    assert!(summary.exhaustive, "{}", answer.told());
    let Counts { completed, deadlocked, failed, assume_cut, executions, .. } = summary.counts;
    [completed, deadlocked, failed, assume_cut, executions]
}

fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited too long until {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// So many times is a search killed in the middle.
const KILLS: u64 = 6;

/// Kills a search with these options again and again, and goes on with it.
fn kill_and_go_on(compiler: &'static str, more: &[&str]) {
    let search = Search::new(compiler);
    let alone = search.check(&[more, &["--workers", "1"]].concat(), 2);
    let whole = counted(&alone);
    assert!(whole[0] > 1000 && whole[2] > 0, "{whole:?}");
    let mut kills = 0;
    let last = loop {
        let option = if search.file().exists() { "--resume" } else { "--checkpoint" };
        let options = [more, &[option, "search.mzk", "--workers", ["1", "2"][kills as usize % 2]]].concat();
        if kills == KILLS {
            break search.check(&options, 2);
        }
        let mut started = search.start(&options);
        thread::sleep(Duration::from_millis(60 + 25 * kills));
        started.signal("KILL");
        started.wait();
        kills += 1;
    };
    assert_eq!(counted(&last), whole, "{compiler}: {}", last.told());
    let sorts = |answer: &Answer| answer.findings().iter().map(|finding| finding.headline.clone()).collect::<Vec<_>>();
    assert_eq!(sorts(&last), sorts(&alone), "{compiler}: {}", last.told());
}

#[test]
fn a_search_that_is_killed_again_and_again_counts_exactly() {
    compilers().iter().for_each(|compiler| kill_and_go_on(compiler, &[]));
}

/// The waiting loop is known of when it goes on.
#[test]
fn so_does_one_under_a_memory_model() {
    compilers().iter().for_each(|compiler| kill_and_go_on(compiler, &["--memory", "rc11"]));
}

/// Tells a search with these options to end, and goes on with it.
fn interrupt_and_go_on(more: &[&str]) {
    let search = Search::new(compilers()[0]);
    let whole = counted(&search.check(&[more, &["--workers", "2"]].concat(), 2));
    for (signal, workers) in [("INT", "1"), ("TERM", "2")] {
        let options = [more, &["--checkpoint", "search.mzk", "--workers", workers]].concat();
        let mut started = search.start(&options);
        wait_until("there is a checkpoint", || search.file().exists());
        started.signal(signal);
        let (status, out, err) = started.wait();
        // Something is found in nearly every execution.
        assert!(matches!(status, Some(1 | 3)), "{status:?} {out}{err}");
        if out.contains("it was interrupted") {
            assert!(err.contains("go on with:\n  mazurka check program.c"), "{err}");
            assert!(err.contains("--resume search.mzk") && err.contains("-- -DN=2"), "{err}");
            assert!(err.contains(&more.join(" ")), "{err}");
        }
        let rest = search.check(&[more, &["--resume", "search.mzk"]].concat(), 2);
        assert_eq!(counted(&rest), whole, "{}", rest.told());
        std::fs::remove_file(search.file()).expect("it is there");
    }
}

#[test]
fn a_search_that_is_told_to_end_says_how_to_go_on() {
    interrupt_and_go_on(&[]);
}

#[test]
fn so_does_one_under_a_memory_model_that_is_told_to_end() {
    interrupt_and_go_on(&["--memory", "rc11"]);
}

#[test]
fn what_cannot_be_gone_on_from_is_said() {
    let search = Search::new(compilers()[0]);
    let first = search.check(&["--checkpoint", "search.mzk", "--max-executions", "100", "--workers", "2"], 2);
    assert!(!first.summary.as_ref().is_none_or(|summary| summary.exhaustive), "{}", first.told());
    let refused = |options: &[&str], n: u32, told: &str| {
        let answer = search.check(options, n);
        assert!(answer.status == 2 && answer.err.contains(told), "{}", answer.told());
    };
    refused(&["--checkpoint", "search.mzk"], 2, "is there already");
    refused(&["--resume", "search.mzk"], 3, "it is of the program program.c");
    refused(&["--resume", "search.mzk", "--arg", "1"], 2, "it is of the program program.c");
    refused(&["--resume", "search.mzk", "-a", "source"], 2, "only searches by the algorithm 'pop'");
    let text = std::fs::read_to_string(search.file()).expect("it is there");
    std::fs::write(search.file(), &text[..text.len() / 2]).expect("it can be written");
    refused(&["--resume", "search.mzk"], 2, "its end is missing");
}
