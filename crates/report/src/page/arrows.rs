//! What happens before what, as arrows between steps of different threads.

use model::{ObjectId, OpKind, Outcome};
use std::collections::HashMap;
use trace::dependence::Mode;
use trace::{Event, EventId, Trace};

/// Why a step happens before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// A thread is created, and takes its first step.
    Spawn = 0,
    /// A thread took its last step, and another waited for that.
    Join = 1,
    /// A value is written, and read.
    ReadsFrom = 2,
    /// A lock or semaphore is released, and taken.
    Lock = 3,
    /// A message is sent, and received.
    Message = 4,
    /// A thread is woken, or the last one arrives at a barrier.
    Wake = 5,
    /// Any other order that another schedule can reverse.
    Race = 6,
    /// Under a memory model: an order of a cycle, which no interleaving can keep.
    Cycle = 7,
}

impl Why {
    /// The word for it; none for an order that is nothing but a race.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Why::Spawn => Some("spawn"),
            Why::Join => Some("join"),
            Why::ReadsFrom => Some("reads from"),
            Why::Lock => Some("lock"),
            Why::Message => Some("message"),
            Why::Wake => Some("wake"),
            Why::Race | Why::Cycle => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrow {
    pub(super) from: EventId,
    pub(super) to: EventId,
    pub(super) why: Why,
}

/// All arrows, by the steps that they lead to.
pub(super) fn arrows(trace: &Trace) -> Vec<Arrow> {
    let mut found = Vec::new();
    let mut objects: HashMap<ObjectId, Past> = HashMap::new();
    for (id, event) in trace.events().iter().enumerate() {
        let id = id as EventId;
        let past = objects.entry(event.op.object).or_default();
        let first = found.len();
        let mut add = |from: EventId, why: Why| {
            if trace.event(from).thread() != event.thread() {
                found.push(Arrow { from, to: id, why });
            }
        };
        for cause in event.causes() {
            add(cause, why_caused(trace.event(cause), event));
        }
        past.arrows_to(event, &mut add);
        for race in trace.races_of(id) {
            if !found[first..].iter().any(|arrow| arrow.from == race.first) {
                found.push(Arrow { from: race.first, to: id, why: Why::Race });
            }
        }
        past.grow(id, event);
    }
    found
}

fn why_caused(cause: &Event, event: &Event) -> Why {
    match (cause.outcome, event.op.kind) {
        (Outcome::Spawned(child), _) if child == event.thread() => Why::Spawn,
        (_, OpKind::Join(_)) => Why::Join,
        _ => Why::Wake,
    }
}

/// What was last done to an object.
#[derive(Default)]
struct Past {
    write: Option<EventId>,
    /// Who released it since it was last held alone.
    releases: Vec<EventId>,
    /// The sends of messages, by their numbers.
    sends: HashMap<u64, EventId>,
}

impl Past {
    fn arrows_to(&self, event: &Event, add: &mut impl FnMut(EventId, Why)) {
        use OpKind::*;
        if matches!(event.outcome, Outcome::Refused | Outcome::Lifeless) && !is_of_variable(event.op.kind) {
            return;
        }
        match event.op.kind {
            Read
            | PlainRead
            | CellRead
            | ReadModifyWrite(_)
            | CompareExchange { .. }
            | Count(_)
            | Await(_)
            | Drained => {
                self.write.into_iter().for_each(|write| add(write, Why::ReadsFrom));
            }
            Lock | TryLock | Relock { .. } | Section | ReadLock | TryReadLock | Acquire | TryAcquire => {
                self.releases.last().into_iter().for_each(|&release| add(release, Why::Lock));
            }
            WriteLock | TryWriteLock => self.releases.iter().for_each(|&release| add(release, Why::Lock)),
            Receive(_) | TryReceive(_) => {
                if let Outcome::Received(number) = event.outcome
                    && let Some(&send) = self.sends.get(&u64::from(number))
                {
                    add(send, Why::Message);
                }
            }
            _ => {}
        }
    }

    fn grow(&mut self, id: EventId, event: &Event) {
        use OpKind::*;
        if matches!(event.outcome, Outcome::Refused | Outcome::Lifeless) {
            return;
        }
        match event.op.kind {
            Lock | TryLock | Relock { .. } | WriteLock | TryWriteLock => self.releases.clear(),
            Section | WriteUnlock | Unlock => self.releases = vec![id],
            ReadUnlock | Release => self.releases.push(id),
            Send { .. } => {
                self.sends.insert(event.before, id);
            }
            _ if matches!(event.footprint.mode, Mode::Write | Mode::Add) && is_of_variable(event.op.kind) => {
                self.write = Some(id);
            }
            _ => {}
        }
    }
}

fn is_of_variable(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        Read | PlainRead
            | CellRead
            | Write(_)
            | PlainWrite(_)
            | CellWrite
            | ReadModifyWrite(_)
            | CompareExchange { .. }
            | Add(_)
            | Count(_)
            | Await(_)
            | Drained
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, trace};
    use model::Outcome::{Done, Received, Spawned};
    use model::{Pattern, Tag, ThreadId};

    fn told(trace: &Trace) -> Vec<(EventId, EventId, Why)> {
        arrows(trace).into_iter().map(|arrow| (arrow.from, arrow.to, arrow.why)).collect()
    }

    #[test]
    fn values_are_read_from_writes_and_other_orders_are_races() {
        let none = ObjectId::NONE;
        let trace = trace(&[
            (0, OpKind::Spawn, none, Spawned(ThreadId(1)), 0, 0),
            (0, OpKind::Read, A, Done, 0, 0),
            (1, OpKind::Write(1), A, Done, 0, 1),
            (0, OpKind::Read, A, Done, 1, 1),
            (0, OpKind::Join(ThreadId(1)), none, Done, 0, 0),
        ]);
        assert_eq!(told(&trace), [(0, 2, Why::Spawn), (1, 2, Why::Race), (2, 3, Why::ReadsFrom), (2, 4, Why::Join)]);
    }

    #[test]
    fn locks_are_handed_over_and_messages_received() {
        let send = OpKind::Send { tag: Tag::new(0, 0).unwrap(), value: 7 };
        let trace = trace(&[
            (0, OpKind::Lock, A, Done, 0, 1),
            (0, OpKind::Unlock, A, Done, 1, 0),
            (1, OpKind::Lock, A, Done, 0, 2),
            (0, send, B, Done, 0, 1),
            (1, OpKind::Receive(Pattern::ANY), B, Received(0), 1, 1),
        ]);
        let told = told(&trace);
        assert!(told.contains(&(1, 2, Why::Lock)) && told.contains(&(3, 4, Why::Message)), "{told:?}");
    }

    #[test]
    fn readers_hand_over_to_a_writer_all_together() {
        let trace = trace(&[
            (0, OpKind::ReadLock, A, Done, 0, 1),
            (1, OpKind::ReadLock, A, Done, 1, 2),
            (0, OpKind::ReadUnlock, A, Done, 2, 1),
            (1, OpKind::ReadUnlock, A, Done, 1, 0),
            (2, OpKind::WriteLock, A, Done, 0, 1 << 63 | 2),
        ]);
        let told = told(&trace);
        assert!(told.contains(&(2, 4, Why::Lock)) && told.contains(&(3, 4, Why::Lock)), "{told:?}");
    }
}
