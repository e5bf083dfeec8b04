//! What an operation on a mailbox can come before: the search of [`crate::removal`], with what a receive would take in
//! place of a word.
//!
//! A receive that comes first may take another message, or none. Then it depends on other events than before, so it may
//! *forget* some that are kept: what the race leads to is found as well by coming before those first. Where one of the two
//! ways is always the better one, the race says so ([`Race::is_repeated`](crate::Race::is_repeated)); where not, it is left to
//! the algorithm ([`Trace::forgetting`]). docs/algorithms/pop.md has the cases.

use crate::dependence::Mode;
use crate::history::NO_EVENT;
use crate::race::{Races, Second};
use crate::removal::is_covered;
use crate::trace::{EventId, Trace};
use model::OpKind;

/// A search at work.
struct Search<'a> {
    trace: &'a Trace,
    second: Second,
    races: &'a mut Races,
    /// Latest first.
    removed: Vec<EventId>,
    /// Latest first.
    kept: Vec<EventId>,
}

impl Trace {
    /// The races of the last event, which is on a mailbox, and its clock.
    pub(crate) fn find_races_on_mailbox(&mut self, id: EventId) {
        let mut rivals = std::mem::take(&mut self.on_mailbox);
        let mut races = std::mem::take(&mut self.races);
        let mut covered = std::mem::take(&mut races.scratch.covered);
        self.find_rivals_on_mailbox(id, &mut rivals);
        self.clocks.copy_last(&mut covered);
        races.find_on_mailbox(self, &rivals, Second::of(self.event(id), id), &mut covered);
        for &e in &rivals {
            if !self.is_before_last_clock(e) {
                self.clocks.join_last(e as usize);
            }
        }
        races.scratch.covered = covered;
        self.races = races;
        self.on_mailbox = rivals;
    }
}

impl Races {
    /// Adds the races of a receive that waits: with the takes without which there would be a message for it. `covered` is
    /// its clock by its causes.
    pub(crate) fn find_takes(&mut self, trace: &Trace, second: Second, covered: &mut [u32]) {
        let takes: Vec<EventId> = trace.takes(trace.heads_of(second.footprint.object).add).collect();
        self.find_on_mailbox(trace, &takes, second, covered);
    }

    /// Adds the races of an operation with these events, which are given latest first. `covered` is its clock by its
    /// causes; it grows by what is kept.
    fn find_on_mailbox(&mut self, trace: &Trace, rivals: &[EventId], second: Second, covered: &mut [u32]) {
        let [removed, kept] = [&mut self.scratch.removed, &mut self.scratch.kept].map(std::mem::take);
        let mut search = Search { trace, second, races: self, removed, kept };
        for (place, &e) in rivals.iter().enumerate() {
            if !is_covered(covered, trace.event(e)) {
                search.remove(e, &rivals[place + 1..], covered);
                trace.clocks.join_into(covered, e as usize);
                search.kept.push(e);
            }
        }
        let Search { removed, mut kept, .. } = search;
        kept.clear();
        (self.scratch.removed, self.scratch.kept) = (removed, kept);
    }
}

impl Search<'_> {
    /// `e` is removed too: this is a race, or takes before it must be removed.
    fn remove(&mut self, e: EventId, earlier: &[EventId], covered: &[u32]) {
        self.removed.push(e);
        match self.second.without(self.trace, &self.removed) {
            Some(second) => {
                let Search { trace, ref removed, ref kept, .. } = *self;
                let stays = |event| !removed.iter().any(|&removed| trace.happens_before(removed, event));
                let forgotten = kept.iter().copied().filter(|&k| stays(k) && !second.needs(trace, k, kept));
                self.races.add_on_mailbox(trace, removed, &second, forgotten);
            }
            None => {
                // Only what takes a message can be in the way of a receive. Those before one that is kept are kept.
                let mut takes = earlier.iter().enumerate().filter(|(_, e)| self.trace.is_take(**e));
                if let Some((place, &take)) = takes.next()
                    && !is_covered(covered, self.trace.event(take))
                {
                    self.remove(take, &earlier[place + 1..], covered);
                }
            }
        }
        self.removed.pop();
    }
}

impl Trace {
    fn is_take(&self, e: EventId) -> bool {
        matches!(self.event(e).footprint.mode, Mode::Take(_))
    }
}

impl Second {
    /// The same operation on a mailbox without these events and all that happens after them, if it is enabled then.
    fn without(&self, trace: &Trace, removed: &[EventId]) -> Option<Second> {
        let (OpKind::Receive(pattern) | OpKind::TryReceive(pattern)) = self.kind else { return Some(*self) };
        let stays = |e: &EventId| !removed.iter().any(|r| r == e || trace.happens_before(*r, *e));
        let history = trace.history(self.footprint.object).filter(stays);
        let (mode, send) = match trace.taken_after(history.collect(), pattern) {
            Some(send) => (Mode::Take(pattern), send),
            None if self.kind.may_block() => return None,
            None => (Mode::TimeOut(pattern), NO_EVENT),
        };
        let mut reversed = *self;
        reversed.footprint.mode = mode;
        reversed.causes[1] = send;
        Some(reversed)
    }

    /// Whether an event happens before this operation, by what it touches and takes; the others that it may touch are given.
    fn needs(&self, trace: &Trace, event: EventId, others: &[EventId]) -> bool {
        let is_direct =
            |e: EventId| e == self.causes[1] || trace.event(e).footprint.mode.conflicts(self.footprint.mode);
        let leads = |e: EventId| e == event || trace.happens_before(event, e);
        is_direct(event)
            || (self.causes[1] != NO_EVENT && leads(self.causes[1]))
            || others.iter().any(|&e| is_direct(e) && leads(e))
    }
}
