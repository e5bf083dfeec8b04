//! Insertion of a sequence with observers into a wakeup tree: which steps of the tree can start it, `u ∼[E'] v`.
//!
//! A step of the path is taken out of v if nothing that is left of v happens before it; or it is not in v, and independent of
//! what is left. Unseen writes and unobserved sends may come in another order on the path than in v. That must not come to
//! light: a step that is not in v comes after all of v, and if it looks at a variable or receives a message, it must see the
//! same there as on the path. If it does not, the sequence is not inserted: after the path, the step is a weak initial of what
//! is left, and it is explored first. (The paper puts the sequence beside it, which explores a class twice: seed 33.)

use super::{Sequence, Step};
use crate::dependence::Mode;
use crate::history::NO_EVENT;
use crate::observe::Taker;
use crate::sleep::Sleeper;
use crate::trace::{EventId, Trace};
use crate::wakeup::{Going, Guide};
use model::{ObjectId, Pattern, Tag};

/// A step of the path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walked {
    /// The one at this place in v.
    InV(usize),
    /// One that is not in v, with the message that it received.
    Besides(Sleeper, Option<Sent>),
}

/// The send of a message, wherever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sent {
    /// In E' or in v.
    Event(EventId),
    /// At this place of the path, and not in v.
    OnPath(usize),
}

impl Sequence {
    /// All of v, which is to be inserted into the wakeup tree after the first `prefix` steps, is left.
    pub fn begin(&mut self, trace: &Trace, prefix: usize) {
        self.fill(trace, prefix as EventId);
        self.first = 0;
        self.left = self.steps.len() as u32;
        self.path.clear();
    }

    fn take(&mut self, place: usize) {
        self.steps[place].taken = true;
        self.left -= 1;
        self.path.push(Walked::InV(place));
        while self.steps.get(self.first).is_some_and(|step| step.taken) {
            self.first += 1;
        }
    }

    /// Whether a step that is left happens before the one at `place`, which is the next of its thread.
    fn is_preceded(&self, place: usize) -> bool {
        let step = &self.steps[place];
        self.steps[self.first..place].iter().any(|earlier| !earlier.taken && earlier.is_directly_before(step))
    }

    /// Whether a step that is not in v can come after all of v and be the same as now.
    fn goes_besides(&mut self, step: &Sleeper) -> Going {
        let footprint = step.footprint;
        let is_in_the_way = |left: &Step| !left.taken && left.conflicts(step, false, None);
        if footprint.touches() && self.steps[self.first..].iter().any(is_in_the_way) {
            return Going::NotBy;
        }
        let mut received = None;
        let is_same = match footprint.mode {
            Mode::Unseen | Mode::Send(_) | Mode::TimeOut(_) => true,
            Mode::Take(pattern) => {
                received = self.oldest(footprint.object, pattern, self.sent_on_path(footprint.object));
                received == self.oldest(footprint.object, pattern, self.sent_after_v(footprint.object))
            }
            // (Programs of steps are not searched with observers.)
            Mode::Peek | Mode::Read | Mode::Add | Mode::Write | Mode::Step(_) => {
                !footprint.touches() || self.sees_same_write(footprint.object)
            }
        };
        if !is_same {
            return Going::Redundant;
        }
        self.path.push(Walked::Besides(*step, received));
        Going::On
    }

    /// Whether the last write of a variable is the same on the path and after v, all of whose writes are on the path.
    fn sees_same_write(&self, object: ObjectId) -> bool {
        let writes = |step: &Sleeper| {
            step.footprint.object == object && matches!(step.footprint.mode, Mode::Unseen | Mode::Write)
        };
        let on_path = self.path.iter().rev().find(|walked| writes(&self.step_of(walked)));
        match on_path {
            Some(Walked::InV(place)) => {
                let besides = self.path.iter().any(|walked| matches!(walked, Walked::Besides(step, _) if writes(step)));
                !besides && !self.steps[place + 1..].iter().any(|later| writes(&later.passing.step))
            }
            Some(Walked::Besides(..)) | None => true,
        }
    }

    /// The oldest message that matches and was not taken: of those that were there after E', then of `sent`.
    fn oldest(&self, mailbox: ObjectId, pattern: Pattern, sent: impl Iterator<Item = (Sent, Tag)>) -> Option<Sent> {
        let waiting = self.waiting.iter().filter(|waiting| waiting.mailbox == mailbox);
        let waiting = waiting.map(|waiting| (Sent::Event(waiting.send), waiting.tag));
        let mut matching = waiting.chain(sent).filter(|&(_, tag)| pattern.matches(tag)).map(|(sent, _)| sent);
        matching.find(|sent| !self.is_received(*sent))
    }

    /// Whether a step of the path received this message.
    fn is_received(&self, sent: Sent) -> bool {
        self.path.iter().any(|walked| match *walked {
            Walked::InV(place) => {
                let takes = self.steps[place].passing.takes;
                takes != NO_EVENT && sent == Sent::Event(takes)
            }
            Walked::Besides(_, received) => received == Some(sent),
        })
    }

    /// The messages that the path sends, in its order.
    fn sent_on_path(&self, mailbox: ObjectId) -> impl Iterator<Item = (Sent, Tag)> + '_ {
        self.path.iter().enumerate().filter_map(move |(at, walked)| {
            let tag = tag_to(mailbox, &self.step_of(walked))?;
            Some(match *walked {
                Walked::InV(place) => (Sent::Event(self.steps[place].passing.event), tag),
                Walked::Besides(..) => (Sent::OnPath(at), tag),
            })
        })
    }

    /// The messages that v sends, and then those of the path that are not in v.
    fn sent_after_v(&self, mailbox: ObjectId) -> impl Iterator<Item = (Sent, Tag)> + '_ {
        let in_v = self.steps.iter().filter_map(move |step| {
            tag_to(mailbox, &step.passing.step).map(|tag| (Sent::Event(step.passing.event), tag))
        });
        in_v.chain(self.sent_on_path(mailbox).filter(|(sent, _)| matches!(sent, Sent::OnPath(_))))
    }

    fn step_of(&self, walked: &Walked) -> Sleeper {
        match *walked {
            Walked::InV(place) => self.steps[place].passing.step,
            Walked::Besides(step, _) => step,
        }
    }
}

/// The tag of the message that a step sends to a mailbox.
fn tag_to(mailbox: ObjectId, step: &Sleeper) -> Option<Tag> {
    match step.footprint.mode {
        Mode::Send(tag) if step.footprint.object == mailbox => Some(tag),
        _ => None,
    }
}

impl Step {
    /// Whether this step, earlier in v, happens directly before `later`.
    fn is_directly_before(&self, later: &Step) -> bool {
        let event = self.passing.event;
        let is_cause = event != NO_EVENT && (later.causes.contains(&event) || later.passing.takes == event);
        let (barrier, arrivals) = later.meeting;
        let is_of_meeting = self.passing.step.footprint.object == barrier && self.word < arrivals;
        is_cause || is_of_meeting || self.conflicts(&later.passing.step, later.seen, later.taker)
    }

    /// Whether this step of v must come before another, which is seen or received in v as this says.
    fn conflicts(&self, other: &Sleeper, seen: bool, taker: Option<Taker>) -> bool {
        let (mine, theirs) = (self.passing.step.footprint, other.footprint);
        mine.object == theirs.object
            && match (mine.mode, theirs.mode) {
                (Mode::Unseen, Mode::Unseen) => self.seen || seen,
                (Mode::Send(_), Mode::Send(tag)) => self.taker.is_some_and(|mine| mine.could_take(tag, taker)),
                (mine, theirs) => mine.conflicts(theirs),
            }
    }
}

impl Guide for Sequence {
    #[inline]
    fn goes_by(&mut self, step: &Sleeper) -> Going {
        let thread = step.choice.thread;
        let is_next = |left: &Step| !left.taken && left.passing.step.choice.thread == thread;
        let Some(place) = self.steps[self.first..].iter().position(is_next).map(|place| place + self.first) else {
            return self.goes_besides(step);
        };
        if self.steps[place].passing.step.choice != step.choice || self.is_preceded(place) {
            return Going::NotBy;
        }
        self.take(place);
        Going::On
    }

    fn steps(&self) -> impl Iterator<Item = Sleeper> {
        self.steps.iter().filter(|step| !step.taken).map(|step| step.passing.step)
    }

    fn len(&self) -> u32 {
        self.left
    }
}
