//! The papers' E: an execution that grows step by step and is cut back to a prefix.

use crate::bounds::Spending;
use crate::data_race;
use crate::error::{Described, Divergence};
use crate::findings::Findings;
use crate::shared::Shared;
use crate::{Bounds, Error, Limit, Settings};
use model::{Choice, Failure, FailureKind, Names, Pending, Run, Stepped, ThreadId};
use trace::{Ending, Event, Execution, Tally, Trace};

/// Why a search ends before its algorithm has nothing left to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// A limit was reached.
    Limit(Limit),
    /// A failure or a deadlock was found, and the settings say to stop there.
    Found,
    /// The sink said so.
    Told,
    /// Another worker ended the search.
    Elsewhere,
    /// The search cannot go on.
    Error(Error),
}

/// How often the clock is looked at: after so many steps, executed or replayed.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 14;

/// The execution at hand, and the run of the program that is at its end or will be brought there when needed.
pub struct Explorer<'a> {
    shared: &'a Shared<'a>,
    names: &'a dyn Names,
    run: Box<dyn Run + 'a>,
    /// Whether `run` is at the end of `trace`.
    in_step: bool,
    /// Whether the run was begun that the limit of executions counts.
    begun: bool,
    trace: Trace,
    /// Threads before this one have taken steps and take no more: no need to ask for theirs at every step.
    ended: u32,
    settings: &'a Settings,
    random: fastrand::Rng,
    /// Failures of the execution at hand, with the step at which each happened.
    failures: Vec<(usize, (ThreadId, Failure))>,
    waiting: Vec<Pending>,
    too_long: bool,
    spending: Spending,
    /// Whether all that is left to do after E is beyond a bound.
    out_of_bounds: bool,
    tally: Tally,
    /// The part of `tally` that was reported, and the share of the search.
    reported: Tally,
    share_reported: f64,
    findings: Findings,
}

impl<'a> Explorer<'a> {
    /// The first worker of a search.
    pub(crate) fn new(shared: &'a Shared<'a>) -> Result<Self, Stop> {
        shared.begin_run()?;
        Ok(Explorer { in_step: true, begun: true, ..Explorer::joining(shared) })
    }

    /// A further worker.
    pub(crate) fn joining(shared: &'a Shared<'a>) -> Self {
        let Shared { program, settings, .. } = *shared;
        Explorer {
            shared,
            names: program.names(),
            run: program.start(),
            in_step: false,
            begun: false,
            trace: Trace::new(),
            ended: 0,
            settings,
            random: fastrand::Rng::with_seed(settings.seed),
            failures: Vec::new(),
            waiting: Vec::new(),
            too_long: false,
            spending: Spending::default(),
            out_of_bounds: false,
            tally: Tally::default(),
            reported: Tally::default(),
            share_reported: 0.0,
            findings: Findings::default(),
        }
    }

    pub(crate) fn shared(&self) -> &'a Shared<'a> {
        self.shared
    }

    /// E.
    #[inline]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The names of the program's things.
    pub fn names(&self) -> &'a dyn Names {
        self.names
    }

    /// Random numbers by the seed of the settings.
    pub fn random(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }

    /// The first enabled thread, in the scheduling order, of which `accept` approves. None when E is maximal, when none is
    /// approved of or within the bounds, or when the run is too long.
    pub fn first_enabled(&mut self, accept: impl Fn(&Pending) -> bool) -> Result<Option<Pending>, Stop> {
        self.catch_up()?;
        if self.trace.len() >= self.settings.limits.steps {
            self.too_long = true;
            return Ok(None);
        }
        if self.settings.bounds.any() {
            return Ok(self.first_within_bounds(accept));
        }
        let last = self.trace.events().last().map(Event::thread);
        for thread in self.settings.order.threads(self.ended, self.run.threads(), last, &mut self.random) {
            match self.run.pending(thread) {
                Some(pending) if pending.enabled && accept(&pending) => return Ok(Some(pending)),
                None if thread.0 == self.ended && self.trace.last_of(thread).is_some() => self.ended += 1,
                _ => {}
            }
        }
        Ok(None)
    }

    /// The same where there are bounds. They come with an order of their own.
    fn first_within_bounds(&mut self, accept: impl Fn(&Pending) -> bool) -> Option<Pending> {
        let mut enabled = Vec::new();
        self.enabled_in_order(&mut enabled);
        enabled.retain(|pending| accept(pending));
        let within = enabled.iter().copied().find(|pending| self.is_within_bounds(pending.thread));
        self.out_of_bounds = within.is_none() && !enabled.is_empty();
        within
    }

    /// All enabled threads, in the order of the bounds if there are some.
    fn enabled_in_order(&mut self, found: &mut Vec<Pending>) {
        let enabled = |thread| self.run.pending(thread).filter(|pending| pending.enabled);
        if self.settings.bounds.schedules() {
            found.extend(Spending::order(&self.trace, self.run.threads()).filter_map(enabled));
            return;
        }
        let last = self.trace.events().last().map(Event::thread);
        let threads = self.settings.order.threads(0, self.run.threads(), last, &mut self.random);
        found.extend(threads.filter_map(enabled));
    }

    /// All enabled threads, within the bounds or beyond, in the order of the bounds.
    pub fn all_enabled(&mut self, found: &mut Vec<Pending>) -> Result<(), Stop> {
        found.clear();
        self.catch_up()?;
        self.enabled_in_order(found);
        Ok(())
    }

    /// How the search is to be done.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// The bounds of the search.
    pub fn bounds(&self) -> &'a Bounds {
        &self.settings.bounds
    }

    /// Whether E stays within the bounds when `thread`, which is enabled after it, takes a step.
    pub fn is_within_bounds(&self, thread: ThreadId) -> bool {
        self.spending.allows(&self.settings.bounds, &self.trace, &*self.run, thread)
    }

    /// Whether some enabled thread would leave the bounds.
    fn is_something_out_of_bounds(&mut self) -> bool {
        let mut enabled = Vec::new();
        self.enabled_in_order(&mut enabled);
        enabled.iter().any(|pending| !self.is_within_bounds(pending.thread))
    }

    /// How much was left out so far because it is beyond a bound.
    pub fn left_out(&self) -> u64 {
        self.tally.pruned + self.tally.out_of_bounds
    }

    /// Notes that so many branches are not explored because they are beyond a bound.
    pub fn note_out_of_bounds(&mut self, branches: usize) {
        self.tally.pruned += branches as u64;
    }

    /// All enabled threads that are within the bounds, in the scheduling order; none when the run is too long. Says
    /// how many more are enabled, but beyond the bounds.
    pub fn enabled(&mut self, found: &mut Vec<Pending>) -> Result<usize, Stop> {
        found.clear();
        self.catch_up()?;
        if self.trace.len() >= self.settings.limits.steps {
            self.too_long = true;
            return Ok(0);
        }
        self.enabled_in_order(found);
        if !self.settings.bounds.any() {
            return Ok(0);
        }
        let all = found.len();
        found.retain(|pending| self.is_within_bounds(pending.thread));
        self.out_of_bounds = found.is_empty() && all > 0;
        Ok(all - found.len())
    }

    /// What `thread` will do next.
    pub fn pending_of(&mut self, thread: ThreadId) -> Result<Option<Pending>, Stop> {
        self.catch_up()?;
        Ok(self.run.pending(thread))
    }

    /// What every live thread waits for, enabled or not.
    pub fn pending(&mut self) -> Result<impl Iterator<Item = Pending> + '_, Stop> {
        self.catch_up()?;
        let run = &self.run;
        Ok((0..run.threads() as u32).filter_map(move |thread| run.pending(ThreadId(thread))))
    }

    /// E grows by a step.
    #[inline]
    pub fn step(&mut self, choice: Choice) -> Result<&Event, Stop> {
        self.catch_up()?;
        if self.settings.bounds.schedules() {
            self.spending.grow(&self.trace, &*self.run, choice.thread);
        }
        // Not moved: it is large.
        let mut stepped = self.run.step(choice);
        let Some(stepped) = &mut stepped else { return Err(self.not_possible(choice)) };
        self.trace.push(choice, stepped);
        self.tally.steps += 1;
        if let Some(failure) = stepped.failure.take() {
            self.failures.push((self.trace.len(), (choice.thread, *failure)));
        }
        // One race is enough: what comes after it may well come of it.
        let races = |failure: &(usize, (ThreadId, Failure))| failure.1.1.kind == FailureKind::DataRace;
        if let Some(race) = data_race::of_last_step(&self.trace, self.names)
            && !self.failures.iter().any(races)
        {
            self.failures.push((self.trace.len(), (choice.thread, race)));
        }
        Ok(&self.trace.events()[self.trace.len() - 1])
    }

    #[cold]
    fn not_possible(&self, choice: Choice) -> Stop {
        Stop::Error(Error::Diverged(Box::new(Divergence {
            step: self.trace.len() + 1,
            choice,
            thread: self.names.thread(choice.thread),
            expected: None,
            found: None,
        })))
    }

    /// E is cut back to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        if len < self.trace.len() {
            self.trace.cut(len);
            self.spending.cut(len);
            self.failures.retain(|&(step, _)| step <= len);
            self.in_step = false;
            self.ended = 0;
        }
        self.too_long = false;
        self.out_of_bounds = false;
    }

    /// E is maximal, its run too long, or all that is left beyond a bound: it is counted, and in the first two cases the
    /// sink told. Afterwards, [`Explorer::waiting`] says who
    /// waits for ever. `share` is the share of the search that is done, where the algorithm knows it.
    pub fn finish(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        self.note_waiting();
        let ending = self.ending();
        self.count(ending);
        if ending == Ending::OutOfBounds {
            return self.look_at_limits(share);
        }
        if self.out_of_bounds {
            self.note_out_of_bounds(1);
        }
        let failures: Vec<(ThreadId, Failure)> = self.failures.iter().map(|(_, failure)| failure.clone()).collect();
        let execution = Execution { trace: &self.trace, ending, failures: &failures, waiting: &self.waiting };
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
        self.look_at_limits(share)
    }

    /// Everything enabled after E sleeps, or what does not is beyond a bound: it is given up. Afterwards,
    /// [`Explorer::waiting`] says who waits.
    pub fn sleep_set_blocked(&mut self, share: impl FnOnce() -> Option<f64>) -> Result<(), Stop> {
        self.note_waiting();
        self.waiting.retain(|pending| !pending.enabled);
        let is_bounded = self.settings.bounds.any() && self.is_something_out_of_bounds();
        self.count(if is_bounded { Ending::OutOfBounds } else { Ending::SleepSetBlocked });
        self.look_at_limits(share)
    }

    fn note_waiting(&mut self) {
        self.waiting.clear();
        let run = &self.run;
        self.waiting.extend((self.ended..run.threads() as u32).filter_map(|thread| run.pending(ThreadId(thread))));
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

    /// What this worker counted and found since it last did so goes to the others'.
    pub(crate) fn hand_in(&mut self) {
        self.shared.hand_in(&self.tally.since(&self.reported), std::mem::take(&mut self.findings));
        self.reported = self.tally;
    }

    fn ending(&self) -> Ending {
        if !self.failures.is_empty() {
            Ending::Failed
        } else if self.too_long {
            Ending::TooLong
        } else if self.out_of_bounds {
            Ending::OutOfBounds
        } else if self.run.is_cut() {
            Ending::Cut
        } else if self.waiting.is_empty() {
            Ending::Completed
        } else {
            Ending::Deadlocked
        }
    }

    fn count(&mut self, ending: Ending) {
        self.begun = false;
        self.tally.count(ending);
        self.tally.longest = self.tally.longest.max(self.trace.len() as u64);
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
        self.shared.report(&counted, grown, self.trace.len())
    }

    /// Brings the run to the end of E: from its start, or from a state that it kept, by the steps of E, each compared with
    /// what it was.
    fn catch_up(&mut self) -> Result<(), Stop> {
        if self.in_step {
            return Ok(());
        }
        // Only now is it known that the last execution was not the last that there is.
        if !self.begun {
            self.shared.begin_run()?;
            self.begun = true;
        }
        let kept = self.run.rewind(self.trace.len());
        for (i, event) in self.trace.events().iter().enumerate().skip(kept) {
            let stepped = self.run.step(event.choice);
            if stepped.as_ref().is_none_or(|stepped| !is_same(event, stepped)) {
                return Err(Stop::Error(diverged(self.names, i, event, stepped)));
            }
        }
        self.tally.replayed += (self.trace.len() - kept) as u64;
        self.in_step = true;
        Ok(())
    }
}

#[inline]
fn is_same(event: &Event, stepped: &Stepped) -> bool {
    event.op == stepped.op
        && event.outcome == stepped.outcome
        && event.before == stepped.before
        && event.after == stepped.after
}

fn diverged(names: &dyn Names, i: usize, event: &Event, stepped: Option<Stepped>) -> Error {
    let first =
        Stepped { op: event.op, outcome: event.outcome, before: event.before, after: event.after, failure: None };
    Error::Diverged(Box::new(Divergence {
        step: i + 1,
        choice: event.choice,
        thread: names.thread(event.thread()),
        expected: Some(Described::new(names, &first)),
        found: stepped.map(|stepped| Described::new(names, &stepped)),
    }))
}
