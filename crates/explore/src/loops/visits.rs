//! Where a thread has been in the run at hand, and what it did in between.

use model::{Fingerprint, Guard, Lasting, Op, Outcome, State, Stepped, ThreadId};
use rustc_hash::FxHashMap;
use trace::dependence::{Change, Footprint, Mode, mode};

/// A step of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) thread: ThreadId,
    pub(super) op: Op,
    pub(super) outcome: Outcome,
    pub(super) before: State,
    pub(super) after: State,
    pub(super) alternative: u32,
    /// The local states that it led from and to, where they were asked for.
    pub(super) from: Option<Fingerprint>,
    pub(super) to: Option<Fingerprint>,
}

impl Done {
    pub(super) fn new(thread: ThreadId, stepped: &Stepped) -> Self {
        let Stepped { op, outcome, before, after, .. } = *stepped;
        Done { thread, op, outcome, before, after, alternative: 0, from: None, to: None }
    }

    /// Whether it left its object as it was.
    pub(super) fn is_silent(&self) -> bool {
        self.before == self.after
    }

    /// The record of it.
    pub(super) fn footprint(&self) -> Footprint {
        Footprint::new(&self.op, self.outcome, Change::between(self.before, self.after))
    }

    /// How it touched its object.
    pub(super) fn mode(&self) -> Option<Mode> {
        mode(self.op.kind, self.outcome, Change::between(self.before, self.after))
    }

    /// Whether others may see more of it than its object's word, or it may have seen more: no round that it is part of is
    /// erasable.
    pub(super) fn is_lasting(&self) -> bool {
        is_lasting(&self.op, self.outcome)
    }
}

/// The same of an operation of which this came.
pub(super) fn is_lasting(op: &Op, outcome: Outcome) -> bool {
    match op.kind.nature().lasting {
        Lasting::No => false,
        Lasting::UnlessRefused => outcome != Outcome::Refused,
        Lasting::Yes => true,
    }
}

/// How a thread came round, if it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closed {
    /// By a round that began at this visit.
    Round(u32),
    /// By a way that is longer than another one with the same end.
    Shortcut,
    /// By a round that comes before its last step and can be left out together with rounds of others.
    Together,
}

/// A thread was about to perform an operation.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub(super) op: Op,
    /// Its local state, where it was asked for.
    pub(super) state: Option<Fingerprint>,
    /// The step that led here; none if none did, or one that created the thread.
    pub(super) via: Option<u32>,
    /// The step that the visit goes away with, when the run is taken back.
    since: u32,
    /// The first visit that a round may begin at.
    pub(super) floor: u32,
    /// The visit before with the same local state.
    previous: Option<u32>,
    pub(super) guard: Guard,
    pub(super) closed: Option<Closed>,
}

/// All visits of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits {
    all: Vec<Visit>,
    /// The last visit with a local state.
    last_with: FxHashMap<Fingerprint, u32>,
}

impl Visits {
    /// They are those of a thread that is created by step `since`, or is there from the start.
    pub(super) fn begin(&mut self, since: Option<u32>, op: Op, state: Option<Fingerprint>) {
        self.clear();
        self.push_visit(Visit {
            op,
            state,
            via: None,
            since: since.unwrap_or(0),
            floor: 0,
            previous: None,
            guard: Guard::NONE,
            closed: None,
        });
    }

    /// A step led here.
    pub(super) fn push(&mut self, via: u32, op: Op, state: Option<Fingerprint>, is_lasting: bool) {
        let floor = if is_lasting { self.all.len() as u32 } else { self.floor() };
        let visit =
            Visit { op, state, via: Some(via), since: via, floor, previous: None, guard: Guard::NONE, closed: None };
        self.push_visit(visit);
    }

    fn push_visit(&mut self, mut visit: Visit) {
        if let Some(state) = visit.state {
            visit.previous = self.last_with.insert(state, self.all.len() as u32);
        }
        self.all.push(visit);
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.last_with.clear();
    }

    /// Takes back what came of the steps from `len` on.
    pub(super) fn cut(&mut self, len: u32) {
        while let Some(visit) = self.all.pop_if(|visit| visit.since >= len) {
            if let Some(state) = visit.state {
                match visit.previous {
                    Some(previous) => self.last_with.insert(state, previous),
                    None => self.last_with.remove(&state),
                };
            }
        }
    }

    pub(super) fn all(&self) -> &[Visit] {
        &self.all
    }

    pub(super) fn last(&self) -> Option<&Visit> {
        self.all.last()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Visit> {
        self.all.last_mut()
    }

    /// The first visit that a round may begin at.
    pub(super) fn floor(&self) -> u32 {
        self.last().map_or(0, |visit| visit.floor)
    }

    /// The visits with this local state that a round may begin at, latest first.
    pub(super) fn with(&self, state: Fingerprint) -> impl Iterator<Item = u32> + '_ {
        let floor = self.floor();
        let mut next = self.last_with.get(&state).copied();
        std::iter::from_fn(move || {
            let visit = next?;
            next = self.all[visit as usize].previous;
            Some(visit)
        })
        .take_while(move |&visit| visit >= floor)
    }

    /// The visits before this one with the same local state that a round to it may begin at, latest first.
    pub(super) fn before(&self, visit: u32) -> impl Iterator<Item = u32> + '_ {
        let Visit { floor, previous, .. } = self.all[visit as usize];
        let earlier = std::iter::successors(previous, |&at| self.all[at as usize].previous);
        earlier.take_while(move |&at| at >= floor)
    }

    /// Whether the thread was at this place since it last did something lasting.
    pub(super) fn has_been_at(&self, site: model::Site) -> bool {
        self.all[self.floor() as usize..].iter().rev().any(|visit| visit.op.site == site)
    }
}
