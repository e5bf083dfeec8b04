//! The shared state of a run: every object's word, who holds what shared, who waits where, which threads ended.

use crate::{
    Mailbox, Message, alternatives, apply, barrier, enabled, misuse_of_life, misuse_of_release, mutex, outcome, rwlock,
};
use model::{Failure, FailureKind, Hold, Holding, ObjectId, Op, OpKind, Outcome, Pattern, State, ThreadId};
use std::hash::{Hash, Hasher};

/// All objects of a run. Front ends keep one and perform every visible operation through it.
#[derive(Clone, Debug, Default)]
pub struct World {
    words: Vec<State>,
    /// Waiters in the order in which they began to wait: (condition variable, thread).
    waiters: Vec<(ObjectId, ThreadId)>,
    /// Who holds which reader-writer lock shared.
    readers: Vec<(ObjectId, ThreadId)>,
    /// The mailboxes that messages were sent to.
    mailboxes: Vec<(ObjectId, Mailbox)>,
    ended: Vec<bool>,
    /// Where objects have lives: the mutexes that threads have locked and not unlocked, whatever others made of them since.
    locked: Option<Vec<(ObjectId, ThreadId)>>,
}

/// What [`World::perform`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Performed {
    /// What came of the operation.
    pub outcome: Outcome,
    /// The object's word before.
    pub before: State,
    /// The object's word after.
    pub after: State,
    /// The value of the message that was received; 0 when none was.
    pub received: u64,
    /// The object was used against its rules.
    pub misuse: Option<Box<Failure>>,
}

impl World {
    /// No objects yet, which are initialised, destroyed and freed.
    ///
    /// Which misuse a release of a lock is that the thread does not hold depends on its life then, so that it touches the lock as
    /// one that does not live is touched. And a lock may be lost by what others do to it: whoever waits on a condition variable
    /// with such a mutex finds out when it releases the mutex, for a wait touches the condition variable alone.
    pub fn with_lives() -> Self {
        World { locked: Some(Vec::new()), ..World::default() }
    }

    /// Back to the start: these are the words of the objects, nobody waits, no thread has ended.
    pub fn reset(&mut self, initial: &[State]) {
        self.words.clear();
        self.words.extend_from_slice(initial);
        self.waiters.clear();
        self.readers.clear();
        for (_, mailbox) in &mut self.mailboxes {
            mailbox.clear();
        }
        self.ended.clear();
        self.locked.iter_mut().for_each(Vec::clear);
    }

    /// Becomes what `other` is, without new allocations where there is room.
    pub fn copy_from(&mut self, other: &World) {
        self.words.clone_from(&other.words);
        self.waiters.clone_from(&other.waiters);
        self.readers.clone_from(&other.readers);
        for (_, mailbox) in &mut self.mailboxes {
            mailbox.clear();
        }
        for (object, mailbox) in &other.mailboxes {
            self.mailbox(*object).copy_from(mailbox);
        }
        self.ended.clone_from(&other.ended);
        self.locked.clone_from(&other.locked);
    }

    /// How many objects have a word.
    pub fn objects(&self) -> usize {
        self.words.len()
    }

    /// A new object with this word.
    pub fn create(&mut self, initial: State) -> ObjectId {
        self.words.push(initial);
        ObjectId(self.words.len() as u32 - 1)
    }

    /// Gives an object, which need not be known yet, this word.
    pub fn set_word(&mut self, object: ObjectId, word: State) {
        if self.words.len() <= object.index() {
            self.words.resize(object.index() + 1, 0);
        }
        self.words[object.index()] = word;
    }

    /// An object's word; 0 for [`ObjectId::NONE`].
    #[inline]
    pub fn word(&self, object: ObjectId) -> State {
        self.words.get(object.index()).copied().unwrap_or(0)
    }

    /// An object is as if it had never been: its place is free for another one.
    pub fn forget(&mut self, object: ObjectId) {
        if let Some(word) = self.words.get_mut(object.index()) {
            *word = 0;
        }
        self.waiters.retain(|&(condvar, _)| condvar != object);
        self.readers.retain(|&(lock, _)| lock != object);
        self.locked.iter_mut().for_each(|locked| locked.retain(|&(lock, _)| lock != object));
    }

    /// The messages in a mailbox, oldest first.
    pub fn messages(&self, mailbox: ObjectId) -> &[Message] {
        let known = self.mailboxes.iter().find(|(object, _)| *object == mailbox);
        known.map_or(&[], |(_, mailbox)| mailbox.messages())
    }

    /// The meeting of the barrier that the next arrival belongs to.
    pub fn next_generation(&self, barrier: ObjectId, parties: u32) -> u32 {
        barrier::next_generation(self.word(barrier), parties)
    }

    /// Whether `thread` could perform `op` now.
    #[inline]
    pub fn enabled(&self, thread: ThreadId, op: &Op) -> bool {
        match op.kind {
            OpKind::Join(other) => self.has_ended(other),
            OpKind::Relock { condvar } if self.waiters.contains(&(condvar, thread)) => false,
            OpKind::Receive(pattern) => self.oldest(op.object, pattern).is_some(),
            kind => enabled(kind, self.word(op.object)),
        }
    }

    /// The message that a receive with this pattern would take.
    fn oldest(&self, mailbox: ObjectId, pattern: Pattern) -> Option<&Message> {
        self.mailboxes.iter().find(|(object, _)| *object == mailbox)?.1.oldest(pattern)
    }

    /// How many alternatives a step with `op` has now.
    #[inline]
    pub fn alternatives(&self, op: &Op) -> u32 {
        alternatives(op.kind, self.word(op.object))
    }

    /// Notes that `thread` has ended: joins of it are enabled from now on.
    pub fn end(&mut self, thread: ThreadId) {
        if self.ended.len() <= thread.index() {
            self.ended.resize(thread.index() + 1, false);
        }
        self.ended[thread.index()] = true;
    }

    /// Whether `thread` has ended.
    pub fn has_ended(&self, thread: ThreadId) -> bool {
        self.ended.get(thread.index()).copied().unwrap_or(false)
    }

    /// Performs an enabled operation of `thread`.
    #[inline]
    pub fn perform(&mut self, thread: ThreadId, op: &Op, alternative: u32) -> Performed {
        // Most operations are one of these, which keep no lists and break no rules.
        let written = match op.kind {
            OpKind::Read => None,
            OpKind::Write(value) => Some(value),
            OpKind::Section if mutex::is_free(self.word(op.object)) => None,
            OpKind::Spawn | OpKind::Join(_) if op.object == ObjectId::NONE => {
                return Performed { outcome: Outcome::Done, before: 0, after: 0, received: 0, misuse: None };
            }
            _ => return self.perform_other(thread, op, alternative),
        };
        let word = &mut self.words[op.object.index()];
        let before = *word;
        *word = written.unwrap_or(before);
        Performed { outcome: Outcome::Done, before, after: *word, received: 0, misuse: None }
    }

    #[inline(never)]
    fn perform_other(&mut self, thread: ThreadId, op: &Op, alternative: u32) -> Performed {
        let before = self.word(op.object);
        match op.kind {
            OpKind::Send { tag, value } => return self.send(op.object, Message { number: before as u32, tag, value }),
            OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => return self.receive(op.object, pattern),
            _ => {}
        }
        let mut result = outcome(op.kind, before);
        if result != Outcome::Done
            && let Some(message) = misuse_of_life(op.kind, before)
        {
            let misuse = Some(failure(op, message));
            return Performed { outcome: result, before, after: before, received: 0, misuse };
        }
        if !self.may_release(thread, op) {
            let outcome = if self.locked.is_some() { Outcome::Lifeless } else { Outcome::Refused };
            let misuse = misuse_of_release(op.kind).map(|message| failure(op, message));
            return Performed { outcome, before, after: before, received: 0, misuse };
        }
        if op.kind == OpKind::StopWaiting && !self.waiters.contains(&(op.object, thread)) {
            result = Outcome::Refused;
        }
        let after = apply(op.kind, result, before, thread);
        if op.object != ObjectId::NONE {
            self.words[op.object.index()] = after;
        }
        if result == Outcome::Done
            && let Some(woken) = self.keep_lists(thread, op, alternative)
        {
            result = Outcome::Woke(woken);
        }
        Performed { outcome: result, before, after, received: 0, misuse: None }
    }

    fn send(&mut self, mailbox: ObjectId, message: Message) -> Performed {
        self.mailbox(mailbox).put(message);
        let word = &mut self.words[mailbox.index()];
        let before = *word;
        *word += 1;
        Performed { outcome: Outcome::Done, before, after: *word, received: 0, misuse: None }
    }

    fn receive(&mut self, mailbox: ObjectId, pattern: Pattern) -> Performed {
        let word = self.word(mailbox);
        let (outcome, received) = match self.mailbox(mailbox).take_oldest(pattern) {
            Some(message) => (Outcome::Received(message.number), message.value),
            None => (Outcome::Refused, 0),
        };
        Performed { outcome, before: word, after: word, received, misuse: None }
    }

    fn mailbox(&mut self, mailbox: ObjectId) -> &mut Mailbox {
        let place = self.mailboxes.iter().position(|(object, _)| *object == mailbox).unwrap_or_else(|| {
            self.mailboxes.push((mailbox, Mailbox::default()));
            self.mailboxes.len() - 1
        });
        &mut self.mailboxes[place].1
    }

    /// Hashes the state of all objects but for the words of those of which `counts` says that they only count upwards.
    pub fn hash_state(&self, counts: impl Fn(ObjectId) -> bool, hasher: &mut impl Hasher) {
        for (object, word) in self.words.iter().enumerate() {
            if !counts(ObjectId(object as u32)) {
                word.hash(hasher);
            }
        }
        // Only the order of those that wait on the same one matters.
        let mut waiters = self.waiters.clone();
        waiters.sort_by_key(|&(condvar, _)| condvar);
        waiters.hash(hasher);
        let mut readers = self.readers.clone();
        readers.sort_unstable();
        readers.hash(hasher);
        let mut mailboxes: Vec<_> = self.mailboxes.iter().filter(|(_, kept)| !kept.messages().is_empty()).collect();
        mailboxes.sort_by_key(|(mailbox, _)| *mailbox);
        for (mailbox, kept) in mailboxes {
            let messages: Vec<_> = kept.messages().iter().map(|message| (message.tag, message.value)).collect();
            (mailbox, messages).hash(hasher);
        }
        let mut locked = self.locked.clone();
        locked.iter_mut().for_each(|locked| locked.sort_unstable());
        locked.hash(hasher);
        let ended = self.ended.iter().enumerate().filter(|(_, ended)| **ended);
        ended.for_each(|(thread, _)| thread.hash(hasher));
    }

    /// Whether `thread` holds what `op` releases, if it releases anything.
    #[inline]
    fn may_release(&self, thread: ThreadId, op: &Op) -> bool {
        match op.kind {
            OpKind::Unlock => mutex::owner(self.word(op.object)) == Some(thread),
            OpKind::Wait { mutex } => match &self.locked {
                Some(locked) => locked.contains(&(mutex, thread)),
                None => mutex::owner(self.word(mutex)) == Some(thread),
            },
            OpKind::WriteUnlock | OpKind::Downgrade => rwlock::writer(self.word(op.object)) == Some(thread),
            OpKind::ReadUnlock => self.readers.contains(&(op.object, thread)),
            _ => true,
        }
    }

    /// Brings the lists of waiters and readers up to date; says whom a notify woke.
    #[inline]
    fn keep_lists(&mut self, thread: ThreadId, op: &Op, alternative: u32) -> Option<ThreadId> {
        if let Some(locked) = &mut self.locked {
            match op.kind.nature().holding {
                Holding::Takes(Hold::Exclusive) => locked.push((op.object, thread)),
                Holding::Gives(Hold::Exclusive) => locked.retain(|&lock| lock != (op.object, thread)),
                Holding::Takes(Hold::Shared) | Holding::Gives(Hold::Shared) => {}
                Holding::Downgrades | Holding::NeedsMutex | Holding::Nothing => {}
            }
        }
        match op.kind {
            OpKind::Wait { .. } => self.waiters.push((op.object, thread)),
            OpKind::StopWaiting => self.waiters.retain(|&waiter| waiter != (op.object, thread)),
            OpKind::NotifyOne => return self.wake(op.object, alternative),
            OpKind::NotifyAll => self.waiters.retain(|&(condvar, _)| condvar != op.object),
            OpKind::Init(_) | OpKind::Free => {
                self.waiters.retain(|&(condvar, _)| condvar != op.object);
                self.readers.retain(|&(lock, _)| lock != op.object);
            }
            OpKind::ReadLock | OpKind::TryReadLock | OpKind::Downgrade => self.readers.push((op.object, thread)),
            OpKind::ReadUnlock => {
                let place = self.readers.iter().position(|&held| held == (op.object, thread));
                self.readers.swap_remove(place.expect("a reader that may release"));
            }
            _ => {}
        }
        None
    }

    /// Takes the waiter number `alternative` of `condvar` off the list, if there is one.
    fn wake(&mut self, condvar: ObjectId, alternative: u32) -> Option<ThreadId> {
        let mut places = (0..self.waiters.len()).filter(|&i| self.waiters[i].0 == condvar);
        let place = places.nth(alternative as usize)?;
        Some(self.waiters.remove(place).1)
    }
}

/// The failure that a misuse is.
#[cold]
fn failure(op: &Op, message: &'static str) -> Box<Failure> {
    Box::new(Failure { kind: FailureKind::Misuse, message: message.to_owned(), site: op.site })
}
