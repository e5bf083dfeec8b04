//! What is counted, found and answered does not depend on how many processes search; none is lost unnoticed, and none
//! is left behind.

use crate::checking::{Answer, check_with, command, compilers};
use crate::head::{Program, folder, programs};
use crate::parallel;
use crate::verdicts::judge_verdict;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Others are called after the first execution, so that small programs have them, too.
pub(crate) const AT_ONCE: [&str; 2] = ["--runs-alone", "1"];

/// Takes minutes: three threads of 7 steps each that all conflict.
const LONG: [&str; 2] = ["corpus/fib_bench.c", "-DN=8"];

/// How long to wait for something that takes no time.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in the library of a compiler's choice, and macros for it.
fn program(path: &str) -> Program {
    let path = folder().join(path);
    let part = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).expect("a part").to_owned();
    programs(&part).into_iter().find(|program| program.path == path).expect("it is there")
}

fn by_workers(program: &Program, workers: usize, options: &[&str], flags: &[String]) -> Result<Answer, String> {
    let workers = workers.to_string();
    let options: Vec<&str> = [&["--workers", &workers, "--json"], options].concat();
    check_with(program, compilers()[0], &options, flags)
}

/// All that must be the same.
fn results(answer: &Answer) -> Result<impl PartialEq + std::fmt::Debug + use<>, String> {
    let summary = answer.summary.as_ref().ok_or_else(|| answer.told())?;
    let counts = &summary.counts;
    let endings = [counts.completed, counts.deadlocked, counts.failed, counts.assume_cut, counts.sleep_set_blocked];
    let findings: Vec<_> =
        summary.findings.iter().map(|finding| (finding.headline.clone(), finding.schedule.clone())).collect();
    Ok((answer.status, summary.exhaustive, endings, counts.longest, findings))
}

fn same_by_all(program: &Program, options: &[&str], flags: &[String]) -> Result<(), String> {
    let told = |problem: String| format!("{} {flags:?}: {problem}", program.name());
    let options = [&["--keep-going"], options].concat();
    let alone = results(&by_workers(program, 1, &options, flags)?).map_err(told)?;
    for workers in [2, 4] {
        let together = results(&by_workers(program, workers, &options, flags)?).map_err(told)?;
        if together != alone {
            return Err(told(format!("{workers} workers: {together:?}\nalone: {alone:?}")));
        }
    }
    Ok(())
}

#[test]
fn counts_and_findings_are_those_of_one_process() {
    let mut trials: Vec<(Program, Vec<String>)> =
        programs("corpus").into_iter().map(|program| (program, Vec::new())).collect();
    trials.push((program("corpus/fib_bench.c"), vec!["-DN=4".to_owned()]));
    trials.push((program("corpus/lastzero.c"), vec!["-DN=7".to_owned()]));
    trials.push((program("library/late_thread.c"), Vec::new()));
    parallel::all(&trials, |(program, flags)| same_by_all(program, &AT_ONCE, flags));
}

#[test]
fn bugs_and_hostile_programs_come_out_the_same() {
    let mut trials = [programs("bugs"), programs("hostile")].concat();
    // It takes as long as it may, and findings of other processes are run once more.
    trials.retain(|program| program.name() != "allocate_for_ever.c");
    parallel::all(&trials, |program| {
        let answer = by_workers(program, 2, &[&["--keep-going"], &AT_ONCE[..]].concat(), &[])?;
        judge_verdict(program, compilers()[0], &answer)
            .map_err(|problem| format!("{}: {problem}\n{}", program.name(), answer.told()))
    });
}

/// What takes long enough for several workers under a memory model.
#[test]
fn under_memory_models_it_is_the_same() {
    let mut trials: Vec<(Program, Vec<String>, &str)> = Vec::new();
    for model in ["sc", "tso", "rc11"] {
        trials.push((program("corpus/fib_bench.c"), vec!["-DN=4".to_owned()], model));
        trials.push((program("corpus/lastzero.c"), vec!["-DN=7".to_owned()], model));
        trials.push((program("library/late_thread.c"), Vec::new(), model));
    }
    parallel::all(&trials, |(program, flags, model)| same_by_all(program, &["--memory", model], flags));
}

#[test]
fn limits_are_those_of_all_together() {
    let (program, flags) = (program(LONG[0]), [LONG[1].to_owned()]);
    for (memory, why) in [(&[][..], "time limit"), (&["--memory", "rc11"], "the time of 300ms was used up")] {
        let options = [memory, &["--max-executions", "5000"]].concat();
        let answer = by_workers(&program, 2, &options, &flags).unwrap();
        let summary = answer.summary.as_ref().unwrap_or_else(|| panic!("{}", answer.told()));
        assert_eq!((answer.status, summary.counts.executions, summary.exhaustive), (3, 5000, false));

        let answer = by_workers(&program, 2, &[memory, &["--max-time", "300ms"]].concat(), &flags).unwrap();
        let summary = answer.summary.as_ref().unwrap_or_else(|| panic!("{}", answer.told()));
        assert_eq!((answer.status, summary.exhaustive), (3, false));
        let told = summary.not_exhaustive_because.as_deref().unwrap_or_default();
        assert!(told.contains(why), "{}", answer.told());
    }
}

#[test]
fn the_first_finding_ends_the_search() {
    let program = program("bugs/deep_bug.c");
    let answer = by_workers(&program, 2, &AT_ONCE, &[]).unwrap();
    assert_eq!((answer.status, answer.findings().len()), (1, 1), "{}", answer.told());
}

/// A check that goes on for minutes, with two workers.
struct LongCheck {
    command: Child,
    /// The process of the search, and those of the workers.
    search: u32,
    workers: Vec<u32>,
}

impl LongCheck {
    fn start() -> Self {
        let mut command = command(compilers()[0], &["--workers", "2", "--json", "--keep-going"]);
        command.arg(folder().join(LONG[0])).args(["--", LONG[1]]);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let search_of = || children(command.id()).into_iter().find(|&child| is_search(child));
        let search = eventually("no process for the search", search_of);
        let two = || Some(children(search)).filter(|workers| workers.len() == 2);
        let workers = eventually("no two workers", two);
        LongCheck { command, search, workers }
    }
}

impl Drop for LongCheck {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.command.kill();
        let _ = self.command.wait();
    }
}

#[track_caller]
fn eventually<T>(otherwise: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{otherwise}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn proc_of(process: u32) -> PathBuf {
    Path::new("/proc").join(process.to_string())
}

fn children(process: u32) -> Vec<u32> {
    let list = proc_of(process).join("task").join(process.to_string()).join("children");
    let list = fs::read_to_string(list).unwrap_or_default();
    list.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// Whether a process is for a search, and not a compiler.
fn is_search(process: u32) -> bool {
    fs::read_to_string(proc_of(process).join("cmdline")).unwrap_or_default().contains("\0--built\0")
}

/// Whether a process runs: one that ended and that nobody has waited for does not.
fn runs(process: u32) -> bool {
    let status = fs::read_to_string(proc_of(process).join("status")).unwrap_or_default();
    let state = status.lines().find_map(|line| line.strip_prefix("State:"));
    state.is_some_and(|state| !state.trim_start().starts_with(['Z', 'X']))
}

/// Ends a process; false if there is none any more.
fn kill(process: u32) -> bool {
    let status = Command::new("kill").args(["-KILL", &process.to_string()]).stderr(Stdio::null()).status();
    status.expect("there is such a command").success()
}

#[test]
fn a_lost_worker_is_told() {
    let mut check = LongCheck::start();
    // A search that learnt something begins anew with other workers.
    eventually("no worker to be killed", || {
        children(check.search).into_iter().find(|&worker| runs(worker) && kill(worker))
    });
    let status = eventually("it goes on without the worker", || check.command.try_wait().unwrap());
    let mut message = String::new();
    std::io::Read::read_to_string(check.command.stderr.as_mut().expect("a pipe"), &mut message).unwrap();
    assert_eq!(status.code(), Some(2), "{message}");
    assert!(message.contains("a process of the search was lost") && message.contains("signal 9"), "{message}");
    assert!(!runs(check.workers[1]), "the other worker goes on");
}

#[test]
fn no_process_outlives_the_command() {
    let mut check = LongCheck::start();
    check.command.kill().unwrap();
    check.command.wait().unwrap();
    for process in [&[check.search], &check.workers[..]].concat() {
        eventually("a process goes on", || (!runs(process)).then_some(()));
    }
}

#[test]
fn workers_end_with_the_process_of_the_search() {
    let mut check = LongCheck::start();
    kill(check.search);
    let status = eventually("the command waits for ever", || check.command.try_wait().unwrap());
    assert_eq!(status.code(), Some(2));
    for &worker in &check.workers {
        eventually("a worker goes on", || (!runs(worker)).then_some(()));
    }
}
