//! One thread of the program.

use crate::apart::Ahead;
use crate::calls::call::Made;
use crate::context::Table;
use crate::floating::Environment;
use crate::snapshot::copy_list;
use crate::switch::Body;
use model::{Failure, Op, Orders, Outcome, ThreadId};
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

/// So many reads of a thread in a row, of memory that only it touches, look like a loop that waits.
pub(crate) const FIRST_PATIENCE: u32 = 10_000;

/// Where a thread is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Status {
    /// It is not there, has ended, failed or been cut.
    Gone,
    /// It announced an operation.
    Live,
    /// It ended the program. It takes no further step, and what it called is still there.
    Exited,
    /// It failed before its first operation, and will say so when it takes its first step.
    Stillborn,
}

/// What a step does to memory, besides what the operation's kind says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Effect {
    /// The runtime performs the operation on the object.
    Performed,
    /// The program itself accesses the memory when it goes on.
    Native,
}

/// What came of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    pub(crate) before: u64,
    pub(crate) alternative: u32,
    /// Whether it was against the rules of its object, so that the thread fails.
    pub(crate) misused: bool,
}

impl Done {
    /// Whether it did what it is named for.
    pub(crate) fn is_done(&self) -> bool {
        self.outcome != Outcome::Refused
    }
}

/// One thread of the program, in the run at hand.
pub(crate) struct Slot {
    /// Whether this run has the thread.
    pub(crate) used: Cell<bool>,
    pub(crate) status: Cell<Status>,
    pub(crate) op: Cell<Op>,
    /// The operation itself, where `op` is one on a region of atomic sections.
    pub(crate) meant: Cell<Op>,
    pub(crate) effect: Cell<Effect>,
    /// Stands for operands of the operation that its kind does not have, because the runtime keeps them.
    pub(crate) operands: Cell<u128>,
    /// The memory orders of its operation, if that is an atomic one.
    pub(crate) orders: Cell<Orders>,
    /// What it has written that is no step yet.
    pub(crate) ahead: RefCell<Ahead>,
    pub(crate) done: Cell<Done>,
    /// Where its fiber is suspended.
    pub(crate) stack_pointer: Cell<usize>,
    pub(crate) failure: Cell<Option<Box<Failure>>>,
    /// The thread that a spawn is about to create, and what it runs.
    pub(crate) spawns: Cell<Option<(ThreadId, Body)>>,
    /// Its children, the same in every run, and how many it has in this one.
    pub(crate) children: RefCell<Vec<ThreadId>>,
    pub(crate) spawned: Cell<u32>,
    pub(crate) errno: Cell<i32>,
    pub(crate) floating: Cell<Environment>,
    pub(crate) result: Cell<usize>,
    /// The innermost of what `pthread_cleanup_push` has put on its stack (see `crate::calls::cleanup`), or 0.
    pub(crate) cleanup: Cell<usize>,
    pub(crate) detached: Cell<bool>,
    pub(crate) joined: Cell<bool>,
    /// Who has joined it.
    pub(crate) joiner: Cell<Option<ThreadId>>,
    /// Values by keys.
    pub(crate) values: RefCell<Vec<usize>>,
    /// Stands for all that it found in its steps so far.
    seen: Cell<u128>,
    /// Stands for what it changed that is neither an object nor on its stack: 0 as long as there is nothing.
    unseen: Cell<u128>,
    /// The call that it is in at its first operation.
    pub(crate) first_call: Cell<Made>,
    /// Functions that its end calls, the last one first: function, argument.
    pub(crate) at_end: RefCell<Vec<(usize, usize)>>,
    /// The last bytes that it announced to write (see `crate::paranoid`): where, and how many.
    pub(crate) last_write: Cell<(usize, usize)>,
    /// How many reads of that kind do so now: see [`FIRST_PATIENCE`].
    pub(crate) patience: Cell<u32>,
    /// How far its virtual clock is, in nanoseconds.
    pub(crate) clock: Cell<u64>,
    /// Its last random number.
    pub(crate) random: Cell<u64>,
}

impl Slot {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 4] {
        [&self.ahead, &self.children, &self.values, &self.at_end]
    }

    pub(crate) fn new() -> Self {
        Slot {
            used: Cell::new(true),
            status: Cell::new(Status::Gone),
            op: Cell::new(Op::NONE),
            meant: Cell::new(Op::NONE),
            effect: Cell::new(Effect::Performed),
            operands: Cell::new(0),
            orders: Cell::default(),
            ahead: RefCell::default(),
            done: Cell::new(Done { outcome: Outcome::Done, before: 0, alternative: 0, misused: false }),
            stack_pointer: Cell::new(0),
            failure: Cell::new(None),
            spawns: Cell::new(None),
            children: RefCell::default(),
            spawned: Cell::new(0),
            errno: Cell::new(0),
            floating: Cell::default(),
            result: Cell::new(0),
            cleanup: Cell::new(0),
            detached: Cell::new(false),
            joined: Cell::new(false),
            joiner: Cell::new(None),
            values: RefCell::default(),
            seen: Cell::new(0),
            unseen: Cell::new(0),
            first_call: Cell::default(),
            at_end: RefCell::default(),
            last_write: Cell::new((0, 0)),
            patience: Cell::new(FIRST_PATIENCE),
            clock: Cell::new(0),
            random: Cell::new(0),
        }
    }

    /// The thread is told what came of its operation.
    #[inline]
    pub(crate) fn tell(&self, done: Done) {
        let how = u128::from(done.alternative) << 1 | u128::from(done.outcome == Outcome::Refused);
        self.seen.set(mixed(self.seen.get(), u128::from(done.before) | how << 64));
        self.done.set(done);
    }

    /// The thread changed something that is neither an object nor on its stack: it is not where it was before. What it
    /// wrote there is given by what it found until then, which differs from run to run.
    #[inline]
    pub(crate) fn note_unseen(&self) {
        self.unseen.set(mixed(self.unseen.get(), self.seen.get()).max(1));
    }

    /// What of the local state of this thread is not on its stack. Threads that look alike otherwise have written what is
    /// their own in different places.
    pub(crate) fn unstacked(&self, thread: ThreadId) -> [u64; 4] {
        let unseen = self.unseen.get();
        let whose = if unseen == 0 { 0 } else { u64::from(thread.0) + 1 };
        let rest = u64::from(self.patience.get()) << 32 | u64::from(self.errno.get() as u32);
        [unseen as u64, (unseen >> 64) as u64, whose, rest]
    }

    /// Ready for a new run.
    pub(crate) fn reset(&self) {
        if !self.used.replace(false) {
            return;
        }
        self.status.set(Status::Gone);
        self.ahead.borrow_mut().clear();
        self.failure.set(None);
        self.spawns.set(None);
        self.spawned.set(0);
        self.errno.set(0);
        self.floating.set(Environment::default());
        self.result.set(0);
        self.cleanup.set(0);
        self.detached.set(false);
        self.joined.set(false);
        self.joiner.set(None);
        self.values.borrow_mut().clear();
        self.seen.set(0);
        self.unseen.set(0);
        self.operands.set(0);
        self.at_end.borrow_mut().clear();
        self.last_write.set((0, 0));
        self.patience.set(FIRST_PATIENCE);
        self.clock.set(0);
        self.random.set(0);
    }
}

/// What of a [`Slot`] changes during a run, while its thread is suspended.
#[derive(Clone, Debug)]
pub(crate) struct SavedSlot {
    status: Status,
    op: Op,
    meant: Op,
    effect: Effect,
    operands: u128,
    orders: Orders,
    stack_pointer: usize,
    spawns: Option<(ThreadId, Body)>,
    spawned: u32,
    errno: i32,
    floating: Environment,
    result: usize,
    cleanup: usize,
    detached: bool,
    joined: bool,
    joiner: Option<ThreadId>,
    last_write: (usize, usize),
    patience: u32,
    clock: u64,
    random: u64,
    values: Vec<usize>,
    at_end: Vec<(usize, usize)>,
    seen: u128,
    unseen: u128,
    /// Of a thread that failed before its first operation.
    failure: Option<Box<Failure>>,
}

impl Default for SavedSlot {
    fn default() -> Self {
        SavedSlot {
            status: Status::Gone,
            op: Op::NONE,
            meant: Op::NONE,
            effect: Effect::Performed,
            operands: 0,
            orders: Orders::default(),
            stack_pointer: 0,
            spawns: None,
            spawned: 0,
            errno: 0,
            floating: Environment::default(),
            result: 0,
            cleanup: 0,
            detached: false,
            joined: false,
            joiner: None,
            last_write: (0, 0),
            patience: FIRST_PATIENCE,
            clock: 0,
            random: 0,
            values: Vec::new(),
            at_end: Vec::new(),
            seen: 0,
            unseen: 0,
            failure: None,
        }
    }
}

impl Slot {
    /// Its value by a key.
    pub(crate) fn set_value(&self, key: usize, value: usize) {
        let mut values = self.values.borrow_mut();
        if values.len() <= key {
            values.resize(key + 1, 0);
        }
        values[key] = value;
    }

    /// Whether its fiber is suspended at an operation.
    pub(crate) fn is_live(&self) -> bool {
        self.status.get() == Status::Live
    }

    /// Whether its frames are part of the program's state.
    pub(crate) fn has_frames(&self) -> bool {
        matches!(self.status.get(), Status::Live | Status::Exited)
    }

    /// Hashes what decides how the thread goes on, besides its memory and its registers, which are on its stack. Time counts if the
    /// program looks at it.
    pub(crate) fn hash_state(&self, looks_at_clock: bool, hasher: &mut impl Hasher) {
        (self.status.get(), self.op.get(), self.meant.get(), self.effect.get()).hash(hasher);
        (self.operands.get(), self.orders.get(), self.stack_pointer.get()).hash(hasher);
        let spawns = self.spawns.get().map(|(child, body)| (child, body.function, body.arguments, body.then as usize));
        (spawns, self.spawned.get(), self.errno.get(), self.floating.get()).hash(hasher);
        (self.result.get(), self.cleanup.get(), self.detached.get(), self.joined.get(), self.joiner.get()).hash(hasher);
        (&*self.values.borrow(), &*self.at_end.borrow()).hash(hasher);
        self.random.get().hash(hasher);
        if looks_at_clock {
            self.clock.get().hash(hasher);
        }
        let failure = self.failure.take();
        failure.as_ref().map(|failure| (failure.kind, failure.site, failure.message.as_str())).hash(hasher);
        self.failure.set(failure);
    }

    /// Addresses that the runtime keeps for the thread.
    pub(crate) fn kept_addresses(&self) -> impl Iterator<Item = usize> {
        let of_spawn = self.spawns.get().map_or([0; 3], |(_, body)| body.arguments);
        let mut kept: Vec<usize> = [self.result.get(), self.cleanup.get()].into_iter().chain(of_spawn).collect();
        kept.extend(self.values.borrow().iter());
        kept.extend(self.at_end.borrow().iter().map(|&(_, argument)| argument));
        kept.into_iter()
    }

    /// Copies what a run changes.
    pub(crate) fn save(&self, saved: &mut SavedSlot) {
        saved.status = self.status.get();
        saved.op = self.op.get();
        saved.meant = self.meant.get();
        saved.effect = self.effect.get();
        saved.orders = self.orders.get();
        saved.stack_pointer = self.stack_pointer.get();
        saved.spawns = self.spawns.get();
        saved.spawned = self.spawned.get();
        saved.errno = self.errno.get();
        saved.floating = self.floating.get();
        saved.operands = self.operands.get();
        saved.result = self.result.get();
        saved.cleanup = self.cleanup.get();
        saved.detached = self.detached.get();
        saved.joined = self.joined.get();
        saved.joiner = self.joiner.get();
        saved.last_write = self.last_write.get();
        saved.patience = self.patience.get();
        saved.clock = self.clock.get();
        saved.random = self.random.get();
        copy_list(&mut saved.values, &self.values.borrow());
        copy_list(&mut saved.at_end, &self.at_end.borrow());
        saved.seen = self.seen.get();
        saved.unseen = self.unseen.get();
        let failure = self.failure.take();
        saved.failure.clone_from(&failure);
        self.failure.set(failure);
    }

    /// Becomes what it was when it was saved.
    pub(crate) fn load(&self, saved: &SavedSlot) {
        self.used.set(true);
        self.status.set(saved.status);
        self.op.set(saved.op);
        self.meant.set(saved.meant);
        self.effect.set(saved.effect);
        self.orders.set(saved.orders);
        self.stack_pointer.set(saved.stack_pointer);
        self.spawns.set(saved.spawns);
        self.spawned.set(saved.spawned);
        self.errno.set(saved.errno);
        self.floating.set(saved.floating);
        self.operands.set(saved.operands);
        self.result.set(saved.result);
        self.cleanup.set(saved.cleanup);
        self.detached.set(saved.detached);
        self.joined.set(saved.joined);
        self.joiner.set(saved.joiner);
        self.last_write.set(saved.last_write);
        self.patience.set(saved.patience);
        self.clock.set(saved.clock);
        self.random.set(saved.random);
        copy_list(&mut self.values.borrow_mut(), &saved.values);
        copy_list(&mut self.at_end.borrow_mut(), &saved.at_end);
        self.seen.set(saved.seen);
        self.unseen.set(saved.unseen);
        self.failure.set(saved.failure.clone());
    }
}

/// A number that stands for one that is like this and another that came after it: never the same for the same one twice in
/// a row but by chance.
#[inline]
fn mixed(one: u128, other: u128) -> u128 {
    const FACTOR: u128 = 0xDA94_2042_E4DD_58B5_9E37_79B9_7F4A_7C15;
    let product = (one.rotate_left(29) ^ other).wrapping_add(FACTOR).wrapping_mul(FACTOR);
    product ^ product >> 64
}
