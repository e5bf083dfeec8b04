//! Running a search from its start to its report.

use crate::pivot::find_pivot;
use crate::{Algorithm, Error, Explorer, Limit, Settings, Stop};
use model::{Failure, Names, Pending, Program, Schedule, ScheduledStep, ThreadId};
use std::time::Duration;
use trace::{Ending, EventId, Execution, Sink, Tally, Trace};

/// What a search found out.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was counted.
    pub tally: Tally,
    /// Failures and deadlocks, one of each sort.
    pub findings: Vec<Finding>,
    /// Whether every class was explored.
    pub exhaustive: bool,
    /// The limit that was in the way, if one was.
    pub limit: Option<Limit>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A failure or a deadlock, with the execution that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// [`Ending::Failed`] or [`Ending::Deadlocked`].
    pub ending: Ending,
    /// The execution.
    pub trace: Trace,
    /// The failures, each with its thread.
    pub failures: Vec<(ThreadId, Failure)>,
    /// What the threads that are left wait for.
    pub waiting: Vec<Pending>,
    /// The same execution, as text that `replay` takes.
    pub schedule: Schedule,
    /// Two steps whose order makes the difference: the other way round, this does not happen.
    pub pivot: Option<(EventId, EventId)>,
}

/// How many findings of different sorts are kept in full; the tally counts all.
const MAX_FINDINGS: usize = 16;

#[derive(Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    /// Keeps an execution unless one of the same sort is kept already.
    pub(crate) fn keep(&mut self, execution: &Execution<'_>, names: &dyn Names) {
        if self.0.len() >= MAX_FINDINGS || self.0.iter().any(|finding| finding.is_of_sort(execution)) {
            return;
        }
        self.0.push(Finding {
            ending: execution.ending,
            trace: execution.trace.clone(),
            failures: execution.failures.to_vec(),
            waiting: execution.waiting.to_vec(),
            schedule: schedule_of(execution.trace, names),
            pivot: None,
        });
    }
}

impl Finding {
    /// Whether an execution fails in the same way, or has the same threads wait for the same.
    pub(crate) fn is_of_sort(&self, execution: &Execution<'_>) -> bool {
        let waits = |pending: &[Pending]| pending.iter().map(|p| (p.thread, p.op)).collect::<Vec<_>>();
        self.ending == execution.ending
            && match self.ending {
                Ending::Deadlocked => waits(&self.waiting) == waits(execution.waiting),
                _ => self.failures == execution.failures,
            }
    }
}

/// The steps of an execution, as text.
pub(crate) fn schedule_of(trace: &Trace, names: &dyn Names) -> Schedule {
    let step = |event: &trace::Event| ScheduledStep {
        thread: names.path(event.thread()),
        alternative: event.choice.alternative,
    };
    Schedule { steps: trace.events().iter().map(step).collect() }
}

/// Explores `program` by `algorithm`.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{Settings, algorithm, check};
///
/// // Each of the reads comes before the write or after it: four classes.
/// let program = LitmusProgram::new("var x; x = 1 | r = x | s = x".parse()?)?;
/// let optimal = algorithm("optimal").expect("it is one of the algorithms");
/// let report = check(&program, &mut *(optimal.make)(), &Settings::default())?;
/// assert!(report.exhaustive && report.findings.is_empty());
/// assert_eq!(report.tally.completed, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(program: &dyn Program, algorithm: &mut dyn Algorithm, settings: &Settings) -> Result<Report, Error> {
    check_with(program, algorithm, settings, &mut ())
}

/// As [`check`], and tells `sink` of every execution.
pub fn check_with(
    program: &dyn Program,
    algorithm: &mut dyn Algorithm,
    settings: &Settings,
    sink: &mut dyn Sink,
) -> Result<Report, Error> {
    let mut report = search(program, algorithm, settings, sink)?;
    for finding in &mut report.findings {
        finding.pivot = find_pivot(program, finding, settings);
    }
    Ok(report)
}

/// The search alone, without a look at what its findings come from.
pub(crate) fn search(
    program: &dyn Program,
    algorithm: &mut dyn Algorithm,
    settings: &Settings,
    sink: &mut dyn Sink,
) -> Result<Report, Error> {
    let mut explorer = Explorer::new(program, settings, sink);
    let stop = algorithm.explore(&mut explorer).err();
    let (tally, findings, elapsed) = explorer.into_results();
    let limit = match &stop {
        Some(Stop::Limit(limit)) => Some(*limit),
        _ if tally.too_long > 0 => Some(Limit::Steps(settings.limits.steps)),
        _ if tally.out_of_bounds + tally.pruned > 0 => Some(Limit::Bounds(settings.bounds)),
        _ => None,
    };
    let exhaustive = stop.is_none() && limit.is_none() && algorithm.is_exhaustive();
    match stop {
        Some(Stop::Error(error)) => Err(error),
        _ => Ok(Report { tally, findings: findings.0, exhaustive, limit, elapsed }),
    }
}
