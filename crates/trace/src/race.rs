//! Races, and which of them can be reversed.
//!
//! SRC finds reversible races `e ≲E e'` between executed events, and adds further lines for operations that block
//! (Algorithms 3 to 6). Both are one search here: for an operation `o` of thread p (executed or still waiting), look at
//! the events `e` that conflict with it, latest first, that do not happen before a cause of `o` (else no schedule can
//! reverse them). If `o` is enabled after `pre(E,e).u`, for the right part u of `notdep(e,E)`, this is a race, and what
//! happens before `e` needs no further look, for it is found again from the reversed execution. If `o` is not enabled
//! there, `e` enabled it (an unlock before a lock): the search goes on behind `e`, to the event that disabled it.
//!
//! Which part u? All of `notdep(e,E)`, except where adds of other threads decide whether `o` is enabled:
//! - a write lock needs the readers gone: those that hold the lock at the end of `notdep(e,E)` are dropped, and what
//!   happens after their locking;
//! - an await needs a value: every choice among the adds that yields it is a race of its own (SRC Algorithm 6, the
//!   program `awaiting`), with every add, not only the latest.

use crate::dependence::{Footprint, Mode};
use crate::history::Conflicts;
use crate::trace::{Event, EventId, Trace};
use model::{OpKind, Outcome, Pending, State, ThreadId};

/// A pair of operations in an order that can be reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// e, the event that came first.
    pub first: EventId,
    /// e', the event that came second; `None` when its thread is still waiting for it.
    pub second: Option<EventId>,
    /// The thread of the second.
    pub thread: ThreadId,
    /// The alternatives that the second has when it comes first: every one is to be explored.
    pub alternatives: u32,
    /// What the second touches when it comes first. (A compare-exchange may then fail.)
    pub footprint: Footprint,
    /// The causes of the second.
    pub(crate) causes: [EventId; 2],
    /// Where the dropped events are.
    dropped: (u32, u32),
}

/// All races of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    races: Vec<Race>,
    dropped: Vec<EventId>,
    /// Reused clock.
    covered: Vec<u32>,
}

/// The second operation of the races that are looked for.
#[derive(Clone, Copy)]
pub(crate) struct Second {
    event: Option<EventId>,
    thread: ThreadId,
    kind: OpKind,
    footprint: Footprint,
    causes: [EventId; 2],
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
    }

    /// Adds the races of an operation that can block, which is the last event of the trace or to be after it; the last
    /// row of `trace.clocks` is its clock by its causes.
    pub(crate) fn find_blocking(&mut self, trace: &Trace, conflicts: Conflicts, second: &Second) {
        let mut covered = std::mem::take(&mut self.covered);
        trace.clocks.copy_last(&mut covered);
        self.find_uncovered(trace, conflicts, second, &mut covered);
        self.covered = covered;
    }

    /// `covered` is the clock by its causes; it grows by the races found.
    fn find_uncovered(&mut self, trace: &Trace, mut conflicts: Conflicts, second: &Second, covered: &mut [u32]) {
        while let Some(e) = conflicts.next(trace.events()) {
            let event = trace.event(e);
            let is_covered = covered[event.thread().index()] >= event.index;
            if !is_covered {
                if !self.add_if_reversible(trace, e, second) {
                    continue;
                }
                // The adds that an await chose to do without cannot be found again from there.
                let chose = matches!(second.kind, OpKind::Await(_)) && !conflicts.passed_write();
                if !chose {
                    trace.clocks.join_into(covered, e as usize);
                }
            }
            if conflicts.passed_write() {
                return;
            }
        }
    }

    /// Adds the race of `e` with `second`, if `second` could come first. Says whether it could.
    pub(crate) fn add_if_reversible(&mut self, trace: &Trace, e: EventId, second: &Second) -> bool {
        let before = trace.event(e).before;
        if trace.event(e).footprint.mode != Mode::Add {
            // Every change of the object after e happens after it.
            let enabled = objects::enabled(second.kind, before);
            if enabled {
                self.add(e, second, before, &[]);
            }
            return enabled;
        }
        let adds = trace.adds_not_after(e);
        let found = self.races.len();
        match second.kind {
            OpKind::Await(_) => self.add_choices(trace, e, second, before, &adds),
            OpKind::WriteLock => self.add_without_holders(trace, e, second, before, &adds),
            _ => {
                let state = apply_all(trace, before, &adds);
                if objects::enabled(second.kind, state) {
                    self.add(e, second, state, &[]);
                }
            }
        }
        self.races.len() > found
    }

    /// An await: one race for each choice among the adds that passes its test.
    fn add_choices(&mut self, trace: &Trace, e: EventId, second: &Second, before: State, adds: &[EventId]) {
        let mut stack = vec![(0, Vec::new(), before)];
        while let Some((next, dropped, state)) = stack.pop() {
            let Some(&add) = adds.get(next) else {
                if objects::enabled(second.kind, state) {
                    self.add(e, second, state, &dropped);
                }
                continue;
            };
            if dropped.iter().any(|&d| trace.happens_before(d, add)) {
                stack.push((next + 1, dropped, state));
                continue;
            }
            if !trace.is_before_causes(add, &second.causes) {
                let mut without = dropped.clone();
                without.push(add);
                stack.push((next + 1, without, state));
            }
            stack.push((next + 1, dropped, applied(trace, state, add)));
        }
    }

    /// A write lock: the readers that would still hold the lock are dropped, until none does.
    fn add_without_holders(&mut self, trace: &Trace, e: EventId, second: &Second, before: State, adds: &[EventId]) {
        let mut dropped: Vec<EventId> = Vec::new();
        loop {
            let kept: Vec<EventId> = adds
                .iter()
                .copied()
                .filter(|&add| !dropped.iter().any(|&d| d == add || trace.happens_before(d, add)))
                .collect();
            let state = apply_all(trace, before, &kept);
            if objects::enabled(second.kind, state) {
                return self.add(e, second, state, &dropped);
            }
            let holder = kept.iter().copied().find(|&add| is_held_at_end(trace, add, &kept));
            match holder {
                Some(lock) if !trace.is_before_causes(lock, &second.causes) => dropped.push(lock),
                _ => return,
            }
        }
    }

    /// Adds the race of `e` with `second`, whose object is in this state when it comes first.
    #[inline(always)]
    pub(crate) fn add(&mut self, e: EventId, second: &Second, state: State, dropped: &[EventId]) {
        let start = self.dropped.len() as u32;
        self.dropped.extend_from_slice(dropped);
        self.races.push(Race {
            first: e,
            second: second.event,
            thread: second.thread,
            alternatives: objects::alternatives(second.kind, state),
            footprint: second.footprint_in(state),
            causes: second.causes,
            dropped: (start, self.dropped.len() as u32),
        });
    }
}

impl Race {
    /// What an event could touch that races with the same first event and does not conflict with the second when that
    /// comes first: the heads of schedules that are compatible with this race's.
    pub fn compatible(&self, trace: &Trace) -> impl Iterator<Item = Footprint> + use<> {
        let first = trace.event(self.first).footprint.mode;
        let head = self.footprint;
        let compatible = move |mode: &Mode| mode.conflicts(first) && !mode.conflicts(head.mode);
        Mode::ALL.into_iter().filter(compatible).map(move |mode| Footprint { mode, ..head })
    }
}

impl Second {
    /// An event that was executed.
    #[inline]
    pub(crate) fn of(event: &Event, id: EventId) -> Self {
        Second {
            event: Some(id),
            thread: event.thread(),
            kind: event.op.kind,
            footprint: event.footprint,
            causes: event.causes,
        }
    }

    /// What it touches when its object is in this state.
    #[inline]
    fn footprint_in(&self, state: State) -> Footprint {
        use OpKind::*;
        match self.kind {
            CompareExchange { .. } | TryLock | TryReadLock | TryWriteLock | TryAcquire | NotifyOne | NotifyAll => {}
            _ => return self.footprint,
        }
        let outcome = objects::outcome(self.kind, state);
        match crate::dependence::mode(self.kind, outcome) {
            Some(mode) => Footprint { mode, ..self.footprint },
            None => Footprint::NONE,
        }
    }
}

impl Trace {
    /// The races of an operation that still waits, or that is about to be executed, at the end of the trace: SRC
    /// Algorithms 3 to 6.
    pub fn races_of_pending(&self, pending: &Pending) -> PendingRaces {
        let mut races = Races::default();
        let causes = self.causes(pending.thread, &pending.op);
        if matches!(pending.op.kind, OpKind::Relock { .. }) && causes[1] == EventId::MAX {
            // Nobody notified it: it waits for that, not for the mutex.
            return PendingRaces(races);
        }
        let mut covered = vec![0; self.clocks.width()];
        for cause in causes.into_iter().filter(|&cause| cause != EventId::MAX) {
            self.clocks.join_into(&mut covered, cause as usize);
        }
        let second = Second {
            event: None,
            thread: pending.thread,
            kind: pending.op.kind,
            footprint: Footprint::new(&pending.op, Outcome::Done),
            causes,
        };
        if second.footprint.touches() {
            let conflicts = Conflicts::new(second.footprint, self.heads_of(second.footprint.object));
            races.find_uncovered(self, conflicts, &second, &mut covered);
        }
        PendingRaces(races)
    }

    /// The adds to the object of `e` after `e` that do not happen after it, in order.
    fn adds_not_after(&self, e: EventId) -> Vec<EventId> {
        let mut adds: Vec<EventId> = self
            .history(self.event(e).footprint.object)
            .take_while(|&event| event > e)
            .filter(|&event| self.event(event).footprint.mode == Mode::Add)
            .filter(|&event| !self.happens_before(e, event))
            .collect();
        adds.reverse();
        adds
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

fn applied(trace: &Trace, state: State, event: EventId) -> State {
    let event = trace.event(event);
    objects::apply(event.op.kind, event.outcome, state, event.thread())
}

fn apply_all(trace: &Trace, state: State, events: &[EventId]) -> State {
    events.iter().fold(state, |state, &event| applied(trace, state, event))
}

/// Whether `lock` takes a read lock that its thread does not give back within `events`.
fn is_held_at_end(trace: &Trace, lock: EventId, events: &[EventId]) -> bool {
    let thread = trace.event(lock).thread();
    let locks = |event: EventId| matches!(trace.event(event).op.kind, OpKind::ReadLock | OpKind::TryReadLock);
    let mut depth = 0;
    for &event in events.iter().filter(|&&event| event >= lock && trace.event(event).thread() == thread) {
        depth += if locks(event) { 1 } else { -1 };
        if depth == 0 {
            return false;
        }
    }
    locks(lock)
}
