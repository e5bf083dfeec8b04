//! What comes out of a search: how executions end, who is told, and what is counted.

use crate::race::Race;
use crate::trace::Trace;
use model::{Failure, Pending, ThreadId};
use std::ops::ControlFlow;
use std::time::Duration;

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Every thread ended.
    Completed,
    /// Some threads wait for ever.
    Deadlocked,
    /// Some thread failed.
    Failed,
    /// Some thread stopped at a false `assume`.
    Cut,
    /// Given up because every enabled thread sleeps: everything it could still do is explored elsewhere.
    SleepSetBlocked,
    /// Given up because it reached the limit of steps for a run.
    TooLong,
    /// Given up because all it could still do is beyond a bound of the search.
    OutOfBounds,
    /// Ended before cutoffs: all it could still do starts from states that are explored elsewhere.
    CutOff,
}

/// An execution that ended.
#[derive(Clone, Copy)]
pub struct Execution<'a> {
    /// Its events and their order.
    pub trace: &'a Trace,
    /// How it ended.
    pub ending: Ending,
    /// The failures, each with the thread that failed.
    pub failures: &'a [(ThreadId, Failure)],
    /// What the threads that neither ended nor failed nor were cut still wait for.
    pub waiting: &'a [Pending],
}

/// How many executions ended how, and what that took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Executions in which every thread ended.
    pub completed: u64,
    /// Executions in which some threads wait for ever.
    pub deadlocked: u64,
    /// Executions in which some thread failed.
    pub failed: u64,
    /// Executions with a false `assume`.
    pub cut: u64,
    /// Executions given up because everything enabled slept.
    pub sleep_set_blocked: u64,
    /// Executions given up at the limit of steps.
    pub too_long: u64,
    /// Executions given up because all they could still do is beyond a bound of the search.
    pub out_of_bounds: u64,
    /// Executions that ended before cutoffs.
    pub cut_off: u64,
    /// Branches of executions that were not taken because they are beyond a bound of the search.
    pub pruned: u64,
    /// Steps that were executed for the first time.
    pub steps: u64,
    /// Steps that were executed again to get back to a prefix.
    pub replayed: u64,
    /// Steps of the longest execution.
    pub longest: u64,
    /// Nodes of the largest wakeup tree.
    pub largest_tree: u64,
    /// Events of the unfolding that were made; one that was forgotten and made again counts again.
    pub events_made: u64,
    /// Events of the unfolding at the time when there were most.
    pub events_live: u64,
    /// Alternatives for which the budget was used up.
    pub over_budget: u64,
}

impl Tally {
    /// Executions run to their end: the figure of the papers' tables, together with those that were cut.
    pub fn executions(&self) -> u64 {
        self.completed + self.deadlocked + self.failed + self.cut
    }

    /// All runs, those that were given up included.
    pub fn runs(&self) -> u64 {
        self.executions() + self.sleep_set_blocked + self.too_long + self.out_of_bounds + self.cut_off
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Tally) {
        *self = self.combine(other, |a, b| a + b);
    }

    /// What was counted after `earlier`, which this tally was once. (The longest and largest are those of all times.)
    pub fn since(&self, earlier: &Tally) -> Tally {
        self.combine(earlier, |a, b| a - b)
    }

    fn combine(&self, other: &Tally, sum: impl Fn(u64, u64) -> u64) -> Tally {
        Tally {
            completed: sum(self.completed, other.completed),
            deadlocked: sum(self.deadlocked, other.deadlocked),
            failed: sum(self.failed, other.failed),
            cut: sum(self.cut, other.cut),
            sleep_set_blocked: sum(self.sleep_set_blocked, other.sleep_set_blocked),
            too_long: sum(self.too_long, other.too_long),
            out_of_bounds: sum(self.out_of_bounds, other.out_of_bounds),
            cut_off: sum(self.cut_off, other.cut_off),
            pruned: sum(self.pruned, other.pruned),
            steps: sum(self.steps, other.steps),
            replayed: sum(self.replayed, other.replayed),
            longest: self.longest.max(other.longest),
            largest_tree: self.largest_tree.max(other.largest_tree),
            events_made: sum(self.events_made, other.events_made),
            events_live: self.events_live.max(other.events_live),
            over_budget: sum(self.over_budget, other.over_budget),
        }
    }

    /// Counts an execution.
    pub fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Completed => self.completed += 1,
            Ending::Deadlocked => self.deadlocked += 1,
            Ending::Failed => self.failed += 1,
            Ending::Cut => self.cut += 1,
            Ending::SleepSetBlocked => self.sleep_set_blocked += 1,
            Ending::TooLong => self.too_long += 1,
            Ending::OutOfBounds => self.out_of_bounds += 1,
            Ending::CutOff => self.cut_off += 1,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// What was counted so far.
    pub tally: Tally,
    /// Time since the start.
    pub elapsed: Duration,
    /// Steps of the latest execution.
    pub depth: usize,
    /// The share of the search that is done, from 0 to 1, as far as the branches known now tell; `None` when unknown.
    pub share: Option<f64>,
    /// Tasks that wait to be explored, where the algorithm has tasks.
    pub tasks: Option<u64>,
}

/// Who is told of executions. `Break` ends the search.
pub trait Sink: Send {
    /// A search begins. What was told before belongs to one that was given up, to be begun anew.
    fn begin(&mut self) {}

    /// An execution ended. Not called for those that are [given up](Ending::SleepSetBlocked).
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()>;

    /// Whether it wants to be told of executions at all.
    fn wants_executions(&self) -> bool {
        true
    }

    /// An execution ended that does not count: one of a search for bugs before the search.
    fn aside(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let _ = execution;
        ControlFlow::Continue(())
    }

    /// Whether it wants to be told of [races](Sink::reversal) and of executions that are [given up](Sink::given_up) as well.
    fn wants_branches(&self) -> bool {
        false
    }

    /// An execution was given up.
    fn given_up(&mut self, execution: &Execution<'_>) {
        let _ = execution;
    }

    /// An execution is planned that begins like this one and reverses one of its races.
    fn reversal(&mut self, trace: &Trace, race: &Race) {
        let _ = (trace, race);
    }

    /// The search begins anew, because something was learnt of the program: what it was told before does not count.
    fn anew(&mut self) {
        self.begin();
    }

    /// Called every few milliseconds.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }
}

/// Told of everything, keeps nothing.
impl Sink for () {
    fn wants_executions(&self) -> bool {
        false
    }

    fn execution(&mut self, _: &Execution<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
