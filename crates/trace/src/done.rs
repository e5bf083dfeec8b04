//! `done` sets, and the sequences that they make redundant (OBS Definition 3).
//!
//! A step q that was explored after a prefix w of E' makes a sequence v redundant after E' = w.w' if q is a weak initial of
//! w'.v. With observers, whether it is may be known only later: another write of the same variable in w' stands in its way
//! only if one of the two is seen. So a step that was done *watches*: it goes on sleeping, even while its own thread takes
//! it, until an observer comes by. Steps that need no observer are in these sets exactly as long as in sleep sets.

use crate::dependence::Mode;
use crate::history::NO_EVENT;
use crate::sleep::Sleeper;
use crate::trace::{EventId, Trace};

/// A step of E or of v, as done steps see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    /// What it touches; a blind write is [`Mode::Unseen`].
    pub(crate) step: Sleeper,
    /// Its place in the trace.
    pub(crate) event: EventId,
    /// Of a receive: the send of what it took.
    pub(crate) takes: EventId,
}

/// What a done step looks out for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Watch {
    /// Nothing that needs an observer has stood in its way.
    Nothing,
    /// Whether the last write of its variable is seen.
    Write,
    /// Whether one of these messages, which were sent before its own, is taken by a receive that could take its own.
    Sends(Vec<EventId>),
}

/// A step that was explored after a prefix.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Done {
    step: Sleeper,
    watch: Watch,
    /// The event by which its own thread has taken it in the meantime.
    taken: Option<EventId>,
}

/// What becomes of a done step when another passes.
enum Fate {
    /// Nothing.
    Same,
    /// It watches something else.
    Changed(Done),
    /// It is no weak initial of anything that goes on by the step that passes.
    Gone,
    /// It is one, whatever comes.
    Initial,
}

/// `done(w)` for every prefix w of E, as far as it can still make sequences redundant.
///
/// As with sleep sets, a step that changes nothing leaves the set as it is, so prefixes share what they can.
#[derive(Clone, Debug)]
pub struct DoneSets {
    done: Vec<Done>,
    /// Where the set of each prefix starts and ends. No end is before that of a shorter prefix.
    ranges: Vec<(u32, u32)>,
}

impl Default for DoneSets {
    fn default() -> Self {
        DoneSets { done: Vec::new(), ranges: vec![(0, 0)] }
    }
}

impl DoneSets {
    fn at(&self, len: usize) -> &[Done] {
        let (start, end) = self.ranges[len];
        &self.done[start as usize..end as usize]
    }

    /// How many steps may still make a sequence redundant after the first `len` steps.
    pub fn len_at(&self, len: usize) -> usize {
        self.at(len).len()
    }

    /// E grows by its last event.
    #[inline]
    pub fn grow(&mut self, trace: &Trace) {
        let (start, end) = self.ranges[self.ranges.len() - 1];
        if start == end {
            return self.ranges.push((start, end));
        }
        let passing = trace.passing(trace.len() as EventId - 1);
        let is_same = |done: &Done| matches!(done.fate(&passing), Fate::Same);
        if self.done[start as usize..end as usize].iter().all(is_same) {
            return self.ranges.push((start, end));
        }
        for i in start..end {
            match self.done[i as usize].fate(&passing) {
                Fate::Same => self.done.push(self.done[i as usize].clone()),
                Fate::Changed(done) => self.done.push(done),
                Fate::Gone | Fate::Initial => {}
            }
        }
        self.ranges.push((end, self.done.len() as u32));
    }

    /// E is cut back to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        self.ranges.truncate(len + 1);
        self.done.truncate(self.ranges[len].1 as usize);
    }

    /// A step explored after the longest prefix is done.
    pub fn add(&mut self, step: Sleeper) {
        self.done.push(Done { step, watch: Watch::Nothing, taken: None });
        if let Some((_, end)) = self.ranges.last_mut() {
            *end += 1;
        }
    }

    /// Whether some step makes v, which is given step by step, redundant after the first `len` steps.
    pub(crate) fn has_initial(&self, len: usize, v: impl Iterator<Item = Passing> + Clone) -> bool {
        self.at(len).iter().any(|done| done.is_weak_initial(v.clone()))
    }
}

impl Done {
    fn is_weak_initial(&self, v: impl Iterator<Item = Passing>) -> bool {
        let mut changed: Option<Done> = None;
        for passing in v {
            match changed.as_ref().unwrap_or(self).fate(&passing) {
                Fate::Same => {}
                Fate::Changed(done) => changed = Some(done),
                Fate::Gone => return false,
                Fate::Initial => return true,
            }
        }
        true
    }

    #[inline]
    fn fate(&self, passing: &Passing) -> Fate {
        let Passing { step, .. } = passing;
        if step.choice.thread == self.step.choice.thread && self.taken.is_none() {
            return match self.watch {
                _ if step.choice != self.step.choice => Fate::Gone,
                Watch::Nothing => Fate::Initial,
                _ => Fate::Changed(Done { taken: Some(passing.event), ..self.clone() }),
            };
        }
        if step.footprint.object != self.step.footprint.object {
            return Fate::Same;
        }
        match self.step.footprint.mode {
            Mode::Unseen => self.fate_of_write(step.footprint.mode),
            Mode::Send(_) => self.fate_of_send(passing),
            mode if mode.conflicts(step.footprint.mode) => Fate::Gone,
            _ => Fate::Same,
        }
    }

    /// Another blind write overwrites what was watched. Anything else sees it, or does not commute with this write.
    fn fate_of_write(&self, passing: Mode) -> Fate {
        match (passing, &self.watch) {
            (Mode::Unseen, _) if self.taken.is_some() => Fate::Initial,
            (Mode::Unseen, Watch::Nothing) => Fate::Changed(Done { watch: Watch::Write, ..self.clone() }),
            (Mode::Unseen, _) => Fate::Same,
            _ => Fate::Gone,
        }
    }

    fn fate_of_send(&self, passing: &Passing) -> Fate {
        let Mode::Send(tag) = self.step.footprint.mode else { return Fate::Same };
        match passing.step.footprint.mode {
            Mode::Send(_) if self.taken.is_none() => {
                let mut sends = self.watched_sends().to_vec();
                sends.push(passing.event);
                Fate::Changed(self.watching(sends))
            }
            Mode::TimeOut(pattern) if self.taken.is_none() && pattern.matches(tag) => Fate::Gone,
            // Its own message is gone: nobody can take it in place of an earlier one any more.
            Mode::Take(_) if self.taken == Some(passing.takes) => Fate::Initial,
            Mode::Take(pattern) if self.watched_sends().contains(&passing.takes) => {
                if pattern.matches(tag) {
                    return Fate::Gone;
                }
                let sends = self.watched_sends().iter().copied().filter(|&send| send != passing.takes).collect();
                Fate::Changed(self.watching(sends))
            }
            _ => Fate::Same,
        }
    }

    fn watched_sends(&self) -> &[EventId] {
        match &self.watch {
            Watch::Sends(sends) => sends,
            _ => &[],
        }
    }

    fn watching(&self, sends: Vec<EventId>) -> Done {
        let watch = if sends.is_empty() { Watch::Nothing } else { Watch::Sends(sends) };
        Done { watch, ..self.clone() }
    }
}

impl Trace {
    /// An event as done steps see it.
    #[inline]
    pub(crate) fn passing(&self, id: EventId) -> Passing {
        let event = self.event(id);
        let takes = if matches!(event.footprint.mode, Mode::Take(_)) { self.send_taken_by(id) } else { NO_EVENT };
        Passing { step: Sleeper { choice: event.choice, footprint: event.unobserved() }, event: id, takes }
    }
}
