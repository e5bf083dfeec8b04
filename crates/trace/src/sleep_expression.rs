//! Sleep sets of POP, characterised instead of listed.
//!
//! When a schedule σ with head h is moved before e, other schedules are moved before e too, each in its own branch. Those
//! whose heads conflict with e but not with h are *compatible* with σ: executions that start with both must be explored
//! in one of the two branches only. There can be exponentially many such schedules, so they are not listed.
//!
//! POP (Section 4.3 and Algorithm 2) lets those sleep that were found earlier, by patterns of the execution that σ was
//! found in. Here it is the order of the threads that decides: in the branch of h, a compatible head of a thread before
//! h's sleeps, until something conflicts with it. So a set of compatible heads is explored in the one branch that takes
//! them in the order of their threads, as far as happens-before leaves it open; a head that happens after another one of
//! the set may follow it. What sleeps depends on nothing but σ. The oracle confirms it (docs/algorithms/pop.md).

use crate::dependence::{Footprint, Mode};
use crate::trace::{Event, EventId, Trace};
use model::ThreadId;

/// An event by name: a step of a thread, the same in every execution that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// Whose step.
    pub thread: ThreadId,
    /// The how-manyth, counted from 1.
    pub index: u32,
}

impl Name {
    /// The name of an executed event.
    #[inline]
    pub fn of(event: &Event) -> Self {
        Name { thread: event.thread(), index: event.index }
    }
}

/// An event that is about to be added to an execution, with its clock there.
#[derive(Clone, Copy, Debug)]
pub struct Next<'c> {
    /// Its name.
    pub name: Name,
    /// What it touches.
    pub footprint: Footprint,
    /// How many steps of each thread happen before it or are it.
    pub clock: &'c [u32],
}

impl Next<'_> {
    /// Whether it happens after an event of this name.
    #[inline]
    fn is_after(&self, name: Name) -> bool {
        name != self.name && self.clock[name.thread.index()] >= name.index
    }
}

/// Schedules that sleep: those that are compatible with one whose head is in E, with heads that touch the same object as
/// that in a certain mode.
#[derive(Clone, Copy, Debug)]
struct Sleeping {
    /// The head of the schedule that they are compatible with.
    head: EventId,
    target: Footprint,
    /// The first event of E after the head that conflicts with them: they sleep before it.
    woken: EventId,
}

/// No event woke them.
const NEVER: EventId = EventId::MAX;

/// `SSChar[E']` for every prefix E' of E.
#[derive(Clone, Debug, Default)]
pub struct SleepExpressions {
    /// In the order of their heads.
    all: Vec<Sleeping>,
}

impl SleepExpressions {
    /// E is cut to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        let len = len as EventId;
        while self.all.pop_if(|sleeping| sleeping.head >= len).is_some() {}
        for sleeping in self.all.iter_mut().filter(|sleeping| sleeping.woken >= len) {
            sleeping.woken = NEVER;
        }
    }

    /// E has grown by an event: it wakes what it conflicts with.
    #[inline]
    pub fn grow(&mut self, trace: &Trace) {
        let id = trace.len() as EventId - 1;
        let footprint = trace.event(id).footprint;
        for sleeping in &mut self.all {
            if sleeping.woken == NEVER && sleeping.target.depends(&footprint) {
                sleeping.woken = id;
            }
        }
    }

    /// The last event of E is the head of a schedule that was moved before an event that touched the same object in the
    /// mode `over`: `MkSchedChar`.
    pub fn add(&mut self, trace: &Trace, over: Mode) {
        let head = trace.len() as EventId - 1;
        let footprint = trace.event(head).footprint;
        for mode in Mode::ALL {
            if mode.conflicts(over) && !mode.conflicts(footprint.mode) {
                self.all.push(Sleeping { head, target: Footprint { mode, ..footprint }, woken: NEVER });
            }
        }
    }

    /// Whether something sleeps after E that events with this footprint could complete.
    #[inline]
    pub fn are_about(&self, footprint: Footprint) -> bool {
        self.all.iter().any(|sleeping| sleeping.woken == NEVER && sleeping.target == footprint)
    }

    /// Whether nothing sleeps after E.
    #[inline]
    pub fn are_empty(&self) -> bool {
        self.all.iter().all(|sleeping| sleeping.woken != NEVER)
    }

    /// `UpdSeq(σ, SSChar[E']) = block`, for E' the first `len` steps of E: whether σ completes a sleeping schedule.
    pub fn block<'c>(&self, trace: &Trace, len: usize, schedule: impl Iterator<Item = Next<'c>> + Clone) -> bool {
        let len = len as EventId;
        let before = self.all.partition_point(|sleeping| sleeping.head < len);
        let mut asleep = self.all[..before].iter().filter(|sleeping| sleeping.woken >= len);
        asleep.any(|sleeping| sleeping.is_completed(trace, len, schedule.clone()))
    }
}

impl Sleeping {
    /// Whether σ, after the first `len` steps of E, has the head of a schedule that sleeps.
    fn is_completed<'c>(&self, trace: &Trace, len: EventId, schedule: impl Iterator<Item = Next<'c>> + Clone) -> bool {
        for (place, next) in schedule.clone().enumerate() {
            if next.footprint == self.target {
                let mut earlier = schedule.clone().take(place);
                if self.is_head(trace, len, &next) && !earlier.any(|e| self.lets_pass(&next, &e)) {
                    return true;
                }
            } else if next.footprint.depends(&self.target) {
                return false;
            }
        }
        false
    }

    /// Whether `next` may follow because it happens after an event of σ that touches the target.
    fn lets_pass(&self, next: &Next<'_>, earlier: &Next<'_>) -> bool {
        earlier.footprint == self.target && next.is_after(earlier.name)
    }

    /// Whether `next`, which touches the target, is of a thread before the head's, and happens neither after that head
    /// nor after another event that touched the target since.
    fn is_head(&self, trace: &Trace, len: EventId, next: &Next<'_>) -> bool {
        let head = trace.event(self.head);
        next.name.thread < head.thread()
            && !next.is_after(Name::of(head))
            && !trace.touched_between(self.target, self.head + 1, len).any(|e| next.is_after(Name::of(trace.event(e))))
    }
}
