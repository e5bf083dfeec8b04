//! Sleep sets of POP, characterised instead of listed (POP Section 4.3 and Algorithm 2, with the errata of
//! docs/algorithms/pop.md).
//!
//! When a schedule σ whose head touches x without writing it is moved before e, other such schedules were moved before e
//! too, and executions that start with two of them must be explored after only one. There can be exponentially many of
//! them, so they are not listed: an expression `P ▷ x^R` stands for all of them.
//!
//! | paper | here |
//! |---|---|
//! | `P ▷ x^R` | [`Expression`] with [`Expression::target`] = x, [`Expression::passed`] = R |
//! | `P[ψ]^D ▷ x^R` | the same, with [`Inner`] |
//! | `w'0 {e'1} w'1 {e'2} …`, each event el with its Cl | [`Item`]s of [`Expression::pattern`] |
//! | `UpdSE(e,ψ)`, `UpdP(e,P,x,R)` | [`Expression::update`], [`Expression::update_pattern`] |
//! | `UpdSeq(⟨e⟩, SSChar)` | [`SleepExpressions::after`] |
//!
//! "e reads x" is "e touches x in the target's mode", and "e writes y" is "e conflicts with the target".

use crate::dependence::Footprint;
use crate::trace::Event;
use model::{Choice, ThreadId};
use std::rc::Rc;

/// An event by name: a step of a thread, the same in every execution that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// Whose step.
    pub thread: ThreadId,
    /// The how-manyth, counted from 1.
    pub index: u32,
}

/// An event by name, with what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedEvent {
    /// Its name.
    pub name: Name,
    /// The alternative it is taken by.
    pub alternative: u32,
    /// What it touches.
    pub footprint: Footprint,
}

impl NamedEvent {
    /// The name of an executed event.
    #[inline]
    pub fn of(event: &Event) -> Self {
        let Choice { thread, alternative } = event.choice;
        NamedEvent { name: Name { thread, index: event.index }, alternative, footprint: event.footprint }
    }
}

/// An event that is about to be added to an execution, with its clock there.
#[derive(Clone, Copy, Debug)]
pub struct Next<'c> {
    /// The event.
    pub event: NamedEvent,
    /// How many steps of each thread happen before it or are it.
    pub clock: &'c [u32],
}

impl Next<'_> {
    /// Whether it happens after an event of this name.
    #[inline]
    fn is_after(&self, name: Name) -> bool {
        name != self.event.name && self.clock[name.thread.index()] >= name.index
    }
}

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    /// el, with Cl: what came that conflicts with it. (The paper adds what depends on that; here it is found by its
    /// clock, which knows spawns and joins too.)
    Event(NamedEvent, Vec<Name>),
    /// e'n, the head of a schedule.
    Head(Name),
}

/// A set of schedules with heads that touch one object in one mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expression {
    target: Footprint,
    pattern: Vec<Item>,
    /// R: the events that touched the target and were let pass. Starts with the head of the schedule.
    passed: Vec<Name>,
    inner: Option<Box<Inner>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Inner {
    expression: Expression,
    /// D: the events that the inner expression would have blocked.
    blocked: Vec<NamedEvent>,
}

/// What an expression says of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// It would complete a schedule that sleeps.
    Block,
    /// It bears on the expression.
    Continue,
    /// It does not.
    Independent,
}

impl Expression {
    fn is_target(&self, next: &Next<'_>) -> bool {
        next.event.footprint == self.target
    }

    /// The paper's blocking condition, as far as R decides it: no read in R happens before e.
    fn is_first(&self, next: &Next<'_>) -> bool {
        !self.passed.iter().any(|&name| next.is_after(name))
    }

    fn pass_if_target(&mut self, next: &Next<'_>) {
        if self.is_target(next) {
            self.passed.push(next.event.name);
        }
    }

    /// Whether e happens after every head of the pattern.
    fn is_after_heads(&self, next: &Next<'_>) -> bool {
        self.pattern.iter().all(|item| match item {
            Item::Head(head) => next.is_after(*head),
            Item::Event(..) => true,
        })
    }

    /// `UpdSE(e, ψ)`.
    fn update(&mut self, next: &Next<'_>) -> Verdict {
        let verdict = self.update_pattern(next);
        if verdict != Verdict::Independent || self.inner.is_none() {
            return verdict;
        }
        self.update_inner(next)
    }

    /// `UpdP(e, P, x, R)`.
    fn update_pattern(&mut self, next: &Next<'_>) -> Verdict {
        let event = next.event;
        let mut after_heads = true;
        let mut found = None;
        for (i, item) in self.pattern.iter_mut().enumerate() {
            match item {
                Item::Head(head) => after_heads &= next.is_after(*head),
                Item::Event(el, conflicts) => {
                    let overtaken = conflicts.iter().any(|&c| next.is_after(c));
                    let conflicting = if el.name.thread == event.name.thread {
                        el.name == event.name && el.alternative != event.alternative
                    } else {
                        el.footprint.depends(&event.footprint)
                    };
                    if conflicting {
                        conflicts.push(event.name);
                    }
                    if overtaken || conflicting {
                        found = Some(None);
                        break;
                    }
                    if *el == event {
                        found = Some(Some(i));
                        break;
                    }
                }
            }
        }
        let Some(done) = found else {
            self.pass_if_target(next);
            return Verdict::Independent;
        };
        if let Some(i) = done {
            self.pattern.remove(i);
        }
        if self.is_target(next) && after_heads && self.is_first(next) {
            return Verdict::Block;
        }
        self.pass_if_target(next);
        Verdict::Continue
    }

    /// The rest of `UpdSE` for an expression with one inside, when e is independent of the pattern.
    fn update_inner(&mut self, next: &Next<'_>) -> Verdict {
        let is_target = self.is_target(next);
        let blocks = is_target && self.is_first(next) && self.is_after_heads(next);
        let target = self.target;
        let Some(inner) = &mut self.inner else { return Verdict::Independent };
        let after_blocked = || inner.blocked.iter().any(|d| d.footprint != target && next.is_after(d.name));
        if is_target && after_blocked() {
            return if blocks { Verdict::Block } else { Verdict::Continue };
        }
        match inner.expression.update(next) {
            Verdict::Block => {
                inner.blocked.push(next.event);
                let same = target == inner.expression.target;
                if same && blocks { Verdict::Block } else { Verdict::Continue }
            }
            verdict => verdict,
        }
    }

    /// Whether an event with this footprint ends what the expression is about: "contains ▷y".
    fn is_ended_by(&self, footprint: &Footprint) -> bool {
        self.target.depends(footprint)
            || self.inner.as_ref().is_some_and(|inner| inner.expression.is_ended_by(footprint))
    }

    /// Whether an event with this footprint could be blocked.
    fn is_about(&self, footprint: &Footprint) -> bool {
        self.target == *footprint
    }
}

/// SSChar: a set of expressions. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SleepExpressions(Rc<Vec<Expression>>);

impl SleepExpressions {
    /// Whether nothing sleeps.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an event with this footprint could be blocked: others need no look.
    pub fn are_about(&self, footprint: &Footprint) -> bool {
        self.0.iter().any(|expression| expression.is_about(footprint))
    }

    /// `UpdSeq(⟨e⟩, SSChar)`; none when it is `block`.
    pub fn after(&self, next: &Next<'_>) -> Option<SleepExpressions> {
        if self.is_empty() {
            return Some(self.clone());
        }
        let mut expressions = Vec::with_capacity(self.0.len());
        for expression in self.0.iter() {
            let mut expression = expression.clone();
            if expression.update(next) == Verdict::Block {
                return None;
            }
            if !expression.is_ended_by(&next.event.footprint) {
                expressions.push(expression);
            }
        }
        Some(SleepExpressions(Rc::new(expressions)))
    }

    /// The union with others.
    pub fn with(&self, others: &SleepExpressions) -> SleepExpressions {
        if others.is_empty() {
            return self.clone();
        }
        SleepExpressions(Rc::new(self.0.iter().chain(others.0.iter()).cloned().collect()))
    }

    /// Whether two sets are one and the same object.
    pub fn is(&self, other: &SleepExpressions) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || (self.is_empty() && other.is_empty())
    }
}

/// Builds `MkSchedChar(σ, E1, e, E2)` while E2 is walked over in order.
#[derive(Debug)]
pub struct ScheduleCharacter {
    target: Footprint,
    head: Name,
    pattern: Vec<Item>,
    expressions: Vec<Expression>,
}

impl ScheduleCharacter {
    /// For a schedule with this head, which touches `target`.
    pub fn new(head: Name, target: Footprint) -> Self {
        ScheduleCharacter { target, head, pattern: Vec::new(), expressions: Vec::new() }
    }

    /// An event of E2 that is in no schedule, and not in σ.
    pub fn event(&mut self, event: NamedEvent) {
        self.pattern.push(Item::Event(event, Vec::new()));
    }

    /// A schedule σi of E2: its head, and its own character as it was created.
    pub fn schedule(&mut self, head: Name, character: &SleepExpressions) {
        for inner in character.0.iter() {
            let inner = Box::new(Inner { expression: inner.clone(), blocked: Vec::new() });
            self.expressions.push(self.expression(Some(inner)));
        }
        self.pattern.push(Item::Head(head));
    }

    /// E2 is over.
    pub fn finish(mut self) -> SleepExpressions {
        self.expressions.push(self.expression(None));
        SleepExpressions(Rc::new(self.expressions))
    }

    fn expression(&self, inner: Option<Box<Inner>>) -> Expression {
        Expression { target: self.target, pattern: self.pattern.clone(), passed: vec![self.head], inner }
    }
}
