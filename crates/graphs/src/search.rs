//! A search by one worker or several: tasks share nothing, so that each worker has its own run of the program and its own graph.
//!
//! What is learnt of the program's loops makes the search begin anew, for all workers with what all of them have learnt.

use crate::crew::{BEGUN, Crew};
use crate::findings::{Findings, is_finding};
use crate::graphs::{Complete, Graphs, Visitor};
use crate::loops::Known;
use crate::run::Error;
use crate::task::Task;
use crate::{Limit, Settings};
use explore::team::{self, Common, Ended, Search as _};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// A worker takes the best of so many of its latest tasks.
const CHOICE: usize = 32;
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

/// Where a search starts.
pub(crate) struct Start {
    pub(crate) tasks: Vec<Task>,
    pub(crate) tally: Tally,
    pub(crate) findings: Findings,
    pub(crate) known: Known,
    /// What it has taken so far.
    pub(crate) elapsed: Duration,
}

impl Start {
    /// From the beginning, with what is known of the program's loops.
    pub(crate) fn anew(known: Known) -> Self {
        let (tally, findings) = Default::default();
        Start { tasks: vec![Task::whole()], tally, findings, known, elapsed: Duration::ZERO }
    }
}

/// What is written of a search, every so often and at its end.
pub(crate) struct SoFar<'s> {
    pub(crate) tasks: &'s [Task],
    pub(crate) tally: Tally,
    pub(crate) findings: &'s Findings,
    pub(crate) known: &'s Known,
    pub(crate) elapsed: Duration,
}

/// Who writes it.
pub(crate) struct Keeper<'k> {
    pub(crate) every: Duration,
    pub(crate) write: &'k (dyn Fn(&SoFar<'_>) -> Result<(), Error> + Sync),
}

/// What came of a search.
pub(crate) struct Explored {
    pub(crate) result: Result<(), Stop>,
    /// What is left to do.
    pub(crate) left: Vec<Task>,
    pub(crate) tally: Tally,
    pub(crate) findings: Findings,
    /// What is known of the program's loops at the end.
    pub(crate) learnt: Known,
    pub(crate) elapsed: Duration,
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
        let settings = Settings { events: usize::MAX, keep_going: true, ..Settings::default() };
        let search = Search { settings: &settings, others: None, crew: None, keeper: None, started: Instant::now() };
        let explored = search.explore(self, watcher, Start::anew(Known::default()));
        match explored.result {
            Err(Stop::Error(error)) => Err(error),
            _ => Ok((explored.tally, explored.left.is_empty())),
        }
    }
}

/// How to search.
pub(crate) struct Search<'s, 't> {
    pub(crate) settings: &'s Settings,
    /// Makes the searches of further workers. Where there is none, there is one worker.
    pub(crate) others: Option<&'s (dyn Fn() -> Graphs<'t> + Sync)>,
    /// Makes further workers in processes of their own instead, for programs of which there can be one run in a process.
    pub(crate) crew: Option<Crew<'s>>,
    pub(crate) keeper: Option<Keeper<'s>>,
    /// When it began in this process.
    pub(crate) started: Instant,
}

impl<'t> Search<'_, 't> {
    /// Visits every graph that comes of the start. When something is learnt of the program's loops, all graphs.
    pub(crate) fn explore(&self, first: &mut Graphs<'t>, watcher: &mut dyn Watcher, start: Start) -> Explored {
        let elapsed = start.elapsed;
        let mut explored = self.attempt(first, watcher, start);
        while matches!(explored.result, Err(Stop::Learnt)) {
            watcher.anew();
            let start = Start { elapsed, ..Start::anew(explored.learnt) };
            explored = self.attempt(first, watcher, start);
        }
        explored
    }

    /// The same, up to the first thing that is learnt.
    pub(crate) fn attempt(&self, first: &mut Graphs<'t>, watcher: &mut dyn Watcher, start: Start) -> Explored {
        if let Some(crew) = &self.crew {
            crew.processes.numbers()[BEGUN].store(0, Ordering::Relaxed);
        }
        self.go_on(first, watcher, start)
    }

    /// The same as a part of a search that other processes do, too.
    pub(crate) fn go_on(&self, first: &mut Graphs<'t>, watcher: &mut dyn Watcher, mut start: Start) -> Explored {
        let tasks = VecDeque::from(std::mem::take(&mut start.tasks));
        let shared = Shared::new(self, start, tasks.len(), watcher);
        let workers = if shared.wants_all { 1 } else { self.settings.workers.get() };
        let (mut result, mut left) = match (self.others, self.crew) {
            (_, Some(crew)) if workers > 1 => attempt_in_processes(&shared, first, tasks, workers, crew),
            (Some(make), None) if workers > 1 => attempt(&shared, first, tasks, workers, make),
            _ => attempt_alone(&shared, first, tasks),
        };
        if !matches!(result, Err(Stop::Error(_) | Stop::Learnt))
            && let Err(stop) = shared.write_checkpoint(left.make_contiguous())
        {
            result = Err(stop);
        }
        let elapsed = shared.elapsed();
        let Ledger { tally, learnt, findings, .. } = shared.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        Explored { result, left: left.into(), tally, findings, learnt, elapsed }
    }
}

fn attempt_alone<'s>(shared: &Shared<'s>, first: &mut Graphs<'_>, mut tasks: VecDeque<Task>) -> Ended<Shared<'s>> {
    let mut worker = Worker::new(shared, first);
    let result = worker.begin(&mut tasks);
    let result = result.and_then(|()| team::work_alone(shared, &mut worker, &mut tasks, usize::MAX));
    worker.hand_in();
    (result, tasks)
}

fn attempt<'s, 't>(
    shared: &Shared<'s>,
    first: &mut Graphs<'t>,
    mut tasks: VecDeque<Task>,
    workers: usize,
    make: &(dyn Fn() -> Graphs<'t> + Sync),
) -> Ended<Shared<'s>> {
    let mut worker = Worker::new(shared, first);
    let result = worker.begin(&mut tasks);
    let result = result.and_then(|()| team::work_alone(shared, &mut worker, &mut tasks, ALONE));
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

fn attempt_in_processes<'s>(
    shared: &Shared<'s>,
    first: &mut Graphs<'_>,
    mut tasks: VecDeque<Task>,
    workers: usize,
    crew: Crew<'_>,
) -> Ended<Shared<'s>> {
    let mut worker = Worker::new(shared, first);
    let result = worker.begin(&mut tasks);
    let result = result.and_then(|()| team::work_alone(shared, &mut worker, &mut tasks, ALONE));
    worker.hand_in();
    if result.is_err() { (result, tasks) } else { crew.explore(shared, first, tasks, workers) }
}

/// What the workers have in common.
pub(crate) struct Shared<'s> {
    settings: &'s Settings,
    keeper: Option<&'s Keeper<'s>>,
    started: Instant,
    /// What the search had taken before.
    elapsed_before: Duration,
    /// Whether it is time for a checkpoint, and milliseconds from the start to the next.
    checkpoint_due: AtomicBool,
    next_checkpoint: AtomicU64,
    /// What is known of the program's loops.
    known: Known,
    /// Which graphs the watcher is told of.
    wants_all: bool,
    /// Visits that were begun in this process.
    begun_here: AtomicU64,
    /// Those in all processes, if there are several.
    begun: Option<&'s AtomicU64>,
    is_over: AtomicBool,
    ledger: Mutex<Ledger<'s>>,
}

struct Ledger<'s> {
    watcher: &'s mut dyn Watcher,
    tally: Tally,
    /// Tasks that wait to be visited: a worker that is ahead of its own report can make it less than 0.
    tasks: i64,
    learnt: Known,
    findings: Findings,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<'s> Shared<'s> {
    fn new(search: &'s Search<'s, '_>, start: Start, tasks: usize, watcher: &'s mut dyn Watcher) -> Self {
        let Start { tally, findings, known, elapsed, .. } = start;
        let wants_all = watcher.wants(Ending::Completed);
        let ledger = Ledger { watcher, tally, tasks: tasks as i64, learnt: known.clone(), findings };
        Shared {
            settings: search.settings,
            keeper: search.keeper.as_ref(),
            started: search.started,
            elapsed_before: elapsed,
            checkpoint_due: AtomicBool::new(false),
            next_checkpoint: AtomicU64::new(u64::MAX),
            known,
            wants_all,
            begun_here: AtomicU64::new(0),
            begun: search.crew.map(|crew| &crew.processes.numbers()[BEGUN]),
            is_over: AtomicBool::new(false),
            ledger: Mutex::new(ledger),
        }
    }

    fn begin_visit(&self) -> Result<(), Stop> {
        if self.is_over.load(Ordering::Relaxed) {
            return Err(Stop::Elsewhere);
        }
        match self.settings.executions {
            Some(most) if self.begun().fetch_add(1, Ordering::Relaxed) >= most => {
                Err(Stop::Limit(Limit::Executions(most)))
            }
            _ => Ok(()),
        }
    }

    fn begun(&self) -> &AtomicU64 {
        self.begun.unwrap_or(&self.begun_here)
    }

    pub(crate) fn settings(&self) -> &'s Settings {
        self.settings
    }

    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    /// Takes what another process has counted and found.
    pub(crate) fn hand_in(&self, tally: &Tally, findings: &Findings) {
        let mut ledger = self.add(tally, 0);
        findings.iter().for_each(|finding| ledger.findings.add(finding));
    }

    /// No worker is at work, and this is left to do: looks whether to go on, and whether a checkpoint is due.
    pub(crate) fn after_round(&self, tasks: &[Task]) -> Result<(), Stop> {
        self.look_whether_checkpoint_is_due();
        if self.is_checkpoint_due() {
            self.write_checkpoint(tasks)?;
        }
        if tasks.is_empty() {
            return Ok(());
        }
        if let Some(most) = self.settings.executions
            && self.begun().load(Ordering::Relaxed) >= most
        {
            return Err(Stop::Limit(Limit::Executions(most)));
        }
        if let Some(time) = self.time_is_up() {
            return Err(Stop::Limit(Limit::Time(time)));
        }
        let mut ledger = self.ledger();
        ledger.tasks = tasks.len() as i64;
        let tally = ledger.tally;
        if ledger.watcher.progress(&tally, tasks.len()).is_break() { Err(Stop::Told) } else { Ok(()) }
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

    fn elapsed(&self) -> Duration {
        self.elapsed_before.saturating_add(self.started.elapsed())
    }

    fn look_whether_checkpoint_is_due(&self) {
        if self.keeper.is_some() && millis(self.started.elapsed()) >= self.next_checkpoint.load(Ordering::Relaxed) {
            self.checkpoint_due.store(true, Ordering::Relaxed);
        }
    }
}

impl Common for Shared<'_> {
    type Task = Task;
    type Stop = Stop;

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn is_checkpoint_due(&self) -> bool {
        self.checkpoint_due.load(Ordering::Relaxed)
    }

    fn write_checkpoint(&self, tasks: &[Task]) -> Result<(), Stop> {
        let Some(keeper) = self.keeper else { return Ok(()) };
        let ledger = self.ledger();
        let (findings, known, elapsed) = (&ledger.findings, &self.known, self.elapsed());
        let so_far = SoFar { tasks, tally: ledger.tally, findings, known, elapsed };
        (keeper.write)(&so_far).map_err(Stop::Error)?;
        let next = self.started.elapsed().saturating_add(keeper.every);
        self.next_checkpoint.store(millis(next), Ordering::Relaxed);
        self.checkpoint_due.store(false, Ordering::Relaxed);
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
        let told = match ledger.watcher.wants(complete.ending) {
            true => ledger.watcher.complete(complete),
            false => ControlFlow::Continue(()),
        };
        if !is_finding(complete.ending) {
            return told;
        }
        ledger.findings.keep(complete);
        if self.settings.keep_going { told } else { ControlFlow::Break(()) }
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        if self.wants_all {
            self.ledger().watcher.given_up(given_up);
        }
    }
}

/// One worker of this process.
pub(crate) struct Worker<'w, 't, 's> {
    graphs: &'w mut Graphs<'t>,
    shared: &'w Shared<'s>,
    /// What was handed in of what it has counted.
    counted: Tally,
    /// How many tasks it had then.
    tasks: i64,
}

impl<'w, 't, 's> Worker<'w, 't, 's> {
    pub(crate) fn new(shared: &'w Shared<'s>, graphs: &'w mut Graphs<'t>) -> Self {
        graphs.begin(&shared.known);
        Worker { graphs, shared, counted: Tally::default(), tasks: 0 }
    }

    /// Writes the first checkpoint: whether it can be written at all is better known now than after an hour.
    fn begin(&self, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        self.shared.write_checkpoint(tasks.make_contiguous())
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
        self.shared.look_whether_checkpoint_is_due();
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

impl team::Search for Worker<'_, '_, '_> {
    type Task = Task;
    type Stop = Stop;

    fn run(&mut self, task: Task, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        if let Err(stop) = self.shared.begin_visit() {
            tasks.push_back(task);
            return Err(stop);
        }
        let visited = self.graphs.visit(&task, &mut { self.shared }).map_err(Stop::Error)?;
        let has_learnt = std::mem::take(&mut self.graphs.run.loops.has_learnt);
        let Some(flow) = visited.filter(|_| !has_learnt && !self.graphs.run.is_useless) else {
            tasks.push_back(task);
            if has_learnt {
                self.shared.learn(&self.graphs.run.loops.known);
            }
            return Err(if has_learnt { Stop::Learnt } else { Stop::Told });
        };
        let found = self.graphs.tasks.len();
        tasks.extend(self.graphs.tasks.drain(..));
        self.graphs.spare.push(task);
        if flow.is_break() {
            return Err(Stop::Told);
        }
        self.report(found)
    }

    /// Of the latest tasks, the one that has most in common with the graph that it comes from: so much of that can mostly stay. (Of all
    /// tasks it would be, but there could be ever more of the others meanwhile.)
    fn next(&mut self, tasks: &mut VecDeque<Task>) -> Option<Task> {
        let first = tasks.len().saturating_sub(CHOICE);
        let place = (first..tasks.len()).max_by_key(|&place| tasks[place].kept)?;
        tasks.remove(place)
    }

    fn hand_in(&mut self) {
        let tasks = std::mem::take(&mut self.tasks);
        drop(self.hand_in_with(tasks));
    }
}
