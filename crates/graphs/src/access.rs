//! What an operation is in events: the one place that knows every kind.
//!
//! | operation | events |
//! |---|---|
//! | read, await | a read; of an await, only of a write that passes |
//! | write, unlock by the holder, free of memory | a write |
//! | fetch-and-…, swap, add, init, free of a lock or the like | an update: a read and a write |
//! | compare-exchange, try-lock, destroy and the like | an update, or a read alone where it fails |
//! | lock, acquire, shared lock, section | an update whose read must pass |
//! | wait, notify | an update of the set of waiters; a notify that finds nobody is a read |
//! | count down; pass a latch | an update; a read that must pass |
//! | the end of the time of a wait | an update of that set, or a read alone by a thread that was notified |
//! | relock | a lock that is after the notify that woke the thread |
//! | arrive; pass | an update; after the arrival that completes the meeting |
//! | fence; spawn, join; choose; yield | themselves |
//!
//! The word of a condition variable is the set of its waiters, a bit for each thread. All other words are those of the crate
//! `objects`, whose functions say what comes of an operation.

use crate::loops::Futile;
use model::{Hold, Holding, Op, OpKind, Order, Orders, Outcome, Request, State, ThreadId, Update};
use std::fmt;

/// Which events an operation has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// One that orders nothing.
    Nothing,
    Fence,
    Choose(u32),
    Spawn,
    Join(ThreadId),
    /// After the arrival that makes the word of the barrier this.
    Pass(State),
    Read,
    Write(State),
    Update,
}

/// What an operation asks for, as events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) op: Op,
    pub(crate) access: Access,
    pub(crate) orders: Orders,
    /// Whether its read must pass.
    pub(crate) blocks: bool,
    /// What its read must not take, because its thread would only come round to it again.
    pub(crate) futile: Futile,
}

/// An operation that has no form in graphs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Its name.
    pub operation: &'static str,
    /// Why not.
    pub reason: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsupported { operation, reason } = self;
        write!(f, "memory models cannot explore programs with {operation}: {reason}")
    }
}

impl std::error::Error for Unsupported {}

const RELAXED: Orders = Orders::of(Order::Relaxed);
const ACQUIRE: Orders = Orders { success: Order::Acquire, failure: Order::Relaxed };
const RELEASE: Orders = Orders::of(Order::Release);
const BOTH: Orders = Orders { success: Order::AcqRel, failure: Order::Relaxed };
const PLAIN: Orders = Orders::of(Order::Plain);

/// What a request asks for.
#[inline]
pub(crate) fn asked(request: Request, thread: ThreadId) -> Result<Asked, Unsupported> {
    use OpKind::*;
    let Request { op, orders } = request;
    let refused = |reason| Err(Unsupported { operation: op.kind.name(), reason });
    let (access, orders) = match op.kind {
        Yield => (Access::Nothing, RELAXED),
        Fence => (Access::Fence, orders),
        Choose(of) => (Access::Choose(of), RELAXED),
        Spawn => (Access::Spawn, RELAXED),
        Join(other) => (Access::Join(other), RELAXED),
        Pass { parties, generation } => (Access::Pass((u64::from(generation) + 1) * u64::from(parties)), ACQUIRE),
        Read | Await(_) => (Access::Read, orders),
        PassLatch => (Access::Read, ACQUIRE),
        PlainRead | CellRead => (Access::Read, PLAIN),
        Write(value) => (Access::Write(value), orders),
        PlainWrite(value) => (Access::Write(value), PLAIN),
        CellWrite => (Access::Write(0), PLAIN),
        ReadModifyWrite(Update::Native) => return refused("what it writes is known only once it is done"),
        ReadModifyWrite(_) | CompareExchange { .. } | Add(_) | AddIn { .. } | Count(_) => (Access::Update, orders),
        Unlock | WriteUnlock => (Access::Write(0), RELEASE),
        Lock | TryLock | Relock { .. } | ReadLock | TryReadLock | WriteLock | TryWriteLock => (Access::Update, ACQUIRE),
        Acquire | TryAcquire => (Access::Update, ACQUIRE),
        // Whoever initialises what is in use must be told.
        ReadUnlock | Downgrade | Release | CountDown | Init(_) => (Access::Update, RELEASE),
        Section | Arrive { .. } => (Access::Update, BOTH),
        Wait { .. } if thread.index() >= 64 => return refused("only the first 64 threads can wait"),
        Wait { .. } | NotifyOne | NotifyAll => (Access::Update, RELAXED),
        StopWaiting if thread.index() >= 64 => return refused("only the first 64 threads can wait"),
        StopWaiting | Destroy(_) => (Access::Update, RELAXED),
        // Of memory, a plain write of all that is there; of a lock or the like, one that must be told whether that is in use.
        Free if orders.success == Order::Plain => (Access::Write(objects::FREED), orders),
        Free => (Access::Update, orders),
        Send { .. } | Receive(_) | TryReceive(_) | Drained => {
            return refused("messages are explored as sequentially consistent");
        }
        _ => return refused("such steps are explored as sequentially consistent"),
    };
    let blocks = matches!(access, Access::Read | Access::Update) && op.kind.may_block();
    Ok(Asked { op, access, orders, blocks, futile: Futile::default() })
}

impl Asked {
    /// The same operation, which must not read these values.
    pub(crate) fn but_for(&mut self, futile: Futile) {
        self.futile = futile;
        self.blocks |= !futile.is_empty();
    }

    /// Whether its read may read this word.
    #[inline]
    pub(crate) fn passes(&self, word: State) -> bool {
        !self.blocks || objects::enabled(self.op.kind, word) && !self.futile.contains(word)
    }

    /// How many words its update may write where it reads this one.
    pub(crate) fn alternatives(&self, word: State) -> u32 {
        let is_choice = self.op.kind == OpKind::NotifyOne && objects::is_alive(word);
        if is_choice { word.count_ones().max(1) } else { 1 }
    }

    /// The word that its update writes where it reads this one; none if it only looks.
    pub(crate) fn written(&self, word: State, thread: ThreadId, alternative: u32) -> Option<State> {
        if self.access != Access::Update || !self.passes(word) {
            return None;
        }
        if objects::outcome(self.op.kind, word) == Outcome::Lifeless {
            return None;
        }
        match self.op.kind {
            // A lock that was initialised meanwhile is held by nobody.
            OpKind::ReadUnlock => (objects::rwlock_readers(word) > 0).then(|| word - 1),
            OpKind::Downgrade if objects::rwlock_writer(word) != Some(thread) => None,
            OpKind::Wait { .. } => Some(word | 1 << thread.0),
            OpKind::StopWaiting => (word >> thread.0 & 1 == 1).then(|| word & !(1 << thread.0)),
            OpKind::NotifyAll => (word != 0).then_some(0),
            OpKind::NotifyOne => (word != 0).then(|| word & !nth_bit(word, alternative)),
            kind => {
                let outcome = objects::outcome(kind, word);
                (outcome == Outcome::Done).then(|| objects::apply(kind, outcome, word, thread))
            }
        }
    }

    /// What is wrong with it, which only looks, where it reads this word.
    pub(crate) fn misuse(&self, word: State) -> Option<&'static str> {
        let of_release = || objects::misuse_of_release(self.op.kind).filter(|_| self.access == Access::Update);
        objects::misuse_of_life(self.op.kind, word).or_else(of_release)
    }

    /// The order of its read where it writes, or does not.
    pub(crate) fn order(&self, writes: bool) -> Order {
        if writes || self.access != Access::Update { self.orders.success } else { self.orders.failure }
    }
}

/// The bit of this number, counted from 0, among those that are set.
fn nth_bit(mut word: State, number: u32) -> State {
    for _ in 0..number {
        word &= word.wrapping_sub(1);
    }
    word & word.wrapping_neg()
}

/// Which locks threads hold, for releases by those that do not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holdings(Vec<(ThreadId, model::ObjectId, bool)>);

impl Holdings {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Why the thread must not do this, if it must not.
    pub(crate) fn misuse(&self, thread: ThreadId, op: &Op) -> Option<&'static str> {
        let holds = |object, exclusive| self.0.contains(&(thread, object, exclusive));
        let may = match op.kind {
            OpKind::Unlock | OpKind::WriteUnlock | OpKind::Downgrade => holds(op.object, true),
            OpKind::ReadUnlock => holds(op.object, false),
            OpKind::Wait { mutex } => holds(mutex, true),
            _ => true,
        };
        if may { None } else { objects::misuse_of_release(op.kind) }
    }

    /// The thread has done this.
    pub(crate) fn note(&mut self, thread: ThreadId, op: &Op) {
        match op.kind.nature().holding {
            Holding::Takes(how) => self.0.push((thread, op.object, how == Hold::Exclusive)),
            Holding::Gives(how) => self.release(thread, op.object, how == Hold::Exclusive),
            Holding::Downgrades => {
                self.release(thread, op.object, true);
                self.0.push((thread, op.object, false));
            }
            Holding::Nothing | Holding::NeedsMutex => {}
        }
    }

    fn release(&mut self, thread: ThreadId, object: model::ObjectId, exclusive: bool) {
        if let Some(place) = self.0.iter().position(|&held| held == (thread, object, exclusive)) {
            self.0.swap_remove(place);
        }
    }
}
