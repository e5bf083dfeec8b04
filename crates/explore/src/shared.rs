//! What the workers of a search have in common: its program, limits and sink, and what they have counted together.

use crate::findings::Findings;
use crate::{Limit, Settings, Stop};
use model::Program;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Execution, Progress, Sink, Tally};

/// One for each search, whether one worker does it or several.
pub(crate) struct Shared<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) settings: &'a Settings,
    started: Instant,
    /// Runs that were begun, by all workers.
    begun: AtomicU64,
    /// Whether every worker is to stop.
    over: AtomicBool,
    wants_executions: bool,
    ledger: Mutex<Ledger<'a>>,
}

struct Ledger<'a> {
    sink: &'a mut dyn Sink,
    tally: Tally,
    share: Option<f64>,
    findings: Findings,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(program: &'a dyn Program, settings: &'a Settings, sink: &'a mut dyn Sink) -> Self {
        let wants_executions = sink.wants_executions();
        let ledger = Ledger { sink, tally: Tally::default(), share: None, findings: Findings::default() };
        Shared {
            program,
            settings,
            started: Instant::now(),
            begun: AtomicU64::new(0),
            over: AtomicBool::new(false),
            wants_executions,
            ledger: Mutex::new(ledger),
        }
    }

    /// A worker begins a run, unless a limit is reached or another worker ended the search.
    #[inline]
    pub(crate) fn begin_run(&self) -> Result<(), Stop> {
        if self.over.load(Ordering::Relaxed) {
            return Err(Stop::Elsewhere);
        }
        if let Some(limit) = self.settings.limits.executions
            && self.begun.fetch_add(1, Ordering::Relaxed) >= limit
        {
            return Err(Stop::Limit(Limit::Executions(limit)));
        }
        Ok(())
    }

    /// Every worker stops before its next run.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Tells the sink of an execution, if it wants to know.
    #[inline]
    pub(crate) fn tell(&self, execution: &Execution<'_>) -> ControlFlow<()> {
        if self.wants_executions { self.ledger().sink.execution(execution) } else { ControlFlow::Continue(()) }
    }

    /// A worker hands in what it has counted since it last did, and tells the sink how far the search is.
    pub(crate) fn report(&self, counted: &Tally, share: Option<f64>, depth: usize) -> Result<(), Stop> {
        let elapsed = self.started.elapsed();
        let mut ledger = self.ledger();
        ledger.add(counted, share);
        let progress = Progress { tally: ledger.tally, elapsed, depth, share: ledger.share };
        if ledger.sink.progress(&progress).is_break() {
            return Err(Stop::Told);
        }
        match self.settings.limits.time.filter(|&time| elapsed >= time) {
            Some(time) => Err(Stop::Limit(Limit::Time(time))),
            None => Ok(()),
        }
    }

    /// A worker has ended: the rest of what it counted, and all that it found.
    pub(crate) fn hand_in(&self, counted: &Tally, findings: Findings) {
        let mut ledger = self.ledger();
        ledger.add(counted, None);
        ledger.findings.merge(findings);
    }

    /// What all workers together counted and found.
    pub(crate) fn results(&self) -> (Tally, Findings, Duration) {
        let mut ledger = self.ledger();
        (ledger.tally, std::mem::take(&mut ledger.findings), self.started.elapsed())
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger<'_> {
    fn add(&mut self, counted: &Tally, share: Option<f64>) {
        self.tally.add(counted);
        if let Some(share) = share {
            *self.share.get_or_insert(0.0) += share;
        }
    }
}
