//! Data races: two accesses of a plain cell by different threads, one of them to write it, that nothing orders.
//!
//! That is a race between the two in the sense of the trace: both are always enabled, so every pair of them that is in
//! conflict and not ordered otherwise is reversible.

use model::{Failure, FailureKind, Names, OpKind};
use trace::{EventId, Trace};

/// The data race that the last step of the trace is the second part of.
#[inline]
pub(crate) fn of_last_step(trace: &Trace, names: &dyn Names) -> Option<Failure> {
    let last = trace.events().last()?;
    if is_plain(last.op.kind) { find(trace, trace.len() as EventId - 1, names) } else { None }
}

#[inline]
fn is_plain(kind: OpKind) -> bool {
    matches!(kind, OpKind::CellRead | OpKind::CellWrite | OpKind::PlainRead | OpKind::PlainWrite(_))
}

#[cold]
fn find(trace: &Trace, second: EventId, names: &dyn Names) -> Option<Failure> {
    let race = trace.races_of(second).iter().find(|race| is_plain(trace.event(race.first).op.kind))?;
    let access = |event: EventId| {
        let event = trace.event(event);
        let site = names.site(event.op.site).map_or(String::new(), |site| format!(" at {site}"));
        format!("the {} of {}{site}", event.op.kind, names.thread(event.thread()))
    };
    let message = format!("nothing orders {} (step {}) and {}", access(race.first), race.first + 1, access(second));
    Some(Failure { kind: FailureKind::DataRace, message, site: trace.event(second).op.site })
}
