//! Threads with several transitions: what could have been taken in place of an event.
//!
//! Where thread p took e, it had other transitions: the *siblings* of e. Two transitions of a thread in one place are in
//! conflict, whatever they touch, so that an execution with a sibling of e is one without e and all that happens after it.
//! What is left, F = `pre(E,e).notdep(e,E)`, is an execution at whose end p still has to choose. A sibling that is enabled
//! there can be taken after it: `notdep(e,E).t` is to be explored after `pre(E,e)`. One that is not is an operation that p
//! waits for: SRC Algorithm 6 asks without which further events it would be enabled, and so does the search of
//! `removal.rs`, in F. Whether t could come before still earlier events is found where t is executed.

use crate::history::NO_EVENT;
use crate::race::{Race, Second};
use crate::trace::{Event, EventId, Trace};
use crate::{dependence::Mode, race::PendingRaces};
use model::{ObjectId, OpKind, Pending, State, Stepped};

/// A transition that a thread had where it took another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sibling {
    /// The event that its thread took instead.
    pub event: EventId,
    /// The transition, as it was then.
    pub pending: Pending,
    /// The word of its object then.
    pub word: State,
}

/// An execution without an event and without all that happens after it. Reused.
#[derive(Clone, Debug, Default)]
pub struct Without {
    /// F.
    rest: Trace,
    /// The event of E that each event of F is.
    ids: Vec<EventId>,
}

/// What a sibling can come before: see the head of this file.
#[derive(Clone, Debug)]
pub struct SiblingRace {
    /// The race: its first event is the earliest that is left out.
    pub race: Race,
    /// The other events that are left out.
    pub(crate) dropped: Vec<EventId>,
    /// The how-manyth step of its thread the sibling is.
    pub(crate) index: u32,
}

impl Trace {
    /// The siblings of all events, in the order of those.
    #[inline]
    pub fn siblings(&self) -> &[Sibling] {
        &self.siblings
    }

    /// Whether anything could have been taken in place of some event, as far as is known.
    #[inline]
    pub fn has_siblings(&self) -> bool {
        self.is_of_steps() || !self.siblings.is_empty()
    }

    /// The last event was taken in place of this transition.
    pub fn note_sibling(&mut self, pending: Pending, word: State) {
        self.siblings.push(Sibling { event: self.len() as EventId - 1, pending, word });
    }

    /// The word of an object before any event touched it, if one did.
    fn first_word(&self, object: ObjectId) -> Option<State> {
        self.history(object).last().map(|event| self.event(event).before)
    }

    fn last_word(&self, object: ObjectId) -> Option<State> {
        self.history(object).next().map(|event| self.event(event).after)
    }
}

impl Without {
    /// Calls `tell` with all that the siblings of all events of E can come before.
    pub fn each_race(&mut self, trace: &Trace, mut tell: impl FnMut(&SiblingRace)) {
        if trace.is_of_steps() {
            return trace.each_race_of_sibling_steps(&mut tell);
        }
        for siblings in trace.siblings().chunk_by(|a, b| a.event == b.event) {
            self.leave_out(trace, siblings[0].event);
            for sibling in siblings {
                self.races(trace, sibling).iter().for_each(&mut tell);
            }
        }
    }

    /// Becomes `pre(E,e).notdep(e,E)`.
    fn leave_out(&mut self, trace: &Trace, e: EventId) {
        self.rest.cut(0);
        self.rest.has_lives = trace.has_lives;
        self.rest.follow(&trace.guards);
        self.ids.clear();
        let kept = (0..trace.len() as EventId).filter(|&id| id != e && !trace.happens_before(e, id));
        for id in kept {
            let event = trace.event(id);
            let stepped = self.as_it_is_now(trace, event);
            self.rest.push_as(event.choice, &stepped, event.footprint, event.guard);
            self.ids.push(id);
        }
    }

    /// What an event of E does in F, where additions that it commutes with may be missing.
    fn as_it_is_now(&self, trace: &Trace, event: &Event) -> Stepped {
        let Event { op, outcome, before, after, footprint, .. } = *event;
        let same = Stepped { op, outcome, before, after, failure: None };
        let before = match footprint.mode {
            Mode::Add if footprint.touches() => self.word(trace, footprint.object).unwrap_or(before),
            _ => return same,
        };
        Stepped { before, after: objects::apply(op.kind, outcome, before, event.thread()), ..same }
    }

    /// The word of an object at the end of F, if an event of E touches it.
    fn word(&self, trace: &Trace, object: ObjectId) -> Option<State> {
        self.rest.last_word(object).or_else(|| trace.first_word(object))
    }

    /// The races of a sibling of the event that is left out.
    fn races(&self, trace: &Trace, sibling: &Sibling) -> Vec<SiblingRace> {
        let Sibling { event: e, pending, word } = sibling;
        let Some(second) = self.rest.second_of_pending(pending) else { return Vec::new() };
        let word = self.word(trace, pending.op.object).unwrap_or(*word);
        let index = trace.event(*e).index;
        if self.is_enabled(pending, word) {
            let Second { mut causes, .. } = second;
            let footprint = match pending.op.kind {
                OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => {
                    causes[1] = self.rest.taken_now(pending.op.object, pattern).unwrap_or(NO_EVENT);
                    self.rest.footprint_now(pending)
                }
                _ => second.footprint_unguarded(word),
            };
            let causes = self.in_trace(causes);
            let alternatives = objects::alternatives(pending.op.kind, word);
            let race = Race::alone(*e, &Second { causes, ..second }, footprint, alternatives);
            return vec![SiblingRace { race, dropped: Vec::new(), index }];
        }
        let races: PendingRaces = self.rest.races_of_pending(pending);
        let left_out = |race: &Race| {
            let mut all: Vec<EventId> = races.dropped(race).iter().map(|&id| self.ids[id as usize]).collect();
            all.extend([self.ids[race.first as usize], *e]);
            all.sort_unstable();
            let first = all.remove(0);
            all.retain(|&dropped| !trace.happens_before(first, dropped));
            SiblingRace { race: race.in_terms_of(first, self.in_trace(race.causes)), dropped: all, index }
        };
        races.all().iter().map(left_out).collect()
    }

    /// These events of F, as they are in E.
    fn in_trace(&self, causes: [EventId; 2]) -> [EventId; 2] {
        causes.map(|cause| self.ids.get(cause as usize).copied().unwrap_or(NO_EVENT))
    }

    fn is_enabled(&self, pending: &Pending, word: State) -> bool {
        match pending.op.kind {
            OpKind::Receive(pattern) => self.rest.taken_now(pending.op.object, pattern).is_some(),
            kind => objects::enabled(kind, word),
        }
    }
}
