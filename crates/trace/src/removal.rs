//! What an operation can come before: the search for races, whether the operation may block or not.
//!
//! Let `o` be an operation of thread p, executed after E or still waiting there, and look at the events that it conflicts
//! with, latest first. Some can be *removed*, with all that happens after them, so that `o` comes before them. The rest
//! is *kept*, with all that happens before it. What happens before a cause of `o` (its thread's previous step, say) is
//! kept in any case.
//!
//! A set of removed events is a race if `o` is enabled without them. One that leaves `o` disabled (an unlock is removed,
//! and not its lock) must grow by earlier events. One that is a race needs no further look: larger sets are found again
//! from the reversed execution. So every set that `o` could come before is reached by one chain of reversals, each
//! removing events that are older than those removed before; POP rests on that.
//!
//! For an operation that is always enabled, these are the races of SRC: one event removed, the latest of each thread. For
//! locks, the removed are a lock and its unlock. Only adds, which commute, leave a choice:
//! - an await takes every choice among the adds that yields its value (SRC Algorithm 6, the program `awaiting`);
//! - a write lock that comes before the unlock of a reader must come before its lock.

use crate::dependence::Mode;
use crate::history::Conflicts;
use crate::race::{Races, Second};
use crate::trace::{Event, EventId, Trace};
use model::{Guard, ObjectId, OpKind, Outcome, State};

/// What the search remembers while it goes back. Reused, so that it allocates nothing in the long run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) covered: Vec<u32>,
    pub(crate) removed: Vec<EventId>,
    pub(crate) kept: Vec<EventId>,
    owed: Vec<EventId>,
}

/// A search at work.
pub(crate) struct Search<'a> {
    trace: &'a Trace,
    second: Second,
    races: &'a mut Races,
    /// Latest first.
    removed: Vec<EventId>,
    /// Adds that are kept although earlier events may be removed, latest first.
    kept: Vec<EventId>,
    /// Read locks that a write lock must come before, because it comes before their unlocks.
    owed: Vec<EventId>,
}

impl Races {
    /// Adds the races of the last event of the trace; the last row of `trace.clocks` is its clock by its causes.
    pub(crate) fn find_of_last(&mut self, trace: &Trace, conflicts: Conflicts, second: Second) {
        let mut covered = std::mem::take(&mut self.scratch.covered);
        trace.clocks.copy_last(&mut covered);
        self.find(trace, conflicts, second, &mut covered);
        self.scratch.covered = covered;
    }

    /// Adds the races of an operation. `covered` is its clock by its causes; it grows by what is kept.
    pub(crate) fn find(&mut self, trace: &Trace, conflicts: Conflicts, second: Second, covered: &mut [u32]) {
        let scratch = &mut self.scratch;
        let [removed, kept, owed] = [&mut scratch.removed, &mut scratch.kept, &mut scratch.owed].map(std::mem::take);
        let mut search = Search { trace, second, races: self, removed, kept, owed };
        search.at_start(conflicts, covered);
        let Search { mut removed, mut kept, mut owed, .. } = search;
        removed.clear();
        kept.clear();
        owed.clear();
        self.scratch = Scratch { covered: std::mem::take(&mut self.scratch.covered), removed, kept, owed };
    }
}

impl Search<'_> {
    /// Nothing is removed yet: every event is removed, and then kept.
    fn at_start(&mut self, mut conflicts: Conflicts, covered: &mut [u32]) {
        if self.second.event.is_none() && self.second.kind == OpKind::WriteLock && !self.owe_holders(covered) {
            return;
        }
        while let Some(e) = conflicts.next(self.trace.events()) {
            let event = self.trace.event(e);
            if !is_covered(covered, event) {
                self.remove(e, &conflicts, covered);
                if self.owed.iter().any(|&lock| lock == e || self.trace.happens_before(lock, e)) {
                    return;
                }
                self.trace.clocks.join_into(covered, e as usize);
            }
            if conflicts.passed_write() {
                return;
            }
            if event.footprint.mode == Mode::Add {
                self.kept.push(e);
            }
        }
    }

    /// `e` is removed too: this is a race, or earlier events must be removed.
    fn remove(&mut self, e: EventId, conflicts: &Conflicts, covered: &[u32]) {
        let owed = self.owed.len();
        if self.pay_or_owe(e, covered) {
            self.removed.push(e);
            let state = self.state_without(e);
            if self.is_enabled_before(e, state) {
                self.races.add(self.trace, &self.removed, &self.second, state);
            } else {
                self.go_back(conflicts.clone(), covered, state);
            }
            self.removed.pop();
        }
        self.owed.truncate(owed);
    }

    /// Whether the operation is enabled where its object has this word, whatever other objects have.
    fn is_enabled(&self, word: State) -> bool {
        let Second { kind, guard, .. } = self.second;
        objects::enabled(kind, word) && (guard == Guard::NONE || !self.trace.guards.get(guard).is_bad(word))
    }

    /// Whether the operation is enabled without what is removed, of which `e` is the earliest, so that its object has this
    /// word. A section that only looks waits at its lock for what it looks at; that was changed under the same lock, so
    /// that it is what it was before `e`.
    fn is_enabled_before(&self, e: EventId, word: State) -> bool {
        let before = |object: ObjectId| self.trace.word_before(object, e);
        let is_idle = |looks: &Vec<(ObjectId, State)>| looks.iter().all(|&(object, seen)| before(object) == Some(seen));
        self.is_enabled(word) && !self.trace.guards.get(self.second.guard).sections.iter().any(is_idle)
    }

    /// The word that the operation finds without what is removed, of which `e` is the earliest.
    fn state_without(&self, e: EventId) -> State {
        let before = self.trace.event(e).before;
        self.kept.iter().rev().fold(before, |state, &add| applied(state, self.trace.event(add)))
    }

    /// Something is removed, and leaves the operation disabled with its object in this state: more must be.
    fn go_back(&mut self, mut conflicts: Conflicts, covered: &[u32], state: State) {
        let kept = self.kept.len();
        let mut grown: Option<Vec<u32>> = None;
        while let Some(e) = conflicts.next(self.trace.events()) {
            let event = self.trace.event(e);
            let covered = grown.as_deref().unwrap_or(covered);
            if !is_covered(covered, event) {
                self.remove(e, &conflicts, covered);
                let mut with = covered.to_vec();
                self.trace.clocks.join_into(&mut with, e as usize);
                if !self.may_keep(e, &conflicts, &with, state) {
                    break;
                }
                grown = Some(with);
            }
            if conflicts.passed_write() {
                break;
            }
            if event.footprint.mode == Mode::Add {
                self.kept.push(e);
            }
        }
        self.kept.truncate(kept);
    }

    /// Whether `e` can be kept although something later is removed: so that something earlier can still be removed which
    /// enables the operation. `covered` is what is kept then.
    fn may_keep(&self, e: EventId, conflicts: &Conflicts, covered: &[u32], state: State) -> bool {
        match self.trace.event(e).footprint.mode {
            // All that changes the object and is earlier happens before it.
            Mode::Write | Mode::Read | Mode::Unseen => false,
            Mode::Peek => true,
            // Mailboxes have a search of their own, in `mailbox.rs`.
            Mode::Send(_) | Mode::Take(_) | Mode::TimeOut(_) => false,
            // So have steps, in `steps.rs`.
            Mode::Step(_) => false,
            Mode::Add if self.second.kind == OpKind::WriteLock => {
                !self.owed.iter().any(|&lock| is_covered(covered, self.trace.event(lock)))
            }
            Mode::Add => self.some_adds_enable(conflicts.clone(), covered, state),
        }
    }

    /// Whether the operation could be enabled by removing adds that are left to be looked at. (Whether they can be
    /// removed independently of each other is not looked at: this only saves the search from going astray.)
    fn some_adds_enable(&self, mut conflicts: Conflicts, covered: &[u32], state: State) -> bool {
        let mut states = vec![state];
        while let Some(e) = conflicts.next(self.trace.events()) {
            let event = self.trace.event(e);
            if event.footprint.mode != Mode::Add || is_covered(covered, event) {
                continue;
            }
            for i in 0..states.len() {
                let without = taken_back(states[i], event);
                if self.is_enabled(without) {
                    return true;
                }
                if !states.contains(&without) {
                    states.push(without);
                }
            }
        }
        false
    }

    /// A write lock before a reader's unlock must come before its lock: that is owed from now on. One before the lock has
    /// paid. An unlock that was refused gave nothing back. False if what is owed cannot be paid.
    fn pay_or_owe(&mut self, e: EventId, covered: &[u32]) -> bool {
        let event = self.trace.event(e);
        if self.second.kind != OpKind::WriteLock || event.op.kind != OpKind::ReadUnlock || !is_done(event) {
            return true;
        }
        let Some(lock) = self.lock_of(e) else { return true };
        self.owed.push(lock);
        !is_covered(covered, self.trace.event(lock))
    }

    /// The read locks that are held at the end of the trace are owed by a write lock that waits there. False if one of
    /// them cannot be paid.
    fn owe_holders(&mut self, covered: &[u32]) -> bool {
        let mut unlocked = Vec::new();
        for e in self.trace.history(self.second.footprint.object) {
            let event = self.trace.event(e);
            match event.footprint.mode {
                Mode::Write => break,
                Mode::Add if !is_done(event) => {}
                Mode::Add if event.op.kind == OpKind::ReadUnlock => unlocked.extend(self.lock_of(e)),
                Mode::Add if !unlocked.contains(&e) => self.owed.push(e),
                _ => {}
            }
        }
        !self.owed.iter().any(|&lock| is_covered(covered, self.trace.event(lock)))
    }

    /// The read lock that an unlock gives back.
    fn lock_of(&self, unlock: EventId) -> Option<EventId> {
        let event = self.trace.event(unlock);
        let mut depth = 0;
        let mut next = self.trace.history_before(unlock);
        next.find(|&earlier| {
            let earlier = self.trace.event(earlier);
            if earlier.thread() == event.thread() && earlier.footprint.mode == Mode::Add && is_done(earlier) {
                depth += if earlier.op.kind == OpKind::ReadUnlock { 1 } else { -1 };
            }
            depth < 0
        })
    }
}

/// Whether an event is more than a misuse of its object.
#[inline]
fn is_done(event: &Event) -> bool {
    event.outcome == Outcome::Done
}

/// Whether a clock says that an event happens before its own.
#[inline]
pub(crate) fn is_covered(covered: &[u32], event: &Event) -> bool {
    covered[event.thread().index()] >= event.index
}

fn applied(state: State, event: &Event) -> State {
    objects::apply(event.op.kind, event.outcome, state, event.thread())
}

/// The word without what an event added to it.
fn taken_back(state: State, event: &Event) -> State {
    let without = state.wrapping_sub(event.after.wrapping_sub(event.before));
    match event.op.kind {
        OpKind::AddIn { width, .. } => width.extend(without),
        _ => without,
    }
}
