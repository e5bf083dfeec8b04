//! What locks guard, as numbers that are part of the locks' words, where local states are asked for.
//!
//! Only who holds a lock gets at what it guards. So while a thread holds one, the guarded data is a part of its local state
//! ([`crate::local_state`]), and while it does not, it is none. What the thread will find there is given by who held the lock
//! before, so that the data is something like the word of an object that lock and unlock read and write. It has a number, the same
//! for the same data in every run, in the lock's word: whoever gives the lock back puts it there. So a section that changed nothing
//! has left the word of its lock as it was, one that changed something has not, and a thread that looks again and again waits for
//! another word.
//!
//! Data may be changed by somebody who does not hold the lock, by means that the compiler does not check. That is seen when
//! the lock is taken next; from then on, numbers are counts that are never the same again ([`Lesson::Loose`]).

use crate::context::{self, Context, Table};
use crate::lesson::Lesson;
use crate::reach::Reach;
use model::{Fingerprint, Hold, Holding, ObjectId, Op, Outcome, State};
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

/// Whether nobody has exclusive access by a lock with this word.
fn is_free(word: State) -> bool {
    objects::mutex_owner(word).is_none() && objects::rwlock_writer(word).is_none()
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
        let known = region.filter(|_| !self.lessons.get().contains(Lesson::Loose));
        let state = known.and_then(|region| context::quietly(|| self.state_of_data(region)));
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

    /// A thread is about to take a lock: what that guards must be what it was when it was given back.
    pub(crate) fn check_data(&self, op: &Op) {
        let word = self.world.borrow().word(op.object);
        if op.kind.nature().holding.takes()
            && is_free(word)
            && let Some(number) = self.number_now(op.object)
            && data_of(word) != number
            && number < COUNTED
        {
            self.registry.learn_of_program(Lesson::Loose);
        }
    }

    /// A step was taken on an object that has this word after it. The word that it has with the number of what it guards, if it is a
    /// lock that a writer has given back.
    pub(crate) fn settle_data(&self, op: &Op, outcome: Outcome, after: State) -> State {
        let is_over = matches!(op.kind.nature().holding, Holding::Gives(Hold::Exclusive) | Holding::Downgrades);
        let number = if is_over && outcome == Outcome::Done { self.number_now(op.object) } else { None };
        let Some(number) = number else { return after };
        let word = with_data(after, number);
        self.world.borrow_mut().set_word(op.object, word);
        word
    }

    /// The word of an object, with the number of what it guards now, if it is a lock that is free.
    pub(crate) fn word_now(&self, object: ObjectId) -> State {
        let word = self.world.borrow().word(object);
        let number = self.number_now(object).filter(|&number| number < COUNTED);
        number.filter(|_| is_free(word)).map_or(word, |number| with_data(word, number))
    }
}
