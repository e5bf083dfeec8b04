//! The process that leads workers in other processes.
//!
//! It explores nothing itself. It waits for what the workers say, hands the tasks that one gives away to those that have
//! none, adds up what they counted, and notices when one is lost. A worker gives away tasks only when somebody waits for
//! them: how many do is a number that all processes see. All have been told of a task before its giver says that it is
//! idle, so the search is over when all are idle and no task is left.

use super::member;
use super::message::{Ended, FromWorker, NO_TASK, Reason, SoFar, ToWorker, receive, send};
use crate::algorithms::replay::run_again;
use crate::checkpoint::StoredTasks;
use crate::explorer::Stop;
use crate::search::findings::Findings;
use crate::search::shared::Shared;
use crate::workers::task::{MakeTasks, Task};
use crate::workers::team::Common;
use crate::{Copied, Error, Link, Processes, WorkerProcess};
use model::Schedule;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;
use trace::Tally;

/// What is wrong when what a worker learnt cannot be read.
const NO_KNOWLEDGE: &str = "what was learnt of loops is not what was sent";

/// A worker that is ready.
pub(super) struct Recruit {
    link: Link,
    process: Box<dyn WorkerProcess>,
}

/// Makes workers, as many as wanted if the system lets it. In the workers, this does not return.
pub(super) fn gather<'a>(
    shared: &'a Shared<'a>,
    workers: usize,
    processes: &dyn Processes,
    make: MakeTasks<'_>,
) -> Vec<Recruit> {
    let mut team = Vec::new();
    while team.len() < workers {
        match processes.copy() {
            Ok(Copied::Leader(link, process)) => team.push(Recruit { link, process }),
            Ok(Copied::Worker(link)) => {
                // The other workers are not this one's: it must neither end them nor keep their links open.
                team.into_iter().for_each(|other: Recruit| other.forget());
                member::serve(shared, processes, link, make)
            }
            Err(_) => break,
        }
    }
    team
}

impl Recruit {
    fn forget(self) {
        drop(self.link);
        std::mem::forget(self.process);
    }
}

/// Leads the team until all of `tasks`, and all that comes of them, is explored, or until it is time for a checkpoint. Also says
/// what is left to do, if checkpoints are written.
pub(super) fn lead<'a>(
    shared: &'a Shared<'a>,
    processes: &dyn Processes,
    team: Vec<Recruit>,
    tasks: VecDeque<Task>,
) -> (Result<(), Stop>, VecDeque<Task>) {
    let (tell, told) = mpsc::channel();
    let (links, processes_of): (Vec<Link>, Vec<_>) = team.into_iter().map(|one| (one.link, one.process)).unzip();
    let mut leader = Leader { shared, workers: Vec::new(), tasks, idle: Vec::new(), pauses: false, result: Ok(()) };
    thread::scope(|scope| {
        for (who, (link, process)) in links.into_iter().zip(processes_of).enumerate() {
            let tell = tell.clone();
            scope.spawn(move || listen(who, link.from, &tell));
            leader.workers.push(Member {
                to: Some(link.to),
                process,
                counted: Tally::default(),
                share: 0.0,
                last: None,
            });
        }
        drop(tell);
        for (who, message) in told {
            leader.hear(who, message);
        }
    });
    leader.finish(processes)
}

/// Passes on what a worker says, and at last that it says nothing more.
fn listen(who: usize, mut from: Box<dyn Read + Send>, tell: &Sender<(usize, Option<FromWorker>)>) {
    loop {
        let message = receive(&mut *from).ok();
        let is_last = message.is_none();
        // The leader listens until every worker has ended.
        if tell.send((who, message)).is_err() || is_last {
            return;
        }
    }
}

struct Leader<'s> {
    shared: &'s Shared<'s>,
    workers: Vec<Member>,
    /// Tasks that nobody has.
    tasks: VecDeque<Task>,
    /// Workers that have no task.
    idle: Vec<usize>,
    /// Whether all workers are to end for a checkpoint.
    pauses: bool,
    result: Result<(), Stop>,
}

struct Member {
    /// None when there is nothing more to tell it.
    to: Option<Box<dyn Write + Send>>,
    process: Box<dyn WorkerProcess>,
    /// What it has counted, as far as the search's tally has it.
    counted: Tally,
    share: f64,
    /// Its last words.
    last: Option<Ended>,
}

impl Member {
    /// If it is gone, that will be heard of.
    fn tell(&mut self, message: &ToWorker) {
        if let Some(to) = &mut self.to {
            let _ = send(to, message);
        }
    }
}

impl Leader<'_> {
    fn hear(&mut self, who: usize, message: Option<FromWorker>) {
        match message {
            Some(FromWorker::Idle) => {
                self.idle.push(who);
                if self.tasks.is_empty() {
                    self.shared.ask_for_task();
                }
                self.hand_out();
            }
            Some(FromWorker::Gives(task)) => {
                match task.restore_one() {
                    Some(task) => self.tasks.push_back(task),
                    None => self.end_by(Err(in_worker(NO_TASK.to_owned()))),
                }
                self.hand_out();
            }
            Some(FromWorker::Progress(so_far)) => {
                let result = self.count(who, &so_far);
                self.end_by(result);
                if self.shared.is_checkpoint_due() {
                    self.pauses = true;
                    self.shared.end();
                    self.hand_out();
                }
            }
            Some(FromWorker::Ended(ended)) => self.hear_last(who, *ended),
            None => self.miss(who),
        }
    }

    /// Tasks to the idle, and the end of the search when all are.
    fn hand_out(&mut self) {
        while self.result.is_ok()
            && !self.pauses
            && !self.tasks.is_empty()
            && let Some(who) = self.idle.pop()
            && let Some(task) = self.tasks.pop_front()
        {
            self.workers[who].tell(&ToWorker::Do(StoredTasks::new(&[task])));
        }
        if self.result.is_err() || self.pauses || self.idle.len() == self.workers.len() {
            for who in std::mem::take(&mut self.idle) {
                self.workers[who].tell(&ToWorker::Over);
            }
        }
    }

    /// What a worker has counted since it last said so goes to the others'.
    fn count(&mut self, who: usize, so_far: &SoFar) -> Result<(), Stop> {
        let worker = &mut self.workers[who];
        let counted = so_far.tally.since(&worker.counted);
        let grown = so_far.share.map(|share| share - worker.share);
        worker.counted = so_far.tally;
        worker.share = so_far.share.unwrap_or(worker.share);
        self.shared.report(&counted, grown, so_far.depth, 0)
    }

    fn hear_last(&mut self, who: usize, mut ended: Ended) {
        let worker = &mut self.workers[who];
        self.shared.hand_in(&ended.tally.since(&worker.counted), Findings::default());
        worker.counted = ended.tally;
        let reason = std::mem::replace(&mut ended.reason, Reason::NothingLeft);
        worker.last = Some(ended);
        worker.to = None;
        if !(self.pauses && matches!(reason, Reason::Elsewhere)) {
            self.end_by(reason.into_result(self.shared.settings));
        }
    }

    /// A worker says nothing more. If it has not said why, its part of the search is lost.
    fn miss(&mut self, who: usize) {
        if self.workers[who].last.is_some() || matches!(self.result, Err(Stop::Error(_))) {
            return;
        }
        let how = self.workers[who].process.end();
        self.end_by(Err(Stop::Error(Error::WorkerLost(how))));
    }

    /// A worker's result: if it says that the search ends, all end.
    fn end_by(&mut self, result: Result<(), Stop>) {
        if result.is_ok() {
            return;
        }
        let before = std::mem::replace(&mut self.result, Ok(()));
        self.result = Shared::first_cause(before, result);
        self.shared.end();
        if matches!(self.result, Err(Stop::Error(Error::WorkerLost(_)))) {
            self.workers.iter_mut().for_each(|worker| worker.process.kill());
        }
        self.hand_out();
    }

    /// All workers have ended: what they found becomes this process's.
    fn finish(self, processes: &dyn Processes) -> (Result<(), Stop>, VecDeque<Task>) {
        let ended: Vec<Ended> = self.workers.into_iter().filter_map(|worker| worker.last).collect();
        let mut left = self.tasks;
        let result = take_over(self.shared, processes, &ended, self.result);
        for ended in &ended {
            match ended.left.restore_all() {
                Some(tasks) => left.extend(tasks),
                None => return (Err(in_worker(NO_TASK.to_owned())), left),
            }
        }
        (result, left)
    }
}

/// What workers that have ended found and learnt becomes this process's. Says what the search came to.
fn take_over(
    shared: &Shared<'_>,
    processes: &dyn Processes,
    ended: &[Ended],
    mut result: Result<(), Stop>,
) -> Result<(), Stop> {
    if !matches!(result, Err(Stop::Error(_))) {
        let found: Vec<&String> = ended.iter().flat_map(|ended| &ended.findings).collect();
        // By what was known when they were found.
        result = take_over_findings(shared, &found).and(result);
    }
    for ended in ended {
        let learnt = ended.learnt.restore().ok_or_else(|| in_worker(NO_KNOWLEDGE.to_owned()))?;
        shared.hand_in_knowledge(&learnt);
        processes.learn(&ended.discoveries).map_err(in_worker)?;
    }
    result
}

/// Runs the schedules of findings again, so that they are this process's own.
fn take_over_findings(shared: &Shared<'_>, found: &[&String]) -> Result<(), Stop> {
    let schedules: Result<Vec<Schedule>, _> = found.iter().map(|text| text.parse()).collect();
    let schedules = schedules.map_err(|error: model::ScheduleError| in_worker(error.to_string()))?;
    let findings = run_again(shared.program, shared.settings, &schedules).map_err(in_worker)?;
    shared.hand_in(&Tally::default(), findings);
    Ok(())
}

fn in_worker(problem: String) -> Stop {
    Stop::Error(Error::InWorker(problem))
}
