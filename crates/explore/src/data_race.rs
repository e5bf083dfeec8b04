//! Data races: two accesses by different threads, one of them to write and one of them not atomic, that nothing orders.
//!
//! That is a race between the two in the sense of the trace: both are always enabled, so every pair of them that is in
//! conflict and not ordered otherwise is reversible.

use model::{Access, Failure, FailureKind, Names, OpKind};
use trace::{EventId, Trace};

/// The data race that the last step of the trace is the second part of.
#[inline]
pub(crate) fn of_last_step(trace: &Trace, names: &dyn Names) -> Option<Failure> {
    let last = trace.events().last()?;
    let second = trace.len() as EventId - 1;
    if !is_access(last.op.kind) || trace.races_of(second).is_empty() {
        return None;
    }
    find(trace, second, names)
}

/// The first part of the data race that this step is the second part of.
pub fn first_of_race(trace: &Trace, second: EventId) -> Option<EventId> {
    let kind = trace.event(second).op.kind;
    let is_race = |first: OpKind| is_access(first) && (is_plain(first) || is_plain(kind));
    trace.races_of(second).iter().map(|race| race.first).find(|&first| is_race(trace.event(first).op.kind))
}

/// Whether an operation is an access that must be ordered with every other one.
#[inline]
pub(crate) fn is_plain(kind: OpKind) -> bool {
    kind.nature().access == Access::Plain
}

/// Whether an operation reads or writes a variable.
#[inline]
fn is_access(kind: OpKind) -> bool {
    kind.nature().access != Access::None
}

fn find(trace: &Trace, second: EventId, names: &dyn Names) -> Option<Failure> {
    let first = first_of_race(trace, second)?;
    let access = |event: EventId| {
        let event = trace.event(event);
        let site = names.site(event.op.site).map_or(String::new(), |site| format!(" at {site}"));
        let atomic = if is_plain(event.op.kind) { "" } else { "atomic " };
        format!("the {atomic}{} of {}{site}", event.op.kind, names.thread(event.thread()))
    };
    let message = format!("nothing orders {} (step {}) and {}", access(first), first + 1, access(second));
    Some(Failure { kind: FailureKind::DataRace, message, site: trace.event(second).op.site })
}
