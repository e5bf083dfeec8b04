//! Searches of Rust tests on a cluster: whoever runs the same test of the same test binary works on the same search.

use super::Checker;
use cluster::{Config, FrontEnd, Local, NewRun, Options, Owner, Problem, Run, RunState, Store, Worked, digest, work};
use explore::{Lessons, LoopRules, Settings, report_of};
use fiber::FiberProgram;
use model::Program;
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trace::{Progress, Sink, Tally};

/// What a run of this kind is called in the tables.
const KIND: &str = "rust";
/// The run that this process is to work on, and no other: `mazurka worker` says so.
const RUN: &str = "MAZURKA_CLUSTER_RUN";
/// The longest time between two commits, and the shortest when others wait.
const SLICE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(200));

thread_local! {
    /// How many checks this test has put on a cluster: that tells them apart, for all that a test does is the same again.
    static CHECKS: Cell<u32> = const { Cell::new(0) };
}

struct Rust<'p> {
    program: &'p FiberProgram,
    /// What was known when the version began.
    begun: Mutex<String>,
}

impl FrontEnd for Rust<'_> {
    fn program(&self) -> &dyn Program {
        self.program
    }

    fn needs_own_thread(&self) -> bool {
        true
    }

    fn begin(&self, known: &str) -> Result<(), String> {
        self.program.know(known)?;
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = self.program.known();
        Ok(())
    }

    fn learnt(&self) -> Result<bool, String> {
        Ok(*self.begun.lock().unwrap_or_else(PoisonError::into_inner) != self.program.known())
    }

    fn known(&self) -> String {
        self.program.known()
    }
}

/// Searches a program on a cluster. None if this process is there for another check of its test.
///
/// # Panics
/// If the cluster cannot be used, as a test that cannot be run does.
pub(super) fn search(
    checker: &Checker,
    url: &str,
    program: &FiberProgram,
    sink: &mut dyn Sink,
) -> Option<Result<explore::Report, explore::Error>> {
    let nth = CHECKS.replace(CHECKS.get() + 1);
    // Local states have addresses in them, which are not the same in all processes: what one learns of loops is of no use to
    // another, and would make the search begin anew.
    let checker =
        &Checker { settings: Settings { loops: LoopRules::NONE, ..checker.settings.clone() }, ..checker.clone() };
    match try_search(checker, url, program, sink, nth) {
        Ok(searched) => searched,
        Err(problem) => panic!("MAZURKA_CLUSTER: {problem}"),
    }
}

fn try_search(
    checker: &Checker,
    url: &str,
    program: &FiberProgram,
    sink: &mut dyn Sink,
    nth: u32,
) -> Result<Option<Result<explore::Report, explore::Error>>, Problem> {
    if checker.settings.limits.executions.is_some() {
        let problem = "a limit of executions is for one machine: give a limit of time, or leave out the cluster";
        return Err(Problem::FrontEnd(problem.to_owned()));
    }
    program.use_common_numbers();
    let new = new_run(checker, nth)?;
    let mut store = Store::open(url, Owner::here())?;
    let Some(run) = join(&mut store, &new)? else { return Ok(None) };
    let front_end = Rust { program, begun: Mutex::default() };
    let started = Instant::now();
    let time = checker.settings.limits.time;
    let mut is_late = false;
    let mut progress = |tally: &Tally| {
        let elapsed = started.elapsed();
        is_late = time.is_some_and(|time| elapsed >= time);
        let progress = Progress { tally: *tally, elapsed, depth: 0, share: None, tasks: None };
        sink.progress(&progress).is_continue() && !is_late
    };
    let settings = run.config.settings(checker.settings.clone());
    let mut local = Local::new(&front_end, run.config.algorithm()?, settings);
    let options = Options { slice: SLICE.0, least: SLICE.1, progress: &mut progress, at: &|_| {} };
    let worked = work(&mut store, &run, &mut local, options)?;
    if is_late {
        store.set_open(run.run, false)?;
    }
    report(checker, &mut store, &run, program, &worked).map(Some)
}

fn new_run(checker: &Checker, nth: u32) -> Result<NewRun, Problem> {
    let unreadable = |error| Problem::FrontEnd(format!("cannot read this test's own program: {error}"));
    let program = std::env::current_exe().and_then(std::fs::read).map_err(unreadable)?;
    let name = std::thread::current().name().unwrap_or("check").to_owned();
    let info = checker.chosen_algorithm();
    // All that a test may set and that decides what is explored.
    let front_end = vec![name.clone(), nth.to_string(), format!("{:?}", checker.options)];
    Ok(NewRun {
        kind: KIND.to_owned(),
        name,
        digest: digest(&program),
        program: Vec::new(),
        config: Config::new(info, &checker.settings, front_end)?,
        lessons: Lessons::first(info, &checker.settings).to_text(),
        known: String::new(),
        threads: Vec::new(),
    })
}

/// The run that this process is to work on: one that others have started, or a new one.
fn join(store: &mut Store, new: &NewRun) -> Result<Option<Run>, Problem> {
    let Ok(number) = std::env::var(RUN) else {
        return store.join_or_create(new).map(Some);
    };
    let number = number.parse().map_err(|_| Problem::FrontEnd(format!("{RUN}: '{number}' is no run")))?;
    let run = store.run(number)?;
    let same_check = run.config.front_end.iter().take(2).eq(new.config.front_end.iter().take(2));
    if !same_check {
        return Ok(None);
    }
    if run.digest != new.digest {
        return Err(Problem::OtherProgram(format!(
            "the test binary of run {} has the digest {:.16}, and this one {:.16}",
            run.run, run.digest, new.digest
        )));
    }
    if run.config != new.config {
        return Err(Problem::OtherProgram(format!(
            "settings differ: {:?} there, and {:?} here; is a variable MAZURKA_* set?",
            run.config, new.config
        )));
    }
    Ok(Some(run))
}

fn report(
    checker: &Checker,
    store: &mut Store,
    run: &Run,
    program: &FiberProgram,
    worked: &Worked,
) -> Result<Result<explore::Report, explore::Error>, Problem> {
    let version = store.version(run)?;
    let total = match worked.state {
        Some(RunState::Done) => {
            let verdict = store.verdict(run)?;
            for schedule in &verdict.set_aside {
                eprintln!("set aside, for it ended its worker five times: {schedule}");
            }
            verdict.total()?
        }
        Some(RunState::Failed) => {
            let problem = store.verdict(run)?.problem.unwrap_or_default();
            return Ok(Err(explore::Error::InWorker(problem)));
        }
        Some(RunState::Open | RunState::Stopped) => store.so_far(run)?.total()?,
        None => return Err(Problem::NoRun(run.run)),
    };
    let settings = run.config.settings(checker.settings.clone());
    let info = run.config.algorithm()?;
    Ok(super::checker::in_own_thread(|| report_of(info, program, &settings, &version.lessons, &total)))
}
