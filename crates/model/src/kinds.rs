//! The kinds of operation: the one table that knows all of them.
//!
//! Whoever wants to know whether an operation can block, whether it is an access of a variable, or which lock it takes, asks
//! this table. What an operation does to its object is in the crate `objects`, on what it depends in `trace::dependence`;
//! both match on every kind. So the compiler refuses a kind that is missing in one of the three.

use crate::nature::{Access, BLOCKS, Cause, DECIDED, Decided, Hidden, Hold, Holding, Lasting, Nature, PLAIN, Sort};
use crate::{Counting, Function, Idle, ObjectId, Pattern, State, Tag, Test, ThreadId, Touch, Update, Width};
use std::fmt;

/// One row for each kind of operation: its name, the sorts of objects that it is on (none: any), samples of it, for laws that must
/// hold of all kinds, and what it is.
macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $(($of:ident: $type:ty))? $({ $($(#[$field_doc:meta])* $field:ident: $field_type:ty,)+ })?:
            $name:expr, on [$($sort:ident),*], [$($sample:expr),+ $(,)?] => $nature:expr;
    )*) => {
        /// The kinds of operation. What is known of each is in [`OpKind::nature`], what each means in the crate `objects`, which
        /// pairs of them depend in `trace::dependence`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum OpKind {
            $($(#[$doc])* $kind $(($type))? $({ $($(#[$field_doc])* $field: $field_type),+ })?,)*
        }

        impl OpKind {
            /// What this operation is.
            #[inline]
            #[allow(unused_variables, reason = "most rows do not look at what they are of")]
            pub const fn nature(self) -> Nature {
                match self {
                    $(OpKind::$kind $(($of))? $({ $($field: _),+ })? => $nature,)*
                }
            }

            /// Short lower-case name, for reports.
            #[allow(unused_variables, reason = "most rows do not look at what they are of")]
            pub fn name(self) -> &'static str {
                match self {
                    $(OpKind::$kind $(($of))? $({ $($field: _),+ })? => $name,)*
                }
            }

            /// What it may be on; nothing stands for everything.
            pub fn sorts(self) -> &'static [Sort] {
                match self {
                    $(OpKind::$kind { .. } => &[$(Sort::$sort),*],)*
                }
            }

            /// Operations of every kind, at least one of each.
            pub fn samples() -> Vec<OpKind> {
                use OpKind::*;
                vec![$($($sample),+),*]
            }
        }
    };
}

kinds! {
    /// Read a variable.
    Read: "read", on [Variable, Bits, Count, Latch], [Read] => PLAIN.access(Access::Atomic).by_word();
    /// Write a variable.
    Write(_of: u64): "write", on [Variable, Bits], [Write(1), Write(2)]
        => PLAIN.access(Access::Atomic).overwrites().by_word();
    /// Read a variable and write it in one step.
    ReadModifyWrite(update: Update): update.name(), on [Variable, Bits, Count], [
        ReadModifyWrite(Update::FetchAdd(1)),
        ReadModifyWrite(Update::Swap(2)),
        ReadModifyWrite(Update::Native),
        fetch(Function::Add),
        fetch(Function::Sub),
        fetch(Function::And),
        fetch(Function::Nand),
        fetch(Function::Or),
        fetch(Function::Xor),
        fetch(Function::Max),
        fetch(Function::Min),
        // What a native one writes is not known before.
    ]
        => DECIDED.access(Access::Atomic).by_word().commits_if(!matches!(update, Update::Native));
    /// Write `new` if the variable is `expected`; otherwise this is a read.
    CompareExchange {
        /// The value to be found.
        expected: u64,
        /// The value to be written.
        new: u64,
    }: "compare_exchange", on [Variable, Bits],
        [CompareExchange { expected: 1, new: 2 }, CompareExchange { expected: 2, new: 1 }]
        => DECIDED.access(Access::Atomic).by_word().commits_if(true);
    /// Add to a variable without looking at it: two such additions commute.
    Add(_of: u64): "add", on [Variable, Count], [Add(1), Add(2)] => PLAIN.access(Access::Atomic);
    /// The same on a number of a width.
    AddIn {
        /// The width of both numbers.
        width: Width,
        /// What is added.
        by: u64,
    }: "add", on [Bits], [AddIn { width: TWO_BITS, by: 1 }, AddIn { width: TWO_BITS, by: 3 }]
        => PLAIN.access(Access::Atomic);
    /// Change a count of references depending on how many there are; otherwise this is a read.
    Count(counting: Counting): counting.name(), on [Count], [Count(Counting::Upgrade), Count(Counting::Unwrap)]
        => DECIDED.lasting();
    /// Wait until the variable passes the test, and read it.
    Await(_of: Test): "await", on [Variable, Bits, Count, Latch], [Await(Test::Equal(1)), Await(Test::NotEqual(1))]
        => BLOCKS.access(Access::Atomic);
    /// Wait until a count that only its holders can raise is 0: once it is, it stays so.
    Drained: "drained", on [Count], [Drained] => BLOCKS;
    /// Read a plain cell: unordered with a write of it, this is a data race.
    CellRead: "read cell", on [Variable, Bits], [CellRead] => PLAIN.access(Access::Plain).hides(Hidden::Sight);
    /// Write a plain cell: unordered with any access of it, this is a data race.
    CellWrite: "write cell", on [Variable, Bits], [CellWrite]
        => PLAIN.access(Access::Plain).lasting().hides(Hidden::Change);
    /// Read a variable that is not atomic: unordered with a write of it, this is a data race.
    PlainRead: "read", on [Variable, Bits], [PlainRead] => PLAIN.access(Access::Plain);
    /// Write a variable that is not atomic: unordered with any access of it, this is a data race.
    PlainWrite(_of: u64): "write", on [Variable, Bits], [PlainWrite(1)] => PLAIN.access(Access::Plain).overwrites();

    /// Acquire a mutex.
    Lock: "lock", on [Mutex], [Lock] => BLOCKS.alive().takes(Hold::Exclusive);
    /// Acquire a mutex if it is free.
    TryLock: "try_lock", on [Mutex], [TryLock] => DECIDED.alive().takes(Hold::Exclusive).by_word();
    /// Release a mutex.
    Unlock: "unlock", on [Mutex], [Unlock] => PLAIN.alive().gives(Hold::Exclusive);
    /// A whole critical section of a mutex in one step.
    Section: "section", on [Mutex], [Section] => BLOCKS.alive().lasting();

    /// Acquire a reader-writer lock, shared.
    ReadLock: "read_lock", on [RwLock], [ReadLock] => BLOCKS.alive().takes(Hold::Shared);
    /// Acquire a reader-writer lock, shared, if no writer holds it.
    TryReadLock: "try_read_lock", on [RwLock], [TryReadLock] => DECIDED.alive().takes(Hold::Shared).by_word();
    /// Release a reader-writer lock held shared.
    ReadUnlock: "read_unlock", on [RwLock], [ReadUnlock] => PLAIN.alive().gives(Hold::Shared);
    /// Acquire a reader-writer lock, exclusive.
    WriteLock: "write_lock", on [RwLock], [WriteLock] => BLOCKS.alive().takes(Hold::Exclusive);
    /// Acquire a reader-writer lock, exclusive, if nobody holds it.
    TryWriteLock: "try_write_lock", on [RwLock], [TryWriteLock] => DECIDED.alive().takes(Hold::Exclusive).by_word();
    /// Release a reader-writer lock held exclusive.
    WriteUnlock: "write_unlock", on [RwLock], [WriteUnlock] => PLAIN.alive().gives(Hold::Exclusive);
    /// Hold a reader-writer lock shared that was held exclusive: no writer comes between.
    Downgrade: "downgrade", on [RwLock], [Downgrade] => PLAIN.alive().holding(Holding::Downgrades).lasting();

    /// Begin to wait on the condition variable. The thread's next operations are [`OpKind::Unlock`] of `mutex`, then
    /// [`OpKind::Relock`]: whether a notify comes before or after the unlock makes no difference, so that the two need
    /// not be one step, and every operation is on one object.
    Wait {
        /// The mutex that the thread holds and will release.
        mutex: ObjectId,
    }: "wait", on [Condvar], [Wait { mutex: OTHER }]
        => PLAIN.alive().holding(Holding::NeedsMutex).lasting();
    /// Acquire the mutex again after a wait on `condvar`; enabled once notified.
    Relock {
        /// The condition variable that was waited on.
        condvar: ObjectId,
    }: "relock", on [Mutex], [Relock { condvar: OTHER }]
        => BLOCKS.alive().cause(Cause::Notify).takes(Hold::Exclusive).lasting();
    /// Stop waiting on the condition variable because time is up; refused when a notify came before.
    // It changes whether the thread was notified.
    StopWaiting: "time out", on [Condvar], [StopWaiting] => PLAIN.alive().lasting().hides(Hidden::Change);
    /// Wake one waiter; which of them is the step's alternative.
    NotifyOne: "notify_one", on [Condvar], [NotifyOne]
        => Nature { lasting: Lasting::UnlessRefused, ..DECIDED.alive() };
    /// Wake all waiters.
    NotifyAll: "notify_all", on [Condvar], [NotifyAll]
        => Nature { lasting: Lasting::UnlessRefused, ..DECIDED.alive() };

    /// Take one from a counting semaphore.
    Acquire: "acquire", on [Semaphore], [Acquire] => BLOCKS.alive();
    /// Take one from a counting semaphore if there is one.
    TryAcquire: "try_acquire", on [Semaphore], [TryAcquire] => DECIDED.alive().by_word();
    /// Give one to a counting semaphore.
    Release: "release", on [Semaphore], [Release] => PLAIN.alive();

    /// Arrive at a barrier of so many parties. The thread's next operation is [`OpKind::Pass`].
    Arrive {
        /// How many threads meet.
        parties: u32,
        /// Whether its place among the arrivals matters: the program asks who was last, or more threads than parties
        /// come, so that the order decides who meets whom.
        ordered: bool,
    }: "arrive", on [Barrier], [Arrive { parties: 2, ordered: false }, Arrive { parties: 2, ordered: true }]
        => PLAIN.alive().lasting();
    /// Go on behind a barrier; enabled once all parties of this generation have arrived.
    // Whoever has arrived may pass, whatever has become of the barrier.
    Pass {
        /// How many threads meet.
        parties: u32,
        /// Which meeting, counted from 0.
        generation: u32,
    }: "pass", on [Barrier], [Pass { parties: 2, generation: 0 }]
        => BLOCKS.cause(Cause::Arrival).lasting();

    /// Count a latch down by one, without looking at it; one that is at 0 stays there.
    CountDown: "count_down", on [Latch], [CountDown] => PLAIN.lasting();
    /// Go on behind a latch; enabled once it has been counted down to 0.
    PassLatch: "pass_latch", on [Latch], [PassLatch] => BLOCKS;

    /// Put a message into a mailbox, behind those that are there. Never blocks.
    Send {
        /// What receives select by.
        tag: Tag,
        /// What the receiver gets.
        value: u64,
    }: "send", on [Mailbox], [Send { tag: Tag::ZERO, value: 1 }]
        => PLAIN.lasting();
    /// Take the oldest message that matches out of a mailbox; wait until there is one.
    Receive(_of: Pattern): "receive", on [Mailbox], [Receive(Pattern::ANY)] => BLOCKS.lasting();
    /// Take the oldest message that matches out of a mailbox if there is one: a receive with a time-out clause, which
    /// may fire whenever no message matches.
    TryReceive(_of: Pattern): "try_receive", on [Mailbox], [TryReceive(Pattern::ANY)]
        => Nature { decided: Decided::ByMessages, lasting: Lasting::UnlessRefused, hidden: Hidden::Sight, ..PLAIN };

    /// Bring a lock or the like to life, in this state.
    // To initialise a barrier anew that threads wait at has no meaning.
    Init(_of: State): "init", on [Mutex, RwLock, Condvar, Semaphore], [Init(0)]
        => PLAIN.overwrites().lasting().of_life();
    /// End the life of a lock or the like; refused while it is in use.
    // Whether it is refused makes no difference to what it depends on.
    Destroy(_of: Idle): "destroy", on [Mutex, RwLock, Condvar, Semaphore, Barrier],
        [Destroy(Idle::AtZero), Destroy(Idle::Always), Destroy(Idle::AtMultiplesOf(2))]
        => PLAIN.alive().lasting().of_life();
    /// Give memory back: the life of what is there ends.
    Free: "free", on [Mutex, RwLock, Condvar, Semaphore, Barrier], [Free] => PLAIN.lasting().of_life();
    /// A part of the program's text that is one step, whatever it touches.
    Atomic: "atomic section", on [Variable], [Atomic] => PLAIN.by_word();
    /// A step of a program that says itself what its steps mean ([`crate::Steps`]). As long as it has not been done, it touches
    /// nothing that is known here.
    Step(_of: Touch): "step", on [Store], [Step(Touch::NONE)] => BLOCKS.cause(Cause::Move).lasting();

    /// Create a thread; the outcome says which.
    Spawn: "spawn", on [], [Spawn] => PLAIN.lasting();
    /// Wait until the thread has ended.
    Join(_of: ThreadId): "join", on [], [Join(ThreadId(7))] => BLOCKS.cause(Cause::End).lasting();
    /// Do nothing.
    Yield: "yield", on [], [Yield] => PLAIN;
    /// Order what is before with what is after, as far as the memory order of the request says.
    Fence: "fence", on [], [Fence] => PLAIN;
    /// Choose one of so many alternatives.
    Choose(_of: u32): "choose", on [], [Choose(2)] => PLAIN;
}

/// For samples: the width of a variable, and an object that is not the operation's own.
const TWO_BITS: Width = Width { bits: 2, signed: false };
const OTHER: ObjectId = ObjectId(9);

const fn fetch(function: Function) -> OpKind {
    OpKind::ReadModifyWrite(Update::Fetch { function, width: TWO_BITS, operand: 1 })
}

impl OpKind {
    /// Whether this operation replaces the state of its object, whatever that was.
    #[inline]
    pub const fn overwrites(self) -> bool {
        self.nature().overwrites
    }

    /// Whether some state of its object can disable this operation.
    #[inline]
    pub const fn may_block(self) -> bool {
        self.nature().blocks
    }
}

impl fmt::Display for OpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
