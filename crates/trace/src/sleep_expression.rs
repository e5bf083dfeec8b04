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

use crate::dependence::Footprint;
use crate::trace::Event;
use model::ThreadId;
use std::rc::Rc;

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

/// The schedules that are compatible with one, as far as they sleep: those with heads that touch one object in one mode.
#[derive(Clone, Debug)]
struct Sleeping {
    target: Footprint,
    /// The head of the schedule that they are compatible with, and what touched the target since and was let pass.
    passed: Vec<Name>,
}

impl Sleeping {
    /// Whether `next` is the head of a schedule that sleeps.
    #[inline]
    fn completes(&self, next: &Next<'_>) -> bool {
        next.footprint == self.target
            && next.name.thread < self.passed[0].thread
            && !self.passed.iter().any(|&name| next.is_after(name))
    }
}

/// SSChar: what sleeps after a prefix. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SleepExpressions(Option<Rc<Vec<Sleeping>>>);

impl SleepExpressions {
    /// What sleeps in the branch of a schedule with this head, compatible schedules having heads that touch one of these.
    pub fn of_schedule(head: Name, compatible: impl Iterator<Item = Footprint>) -> Self {
        SleepExpressions::new(compatible.map(|target| Sleeping { target, passed: vec![head] }).collect())
    }

    fn new(sleeping: Vec<Sleeping>) -> Self {
        SleepExpressions((!sleeping.is_empty()).then(|| Rc::new(sleeping)))
    }

    fn all(&self) -> &[Sleeping] {
        self.0.as_ref().map_or(&[], |sleeping| sleeping)
    }

    /// Whether nothing sleeps.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether an event with this footprint bears on what sleeps: others need no look.
    pub fn are_about(&self, footprint: &Footprint) -> bool {
        self.all().iter().any(|sleeping| sleeping.target == *footprint)
    }

    /// `UpdSeq(⟨e⟩, SSChar) = block`: whether an event completes a sleeping schedule.
    pub fn block(&self, next: &Next<'_>) -> bool {
        self.all().iter().any(|sleeping| sleeping.completes(next))
    }

    /// `UpdSeq(⟨e⟩, SSChar)`, for an event that is not blocked.
    pub fn after(&self, next: &Next<'_>) -> SleepExpressions {
        let touched = |sleeping: &Sleeping| sleeping.target.object == next.footprint.object;
        if !self.all().iter().any(touched) {
            return self.clone();
        }
        let mut all = self.all().to_vec();
        all.retain(|sleeping| !sleeping.target.depends(&next.footprint));
        for sleeping in all.iter_mut().filter(|sleeping| sleeping.target == next.footprint) {
            sleeping.passed.push(next.name);
        }
        SleepExpressions::new(all)
    }

    /// The union with others.
    pub fn with(&self, others: &SleepExpressions) -> SleepExpressions {
        if others.is_empty() {
            return self.clone();
        }
        SleepExpressions::new(self.all().iter().chain(others.all()).cloned().collect())
    }

    /// Whether two sets are one and the same object.
    pub fn is(&self, other: &SleepExpressions) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        }
    }
}
