//! Running a search from its start to its report.

use crate::checkpoint::Start;
use crate::search::pivot::find_pivot;
use crate::search::shared::{Numbers, Shared};
use crate::search::shrink::shrink;
use crate::workers::processes::NUMBERS;
use crate::workers::task::Task;
use crate::{Algorithm, Error, Explorer, Finding, Knowledge, Limit, LoopRules, Processes, Settings, Stop, TooLong};
use model::Program;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
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
    /// What was known of the program's loops when the search began for the last time.
    pub known: Arc<Knowledge>,
    /// The rules on loops that it followed.
    pub loops: LoopRules,
}

impl Report {
    /// Of the last of several searches, which together had so much time: whether that one knew from its start all that there is to be
    /// known, and the limit that was given, not what was left of it.
    #[must_use]
    pub fn of_all(mut self, is_whole: bool, time: Option<Duration>) -> Self {
        self.exhaustive &= is_whole;
        if let (Some(Limit::Time(left)), Some(given)) = (&mut self.limit, time) {
            *left = given;
        }
        self
    }

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

/// Longer executions are shown as they are: they have a thread that never ends, and to run them many times would take long.
const LONGEST_EXPLAINED: usize = 10_000;

/// A report whose findings are shown by simple executions, with a look at what they come from.
pub(crate) fn explained(mut report: Report, program: &dyn Program, settings: &Settings) -> Report {
    let settings = &Settings { known: report.known.clone(), loops: report.loops, ..settings.clone() };
    let is_short = |finding: &&mut Finding| finding.trace.len() <= LONGEST_EXPLAINED;
    for finding in report.findings.iter_mut().filter(is_short) {
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
    let mut start = match &settings.checkpoints {
        Some(checkpoints) => checkpoints.open(program, algorithm, settings, processes)?,
        None => Start::default(),
    };
    sink.begin();
    let mut known = start.known.take().unwrap_or_else(|| settings.known.clone());
    let loops = start.loops.take().unwrap_or_else(|| algorithm.loop_rules(settings));
    let mut settings = Settings { loops, ..settings.clone() };
    let (started, mut restarts) = (Instant::now(), 0);
    loop {
        let elapsed = start.elapsed;
        let attempt = Attempt { start, known: known.clone(), started, restarts };
        let Attempted { mut stop, mut learnt, mut report, .. } =
            search_once(program, algorithm, &settings, sink, processes, attempt);
        let is_refuted = stop.is_none() && algorithm.learns() && learnt.refutes_itself();
        let has_learnt = stop == Some(Stop::Learnt) || is_refuted;
        let is_unsteady = is_unsteady(&settings, stop.as_ref());
        let late = settings.limits.time.filter(|&time| started.elapsed() >= time);
        if let (true, Some(time)) = (has_learnt || is_unsteady, late) {
            stop = Some(Stop::Limit(Limit::Time(time)));
        }
        if late.is_some() || !has_learnt && !is_unsteady {
            report.known = known;
            return finished(report, stop, algorithm, &settings);
        }
        if is_unsteady {
            settings.loops = settings.loops.weaker();
            (known, learnt) = (Arc::default(), Knowledge::default());
        }
        learnt.forget_deeds();
        Arc::make_mut(&mut known).learn(&learnt);
        algorithm.forget();
        sink.anew();
        restarts += 1;
        start = Start { elapsed, ..Start::default() };
    }
}

/// Whether a search ended because the program behaved differently, and that may be for the rules on loops: local states of a front
/// end that cannot tell them exactly, or an algorithm whose classes they do not fit. Then fewer rules are followed.
pub(crate) fn is_unsteady(settings: &Settings, stop: Option<&Stop>) -> bool {
    settings.loops.rounds && matches!(stop, Some(Stop::Error(error)) if error.is_divergence())
}

/// A search, from where it starts to where it ends or learns something.
pub(crate) struct Attempt {
    pub(crate) start: Start,
    pub(crate) known: Arc<Knowledge>,
    /// When the first attempt began, and how many there were since.
    pub(crate) started: Instant,
    pub(crate) restarts: u32,
}

/// What came of it.
pub(crate) struct Attempted {
    /// Why it stopped.
    pub(crate) stop: Option<Stop>,
    pub(crate) learnt: Knowledge,
    pub(crate) report: Report,
    /// What is left to do, where the algorithm has tasks.
    pub(crate) left: Vec<Task>,
}

/// Explores with what is known.
pub(crate) fn search_once(
    program: &dyn Program,
    algorithm: &mut dyn Algorithm,
    settings: &Settings,
    sink: &mut dyn Sink,
    processes: Option<&dyn Processes>,
    Attempt { start, known, started, restarts }: Attempt,
) -> Attempted {
    let own = <[AtomicU64; NUMBERS]>::default();
    let numbers = Numbers::new(processes.map_or(&own, |processes| processes.numbers()));
    let shared = Shared::new(program, settings, sink, start, numbers, processes, known);
    let shared = shared.of_attempt(started, restarts, algorithm.learns()).by_commitments(algorithm.commits());
    let shared = shared.of_ends(algorithm.needs_ends());
    let stop = explore(&shared, algorithm).err();
    let (tally, findings, elapsed) = shared.results();
    let report = Report {
        tally,
        sampled: Tally::default(),
        findings: findings.into_sorted(),
        exhaustive: false,
        stopped: stop.is_some(),
        limit: None,
        found_messages: stop == Some(Stop::Messages),
        too_long: shared.too_long(),
        elapsed,
        known: Arc::default(),
        loops: settings.loops,
    };
    Attempted { stop, learnt: shared.learnt(), report, left: shared.take_left() }
}

/// The report of a search that ended.
pub(crate) fn finished(
    mut report: Report,
    stop: Option<Stop>,
    algorithm: &dyn Algorithm,
    settings: &Settings,
) -> Result<Report, Error> {
    let tally = &report.tally;
    report.limit = match &stop {
        Some(Stop::Limit(limit)) => Some(*limit),
        // An execution that failed may have been given up there too.
        _ if tally.longest >= settings.limits.steps as u64 => Some(Limit::Steps(settings.limits.steps)),
        _ if tally.out_of_bounds + tally.pruned > 0 => Some(Limit::Bounds(settings.bounds)),
        _ => None,
    };
    report.exhaustive = stop.is_none() && report.limit.is_none() && algorithm.is_exhaustive();
    match stop {
        Some(Stop::Error(error)) => Err(error),
        _ => Ok(report),
    }
}

fn explore<'a>(shared: &'a Shared<'a>, algorithm: &mut dyn Algorithm) -> Result<(), Stop> {
    let mut explorer = Explorer::new(shared)?;
    let result = algorithm.explore(&mut explorer);
    explorer.hand_in();
    result
}
