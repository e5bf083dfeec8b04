//! Sleep sets of POP, characterised instead of listed.
//!
//! When a schedule σ with head h is moved before e, other schedules are moved before e too, each in its own branch. Those
//! whose heads conflict with e but not with h are *compatible* with σ: executions that start with both must be explored
//! in one of the two branches only. There can be exponentially many such schedules, so they are not listed.
//!
//! POP (Section 4.3 and Algorithm 2) lets those sleep that were found earlier, by patterns of the execution that σ was
//! found in. Here it is the order of the threads that decides: in the branch of h, a compatible head of a thread before
//! h's sleeps, unless it happens after another head since h. So a set of compatible heads is explored in the one branch that
//! takes them in the order of their threads, as far as happens-before leaves it open. What sleeps depends on nothing but
//! σ. The oracle confirms it (docs/algorithms/pop.md).

use crate::dependence::{Footprint, Mode};
use crate::race::Race;
use crate::trace::{Event, EventId, Trace};
use model::{ObjectId, ThreadId};

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

/// Schedules that sleep: those that are compatible with one whose head is in E.
#[derive(Clone, Copy, Debug)]
struct Sleeping {
    /// That head.
    head: EventId,
    /// Its thread.
    thread: ThreadId,
    /// Its object, and how the event touched it that it was moved before: what conflicts with this is a head, too.
    over: Footprint,
    /// Whether it was taken in place of that event, by one of its threads.
    is_instead: bool,
    /// The first event of E after the head that all heads conflict with: they sleep before it.
    woken: EventId,
}

/// Whether a step is of a process that moves in the other one.
#[inline]
fn is_instead(step: &Footprint, over: &Footprint) -> bool {
    match (step.step(), over.step()) {
        (Some(step), Some(over)) => step.moves_same(over),
        _ => false,
    }
}

/// No event woke them.
const NEVER: EventId = EventId::MAX;

/// `SSChar[E']` for every prefix E' of E.
#[derive(Clone, Debug, Default)]
pub struct SleepExpressions {
    /// In the order of their heads.
    all: Vec<Sleeping>,
    /// How many of them sleep after E.
    asleep: usize,
}

impl SleepExpressions {
    /// E is cut to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        let len = len as EventId;
        while self.all.pop_if(|sleeping| sleeping.head >= len).is_some() {}
        self.asleep = 0;
        for sleeping in self.all.iter_mut().filter(|sleeping| sleeping.woken >= len) {
            sleeping.woken = NEVER;
            self.asleep += 1;
        }
    }

    /// E has grown by an event: a write wakes what touches its object.
    #[inline]
    pub fn grow(&mut self, trace: &Trace) {
        if self.asleep == 0 {
            return;
        }
        let id = trace.len() as EventId - 1;
        let Footprint { object, mode } = trace.event(id).footprint;
        if mode != Mode::Write {
            return;
        }
        for sleeping in &mut self.all {
            if sleeping.woken == NEVER && sleeping.over.object == object {
                sleeping.woken = id;
                self.asleep -= 1;
            }
        }
    }

    /// The last event of E is the head of a schedule that was moved before an event that touched the same object in the
    /// mode `over`: `MkSchedChar`.
    pub fn add(&mut self, trace: &Trace, over: Mode) {
        let head = trace.len() as EventId - 1;
        let event = trace.event(head);
        let over = Footprint { mode: over, ..event.footprint };
        let conflicts_with_all = match (event.footprint.step(), over.step()) {
            (Some(touch), Some(over)) => touch.covers(over),
            _ => event.footprint.mode == Mode::Write,
        };
        if !conflicts_with_all {
            let is_instead = is_instead(&event.footprint, &over);
            self.all.push(Sleeping { head, thread: event.thread(), over, is_instead, woken: NEVER });
            self.asleep += 1;
        }
    }

    /// Whether something sleeps after E that an event of a thread which touches this object could complete.
    #[inline]
    pub fn are_about(&self, thread: ThreadId, object: ObjectId) -> bool {
        let is_about = |sleeping: &Sleeping| {
            let may_come_first = thread < sleeping.thread || sleeping.over.step().is_some();
            sleeping.woken == NEVER && may_come_first && sleeping.over.object == object
        };
        self.asleep > 0 && self.all.iter().any(is_about)
    }

    /// Whether nothing sleeps after E.
    #[inline]
    pub fn are_empty(&self) -> bool {
        self.asleep == 0
    }

    /// Whether the schedule of a race surely completes a sleeping one, as far as that can be told without building it:
    /// where e is a write, nothing that touches its object comes before e' in σ, and e' happens after no more than it
    /// does in E.
    pub fn block_head(&self, trace: &Trace, race: &Race) -> bool {
        let Some(second) = race.second else { return false };
        let first = trace.event(race.first).footprint;
        first.mode == Mode::Write
            && self
                .at(race.first)
                .any(|sleeping| sleeping.over.depends(&race.footprint) && sleeping.is_before(trace, second, race.first))
    }

    /// What sleeps after the first `len` steps of E.
    fn at(&self, len: EventId) -> impl Iterator<Item = &Sleeping> {
        self.all.iter().take_while(move |sleeping| sleeping.head < len).filter(move |sleeping| sleeping.woken >= len)
    }

    /// `UpdSeq(σ, SSChar[E']) = block`, for E' the first `len` steps of E: whether σ completes a sleeping schedule.
    pub fn block<'c>(&self, trace: &Trace, len: usize, schedule: impl Iterator<Item = Next<'c>> + Clone) -> bool {
        let len = len as EventId;
        if self.at(len).next().is_none() {
            return false;
        }
        schedule.clone().enumerate().any(|(place, next)| {
            self.at(len).any(|sleeping| {
                sleeping.is_head(trace, len, &next) && !sleeping.lets_pass(&next, schedule.clone().take(place))
            })
        })
    }
}

impl Sleeping {
    /// Whether a set of compatible heads is explored in the branch of `next`, not of this one: in the order of their threads.
    /// Where one is taken in place of the event that the others were moved before, that event never comes, so that they need
    /// no branch of their own behind it: it is the first.
    #[inline]
    fn comes_after(&self, next: &Next<'_>) -> bool {
        match (is_instead(&next.footprint, &self.over), self.is_instead) {
            (true, false) => true,
            (false, true) => false,
            _ => next.name.thread < self.thread,
        }
    }

    /// Whether `next` may follow although it is a head: it happens after another one in σ.
    fn lets_pass<'c>(&self, next: &Next<'_>, mut earlier: impl Iterator<Item = Next<'c>>) -> bool {
        earlier.any(|e| e.footprint.depends(&self.over) && next.is_after(e.name))
    }

    /// The same as [`Sleeping::is_head`], for an event of E by what it happens after there.
    fn is_before(&self, trace: &Trace, event: EventId, len: EventId) -> bool {
        trace.event(event).thread() < self.thread
            && !trace.happens_before(self.head, event)
            && !trace.conflicts_between(self.over, self.head + 1, len).any(|e| trace.happens_before(e, event))
    }

    /// Whether `next` is a head of a thread before this head's, and happens neither after this head nor after another one
    /// since. (What conflicts with the head happens after it.)
    #[inline]
    fn is_head(&self, trace: &Trace, len: EventId, next: &Next<'_>) -> bool {
        next.footprint.depends(&self.over)
            && self.comes_after(next)
            && !next.is_after(Name::of(trace.event(self.head)))
            && !trace.conflicts_between(self.over, self.head + 1, len).any(|e| next.is_after(Name::of(trace.event(e))))
    }
}
