//! The end of an execution: how it is counted, who is told, and which limits are looked at.

use super::{Explorer, STEPS_BETWEEN_LOOKS, Stop, transitions};
use crate::algorithms::committed::without_choices;
use crate::loops::Verdict;
use crate::{Limit, TooLong};
use model::{Failure, Pending, Run, ThreadId};
use trace::{Ending, Event, Execution, Tally};

impl Explorer<'_> {
    /// E is maximal, its run too long, or all that is left beyond a bound: it is counted, and in the first two cases the
    /// sink told. Afterwards, [`Explorer::waiting`] says who
    /// waits for ever. `share` is the share of the search that is done, where the algorithm knows it.
    pub fn finish(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        self.look_at_interruption()?;
        if self.commits && self.run.is_astray() {
            return self.sleep_set_blocked(share);
        }
        if self.settings.stop_at_messages && self.tally.runs() == 0 && self.has_messages() {
            return Err(Stop::Messages);
        }
        self.note_waiting();
        self.forgive();
        let mut ending = self.ending();
        if ending == Ending::Completed
            && let Some(failure) = self.run.left_behind()
        {
            let last = self.trace.events().last().map_or(ThreadId(0), Event::thread);
            self.failures.push((self.trace.len(), (last, failure)));
            ending = Ending::Failed;
        }
        self.count(ending);
        if ending == Ending::OutOfBounds {
            self.tell_given_up(ending);
            self.look_at_lessons()?;
            return self.look_at_limits(share);
        }
        if self.out_of_bounds {
            self.note_out_of_bounds(1);
        }
        let plain = self.commits.then(|| without_choices(&self.trace));
        let trace = plain.as_ref().unwrap_or(&self.trace);
        if ending == Ending::TooLong {
            self.shared.keep_too_long(|| TooLong::new(trace, self.names));
        }
        let failures: Vec<(ThreadId, Failure)> = self.failures.iter().map(|(_, failure)| failure.clone()).collect();
        let waiting = self.all_waiting();
        let execution = Execution { trace, ending, failures: &failures, waiting: &waiting };
        let told = self.shared.tell(&execution);
        let found = matches!(ending, Ending::Failed | Ending::Deadlocked);
        if found {
            self.findings.keep(&execution, self.names);
        }
        if told.is_break() {
            return Err(Stop::Told);
        }
        if found && !self.settings.keep_going {
            return Err(Stop::Found);
        }
        self.look_at_lessons()?;
        self.look_at_limits(share)
    }

    /// As [`Explorer::finish`], where all that E could still do is cut off.
    pub fn finish_before_cutoffs(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        self.cut_off = true;
        let result = self.finish(share);
        self.cut_off = false;
        result
    }

    /// Everything enabled after E sleeps, or what does not is beyond a bound: it is given up. Afterwards,
    /// [`Explorer::waiting`] says who waits.
    pub fn sleep_set_blocked(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        let is_bounded = self.settings.bounds.any() && self.is_something_out_of_bounds();
        self.give_up(if is_bounded { Ending::OutOfBounds } else { Ending::SleepSetBlocked }, share)
    }

    /// What comes after E was explored after another prefix: it is given up.
    pub(crate) fn explored_before(&mut self) -> Result<(), Stop> {
        self.give_up(Ending::SleepSetBlocked, || None)
    }

    fn give_up(&mut self, ending: Ending, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        self.look_at_interruption()?;
        self.note_waiting();
        self.waiting.retain(|pending| !pending.enabled);
        self.count(ending);
        self.tell_given_up(ending);
        self.look_at_lessons()?;
        self.look_at_limits(share)
    }

    fn has_messages(&self) -> bool {
        self.trace.events().iter().any(|event| event.footprint.is_on_mailbox())
    }

    /// Failures that the program dealt with are none, unless there is another one, which may come of them.
    fn forgive(&mut self) {
        if self.failures.iter().all(|(_, (thread, _))| self.run.is_forgiven(*thread)) {
            self.failures.clear();
        }
    }

    fn tell_given_up(&self, ending: Ending) {
        let execution = Execution { trace: &self.trace, ending, failures: &[], waiting: &self.waiting };
        self.shared.tell_given_up(&execution);
    }

    fn note_waiting(&mut self) {
        self.waiting.clear();
        self.going_round.clear();
        let run = &self.run;
        let live = self.live.threads(run).iter();
        if self.has_siblings {
            self.waiting.extend(live.flat_map(|&thread| transitions(run, thread)));
        } else {
            self.waiting.extend(live.filter_map(|&thread| run.pending(thread)));
        }
        self.tell_words();
    }

    /// All threads that are left at the end of E: those that wait, and those that go round for ever.
    fn all_waiting(&self) -> Vec<Pending> {
        let mut all = self.waiting.clone();
        let is_new = |going: &&Pending| !self.waiting.iter().any(|waiting| waiting.thread == going.thread);
        all.extend(self.going_round.iter().filter(is_new));
        all.sort_by_key(|pending| pending.thread);
        all
    }

    /// What the threads wait for that are left at the end of E.
    pub fn waiting(&self) -> &[Pending] {
        &self.waiting
    }

    /// What this worker has counted.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Notes the size of a wakeup tree.
    pub fn note_tree(&mut self, nodes: usize) {
        self.tally.largest_tree = self.tally.largest_tree.max(nodes as u64);
    }

    /// Notes how many events of the unfolding were made, how many there were at the most, and how many alternatives were
    /// given up at the budget, so far.
    pub fn note_unfolding(&mut self, made: u64, most_live: u64, over_budget: u64) {
        let Tally { events_made, events_live, over_budget: given_up, .. } = &mut self.tally;
        (*events_made, *given_up) = (made, over_budget);
        *events_live = (*events_live).max(most_live);
    }

    /// What this worker counted and found since it last did so goes to the others'.
    pub(crate) fn hand_in(&mut self) {
        self.shared.hand_in(&self.tally.since(&self.reported), std::mem::take(&mut self.findings));
        self.reported = self.tally;
        self.shared.hand_in_knowledge(self.run.learnt());
    }

    /// How E ended. Afterwards, `going_round` has the threads that go round for ever.
    fn ending(&mut self) -> Ending {
        if !self.failures.is_empty() {
            Ending::Failed
        } else if self.too_long {
            Ending::TooLong
        } else if self.out_of_bounds {
            Ending::OutOfBounds
        } else if self.cut_off {
            Ending::CutOff
        } else if self.run.is_cut() {
            Ending::Cut
        } else {
            self.ending_by_loops()
        }
    }

    /// Whoever is left when the program has exited need not go on. But one that has only not gone on may do more in another
    /// execution, which is the one that counts.
    fn ending_by_loops(&mut self) -> Ending {
        match self.run.verdict() {
            Verdict::Open => Ending::Cut,
            _ if self.run.has_exited() => Ending::Completed,
            Verdict::Plain if self.waiting.is_empty() => Ending::Completed,
            Verdict::Plain => Ending::Deadlocked,
            Verdict::Stuck(going) => {
                self.going_round = going;
                Ending::Deadlocked
            }
        }
    }

    /// Whether what was learnt of loops is worth to begin the search anew.
    fn look_at_lessons(&mut self) -> Result<(), Stop> {
        match self.run.take_lesson() {
            Some((lesson, learnt)) => self.shared.learn(lesson, &learnt),
            None => Ok(()),
        }
    }

    /// What the search must know is learnt at once: a run without an end would not end before.
    #[inline]
    pub(super) fn look_at_needs(&mut self) -> Result<(), Stop> {
        if self.run.needs_lesson() { self.look_at_lessons() } else { Ok(()) }
    }

    fn count(&mut self, ending: Ending) {
        self.begun = false;
        self.tally.count(ending);
        self.tally.longest = self.tally.longest.max(self.trace.len() as u64);
    }

    /// Whether there is time for the rest of a run. If not, what has failed in it so far is found all the same.
    pub(super) fn look_at_clock(&mut self) -> Result<(), Stop> {
        let result = self.look_at_interruption().and_then(|()| self.shared.look_at_clock());
        if result.is_err() {
            self.keep_failures();
        }
        result
    }

    /// The failures of a run that is given up are a finding.
    fn keep_failures(&mut self) {
        self.note_waiting();
        self.forgive();
        if self.failures.is_empty() {
            return;
        }
        self.count(Ending::Failed);
        let failures: Vec<(ThreadId, Failure)> = self.failures.iter().map(|(_, failure)| failure.clone()).collect();
        let execution =
            Execution { trace: &self.trace, ending: Ending::Failed, failures: &failures, waiting: &self.waiting };
        self.findings.keep(&execution, self.names);
    }

    /// A run that was given up because its time is up is not counted.
    fn look_at_interruption(&self) -> Result<(), Stop> {
        match self.settings.limits.time.filter(|_| self.run.is_interrupted()) {
            Some(time) => Err(Stop::Limit(Limit::Time(time))),
            None => Ok(()),
        }
    }

    fn look_at_limits(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        let counted = self.tally.since(&self.reported);
        if counted.steps + counted.replayed + counted.runs() < STEPS_BETWEEN_LOOKS {
            return Ok(());
        }
        let share = share();
        let grown = share.map(|share| share - self.share_reported);
        self.share_reported = share.unwrap_or(0.0);
        self.reported = self.tally;
        let tasks = self.tasks - self.tasks_reported;
        self.tasks_reported = self.tasks;
        self.shared.report(&counted, grown, self.trace.len(), tasks)
    }
}
