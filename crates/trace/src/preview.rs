//! What an operation would be if it were taken now: POP asks before it takes one.

use crate::dependence::{Change, Footprint, Mode};
use crate::history::{Conflicts, Heads, NO_EVENT};
use crate::race::change_of;
use crate::sleep_expression::{Name, Next};
use crate::trace::Trace;
use model::{Hold, Holding, Op, OpKind, Outcome, Pending, ThreadId};

impl Trace {
    /// The event that an enabled operation would be now, and its clock. Its object must have been touched before, unless
    /// its outcome is the same in every state.
    pub fn preview<'c>(&self, pending: &Pending, clock: &'c mut Vec<u32>) -> Next<'c> {
        let footprint = self.footprint_now(pending);
        self.start_clock(pending.thread, clock);
        let causes = self.causes(pending.thread, &pending.op);
        for cause in causes.into_iter().filter(|&cause| cause != NO_EVENT) {
            self.clocks.join_into(clock, cause as usize);
        }
        for arrival in self.meeting(&pending.op) {
            self.clocks.join_into(clock, arrival as usize);
        }
        let heads = self.heads_of(footprint.object);
        match footprint.mode {
            Mode::Take(pattern) => {
                let taken = self.taken_now(footprint.object, pattern).unwrap_or(NO_EVENT);
                self.join_conflicts_on_mailbox(footprint.mode, heads, taken, clock);
            }
            _ => self.join_conflicts(footprint, heads, clock),
        }
        let index = self.last_of(pending.thread).map_or(0, |last| self.event(last).index) + 1;
        clock[pending.thread.index()] = index;
        Next { name: Name { thread: pending.thread, index }, footprint, clock }
    }

    /// `clock` becomes one for an event of a thread, which may have taken no step so far.
    pub(crate) fn start_clock(&self, thread: ThreadId, clock: &mut Vec<u32>) {
        clock.clear();
        clock.resize(self.clocks.width().max(thread.index() + 1), 0);
    }

    /// `clock` takes the maximum with those of the events that one with this footprint happens after, behind these heads.
    pub(crate) fn join_conflicts(&self, footprint: Footprint, heads: Heads, clock: &mut [u32]) {
        if let Mode::Step(touch) = footprint.mode {
            let end = match heads.any {
                NO_EVENT => 0,
                last => last + 1,
            };
            return self.join_conflicts_with_step(touch, end, clock);
        }
        if footprint.is_on_mailbox() {
            return self.join_conflicts_on_mailbox(footprint.mode, heads, NO_EVENT, clock);
        }
        let mut conflicts = Conflicts::new(footprint, heads);
        while let Some(e) = conflicts.next(self.events()) {
            self.clocks.join_into(clock, e as usize);
            if conflicts.passed_write() {
                break;
            }
        }
    }

    /// What an operation would touch now, if its object has been touched before.
    pub(crate) fn footprint_now(&self, pending: &Pending) -> Footprint {
        if let OpKind::Step(_) = pending.op.kind {
            return self.step_now(pending);
        }
        if let OpKind::Receive(pattern) | OpKind::TryReceive(pattern) = pending.op.kind {
            let is_there = self.taken_now(pending.op.object, pattern).is_some();
            let mode = if is_there { Mode::Take(pattern) } else { Mode::TimeOut(pattern) };
            return Footprint { object: pending.op.object, mode };
        }
        let word = self.history(pending.op.object).next().map(|event| self.event(event).after);
        let Op { kind, .. } = pending.op;
        let (outcome, change) = match word {
            _ if kind == OpKind::ReadUnlock && !self.has_lives && !self.reads(pending) => {
                (Outcome::Refused, Change::Silent)
            }
            Some(word) if self.guards.get(pending.guard).commits(word) => (Outcome::Done, Change::Changed),
            Some(word) => {
                let outcome = objects::outcome(kind, word);
                (outcome, change_of(kind, outcome, word, pending.thread))
            }
            None if kind == OpKind::Read => (Outcome::Done, Change::Silent),
            None => (Outcome::Done, Change::Changed),
        };
        Footprint::new(&pending.op, outcome, change)
    }

    /// Whether a thread that is about to release a reader-writer lock holds it shared.
    fn reads(&self, pending: &Pending) -> bool {
        let own = self.history(pending.op.object).map(|event| self.event(event));
        let own = own.filter(|event| event.thread() == pending.thread && event.outcome == Outcome::Done);
        let holds = own.map(|event| match event.op.kind.nature().holding {
            Holding::Takes(Hold::Shared) | Holding::Downgrades => 1,
            Holding::Gives(Hold::Shared) => -1,
            Holding::Takes(Hold::Exclusive) | Holding::Gives(Hold::Exclusive) => 0,
            Holding::NeedsMutex | Holding::Nothing => 0,
        });
        holds.sum::<i32>() > 0
    }
}
