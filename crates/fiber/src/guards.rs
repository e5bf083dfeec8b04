//! What locks guard, as numbers that are part of the locks' words, where local states are asked for.
//!
//! Only who holds a lock gets at what it guards. So while a thread holds one, the guarded data is a part of its local state
//! ([`crate::local_state`]), and while it does not, it is none. What the thread will find there is given by who held the lock
//! before, so that the data is something like the word of an object that lock and unlock read and write. It has a number, the same
//! for the same data in every run, in the lock's word: whoever gives the lock back puts it there. So a section that changed nothing
//! has left the word of its lock as it was, one that changed something has not, and a thread that looks again and again waits for
//! another word.
//!
//! The data may lead to what its holder had taken out before, and now changes: in the free part of a buffer, pointers stay. So what is there
//! is not looked at again when the lock is taken, and a holder that changed nothing, neither there nor of any object, leaves the number as
//! it was. Whoever is to see a change without a race learns of it by what somebody changed who held the lock.

use crate::context::{self, Context, Table};
use crate::reach::Reach;
use model::{Fingerprint, Hold, Holding, Lasting, ObjectId, Outcome, State, ThreadId};
use objects::{DATA_END, data_of, with_data};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Where the data of a lock is, and a byte that belongs to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) value: (usize, usize),
    flag: usize,
}

/// Data of which it is not known whether it is the same has a count for a number, with this.
const COUNTED: u64 = DATA_END >> 1;

/// A lock that a thread holds alone, as it was when the thread took it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    lock: ObjectId,
    /// How often the thread had changed objects, and what its locks guard.
    effects: u32,
    changes: u32,
}

/// Where the data of each lock is.
#[derive(Default)]
pub(crate) struct Guards(RefCell<FxHashMap<ObjectId, Region>>);

impl Guards {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.0
    }

    pub(crate) fn clear(&self) {
        let mut regions = self.0.borrow_mut();
        if !regions.is_empty() {
            regions.clear();
        }
    }
}

/// The word of a lock as it would be if it guarded nothing.
pub fn without_data(word: State) -> State {
    with_data(word, 0)
}

/// Whether local states are asked for, of the thread that runs.
#[inline]
pub fn is_watched() -> bool {
    context::current().is_some_and(|context| context.running().unseen.is_watched())
}

/// The next operation of the thread that runs is on a lock that guards so many bytes from there on, and the byte `flag`.
pub fn guards(value: (*const u8, usize), flag: *const u8) {
    if let Some(context) = context::current() {
        let region = Region { value: (value.0 as usize, value.1), flag: flag as usize };
        context.running().guards.set(Some(region));
    }
}

impl Context {
    /// An operation on a lock is announced, which the run met just now or not.
    pub(crate) fn note_region(&self, lock: ObjectId, region: Region, is_new: bool) {
        if self.apart.get() {
            return;
        }
        context::quietly(|| self.guards.0.borrow_mut().insert(lock, region));
        if is_new {
            context::quietly(|| {
                let number = self.number_of_data(lock);
                let mut world = self.world.borrow_mut();
                let word = with_data(world.word(lock), number);
                world.set_word(lock, word);
            });
        }
    }

    /// What a lock guards has this number now, if it is known where it is.
    fn number_now(&self, lock: ObjectId) -> Option<u64> {
        let is_known = self.guards.0.borrow().contains_key(&lock);
        is_known.then(|| self.number_of_data(lock))
    }

    fn number_of_data(&self, lock: ObjectId) -> u64 {
        let region = self.guards.0.borrow().get(&lock).copied();
        let state = region.and_then(|region| context::quietly(|| self.state_of_data(region)));
        let number = state.and_then(|state| self.registry.number_of_data(state, COUNTED));
        number.unwrap_or_else(|| COUNTED + u64::from(self.times_taken(lock)) % COUNTED)
    }

    /// What there is in a region, and in the memory that it leads to; none if others may change some of that.
    fn state_of_data(&self, Region { value: (start, len), flag }: Region) -> Option<Fingerprint> {
        let mut reach = Reach::of_data(self);
        reach.add_words(start, start + len)?;
        // SAFETY: the lock is there, for a thread has it borrowed; nobody writes while the run is between two steps.
        reach.put(u64::from(unsafe { (flag as *const u8).read() }));
        reach.add_blocks()?;
        (!reach.is_lost).then(|| Fingerprint::of_bytes(reach.words()))
    }

    /// A thread performed its operation. The word that its object has after it, with the number of what it guards, if it is a lock that
    /// the thread has given back.
    pub(crate) fn settle_data(&self, thread: ThreadId, outcome: Outcome, before: State, after: State) -> State {
        let slot = self.slot(thread);
        let (op, unseen) = (slot.op(), &slot.unseen);
        let nature = op.kind.nature();
        match nature.holding {
            Holding::Takes(Hold::Exclusive) if outcome == Outcome::Done => {
                let section = Section { lock: op.object, effects: unseen.effects.get(), changes: unseen.changes.get() };
                context::quietly(|| unseen.sections.borrow_mut().push(section));
            }
            Holding::Gives(Hold::Exclusive) | Holding::Downgrades if outcome == Outcome::Done => {
                return self.end_section(thread, op.object, after);
            }
            _ if before != after || nature.lasting != Lasting::No => unseen.effects.set(unseen.effects.get() + 1),
            _ => {}
        }
        after
    }

    fn end_section(&self, thread: ThreadId, lock: ObjectId, after: State) -> State {
        let unseen = &self.slot(thread).unseen;
        let mut sections = unseen.sections.borrow_mut();
        let place = sections.iter().rposition(|section| section.lock == lock);
        if let Some(Section { effects, changes, .. }) = place.map(|place| sections.remove(place))
            && (effects, changes) == (unseen.effects.get(), unseen.changes.get())
        {
            return after;
        }
        unseen.effects.set(unseen.effects.get() + 1);
        let Some(number) = self.number_now(lock) else { return after };
        let word = with_data(after, number);
        self.world.borrow_mut().set_word(lock, word);
        word
    }

    /// Whether what a lock guards has the number that is in its word, as far as it has one that says what it is.
    pub(crate) fn is_as_told(&self, lock: ObjectId) -> bool {
        let told = data_of(self.world.borrow().word(lock));
        self.number_now(lock).is_none_or(|number| number == told || number >= COUNTED || told >= COUNTED)
    }

    /// What the locks guard that a thread holds alone. None if it holds none; none within that if it is not known.
    pub(crate) fn held_data(&self, thread: ThreadId) -> Option<Option<Fingerprint>> {
        let sections = self.slot(thread).unseen.sections.borrow();
        if sections.is_empty() {
            return None;
        }
        let regions = self.guards.0.borrow();
        let states = sections.iter().map(|section| {
            let region = regions.get(&section.lock).copied()?;
            context::quietly(|| self.state_of_data(region))
        });
        Some(states.collect::<Option<Vec<_>>>().map(|states| Fingerprint(0).and(&states)))
    }

    /// The thread took a step: whether it changed what the locks guard that it holds alone.
    pub(crate) fn compare_held_data(&self, thread: ThreadId, before: Option<Option<Fingerprint>>) {
        let Some(before) = before else { return };
        if before.is_none() || self.held_data(thread) != Some(before) {
            let changes = &self.slot(thread).unseen.changes;
            changes.set(changes.get() + 1);
        }
    }
}
