//! Who holds and who waits, kept up to date step by step along an execution.

use model::{Holding, ObjectId, OpKind, Outcome, State, ThreadId};
use objects::{Mailbox, Message};
use std::collections::HashMap;
use trace::{Event, EventId, Trace};

/// A lock in someone's hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hold {
    pub(crate) thread: ThreadId,
    /// The step that took it.
    pub(crate) since: EventId,
    pub(crate) exclusive: bool,
}

/// What is known after a prefix of an execution. It is derived from the operations alone, so that it needs none of the
/// encodings of the objects' words.
#[derive(Default)]
pub(crate) struct Holders {
    holds: HashMap<ObjectId, Vec<Hold>>,
    waiters: Vec<(ObjectId, ThreadId)>,
    words: HashMap<ObjectId, State>,
    mailboxes: HashMap<ObjectId, Mailbox>,
}

impl Holders {
    /// After the whole execution.
    pub(crate) fn at_end(trace: &Trace) -> Self {
        let mut holders = Holders::default();
        for (id, event) in trace.events().iter().enumerate() {
            holders.apply(id as EventId, event);
        }
        holders
    }

    /// Who holds this lock.
    pub(crate) fn of(&self, lock: ObjectId) -> &[Hold] {
        self.holds.get(&lock).map_or(&[], Vec::as_slice)
    }

    /// Whether `thread` waits on `condvar` and was not notified.
    pub(crate) fn is_unnotified(&self, condvar: ObjectId, thread: ThreadId) -> bool {
        self.waiters.contains(&(condvar, thread))
    }

    /// Who waits on a condition variable and was not notified.
    pub(crate) fn waiters(&self, condvar: ObjectId) -> impl Iterator<Item = ThreadId> + '_ {
        self.waiters.iter().filter(move |(on, _)| *on == condvar).map(|&(_, thread)| thread)
    }

    /// The object's word, if a step touched it.
    pub(crate) fn word(&self, object: ObjectId) -> Option<State> {
        self.words.get(&object).copied()
    }

    /// The messages in a mailbox, if a step touched it.
    pub(crate) fn mailbox(&self, mailbox: ObjectId) -> Option<&Mailbox> {
        self.mailboxes.get(&mailbox)
    }

    /// One step on.
    pub(crate) fn apply(&mut self, id: EventId, event: &Event) {
        self.words.insert(event.op.object, event.after);
        if matches!(event.outcome, Outcome::Refused | Outcome::Lifeless) {
            return;
        }
        let (object, thread) = (event.op.object, event.thread());
        let hold = |exclusive| Hold { thread, since: id, exclusive };
        match event.op.kind.nature().holding {
            Holding::Takes(how) => self.holds.entry(object).or_default().push(hold(how == model::Hold::Exclusive)),
            Holding::Downgrades => {
                self.release(object, thread);
                self.holds.entry(object).or_default().push(hold(false));
            }
            Holding::Gives(_) => self.release(object, thread),
            Holding::Nothing | Holding::NeedsMutex => {}
        }
        match event.op.kind {
            OpKind::Init(_) | OpKind::Free => {
                self.holds.remove(&object);
            }
            OpKind::Wait { .. } => self.waiters.push((object, thread)),
            OpKind::StopWaiting => self.waiters.retain(|&waiter| waiter != (object, thread)),
            OpKind::NotifyAll => self.waiters.retain(|&(condvar, _)| condvar != object),
            OpKind::Send { tag, value } => {
                let message = Message { number: event.before as u32, tag, value };
                self.mailboxes.entry(object).or_default().put(message);
            }
            OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => {
                self.mailboxes.entry(object).or_default().take_oldest(pattern);
            }
            OpKind::NotifyOne => {
                if let Outcome::Woke(woken) = event.outcome {
                    self.waiters.retain(|&waiter| waiter != (object, woken));
                }
            }
            _ => {}
        }
    }

    fn release(&mut self, lock: ObjectId, thread: ThreadId) {
        let holds = self.holds.entry(lock).or_default();
        if let Some(place) = holds.iter().rposition(|hold| hold.thread == thread) {
            holds.remove(place);
        }
    }
}
