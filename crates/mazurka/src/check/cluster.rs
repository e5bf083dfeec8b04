//! Searches of Rust tests on a cluster: whoever runs the same test of the same test binary works on the same search.

use super::Checker;
use cluster::{
    Config, FrontEnd, Local, NewRun, Options, Owner, Problem, Run, RunState, Store, Verdict, Worked, digest, work,
};
use explore::{Interleavings, LoopRules, Settings, Shareable, report_of};
use fiber::FiberProgram;
use graphs::{ModelInfo, UnderModel};
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
    // Local states have addresses in them, which are not the same in all processes: what one learns of loops is of no use to
    // another, and would make the search begin anew.
    let settings = Settings { loops: LoopRules::NONE, ..checker.settings.clone() };
    or_panic(search_interleavings(checker, url, program, sink, settings))
}

/// The same under a memory model.
pub(super) fn search_under(
    model: &'static ModelInfo,
    checker: &Checker,
    url: &str,
    program: &FiberProgram,
    settings: Settings,
) -> Option<Result<graphs::Report, String>> {
    or_panic(search_graphs(model, checker, url, program, settings))
}

fn or_panic<T>(result: Result<T, Problem>) -> T {
    result.unwrap_or_else(|problem| panic!("MAZURKA_CLUSTER: {problem}"))
}

fn search_interleavings(
    checker: &Checker,
    url: &str,
    program: &FiberProgram,
    sink: &mut dyn Sink,
    settings: Settings,
) -> Result<Option<Result<explore::Report, explore::Error>>, Problem> {
    let info = checker.chosen_algorithm();
    let job = Job { checker, settings: settings.clone(), program };
    let config = Config::new(info, &settings, Vec::new())?;
    let Some(Shared { mut store, run, worked }) =
        job.share(url, config, &Interleavings::new(info, settings.clone()), sink)?
    else {
        return Ok(None);
    };
    let verdict = match verdict(&mut store, &run, &worked)? {
        Ok(verdict) => verdict.total(),
        Err(problem) => return Ok(Some(Err(explore::Error::InWorker(problem)))),
    };
    let lessons = store.version(&run)?.lessons;
    let report = super::checker::in_own_thread(|| report_of(info, program, &settings, &lessons, &verdict));
    Ok(Some(report))
}

fn search_graphs(
    model: &'static ModelInfo,
    checker: &Checker,
    url: &str,
    program: &FiberProgram,
    settings: Settings,
) -> Result<Option<Result<graphs::Report, String>>, Problem> {
    let of_graphs: graphs::Settings = (&settings).into();
    let job = Job { checker, settings: settings.clone(), program };
    let config = Config::under_model(model.name, &settings, Vec::new());
    // The threads of a test have no local states under a memory model.
    let under = UnderModel::new(model, of_graphs).without_local_states();
    let Some(Shared { mut store, run, worked }) = job.share(url, config, &under, &mut ())? else { return Ok(None) };
    let total = match verdict(&mut store, &run, &worked)? {
        Ok(verdict) => verdict.total(),
        Err(problem) => return Ok(Some(Err(problem))),
    };
    let report = super::checker::in_own_thread(|| graphs::report_of(program, model, &of_graphs, &total));
    Ok(Some(report.map_err(|error| error.to_string())))
}

/// A check that is put on a cluster.
struct Job<'j> {
    checker: &'j Checker,
    settings: Settings,
    program: &'j FiberProgram,
}

/// A search that was put on a cluster and is over, here at least.
struct Shared {
    store: Store,
    run: Run,
    worked: Worked,
}

impl Job<'_> {
    /// Works on it, unless this process is there for another check of its test.
    fn share(
        &self,
        url: &str,
        config: Config,
        search: &dyn Shareable,
        sink: &mut dyn Sink,
    ) -> Result<Option<Shared>, Problem> {
        let nth = CHECKS.replace(CHECKS.get() + 1);
        if self.settings.limits.executions.is_some() {
            let problem = "a limit of executions is for one machine: give a limit of time, or leave out the cluster";
            return Err(Problem::FrontEnd(problem.to_owned()));
        }
        self.program.use_common_numbers();
        let new = self.new_run(config, search, nth)?;
        let mut store = Store::open(url, Owner::here())?;
        let Some(run) = join(&mut store, &new)? else { return Ok(None) };
        let front_end = Rust { program: self.program, begun: Mutex::default() };
        let started = Instant::now();
        let time = self.settings.limits.time;
        let mut is_late = false;
        let mut progress = |tally: &Tally| {
            let elapsed = started.elapsed();
            is_late = time.is_some_and(|time| elapsed >= time);
            let progress = Progress { tally: *tally, elapsed, depth: 0, share: None, tasks: None };
            sink.progress(&progress).is_continue() && !is_late
        };
        let mut local = Local::new(&front_end, search);
        let options = Options { slice: SLICE.0, least: SLICE.1, progress: &mut progress, at: &|_| {} };
        let worked = work(&mut store, &run, &mut local, options)?;
        if is_late {
            store.set_open(run.run, false)?;
        }
        Ok(Some(Shared { store, run, worked }))
    }

    fn new_run(&self, mut config: Config, search: &dyn Shareable, nth: u32) -> Result<NewRun, Problem> {
        let unreadable = |error| Problem::FrontEnd(format!("cannot read this test's own program: {error}"));
        let program = std::env::current_exe().and_then(std::fs::read).map_err(unreadable)?;
        let name = std::thread::current().name().unwrap_or("check").to_owned();
        // All that a test may set and that decides what is explored.
        config.front_end = vec![name.clone(), nth.to_string(), format!("{:?}", self.checker.options)];
        Ok(NewRun {
            kind: KIND.to_owned(),
            name,
            digest: digest(&program),
            program: Vec::new(),
            config,
            whole: search.whole(),
            lessons: search.first_lessons(),
            known: String::new(),
            threads: Vec::new(),
        })
    }
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

/// What a run came to, as far as it came, or why it failed.
fn verdict(store: &mut Store, run: &Run, worked: &Worked) -> Result<Result<Verdict, String>, Problem> {
    Ok(match worked.state {
        Some(RunState::Done) => {
            let verdict = store.verdict(run)?;
            for schedule in &verdict.set_aside {
                eprintln!("set aside, for it ended its worker five times: {schedule}");
            }
            Ok(verdict)
        }
        Some(RunState::Failed) => Err(store.verdict(run)?.problem.unwrap_or_default()),
        Some(RunState::Open | RunState::Stopped) => Ok(store.so_far(run)?),
        None => return Err(Problem::NoRun(run.run)),
    })
}
