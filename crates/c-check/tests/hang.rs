//! A program in C that hangs, or accesses what is not there, where this process has other threads: signals come to any of them.
//!
//! There is one program in a process, so there is one test in this file.

use c::driver::{Build, Compiler};
use c::{CProgram, Options};
use explore::{Settings, algorithm};
use mazurka_c_check::check;
use model::FailureKind;
use std::time::Duration;

const PROGRAM: &str = "
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first;
static void *thread(void *unused)
{
    if (atomic_exchange(&first, 1) == 0)
        for (;;)
            ;
    return *(int **)unused;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    atomic_exchange(&first, 1);
    pthread_join(other, NULL);
}
";

#[test]
fn signals_are_for_the_thread_that_runs_the_program() {
    let folder = std::env::temp_dir().join(format!("mazurka-c-check-hang-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, built) = (folder.join("program.c"), folder.join("program.so"));
    std::fs::write(&source, PROGRAM).unwrap();
    Build::new(vec![source], Compiler::find().unwrap()).run(&built, &folder).unwrap();
    // The test is not in the first thread of the process, which the system prefers.
    let mut options = Options::default();
    options.hang_after = Duration::from_millis(200);
    let program = CProgram::load(&built, options).unwrap();
    let settings = Settings { keep_going: true, ..Settings::default() };
    let report = check(&program, algorithm("pop").unwrap(), &settings, &mut ()).unwrap();
    let failures = report.findings.iter().flat_map(|finding| &finding.failures);
    let mut kinds: Vec<FailureKind> = failures.map(|(_, failure)| failure.kind).collect();
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    assert_eq!(kinds, [FailureKind::Crash, FailureKind::Hang]);
    std::fs::remove_dir_all(folder).unwrap();
}
