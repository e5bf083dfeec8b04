//! The sequences by which Optimal-DPOR with observers reverses races (OBS Algorithm 1, lines 5 to 10).
//!
//! A race that needs no observer is reversed by `notdep(e,E).ê'`, as in `crate::reversal`. If it needs one, the reversed
//! order counts only once an observer is executed, so the sequence goes on to it:
//! `v = notdep(e,E).ê'.ê.(notobs(e,e',E) \ ê').ô`, where notobs are the events after e that are no observers of this race and
//! happen after none.
//!
//! What is observed in v is not what was observed in E: some reads are left out, and ô sees something else. So what depends
//! on what in v is worked out anew.

mod insertion;

use crate::dependence::{Footprint, Mode};
use crate::done::{DoneSets, Passing};
use crate::history::NO_EVENT;
use crate::observe::Taker;
use crate::race::{PendingRaces, Race, change_of};
use crate::sleep::Sleeper;
use crate::trace::{Event, EventId, Trace};
use insertion::Walked;
use model::{Choice, ObjectId, Op, OpKind, State, Tag};

/// A step of v.
#[derive(Clone, Copy, Debug)]
struct Step {
    passing: Passing,
    causes: [EventId; 2],
    /// The word of its object before.
    word: State,
    /// Of a pass: the barrier, and how many must have arrived.
    meeting: (ObjectId, State),
    /// Of a blind write: whether it is seen in v.
    seen: bool,
    /// Of a send: who receives its message in v, if anybody does.
    taker: Option<Taker>,
    /// Whether the path of an insertion has taken it.
    taken: bool,
}

/// Of what is no pass.
const NO_MEETING: (ObjectId, State) = (ObjectId::NONE, 0);

/// What a pass comes after: so many arrivals at its barrier.
fn meeting_of(op: &Op) -> (ObjectId, State) {
    match op.kind {
        OpKind::Pass { parties, generation } => (op.object, (u64::from(generation) + 1) * u64::from(parties)),
        _ => NO_MEETING,
    }
}

/// A message that is in a mailbox after E'.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    mailbox: ObjectId,
    send: EventId,
    tag: Tag,
}

/// A sequence v to be executed after `E' = pre(E,e)`. Reused from race to race.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The events of v but the last.
    events: Vec<EventId>,
    last: Option<Last>,
    /// The same, once it is to be inserted.
    steps: Vec<Step>,
    /// The messages that are in the mailboxes that v sends to.
    waiting: Vec<Waiting>,
    /// Reused: the last write of each object in v.
    last_writes: Vec<(ObjectId, usize)>,
    /// Of an insertion: the first step that is left, how many are, and the path so far.
    first: usize,
    left: u32,
    path: Vec<Walked>,
}

/// The last step of v, which is not what it was in E.
#[derive(Clone, Copy, Debug)]
struct Last {
    passing: Passing,
    causes: [EventId; 2],
}

impl Sequence {
    /// Becomes the sequence of a race of `trace`, which is one with observers unless no pair of its events needs any.
    pub fn of(&mut self, trace: &Trace, race: &Race) {
        let observers = trace.observers(race);
        match (race.second, observers.first()) {
            (Some(second), Some(&observer)) => self.of_observed(trace, race.first, second, &observers, observer),
            _ => self.of_unconditional(trace, race, trace.dropped(race)),
        }
    }

    /// Becomes `notdep(e,E).p` of a race of an operation that p waits for.
    pub fn of_pending(&mut self, trace: &Trace, races: &PendingRaces, race: &Race) {
        self.of_unconditional(trace, race, races.dropped(race));
    }

    fn of_unconditional(&mut self, trace: &Trace, race: &Race, dropped: &[EventId]) {
        self.events.clear();
        self.events.extend(trace.notdep(race.first));
        if !dropped.is_empty() {
            self.events.retain(|&f| !dropped.iter().any(|&d| d == f || trace.happens_before(d, f)));
        }
        let choice = Choice { thread: race.thread, alternative: 0 };
        let is_blind_write = race.second.is_some_and(|second| trace.event(second).unobserved().mode == Mode::Unseen);
        let mode = if is_blind_write { Mode::Unseen } else { race.footprint.mode };
        let footprint = Footprint { mode, ..race.footprint };
        let takes = if matches!(mode, Mode::Take(_)) { race.causes[1] } else { NO_EVENT };
        let event = race.second.unwrap_or(NO_EVENT);
        let passing = Passing { step: Sleeper { choice, footprint }, event, takes };
        self.last = Some(Last { passing, causes: race.causes });
    }

    fn of_observed(&mut self, trace: &Trace, e: EventId, second: EventId, all: &[EventId], observer: EventId) {
        self.events.clear();
        self.events.extend(trace.notdep(e));
        self.events.extend([second, e]);
        let is_observer = |f: EventId| all.iter().any(|&o| o == f || trace.happens_before(o, f));
        let later = e + 1..trace.len() as EventId;
        self.events.extend(later.filter(|&f| f != second && trace.happens_before(e, f) && !is_observer(f)));
        let passing = trace.passing_instead(observer, e, second);
        self.last = Some(Last { passing, causes: trace.event(observer).causes });
    }

    /// Lets the last event be taken by this alternative.
    pub fn choose(&mut self, alternative: u32) {
        if let Some(last) = &mut self.last {
            last.passing.step.choice.alternative = alternative;
        }
    }

    /// Whether a step that was done makes v redundant after E': `v ∈ redundant(E', done)`.
    pub fn is_redundant(&self, trace: &Trace, done: &DoneSets, prefix: usize) -> bool {
        let last = self.last.iter().map(|last| last.passing);
        done.has_initial(prefix, self.events.iter().map(|&id| trace.passing(id)).chain(last))
    }

    /// Works out the steps of v and what depends on what, for an insertion.
    fn fill(&mut self, trace: &Trace, prefix: EventId) {
        self.steps.clear();
        let step = |passing, causes, word, meeting| Step {
            passing,
            causes,
            word,
            meeting,
            seen: false,
            taker: None,
            taken: false,
        };
        self.steps.extend(self.events.iter().map(|&id| {
            let Event { causes, before, op, .. } = *trace.event(id);
            step(trace.passing(id), causes, before, meeting_of(&op))
        }));
        self.steps.extend(self.last.iter().map(|last| step(last.passing, last.causes, 0, NO_MEETING)));
        self.work_out_observers(trace, prefix);
    }

    /// Which writes of v are seen in v, and which messages are received.
    fn work_out_observers(&mut self, trace: &Trace, prefix: EventId) {
        self.last_writes.clear();
        self.waiting.clear();
        for i in 0..self.steps.len() {
            let Passing { step: Sleeper { footprint, .. }, takes, .. } = self.steps[i].passing;
            match footprint.mode {
                _ if !footprint.touches() => {}
                Mode::Take(pattern) => self.note_taker(takes, Taker { event: i as EventId, pattern }),
                Mode::Send(_) => trace.find_waiting(footprint.object, prefix, &mut self.waiting),
                mode => self.note_access(i, footprint.object, mode),
            }
        }
    }

    fn note_taker(&mut self, send: EventId, taker: Taker) {
        if let Some(sent) = self.steps.iter_mut().find(|step| step.passing.event == send && send != NO_EVENT) {
            sent.taker = Some(taker);
        }
    }

    fn note_access(&mut self, i: usize, object: ObjectId, mode: Mode) {
        let last = self.last_writes.iter().position(|&(written, _)| written == object);
        if let Some(last) = last
            && mode != Mode::Unseen
        {
            self.steps[self.last_writes[last].1].seen = true;
        }
        match (mode, last) {
            (Mode::Unseen, None) => self.last_writes.push((object, i)),
            (Mode::Unseen, Some(last)) => self.last_writes[last].1 = i,
            // Nothing that comes later sees an earlier blind write.
            (Mode::Write, Some(last)) => {
                self.last_writes.swap_remove(last);
            }
            _ => {}
        }
    }
}

impl Trace {
    /// `notdep(e,E)`
    fn notdep(&self, e: EventId) -> impl Iterator<Item = EventId> + '_ {
        let first = self.event(e);
        let (thread, index) = (first.thread(), first.index);
        let later = (e + 1..).zip(self.clocks.column(e as usize + 1, thread));
        later.filter(move |&(_, steps)| steps < index).map(|(event, _)| event)
    }

    /// An observer as it is when it sees `e` in place of `second`.
    fn passing_instead(&self, observer: EventId, e: EventId, second: EventId) -> Passing {
        let mut passing = self.passing(observer);
        if passing.takes != NO_EVENT {
            passing.takes = second;
            return passing;
        }
        let observer = self.event(observer);
        let word = self.event(e).after;
        let outcome = objects::outcome(observer.op.kind, word);
        let change = change_of(observer.op.kind, outcome, word, observer.thread());
        passing.step.footprint = Footprint::new(&observer.op, outcome, change);
        passing
    }

    /// Adds the messages that are in a mailbox after the first `prefix` steps, unless they are there already.
    fn find_waiting(&self, mailbox: ObjectId, prefix: EventId, found: &mut Vec<Waiting>) {
        if found.iter().any(|waiting| waiting.mailbox == mailbox) {
            return;
        }
        let before: Vec<EventId> = self.history(mailbox).filter(|&event| event < prefix).collect();
        let taken: Vec<EventId> = before.iter().map(|&event| self.send_taken_by(event)).collect();
        for &send in before.iter().rev().filter(|event| !taken.contains(event)) {
            if let Mode::Send(tag) = self.event(send).footprint.mode {
                found.push(Waiting { mailbox, send, tag });
            }
        }
    }
}
