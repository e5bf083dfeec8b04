//! A search by one worker or several: tasks share nothing, so that each worker has its own run of the program and its own graph.
//!
//! What is learnt of the program's loops makes the search begin anew, for all workers with what all of them have learnt.

use crate::graphs::{Complete, Graphs, Visitor};
use crate::loops::Known;
use crate::run::Error;
use crate::task::Task;
use crate::{Limit, Settings};
use explore::team::{self, Common, Ended, Search};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// So many visits are made before other workers are called.
const ALONE: usize = 128;
/// A worker that is at work for longer hands in what it has counted after so many visits.
const BETWEEN_REPORTS: u64 = 64;

/// Who is told of complete graphs. `Break` ends the search.
pub trait Watcher: Send {
    /// Whether to be told of graphs with this ending. Who wants to know of none of some sort lets workers go their own ways.
    fn wants(&self, ending: Ending) -> bool {
        let _ = ending;
        true
    }

    /// A graph is complete.
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()>;

    /// A run was given up, with what there is of its graph.
    fn given_up(&mut self, given_up: &Complete<'_>) {
        let _ = given_up;
    }

    /// The search begins anew: what was told so far is told again.
    fn anew(&mut self) {}

    /// Called after every run, or after some: what was counted, and how many tasks are left.
    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        let _ = (tally, tasks);
        ControlFlow::Continue(())
    }
}

/// What came of a search.
pub(crate) struct Explored {
    pub(crate) tally: Tally,
    /// Whether nothing is left to do.
    pub(crate) is_whole: bool,
    pub(crate) limit: Option<Limit>,
}

/// Why a search ends before its end.
pub(crate) enum Stop {
    /// Another worker ended it.
    Elsewhere,
    /// The watcher said so, or time was up in the middle of an execution.
    Told,
    /// Something was learnt of the program's loops that the search must know from its start.
    Learnt,
    Limit(Limit),
    Error(Error),
}

impl Graphs<'_> {
    /// Visits every consistent graph. Says what was counted, and whether the watcher let it come to its end.
    pub fn explore(&mut self, watcher: &mut dyn Watcher) -> Result<(Tally, bool), Error> {
        let settings = Settings { events: usize::MAX, ..Settings::default() };
        let explored = explore(self, None, &settings, watcher)?;
        Ok((explored.tally, explored.is_whole))
    }
}

/// Makes a worker's search.
pub(crate) type Make<'m, 't> = &'m (dyn Fn() -> Graphs<'t> + Sync);

/// Visits every consistent graph, beginning with `first`. Where `others` are made, there are as many workers as the settings say.
pub(crate) fn explore<'t>(
    first: &mut Graphs<'t>,
    others: Option<Make<'_, 't>>,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Explored, Error> {
    let started = Instant::now();
    let mut known = Known::default();
    loop {
        let whole = watcher.wants(Ending::Completed);
        let shared = Shared::new(settings, started, known, &mut *watcher);
        let workers = if whole { 1 } else { settings.workers.get() };
        let (result, left) = match others.filter(|_| workers > 1) {
            Some(make) => attempt(&shared, first, workers, make),
            None => attempt_alone(&shared, first),
        };
        let (tally, learnt) = shared.into_results();
        let limit = match result {
            Ok(()) => None,
            Err(Stop::Learnt) => {
                known = learnt;
                watcher.anew();
                continue;
            }
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Limit(limit)) => Some(limit),
            Err(Stop::Told | Stop::Elsewhere) => return Ok(Explored { tally, is_whole: false, limit: None }),
        };
        return Ok(Explored { tally, is_whole: left.is_empty(), limit });
    }
}

fn attempt_alone<'s>(shared: &Shared<'s>, first: &mut Graphs<'_>) -> Ended<Shared<'s>> {
    let (mut worker, mut tasks) = (Worker::new(shared, first), VecDeque::from([Task::default()]));
    let result = team::work_alone(shared, &mut worker, &mut tasks, usize::MAX);
    worker.hand_in();
    (result, tasks)
}

fn attempt<'s, 't>(
    shared: &Shared<'s>,
    first: &mut Graphs<'t>,
    workers: usize,
    make: Make<'_, 't>,
) -> Ended<Shared<'s>> {
    let (mut worker, mut tasks) = (Worker::new(shared, first), VecDeque::from([Task::default()]));
    let result = team::work_alone(shared, &mut worker, &mut tasks, ALONE);
    worker.hand_in();
    if result.is_err() || tasks.is_empty() {
        return (result, tasks);
    }
    let this = |pool: &team::Pool<'_, Shared<'s>>| {
        let result = team::work(shared, &mut worker, &mut tasks, pool);
        worker.hand_in();
        (result, tasks)
    };
    let another = |pool: &team::Pool<'_, Shared<'s>>| {
        // A run belongs to the thread that it was started in.
        let mut graphs = make();
        let (mut worker, mut tasks) = (Worker::new(shared, &mut graphs), VecDeque::new());
        let result = team::work(shared, &mut worker, &mut tasks, pool);
        worker.hand_in();
        (result, tasks)
    };
    team::together(shared, workers, this, another)
}

/// What the workers have in common.
struct Shared<'s> {
    settings: &'s Settings,
    started: Instant,
    /// What is known of the program's loops.
    known: Known,
    /// Which graphs the watcher is told of.
    wants_all: bool,
    /// Visits that were begun.
    begun: AtomicU64,
    is_over: AtomicBool,
    ledger: Mutex<Ledger<'s>>,
}

struct Ledger<'s> {
    watcher: &'s mut dyn Watcher,
    tally: Tally,
    /// Tasks that wait to be visited: a worker that is ahead of its own report can make it less than 0.
    tasks: i64,
    learnt: Known,
}

impl<'s> Shared<'s> {
    fn new(settings: &'s Settings, started: Instant, known: Known, watcher: &'s mut dyn Watcher) -> Self {
        let wants_all = watcher.wants(Ending::Completed);
        let ledger = Ledger { watcher, tally: Tally::default(), tasks: 1, learnt: known.clone() };
        let (begun, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        Shared { settings, started, known, wants_all, begun, is_over, ledger: Mutex::new(ledger) }
    }

    fn begin_visit(&self) -> Result<(), Stop> {
        if self.is_over.load(Ordering::Relaxed) {
            return Err(Stop::Elsewhere);
        }
        match self.settings.executions {
            Some(most) if self.begun.fetch_add(1, Ordering::Relaxed) >= most => {
                Err(Stop::Limit(Limit::Executions(most)))
            }
            _ => Ok(()),
        }
    }

    /// Adds what a worker has counted.
    fn add(&self, counted: &Tally, tasks: i64) -> MutexGuard<'_, Ledger<'s>> {
        let mut ledger = self.ledger();
        ledger.tally.add(counted);
        ledger.tasks += tasks;
        ledger
    }

    fn learn(&self, known: &Known) {
        self.ledger().learnt.learn(known);
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger<'s>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn time_is_up(&self) -> Option<Duration> {
        self.settings.time.filter(|&time| self.started.elapsed() >= time)
    }

    fn into_results(self) -> (Tally, Known) {
        let ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        (ledger.tally, ledger.learnt)
    }
}

impl Common for Shared<'_> {
    type Task = Task;
    type Stop = Stop;

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn is_checkpoint_due(&self) -> bool {
        false
    }

    fn write_checkpoint(&self, _: &[Task]) -> Result<(), Stop> {
        Ok(())
    }

    fn first_cause(one: Result<(), Stop>, other: Result<(), Stop>) -> Result<(), Stop> {
        let weight = |result: &Result<(), Stop>| match result {
            Ok(()) => 0,
            Err(Stop::Elsewhere) => 1,
            Err(Stop::Limit(_)) => 2,
            Err(Stop::Learnt) => 3,
            Err(Stop::Told) => 4,
            Err(Stop::Error(_)) => 5,
        };
        if weight(&other) > weight(&one) { other } else { one }
    }
}

impl Visitor for &Shared<'_> {
    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        if !self.wants_all && complete.ending == Ending::Completed {
            return ControlFlow::Continue(());
        }
        let mut ledger = self.ledger();
        if ledger.watcher.wants(complete.ending) {
            ledger.watcher.complete(complete)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        if self.wants_all {
            self.ledger().watcher.given_up(given_up);
        }
    }
}

struct Worker<'w, 't, 's> {
    graphs: &'w mut Graphs<'t>,
    shared: &'w Shared<'s>,
    /// What was handed in of what it has counted.
    counted: Tally,
    /// How many tasks it had then.
    tasks: i64,
}

impl<'w, 't, 's> Worker<'w, 't, 's> {
    fn new(shared: &'w Shared<'s>, graphs: &'w mut Graphs<'t>) -> Self {
        graphs.begin(&shared.known);
        Worker { graphs, shared, counted: Tally::default(), tasks: 0 }
    }

    /// Hands in what was counted, with `tasks` more to do.
    fn hand_in_with(&mut self, tasks: i64) -> MutexGuard<'w, Ledger<'s>> {
        let counted = self.graphs.tally.since(&self.counted);
        self.counted = self.graphs.tally;
        self.shared.add(&counted, tasks)
    }

    /// Says how far the worker is, and looks at the clock: often at first, and then now and then, for that is not free.
    fn report(&mut self, found: usize) -> Result<(), Stop> {
        self.tasks += found as i64 - 1;
        let runs = self.graphs.tally.runs();
        if runs >= BETWEEN_REPORTS && !runs.is_multiple_of(BETWEEN_REPORTS) {
            return Ok(());
        }
        let tasks = std::mem::take(&mut self.tasks);
        let mut ledger = self.hand_in_with(tasks);
        let (tally, left) = (ledger.tally, usize::try_from(ledger.tasks).unwrap_or(0));
        if left > 0
            && let Some(time) = self.shared.time_is_up()
        {
            return Err(Stop::Limit(Limit::Time(time)));
        }
        if ledger.watcher.progress(&tally, left).is_break() { Err(Stop::Told) } else { Ok(()) }
    }
}

impl Search for Worker<'_, '_, '_> {
    type Task = Task;
    type Stop = Stop;

    fn run(&mut self, task: Task, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        if let Err(stop) = self.shared.begin_visit() {
            tasks.push_back(task);
            return Err(stop);
        }
        let flow = self.graphs.visit(&task, &mut { self.shared });
        if self.graphs.run.is_useless {
            tasks.push_back(task);
            return Err(Stop::Told);
        }
        if std::mem::take(&mut self.graphs.run.loops.has_learnt) {
            self.shared.learn(&self.graphs.run.loops.known);
            return Err(Stop::Learnt);
        }
        let flow = flow.map_err(Stop::Error)?;
        let found = self.graphs.tasks.len();
        tasks.extend(self.graphs.tasks.drain(..));
        self.graphs.spare.push(task);
        if flow.is_break() {
            return Err(Stop::Told);
        }
        self.report(found)
    }

    fn hand_in(&mut self) {
        let tasks = std::mem::take(&mut self.tasks);
        drop(self.hand_in_with(tasks));
    }
}
