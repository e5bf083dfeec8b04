//! A worker in a process of its own.
//!
//! It is a copy of the leader, made when that had explored for a while. It begins a search of its own, whose tasks come
//! from the leader and go there, and in the end hands in what it counted and found.

use super::Worker;
use super::message::{Ended, FromWorker, NO_TASK, Reason, SoFar, ToWorker, receive, send};
use crate::checkpoint::StoredTasks;
use crate::explorer::{Explorer, Stop};
use crate::loops::StoredKnowledge;
use crate::search::shared::Shared;
use crate::workers::task::{MakeTasks, Task};
use crate::workers::team::{self, Others};
use crate::{Error, Link, Processes};
use model::Schedule;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Execution, Progress, Sink};

/// How often the leader is told how far this worker is.
const BETWEEN_REPORTS: Duration = Duration::from_millis(50);

/// Works until the search is over, and ends this process. The leader notices a worker that ends without a last word.
pub(super) fn serve<'a>(leader: &'a Shared<'a>, processes: &dyn Processes, link: Link, make: MakeTasks<'_>) -> ! {
    let leader = Leader { link: Mutex::new(link), search: leader };
    // The panic has said what there is to say.
    let _ = catch_unwind(AssertUnwindSafe(|| leader.say(&FromWorker::Ended(Box::new(work(&leader, processes, make))))));
    processes.leave()
}

fn work(leader: &Leader<'_>, processes: &dyn Processes, make: MakeTasks<'_>) -> Ended {
    let mut reporter = Reporter { leader, reported: Instant::now() };
    let shared = leader.search.of_worker(&mut reporter);
    // The leader's run is the copy of one that is under way.
    let mut e = Explorer::joining(&shared);
    let (mut worker, mut tasks) = (Worker { e: &mut e, tasks: make() }, VecDeque::new());
    let result = team::work(&shared, &mut worker, &mut tasks, leader);
    e.hand_in();
    let (tally, findings, _) = shared.results();
    let findings = findings.schedules().iter().map(Schedule::to_string).collect();
    let (reason, discoveries) = match processes.discoveries() {
        Ok(discoveries) => (result.into(), discoveries),
        Err(problem) => (Reason::Error(problem), String::new()),
    };
    let learnt = StoredKnowledge::from(&shared.learnt());
    let left = StoredTasks::new(tasks.make_contiguous());
    Ended { reason, tally, findings, discoveries, learnt, left }
}

/// The leader, as a worker sees it.
struct Leader<'s> {
    link: Mutex<Link>,
    /// The search as it was when this worker was made.
    search: &'s Shared<'s>,
}

impl Leader<'_> {
    /// A worker whose leader is gone has nothing to do.
    fn say(&self, message: &FromWorker) -> Result<(), Stop> {
        send(&mut *self.link().to, message).map_err(|_| Stop::Elsewhere)
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    fn give(&self, tasks: impl Iterator<Item = Task>) -> Result<(), Stop> {
        for task in tasks {
            self.say(&FromWorker::Gives(StoredTasks::new(&[task])))?;
        }
        Ok(())
    }
}

impl Others for Leader<'_> {
    type Task = Task;
    type Stop = Stop;

    fn take(&self) -> Result<Option<Task>, Stop> {
        self.say(&FromWorker::Idle)?;
        match receive(&mut *self.link().from) {
            Ok(ToWorker::Do(task)) => match task.restore_one() {
                Some(task) => Ok(Some(task)),
                None => Err(Stop::Error(Error::InWorker(NO_TASK.to_owned()))),
            },
            Ok(ToWorker::Over) => Ok(None),
            Err(_) => Err(Stop::Elsewhere),
        }
    }

    #[inline]
    fn feed(&self, tasks: &mut VecDeque<Task>) -> Result<(), Stop> {
        let promised = self.search.promise_tasks(tasks.len().saturating_sub(1));
        if promised > 0 { self.give(tasks.drain(..promised)) } else { Ok(()) }
    }

    /// For a checkpoint, the leader ends all workers, who then say what they have left to do.
    fn show(&self, _: &VecDeque<Task>) -> Result<(), Stop> {
        Ok(())
    }
}

/// Tells the leader how far this worker is.
struct Reporter<'s, 'a> {
    leader: &'s Leader<'a>,
    reported: Instant,
}

impl Sink for Reporter<'_, '_> {
    fn wants_executions(&self) -> bool {
        self.leader.search.wants_executions()
    }

    /// That is for the copy of the leader's sink: what it answers may depend on what this process has found out.
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.leader.search.tell(execution)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.reported.elapsed() < BETWEEN_REPORTS {
            return ControlFlow::Continue(());
        }
        self.reported = Instant::now();
        let &Progress { tally, share, depth, .. } = progress;
        match self.leader.say(&FromWorker::Progress(SoFar { tally, share, depth })) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
