//! Workers in processes of their own, for programs of which there is one run in a process.
//!
//! They work in rounds. The process of the search deals its tasks and makes copies of itself, each of which explores what it was dealt.
//! When one has nothing left, or the round has lasted long enough, all hand back what is left, what was counted and what was found,
//! and end. Then the next round begins. So a copy knows all that was known when it was made, and nothing is sent to it.
//!
//! What a copy learns of loops is learnt again by the process of the search, from the same tasks: it is written in numbers of objects
//! that each process met in its own order.

use crate::check::Settings;
use crate::findings::Findings;
use crate::graphs::{Complete, Graphs};
use crate::models::ModelInfo;
use crate::replay::replay;
use crate::run::Error;
use crate::search::{Search, Shared, Start, Stop, Watcher, Worker};
use crate::slice::sliced;
use crate::task::Task;
use explore::team::{self, Common as _, Ended};
use explore::{Bundle, Copied, Link, Processes, SliceEnd, Sliced, WorkerProcess, receive_message, send_message};
use model::Program;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use trace::{Ending, Tally};

/// A round lasts so long, even if a worker has nothing left before.
const SHORTEST: Duration = Duration::from_millis(20);
/// A round lasts no longer.
const LONGEST: Duration = Duration::from_millis(500);

/// Which of the numbers that all processes see says how many visits were begun.
pub(crate) const BEGUN: usize = 0;
/// Which says whether a worker has nothing left.
const HAS_NOTHING_LEFT: usize = 1;

/// What it takes to search in several processes.
#[derive(Clone, Copy)]
pub(crate) struct Crew<'c> {
    pub(crate) processes: &'c dyn Processes,
    pub(crate) program: &'c dyn Program,
    pub(crate) model: &'static ModelInfo,
}

/// What a worker hands back.
#[derive(Serialize, Deserialize)]
struct Handed {
    /// What came of its tasks.
    sliced: String,
    /// Whether the search cannot go on: the program was not what it was taken for, or an execution took all of the time.
    is_in_vain: bool,
    discoveries: String,
}

impl Crew<'_> {
    /// Explores tasks and all that comes of them by so many workers. Where there can be none, this process goes on alone.
    pub(crate) fn explore<'s>(
        &self,
        shared: &Shared<'s>,
        first: &mut Graphs<'_>,
        mut tasks: VecDeque<Task>,
        workers: usize,
    ) -> Ended<Shared<'s>> {
        while !tasks.is_empty() {
            let team = self.gather(shared, first, &mut tasks, workers);
            if team.is_empty() {
                let mut worker = Worker::new(shared, first);
                let result = team::work_alone(shared, &mut worker, &mut tasks, usize::MAX);
                team::Search::hand_in(&mut worker);
                return (result, tasks);
            }
            let result = self.hear(shared, first, team, &mut tasks);
            if let Err(stop) = result.and_then(|()| shared.after_round(tasks.make_contiguous())) {
                return (Err(stop), tasks);
            }
        }
        (Ok(()), tasks)
    }

    /// Makes workers, each with a part of the tasks. In the workers, this does not return.
    fn gather(
        &self,
        shared: &Shared<'_>,
        first: &mut Graphs<'_>,
        tasks: &mut VecDeque<Task>,
        workers: usize,
    ) -> Vec<(Link, Box<dyn WorkerProcess>)> {
        self.processes.numbers()[HAS_NOTHING_LEFT].store(0, Ordering::Relaxed);
        let mut team = Vec::new();
        for part in Bundle::new(std::mem::take(tasks).into(), 0).split(workers) {
            match self.processes.copy() {
                Ok(Copied::Leader(link, process)) => team.push((link, process)),
                Ok(Copied::Worker(link)) => {
                    // The other workers are not this one's: it must neither end them nor keep their links open.
                    team.into_iter().for_each(|(link, process)| {
                        drop(link);
                        std::mem::forget(process);
                    });
                    self.serve(shared, first, part, link)
                }
                Err(_) => tasks.extend(part.into_tasks()),
            }
        }
        team
    }

    /// Explores a part of the tasks, hands back what came of it, and ends this process.
    fn serve(&self, shared: &Shared<'_>, first: &mut Graphs<'_>, part: Bundle<Task>, mut link: Link) -> ! {
        let work = || {
            let handed = self.work(shared, first, part);
            // Whoever is gone needs no answer.
            let _ = send_message(&mut *link.to, &handed);
        };
        // A panic has said what there is to say.
        let _ = catch_unwind(AssertUnwindSafe(work));
        self.processes.leave()
    }

    fn work(&self, shared: &Shared<'_>, first: &mut Graphs<'_>, part: Bundle<Task>) -> Handed {
        let bundle = part.encode();
        let nothing_left = &self.processes.numbers()[HAS_NOTHING_LEFT];
        let is_over = || nothing_left.load(Ordering::Relaxed) > 0;
        let mut round = Round { began: Instant::now(), is_over: &is_over, has_ended_it: false };
        let settings = Settings { workers: NonZeroUsize::MIN, ..*shared.settings() };
        let search =
            Search { settings: &settings, others: None, crew: Some(*self), keeper: None, started: shared.started() };
        let start = Start { tasks: part.into_tasks(), ..Start::anew(shared.known().clone()) };
        let explored = search.go_on(first, &mut round, start);
        let has_found = !explored.findings.is_empty() && !settings.keep_going;
        let is_in_vain = matches!(explored.result, Err(Stop::Told)) && !round.has_ended_it && !has_found;
        if explored.left.is_empty() {
            nothing_left.store(1, Ordering::Relaxed);
        }
        let in_worker = |problem: String| Sliced::failed(&bundle, explore::Error::InWorker(problem));
        let slice = (self.model, self.program.names(), &*bundle);
        let sliced = sliced(slice, 0, settings.keep_going, explored).unwrap_or_else(in_worker);
        match self.processes.discoveries() {
            Ok(discoveries) => Handed { sliced: sliced.to_text(), is_in_vain, discoveries },
            Err(problem) => Handed { sliced: in_worker(problem).to_text(), is_in_vain, discoveries: String::new() },
        }
    }

    /// Waits until all workers have handed back what they were given.
    fn hear(
        &self,
        shared: &Shared<'_>,
        first: &mut Graphs<'_>,
        team: Vec<(Link, Box<dyn WorkerProcess>)>,
        tasks: &mut VecDeque<Task>,
    ) -> Result<(), Stop> {
        let (mut result, mut all) = (Ok(()), Vec::new());
        for (mut link, mut process) in team {
            match receive_message::<Handed>(&mut *link.from) {
                Ok(handed) => all.push(handed),
                Err(_) => result = Err(explore::Error::WorkerLost(process.end())),
            }
        }
        result.map_err(in_worker)?;
        // Of what a process shows of the program, the others know nothing.
        for handed in &all {
            self.processes
                .learn(&handed.discoveries)
                .map_err(|problem| in_worker(explore::Error::InWorker(problem)))?;
        }
        if self.processes.begins_anew() {
            return Err(Stop::Told);
        }
        let results: Vec<_> = all.iter().map(|handed| self.take_over(shared, first, handed, tasks)).collect();
        results.into_iter().fold(Ok(()), Shared::first_cause)
    }

    /// What a worker has counted and found becomes this process's.
    fn take_over(
        &self,
        shared: &Shared<'_>,
        first: &mut Graphs<'_>,
        handed: &Handed,
        tasks: &mut VecDeque<Task>,
    ) -> Result<(), Stop> {
        let unreadable = || in_worker(explore::Error::InWorker("what a worker handed back cannot be read".to_owned()));
        let Sliced { tally, findings, left, end, .. } = Sliced::from_text(&handed.sliced).ok_or_else(unreadable)?;
        let mut left: VecDeque<Task> = Bundle::decode(&left).map_err(|_| unreadable())?.into_tasks().into();
        let result = match end {
            SliceEnd::Failed(error) => return Err(in_worker(error)),
            SliceEnd::Learnt => {
                let mut worker = Worker::new(shared, first);
                let result = team::work_alone(shared, &mut worker, &mut left, usize::MAX);
                team::Search::hand_in(&mut worker);
                result
            }
            SliceEnd::Found => Err(Stop::Told),
            SliceEnd::Over | SliceEnd::Unsteady => {
                if handed.is_in_vain {
                    Err(Stop::Told)
                } else {
                    Ok(())
                }
            }
        };
        tasks.extend(left);
        let mut found = Findings::default();
        for text in &findings {
            let differently = |problem: crate::ReplayError| in_worker(explore::Error::InWorker(problem.to_string()));
            found.add(&replay(self.program, text).map_err(differently)?);
        }
        shared.hand_in(&tally, &found);
        result
    }
}

fn in_worker(error: explore::Error) -> Stop {
    Stop::Error(Error::Worker(error))
}

/// Ends the part of a worker when the round is over.
struct Round<'r> {
    began: Instant,
    is_over: &'r (dyn Fn() -> bool + Sync),
    has_ended_it: bool,
}

impl Watcher for Round<'_> {
    fn wants(&self, _: Ending) -> bool {
        false
    }

    fn complete(&mut self, _: &Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Tally, _: usize) -> ControlFlow<()> {
        let lasted = self.began.elapsed();
        self.has_ended_it = lasted >= LONGEST || lasted >= SHORTEST && (self.is_over)();
        if self.has_ended_it { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
