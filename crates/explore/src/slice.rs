//! A search in slices: some of its tasks for a while, on any machine, and at last the report of all slices together.
//!
//! What is known of the program's loops does not change while a search runs, and a search on several machines is no
//! exception: what a slice learns may end the search of all of them, which then begins anew with more [`Lessons`].

use crate::bundle::Bundle;
use crate::check::{Attempt, Attempted, explained, finished, is_unsteady, search_once};
use crate::checkpoint::{Start, StoredTally};
use crate::explorer::Stop;
use crate::loops::StoredKnowledge;
use crate::replay::{run_again, search_by};
use crate::{AlgorithmInfo, Error, Knowledge, Limit, Limits, LoopRules, Processes, Report, Settings};
use model::{Program, Schedule};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trace::{Sink, Tally};

/// So many executions are run before other workers of this machine are called.
const RUNS_ALONE: usize = 16;

/// What a search knows of the program's loops when it begins, and which rules it follows.
#[derive(Clone, PartialEq, Debug)]
pub struct Lessons {
    rules: LoopRules,
    known: Arc<Knowledge>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLessons {
    rounds: bool,
    awaits: bool,
    shortcuts: bool,
    merges: bool,
    sections: bool,
    known: StoredKnowledge,
}

impl Lessons {
    /// What a search by this algorithm begins with.
    pub fn first(info: &AlgorithmInfo, settings: &Settings) -> Self {
        Lessons { rules: (info.make)().loop_rules(settings), known: settings.known.clone() }
    }

    /// As text.
    pub fn to_text(&self) -> String {
        let LoopRules { rounds, awaits, shortcuts, merges, sections } = self.rules;
        let known = StoredKnowledge::from(&*self.known);
        let stored = StoredLessons { rounds, awaits, shortcuts, merges, sections, known };
        serde_json::to_string(&stored).expect("it has no maps")
    }

    /// From text; none if it is something else.
    pub fn from_text(text: &str) -> Option<Self> {
        let StoredLessons { rounds, awaits, shortcuts, merges, sections, known } = serde_json::from_str(text).ok()?;
        let rules = LoopRules { rounds, awaits, shortcuts, merges, sections };
        Some(Lessons { rules, known: Arc::new(known.restore()?) })
    }

    /// Whether what slices have learnt together says that something was taken for granted that is not so.
    pub fn are_refuted_by(&self, learnt: &[String]) -> bool {
        merged(learnt).refutes_itself()
    }

    /// What is known after slices have learnt this.
    #[must_use]
    pub fn after(&self, learnt: &[String]) -> Self {
        let mut more = merged(learnt);
        more.forget_deeds();
        let mut known = Knowledge::clone(&self.known);
        known.learn(&more);
        Lessons { rules: self.rules, known: Arc::new(known) }
    }

    /// Fewer rules, and nothing known: local states were not what they seemed.
    #[must_use]
    pub fn weaker(&self) -> Self {
        Lessons { rules: self.rules.weaker(), known: Arc::default() }
    }
}

/// What cannot be read was learnt by nobody.
fn merged(learnt: &[String]) -> Knowledge {
    let mut all = Knowledge::default();
    for text in learnt {
        if let Some(one) = serde_json::from_str::<StoredKnowledge>(text).ok().and_then(|stored| stored.restore()) {
            all.learn(&one);
        }
    }
    all
}

/// What was learnt in two slices, as text.
pub fn learnt_together(one: &str, other: &str) -> String {
    stored(&merged(&[one.to_owned(), other.to_owned()]))
}

fn stored(learnt: &Knowledge) -> String {
    serde_json::to_string(&StoredKnowledge::from(learnt)).expect("it has no maps")
}

/// What is to be done.
pub struct Slice<'a> {
    /// The tasks.
    pub bundle: Bundle,
    /// What is known.
    pub lessons: &'a Lessons,
    /// How often the search has begun anew.
    pub restarts: u32,
    /// So many executions at the most, by one worker.
    pub most: Option<u64>,
}

/// What came of a slice.
#[derive(Debug)]
pub struct Sliced {
    /// What was counted.
    pub tally: Tally,
    /// The schedules of what was found, one of each sort.
    pub findings: Vec<Schedule>,
    /// The schedule of an execution that had too many steps.
    pub too_long: Option<String>,
    /// What is left to do.
    pub left: Bundle,
    /// What was learnt of loops, as text; none if nothing was.
    pub learnt: Option<String>,
    /// Why it ended.
    pub end: SliceEnd,
}

/// Why a slice ended.
#[derive(Clone, PartialEq, Debug)]
pub enum SliceEnd {
    /// The sink said so, or nothing is left.
    Over,
    /// Something was found, and the settings say to stop there.
    Found,
    /// What was learnt makes the search begin anew: nothing else of the slice counts.
    Learnt,
    /// The program behaved differently because of its local states: the search begins anew with weaker rules.
    Unsteady,
    /// The search cannot go on.
    Failed(Error),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSliced {
    #[serde(with = "StoredTally")]
    tally: Tally,
    findings: Vec<String>,
    too_long: Option<String>,
    left: Vec<u8>,
    learnt: Option<String>,
    end: StoredEnd,
}

#[derive(Serialize, Deserialize)]
enum StoredEnd {
    Over,
    Found,
    Learnt,
    Unsteady,
    Lost(String),
    Failed(String),
}

impl Sliced {
    /// As text, for another process.
    pub fn to_text(&self) -> String {
        let end = match &self.end {
            SliceEnd::Over => StoredEnd::Over,
            SliceEnd::Found => StoredEnd::Found,
            SliceEnd::Learnt => StoredEnd::Learnt,
            SliceEnd::Unsteady => StoredEnd::Unsteady,
            SliceEnd::Failed(Error::WorkerLost(how)) => StoredEnd::Lost(how.clone()),
            SliceEnd::Failed(error) => StoredEnd::Failed(error.to_string()),
        };
        let stored = StoredSliced {
            tally: self.tally,
            findings: self.findings.iter().map(Schedule::to_string).collect(),
            too_long: self.too_long.clone(),
            left: self.left.encode(),
            learnt: self.learnt.clone(),
            end,
        };
        serde_json::to_string(&stored).expect("it has no maps")
    }

    /// From text; none if it is something else.
    pub fn from_text(text: &str) -> Option<Self> {
        let stored: StoredSliced = serde_json::from_str(text).ok()?;
        let end = match stored.end {
            StoredEnd::Over => SliceEnd::Over,
            StoredEnd::Found => SliceEnd::Found,
            StoredEnd::Learnt => SliceEnd::Learnt,
            StoredEnd::Unsteady => SliceEnd::Unsteady,
            StoredEnd::Lost(how) => SliceEnd::Failed(Error::WorkerLost(how)),
            StoredEnd::Failed(message) => SliceEnd::Failed(Error::InWorker(message)),
        };
        Some(Sliced {
            tally: stored.tally,
            findings: stored.findings.iter().map(|text| text.parse().ok()).collect::<Option<_>>()?,
            too_long: stored.too_long,
            left: Bundle::decode(&stored.left).ok()?,
            learnt: stored.learnt,
            end,
        })
    }
}

/// Explores tasks until the sink says that it is enough.
pub fn explore_slice(
    info: &AlgorithmInfo,
    program: &dyn Program,
    settings: &Settings,
    sink: &mut dyn Sink,
    processes: Option<&dyn Processes>,
    slice: Slice<'_>,
) -> Sliced {
    let mut settings = Settings {
        loops: slice.lessons.rules,
        checkpoints: None,
        runs_alone: RUNS_ALONE,
        limits: Limits { executions: slice.most, time: None, ..settings.limits },
        ..settings.clone()
    };
    if slice.most.is_some() {
        settings.workers = NonZeroUsize::MIN;
    }
    let start = Start { tasks: Some(slice.bundle.into_tasks()), ..Start::default() };
    let known = slice.lessons.known.clone();
    let attempt = Attempt { start, known, started: Instant::now(), restarts: slice.restarts };
    let Attempted { stop, learnt, report, left } =
        search_once(program, &mut *(info.make)(), &settings, sink, processes, attempt);
    let is_unsteady = is_unsteady(program, &settings, stop.as_ref());
    let end = match stop {
        _ if is_unsteady => SliceEnd::Unsteady,
        None | Some(Stop::Told | Stop::Elsewhere | Stop::Messages | Stop::Limit(_)) => SliceEnd::Over,
        Some(Stop::Found) => SliceEnd::Found,
        Some(Stop::Learnt) => SliceEnd::Learnt,
        Some(Stop::Error(error)) => SliceEnd::Failed(error),
    };
    Sliced {
        tally: report.tally,
        findings: report.findings.into_iter().map(|finding| finding.schedule).collect(),
        too_long: report.too_long.map(|run| run.schedule),
        left: Bundle::new(left),
        learnt: (!learnt.is_empty()).then(|| stored(&learnt)),
        end,
    }
}

/// All slices of a search together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Total {
    /// What was counted.
    pub tally: Tally,
    /// The schedules of what was found.
    pub findings: Vec<Schedule>,
    /// The schedule of an execution that had too many steps.
    pub too_long: Option<Schedule>,
    /// Whether nothing is left to do.
    pub is_complete: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// The report of a search that was done in slices.
pub fn report_of(
    info: &AlgorithmInfo,
    program: &dyn Program,
    settings: &Settings,
    lessons: &Lessons,
    total: &Total,
) -> Result<Report, Error> {
    let settings = Settings { loops: lessons.rules, known: lessons.known.clone(), ..settings.clone() };
    let findings = run_again(program, &settings, &total.findings).map_err(Error::InWorker)?;
    let too_long = match &total.too_long {
        Some(schedule) => search_by(program, schedule, &settings)?.too_long,
        None => None,
    };
    let report = Report {
        tally: total.tally,
        sampled: Tally::default(),
        findings: findings.into_sorted(),
        exhaustive: false,
        stopped: !total.is_complete,
        limit: None::<Limit>,
        found_messages: false,
        too_long,
        elapsed: total.elapsed,
        known: lessons.known.clone(),
        loops: lessons.rules,
    };
    let stop = (!total.is_complete).then_some(Stop::Told);
    let report = finished(report, stop, &*(info.make)(), &settings)?;
    Ok(explained(report, program, &settings))
}
