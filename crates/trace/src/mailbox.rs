//! Mailboxes: which earlier events an operation on one depends on, and what a receive would take.

mod races;

use crate::dependence::Mode;
use crate::history::{Heads, NO_EVENT};
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

    /// The events behind these heads that one on a mailbox conflicts with, or whose message it takes. Some that happen before
    /// another one of them by their modes alone are left out.
    fn find_conflicts_on_mailbox(&self, mode: Mode, heads: Heads, taken: EventId, found: &mut Vec<EventId>) {
        let Heads { write: send, add: take, read: time_out, .. } = heads;
        found.clear();
        match mode {
            Mode::Send(_) => {
                found.push(send);
                // A time-out need not happen before a send that did not match it, so an earlier one may still count.
                found.extend(self.time_outs(time_out).filter(|&e| self.event(e).footprint.mode.conflicts(mode)));
            }
            Mode::Take(_) => {
                // Takes are in one order.
                found.extend([taken, take]);
                found.extend(self.time_outs(time_out).take_while(|&e| take == NO_EVENT || e > take));
            }
            _ => found.push(take),
        }
        found.retain(|&e| e != NO_EVENT);
    }

    /// `clock` takes the maximum with those of the events that one on a mailbox happens after, behind these heads.
    pub(crate) fn join_conflicts_on_mailbox(&self, mode: Mode, heads: Heads, taken: EventId, clock: &mut [u32]) {
        let mut found = Vec::new();
        self.find_conflicts_on_mailbox(mode, heads, taken, &mut found);
        for e in found {
            self.clocks.join_into(clock, e as usize);
        }
    }

    /// The events that may race with the last event, which is on a mailbox; latest first.
    pub(crate) fn find_rivals_on_mailbox(&self, id: EventId, found: &mut Vec<EventId>) {
        let event = self.event(id);
        let taken = self.send_taken_by(id);
        self.find_conflicts_on_mailbox(event.footprint.mode, event.found, taken, found);
        match event.footprint.mode {
            Mode::Send(tag) if !self.takers.is_empty() => self.find_observed_sends(id, tag, found),
            // Behind one that happens before it there is none.
            Mode::Take(_) if event.found.add != NO_EVENT => {
                let earlier = self.event(event.found.add).found.add;
                found.extend(self.takes(earlier).take_while(|&e| !self.is_before_last_clock(e)));
            }
            _ => {}
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// With observers, a send conflicts with those whose message a receive took that could have taken this one, instead of
    /// with the last one.
    fn find_observed_sends(&self, id: EventId, tag: Tag, found: &mut Vec<EventId>) {
        let latest = self.event(id).found.write;
        found.retain(|&e| e != latest);
        let sends = std::iter::successors(event(latest), |&e| event(self.event(e).found.write));
        found.extend(sends.filter(|&send| self.taker(send).is_some_and(|taker| taker.could_take(tag, self.taker(id)))));
    }

    /// The time-outs on a mailbox from this one back.
    fn time_outs(&self, latest: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(event(latest), |&e| event(self.event(e).found.read))
    }

    /// The takes from a mailbox from this one back.
    pub(crate) fn takes(&self, latest: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(event(latest), |&e| event(self.event(e).found.add))
    }

    /// The send of the message that a receive with this pattern would take now.
    pub(crate) fn taken_now(&self, mailbox: ObjectId, pattern: Pattern) -> Option<EventId> {
        self.taken_after(self.history(mailbox).collect(), pattern)
    }

    /// The send of the message that a receive would take after these events on its mailbox, which are given latest first.
    pub(crate) fn taken_after(&self, events: Vec<EventId>, pattern: Pattern) -> Option<EventId> {
        let mut messages = Mailbox::default();
        let mut sends = Vec::new();
        for e in events.into_iter().rev() {
            match self.event(e).op.kind {
                OpKind::Send { tag, value } => {
                    messages.put(Message { number: sends.len() as u32, tag, value });
                    sends.push(e);
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
