//! Running a search from its start to its report.

use crate::graph::{EventId, Graph};
use crate::graphs::{Complete, Graphs};
use crate::models::ModelInfo;
use crate::run::Error;
use crate::search::{self, Watcher};
use crate::stronger::Stronger;
use crate::task::Task;
use crate::why::Why;
use model::{Failure, Op, Program, ThreadId};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// How many findings of different sorts are kept in full; the tally counts all.
const MAX_FINDINGS: usize = 16;

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

/// A failure or a deadlock, with the graph that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// [`Ending::Failed`] or [`Ending::Deadlocked`].
    pub ending: Ending,
    /// The execution.
    pub graph: Graph,
    /// The failures, each with its thread.
    pub failures: Vec<(ThreadId, Failure)>,
    /// What the threads that are left wait for.
    pub waiting: Vec<(ThreadId, Op)>,
    /// The pairs of accesses that race.
    pub races: Vec<(EventId, EventId)>,
    /// What no interleaving explains.
    pub why: Why,
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
    search(program, model, settings, None, &mut OfProgress(progress))
}

/// The same; `watcher` is told of every run.
pub fn check_watched(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    search(program, model, settings, None, watcher)
}

/// The same with other memory orders than the program's.
pub fn check_stronger(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    stronger: &Stronger,
    progress: &mut (dyn FnMut(&Tally, usize) -> ControlFlow<()> + Send),
) -> Result<Report, Error> {
    search(program, model, settings, Some(stronger), &mut OfProgress(progress))
}

fn is_finding(ending: Ending) -> bool {
    matches!(ending, Ending::Failed | Ending::Deadlocked)
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

fn search(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    stronger: Option<&Stronger>,
    watcher: &mut dyn Watcher,
) -> Result<Report, Error> {
    let make = || {
        let threads = program.threads()?;
        let mut graphs = Graphs::new(threads, program.names(), model, settings.events);
        if let Some(stronger) = stronger {
            graphs = graphs.with_orders(stronger);
        }
        Some(if let Some(time) = settings.time { graphs.for_a_time(time) } else { graphs })
    };
    let mut first = make().ok_or(Error::NoThreads)?;
    let another = || make().expect("it has threads, for the first worker has them");
    let mut watch = Watch { settings, findings: Vec::new(), watcher };
    let started = Instant::now();
    let explored = search::explore(&mut first, Some(&another), settings, &mut watch)?;
    let (mut findings, mut limit, tally, is_whole) =
        (watch.findings, explored.limit, explored.tally, explored.is_whole);
    if limit.is_none() && tally.too_long > 0 {
        limit = Some(Limit::Events(settings.events));
    }
    if limit.is_none() && !is_whole && findings.is_empty() {
        // It ended in the middle of an execution.
        limit = settings.time.filter(|&time| started.elapsed() >= time).map(Limit::Time);
    }
    findings.sort_by_key(|finding| finding.graph.len());
    confirm(&mut first, &findings)?;
    for finding in &mut findings {
        finding.why = Why::of(&finding.graph, model, &finding.races);
    }
    let exhaustive = is_whole && limit.is_none();
    Ok(Report { model, tally, findings, exhaustive, limit, elapsed: started.elapsed() })
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

struct Watch<'s> {
    settings: &'s Settings,
    findings: Vec<Finding>,
    watcher: &'s mut dyn Watcher,
}

impl Watch<'_> {
    fn keep(&mut self, complete: &Complete<'_>) {
        let waits = |waiting: &[(ThreadId, Op)]| waiting.to_vec();
        let is_same = |finding: &Finding| {
            finding.ending == complete.ending
                && match complete.ending {
                    Ending::Deadlocked => waits(&finding.waiting) == waits(complete.waiting),
                    _ => finding.failures == complete.failures,
                }
        };
        let known = self.findings.iter().position(is_same);
        if let Some(known) = known {
            if self.findings[known].graph.len() <= complete.graph.len() {
                return;
            }
            self.findings.swap_remove(known);
        } else if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        self.findings.push(Finding {
            ending: complete.ending,
            graph: complete.graph.clone(),
            failures: complete.failures.to_vec(),
            waiting: complete.waiting.to_vec(),
            races: complete.races.to_vec(),
            why: Why::default(),
        });
    }
}

impl Watcher for Watch<'_> {
    fn wants(&self, ending: Ending) -> bool {
        is_finding(ending) || self.watcher.wants(ending)
    }

    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        let told = match self.watcher.wants(complete.ending) {
            true => self.watcher.complete(complete),
            false => ControlFlow::Continue(()),
        };
        if is_finding(complete.ending) {
            self.keep(complete);
            if !self.settings.keep_going {
                return ControlFlow::Break(());
            }
        }
        told
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        self.watcher.given_up(given_up);
    }

    fn anew(&mut self) {
        self.watcher.anew();
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        self.watcher.progress(tally, tasks)
    }
}
