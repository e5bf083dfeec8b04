//! Races, and which of them can be reversed.
//!
//! SRC finds reversible races `e ≲E e'` between executed events, and adds further lines for operations that block
//! (Algorithms 3 to 6). Both are one search here, which [`crate::removal`] describes: for an operation `o` of thread p
//! (executed or still waiting), which of the events that it conflicts with can be left out so that `o` can come before
//! them?

use crate::dependence::{Change, Footprint, Mode, mode};
use crate::guard::Guards;
use crate::history::Conflicts;
use crate::removal::Scratch;
use crate::trace::{Event, EventId, Trace};
use model::{Cause, Choice, Decided, Guard, OpKind, Outcome, Pending, State, ThreadId, Update};

/// A pair of operations in an order that can be reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// e, the event that came first: the earliest of those that the second is to come before.
    pub first: EventId,
    /// e', the event that came second; `None` when its thread is still waiting for it.
    pub second: Option<EventId>,
    /// The thread of the second.
    pub thread: ThreadId,
    /// The alternatives that the second has when it comes first: every one is to be explored.
    pub alternatives: u32,
    /// Which of the transitions of its thread the second is.
    pub transition: u16,
    /// What the second touches when it comes first. (A compare-exchange may then fail.)
    pub footprint: Footprint,
    /// Whether another race of the same second leads to the same executions: see `mailbox/races.rs`.
    pub is_repeated: bool,
    /// The causes of the second.
    pub(crate) causes: [EventId; 2],
    /// Where the dropped events are.
    dropped: (u32, u32),
}

impl Race {
    /// Of a second that is no event with `e` alone.
    pub(crate) fn alone(e: EventId, second: &Second, footprint: Footprint, alternatives: u32) -> Self {
        let Second { thread, transition, causes, .. } = *second;
        let (is_repeated, dropped) = (false, (0, 0));
        Race { first: e, second: None, thread, alternatives, transition, footprint, is_repeated, causes, dropped }
    }

    /// The same second, with other events by which it is named.
    pub(crate) fn in_terms_of(&self, first: EventId, causes: [EventId; 2]) -> Self {
        Race { first, causes, ..*self }
    }

    /// The second, by the first of its alternatives.
    #[inline]
    pub(crate) fn choice(&self) -> Choice {
        Choice { thread: self.thread, alternative: 0 }.of_transition(self.transition)
    }
}

/// All races of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    races: Vec<Race>,
    dropped: Vec<EventId>,
    /// In the order of their races.
    forgotten: Vec<Forgotten>,
    pub(crate) scratch: Scratch,
}

/// An event after the first of a race that the second, when it comes first, no longer depends on.
#[derive(Clone, Copy, Debug)]
struct Forgotten {
    /// The place of the race among all.
    race: u32,
    event: EventId,
}

/// The second operation of the races that are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Second {
    pub(crate) event: Option<EventId>,
    pub(crate) thread: ThreadId,
    pub(crate) transition: u16,
    pub(crate) kind: OpKind,
    pub(crate) footprint: Footprint,
    pub(crate) guard: Guard,
    pub(crate) causes: [EventId; 2],
}

impl Races {
    pub(crate) fn all(&self) -> &[Race] {
        &self.races
    }

    pub(crate) fn dropped(&self, race: &Race) -> &[EventId] {
        &self.dropped[race.dropped.0 as usize..race.dropped.1 as usize]
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        if let Some(race) = self.races.get(len) {
            self.dropped.truncate(race.dropped.0 as usize);
        }
        self.races.truncate(len);
        self.forgotten.truncate(self.forgotten.partition_point(|forgotten| (forgotten.race as usize) < len));
    }

    /// Adds the race of `second` with `removed`, which are given latest first; the object is in this state when `second`
    /// comes first.
    pub(crate) fn add(&mut self, trace: &Trace, removed: &[EventId], second: &Second, state: State) {
        let [dropped @ .., e] = removed else { return };
        let start = self.dropped.len() as u32;
        self.dropped.extend(dropped.iter().copied().filter(|&d| !trace.happens_before(*e, d)));
        self.push(*e, second, state, start, second.footprint_in(state, &trace.guards));
    }

    /// Adds the race of `second`, of which the search knows nothing, with `e` alone.
    #[inline(always)]
    pub(crate) fn add_pair(&mut self, e: EventId, second: &Second, state: State) {
        self.push(e, second, state, self.dropped.len() as u32, second.footprint_unguarded(state));
    }

    /// The same for operations on a mailbox, where the second may forget events.
    pub(crate) fn add_on_mailbox(
        &mut self,
        trace: &Trace,
        removed: &[EventId],
        second: &Second,
        forgotten: impl Iterator<Item = EventId>,
    ) {
        let (race, before) = (self.races.len() as u32, self.forgotten.len());
        self.forgotten.extend(forgotten.map(|event| Forgotten { race, event }));
        self.add(trace, removed, second, 0);
        let is_time_out =
            |forgotten: &Forgotten| matches!(trace.event(forgotten.event).footprint.mode, Mode::TimeOut(_));
        let forgotten = &self.forgotten[before..];
        if let Some(race) = self.races.last_mut() {
            race.is_repeated =
                if second.kind.may_block() { !forgotten.is_empty() } else { forgotten.iter().any(is_time_out) };
        }
    }

    #[inline(always)]
    fn push(&mut self, e: EventId, second: &Second, state: State, dropped: u32, footprint: Footprint) {
        self.races.push(Race {
            first: e,
            second: second.event,
            thread: second.thread,
            alternatives: objects::alternatives(second.kind, state),
            transition: second.transition,
            footprint,
            is_repeated: false,
            causes: second.causes,
            dropped: (dropped, self.dropped.len() as u32),
        });
    }
}

impl Race {
    /// Whether an event touches the object that the race is about; of steps, what the second touches.
    pub fn touches_same(&self, trace: &Trace, event: EventId) -> bool {
        let footprint = trace.event(event).footprint;
        match self.step() {
            Some(_) => footprint.depends(&self.footprint),
            None => footprint.object == self.footprint.object,
        }
    }
}

impl Second {
    /// An event that was executed.
    #[inline]
    pub(crate) fn of(event: &Event, id: EventId) -> Self {
        Second {
            event: Some(id),
            thread: event.thread(),
            transition: event.choice.transition(),
            kind: event.op.kind,
            footprint: event.footprint,
            guard: event.guard,
            causes: event.causes,
        }
    }

    /// What it touches when its object is in this state.
    #[inline]
    fn footprint_in(&self, state: State, guards: &Guards) -> Footprint {
        if self.guard != Guard::NONE && self.kind == OpKind::Read {
            let mode = if guards.get(self.guard).commits(state) { Mode::Write } else { Mode::Read };
            return Footprint { mode, ..self.footprint };
        }
        self.footprint_unguarded(state)
    }

    /// The same where the search knows nothing of it.
    #[inline]
    pub(crate) fn footprint_unguarded(&self, state: State) -> Footprint {
        if self.kind.nature().decided != Decided::ByWord {
            return self.footprint;
        }
        let outcome = objects::outcome(self.kind, state);
        match mode(self.kind, outcome, change_of(self.kind, outcome, state, self.thread)) {
            Some(mode) => Footprint { mode, ..self.footprint },
            None => Footprint::NONE,
        }
    }
}

/// Whether an operation with this outcome leaves this word of its object as it is.
#[inline]
pub(crate) fn change_of(kind: OpKind, outcome: Outcome, state: State, thread: ThreadId) -> Change {
    match kind {
        OpKind::ReadModifyWrite(Update::Native) => Change::Changed,
        OpKind::ReadModifyWrite(_) | OpKind::CompareExchange { .. } => {
            Change::between(state, objects::apply(kind, outcome, state, thread))
        }
        OpKind::Read => Change::Silent,
        _ => Change::Changed,
    }
}

impl Trace {
    /// The first events of other races of the same second that forget the first of this race: when the second has come
    /// before this one, they lead to nothing new.
    pub fn forgetting(&self, race: &Race) -> Vec<EventId> {
        let all = &self.races.races;
        let start = all.partition_point(|other| other.second < race.second) as u32;
        let forgotten = &self.races.forgotten;
        let forgotten = &forgotten[forgotten.partition_point(|forgotten| forgotten.race < start)..];
        let of_second = forgotten.iter().map(|f| (&all[f.race as usize], f.event));
        let of_second = of_second.take_while(|(other, _)| other.second == race.second);
        let forget_this = of_second.filter(|&(other, event)| event == race.first && !other.is_repeated);
        forget_this.map(|(other, _)| other.first).collect()
    }

    /// The races of an operation that still waits, or that is about to be executed, at the end of the trace: SRC
    /// Algorithms 3 to 6.
    pub fn races_of_pending(&self, pending: &Pending) -> PendingRaces {
        let mut races = Races::default();
        let Some(second) = self.second_of_pending(pending) else { return PendingRaces(races) };
        let mut covered = Vec::new();
        self.start_clock(pending.thread, &mut covered);
        for cause in second.causes.into_iter().filter(|&cause| cause != EventId::MAX) {
            self.clocks.join_into(&mut covered, cause as usize);
        }
        if let OpKind::Step(_) = second.kind {
            self.find_races_of_waiting_step(&mut races, second, pending.choice(), &mut covered);
        } else if second.footprint.is_on_mailbox() {
            races.find_takes(self, second, &mut covered);
        } else if second.footprint.touches() {
            let conflicts = Conflicts::new(second.footprint, self.heads_of(second.footprint.object));
            races.find(self, conflicts, second, &mut covered);
        }
        PendingRaces(races)
    }

    /// An operation that waits; nothing if it waits to be notified, not for its object.
    pub(crate) fn second_of_pending(&self, pending: &Pending) -> Option<Second> {
        let causes = self.causes(pending.thread, &pending.op);
        if pending.op.kind.nature().cause == Cause::Notify && causes[1] == EventId::MAX {
            return None;
        }
        Some(Second {
            event: None,
            thread: pending.thread,
            transition: pending.transition,
            kind: pending.op.kind,
            footprint: self.footprint_of_waiting(pending),
            guard: pending.guard,
            causes,
        })
    }

    /// What an operation that waits touches, at the most: a load that may be one event with what commits it is a write.
    fn footprint_of_waiting(&self, pending: &Pending) -> Footprint {
        let is_load = pending.op.kind == OpKind::Read && self.guards.get(pending.guard).commits.is_empty();
        let change = if is_load { Change::Silent } else { Change::Changed };
        Footprint::new(&pending.op, Outcome::Done, change)
    }

    /// Whether `event` is one of `causes` or happens before one.
    pub(crate) fn is_before_causes(&self, event: EventId, causes: &[EventId; 2]) -> bool {
        causes.iter().any(|&cause| cause != EventId::MAX && (cause == event || self.happens_before(event, cause)))
    }
}

/// The races of an operation that was not executed; see [`Trace::races_of_pending`].
#[derive(Debug)]
pub struct PendingRaces(Races);

impl PendingRaces {
    /// The races, latest first event first.
    pub fn all(&self) -> &[Race] {
        self.0.all()
    }

    /// Events left out by a race's reversal.
    pub(crate) fn dropped(&self, race: &Race) -> &[EventId] {
        self.0.dropped(race)
    }
}
