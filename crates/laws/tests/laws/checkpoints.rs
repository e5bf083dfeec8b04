//! A search that is stopped, written and gone on with, any number of times and by any number of workers, counts and
//! finds what one does that is never stopped.

use explore::{CheckpointProblem, Checkpoints, Error, Report, SchedulingOrder, Settings};
use litmus::arbitrary::{Generator, Profile};
use litmus::{LitmusProgram, Sketch, corpus};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trace::{Execution, Progress, Sink};

/// A checkpoint that is removed in the end.
struct File(PathBuf);

impl File {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mazurka-{test}-{}.checkpoint", std::process::id()));
        let file = File(path);
        file.remove();
        file
    }

    fn remove(&self) {
        drop(std::fs::remove_file(&self.0));
    }

    fn settings(&self, program: &LitmusProgram, workers: usize, resume: bool) -> Settings {
        let checkpoints = Checkpoints {
            path: self.0.clone(),
            every: Duration::ZERO,
            resume: resume.then(|| self.0.clone()),
            program: program.sketch().to_string(),
            is_anew: false,
        };
        let workers = NonZeroUsize::new(workers).unwrap();
        Settings { keep_going: true, workers, checkpoints: Some(checkpoints), ..Settings::default() }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Ends the search the nth time that it is told how far that is.
struct StopAfter(u32);

impl Sink for StopAfter {
    fn wants_executions(&self) -> bool {
        false
    }

    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn search(program: &LitmusProgram, settings: &Settings, sink: &mut dyn Sink) -> Result<Report, Error> {
    let pop = explore::algorithm("pop").unwrap();
    explore::check_with(program, &mut *(pop.make)(), settings, sink)
}

fn compile(sketch: &Sketch) -> LitmusProgram {
    LitmusProgram::new(sketch.clone()).unwrap()
}

/// All that must be the same.
fn results(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let tally = &report.tally;
    let schedules: Vec<String> = report.findings.iter().map(|finding| finding.schedule.to_string()).collect();
    (tally.completed, tally.deadlocked, tally.failed, tally.cut, tally.sleep_set_blocked, tally.longest, schedules)
}

/// Searches in parts, each after the checkpoint of the one before, each with a program that knows nothing of the others,
/// and each with another number of workers. Also says how many parts there were.
fn in_parts(
    file: &File,
    sketch: &Sketch,
    change: impl Fn(&mut Settings),
    mut sink: impl FnMut(u32) -> Box<dyn Sink>,
) -> Result<(Report, u32), Error> {
    file.remove();
    for part in 0.. {
        let program = compile(sketch);
        let mut settings = file.settings(&program, [1, 4, 2][part as usize % 3], part > 0);
        change(&mut settings);
        let report = search(&program, &settings, &mut *sink(part))?;
        if report.exhaustive {
            return Ok((report, part + 1));
        }
    }
    unreachable!("the parts never end")
}

fn unstopped(sketch: &Sketch) -> Result<Report, Error> {
    search(&compile(sketch), &Settings { keep_going: true, ..Settings::default() }, &mut ())
}

#[test]
fn the_corpus_in_parts() {
    let file = File::new("corpus");
    for row in corpus::rows().unwrap().into_iter().filter(|row| !row.heavy) {
        let sketch = row.build().unwrap().sketch().clone();
        // What pop does not know yet is refused by name.
        let Ok(whole) = unstopped(&sketch) else { continue };
        let some = whole.tally.runs() / 4 + 1;
        let limit = |settings: &mut Settings| settings.limits.executions = Some(some);
        let (report, parts) = in_parts(&file, &sketch, limit, |_| Box::new(())).unwrap();
        assert_eq!(results(&report), results(&whole), "{}", row.name());
        assert_eq!(report.tally.executions(), row.classes, "{}", row.name());
        assert!(parts > 1 || whole.tally.runs() <= some, "{}", row.name());
    }
}

#[test]
fn arbitrary_programs_one_run_at_a_time() {
    let file = File::new("arbitrary");
    let generator = Generator::new(Profile::Everything);
    let mut parts_in_all = 0;
    for seed in 0..100 {
        let sketch = generator.sample(seed);
        let Ok(whole) = unstopped(&sketch) else { continue };
        if whole.tally.runs() > 60 {
            continue;
        }
        let limit = |settings: &mut Settings| settings.limits.executions = Some(1);
        let (report, parts) = in_parts(&file, &sketch, limit, |_| Box::new(())).unwrap();
        assert_eq!(results(&report), results(&whole), "seed {seed}: {sketch}");
        parts_in_all += parts;
    }
    assert!(parts_in_all > 200, "only {parts_in_all} parts");
}

#[test]
fn workers_meet_for_checkpoints_and_can_be_stopped_at_any() {
    let file = File::new("workers");
    for (name, argument) in [("lastzero", 12), ("fib_bench", 4)] {
        let sketch = litmus::library::find(name).unwrap().build(&[argument]).unwrap().sketch().clone();
        let whole = unstopped(&sketch).unwrap();
        let stop = |part: u32| -> Box<dyn Sink> { Box::new(StopAfter(2 + part % 3)) };
        let (report, parts) = in_parts(&file, &sketch, |_| (), stop).unwrap();
        assert_eq!(results(&report), results(&whole), "{name}");
        // How many there are depends on how fast the machine is.
        assert!(parts > 1, "{name} was not stopped");
    }
}

#[test]
fn a_search_that_is_over_stays_so() {
    let file = File::new("over");
    let sketch = litmus::library::find("lost_update").unwrap().build(&[3]).unwrap().sketch().clone();
    let program = compile(&sketch);
    let whole = search(&program, &file.settings(&program, 2, false), &mut ()).unwrap();
    let again = search(&program, &file.settings(&program, 1, true), &mut ()).unwrap();
    assert!(again.exhaustive && !again.findings.is_empty());
    assert_eq!(results(&again), results(&whole));
    assert_eq!(again.tally.steps, whole.tally.steps);
}

#[test]
fn the_first_finding_is_no_end() {
    let file = File::new("first");
    let sketch = litmus::library::find("lost_update").unwrap().build(&[3]).unwrap().sketch().clone();
    let program = compile(&sketch);
    let settings = Settings { keep_going: false, ..file.settings(&program, 1, false) };
    assert!(!search(&program, &settings, &mut ()).unwrap().exhaustive);
    let rest = search(&program, &file.settings(&program, 1, true), &mut ()).unwrap();
    assert!(rest.exhaustive);
    assert_eq!(results(&rest), results(&unstopped(&sketch).unwrap()));
}

/// A program, and a checkpoint of it after one execution.
fn begun(file: &File) -> LitmusProgram {
    let program = litmus::library::find("lastzero").unwrap().build(&[5]).unwrap();
    let mut settings = file.settings(&program, 1, false);
    settings.limits.executions = Some(1);
    search(&program, &settings, &mut ()).unwrap();
    program
}

#[track_caller]
fn problem(program: &LitmusProgram, settings: &Settings) -> (CheckpointProblem, String) {
    match search(program, settings, &mut ()) {
        Err(Error::Checkpoint(error)) => (error.problem.clone(), error.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_does_not_fit_is_refused_and_left_as_it_is() {
    let file = File::new("unfit");
    let program = begun(&file);
    let before = std::fs::read(&file.0).unwrap();
    let other = litmus::library::find("lastzero").unwrap().build(&[6]).unwrap();
    let (found, message) = problem(&other, &file.settings(&other, 1, true));
    assert!(matches!(found, CheckpointProblem::OtherProgram(_)), "{message}");

    let refused = |change: &dyn Fn(&mut Settings)| {
        let mut settings = file.settings(&program, 1, true);
        change(&mut settings);
        problem(&program, &settings).1
    };
    let message = refused(&|settings| settings.order = SchedulingOrder::LastCreated);
    assert!(message.contains("scheduling order is first, and not last"), "{message}");
    let message = refused(&|settings| settings.bounds.depth = Some(3));
    assert!(message.contains("bound is none, and not 3 steps"), "{message}");
    let message = refused(&|settings| settings.limits.steps = 99);
    assert!(message.contains("limit of steps is 1000000, and not 99"), "{message}");

    let (found, _) = problem(&program, &file.settings(&program, 1, false));
    assert_eq!(found, CheckpointProblem::Exists);
    assert_eq!(std::fs::read(&file.0).unwrap(), before);
}

/// The same checkpoint with another text in place of a part of it, and a check sum that fits.
fn rewritten(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    assert!(body.contains(from), "{from}");
    let body = body.replacen(from, to, 1);
    let head = format!("mazurka-checkpoint 2 {} {:08x}", body.len(), crc32fast::hash(body.as_bytes()));
    std::fs::write(path, format!("{head}\n{body}")).unwrap();
}

#[test]
fn other_versions_and_other_behaviour_are_told_apart() {
    let file = File::new("rewritten");
    for (from, to, told) in [
        ("\"mazurka 0", "\"mazurka 99", "it was written by mazurka 99"),
        ("\"findings\":[]", "\"findings\":[\"mzk1:77\"]", "the program does not behave as it did: the schedule"),
        ("\"findings\":[]", "\"findings\":[\"mzk1:0\"]", "nothing is found by the schedule mzk1:0"),
        ("\"threads\":[\"0\"", "\"threads\":[\"1\"", "thread 1 is another one now"),
        ("\"prefix\":", "\"prefix\":99", "it is damaged"),
        ("\"tasks\":", "\"jobs\":", "it is damaged"),
    ] {
        file.remove();
        let program = begun(&file);
        rewritten(&file.0, from, to);
        let (_, message) = problem(&program, &file.settings(&program, 1, true));
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn only_pop_has_checkpoints() {
    let file = File::new("algorithms");
    let program = compile(&"var x; x = 1 | x = 2".parse().unwrap());
    for info in explore::ALGORITHMS.iter().filter(|info| info.name != "pop") {
        let error = explore::check(&program, &mut *(info.make)(), &file.settings(&program, 1, false)).unwrap_err();
        assert!(error.to_string().contains("only searches by the algorithm 'pop'"), "{error}");
    }
    assert!(!file.0.exists());
}

#[test]
fn a_file_that_cannot_be_written_is_known_at_once() {
    let mut file = File::new("nowhere");
    file.0 = file.0.join("in").join("no").join("folder");
    let program = compile(&"var x; x = 1 | x = 2".parse().unwrap());
    let (found, message) = problem(&program, &file.settings(&program, 1, false));
    assert!(matches!(found, CheckpointProblem::CannotWrite(_)), "{message}");
}
