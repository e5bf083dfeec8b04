//! What a race asks for: the execution in which its second event comes first.
//!
//! `v = notdep(e,E).e'`: the events after e that do not happen after it, then e' (or, for a thread that waits, the step
//! it waits for). All of them are taken, not only the causes of e': a shorter sequence loses executions (diff_dep_1).

use crate::dependence::Footprint;
use crate::history::NO_EVENT;
use crate::race::{PendingRaces, Race};
use crate::siblings::SiblingRace;
use crate::sleep::Sleeper;
use crate::sleep_expression::{Name, Next};
use crate::trace::{EventId, Trace};
use model::{Choice, ThreadId};

/// A sequence to be executed after `E' = pre(E,e)`. Reused from race to race.
#[derive(Clone, Debug, Default)]
pub struct Reversal {
    events: Vec<EventId>,
    /// How many of `events` were taken from the front: most are.
    taken: usize,
    last: Option<Last>,
    /// The clock of the last event, once [`Reversal::keep_causes`] has worked it out.
    clock: Vec<u32>,
}

/// The second event of the race, as it will be when it comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) choice: Choice,
    pub(crate) footprint: Footprint,
    /// Its place in the trace; none when its thread still waits.
    id: EventId,
    /// The how-manyth step of its thread it is.
    index: u32,
    pub(crate) causes: [EventId; 2],
}

/// A step q that sleeps after E' and is a weak initial of v: what v starts has been explored by q.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Witness {
    step: Sleeper,
    /// Which event of v it is; none when it is not in v and independent of it.
    in_v: EventId,
}

impl Witness {
    /// Whether q is still a weak initial of v after E was cut to its first `kept` steps and has grown again. The race
    /// (its first event is given) lies in the part that was kept, so that only the new events of v count.
    pub fn survives(&self, trace: &Trace, first: EventId, kept: usize) -> bool {
        if (self.in_v as usize) < kept {
            return true;
        }
        for id in kept as EventId..trace.len() as EventId {
            if trace.happens_before(first, id) {
                continue;
            }
            let event = trace.event(id);
            if event.thread() == self.step.choice.thread {
                return event.choice == self.step.choice;
            }
            if event.footprint.depends(&self.step.footprint) {
                return false;
            }
        }
        true
    }
}

/// A first step of a reversal: see [`Reversal::initials`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Initial {
    /// The thread that can take it.
    pub thread: ThreadId,
    /// By which of its transitions.
    pub transition: u16,
    /// The step; of no use when it is the last of the sequence.
    event: EventId,
    /// Whether it happens before the last event of the sequence, or is it.
    pub leads_to_last: bool,
}

impl Initial {
    /// Its transition, by the first alternative.
    pub fn choice(&self) -> Choice {
        Choice { thread: self.thread, alternative: 0 }.of_transition(self.transition)
    }
}

impl Reversal {
    /// Becomes `notdep(e,E).e'` of a race of `trace`.
    pub fn of(&mut self, trace: &Trace, race: &Race) {
        self.build(trace, race, trace.dropped(race));
    }

    /// Becomes `notdep(e,E).p` of a race of an operation that p waits for.
    pub fn of_pending(&mut self, trace: &Trace, races: &PendingRaces, race: &Race) {
        self.build(trace, race, races.dropped(race));
    }

    /// Becomes `notdep(e,E).p` of a transition that p could have taken in place of an event.
    pub fn of_sibling(&mut self, trace: &Trace, sibling: &SiblingRace) {
        self.build(trace, &sibling.race, &sibling.dropped);
        if let Some(last) = &mut self.last {
            last.index = sibling.index;
        }
    }

    fn build(&mut self, trace: &Trace, race: &Race, dropped: &[EventId]) {
        self.events.clear();
        self.taken = 0;
        let first = trace.event(race.first);
        let (thread, index) = (first.thread(), first.index);
        for (event, steps) in (race.first + 1..).zip(trace.clocks.column(race.first as usize + 1, thread)) {
            if steps < index {
                self.events.push(event);
            }
        }
        if !dropped.is_empty() {
            self.events.retain(|&event| !dropped.iter().any(|&d| d == event || trace.happens_before(d, event)));
        }
        self.last = Some(Last {
            choice: race.choice(),
            footprint: race.footprint,
            id: race.second.unwrap_or(NO_EVENT),
            index: trace.steps_of(race),
            causes: race.causes,
        });
    }

    /// The steps of v.
    pub fn choices<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Choice> + 'a {
        let last = self.last.as_ref().map(|last| last.choice);
        self.events().iter().map(|&event| trace.event(event).choice).chain(last)
    }

    /// v becomes the schedule `e'↓v`: the events of v that happen before its last one, and that.
    ///
    /// The last event's clock is worked out on the way; it is not the one that it had in E, where e came before it.
    pub fn keep_causes(&mut self, trace: &Trace, race: &Race) {
        let Some(last) = &self.last else { return };
        let clock = &mut self.clock;
        trace.start_clock(last.choice.thread, clock);
        for cause in last.causes.into_iter().filter(|&cause| cause != NO_EVENT) {
            trace.clocks.join_into(clock, cause as usize);
        }
        let mut kept = self.events.len();
        for i in (0..self.events.len()).rev() {
            let event = trace.event(self.events[i]);
            let happens_before = clock[event.thread().index()] >= event.index;
            if happens_before || event.footprint.depends(&last.footprint) {
                if !happens_before {
                    trace.clocks.join_into(clock, self.events[i] as usize);
                }
                kept -= 1;
                self.events[kept] = self.events[i];
            }
        }
        self.taken = kept;
        trace.join_conflicts(last.footprint, trace.event(race.first).found, clock);
        clock[last.choice.thread.index()] = last.index;
    }

    /// The executed events of the schedule, with their clocks, and then its head.
    pub fn schedule<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Next<'a>> + Clone {
        self.events().iter().map(|&id| trace.next(id)).chain(self.head())
    }

    /// The head of the schedule.
    pub fn head(&self) -> Option<Next<'_>> {
        let last = self.last.as_ref()?;
        let name = Name { thread: last.choice.thread, index: last.index };
        Some(Next { name, footprint: last.footprint, clock: &self.clock })
    }

    /// Whether an event of E is in v.
    pub fn contains(&self, event: EventId) -> bool {
        self.events().binary_search(&event).is_ok() || self.last.as_ref().is_some_and(|last| last.id == event)
    }

    /// Lets the last event be taken by this alternative.
    pub fn choose(&mut self, alternative: u32) {
        if let Some(last) = &mut self.last {
            last.choice = last.choice.by(alternative);
        }
    }

    /// `I[E'](v)`: the threads that can take the first step of v.
    pub fn initials(&self, trace: &Trace, found: &mut Vec<Initial>) {
        found.clear();
        let Some(last) = &self.last else { return };
        for (i, &event) in self.events().iter().enumerate() {
            let thread = trace.event(event).thread();
            let preceded =
                found.iter().any(|initial| initial.thread == thread || trace.happens_before(initial.event, event));
            if !preceded {
                let leads_to_last = self.events()[i..]
                    .iter()
                    .any(|&f| (f == event || trace.happens_before(event, f)) && last.comes_after(trace, f));
                let transition = trace.event(event).choice.transition();
                found.push(Initial { thread, transition, event, leads_to_last });
            }
        }
        if self.is_initial_last(trace) {
            let Choice { thread, .. } = last.choice;
            let transition = last.choice.transition();
            found.push(Initial { thread, transition, event: EventId::MAX, leads_to_last: true });
        }
    }

    /// Whether the last event of v is one of its first steps too.
    fn is_initial_last(&self, trace: &Trace) -> bool {
        self.last.as_ref().is_some_and(|last| !self.events().iter().any(|&event| last.comes_after(trace, event)))
    }

    /// `q ∈ WI[E'](v)` for a step q that is enabled after E'.
    pub fn weak_initial(&self, trace: &Trace, q: &Sleeper) -> Option<Witness> {
        self.place_if_weak_initial(trace, q).map(|in_v| Witness { step: *q, in_v })
    }

    /// Which event of v a weak initial is; none when it is not in v and independent of it.
    #[inline]
    fn place_if_weak_initial(&self, trace: &Trace, q: &Sleeper) -> Option<EventId> {
        for &id in self.events() {
            let event = trace.event(id);
            if event.thread() == q.choice.thread {
                return (event.choice == q.choice).then_some(id);
            }
            if event.footprint.depends(&q.footprint) {
                return None;
            }
        }
        let last = self.last.as_ref()?;
        if last.choice.thread == q.choice.thread {
            return (last.choice == q.choice).then_some(last.id);
        }
        (!last.footprint.depends(&q.footprint)).then_some(NO_EVENT)
    }

    /// How many steps v has.
    pub(crate) fn len(&self) -> u32 {
        self.events().len() as u32 + u32::from(self.last.is_some())
    }

    /// The steps of v with what they touch.
    pub(crate) fn steps<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Sleeper> + 'a {
        let last = self.last.as_ref().map(|last| Sleeper { choice: last.choice, footprint: last.footprint });
        self.events().iter().map(|&event| Sleeper::of(trace.event(event))).chain(last)
    }

    /// The executed events of v.
    #[inline]
    pub(crate) fn events(&self) -> &[EventId] {
        &self.events[self.taken..]
    }

    pub(crate) fn last(&self) -> Option<&Last> {
        self.last.as_ref()
    }
}

impl Last {
    /// Whether `event`, which is in v, happens before this last event of v.
    fn comes_after(&self, trace: &Trace, event: EventId) -> bool {
        let earlier = trace.event(event);
        earlier.thread() == self.choice.thread
            || earlier.footprint.depends(&self.footprint)
            || trace.is_before_causes(event, &self.causes)
    }
}
