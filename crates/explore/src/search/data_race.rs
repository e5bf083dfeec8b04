//! Data races: two accesses by different threads, one of them to write and one of them not atomic, that nothing orders.
//!
//! That is a race between the two in the sense of the trace: both are always enabled, so every pair of them that is in
//! conflict and not ordered otherwise is reversible.
//!
//! One kind is no race of the trace: an update that writes what it read is a read there, but a write of the language. It is looked
//! for apart, where a search has met such updates.

use model::{Access, Failure, FailureKind, Names, OpKind, Outcome};
use trace::dependence::Mode;
use trace::{Event, EventId, Trace};

/// What a search knows of data races.
#[derive(Debug, Default)]
pub(crate) struct DataRaces {
    /// For each object, which parts of a race it has met that is none of the trace: [`PLAIN_READ`], [`SILENT_UPDATE`].
    parts: Vec<u8>,
}

const PLAIN_READ: u8 = 1;
const SILENT_UPDATE: u8 = 2;

impl DataRaces {
    /// The data race that the last step of the trace is the second part of.
    #[inline]
    pub(crate) fn of_last_step(&mut self, trace: &Trace, names: &dyn Names) -> Option<Failure> {
        let last = trace.events().last()?;
        if !is_access(last.op.kind) {
            return None;
        }
        let second = trace.len() as EventId - 1;
        let has_both_parts = self.note(last) == PLAIN_READ | SILENT_UPDATE;
        let first = first_in_races(trace, second)
            .or_else(|| has_both_parts.then(|| first_of_silent_race(trace, second)).flatten())?;
        Some(failure(trace, first, second, names))
    }

    /// Notes which part an access may be. Says which ones its object has met.
    #[inline]
    fn note(&mut self, access: &Event) -> u8 {
        let part = match (is_plain(access.op.kind), is_silent_update(access)) {
            (true, _) if access.footprint.mode == Mode::Read => PLAIN_READ,
            (_, true) => SILENT_UPDATE,
            _ => return 0,
        };
        if !access.footprint.touches() {
            return 0;
        }
        let object = access.footprint.object.index();
        if self.parts.len() <= object {
            self.parts.resize(object + 1, 0);
        }
        self.parts[object] |= part;
        self.parts[object]
    }
}

/// The first part of the data race that this step is the second part of.
pub fn first_of_race(trace: &Trace, second: EventId) -> Option<EventId> {
    first_in_races(trace, second).or_else(|| first_of_silent_race(trace, second))
}

/// The same where the two are in a race of the trace.
#[inline]
fn first_in_races(trace: &Trace, second: EventId) -> Option<EventId> {
    let kind = trace.event(second).op.kind;
    let is_race = |first: OpKind| is_access(first) && (is_plain(first) || is_plain(kind));
    let mut firsts = trace.races_of(second).iter().map(|race| race.first);
    firsts.find(|&first| is_race(trace.event(first).op.kind))
}

/// The same where one of the two is a plain read and the other an update that wrote what it read.
fn first_of_silent_race(trace: &Trace, second: EventId) -> Option<EventId> {
    let last = trace.event(second);
    let is_pair = |plain: &Event, update: &Event| is_plain(plain.op.kind) && is_silent_update(update);
    if last.footprint.mode != Mode::Read || !is_plain(last.op.kind) && !is_silent_update(last) {
        return None;
    }
    trace.since_write(second).find(|&first| {
        let event = trace.event(first);
        (is_pair(event, last) || is_pair(last, event)) && !trace.happens_before(first, second)
    })
}

/// Whether an event is an update that wrote what it read.
#[inline]
fn is_silent_update(event: &Event) -> bool {
    let is_update = match event.op.kind {
        OpKind::ReadModifyWrite(_) => true,
        OpKind::CompareExchange { .. } => event.outcome == Outcome::Done,
        _ => false,
    };
    is_update && event.footprint.mode == Mode::Read
}

/// Whether an operation is an access that must be ordered with every other one.
#[inline]
pub(crate) fn is_plain(kind: OpKind) -> bool {
    kind.nature().access == Access::Plain
}

/// Whether an operation reads or writes a variable.
#[inline]
pub(crate) fn is_access(kind: OpKind) -> bool {
    kind.nature().access != Access::None
}

#[cold]
fn failure(trace: &Trace, first: EventId, second: EventId, names: &dyn Names) -> Failure {
    let access = |event: EventId| {
        let event = trace.event(event);
        let site = names.site(event.op.site).map_or(String::new(), |site| format!(" at {site}"));
        let atomic = if is_plain(event.op.kind) { "" } else { "atomic " };
        format!("the {atomic}{} of {}{site}", event.op.kind, names.thread(event.thread()))
    };
    let message = format!("nothing orders {} (step {}) and {}", access(first), first + 1, access(second));
    Failure { kind: FailureKind::DataRace, message, site: trace.event(second).op.site }
}
