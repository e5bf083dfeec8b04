//! Whether the threads that are left at the end of an execution are stuck for ever.
//!
//! A thread that came round, or waits because it would, goes round for ever if every look of its round is what is there
//! now. Then that is a livelock. If some look is out of date, it would do something else, which another execution shows.

use super::rounds::steps_of;
use super::visits::{Closed, Done};
use super::watched::Watched;
use model::{Guard, Hidden, ObjectId, Op, OpKind, Outcome, Pending, State, Stepped, ThreadId};

/// What is to be said of the threads that are left at the end of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No loop is part of it: what they wait for, they wait for.
    Plain,
    /// Some thread only has not gone on: other executions show what it does.
    Open,
    /// Nobody ever goes on. These threads go round their loops.
    Stuck(Vec<Pending>),
}

/// What a thread that is left does for ever.
enum Left {
    /// It waits at an operation of the program.
    Blocked(Op),
    /// It goes round by these steps.
    Round(Vec<Done>),
    /// It takes this mutex, looks, and gives it back.
    Section(ObjectId),
    /// It is not known.
    Unknown,
}

impl Watched<'_> {
    /// What is to be said of the threads that are left, when none of them can take a step.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.watches {
            return Verdict::Plain;
        }
        let left: Vec<(ThreadId, Left)> =
            (0..self.run.threads() as u32).map(ThreadId).filter_map(|t| Some((t, self.left(t)?))).collect();
        let goes_round = |left: &Left| !matches!(left, Left::Blocked(_));
        if !left.iter().any(|(_, left)| goes_round(left)) {
            return Verdict::Plain;
        }
        let is_current = |(thread, left): &(ThreadId, Left)| self.is_current(*thread, left);
        if !left.iter().all(is_current) || !self.are_apart(&left) {
            return Verdict::Open;
        }
        let going = left.iter().filter(|(_, left)| goes_round(left));
        Verdict::Stuck(going.filter_map(|&(thread, _)| self.as_waiting(thread)).collect())
    }

    /// A thread that goes round, as one that waits.
    fn as_waiting(&self, thread: ThreadId) -> Option<Pending> {
        let pending = self.run.pending(thread)?;
        Some(Pending { enabled: false, guard: self.guard(thread), ..pending })
    }

    fn left(&self, thread: ThreadId) -> Option<Left> {
        let pending = self.run.pending(thread)?;
        let blocked = Some(Left::Blocked(pending.op));
        let Some(visits) = self.threads.get(thread.index()) else { return blocked };
        let Some(visit) = visits.last() else { return blocked };
        let round = |from: u32, last: Option<Done>| {
            let steps = steps_of(&visits.all()[from as usize + 1..]).map(|step| self.log[step as usize]);
            Left::Round(steps.chain(last).collect())
        };
        Some(match visit.closed {
            Some(Closed::Round(from)) => round(from, None),
            Some(Closed::Shortcut | Closed::Together) => Left::Unknown,
            None if !pending.enabled => Left::Blocked(pending.op),
            None => match self.round_of_waiting(thread, visit.guard, &pending.op) {
                Some(Closed::Round(from)) => {
                    let word = self.run.word(pending.op.object);
                    let stepped =
                        Stepped { op: pending.op, outcome: Outcome::Done, before: word, after: word, failure: None };
                    round(from, Some(Done::new(thread, &stepped)))
                }
                Some(Closed::Shortcut | Closed::Together) => Left::Unknown,
                None if self.guards.get(visit.guard).is_idle_section(|object| self.run.word(object)) => {
                    Left::Section(pending.op.object)
                }
                None => Left::Unknown,
            },
        })
    }

    /// How a thread that waits because it would come round would do so.
    fn round_of_waiting(&self, thread: ThreadId, guard: Guard, op: &Op) -> Option<Closed> {
        let word = self.run.word(op.object);
        if guard == Guard::NONE || !self.guards.get(guard).is_bad(word) {
            return None;
        }
        let state = self.threads[thread.index()].last()?.state?;
        let mut at = self.known.fact(state, word)?;
        loop {
            if let Some(closed) = self.closing(thread, at, None) {
                return Some(closed);
            }
            match self.known.transit(at) {
                Some(next) => at = next,
                None => return Some(Closed::Shortcut),
            }
        }
    }

    /// Whether everything that a round looks at is there now, so that it goes the same way again.
    fn is_current(&self, thread: ThreadId, left: &Left) -> bool {
        let steps = match left {
            Left::Unknown => return false,
            Left::Blocked(_) | Left::Section(_) => return true,
            Left::Round(steps) => steps,
        };
        // The words that the round itself leaves behind on its way, if it is gone once more.
        let mut left: Vec<(ObjectId, State)> = Vec::new();
        for done in steps {
            if matches!(done.op.kind, OpKind::Choose(_)) {
                return false;
            }
            if done.op.kind.nature().hidden == Hidden::Sight && self.is_touched_by_others(thread, done.op.object) {
                return false;
            }
            if done.op.object == ObjectId::NONE {
                continue;
            }
            let own = left.iter().position(|&(object, _)| object == done.op.object);
            let word = own.map_or_else(|| self.run.word(done.op.object), |own| left[own].1);
            if own.is_none() && word != done.before {
                // At a lock that is held now it would wait; at one that guards something else now it would go on.
                let is_held = || objects::mutex_owner(word).is_some();
                return done.op.kind == OpKind::Lock && is_held();
            }
            // In the middle of a round that was gone, others may have changed what it had changed.
            let Some(after) = self.again(done, word) else { return false };
            match own {
                Some(own) => left[own].1 = after,
                None if !done.is_silent() => left.push((done.op.object, after)),
                None => {}
            }
        }
        left.iter().all(|&(object, word)| self.run.word(object) == word)
    }

    /// The word that a step of a round leaves behind if it finds `word` this time, and its thread goes the same way.
    fn again(&self, done: &Done, word: State) -> Option<State> {
        if done.op.kind.overwrites() && !done.is_silent() { Some(done.after) } else { done.with(word, &[&self.known]) }
    }

    /// Whether another thread had anything to do with an object since this one last had.
    fn is_touched_by_others(&self, thread: ThreadId, object: ObjectId) -> bool {
        let mut latest = self.log.iter().rev().filter(|done| done.op.object == object);
        latest.next().is_some_and(|done| done.thread != thread)
    }

    /// Whether no round sees what another one changes and puts back, and nobody waits for what a round gives back.
    fn are_apart(&self, left: &[(ThreadId, Left)]) -> bool {
        left.iter().all(|(thread, one)| {
            let changed = one.changed();
            left.iter().filter(|(other, _)| other != thread).all(|(other, two)| match two {
                Left::Blocked(op) => !changed.contains(&op.object),
                Left::Round(steps) => {
                    let shared = steps.iter().filter(|done| changed.contains(&done.op.object));
                    shared.into_iter().all(|done| match done.op.kind {
                        OpKind::Unlock => true,
                        OpKind::Lock => is_free_for(self.run.word(done.op.object), *other),
                        _ => false,
                    })
                }
                Left::Section(_) | Left::Unknown => true,
            })
        })
    }
}

/// Whether a mutex with this word can be taken by a thread, or is held by it.
fn is_free_for(word: State, thread: ThreadId) -> bool {
    objects::mutex_owner(word).is_none_or(|owner| owner == thread)
}

impl Left {
    /// The objects that it changes and puts back.
    fn changed(&self) -> Vec<ObjectId> {
        match self {
            Left::Round(steps) => steps.iter().filter(|done| !done.is_silent()).map(|done| done.op.object).collect(),
            Left::Section(mutex) => vec![*mutex],
            Left::Blocked(_) | Left::Unknown => Vec::new(),
        }
    }
}
