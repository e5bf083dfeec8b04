//! Steps of programs that say themselves what their steps mean: their happens-before, and what one can come before.
//!
//! Such a step may touch any number of cells, and whether it is enabled depends on more than one word. So the states of all
//! prefixes of E are kept, and the state after some events of E is worked out by taking them once more: if what was left out
//! is closed under happens-before, each of those that are kept does the same as in E.
//!
//! The search is that of `removal.rs` with other means. Let o be a transition of a thread, executed after E or waiting there, or one
//! that its thread could have taken in place of an event. Some events are *removed*, with all that happens after them. If o is
//! enabled without them, this is a race. If it is not, one of the events that are left must be removed which changed what o
//! found: that is tried for each, latest first, and those that were tried before are *kept*, with all that happens before them.
//! So no set of events is tried twice, and every smallest one is found.
//!
//! A larger set is found again from the execution in which a smaller one was reversed, by algorithms that reverse all races there.
//! POP does not reverse those with events that had to come before o: so it asks for all sets. Where o is enabled, further events are
//! removed, but none that are older than all that were removed, for those are free in the reversed execution. A set of which
//! the latest events are a race by themselves is left out: that one is reversed first.

use crate::dependence::{Footprint, Mode};
use crate::history::NO_EVENT;
use crate::race::{Race, Races, Second};
use crate::removal::is_covered;
use crate::siblings::SiblingRace;
use crate::trace::{EventId, Trace};
use model::{Choice, Guard, Look, OpKind, Pending, SavedState, Steps, ThreadId, Touch};
use std::sync::Arc;

/// What the steps of a program mean, and the states that E came through.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    steps: Arc<dyn Steps>,
    /// The state after each prefix of E.
    states: Vec<SavedState>,
    /// Whether races are found with all sets of events, not the smallest ones only.
    pub(crate) seeks_all: bool,
    /// Threads that were moved, or made, by steps of others: a part of what each does, as its own steps are.
    moved: Vec<(EventId, ThreadId)>,
}

impl Stage {
    pub(crate) fn new(steps: Arc<dyn Steps>) -> Self {
        let initial = steps.initial();
        Stage { steps, states: vec![initial], seeks_all: false, moved: Vec::new() }
    }

    /// The same program at its start.
    pub(crate) fn anew(&self) -> Self {
        let Stage { steps, states, seeks_all, .. } = self;
        Stage { steps: Arc::clone(steps), states: vec![states[0].clone()], seeks_all: *seeks_all, moved: Vec::new() }
    }

    /// E grows by a step that touches this.
    pub(crate) fn grow(&mut self, choice: Choice, touch: Touch) {
        let before = self.states.len() - 1;
        let mut state = self.states[before].clone();
        self.steps.take(&mut state, choice);
        for &cell in touch.movers().iter().filter(|_| touch.movers().len() > 1) {
            // One that is there before the step may have ended by it, and one that was made is there after it.
            let there = self.steps.mover(&self.states[before], cell).or_else(|| self.steps.mover(&state, cell));
            self.moved
                .extend(there.filter(|thread| *thread != choice.thread).map(|thread| (before as EventId, thread)));
        }
        self.states.push(state);
    }

    /// The last step of another thread before an event that moved this one.
    fn moved_before(&self, thread: ThreadId, event: EventId) -> Option<EventId> {
        let moved = self.moved.iter().rev().filter(|(by, _)| *by < event);
        moved.filter(|(_, who)| *who == thread).map(|(by, _)| *by).next()
    }

    /// E is cut to its first `len` steps.
    pub(crate) fn cut(&mut self, len: usize) {
        self.states.truncate(len + 1);
        while self.moved.pop_if(|(by, _)| *by as usize >= len).is_some() {}
    }

    fn last(&self) -> &[u8] {
        &self.states[self.states.len() - 1]
    }
}

impl Trace {
    /// From now on, races are found with all sets of events that a step can come before, not the smallest ones only.
    pub fn seek_all_sets(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.seeks_all = true;
        }
    }

    /// Whether its program says itself what its steps mean.
    pub fn is_of_steps(&self) -> bool {
        self.stage.is_some()
    }

    /// The clock of the last event, which is a step, takes in all that it depends on.
    pub(crate) fn join_conflicts_of_last(&mut self, touch: Touch) {
        let last = self.len() - 1;
        let mut left = self.uncovered_by_last();
        for e in (0..last as EventId).rev() {
            if left == 0 {
                return;
            }
            if self.is_before_last_clock(e) {
                continue;
            }
            if self.event(e).footprint.step().is_some_and(|other| other.conflicts(touch)) {
                self.clocks.join_last(e as usize);
                left = self.uncovered_by_last();
            }
        }
    }

    /// How many threads have steps that do not happen before the last event by what is known.
    fn uncovered_by_last(&self) -> usize {
        let heads = self.last_steps();
        heads.filter(|&(thread, steps)| self.clocks.last(thread) < steps).count()
    }

    /// `clock` takes the maximum with those of the first `end` events that a step with this touch depends on.
    pub(crate) fn join_conflicts_with_step(&self, touch: Touch, end: EventId, clock: &mut [u32]) {
        for e in (0..end).rev() {
            let event = self.event(e);
            if !is_covered(clock, event) && event.footprint.step().is_some_and(|other| other.conflicts(touch)) {
                self.clocks.join_into(clock, e as usize);
            }
        }
    }

    /// The last step of another thread that moved this one.
    pub(crate) fn moved(&self, thread: ThreadId) -> EventId {
        let end = self.len() as EventId;
        self.stage.as_ref().and_then(|stage| stage.moved_before(thread, end)).unwrap_or(NO_EVENT)
    }

    /// What an enabled transition would touch now.
    pub(crate) fn step_now(&self, pending: &Pending) -> Footprint {
        let touch = self.stage.as_ref().and_then(|stage| stage.steps.look(stage.last(), pending.choice()));
        let mode = Mode::Step(touch.map_or(Touch::NONE, |look| look.touch));
        Footprint { object: pending.op.object, mode }
    }

    /// The races of the last event, which is a step; `clock` is its clock by its causes.
    pub(crate) fn find_races_of_step(&self, races: &mut Races, second: Second, choice: Choice, clock: &mut [u32]) {
        let (Some(stage), Some(touch)) = (&self.stage, second.footprint.step()) else { return };
        let end = self.len() as EventId - 1;
        let search = Search { trace: self, stage, second, choice, end, instead_of: None };
        search.go_back(&Without::nothing(end), clock, 0, &|other| other.conflicts(touch), &mut |found| {
            let mut removed = found.removed.clone();
            if !self.happens_before(found.first(), end) {
                // It comes first: it cannot come again.
                removed.push(end);
            }
            races.add_step(self, &removed, &search.second_with(found.look));
        });
    }

    /// The races of a transition that waits, or is enabled, at the end of E.
    pub(crate) fn find_races_of_waiting_step(
        &self,
        races: &mut Races,
        second: Second,
        choice: Choice,
        clock: &mut [u32],
    ) {
        let Some(stage) = &self.stage else { return };
        let Some(look) = stage.steps.look(stage.last(), choice) else { return };
        let search = Search { trace: self, stage, second, choice, end: self.len() as EventId, instead_of: None };
        let is_in_the_way = |other: Touch| in_the_way(look, other);
        search.go_back(&Without::nothing(search.end), clock, 0, &is_in_the_way, &mut |found| {
            races.add_step(self, &found.removed, &search.second_with(found.look));
        });
    }

    /// Calls `tell` with all that the transitions can come before which threads had where they took others.
    pub(crate) fn each_race_of_sibling_steps(&self, tell: &mut dyn FnMut(&SiblingRace)) {
        let Some(stage) = &self.stage else { return };
        for e in 0..self.len() as EventId {
            let event = self.event(e);
            let state = &stage.states[e as usize];
            for &cell in event.footprint.step().map_or(&[][..], Touch::movers) {
                // A process that the event created moves in it, too.
                let Some(thread) = stage.steps.mover(state, cell) else { continue };
                for number in stage.steps.transitions(state, stage.last(), thread) {
                    let choice = Choice { thread, alternative: 0 }.of_transition(number);
                    if choice != event.choice {
                        self.races_of_sibling_step(stage, e, choice, tell);
                    }
                }
            }
        }
    }

    fn races_of_sibling_step(&self, stage: &Stage, e: EventId, choice: Choice, tell: &mut dyn FnMut(&SiblingRace)) {
        let last = self.last_before(choice.thread, e);
        let causes = [last.unwrap_or(NO_EVENT), stage.moved_before(choice.thread, e).unwrap_or(NO_EVENT)];
        let index = last.map_or(0, |last| self.event(last).index) + 1;
        let footprint = Footprint { object: self.event(e).op.object, mode: Mode::Step(Touch::NONE) };
        let second = Second {
            event: None,
            thread: choice.thread,
            transition: choice.transition(),
            kind: OpKind::Step(Touch::NONE),
            footprint,
            guard: Guard::NONE,
            causes,
        };
        let search = Search { trace: self, stage, second, choice, end: self.len() as EventId, instead_of: Some(e) };
        let mut covered = Vec::new();
        self.start_clock(choice.thread, &mut covered);
        for cause in causes.into_iter().filter(|&cause| cause != NO_EVENT) {
            self.clocks.join_into(&mut covered, cause as usize);
        }
        let mut all = Vec::new();
        search.remove(&Without::nothing(search.end), e, &covered, &mut |found| {
            let mut races = Races::default();
            races.add_step(self, &found.removed, &search.second_with(found.look));
            all.extend(races.all().iter().map(|race| SiblingRace {
                race: *race,
                dropped: races.dropped(race).to_vec(),
                index,
            }));
        });
        all.iter().for_each(tell);
    }

    /// The last step that a thread took before an event.
    fn last_before(&self, thread: ThreadId, event: EventId) -> Option<EventId> {
        let mut last = self.last_of(thread)?;
        while last >= event {
            let before = self.event(last);
            if before.index == 1 {
                return None;
            }
            last = before.causes[0];
        }
        Some(last)
    }
}

impl Races {
    /// Adds the race of a step with what is removed, in any order.
    fn add_step(&mut self, trace: &Trace, removed: &[EventId], second: &Second) {
        let mut removed = removed.to_vec();
        removed.sort_unstable_by(|a, b| b.cmp(a));
        self.add(trace, &removed, second, 0);
    }
}

/// Whether a step that touches this, and happened, may be why a transition is not enabled, or does something else.
fn in_the_way(look: Look, other: Touch) -> bool {
    if look.enabled { other.conflicts(look.touch) } else { look.touch.is_changed_by(other) }
}

/// E without some events and all that happens after them.
#[derive(Clone)]
struct Without {
    /// Those that were chosen to be removed, in the order in which they were.
    removed: Vec<EventId>,
    /// For each event of E, whether it is left out.
    is_out: Vec<bool>,
}

impl Without {
    fn nothing(end: EventId) -> Self {
        Without { removed: Vec::new(), is_out: vec![false; end as usize] }
    }

    fn and(&self, trace: &Trace, e: EventId) -> Self {
        let mut without = self.clone();
        without.removed.push(e);
        let event = trace.event(e);
        let (thread, index) = (event.thread(), event.index);
        let later = trace.clocks.column(e as usize, thread);
        for (is_out, steps) in without.is_out[e as usize..].iter_mut().zip(later) {
            *is_out |= steps >= index;
        }
        without
    }
}

/// A set of events without which a transition is enabled.
struct Found {
    removed: Vec<EventId>,
    look: Look,
}

impl Found {
    fn first(&self) -> EventId {
        self.removed.iter().copied().min().unwrap_or(NO_EVENT)
    }
}

/// A search at work.
struct Search<'t> {
    trace: &'t Trace,
    stage: &'t Stage,
    second: Second,
    choice: Choice,
    /// Only events before this one are looked at.
    end: EventId,
    /// The event that its thread took instead.
    instead_of: Option<EventId>,
}

impl Search<'_> {
    fn second_with(&self, look: Look) -> Second {
        let footprint = Footprint { mode: Mode::Step(look.touch), ..self.second.footprint };
        Second { footprint, ..self.second }
    }

    /// What is in the way, and is not before `from`, is removed, one event after the other; those that were tried are kept.
    fn go_back(
        &self,
        without: &Without,
        covered: &[u32],
        from: EventId,
        is_in_the_way: &dyn Fn(Touch) -> bool,
        tell: &mut dyn FnMut(&Found),
    ) {
        let trace = self.trace;
        let mut covered = covered.to_vec();
        for e in (from..self.end).rev() {
            let event = trace.event(e);
            if without.is_out[e as usize] || is_covered(&covered, event) {
                continue;
            }
            if event.footprint.step().is_some_and(is_in_the_way) {
                self.remove(without, e, &covered, tell);
                trace.clocks.join_into(&mut covered, e as usize);
            }
        }
    }

    /// `e` is removed too.
    fn remove(&self, without: &Without, e: EventId, covered: &[u32], tell: &mut dyn FnMut(&Found)) {
        let without = without.and(self.trace, e);
        // If its thread is not there, it was kept too late.
        let Some(look) = self.look(&without) else { return };
        if !look.enabled {
            return self.go_back(&without, covered, 0, &|other| in_the_way(look, other), tell);
        }
        let found = Found { removed: without.removed.clone(), look };
        if without.removed.len() == 1 || self.is_first(&without.removed) {
            tell(&found);
        }
        if self.stage.seeks_all {
            self.go_back(&without, covered, found.first() + 1, &|other| in_the_way(look, other), tell);
        }
    }

    /// Whether none of the sets of the latest of these is a race, which would be reversed first.
    fn is_first(&self, removed: &[EventId]) -> bool {
        let mut latest = removed.to_vec();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let mut without = Without::nothing(self.end);
        let mut before: Option<Look> = self.instead_of.is_none().then(|| self.look(&without)).flatten();
        let mut is_free = self.instead_of.is_none();
        for &e in &latest[..latest.len() - 1] {
            let touch = self.trace.event(e).footprint.step().unwrap_or(Touch::NONE);
            if is_free && before.is_none_or(|look| !in_the_way(look, touch)) {
                return true;
            }
            without = without.and(self.trace, e);
            is_free |= self.instead_of == Some(e);
            before = if is_free { self.look(&without) } else { None };
            if before.is_some_and(|look| look.enabled) {
                return false;
            }
        }
        true
    }

    /// What the transition is without some events.
    fn look(&self, without: &Without) -> Option<Look> {
        let first = without.is_out.iter().position(|is_out| *is_out).unwrap_or(self.end as usize);
        let kept = || (first..self.end as usize).filter(|&e| !without.is_out[e]);
        // Mostly, what comes later changes nothing that it looks at.
        if let Some(look) = self.stage.steps.look(&self.stage.states[first], self.choice) {
            let touch = |e: usize| self.trace.event(e as EventId).footprint.step();
            if !kept().any(|e| touch(e).is_some_and(|other| look.touch.is_changed_by(other))) {
                return Some(look);
            }
        }
        let mut state = self.stage.states[first].clone();
        kept().for_each(|e| self.stage.steps.take(&mut state, self.trace.event(e as EventId).choice));
        self.stage.steps.look(&state, self.choice)
    }
}

impl Race {
    /// What the second touches, if it is a step.
    pub(crate) fn step(&self) -> Option<Touch> {
        self.footprint.step()
    }
}
