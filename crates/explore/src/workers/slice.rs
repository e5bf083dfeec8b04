//! A search in slices: some of its tasks for a while, on any machine, and at last the report of all slices together.
//!
//! What is known of the program's loops does not change while a search runs, and a search on several machines is no
//! exception: what a slice learns may end the search of all of them, which then begins anew with more [`Lessons`].

use crate::algorithms::replay::{run_again, search_by};
use crate::checkpoint::Start;
use crate::explorer::Stop;
use crate::loops::StoredKnowledge;
use crate::search::check::{Attempt, Attempted, explained, finished, is_unsteady, search_once};
use crate::workers::bundle::Bundle;
use crate::workers::shareable::{Shareable, Slice, SliceEnd, Sliced, Total};
use crate::workers::task::Task;
use crate::{AlgorithmInfo, Error, Knowledge, Limit, Limits, LoopRules, NoBundle, Parcel, Processes, Report, Settings};
use model::{Names, Program, Schedule};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;
use trace::{Sink, Tally};

/// So many executions are run before other workers of this machine are called.
const RUNS_ALONE: usize = 16;

/// A search by an algorithm that has tasks, in slices.
#[derive(Clone)]
pub struct Interleavings {
    info: &'static AlgorithmInfo,
    settings: Settings,
}

/// What a search knows of the program's loops when it begins, and which rules it follows.
#[derive(Clone, PartialEq, Debug)]
struct Lessons {
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
    fn to_text(&self) -> String {
        let LoopRules { rounds, awaits, shortcuts, merges, sections } = self.rules;
        let known = StoredKnowledge::from(&*self.known);
        let stored = StoredLessons { rounds, awaits, shortcuts, merges, sections, known };
        serde_json::to_string(&stored).expect("it has no maps")
    }

    fn from_text(text: &str) -> Option<Self> {
        let StoredLessons { rounds, awaits, shortcuts, merges, sections, known } = serde_json::from_str(text).ok()?;
        let rules = LoopRules { rounds, awaits, shortcuts, merges, sections };
        Some(Lessons { rules, known: Arc::new(known.restore()?) })
    }

    /// What is known after slices have learnt this.
    fn after(&self, learnt: &[String]) -> Self {
        let mut more = merged(learnt);
        more.forget_deeds();
        let mut known = Knowledge::clone(&self.known);
        known.learn(&more);
        Lessons { rules: self.rules, known: Arc::new(known) }
    }

    /// Fewer rules, and nothing known: local states were not what they seemed.
    fn weaker(&self) -> Self {
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

fn stored(learnt: &Knowledge) -> String {
    serde_json::to_string(&StoredKnowledge::from(learnt)).expect("it has no maps")
}

impl Interleavings {
    /// By this algorithm, which has tasks.
    pub fn new(info: &'static AlgorithmInfo, settings: Settings) -> Self {
        Interleavings { info, settings }
    }

    /// The settings of a slice, of so many executions at the most.
    fn settings_of(&self, most: Option<u64>, rules: LoopRules) -> Settings {
        let workers = if most.is_some() { NonZeroUsize::MIN } else { self.settings.workers };
        Settings {
            loops: rules,
            checkpoints: None,
            runs_alone: RUNS_ALONE,
            limits: Limits { executions: most, time: None, ..self.settings.limits },
            workers,
            ..self.settings.clone()
        }
    }

    fn try_slice(
        &self,
        program: &dyn Program,
        processes: Option<&dyn Processes>,
        sink: &mut dyn Sink,
        slice: &Slice<'_>,
    ) -> Result<Sliced, Error> {
        let bundle = Bundle::decode(slice.bundle).map_err(|problem| Error::InWorker(problem.to_string()))?;
        let Lessons { rules, known } = lessons(slice.lessons)?;
        let settings = self.settings_of(slice.most, rules);
        let runs_before = bundle.runs_before();
        let start = Start { tasks: Some(bundle.into_tasks()), runs_before, ..Start::default() };
        let attempt = Attempt { start, known, started: Instant::now(), restarts: slice.restarts };
        let Attempted { stop, learnt, report, left } =
            search_once(program, &mut *(self.info.make)(), &settings, sink, processes, attempt);
        let is_unsteady = is_unsteady(&settings, stop.as_ref());
        let end = match stop {
            _ if is_unsteady => SliceEnd::Unsteady,
            None | Some(Stop::Told | Stop::Elsewhere | Stop::Messages | Stop::Limit(_)) => SliceEnd::Over,
            Some(Stop::Found) => SliceEnd::Found,
            Some(Stop::Learnt) => SliceEnd::Learnt,
            Some(Stop::Error(error)) => SliceEnd::Failed(error),
        };
        Ok(Sliced {
            tally: report.tally,
            findings: report.findings.into_iter().map(|finding| finding.schedule.to_string()).collect(),
            too_long: report.too_long.map(|run| run.schedule),
            left: Bundle::new(left, runs_before.saturating_add(report.tally.runs())).encode(),
            learnt: (!learnt.is_empty()).then(|| stored(&learnt)),
            end,
        })
    }
}

fn lessons(text: &str) -> Result<Lessons, Error> {
    Lessons::from_text(text).ok_or_else(|| Error::InWorker("what was learnt of loops cannot be read".to_owned()))
}

impl Shareable for Interleavings {
    fn cores(&self) -> usize {
        self.settings.workers.get()
    }

    fn whole(&self) -> Vec<u8> {
        Bundle::<Task>::whole().encode()
    }

    fn first_lessons(&self) -> String {
        let rules = (self.info.make)().loop_rules(&self.settings);
        Lessons { rules, known: self.settings.known.clone() }.to_text()
    }

    fn slice(
        &self,
        program: &dyn Program,
        processes: Option<&dyn Processes>,
        sink: &mut dyn Sink,
        slice: Slice<'_>,
    ) -> Sliced {
        self.try_slice(program, processes, sink, &slice).unwrap_or_else(|error| Sliced::failed(slice.bundle, error))
    }

    fn split(&self, bundle: &[u8], most: usize) -> Result<Vec<Parcel>, NoBundle> {
        Bundle::<Task>::decode(bundle).map(|bundle| bundle.parcels(most))
    }

    fn schedules(&self, bundle: &[u8], names: &dyn Names) -> Vec<String> {
        let schedules = |bundle: Bundle| bundle.schedules(names).iter().map(Schedule::to_string).collect();
        Bundle::decode(bundle).map(schedules).unwrap_or_default()
    }

    fn together(&self, one: &str, other: &str) -> String {
        stored(&merged(&[one.to_owned(), other.to_owned()]))
    }

    fn after(&self, lessons: &str, learnt: &[String]) -> Option<String> {
        Lessons::from_text(lessons).map(|lessons| lessons.after(learnt).to_text())
    }

    fn are_refuted(&self, learnt: &[String]) -> bool {
        merged(learnt).refutes_itself()
    }

    fn weaker(&self, lessons: &str) -> Option<String> {
        Lessons::from_text(lessons).map(|lessons| lessons.weaker().to_text())
    }
}

/// The report of a search that was done in slices.
pub fn report_of(
    info: &AlgorithmInfo,
    program: &dyn Program,
    settings: &Settings,
    learnt: &str,
    total: &Total,
) -> Result<Report, Error> {
    let lessons = lessons(learnt)?;
    let settings = Settings { loops: lessons.rules, known: lessons.known.clone(), ..settings.clone() };
    let unreadable = |_| Error::InWorker("the schedule of a finding cannot be read".to_owned());
    let schedule = |text: &String| text.parse().map_err(unreadable);
    let schedules: Vec<Schedule> = total.findings.iter().map(schedule).collect::<Result<_, _>>()?;
    let findings = run_again(program, &settings, &schedules).map_err(Error::InWorker)?;
    let too_long = match &total.too_long {
        Some(text) => search_by(program, &schedule(text)?, &settings)?.too_long,
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

    fn share(search: &Interleavings, bundle: &[u8]) -> f64 {
        search.split(bundle, 1).unwrap().iter().map(|parcel| parcel.share).sum()
    }

    fn parts(search: &Interleavings, bundle: &[u8], most: usize) -> Vec<Vec<u8>> {
        search.split(bundle, most).unwrap().into_iter().map(|parcel| parcel.bytes).collect()
    }

    #[test]
    fn slices_of_one_execution_are_the_search_together() {
        let text = "var x, y; x = 1; r = y; assert r == 0, \"late\" | y = 1; r = x | x = 2; r = y";
        let program = LitmusProgram::new(text.parse().unwrap()).unwrap();
        let pop = algorithm("pop").unwrap();
        let settings = Settings { keep_going: true, ..Settings::default() };
        let whole = check(&program, &mut *(pop.make)(), &settings).unwrap();
        let search = Interleavings::new(pop, settings.clone());
        let lessons = search.first_lessons();
        let (mut total, mut left) = (Total { is_complete: true, ..Total::default() }, vec![search.whole()]);
        let mut slices = 0;
        while let Some(bundle) = left.pop() {
            let slice = Slice { bundle: &bundle, lessons: &lessons, restarts: 0, most: None };
            let sliced = search.slice(&program, None, &mut AtOnce, slice);
            let sliced = Sliced::from_text(&sliced.to_text()).unwrap();
            assert_eq!(sliced.end, SliceEnd::Over);
            assert!(share(&search, &sliced.left) < share(&search, &bundle));
            total.tally.add(&sliced.tally);
            total.findings.extend(sliced.findings);
            left.extend(parts(&search, &sliced.left, 2));
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
        let search = Interleavings::new(algorithm("pop").unwrap(), Settings::default());
        let lessons = search.first_lessons();
        let ends_after = |runs_before: u64| {
            let mut executions = 0;
            let mut left = vec![Bundle::new(vec![Task::whole()], runs_before).encode()];
            while let Some(bundle) = left.pop() {
                let slice = Slice { bundle: &bundle, lessons: &lessons, restarts: 0, most: None };
                let sliced = search.slice(&program, None, &mut AtOnce, slice);
                executions += sliced.tally.executions();
                if sliced.end != SliceEnd::Over {
                    return (sliced.end, executions);
                }
                left.extend(parts(&search, &sliced.left, 1));
            }
            (SliceEnd::Over, executions)
        };
        assert_eq!(ends_after(0).0, SliceEnd::Learnt);
        assert_eq!(ends_after(1_000), (SliceEnd::Over, 64));
    }

    #[test]
    fn what_is_damaged_ends_a_slice_with_nothing_done() {
        let program = litmus::library::find("lastzero").unwrap().build(&[2]).unwrap();
        let search = Interleavings::new(algorithm("pop").unwrap(), Settings::default());
        let lessons = search.first_lessons();
        for (bundle, lessons) in [(vec![2, 9, 9], &*lessons), (search.whole(), "{}")] {
            let slice = Slice { bundle: &bundle, lessons, restarts: 0, most: None };
            let sliced = search.slice(&program, None, &mut AtOnce, slice);
            assert!(matches!(sliced.end, SliceEnd::Failed(Error::InWorker(_))), "{:?}", sliced.end);
            assert_eq!((sliced.tally.runs(), sliced.left), (0, bundle));
        }
    }

    #[test]
    fn an_error_of_a_slice_is_told_apart_from_a_lost_process() {
        for end in [
            SliceEnd::Found,
            SliceEnd::Learnt,
            SliceEnd::Unsteady,
            SliceEnd::Failed(Error::WorkerLost("by signal 9".to_owned())),
            SliceEnd::Failed(Error::InWorker("it diverged".to_owned())),
        ] {
            assert_eq!(Sliced::from_text(&Sliced::undone(&[1], end.clone()).to_text()).unwrap().end, end);
        }
        assert!(Sliced::from_text("{}").is_none());
    }
}
