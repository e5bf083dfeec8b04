//! What the tests of a cluster have in common: a server, runs of litmus programs, and workers.

pub(crate) mod server;

use explore::{AlgorithmInfo, Interleavings, Report, Settings, Shareable, algorithm, check, report_of};
use graphs::UnderModel;
use litmus::{LitmusProgram, Sketch, library};
use mazurka_cluster::{
    Config, FrontEnd, Local, Moment, NewRun, Options, Owner, Problem, Run, Store, Worked, digest, work,
};
use model::{Choice, Names, Pending, Program, Stepped, ThreadId};
use std::num::NonZeroUsize;
use std::time::Duration;

pub(crate) struct Litmus {
    program: LitmusProgram,
    is_deadly: bool,
}

impl FrontEnd for Litmus {
    fn program(&self) -> &dyn Program {
        if self.is_deadly { self } else { &self.program }
    }
}

/// Whoever writes this ends the process.
const DEADLY_WORD: u64 = 666;

impl Program for Litmus {
    fn start(&self) -> Box<dyn model::Run + '_> {
        Box::new(Deadly(self.program.start()))
    }

    fn names(&self) -> &dyn Names {
        self.program.names()
    }
}

struct Deadly<'p>(Box<dyn model::Run + 'p>);

impl model::Run for Deadly<'_> {
    fn restart(&mut self) {
        self.0.restart();
    }

    fn threads(&self) -> usize {
        self.0.threads()
    }

    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        self.0.pending(thread)
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let stepped = self.0.step(choice);
        if stepped.as_ref().is_some_and(|stepped| stepped.after == DEADLY_WORD) {
            std::process::abort();
        }
        stepped
    }

    fn is_cut(&self) -> bool {
        self.0.is_cut()
    }
}

pub(crate) fn parsed(text: &str) -> LitmusProgram {
    let sketch: Sketch = text.parse().expect("a program");
    LitmusProgram::new(sketch).expect("a program")
}

/// The text of a program of the library.
pub(crate) fn built_in(name: &str, arguments: &[i64]) -> String {
    library::find(name).expect(name).build(arguments).expect(name).sketch().to_string()
}

pub(crate) fn pop() -> &'static AlgorithmInfo {
    algorithm("pop").expect("an algorithm")
}

pub(crate) fn going_on() -> Settings {
    Settings { keep_going: true, ..Settings::default() }
}

/// What one machine finds out.
pub(crate) fn alone(text: &str, settings: &Settings) -> Report {
    check(&parsed(text), &mut *(pop().make)(), settings).expect("a report")
}

/// Makes a schema of its own.
pub(crate) fn make_schema(url: &str, name: &str) {
    let mut client = postgres::Client::connect(url, postgres::NoTls).expect("a server");
    client.batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {name}")).expect("a schema");
}

pub(crate) fn open(url: &str, name: &str) -> Store {
    let mut store = Store::open(url, Owner::this(name)).expect("a store");
    store.set_lease(Duration::from_secs(60));
    store
}

pub(crate) fn start(store: &mut Store, text: &str, settings: &Settings) -> Run {
    let config = Config::new(pop(), settings, Vec::new()).expect("it has tasks");
    start_by(store, text, config, &Interleavings::new(pop(), settings.clone()))
}

pub(crate) fn under(model: &str, settings: &Settings) -> UnderModel {
    UnderModel::new(graphs::model(model).expect("a model"), settings.into())
}

pub(crate) fn start_by(store: &mut Store, text: &str, config: Config, search: &dyn Shareable) -> Run {
    let program = parsed(text);
    let threads = Program::names(&program).registry().expect("it has one").paths();
    let new = NewRun {
        kind: "litmus".to_owned(),
        name: text.lines().next().unwrap_or_default().to_owned(),
        digest: digest(text.as_bytes()),
        program: text.as_bytes().to_vec(),
        config,
        whole: search.whole(),
        lessons: search.first_lessons(),
        known: String::new(),
        threads: threads.iter().map(ToString::to_string).collect(),
    };
    store.create(&new).expect("a run")
}

/// How the workers of tests work: with short slices, so that there are many.
pub(crate) struct Manner<'m> {
    pub(crate) slice: Duration,
    pub(crate) workers: usize,
    pub(crate) at: &'m dyn Fn(Moment),
    /// Whether the process ends when [`DEADLY_WORD`] is written.
    pub(crate) is_deadly: bool,
}

impl Default for Manner<'_> {
    fn default() -> Self {
        Manner { slice: Duration::from_millis(20), workers: 1, at: &|_| {}, is_deadly: false }
    }
}

/// Works on a run until it is over.
pub(crate) fn work_on(store: &mut Store, run: &Run, manner: &Manner<'_>) -> Result<Worked, Problem> {
    let text = String::from_utf8(store.program(run)?).expect("a text");
    let front_end = Litmus { program: parsed(&text), is_deadly: manner.is_deadly };
    let workers = NonZeroUsize::new(manner.workers).expect("some");
    let settings = run.config.settings(Settings { workers, ..Settings::default() });
    let search: Box<dyn Shareable> = match &run.config.memory {
        Some(model) => Box::new(under(model, &settings)),
        None => Box::new(Interleavings::new(run.config.algorithm()?, settings)),
    };
    let mut local = Local::new(&front_end, &*search);
    let mut progress = |_: &trace::Tally| true;
    let least = manner.slice.min(Duration::from_millis(100));
    work(store, run, &mut local, Options { slice: manner.slice, least, progress: &mut progress, at: manner.at })
}

/// The report of a run that is over.
pub(crate) fn reported(store: &mut Store, run: &Run) -> Report {
    let text = String::from_utf8(store.program(run).expect("a program")).expect("a text");
    let settings = run.config.settings(Settings::default());
    let version = store.version(run).expect("a version");
    let total = store.verdict(run).expect("a verdict").total();
    report_of(pop(), &parsed(&text), &settings, &version.lessons, &total).expect("a report")
}

/// The same counts, findings and verdict.
#[track_caller]
pub(crate) fn assert_same(cluster: &Report, alone: &Report, what: &str) {
    let counts = |report: &Report| {
        let t = &report.tally;
        (t.completed, t.deadlocked, t.failed, t.cut, t.sleep_set_blocked, t.too_long, t.longest)
    };
    assert_eq!(counts(cluster), counts(alone), "{what}");
    let schedules = |report: &Report| report.findings.iter().map(|f| f.schedule.to_string()).collect::<Vec<_>>();
    assert_eq!(schedules(cluster), schedules(alone), "{what}");
    assert_eq!((cluster.exhaustive, cluster.limit), (alone.exhaustive, alone.limit), "{what}");
}
