//! What every object is: when an operation on it is enabled, and what it does.
//!
//! Each object kind is a small state machine over one word, its [`State`], in a file of its own. The functions here
//! are pure, so that they serve three masters: [`World`] applies them to the state at hand, the analysis asks them
//! about states that are not at hand ("would this lock have been enabled before that event?"), and tests apply pairs
//! of operations in both orders to prove that what is called independent commutes.
//!
//! [`Machine`] joins a [`World`] with the threads of a front end into a run.
//!
//! | file | object | its word |
//! |---|---|---|
//! | `variable` | shared variable | the value |
//! | `count` | count of references | the strong ones in its lower half, the weak ones in its upper half |
//! | `mutex` | mutex | 0 when free, else owner + 1 |
//! | `rwlock` | reader-writer lock | number of readers, or the writer with the top bit set |
//! | `condvar` | condition variable | number of waiters (who they are is in [`World`]) |
//! | `semaphore` | counting semaphore | the count |
//! | `barrier` | barrier | arrivals since the start |
//! | `latch` | count-down latch | how many are missing |
//! | `life` | any of these but variables and mailboxes | whether it is initialised, destroyed, freed |
//! | `mailbox` | mailbox | messages sent to it since the start (those that are in it are in [`World`]) |

mod barrier;
mod condvar;
mod count;
mod kept;
mod latch;
mod life;
mod machine;
mod mailbox;
mod mutex;
mod rwlock;
mod semaphore;
mod variable;
mod world;

pub use count::{WEAK, strong, weak};
pub use life::{DESTROYED, FREED, UNINITIALISED, is_alive};
pub use machine::Machine;
pub use mailbox::{Mailbox, Message};
pub use mutex::owner as mutex_owner;
pub use rwlock::{readers as rwlock_readers, writer as rwlock_writer};
pub use world::{Performed, World};

use model::{OpKind, Outcome, State, ThreadId};

/// Numbers for what locks guard are smaller than this.
pub const DATA_END: u64 = 1 << 30;

/// The number for what a lock guards, in a state of it; 0 if it has none.
#[inline]
pub fn data_of(state: State) -> u64 {
    (state & !rwlock::WRITER) >> 32
}

/// The state of a lock, with this number for what it guards. Lock, unlock and the like leave the number as it is.
#[inline]
pub fn with_data(state: State, number: u64) -> State {
    debug_assert!(number < DATA_END);
    state & (rwlock::WRITER | rwlock::HOLDERS) | number << 32
}

/// Whether an operation is enabled in this state of its object.
///
/// Says nothing of what depends on more than the object's word: whether a joined thread has ended and whether a waiter
/// has been notified (those orders cannot be reversed, so only [`World`] needs them), and whether a message matches,
/// which [`Mailbox`] knows.
#[inline]
pub fn enabled(kind: OpKind, state: State) -> bool {
    use OpKind::*;
    match kind {
        Await(test) => test.holds(state),
        Drained => state == 0,
        // Whoever uses what has no life does so at once: that is a failure.
        Lock | Section | Relock { .. } => mutex::is_free(state) || !is_alive(state),
        ReadLock => rwlock::admits_reader(state) || !is_alive(state),
        WriteLock => rwlock::admits_writer(state) || !is_alive(state),
        Acquire => semaphore::available(state),
        Pass { parties, generation } => barrier::complete(state, parties, generation),
        PassLatch => latch::is_open(state),
        Read | Write(_) | ReadModifyWrite(_) | CompareExchange { .. } | Add(_) | AddIn { .. } | Count(_) => true,
        CellRead | CellWrite | PlainRead | PlainWrite(_) | StopWaiting => true,
        TryLock | Unlock | TryReadLock | ReadUnlock | TryWriteLock | WriteUnlock | Downgrade => true,
        TryAcquire | Release => true,
        Wait { .. }
        | NotifyOne
        | NotifyAll
        | Arrive { .. }
        | CountDown
        | Spawn
        | Join(_)
        | Yield
        | Fence
        | Choose(_) => true,
        Send { .. } | Receive(_) | TryReceive(_) => true,
        // Whether a step is enabled, its program says.
        Init(_) | Destroy(_) | Free | Atomic | Step(_) => true,
    }
}

/// How many alternatives a step with this operation has in this state of its object.
#[inline]
pub fn alternatives(kind: OpKind, state: State) -> u32 {
    match kind {
        OpKind::Choose(n) => n,
        OpKind::NotifyOne if is_alive(state) => condvar::candidates(state),
        _ => 1,
    }
}

/// What comes of an enabled operation in this state of its object: [`Outcome::Done`], [`Outcome::Refused`] or
/// [`Outcome::Lifeless`].
///
/// [`World`] knows the rest: which thread was spawned or woken, which message was received, and whether a thread that
/// releases a lock holds it. The latter depends on the thread's own past alone, so no reordering changes it.
#[inline]
pub fn outcome(kind: OpKind, state: State) -> Outcome {
    use OpKind::*;
    if kind.nature().needs_life && !is_alive(state) {
        return Outcome::Lifeless;
    }
    let done = match kind {
        CompareExchange { expected, .. } => state == expected,
        Count(counting) => count::changes(counting, state),
        TryLock => mutex::is_free(state),
        TryReadLock => rwlock::admits_reader(state),
        TryWriteLock => rwlock::admits_writer(state),
        TryAcquire => semaphore::available(state),
        NotifyOne | NotifyAll => condvar::has_waiters(state),
        Destroy(idle) => life::is_idle(idle, state),
        Read | Write(_) | ReadModifyWrite(_) | Add(_) | AddIn { .. } | Await(_) | Drained => true,
        CellRead | CellWrite | PlainRead | PlainWrite(_) => true,
        Lock | Unlock | Section | ReadLock | ReadUnlock | WriteLock | WriteUnlock | Downgrade => true,
        Wait { .. } | Relock { .. } | StopWaiting | Acquire | Release => true,
        Arrive { .. } | Pass { .. } | CountDown | PassLatch | Send { .. } | Receive(_) | TryReceive(_) => true,
        Init(_) | Free | Atomic | Step(_) | Spawn | Join(_) | Yield | Fence | Choose(_) => true,
    };
    if done { Outcome::Done } else { Outcome::Refused }
}

/// What is wrong with an operation on an object with this word, if it has no life, or is to lose it while it is in use.
#[inline]
pub fn misuse_of_life(kind: OpKind, state: State) -> Option<&'static str> {
    match (outcome(kind, state), state) {
        (Outcome::Lifeless, UNINITIALISED) => Some("use of an object that was not initialised"),
        (Outcome::Lifeless, FREED) => Some("use of an object whose memory was freed"),
        (Outcome::Lifeless, _) => Some("use of an object that was destroyed"),
        (Outcome::Refused, _) if matches!(kind, OpKind::Destroy(_)) => {
            Some("an object was destroyed while it was in use")
        }
        _ => None,
    }
}

/// What is wrong with an operation of a thread that does not hold what it releases or needs, if it releases or needs a lock.
pub fn misuse_of_release(kind: OpKind) -> Option<&'static str> {
    match kind {
        OpKind::Unlock => Some("a mutex was unlocked by a thread that does not hold it"),
        OpKind::ReadUnlock => Some("a reader-writer lock was released by a reader that does not hold it"),
        OpKind::WriteUnlock | OpKind::Downgrade => {
            Some("a reader-writer lock was released by a writer that does not hold it")
        }
        OpKind::Wait { .. } => Some("a thread waited on a condition variable with a mutex that it does not hold"),
        _ => None,
    }
}

/// The object's word after an operation with this outcome.
#[inline]
pub fn apply(kind: OpKind, outcome: Outcome, state: State, thread: ThreadId) -> State {
    use OpKind::*;
    if matches!(outcome, Outcome::Refused | Outcome::Lifeless) {
        return state;
    }
    match kind {
        Write(_) | PlainWrite(_) | ReadModifyWrite(_) | CompareExchange { .. } | Add(_) | AddIn { .. } => {
            variable::updated(kind, state)
        }
        Count(counting) => count::changed(counting, state),
        Lock | TryLock | Relock { .. } => mutex::held_by(thread, state),
        Unlock => mutex::freed(state),
        ReadLock | TryReadLock => state + 1,
        ReadUnlock => state - 1,
        WriteLock | TryWriteLock => rwlock::held_by(thread, state),
        WriteUnlock => rwlock::freed(state),
        Downgrade => rwlock::downgraded(state),
        Wait { .. } => state + 1,
        NotifyOne | StopWaiting => condvar::after_notify_one(state),
        NotifyAll => 0,
        Acquire | TryAcquire => state - 1,
        Release | Arrive { .. } | Send { .. } => state + 1,
        CountDown => latch::counted_down(state),
        Init(state) => state,
        Destroy(_) => DESTROYED,
        Free => FREED,
        Atomic | Step(_) | Read | Await(_) | Drained | CellRead | PlainRead | CellWrite => state,
        Section
        | Pass { .. }
        | PassLatch
        | Receive(_)
        | TryReceive(_)
        | Spawn
        | Join(_)
        | Yield
        | Fence
        | Choose(_) => state,
    }
}
