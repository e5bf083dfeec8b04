//! A search in slices: some of its tasks for a while, on any machine, and at last the report of all slices together.

use crate::check::{Report, Settings, make};
use crate::findings::Findings;
use crate::graphs::{Complete, Graphs};
use crate::loops::Known;
use crate::models::ModelInfo;
use crate::replay::replay;
use crate::run::Error;
use crate::schedule::{schedule, text_of};
use crate::search::{Explored, Search, Start, Stop, Watcher};
use crate::task::Task;
use explore::{Bundle, NoBundle, Parcel, Processes, Shareable, Slice, SliceEnd, Sliced, Total};
use model::{Names, Program};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trace::{Ending, Progress, Sink, Tally};

/// A search under a memory model, in slices.
pub struct UnderModel {
    model: &'static ModelInfo,
    settings: Settings,
    /// What this process knows of loops, if that is of no use to another.
    own: Option<Mutex<Known>>,
}

impl UnderModel {
    /// Under this model.
    pub fn new(model: &'static ModelInfo, settings: Settings) -> Self {
        UnderModel { model, settings: Settings { time: None, ..settings }, own: None }
    }

    /// The same of a program that has no local states. Then what is learnt of loops decides only who goes first, which makes no
    /// difference to what is found; and its places are numbered as this process met them. So each process learns by itself.
    #[must_use]
    pub fn without_local_states(self) -> Self {
        UnderModel { own: Some(Mutex::default()), ..self }
    }

    fn try_slice(&self, program: &dyn Program, sink: &mut dyn Sink, slice: &Slice<'_>) -> Result<Sliced, String> {
        let bundle = Bundle::<Task>::decode(slice.bundle).map_err(|problem| problem.to_string())?;
        let before = bundle.runs_before();
        let settings = match slice.most {
            Some(most) => Settings { executions: Some(most), workers: NonZeroUsize::MIN, ..self.settings },
            None => Settings { executions: None, ..self.settings },
        };
        let make = || make(program, self.model, &settings, None);
        let mut first = make().ok_or_else(|| Error::NoThreads.to_string())?;
        let another = || make().expect("it has threads, for the first worker has them");
        let started = Instant::now();
        let search = Search { settings: &settings, others: Some(&another), crew: None, keeper: None, started };
        let mut until = Until { sink, started };
        let start = Start { tasks: bundle.into_tasks(), ..Start::anew(self.known(slice.lessons)?) };
        let explored = self.attempt(&search, &mut first, &mut until, start);
        sliced((self.model, program.names(), slice.bundle), before, self.settings.keep_going, explored)
    }

    fn known(&self, lessons: &str) -> Result<Known, String> {
        match &self.own {
            Some(own) => Ok(own.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            None => Known::from_text(lessons).ok_or_else(|| "what was learnt of loops cannot be read".to_owned()),
        }
    }

    /// Up to the first thing that is learnt, unless only this process needs to know it: then what was done counts.
    fn attempt<'t>(
        &self,
        search: &Search<'_, 't>,
        first: &mut Graphs<'t>,
        until: &mut Until<'_>,
        start: Start,
    ) -> Explored {
        let mut explored = search.attempt(first, until, start);
        let Some(own) = &self.own else { return explored };
        while matches!(explored.result, Err(Stop::Learnt)) {
            own.lock().unwrap_or_else(PoisonError::into_inner).learn(&explored.learnt);
            let Explored { left, tally, findings, learnt, elapsed, .. } = explored;
            explored = search.attempt(first, until, Start { tasks: left, tally, findings, known: learnt, elapsed });
        }
        explored
    }
}

/// What came of a slice: of these tasks, after so many runs.
pub(crate) fn sliced(
    (model, names, bundle): (&'static ModelInfo, &dyn Names, &[u8]),
    before: u64,
    keep_going: bool,
    explored: Explored,
) -> Result<Sliced, String> {
    let Explored { result, left, tally, findings, learnt, .. } = explored;
    let end = match result {
        Err(Stop::Error(error)) => return Err(error.to_string()),
        Err(Stop::Learnt) => {
            return Ok(Sliced { learnt: Some(learnt.to_text()), ..Sliced::undone(bundle, SliceEnd::Learnt) });
        }
        Err(Stop::Told) if !findings.is_empty() && !keep_going => SliceEnd::Found,
        _ => SliceEnd::Over,
    };
    Ok(Sliced {
        tally,
        findings: findings.iter().map(|finding| schedule(&finding.graph, model, names)).collect(),
        too_long: None,
        left: Bundle::new(left, before.saturating_add(tally.runs())).encode(),
        learnt: None,
        end,
    })
}

impl Shareable for UnderModel {
    fn cores(&self) -> usize {
        self.settings.workers.get()
    }

    fn whole(&self) -> Vec<u8> {
        Bundle::<Task>::whole().encode()
    }

    fn first_lessons(&self) -> String {
        Known::default().to_text()
    }

    fn slice(&self, program: &dyn Program, _: Option<&dyn Processes>, sink: &mut dyn Sink, slice: Slice<'_>) -> Sliced {
        let failed = |problem| Sliced::failed(slice.bundle, explore::Error::InWorker(problem));
        self.try_slice(program, sink, &slice).unwrap_or_else(failed)
    }

    fn split(&self, bundle: &[u8], most: usize) -> Result<Vec<Parcel>, NoBundle> {
        Bundle::<Task>::decode(bundle).map(|bundle| bundle.parcels(most))
    }

    fn schedules(&self, bundle: &[u8], names: &dyn Names) -> Vec<String> {
        let tasks = Bundle::<Task>::decode(bundle).map(Bundle::into_tasks).unwrap_or_default();
        let known = names.registry().map_or(usize::MAX, |registry| registry.len());
        let is_known = |task: &&Task| task.steps.iter().all(|step| (step.thread as usize) < known);
        tasks.iter().filter(is_known).map(|task| text_of(task, self.model, names)).collect()
    }

    fn together(&self, one: &str, other: &str) -> String {
        merged(&[one.to_owned(), other.to_owned()]).to_text()
    }

    fn after(&self, lessons: &str, learnt: &[String]) -> Option<String> {
        let mut known = Known::from_text(lessons)?;
        known.learn(&merged(learnt));
        Some(known.to_text())
    }

    fn are_refuted(&self, _: &[String]) -> bool {
        false
    }

    fn weaker(&self, lessons: &str) -> Option<String> {
        Some(lessons.to_owned())
    }
}

/// What cannot be read was learnt by nobody.
fn merged(learnt: &[String]) -> Known {
    let mut all = Known::default();
    learnt.iter().filter_map(|text| Known::from_text(text)).for_each(|known| all.learn(&known));
    all
}

/// Ends a slice when it is time.
struct Until<'s> {
    sink: &'s mut dyn Sink,
    started: Instant,
}

impl Watcher for Until<'_> {
    fn wants(&self, _: Ending) -> bool {
        false
    }

    fn complete(&mut self, _: &Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        let (elapsed, tasks) = (self.started.elapsed(), Some(tasks as u64));
        self.sink.progress(&Progress { tally: *tally, elapsed, depth: 0, share: None, tasks })
    }
}

/// The report of a search that was done in slices.
pub fn report_of(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    total: &Total,
) -> Result<Report, crate::ReplayError> {
    let mut findings = Findings::default();
    for text in &total.findings {
        findings.add(&replay(program, text)?);
    }
    let elapsed: Duration = total.elapsed;
    let mut report = Report::new(model, settings, total.tally, findings, total.is_complete, elapsed);
    report.explain();
    Ok(report)
}
