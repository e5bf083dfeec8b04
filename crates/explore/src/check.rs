//! Running a search from its start to its report.

use crate::checkpoint::Start;
use crate::pivot::find_pivot;
use crate::processes::NUMBERS;
use crate::shared::{Numbers, Shared};
use crate::shrink::shrink;
use crate::{Algorithm, Error, Explorer, Finding, Limit, Processes, Settings, Stop, TooLong};
use model::Program;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use trace::{Sink, Tally};

/// What a search found out.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was counted.
    pub tally: Tally,
    /// What a search for bugs counted that came before: see [`Settings::bug_first`].
    pub sampled: Tally,
    /// Failures and deadlocks, one of each sort.
    pub findings: Vec<Finding>,
    /// Whether every class was explored.
    pub exhaustive: bool,
    /// Whether it ended before its algorithm had nothing left to do.
    pub stopped: bool,
    /// The limit that was in the way, if one was.
    pub limit: Option<Limit>,
    /// Whether it ended at messages ([`Settings::stop_at_messages`]).
    pub found_messages: bool,
    /// The first execution that was given up because it had too many steps.
    pub too_long: Option<TooLong>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// Whether the findings are those of samples that came before the search.
    pub fn is_sampled(&self) -> bool {
        self.sampled.failed + self.sampled.deadlocked > 0
    }
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
    let report = search(program, algorithm, settings, sink, None)?;
    Ok(explained(report, program, settings))
}

/// A report whose findings are shown by simple executions, with a look at what they come from.
pub(crate) fn explained(mut report: Report, program: &dyn Program, settings: &Settings) -> Report {
    for finding in &mut report.findings {
        if settings.shrink {
            shrink(program, finding, settings);
        }
        finding.pivot = find_pivot(program, finding, settings);
    }
    report
}

/// The search alone, without a look at what its findings come from.
pub(crate) fn search(
    program: &dyn Program,
    algorithm: &mut dyn Algorithm,
    settings: &Settings,
    sink: &mut dyn Sink,
    processes: Option<&dyn Processes>,
) -> Result<Report, Error> {
    let start = match &settings.checkpoints {
        Some(checkpoints) => checkpoints.open(program, algorithm, settings)?,
        None => Start::default(),
    };
    sink.begin();
    let own = <[AtomicU64; NUMBERS]>::default();
    let numbers = Numbers::new(processes.map_or(&own, |processes| processes.numbers()));
    let shared = Shared::new(program, settings, sink, start, numbers, processes);
    let stop = explore(&shared, algorithm).err();
    let (tally, findings, elapsed) = shared.results();
    let limit = match &stop {
        Some(Stop::Limit(limit)) => Some(*limit),
        // An execution that failed may have been given up there too.
        _ if tally.longest >= settings.limits.steps as u64 => Some(Limit::Steps(settings.limits.steps)),
        _ if tally.out_of_bounds + tally.pruned > 0 => Some(Limit::Bounds(settings.bounds)),
        _ => None,
    };
    let exhaustive = stop.is_none() && limit.is_none() && algorithm.is_exhaustive();
    match stop {
        Some(Stop::Error(error)) => Err(error),
        stop => {
            let stopped = stop.is_some();
            let found_messages = matches!(stop, Some(Stop::Messages));
            let too_long = shared.too_long();
            Ok(Report {
                tally,
                sampled: Tally::default(),
                findings: findings.into_sorted(),
                exhaustive,
                stopped,
                limit,
                found_messages,
                too_long,
                elapsed,
            })
        }
    }
}

fn explore<'a>(shared: &'a Shared<'a>, algorithm: &mut dyn Algorithm) -> Result<(), Stop> {
    let mut explorer = Explorer::new(shared)?;
    let result = algorithm.explore(&mut explorer);
    explorer.hand_in();
    result
}
