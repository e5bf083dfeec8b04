//! Algorithms whose search is a set of tasks that share nothing, and what a task is: an execution to be explored that begins like
//! one that was. It depends on nothing else, so that tasks go from worker to worker, and into files. An algorithm that has tasks
//! is searched with by several workers or processes, goes on from checkpoints, and can be estimated and shared over a cluster.

use crate::explorer::{Explorer, Stop};
use model::Choice;
use std::sync::Arc;
use trace::dependence::Mode;
use trace::{EventId, Race};

/// An algorithm whose search is a set of tasks.
pub(crate) trait Tasks {
    /// Explores the execution of one task, and finds the tasks that come of it, each with its share of the search. When that is an
    /// error, nothing was counted, and the task is still to be done.
    fn run(&mut self, e: &mut Explorer<'_>, task: &Task) -> Result<Explored<'_>, Stop>;
}

/// Makes one for each worker.
pub(crate) type MakeTasks<'m> = &'m (dyn Fn() -> Box<dyn Tasks> + Sync);

/// What came of an execution.
pub(crate) struct Explored<'p> {
    /// What is to be explored because of it.
    pub(crate) tasks: std::vec::Drain<'p, Task>,
    /// Why it is the last one.
    pub(crate) stop: Option<Stop>,
}

impl<'p> Explored<'p> {
    /// The tasks, unless there is no time for them.
    pub(crate) fn tasks(self) -> Result<std::vec::Drain<'p, Task>, Stop> {
        self.stop.map_or(Ok(self.tasks), Err)
    }
}

/// A schedule in an execution: steps that follow each other, the last of which is its head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// Its first step.
    pub(crate) start: EventId,
    /// Its last step.
    pub(crate) head: EventId,
    /// How the event that it was moved before touched the head's object; none when it is another alternative of a step.
    pub(crate) over: Option<Mode>,
}

/// An execution that was explored, with all that the rest of the search needs to know of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Execution {
    /// Its steps.
    pub(crate) choices: Vec<Choice>,
    /// The schedules that it has taken, in order. Other steps belong to none.
    pub(crate) schedules: Vec<Schedule>,
    /// What its steps did, after each (see [`super::seen`]). Not known of the executions of others.
    pub(crate) seen: Vec<u64>,
}

/// An execution to be explored: it starts with a prefix of an execution explored before, and a schedule.
#[derive(Clone, Debug)]
pub struct Task {
    pub(crate) parent: Arc<Execution>,
    /// E1 is the first so many steps of the parent.
    pub(crate) prefix: usize,
    /// What these steps did.
    pub(crate) seen: u64,
    /// σ.
    pub(crate) schedule: Vec<Choice>,
    /// See [`Schedule::over`].
    pub(crate) over: Option<Mode>,
    /// Races whose second event comes earlier belong to the parent.
    pub(crate) own_from: usize,
    /// Races of the head with these belong to the parent, too: see [`Trace::forgetting`](trace::Trace::forgetting).
    pub(crate) not_before: Vec<EventId>,
    /// Its share of the whole search.
    pub(crate) share: f64,
}

impl Execution {
    /// The schedules whose steps are all among the first so many of the execution.
    pub(crate) fn schedules_in(&self, len: usize) -> &[Schedule] {
        &self.schedules[..self.schedules.partition_point(|schedule| (schedule.head as usize) < len)]
    }

    /// The schedules whose heads come after `first`, up to `last`.
    pub(crate) fn schedules_between(&self, first: EventId, last: EventId) -> &[Schedule] {
        let place = |event: EventId| self.schedules.partition_point(|schedule| schedule.head <= event);
        &self.schedules[place(first)..place(last)]
    }

    /// The schedule that a step belongs to.
    pub(crate) fn schedule_of(&self, event: EventId) -> Option<&Schedule> {
        let place = self.schedules.partition_point(|schedule| schedule.head < event);
        self.schedules.get(place).filter(|schedule| schedule.start <= event)
    }

    /// Keeps the first so many steps.
    pub(crate) fn cut(&mut self, len: usize) {
        self.schedules.truncate(self.schedules_in(len).len());
        self.choices.truncate(len);
        self.seen.truncate(len);
    }
}

impl Task {
    /// The whole search.
    pub(crate) fn whole() -> Self {
        Task {
            parent: Arc::default(),
            prefix: 0,
            seen: 0,
            schedule: Vec::new(),
            over: None,
            own_from: 0,
            not_before: Vec::new(),
            share: 1.0,
        }
    }

    /// The steps of `E1.σ`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> + '_ {
        self.parent.choices[..self.prefix].iter().chain(&self.schedule).copied()
    }

    /// The schedules of `E1.σ`.
    pub(crate) fn schedules(&self) -> impl Iterator<Item = Schedule> + '_ {
        let (start, end) = (self.prefix as EventId, (self.prefix + self.schedule.len()) as EventId);
        let last = (start < end).then(|| Schedule { start, head: end - 1, over: self.over });
        self.parent.schedules_in(self.prefix).iter().copied().chain(last)
    }

    /// Whether a race is not one of the parent.
    #[inline]
    pub(crate) fn owns(&self, race: &Race) -> bool {
        self.not_before.is_empty()
            || race.second != Some(self.own_from as EventId)
            || !self.not_before.contains(&race.first)
    }

    /// How many steps an execution has in common with this one, by the same schedules.
    pub(crate) fn in_common_with(&self, execution: &Execution) -> usize {
        let same = execution.choices.iter().zip(self.choices()).take_while(|(have, want)| **have == *want).count();
        let mut want = self.schedules();
        let mut have = execution.schedules.iter().copied();
        let end = loop {
            match (have.next(), want.next()) {
                (Some(have), Some(want)) if have == want => {}
                // Both have the steps before the earlier head in a schedule.
                (Some(have), Some(want)) if have.start == want.start => break have.head.min(want.head),
                (Some(have), Some(want)) => break have.start.min(want.start),
                (Some(one), None) | (None, Some(one)) => break one.start,
                (None, None) => return same,
            }
        };
        same.min(end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ThreadId;

    fn choices(threads: &[u32]) -> Vec<Choice> {
        threads.iter().map(|&thread| Choice { thread: ThreadId(thread), alternative: 0 }).collect()
    }

    #[test]
    fn what_executions_have_in_common_is_taken_by_the_same_schedules() {
        let schedule = |start, head| Schedule { start, head, over: Some(Mode::Write) };
        let parent =
            Execution { choices: choices(&[0, 1, 2, 3, 4]), schedules: vec![schedule(1, 2)], seen: Vec::new() };
        let task = Task {
            parent: Arc::new(parent.clone()),
            prefix: 4,
            seen: 0,
            schedule: choices(&[5, 6]),
            over: Some(Mode::Read),
            own_from: 5,
            not_before: Vec::new(),
            share: 1.0,
        };
        assert_eq!(task.in_common_with(&parent), 4);
        let free = Execution { schedules: Vec::new(), ..parent.clone() };
        assert_eq!(task.in_common_with(&free), 1);
        let other = Execution { schedules: vec![schedule(1, 2), schedule(3, 3)], ..parent };
        assert_eq!(task.in_common_with(&other), 3);
        let longer = Execution { schedules: vec![schedule(1, 3)], ..other.clone() };
        assert_eq!(task.in_common_with(&longer), 2);
        assert_eq!(other.schedule_of(2), Some(&schedule(1, 2)));
        assert_eq!((other.schedule_of(0), other.schedule_of(4)), (None, None));
        assert_eq!(other.schedules_between(1, 3).len(), 2);
        let same = Execution {
            choices: choices(&[0, 1, 2, 3, 5, 6]),
            schedules: task.schedules().collect(),
            seen: Vec::new(),
        };
        assert_eq!(task.in_common_with(&same), 6);
    }
}
