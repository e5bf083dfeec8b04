//! The papers' E: an execution that grows step by step and is cut back to a prefix.

mod enabled;
mod ending;
mod live;

use crate::algorithms::committed::Committed;
use crate::loops::Watched;
use crate::search::bounds::Spending;
use crate::search::data_race::DataRaces;
use crate::search::error::{Described, Divergence};
use crate::search::findings::Findings;
use crate::search::shared::Shared;
use crate::{Error, Limit, LoopRules, Settings};
use live::Live;
use model::{Choice, Failure, FailureKind, Guard, Names, Pending, Run, State, Stepped, ThreadId};
use trace::{Event, Race, Tally, Trace};

/// Why a search ends before its algorithm has nothing left to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// A limit was reached.
    Limit(Limit),
    /// The first execution has messages, and the settings say to stop there.
    Messages,
    /// A failure or a deadlock was found, and the settings say to stop there.
    Found,
    /// The sink said so.
    Told,
    /// Another worker ended the search.
    Elsewhere,
    /// Something was learnt of the program's loops: the search begins anew.
    Learnt,
    /// The search cannot go on.
    Error(Error),
}

/// How often the clock is looked at: after so many steps, executed or replayed.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 14;

/// The same within a run, in which a step may take long.
const STEPS_OF_RUN_BETWEEN_LOOKS: u64 = 1 << 10;

/// A thread that takes so many steps in a row may wait for others that have not come to do what it waits for: they go
/// first from then on.
const FAIR: usize = 1 << 10;

/// The execution at hand, and the run of the program that is at its end or will be brought there when needed.
pub struct Explorer<'a> {
    shared: &'a Shared<'a>,
    names: &'a dyn Names,
    run: Watched<'a>,
    /// Whether threads may have several transitions.
    has_siblings: bool,
    /// Whether threads choose their transitions in steps of their own, which are no part of the executions that are told.
    commits: bool,
    /// Reused: the transitions that a thread has besides the one that it takes, with the words of their objects.
    others: Vec<(Pending, State)>,
    /// Whether `run` is at the end of `trace`.
    in_step: bool,
    /// Whether the run was begun that the limit of executions counts.
    begun: bool,
    trace: Trace,
    /// How many steps its last thread has taken in a row.
    in_a_row: usize,
    live: Live,
    /// Reused: threads of `live` that turned out to have ended.
    ended: Vec<ThreadId>,
    settings: &'a Settings,
    random: fastrand::Rng,
    /// Failures of the execution at hand, with the step at which each happened.
    failures: Vec<(usize, (ThreadId, Failure))>,
    data_races: DataRaces,
    waiting: Vec<Pending>,
    /// Threads that go round for ever at the end of E.
    going_round: Vec<Pending>,
    too_long: bool,
    spending: Spending,
    /// Whether all that is left to do after E is beyond a bound.
    out_of_bounds: bool,
    /// Whether all that is left to do after E is cut off.
    cut_off: bool,
    tally: Tally,
    /// The part of `tally` that was reported, and the share of the search.
    reported: Tally,
    share_reported: f64,
    /// Tasks that wait in this worker, and how many of them were reported.
    tasks: i64,
    tasks_reported: i64,
    findings: Findings,
}

impl<'a> Explorer<'a> {
    /// The first worker of a search.
    pub(crate) fn new(shared: &'a Shared<'a>) -> Result<Self, Stop> {
        shared.begin_run()?;
        Ok(Explorer { in_step: true, begun: true, ..Explorer::joining(shared) })
    }

    /// A schedule is followed from the start, whatever was known of loops when it was made.
    pub(crate) fn begin_schedule(&mut self) {
        self.run.begin_schedule();
    }

    /// The schedule is over.
    pub(crate) fn end_schedule(&mut self) {
        self.run.end_schedule();
    }

    /// A further worker.
    pub(crate) fn joining(shared: &'a Shared<'a>) -> Self {
        let Shared { program, settings, .. } = *shared;
        let run = program.start();
        // Of programs whose steps are more than operations on one object, the analysis knows what threads could have taken.
        let commits = shared.commits() && run.has_siblings() && run.steps().is_none();
        let rules = if commits { LoopRules::NONE } else { settings.loops };
        let run: Box<dyn Run + 'a> = if commits { Box::new(Committed::new(run)) } else { run };
        let mut run = Watched::new(run, rules, shared.known().clone(), shared.learns());
        if settings.bounds.schedules() {
            run.scout_late();
        }
        run.scout_after(shared.runs_before());
        let has_siblings = run.has_siblings();
        let mut trace = match run.steps() {
            Some(steps) => Trace::of_steps(steps),
            None if run.objects_have_lives() => Trace::with_lives(),
            None => Trace::new(),
        };
        if shared.commits() {
            trace.seek_all_sets();
        }
        trace.follow(run.guards());
        Explorer {
            shared,
            names: program.names(),
            run,
            has_siblings,
            commits,
            others: Vec::new(),
            in_step: false,
            begun: false,
            trace,
            in_a_row: 0,
            live: Live::default(),
            ended: Vec::new(),
            settings,
            random: fastrand::Rng::with_seed(settings.seed),
            failures: Vec::new(),
            data_races: DataRaces::default(),
            waiting: Vec::new(),
            going_round: Vec::new(),
            too_long: false,
            spending: Spending::default(),
            out_of_bounds: false,
            cut_off: false,
            tally: Tally::default(),
            reported: Tally::default(),
            share_reported: 0.0,
            tasks: 0,
            tasks_reported: 0,
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

    /// How the search is to be done.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// Notes how many tasks wait in this worker.
    #[inline]
    pub(crate) fn note_tasks(&mut self, tasks: usize) {
        self.tasks = tasks as i64;
    }

    /// Whether somebody draws the search, and wants to know of reversals.
    pub fn wants_branches(&self) -> bool {
        self.shared.wants_branches()
    }

    /// Notes that an execution is planned which begins like E and reverses one of its races.
    #[inline]
    pub fn note_reversal(&self, race: &Race) {
        self.shared.tell_reversal(&self.trace, race);
    }

    /// What `thread` will do next; the first of its transitions, where it has several.
    pub fn pending_of(&mut self, thread: ThreadId) -> Result<Option<Pending>, Stop> {
        self.catch_up()?;
        Ok(self.run.pending(thread))
    }

    /// The transition that a choice is of, whether it is enabled or not.
    pub fn transition_of(&mut self, choice: Choice) -> Result<Option<Pending>, Stop> {
        self.catch_up()?;
        Ok(self.run.transition(choice.thread, choice.transition()))
    }

    /// Whether threads may have several transitions.
    pub fn has_siblings(&self) -> bool {
        self.has_siblings
    }

    /// What every live thread waits for, by all its transitions, enabled or not.
    pub fn pending(&mut self) -> Result<impl Iterator<Item = Pending> + '_, Stop> {
        self.catch_up()?;
        self.tell_words();
        let run = &self.run;
        Ok((0..run.threads() as u32).flat_map(move |thread| transitions(run, ThreadId(thread))))
    }

    /// E grows by a step.
    #[inline]
    pub fn step(&mut self, choice: Choice) -> Result<&Event, Stop> {
        self.catch_up()?;
        if self.settings.bounds.schedules() {
            self.spending.grow(&self.settings.bounds, &self.trace, &self.run, choice.thread);
        }
        let guard = self.run.guard(choice.thread);
        if guard != Guard::NONE {
            self.tell_words();
        }
        let is_same_thread = self.trace.events().last().is_some_and(|last| last.thread() == choice.thread);
        self.in_a_row = if is_same_thread { self.in_a_row + 1 } else { 1 };
        if self.trace.len() as u64 % STEPS_OF_RUN_BETWEEN_LOOKS == STEPS_OF_RUN_BETWEEN_LOOKS - 1 {
            self.look_at_clock()?;
        }
        if self.has_siblings && !self.trace.is_of_steps() {
            self.look_at_others(choice);
        }
        // Not moved: it is large.
        let mut stepped = self.run.step(choice);
        let Some(stepped) = &mut stepped else { return Err(self.not_possible(choice)) };
        self.trace.push_guarded(choice, stepped, guard);
        if self.has_siblings {
            for (pending, word) in self.others.drain(..) {
                self.trace.note_sibling(pending, word);
            }
        }
        self.trace.follow(self.run.guards());
        self.tally.steps += 1;
        if let Some(failure) = stepped.failure.take() {
            self.failures.push((self.trace.len(), (choice.thread, *failure)));
        }
        if self.shared.needs_ends()
            && let Some(to) = self.run.came_back()
        {
            return Err(Stop::Error(Error::ComesBack { step: self.trace.len(), to }));
        }
        // One race is enough: what comes after it may well come of it.
        let races = |failure: &(usize, (ThreadId, Failure))| failure.1.1.kind == FailureKind::DataRace;
        if let Some(race) = self.data_races.of_last_step(&self.trace, self.names)
            && !self.failures.iter().any(races)
        {
            self.failures.push((self.trace.len(), (choice.thread, race)));
        }
        Ok(&self.trace.events()[self.trace.len() - 1])
    }

    /// A thread is about to take this transition: which others does it have?
    #[inline(never)]
    fn look_at_others(&mut self, choice: Choice) {
        let run = &self.run;
        let others = transitions(run, choice.thread).filter(|pending| pending.transition != choice.transition());
        self.others.clear();
        self.others.extend(others.map(|pending| (pending, run.word(pending.op.object))));
    }

    /// The trace is told what guards look at.
    #[inline(never)]
    fn tell_words(&mut self) {
        self.trace.tell_words(|object| self.run.word(object));
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

    /// The error that the last step of E is not what it is in other executions with the same history.
    #[cold]
    pub fn behaves_differently(&mut self) -> Stop {
        let last = self.trace.events()[self.trace.len() - 1].choice;
        self.cut(self.trace.len() - 1);
        self.not_possible(last)
    }

    /// E is cut back to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        if len < self.trace.len() {
            self.trace.cut(len);
            self.spending.cut(len);
            self.failures.retain(|&(step, _)| step <= len);
            self.in_step = false;
            self.in_a_row = 0;
            self.live.reset();
        }
        self.too_long = false;
        self.out_of_bounds = false;
    }

    /// Brings the run to the end of E: from its start, or from a state that it kept, by the steps of E, each compared with
    /// what it was.
    #[inline]
    fn catch_up(&mut self) -> Result<(), Stop> {
        if self.in_step { Ok(()) } else { self.run_again() }
    }

    #[inline(never)]
    fn run_again(&mut self) -> Result<(), Stop> {
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
        self.trace.follow(self.run.guards());
        self.in_step = true;
        Ok(())
    }
}

/// All transitions of a thread, enabled or not.
pub(crate) fn transitions(run: &dyn Run, thread: ThreadId) -> impl Iterator<Item = Pending> + '_ {
    let first = run.pending(thread);
    let all = if first.is_some_and(|first| first.is_of_several) { run.transitions(thread) } else { 1 };
    first.into_iter().chain((1..all).filter_map(move |number| run.transition(thread, number)))
}

/// Whether a step was the same once more. What was there before it was overwritten does not count: nobody has read it, or the
/// step that read it was another one.
#[inline]
fn is_same(event: &Event, stepped: &Stepped) -> bool {
    event.op == stepped.op
        && event.outcome == stepped.outcome
        && (event.before == stepped.before || event.op.kind.overwrites())
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
