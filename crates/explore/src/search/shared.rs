//! What the workers of a search have in common: its program, limits and sink, and what they have counted together.

use crate::checkpoint::Start;
use crate::loops::{Knowledge, Lesson};
use crate::search::findings::Findings;
use crate::workers::processes::NUMBERS;
use crate::workers::task::Task;
use crate::{Limit, Limits, Processes, Settings, Stop, TooLong};
use model::{Program, Schedule};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Execution, Progress, Race, Sink, Tally, Trace};

/// One for each search, whether one worker does it or several.
pub(crate) struct Shared<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) settings: &'a Settings,
    started: Instant,
    numbers: Numbers<'a>,
    /// Where further workers run, if not in threads of this process.
    pub(crate) processes: Option<&'a dyn Processes>,
    wants_executions: bool,
    wants_branches: bool,
    ledger: Mutex<Ledger<'a>>,
    /// What the search starts with, if that is not all.
    start_tasks: Mutex<Option<Vec<Task>>>,
    /// What was left to do when it ended.
    left: Mutex<Vec<Task>>,
    /// What the search had taken before this process went on with it.
    elapsed_before: Duration,
    /// Whether it is time for a checkpoint.
    checkpoint_due: AtomicBool,
    /// Milliseconds from the start to the next checkpoint.
    next_checkpoint: AtomicU64,
    /// What is known of the program's loops, and what was learnt of them.
    known: Arc<Knowledge>,
    learnt: Mutex<Knowledge>,
    /// So many times something useful may be learnt before the search begins anew.
    patience: AtomicU64,
    /// Whether it begins anew at all.
    learns: bool,
    commits: bool,
    /// Whether an execution that comes back to a state is an error.
    needs_ends: bool,
    /// How many runs of the search were made elsewhere.
    runs_before: u64,
}

/// What all workers look at before a run, wherever they are.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'a> {
    /// Runs that were begun.
    begun: &'a AtomicU64,
    /// Whether every worker is to stop: not 0.
    over: &'a AtomicU64,
    /// How many tasks workers in other processes wait for that nobody has promised them yet.
    hungry: &'a AtomicU64,
}

impl<'a> Numbers<'a> {
    pub(crate) fn new([begun, over, hungry]: &'a [AtomicU64; NUMBERS]) -> Self {
        [begun, over, hungry].into_iter().for_each(|number| number.store(0, Ordering::Relaxed));
        Numbers { begun, over, hungry }
    }
}

/// What has been done of a search.
pub(crate) struct Done {
    pub(crate) tally: Tally,
    /// Of the findings.
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) elapsed: Duration,
    pub(crate) known: Arc<Knowledge>,
    pub(crate) learnt: Knowledge,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

struct Ledger<'a> {
    sink: &'a mut dyn Sink,
    tally: Tally,
    share: Option<f64>,
    /// Tasks that wait to be explored: a worker that is ahead of its own report can make it less than 0.
    tasks: i64,
    findings: Findings,
    too_long: Option<TooLong>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        program: &'a dyn Program,
        settings: &'a Settings,
        sink: &'a mut dyn Sink,
        start: Start,
        numbers: Numbers<'a>,
        processes: Option<&'a dyn Processes>,
        known: Arc<Knowledge>,
    ) -> Self {
        let (wants_executions, wants_branches) = (sink.wants_executions(), sink.wants_branches());
        let share = start.share();
        let ledger = Ledger { sink, tally: start.tally, share, tasks: 0, findings: start.findings, too_long: None };
        Shared {
            program,
            settings,
            started: Instant::now(),
            numbers,
            processes,
            wants_executions,
            wants_branches,
            ledger: Mutex::new(ledger),
            start_tasks: Mutex::new(start.tasks),
            left: Mutex::default(),
            elapsed_before: start.elapsed,
            checkpoint_due: AtomicBool::new(false),
            next_checkpoint: AtomicU64::new(u64::MAX),
            known,
            learnt: Mutex::new(start.learnt),
            patience: AtomicU64::new(1),
            learns: true,
            commits: false,
            needs_ends: false,
            runs_before: start.runs_before,
        }
    }

    /// What a worker of this search counts and finds in a process of its own.
    pub(crate) fn of_worker<'w>(&'w self, sink: &'w mut dyn Sink) -> Shared<'w> {
        let Shared { program, settings, numbers, started, .. } = *self;
        let (elapsed, runs_before) = (self.elapsed_before, self.runs_before());
        let start = Start { elapsed, runs_before, ..Start::default() };
        let shared = Shared::new(program, settings, sink, start, numbers, None, self.known.clone());
        let patience = AtomicU64::new(self.patience.load(Ordering::Relaxed));
        let Shared { learns, commits, needs_ends, .. } = *self;
        Shared { started, patience, learns, commits, needs_ends, ..shared }
    }

    /// It is part of a search that was begun then, and that has begun anew so many times.
    ///
    /// At first a search begins anew at once when it learnt something; one that did so often, after more and more runs that
    /// taught something, so that all that is given up stays in proportion to what is not.
    pub(crate) fn of_attempt(self, started: Instant, restarts: u32, learns: bool) -> Self {
        const AT_ONCE: u32 = 64;
        let patience = 1 << restarts.saturating_sub(AT_ONCE).min(62);
        Shared { started, patience: AtomicU64::new(patience), learns, ..self }
    }

    /// Its algorithm takes threads to have one transition each.
    pub(crate) fn by_commitments(self, commits: bool) -> Self {
        Shared { commits, ..self }
    }

    /// Its algorithm would not end where executions do not. Whoever gives a limit of steps or a bound has them given up.
    pub(crate) fn of_ends(self, needs_ends: bool) -> Self {
        let is_free = self.settings.limits.steps == Limits::default().steps && !self.settings.bounds.any();
        Shared { needs_ends: needs_ends && is_free, ..self }
    }

    /// Whether an execution that comes back to a state that it was in is an error.
    pub(crate) fn needs_ends(&self) -> bool {
        self.needs_ends
    }

    /// Whether threads choose their transitions in steps of their own.
    pub(crate) fn commits(&self) -> bool {
        self.commits
    }

    /// Whether what is learnt of the program's loops makes the search begin anew.
    pub(crate) fn learns(&self) -> bool {
        self.learns
    }

    /// How many runs of the search are over, as far as workers have handed in: they would be lost if it began anew.
    pub(crate) fn runs_before(&self) -> u64 {
        self.runs_before.saturating_add(self.ledger().tally.runs())
    }

    /// What is known of the program's loops.
    pub(crate) fn known(&self) -> &Arc<Knowledge> {
        &self.known
    }

    /// A worker learnt something of them. Whether the search is to begin anew.
    #[cold]
    pub(crate) fn learn(&self, lesson: Lesson, learnt: &Knowledge) -> Result<(), Stop> {
        if !self.learns {
            return Ok(());
        }
        self.hand_in_knowledge(learnt);
        let left = self.patience.load(Ordering::Relaxed).saturating_sub(1);
        self.patience.store(left, Ordering::Relaxed);
        if lesson == Lesson::Needed || left == 0 { Err(Stop::Learnt) } else { Ok(()) }
    }

    /// What a worker has learnt of loops goes to what all have.
    pub(crate) fn hand_in_knowledge(&self, learnt: &Knowledge) {
        if !learnt.is_empty() {
            self.learnt.lock().unwrap_or_else(PoisonError::into_inner).learn(learnt);
        }
    }

    /// What was learnt of the program's loops by all workers.
    pub(crate) fn learnt(&self) -> Knowledge {
        std::mem::take(&mut self.learnt.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the sink wants to be told of executions.
    pub(crate) fn wants_executions(&self) -> bool {
        self.wants_executions
    }

    /// A worker begins a run, unless a limit is reached or another worker ended the search.
    #[inline]
    pub(crate) fn begin_run(&self) -> Result<(), Stop> {
        if self.numbers.over.load(Ordering::Relaxed) != 0 {
            return Err(Stop::Elsewhere);
        }
        if let Some(limit) = self.settings.limits.executions
            && self.numbers.begun.fetch_add(1, Ordering::Relaxed) >= limit
        {
            return Err(Stop::Limit(Limit::Executions(limit)));
        }
        Ok(())
    }

    /// Every worker stops before its next run.
    pub(crate) fn end(&self) {
        self.numbers.over.store(1, Ordering::Relaxed);
    }

    /// Workers in other processes may begin runs again.
    pub(crate) fn go_on(&self) {
        [self.numbers.over, self.numbers.hungry].into_iter().for_each(|number| number.store(0, Ordering::Relaxed));
    }

    /// A worker in another process waits for a task.
    pub(crate) fn ask_for_task(&self) {
        self.numbers.hungry.fetch_add(1, Ordering::Relaxed);
    }

    /// How many tasks, up to `most`, this worker is now the one to give to workers in other processes.
    #[inline]
    pub(crate) fn promise_tasks(&self, most: usize) -> usize {
        let hungry = self.numbers.hungry;
        if most == 0 || hungry.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        let promise = |wanted: u64| Some(wanted - wanted.min(most as u64));
        let wanted = hungry.fetch_update(Ordering::Relaxed, Ordering::Relaxed, promise).unwrap_or(0);
        wanted.min(most as u64) as usize
    }

    /// Tells the sink of an execution, if it wants to know.
    #[inline]
    pub(crate) fn tell(&self, execution: &Execution<'_>) -> ControlFlow<()> {
        if self.wants_executions { self.ledger().sink.execution(execution) } else { ControlFlow::Continue(()) }
    }

    /// Tells the sink of an execution that is given up, if it wants to know.
    pub(crate) fn tell_given_up(&self, execution: &Execution<'_>) {
        if self.wants_branches {
            self.ledger().sink.given_up(execution);
        }
    }

    /// Whether the sink wants to be told of reversals.
    pub(crate) fn wants_branches(&self) -> bool {
        self.wants_branches
    }

    /// Tells the sink that an execution is planned which reverses a race, if it wants to know.
    #[inline]
    pub(crate) fn tell_reversal(&self, trace: &Trace, race: &Race) {
        if self.wants_branches {
            self.ledger().sink.reversal(trace, race);
        }
    }

    /// A worker hands in what it has counted since it last did, and tells the sink how far the search is.
    pub(crate) fn report(&self, counted: &Tally, share: Option<f64>, depth: usize, tasks: i64) -> Result<(), Stop> {
        let elapsed = self.started.elapsed();
        if millis(elapsed) >= self.next_checkpoint.load(Ordering::Relaxed) {
            self.checkpoint_due.store(true, Ordering::Relaxed);
        }
        let mut ledger = self.ledger();
        ledger.add(counted, share);
        ledger.tasks += tasks;
        let in_all = self.elapsed_before.saturating_add(elapsed);
        let progress =
            Progress { tally: ledger.tally, elapsed: in_all, depth, share: ledger.share, tasks: ledger.tasks() };
        if ledger.sink.progress(&progress).is_break() {
            return Err(Stop::Told);
        }
        drop(ledger);
        self.look_at_clock()
    }

    /// Whether there is time left.
    pub(crate) fn look_at_clock(&self) -> Result<(), Stop> {
        match self.settings.limits.time.filter(|&time| self.started.elapsed() >= time) {
            Some(time) => Err(Stop::Limit(Limit::Time(time))),
            None => Ok(()),
        }
    }

    /// What a worker counted since it last handed in, and all that it found.
    pub(crate) fn hand_in(&self, counted: &Tally, findings: Findings) {
        let mut ledger = self.ledger();
        ledger.add(counted, None);
        ledger.findings.merge(findings);
    }

    /// What the search starts with; none if that is all.
    pub(crate) fn start_tasks(&self) -> Option<Vec<Task>> {
        self.start_tasks.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What is left to do when the search ends.
    pub(crate) fn keep_left(&self, tasks: Vec<Task>) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = tasks;
    }

    /// What was left to do when the search ended.
    pub(crate) fn take_left(&self) -> Vec<Task> {
        std::mem::take(&mut self.left.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether every worker is to say what it has left to do.
    #[inline]
    pub(crate) fn is_checkpoint_due(&self) -> bool {
        self.checkpoint_due.load(Ordering::Relaxed)
    }

    /// Writes a checkpoint, if the settings want any. No worker may be in a run, and all must have handed in.
    pub(crate) fn write_checkpoint(&self, tasks: &[Task]) -> Result<(), Stop> {
        let Some(checkpoints) = &self.settings.checkpoints else { return Ok(()) };
        checkpoints.write(self, tasks).map_err(Stop::Error)?;
        let next = self.started.elapsed().saturating_add(checkpoints.every);
        self.next_checkpoint.store(millis(next), Ordering::Relaxed);
        self.checkpoint_due.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// What has been done so far.
    pub(crate) fn done(&self) -> Done {
        let ledger = self.ledger();
        let learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let schedules = ledger.findings.schedules();
        Done { tally: ledger.tally, schedules, elapsed: self.elapsed(), known: self.known.clone(), learnt }
    }

    /// Keeps the first execution that had too many steps.
    pub(crate) fn keep_too_long(&self, make: impl FnOnce() -> TooLong) {
        let mut ledger = self.ledger();
        if ledger.too_long.is_none() {
            ledger.too_long = Some(make());
        }
    }

    /// The first execution that had too many steps.
    pub(crate) fn too_long(&self) -> Option<TooLong> {
        self.ledger().too_long.take()
    }

    /// What all workers together counted and found.
    pub(crate) fn results(&self) -> (Tally, Findings, Duration) {
        let mut ledger = self.ledger();
        (ledger.tally, std::mem::take(&mut ledger.findings), self.elapsed())
    }

    fn elapsed(&self) -> Duration {
        self.elapsed_before.saturating_add(self.started.elapsed())
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger<'_> {
    fn tasks(&self) -> Option<u64> {
        u64::try_from(self.tasks).ok().filter(|&tasks| tasks > 0)
    }

    fn add(&mut self, counted: &Tally, share: Option<f64>) {
        self.tally.add(counted);
        if let Some(share) = share {
            *self.share.get_or_insert(0.0) += share;
        }
    }
}
