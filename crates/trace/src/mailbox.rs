//! Mailboxes: which earlier events an operation on one depends on, and what a receive would take in another order.

use crate::dependence::Mode;
use crate::history::{Heads, NO_EVENT};
use crate::race::{Races, Second};
use crate::trace::{EventId, Trace};
use model::{ObjectId, OpKind, Outcome, Pattern, Tag};
use objects::{Mailbox, Message};

impl Trace {
    /// The send of the message that an event received.
    pub(crate) fn send_taken_by(&self, event: EventId) -> EventId {
        let Outcome::Received(number) = self.event(event).outcome else { return NO_EVENT };
        let mut send = self.event(event).found.write;
        while send != NO_EVENT && self.event(send).before > u64::from(number) {
            send = self.event(send).found.write;
        }
        send
    }

    /// The events that conflict with the last event, which is on a mailbox, and do not happen before one another by their
    /// modes alone; latest first.
    fn find_conflicts_on_mailbox(&self, id: EventId, found: &mut Vec<EventId>) {
        let event = self.event(id);
        let Heads { add: take, read: time_out, .. } = event.found;
        found.clear();
        match event.footprint.mode {
            Mode::Send(tag) => {
                self.find_conflicting_sends(id, tag, found);
                // A time-out need not happen before a send that did not match it, so an earlier one may still count.
                found.extend(
                    self.time_outs(time_out).filter(|&e| self.event(e).footprint.mode.conflicts(Mode::Send(tag))),
                );
            }
            Mode::Take(_) => {
                found.push(self.send_taken_by(id));
                // Takes are in one order, so those behind one that happens before it do so too.
                found.extend(self.takes(take).take_while(|&e| !self.is_before_last_clock(e)));
                found.extend(self.time_outs(time_out).take_while(|&e| take == NO_EVENT || e > take));
            }
            _ => found.push(take),
        }
        found.retain(|&e| e != NO_EVENT);
        found.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// The sends that a send of this message conflicts with. With observers, those whose message a receive took that could
    /// have taken this one; otherwise the last one, which all others happen before.
    fn find_conflicting_sends(&self, id: EventId, tag: Tag, found: &mut Vec<EventId>) {
        let latest = self.event(id).found.write;
        if self.takers.is_empty() {
            return found.push(latest);
        }
        let sends = std::iter::successors(event(latest), |&e| event(self.event(e).found.write));
        found.extend(sends.filter(|&send| self.taker(send).is_some_and(|taker| taker.could_take(tag, self.taker(id)))));
    }

    /// The time-outs on a mailbox from this one back.
    fn time_outs(&self, latest: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(event(latest), |&e| event(self.event(e).found.read))
    }

    /// The takes from a mailbox from this one back.
    fn takes(&self, latest: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(event(latest), |&e| event(self.event(e).found.add))
    }

    /// The races of the last event, which is on a mailbox, and its clock. As in `race.rs`, an event without which a receive
    /// would wait is no race: the search goes on behind it.
    pub(crate) fn find_races_on_mailbox(&mut self, id: EventId) {
        let mut conflicts = std::mem::take(&mut self.on_mailbox);
        let mut races = std::mem::take(&mut self.races);
        let mut covered = std::mem::take(&mut races.scratch.covered);
        self.find_conflicts_on_mailbox(id, &mut conflicts);
        self.clocks.copy_last(&mut covered);
        for &e in &conflicts {
            races.add_uncovered(self, e, &Second::of(self.event(id), id), &mut covered);
            if !self.is_before_last_clock(e) {
                self.clocks.join_last(e as usize);
            }
        }
        races.scratch.covered = covered;
        self.races = races;
        self.on_mailbox = conflicts;
    }

    /// The message that a receive with this pattern would take after `pre(E,e).notdep(e,E)`, and its send.
    fn taken_without(&self, mailbox: ObjectId, e: EventId, pattern: Pattern) -> Option<EventId> {
        let mut kept: Vec<EventId> = self.history(mailbox).filter(|&f| f != e && !self.happens_before(e, f)).collect();
        kept.reverse();
        let mut messages = Mailbox::default();
        let mut sends = Vec::new();
        for f in kept {
            match self.event(f).op.kind {
                OpKind::Send { tag, value } => {
                    messages.put(Message { number: sends.len() as u32, tag, value });
                    sends.push(f);
                }
                OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => {
                    messages.take_oldest(pattern);
                }
                _ => {}
            }
        }
        messages.oldest(pattern).map(|message| sends[message.number as usize])
    }
}

fn event(e: EventId) -> Option<EventId> {
    (e != NO_EVENT).then_some(e)
}

impl Races {
    /// Adds the races of a receive that waits: with the takes without which there would be a message for it. `covered` is
    /// its clock by its causes.
    pub(crate) fn find_uncovered_takes(&mut self, trace: &Trace, second: &Second, covered: &mut [u32]) {
        for e in trace.takes(trace.heads_of(second.footprint.object).add) {
            self.add_uncovered(trace, e, second, covered);
        }
    }

    /// Adds the race of `e` with `second`, both on one mailbox, if it is not `covered` and `second` could come first. Then it
    /// is covered.
    fn add_uncovered(&mut self, trace: &Trace, e: EventId, second: &Second, covered: &mut [u32]) {
        let event = trace.event(e);
        if covered[event.thread().index()] >= event.index {
            return;
        }
        if let Some(reversed) = second.without(trace, e) {
            self.add_pair(e, &reversed, 0);
            trace.clocks.join_into(covered, e as usize);
        }
    }
}

impl Second {
    /// The same operation on a mailbox when it comes before `e`, if it can.
    fn without(&self, trace: &Trace, e: EventId) -> Option<Second> {
        let (OpKind::Receive(pattern) | OpKind::TryReceive(pattern)) = self.kind else { return Some(*self) };
        let (mode, send) = match trace.taken_without(self.footprint.object, e, pattern) {
            Some(send) => (Mode::Take(pattern), send),
            None if self.kind.may_block() => return None,
            None => (Mode::TimeOut(pattern), NO_EVENT),
        };
        let mut reversed = *self;
        reversed.footprint.mode = mode;
        reversed.causes[1] = send;
        Some(reversed)
    }
}
