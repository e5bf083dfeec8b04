//! What objects and threads are like after each step, in words.

use crate::holders::Holders;
use crate::words::{held_by, message, printable, selection};
use model::{Names, ObjectId, OpKind, Outcome, Pending, State, Test, ThreadId};
use std::collections::HashMap;
use trace::{Event, EventId, Trace};

/// More messages or waiters than these are counted, not named.
const NAMED: usize = 8;

/// The state of an event's object after it; `holders` are those after it. None where nothing is to be told.
pub(super) fn after(event: &Event, holders: &Holders, names: &dyn Names) -> Option<String> {
    match (event.outcome, event.op.kind) {
        (Outcome::Lifeless, _) => None,
        (Outcome::Done, OpKind::Destroy(_)) => Some("destroyed".to_owned()),
        (_, OpKind::Free) => Some("freed".to_owned()),
        (_, OpKind::Init(_)) => Some("initialised".to_owned()),
        _ => in_words(event, event.after, holders, names),
    }
}

/// The state of an event's object before anybody touched it.
pub(super) fn at_start(event: &Event, names: &dyn Names) -> Option<String> {
    match event.op.kind {
        OpKind::Init(_) | OpKind::Destroy(_) | OpKind::Free => None,
        _ if event.outcome == Outcome::Lifeless => None,
        _ => in_words(event, event.before, &Holders::default(), names),
    }
}

fn in_words(event: &Event, word: State, holders: &Holders, names: &dyn Names) -> Option<String> {
    use OpKind::*;
    let object = event.op.object;
    Some(match event.op.kind {
        Lock
        | TryLock
        | Unlock
        | Section
        | Relock { .. }
        | ReadLock
        | TryReadLock
        | ReadUnlock
        | WriteLock
        | TryWriteLock
        | WriteUnlock
        | Downgrade => match holders.of(object) {
            [] => "free".to_owned(),
            holds => held_by(holds, names),
        },
        Wait { .. } | StopWaiting | NotifyOne | NotifyAll => waiters(object, holders, names),
        Acquire | TryAcquire | Release => format!("count {word}"),
        Arrive { parties, .. } | Pass { parties, .. } => {
            format!("{} of {parties} have arrived", word % u64::from(parties.max(1)))
        }
        CountDown | PassLatch => match word {
            0 => "open".to_owned(),
            missing => format!("{missing} missing"),
        },
        Send { .. } | Receive(_) | TryReceive(_) => contents(object, holders, names),
        Read
        | Write(_)
        | ReadModifyWrite(_)
        | CompareExchange { .. }
        | Add(_)
        | AddIn { .. }
        | Count(_)
        | Await(_)
        | Drained
        | PlainRead
        | PlainWrite(_) => printable(&names.value(object, word)),
        _ => return None,
    })
}

fn waiters(condvar: ObjectId, holders: &Holders, names: &dyn Names) -> String {
    let waiters: Vec<String> = holders.waiters(condvar).map(|thread| printable(&names.thread(thread))).collect();
    match waiters.len() {
        0 => "nobody waits".to_owned(),
        1 => format!("{} waits", waiters[0]),
        _ => format!("{} wait", some(&waiters)),
    }
}

fn contents(mailbox: ObjectId, holders: &Holders, names: &dyn Names) -> String {
    let messages = holders.mailbox(mailbox).map_or(&[][..], |mailbox| mailbox.messages());
    let told: Vec<String> = messages.iter().take(NAMED).map(|m| message(mailbox, m.tag, m.value, names)).collect();
    match messages.len() {
        0 => "empty".to_owned(),
        all if all > NAMED => format!("[{}, and {} more]", told.join(", "), all - NAMED),
        _ => format!("[{}]", told.join(", ")),
    }
}

fn some(names: &[String]) -> String {
    match names.len() {
        all if all > NAMED => format!("{} and {} more", names[..NAMED].join(", "), all - NAMED),
        _ => names.join(", "),
    }
}

/// From this many steps on, a thread waits for something, or no longer does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WaitChange {
    pub(super) steps: u32,
    pub(super) thread: ThreadId,
    pub(super) waits: Option<String>,
}

/// Who waits for what, along an execution. What a thread is about to do is what it then does: its next step, or what it
/// waits for in the end.
pub(super) fn waits(trace: &Trace, at_end: &[Pending], names: &dyn Names) -> Vec<WaitChange> {
    let mut watch = Watch::new(trace, at_end, names);
    let threads = watch.next.len() as u32;
    (0..threads).map(ThreadId).for_each(|thread| watch.look_at(thread, 0));
    for (id, event) in trace.events().iter().enumerate() {
        watch.step(id as EventId, event);
    }
    watch.changes
}

struct Watch<'t> {
    trace: &'t Trace,
    names: &'t dyn Names,
    holders: Holders,
    /// The word of each object before anybody touched it.
    first_words: HashMap<ObjectId, State>,
    /// For each event, the next one of its thread.
    following: Vec<Option<EventId>>,
    /// For each thread, its next event.
    next: Vec<Option<EventId>>,
    /// What the threads that are left wait for.
    at_end: HashMap<ThreadId, (OpKind, ObjectId)>,
    /// Which threads wait, as it was last told.
    told: Vec<Option<String>>,
    /// Threads that exist.
    born: Vec<bool>,
    changes: Vec<WaitChange>,
}

impl<'t> Watch<'t> {
    fn new(trace: &'t Trace, at_end: &[Pending], names: &'t dyn Names) -> Self {
        let events = trace.events();
        let in_trace = events.iter().map(|event| event.thread().index() + 1).max().unwrap_or(0);
        let waiting = at_end.iter().map(|pending| pending.thread.index() + 1).max().unwrap_or(0);
        let threads = in_trace.max(waiting);
        let mut next = vec![None; threads];
        let mut following = vec![None; events.len()];
        let mut first_words = HashMap::new();
        let mut born = vec![true; threads];
        for (id, event) in events.iter().enumerate().rev() {
            following[id] = next[event.thread().index()].replace(id as EventId);
            first_words.insert(event.op.object, event.before);
            if let Outcome::Spawned(child) = event.outcome
                && let Some(born) = born.get_mut(child.index())
            {
                *born = false;
            }
        }
        Watch {
            trace,
            names,
            holders: Holders::default(),
            first_words,
            following,
            next,
            at_end: at_end.iter().map(|pending| (pending.thread, (pending.op.kind, pending.op.object))).collect(),
            told: vec![None; threads],
            born,
            changes: Vec::new(),
        }
    }

    fn step(&mut self, id: EventId, event: &Event) {
        self.holders.apply(id, event);
        let thread = event.thread();
        self.next[thread.index()] = self.following[id as usize];
        if let Outcome::Spawned(child) = event.outcome
            && let Some(born) = self.born.get_mut(child.index())
        {
            *born = true;
        }
        for other in (0..self.next.len() as u32).map(ThreadId) {
            if other == thread || self.is_touched(other, event) {
                self.look_at(other, id + 1);
            }
        }
    }

    /// What a thread is about to do.
    fn about_to(&self, thread: ThreadId) -> Option<(OpKind, ObjectId)> {
        match self.next[thread.index()] {
            Some(event) => Some((self.trace.event(event).op.kind, self.trace.event(event).op.object)),
            None => self.at_end.get(&thread).copied(),
        }
    }

    fn is_touched(&self, thread: ThreadId, event: &Event) -> bool {
        let Some((kind, object)) = self.about_to(thread) else { return false };
        match kind {
            _ if event.outcome == Outcome::Spawned(thread) => true,
            OpKind::Join(other) => other == event.thread(),
            OpKind::Relock { condvar } => [object, condvar].contains(&event.op.object),
            kind => kind.may_block() && object == event.op.object,
        }
    }

    fn look_at(&mut self, thread: ThreadId, steps: u32) {
        let waits = self.wait_of(thread);
        if waits != self.told[thread.index()] {
            self.told[thread.index()].clone_from(&waits);
            self.changes.push(WaitChange { steps, thread, waits });
        }
    }

    fn wait_of(&self, thread: ThreadId) -> Option<String> {
        let (kind, object) = self.about_to(thread).filter(|(kind, _)| kind.may_block() && self.born[thread.index()])?;
        let name = || printable(&self.names.object(object));
        let word = || self.holders.word(object).or_else(|| self.first_words.get(&object).copied()).unwrap_or(0);
        let holding = || held_by(self.holders.of(object), self.names);
        match kind {
            OpKind::Join(other) => {
                let goes_on =
                    self.next.get(other.index()).is_some_and(Option::is_some) || self.at_end.contains_key(&other);
                goes_on.then(|| format!("for the end of {}", printable(&self.names.thread(other))))
            }
            OpKind::Relock { condvar } if self.holders.is_unnotified(condvar, thread) => {
                Some(format!("on {}", printable(&self.names.object(condvar))))
            }
            OpKind::Receive(pattern) => {
                let is_there = self.holders.mailbox(object).is_some_and(|mailbox| mailbox.oldest(pattern).is_some());
                let wanted = || selection(object, pattern, self.names);
                (!is_there).then(|| format!("for a message to {}{}", name(), wanted()))
            }
            kind if objects::enabled(kind, word()) => None,
            OpKind::Await(Test::Equal(wanted)) => {
                Some(format!("until {} == {}", name(), printable(&self.names.value(object, wanted))))
            }
            OpKind::Await(Test::NotEqual(other)) => {
                Some(format!("until {} != {}", name(), printable(&self.names.value(object, other))))
            }
            OpKind::Pass { .. } => Some(format!("at {}", name())),
            OpKind::Acquire => Some(format!("to acquire {}", name())),
            OpKind::PassLatch => Some(format!("until {} is open", name())),
            OpKind::Drained => Some(format!("until {} is 0", name())),
            _ => Some(format!("to lock {}, {}", name(), holding())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, Plain, trace, waits as pending};
    use model::Outcome::{Done, Spawned};
    use model::{Pattern, Tag};

    #[test]
    fn locks_say_who_holds_them_and_who_waits() {
        let steps = trace(&[
            (0, OpKind::Lock, A, Done, 0, 1),
            (1, OpKind::Lock, B, Done, 0, 2),
            (0, OpKind::Unlock, A, Done, 1, 0),
            (1, OpKind::Lock, A, Done, 0, 2),
        ]);
        let changes: Vec<String> = waits(&steps, &[pending(0, OpKind::Lock, B)], &Plain)
            .iter()
            .map(|change| format!("{} T{} {}", change.steps, change.thread.0, change.waits.as_deref().unwrap_or("-")))
            .collect();
        assert_eq!(changes, ["2 T1 to lock a, held by T0", "3 T0 to lock b, held by T1", "3 T1 -"]);
    }

    #[test]
    fn threads_wait_for_messages_and_ends_once_they_are_there() {
        let send = OpKind::Send { tag: Tag::new(0, 0).unwrap(), value: 7 };
        let steps = trace(&[
            (0, OpKind::Spawn, ObjectId::NONE, Spawned(ThreadId(1)), 0, 0),
            (0, send, A, Done, 0, 1),
            (1, OpKind::Receive(Pattern::ANY), A, Outcome::Received(0), 1, 1),
            (0, OpKind::Join(ThreadId(1)), ObjectId::NONE, Done, 0, 0),
        ]);
        let changes: Vec<(u32, u32, bool)> =
            waits(&steps, &[], &Plain).iter().map(|c| (c.steps, c.thread.0, c.waits.is_some())).collect();
        assert_eq!(changes, [(1, 1, true), (2, 0, true), (2, 1, false), (3, 0, false)]);
    }
}
