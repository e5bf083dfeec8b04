//! A program in C, explored by a Rust program: what crate `c-check` is for.
//!
//! There is one program in a process, so there is one test in this file.

use c::driver::{Build, Compiler};
use c::{CProgram, Options};
use explore::{Settings, algorithm};
use mazurka_c_check::{CheckError, check, check_model};
use std::ops::ControlFlow;
use std::path::PathBuf;
use trace::Ending;

/// Two threads add to a variable with a lock, and to another one by a relaxed load and a store.
const PROGRAM: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int with_lock;
static atomic_int without;
static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    with_lock++;
    pthread_mutex_unlock(&lock);
    int seen = atomic_load_explicit(&without, memory_order_relaxed);
    atomic_store_explicit(&without, seen + 1, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(with_lock == 2);
    assert(without == 2);
    return 0;
}
";

fn scratch() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mazurka-c-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_program_is_compiled_explored_and_told_of() {
    let folder = scratch();
    let (source, built) = (folder.join("program.c"), folder.join("program.so"));
    std::fs::write(&source, PROGRAM).unwrap();
    Build::new(vec![source], Compiler::find().unwrap()).run(&built, &folder).unwrap();
    let program = CProgram::load(&built, Options::default()).unwrap();
    let pop = algorithm("pop").unwrap();
    let settings = Settings { keep_going: true, ..Settings::default() };
    let report = check(&program, pop, &settings, &mut ()).unwrap();
    // The sections come in two orders; with each, two loads and two stores in four, of which two lose an update.
    assert!(report.exhaustive);
    assert_eq!((report.tally.completed, report.tally.failed), (4, 4));
    assert!(report.findings.iter().all(|finding| finding.ending == Ending::Failed) && report.findings.len() == 1);

    let rc11 = graphs::model("rc11").unwrap();
    let mut go_on = Quiet;
    let settings = graphs::Settings { keep_going: true, ..graphs::Settings::default() };
    let report = check_model(&program, rc11, &settings, &mut go_on).unwrap();
    assert!(report.exhaustive && !report.findings.is_empty());

    let again = CProgram::load(&built, Options::default()).err().unwrap();
    assert!(again.to_string().contains("has loaded a program already"), "{again}");
    let refused = CheckError::Refused("fork at a.c:1".to_owned());
    assert_eq!(refused.to_string(), "the program cannot be checked: fork at a.c:1");
    std::fs::remove_dir_all(folder).unwrap();
}

struct Quiet;

impl graphs::Watcher for Quiet {
    fn wants(&self, _: Ending) -> bool {
        false
    }

    fn complete(&mut self, _: &graphs::Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &trace::Tally, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
