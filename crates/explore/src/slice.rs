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
    let runs_before = slice.bundle.runs_before();
    let start = Start { tasks: Some(slice.bundle.into_tasks()), runs_before, ..Start::default() };
    let known = slice.lessons.known.clone();
    let attempt = Attempt { start, known, started: Instant::now(), restarts: slice.restarts };
    let Attempted { stop, learnt, report, left } =
        search_once(program, &mut *(info.make)(), &settings, sink, processes, attempt);
    let is_unsteady = is_unsteady(&settings, stop.as_ref());
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
        left: Bundle::new(left, runs_before.saturating_add(report.tally.runs())),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{algorithm, check};
    use litmus::LitmusProgram;

    /// Tells nobody, and ends every slice at its first look.
    struct AtOnce;

    impl Sink for AtOnce {
        fn execution(&mut self, _: &trace::Execution<'_>) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }

    #[test]
    fn slices_of_one_execution_are_the_search_together() {
        let text = "var x, y; x = 1; r = y; assert r == 0, \"late\" | y = 1; r = x | x = 2; r = y";
        let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
        let pop = algorithm("pop").unwrap();
        let settings = Settings { keep_going: true, ..Settings::default() };
        let whole = check(&program, &mut *(pop.make)(), &settings).unwrap();
        let lessons = Lessons::from_text(&Lessons::first(pop, &settings).to_text()).unwrap();
        let (mut total, mut left) = (Total { is_complete: true, ..Total::default() }, vec![Bundle::whole()]);
        let mut slices = 0;
        while let Some(bundle) = left.pop() {
            let bundle = Bundle::decode(&bundle.encode()).unwrap();
            let share = bundle.share();
            let slice = Slice { bundle, lessons: &lessons, restarts: 0, most: None };
            let sliced = explore_slice(pop, &program, &settings, &mut AtOnce, None, slice);
            let sliced = Sliced::from_text(&sliced.to_text()).unwrap();
            assert_eq!(sliced.end, SliceEnd::Over);
            assert!(sliced.left.share() < share);
            total.tally.add(&sliced.tally);
            total.findings.extend(sliced.findings);
            left.extend(sliced.left.split(2));
            slices += 1;
        }
        assert_eq!(slices, whole.tally.runs());
        let report = report_of(pop, &program, &settings, &lessons, &total).unwrap();
        assert_eq!(report.tally.executions(), whole.tally.executions());
        assert_eq!(report.tally.failed, whole.tally.failed);
        let schedules = |report: &Report| report.findings.iter().map(|f| f.schedule.to_string()).collect::<Vec<_>>();
        assert_eq!(schedules(&report), schedules(&whole));
        assert!(report.exhaustive && whole.exhaustive && !report.findings.is_empty());
    }

    #[test]
    fn a_loop_that_is_met_late_is_no_reason_to_begin_anew() {
        // The reader looks at a second element only after some executions: all before it would be done again.
        let program = litmus::library::find("lastzero").unwrap().build(&[5]).unwrap();
        let (pop, settings) = (algorithm("pop").unwrap(), Settings::default());
        let lessons = Lessons::first(pop, &settings);
        let ends_after = |runs_before: u64| {
            let mut executions = 0;
            let mut left = vec![Bundle::new(vec![crate::task::Task::whole()], runs_before)];
            while let Some(bundle) = left.pop() {
                let bundle = Bundle::decode(&bundle.encode()).unwrap();
                let slice = Slice { bundle, lessons: &lessons, restarts: 0, most: None };
                let sliced = explore_slice(pop, &program, &settings, &mut AtOnce, None, slice);
                executions += sliced.tally.executions();
                if sliced.end != SliceEnd::Over {
                    return (sliced.end, executions);
                }
                left.extend(sliced.left.split(1));
            }
            (SliceEnd::Over, executions)
        };
        assert_eq!(ends_after(0).0, SliceEnd::Learnt);
        assert_eq!(ends_after(1_000), (SliceEnd::Over, 64));
    }

    #[test]
    fn an_error_of_a_slice_is_told_apart_from_a_lost_process() {
        let sliced = |end| Sliced {
            tally: Tally::default(),
            findings: Vec::new(),
            too_long: None,
            left: Bundle::default(),
            learnt: None,
            end,
        };
        for end in [
            SliceEnd::Found,
            SliceEnd::Learnt,
            SliceEnd::Unsteady,
            SliceEnd::Failed(Error::WorkerLost("by signal 9".to_owned())),
            SliceEnd::Failed(Error::InWorker("it diverged".to_owned())),
        ] {
            assert_eq!(Sliced::from_text(&sliced(end.clone()).to_text()).unwrap().end, end);
        }
        assert!(Sliced::from_text("{}").is_none());
    }
}
