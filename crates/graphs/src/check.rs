//! Running a search from its start to its report.

use crate::checkpoint::Kept;
use crate::crew::Crew;
use crate::findings::{Finding, Findings};
use crate::graphs::{Complete, Graphs};
use crate::loops::Known;
use crate::models::ModelInfo;
use crate::run::Error;
use crate::search::{Explored, Keeper, Search, SoFar, Start, Stop, Watcher};
use crate::stronger::Stronger;
use crate::task::Task;
use crate::why::Why;
use explore::{Checkpoints, Processes};
use model::Program;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// What ends a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Go on after the first failure or deadlock.
    pub keep_going: bool,
    /// Stop after so many executions.
    pub executions: Option<u64>,
    /// Give up an execution after so many events.
    pub events: usize,
    /// Stop after so much time.
    pub time: Option<Duration>,
    /// How many threads of the operating system search at the same time.
    pub workers: NonZeroUsize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { keep_going: false, executions: None, events: 10_000, time: None, workers: NonZeroUsize::MIN }
    }
}

impl From<&explore::Settings> for Settings {
    /// What has a meaning under a memory model.
    fn from(settings: &explore::Settings) -> Self {
        Settings {
            keep_going: settings.keep_going,
            executions: settings.limits.executions,
            events: settings.limits.steps,
            time: settings.limits.time,
            workers: settings.workers,
        }
    }
}

/// The limit that was in the way of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Of executions.
    Executions(u64),
    /// Of events of an execution.
    Events(usize),
    /// Of time.
    Time(Duration),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Executions(limit) => write!(f, "the limit of {limit} executions was reached"),
            Limit::Events(limit) => write!(f, "some executions reached the limit of {limit} steps"),
            Limit::Time(limit) => write!(f, "the time of {limit:?} was used up"),
        }
    }
}

/// What a search found out.
#[derive(Clone)]
pub struct Report {
    /// Under which model.
    pub model: &'static ModelInfo,
    /// What was counted.
    pub tally: Tally,
    /// Failures and deadlocks, one of each sort, the shortest first.
    pub findings: Vec<Finding>,
    /// Whether every graph was visited.
    pub exhaustive: bool,
    /// The limit that was in the way, if one was.
    pub limit: Option<Limit>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Explores a program under a memory model. `progress` is told how far it is, and may end it.
pub fn check(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    progress: &mut (dyn FnMut(&Tally, usize) -> ControlFlow<()> + Send),
) -> Result<Report, Error> {
    search(program, model, settings, &How::default(), &mut OfProgress(progress))
}

/// The same; `watcher` is told of every run.
pub fn check_watched(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    search(program, model, settings, &How::default(), watcher)
}

/// The same; the search is written to a file, and goes on from one.
pub fn check_kept(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    checkpoints: &Checkpoints,
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    let how = How { checkpoints: Some(checkpoints), ..How::default() };
    search(program, model, settings, &how, watcher)
}

/// The same of a program of which there can be one run in a process: further workers are processes. It need not be kept.
pub fn check_in_processes(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    (processes, checkpoints): (&dyn Processes, Option<&Checkpoints>),
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    let how = How { processes: Some(processes), checkpoints, ..How::default() };
    search(program, model, settings, &how, watcher)
}

/// The same with other memory orders than the program's.
pub fn check_stronger(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    stronger: &Stronger,
    progress: &mut (dyn FnMut(&Tally, usize) -> ControlFlow<()> + Send),
) -> Result<Report, Error> {
    let how = How { stronger: Some(stronger), ..How::default() };
    search(program, model, settings, &how, &mut OfProgress(progress))
}

/// A watcher that is told how far a search is, and nothing else.
struct OfProgress<'p>(&'p mut (dyn FnMut(&Tally, usize) -> ControlFlow<()> + Send));

impl Watcher for OfProgress<'_> {
    fn wants(&self, _: Ending) -> bool {
        false
    }

    fn complete(&mut self, _: &Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        (self.0)(tally, tasks)
    }
}

/// The threads of a program, made for each worker.
pub(crate) fn make<'p>(
    program: &'p dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    stronger: Option<&'p Stronger>,
) -> Option<Graphs<'p>> {
    let mut graphs = Graphs::new(program.threads()?, program.names(), model, settings.events);
    if let Some(stronger) = stronger {
        graphs = graphs.with_orders(stronger);
    }
    Some(if let Some(time) = settings.time { graphs.for_a_time(time) } else { graphs })
}

/// How a search is done.
#[derive(Default)]
struct How<'h> {
    /// With other memory orders than the program's.
    stronger: Option<&'h Stronger>,
    /// Where it is kept.
    checkpoints: Option<&'h Checkpoints>,
    /// What further workers are made by, where they are processes.
    processes: Option<&'h dyn Processes>,
}

fn search(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    &How { stronger, checkpoints, processes }: &How<'_>,
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    let make = || make(program, model, settings, stronger);
    let mut first = make().ok_or(Error::NoThreads)?;
    let another = || make().expect("it has threads, for the first worker has them");
    let kept = checkpoints.map(|checkpoints| Kept { checkpoints, program, model, settings, processes });
    let start = kept.as_ref().map_or_else(|| Ok(Start::anew(Known::default())), Kept::start)?;
    let write = |so_far: &SoFar<'_>| kept.as_ref().map_or(Ok(()), |kept| kept.write(so_far));
    let keeper = checkpoints.map(|checkpoints| Keeper { every: checkpoints.every, write: &write });
    let crew = processes.map(|processes| Crew { processes, program, model });
    let search = Search { settings, others: Some(&another), crew, keeper, started: Instant::now() };
    let Explored { result, left, tally, findings, elapsed, .. } = search.explore(&mut first, watcher, start);
    let limit = match result {
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Limit(limit)) => Some(limit),
        // It ended in the middle of an execution.
        Err(Stop::Told) if findings.is_empty() => {
            settings.time.filter(|&time| search.started.elapsed() >= time).map(Limit::Time)
        }
        _ => None,
    };
    let mut report = Report::new(model, settings, tally, findings, left.is_empty(), elapsed);
    confirm(&mut first, &report.findings)?;
    report.explain();
    report.exhaustive &= limit.is_none();
    report.limit = limit.or(report.limit);
    Ok(report)
}

impl Report {
    /// Of the last of several searches, as [`explore::Report::of_all`].
    #[must_use]
    pub fn of_all(mut self, is_whole: bool, time: Option<Duration>) -> Self {
        self.exhaustive &= is_whole;
        if let (Some(Limit::Time(left)), Some(given)) = (&mut self.limit, time) {
            *left = given;
        }
        self
    }

    /// Of a search that has visited every graph, if it is whole, but for those that were too long.
    pub(crate) fn new(
        model: &'static ModelInfo,
        settings: &Settings,
        tally: Tally,
        findings: Findings,
        is_whole: bool,
        elapsed: Duration,
    ) -> Self {
        let limit = (tally.too_long > 0).then_some(Limit::Events(settings.events));
        let exhaustive = is_whole && limit.is_none();
        Report { model, tally, findings: findings.into_sorted(), exhaustive, limit, elapsed }
    }

    /// Finds out what no interleaving explains.
    pub(crate) fn explain(&mut self) {
        for finding in &mut self.findings {
            finding.why = Why::of(&finding.graph, self.model, &finding.races);
        }
    }
}

/// Executes what was found to fail again. A program that does not do the same then has not been explored: it may have done
/// something else at every step, and what it read fits no execution of it.
fn confirm(graphs: &mut Graphs<'_>, findings: &[Finding]) -> Result<(), Error> {
    for finding in findings.iter().filter(|finding| finding.ending == Ending::Failed) {
        let mut task = Task::default();
        task.describe(&finding.graph);
        // All of it, and not what it has in common with the graph at hand.
        graphs.run.begin();
        graphs.run.load(&task)?;
        if !graphs.run.is_to_begin_anew() && !graphs.run.halted {
            graphs.ending()?;
        }
        if !graphs.run.is_to_begin_anew() && graphs.run.failures != finding.failures {
            return Err(Error::Diverged { step: finding.graph.len() });
        }
    }
    Ok(())
}
