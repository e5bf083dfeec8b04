//! The workers of a search that is a set of [`Tasks`], each with its own run of the program.
//!
//! They are threads of this process that work together as a [`team`], or processes of their own (`leader`, `member`) where a
//! front end needs that.

pub(crate) mod bundle;
mod leader;
mod member;
mod message;
pub(crate) mod processes;
pub(crate) mod shareable;
pub(crate) mod slice;
pub(crate) mod task;
pub mod team;

use crate::Processes;
use crate::explorer::{Explorer, Stop};
use crate::search::shared::Shared;
use crate::workers::task::{MakeTasks, Task, Tasks};
use crate::workers::team::{Common, Ended, Search};
pub use message::{receive, send};
use std::collections::VecDeque;

/// A worker takes the best of so many of its latest tasks.
const CHOICE: usize = 32;

/// Explores what the search starts with, and all that comes of it.
pub(crate) fn explore(e: &mut Explorer<'_>, make: MakeTasks<'_>) -> Result<(), Stop> {
    let mut left = VecDeque::from(e.shared().start_tasks().unwrap_or_else(|| vec![Task::whole()]));
    // Whether it can be written at all is better known now than after an hour.
    e.shared().write_checkpoint(left.make_contiguous())?;
    let workers = e.settings().workers.get();
    let alone = if workers == 1 { usize::MAX } else { e.settings().runs_alone.max(1) };
    let shared = e.shared();
    let mut worker = Worker { e, tasks: make() };
    let mut result = team::work_alone(shared, &mut worker, &mut left, alone);
    if result.is_ok() && !left.is_empty() {
        (result, left) = match shared.processes {
            Some(processes) => explore_in_processes(worker, left, workers, processes, make),
            None => explore_together(worker, left, workers, make),
        };
    }
    if !matches!(result, Err(Stop::Error(_))) {
        e.hand_in();
        shared.write_checkpoint(left.make_contiguous())?;
        shared.keep_left(left.into());
    }
    result
}

/// Also what is left to do.
fn explore_together<'a>(
    mut worker: Worker<'_, 'a>,
    mut tasks: VecDeque<Task>,
    workers: usize,
    make: MakeTasks<'_>,
) -> Ended<Shared<'a>> {
    let shared = worker.e.shared();
    let this = |pool: &team::Pool<'_, Shared<'a>>| {
        let result = team::work(shared, &mut worker, &mut tasks, pool);
        (result, tasks)
    };
    let another = |pool: &team::Pool<'_, Shared<'a>>| {
        // A run belongs to the thread that it was started in.
        let mut e = Explorer::joining(shared);
        let (mut worker, mut tasks) = (Worker { e: &mut e, tasks: make() }, VecDeque::new());
        let result = team::work(shared, &mut worker, &mut tasks, pool);
        e.hand_in();
        (result, tasks)
    };
    team::together(shared, workers, this, another)
}

/// The same with workers in processes of their own, which this one leads. Where there can be none, it goes on alone.
///
/// For a checkpoint, all workers end, with what each has left to do. Then others are made, which is done at once.
fn explore_in_processes<'a>(
    mut worker: Worker<'_, 'a>,
    mut tasks: VecDeque<Task>,
    workers: usize,
    processes: &dyn Processes,
    make: MakeTasks<'_>,
) -> Ended<Shared<'a>> {
    worker.e.hand_in();
    let shared = worker.e.shared();
    loop {
        let team = leader::gather(shared, workers, processes, make);
        if team.is_empty() {
            let result = team::work_alone(shared, &mut worker, &mut tasks, usize::MAX);
            return (result, tasks);
        }
        let (result, mut left) = leader::lead(shared, processes, team, tasks);
        if result.is_err() || left.is_empty() {
            return (result, left);
        }
        if processes.begins_anew() {
            return (Err(Stop::Told), left);
        }
        if let Err(stop) = shared.write_checkpoint(left.make_contiguous()) {
            return (Err(stop), left);
        }
        shared.go_on();
        tasks = left;
    }
}

impl Common for Shared<'_> {
    type Task = Task;
    type Stop = Stop;

    fn end(&self) {
        Shared::end(self);
    }

    #[inline]
    fn is_checkpoint_due(&self) -> bool {
        Shared::is_checkpoint_due(self)
    }

    fn write_checkpoint(&self, tasks: &[Task]) -> Result<(), Stop> {
        Shared::write_checkpoint(self, tasks)
    }

    fn first_cause(one: Result<(), Stop>, other: Result<(), Stop>) -> Result<(), Stop> {
        match (one, other) {
            (Ok(()) | Err(Stop::Elsewhere), other @ Err(_)) => other,
            (Err(Stop::Limit(_)), other @ Err(Stop::Error(_) | Stop::Found | Stop::Told | Stop::Messages)) => other,
            // Whatever else ended it, unless by an error or a finding, what was learnt makes it begin anew.
            (Err(Stop::Learnt), other @ Err(Stop::Error(_) | Stop::Found | Stop::Told)) => other,
            (one, _) => one,
        }
    }
}

/// A worker: E, and the algorithm.
struct Worker<'w, 'a> {
    e: &'w mut Explorer<'a>,
    tasks: Box<dyn Tasks>,
}

impl Search for Worker<'_, '_> {
    type Task = Task;
    type Stop = Stop;

    /// Of the latest tasks, the one with the longest prefix: most of E can stay then. (Of all tasks it would be, but the
    /// others could become exponentially many in the meantime, as the branches of wakeup trees do.)
    fn next(&mut self, tasks: &mut VecDeque<Task>) -> Option<Task> {
        let first = tasks.len().saturating_sub(CHOICE);
        let place = (first..tasks.len()).max_by_key(|&place| tasks[place].prefix)?;
        tasks.remove(place)
    }

    fn run(&mut self, task: Task, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        match self.tasks.run(self.e, &task) {
            Ok(explored) => {
                tasks.extend(explored.tasks);
                self.e.note_tasks(tasks.len());
                explored.stop.map_or(Ok(()), Err)
            }
            Err(stop) => {
                tasks.push_back(task);
                Err(stop)
            }
        }
    }

    fn hand_in(&mut self) {
        self.e.hand_in();
    }
}
