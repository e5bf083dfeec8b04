//! Several workers on one search, each with its own run of the program.
//!
//! POP's tasks share nothing, so a worker keeps its own stack of them and works on the latest. When others are idle, it
//! gives away its oldest tasks: they are the largest subtrees. Idle workers sleep until then. The search is over when all
//! of them are idle.
//!
//! When a checkpoint is due, each worker shows its tasks to the others between two runs, and waits. Then no run is under
//! way, so that the tasks shown, those that nobody has taken yet, and the common tally are the whole search.
//!
//! Workers are threads of this process, or processes of their own (`leader`, `member`) where a front end needs that.

mod leader;
mod member;
mod message;
mod pool;

use crate::Processes;
use crate::explorer::{Explorer, Stop};
use crate::pop::{Pop, Task};
pub use message::{receive, send};
use pool::Pool;
use std::collections::VecDeque;
use std::thread;

/// A worker takes the best of so many of its latest tasks.
const CHOICE: usize = 32;

/// Explores what these tasks are, and all that comes of them.
pub(crate) fn explore(e: &mut Explorer<'_>, tasks: Vec<Task>) -> Result<(), Stop> {
    // Whether it can be written at all is better known now than after an hour.
    e.shared().write_checkpoint(&tasks)?;
    let workers = e.settings().workers.get();
    let mut worker = Worker { pop: Pop::default(), tasks: tasks.into() };
    let alone = if workers == 1 { usize::MAX } else { e.settings().runs_alone.max(1) };
    let mut result = worker.work_alone(e, alone);
    let mut left = worker.tasks;
    if result.is_ok() && !left.is_empty() {
        let worker = Worker { tasks: left, ..worker };
        (result, left) = match e.shared().processes {
            Some(processes) => explore_in_processes(e, worker, workers, processes),
            None => explore_together(e, worker, workers),
        };
    }
    if !matches!(result, Err(Stop::Error(_))) {
        e.hand_in();
        e.shared().write_checkpoint(left.make_contiguous())?;
        e.shared().keep_left(left.into());
    }
    result
}

/// Also what is left to do.
fn explore_together(e: &mut Explorer<'_>, mut worker: Worker, workers: usize) -> (Result<(), Stop>, VecDeque<Task>) {
    let pool = Pool::new(e.shared(), workers);
    let shared = e.shared();
    thread::scope(|scope| {
        let join = || {
            pool.attend(|| {
                // A run belongs to the thread that it was started in.
                let mut e = Explorer::joining(shared);
                let mut worker = Worker::default();
                let result = worker.work(&mut e, &pool);
                e.hand_in();
                (result, worker.tasks)
            })
        };
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(join)).collect();
        let (mut result, mut left) = pool.attend(|| (worker.work(e, &pool), worker.tasks));
        for other in others {
            let (other, tasks) = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = first_cause(result, other);
            left.extend(tasks);
        }
        left.extend(pool.take_all());
        (result, left)
    })
}

/// The same with workers in processes of their own, which this one leads. Where there can be none, it goes on alone.
///
/// For a checkpoint, all workers end, with what each has left to do. Then others are made, which is done at once.
fn explore_in_processes(
    e: &mut Explorer<'_>,
    mut worker: Worker,
    workers: usize,
    processes: &dyn Processes,
) -> (Result<(), Stop>, VecDeque<Task>) {
    e.hand_in();
    loop {
        let team = leader::gather(e.shared(), workers, processes);
        if team.is_empty() {
            let result = worker.work_alone(e, usize::MAX);
            return (result, worker.tasks);
        }
        let (result, mut left) = leader::lead(e.shared(), processes, team, worker.tasks);
        if result.is_err() || left.is_empty() {
            return (result, left);
        }
        if processes.begins_anew() {
            return (Err(Stop::Told), left);
        }
        if let Err(stop) = e.shared().write_checkpoint(left.make_contiguous()) {
            return (Err(stop), left);
        }
        e.shared().go_on();
        worker = Worker { tasks: left, ..Worker::default() };
    }
}

/// Of two workers' results, the one that says why the search ended.
fn first_cause(one: Result<(), Stop>, other: Result<(), Stop>) -> Result<(), Stop> {
    match (one, other) {
        (Ok(()) | Err(Stop::Elsewhere), other @ Err(_)) => other,
        (Err(Stop::Limit(_)), other @ Err(Stop::Error(_) | Stop::Found | Stop::Told | Stop::Messages)) => other,
        // Whatever else ended it, unless by an error or a finding, what was learnt makes it begin anew.
        (Err(Stop::Learnt), other @ Err(Stop::Error(_) | Stop::Found | Stop::Told)) => other,
        (one, _) => one,
    }
}

/// The other workers, as one of them sees them.
trait Others {
    /// A task from somebody else; none when the search is over. The worker must have handed in.
    fn take(&self) -> Result<Option<Task>, Stop>;

    /// Gives the oldest of a worker's tasks to those who have none. It keeps one.
    fn feed(&self, tasks: &mut VecDeque<Task>) -> Result<(), Stop>;

    /// A worker says what it has left to do, and waits until a checkpoint is written. It must have handed in.
    fn show(&self, tasks: &VecDeque<Task>) -> Result<(), Stop>;
}

/// A worker with its tasks, the latest last.
#[derive(Default)]
struct Worker {
    pop: Pop,
    tasks: VecDeque<Task>,
}

impl Worker {
    /// Of the latest tasks, the one with the longest prefix: most of E can stay then. (Of all tasks it would be, but the
    /// others could become exponentially many in the meantime, as the branches of wakeup trees do.)
    fn next(&mut self) -> Option<Task> {
        let first = self.tasks.len().saturating_sub(CHOICE);
        let place = (first..self.tasks.len()).max_by_key(|&place| self.tasks[place].prefix)?;
        self.tasks.remove(place)
    }

    fn work_alone(&mut self, e: &mut Explorer<'_>, mut runs: usize) -> Result<(), Stop> {
        while runs > 0
            && let Some(task) = self.next()
        {
            self.run(e, task)?;
            runs -= 1;
            if e.shared().is_checkpoint_due() {
                e.hand_in();
                e.shared().write_checkpoint(self.tasks.make_contiguous())?;
            }
        }
        Ok(())
    }

    fn work(&mut self, e: &mut Explorer<'_>, others: &impl Others) -> Result<(), Stop> {
        loop {
            let task = match self.next() {
                Some(task) => task,
                None => {
                    // Who is idle is not asked at a checkpoint.
                    e.hand_in();
                    let Some(task) = others.take()? else { return Ok(()) };
                    task
                }
            };
            self.run(e, task)?;
            others.feed(&mut self.tasks)?;
            if e.shared().is_checkpoint_due() {
                e.hand_in();
                others.show(&self.tasks)?;
            }
        }
    }

    /// Explores an execution. Whatever comes of it, all that is left to do is in the stack afterwards.
    fn run(&mut self, e: &mut Explorer<'_>, task: Task) -> Result<(), Stop> {
        match self.pop.run(e, &task) {
            Ok(explored) => {
                self.tasks.extend(explored.tasks);
                e.note_tasks(self.tasks.len());
                explored.stop.map_or(Ok(()), Err)
            }
            Err(stop) => {
                self.tasks.push_back(task);
                Err(stop)
            }
        }
    }
}
