//! Operations: what a thread asks for, and what came of it.

use crate::{ObjectId, Pattern, Site, Tag, ThreadId, Touch};
use std::fmt;

/// The part of an object's state that decides whether an operation is enabled and what comes of it, in one word:
/// a variable's value, a mutex's owner, a semaphore's count. The encodings are those of the crate `objects`.
pub type State = u64;

/// One visible operation, as the thread asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Op {
    /// What is to be done.
    pub kind: OpKind,
    /// To which object; [`ObjectId::NONE`] when to none.
    pub object: ObjectId,
    /// Where in the program's text.
    pub site: Site,
}

impl Op {
    /// Does nothing, to nothing: what a thread asks for that has come to no operation.
    pub const NONE: Op = Op { kind: OpKind::Yield, object: ObjectId::NONE, site: Site::UNKNOWN };
}

/// The kinds of operation. What is known of each is in [`OpKind::nature`], what each means in the crate `objects`, which
/// pairs of them depend in `trace::dependence`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpKind {
    /// Read a variable.
    Read,
    /// Write a variable.
    Write(u64),
    /// Read a variable and write it in one step.
    ReadModifyWrite(Update),
    /// Write `new` if the variable is `expected`; otherwise this is a read.
    CompareExchange {
        /// The value to be found.
        expected: u64,
        /// The value to be written.
        new: u64,
    },
    /// Add to a variable without looking at it: two such additions commute.
    Add(u64),
    /// The same on a number of a width.
    AddIn {
        /// The width of both numbers.
        width: Width,
        /// What is added.
        by: u64,
    },
    /// Change a count of references depending on how many there are; otherwise this is a read.
    Count(Counting),
    /// Wait until the variable passes the test, and read it.
    Await(Test),
    /// Wait until a count that only its holders can raise is 0: once it is, it stays so.
    Drained,
    /// Read a plain cell: unordered with a write of it, this is a data race.
    CellRead,
    /// Write a plain cell: unordered with any access of it, this is a data race.
    CellWrite,
    /// Read a variable that is not atomic: unordered with a write of it, this is a data race.
    PlainRead,
    /// Write a variable that is not atomic: unordered with any access of it, this is a data race.
    PlainWrite(u64),

    /// Acquire a mutex.
    Lock,
    /// Acquire a mutex if it is free.
    TryLock,
    /// Release a mutex.
    Unlock,
    /// A whole critical section of a mutex in one step.
    Section,

    /// Acquire a reader-writer lock, shared.
    ReadLock,
    /// Acquire a reader-writer lock, shared, if no writer holds it.
    TryReadLock,
    /// Release a reader-writer lock held shared.
    ReadUnlock,
    /// Acquire a reader-writer lock, exclusive.
    WriteLock,
    /// Acquire a reader-writer lock, exclusive, if nobody holds it.
    TryWriteLock,
    /// Release a reader-writer lock held exclusive.
    WriteUnlock,
    /// Hold a reader-writer lock shared that was held exclusive: no writer comes between.
    Downgrade,

    /// Begin to wait on the condition variable. The thread's next operations are [`OpKind::Unlock`] of `mutex`, then
    /// [`OpKind::Relock`]: whether a notify comes before or after the unlock makes no difference, so that the two need
    /// not be one step, and every operation is on one object.
    Wait {
        /// The mutex that the thread holds and will release.
        mutex: ObjectId,
    },
    /// Acquire the mutex again after a wait on `condvar`; enabled once notified.
    Relock {
        /// The condition variable that was waited on.
        condvar: ObjectId,
    },
    /// Stop waiting on the condition variable because time is up; refused when a notify came before.
    StopWaiting,
    /// Wake one waiter; which of them is the step's alternative.
    NotifyOne,
    /// Wake all waiters.
    NotifyAll,

    /// Take one from a counting semaphore.
    Acquire,
    /// Take one from a counting semaphore if there is one.
    TryAcquire,
    /// Give one to a counting semaphore.
    Release,

    /// Arrive at a barrier of so many parties. The thread's next operation is [`OpKind::Pass`].
    Arrive {
        /// How many threads meet.
        parties: u32,
        /// Whether its place among the arrivals matters: the program asks who was last, or more threads than parties
        /// come, so that the order decides who meets whom.
        ordered: bool,
    },
    /// Go on behind a barrier; enabled once all parties of this generation have arrived.
    Pass {
        /// How many threads meet.
        parties: u32,
        /// Which meeting, counted from 0.
        generation: u32,
    },

    /// Count a latch down by one, without looking at it; one that is at 0 stays there.
    CountDown,
    /// Go on behind a latch; enabled once it has been counted down to 0.
    PassLatch,

    /// Put a message into a mailbox, behind those that are there. Never blocks.
    Send {
        /// What receives select by.
        tag: Tag,
        /// What the receiver gets.
        value: u64,
    },
    /// Take the oldest message that matches out of a mailbox; wait until there is one.
    Receive(Pattern),
    /// Take the oldest message that matches out of a mailbox if there is one: a receive with a time-out clause, which
    /// may fire whenever no message matches.
    TryReceive(Pattern),

    /// Bring a lock or the like to life, in this state.
    Init(State),
    /// End the life of a lock or the like; refused while it is in use.
    Destroy(Idle),
    /// Give memory back: the life of what is there ends.
    Free,
    /// A part of the program's text that is one step, whatever it touches.
    Atomic,
    /// A step of a program that says itself what its steps mean ([`crate::Steps`]). As long as it has not been done, it touches
    /// nothing that is known here.
    Step(Touch),

    /// Create a thread; the outcome says which.
    Spawn,
    /// Wait until the thread has ended.
    Join(ThreadId),
    /// Do nothing.
    Yield,
    /// Order what is before with what is after, as far as the memory order of the request says.
    Fence,
    /// Choose one of so many alternatives.
    Choose(u32),
}

/// In which states nobody uses a lock or the like, so that it may be destroyed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Idle {
    /// In every state.
    Always,
    /// When its word is 0.
    AtZero,
    /// When its word is a multiple of this: a barrier of so many parties.
    AtMultiplesOf(u32),
}

/// How a read-modify-write computes the new value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// Wrapping addition.
    FetchAdd(u64),
    /// Replacement.
    Swap(u64),
    /// A function of the value found and an operand, on numbers of a width.
    Fetch {
        /// Which function.
        function: Function,
        /// The width of both numbers.
        width: Width,
        /// The second number.
        operand: u64,
    },
    /// Whatever the program does: what comes of it is known only once it is done.
    Native,
}

/// What a read-modify-write computes from the value found and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise nand.
    Nand,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The larger of both.
    Max,
    /// The smaller of both.
    Min,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 8] = {
        use Function::*;
        [Add, Sub, And, Nand, Or, Xor, Max, Min]
    };

    /// What a read-modify-write by it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Function::Add => "fetch_add",
            Function::Sub => "fetch_sub",
            Function::And => "fetch_and",
            Function::Nand => "fetch_nand",
            Function::Or => "fetch_or",
            Function::Xor => "fetch_xor",
            Function::Max => "fetch_max",
            Function::Min => "fetch_min",
        }
    }
}

/// The numbers that a variable holds. In its word, they are extended to 64 bits: signed ones by their sign, unsigned ones
/// by zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Width {
    /// How many bits, from 1 to 64.
    pub bits: u8,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl Width {
    /// The word of the number in the lowest bits of `word`.
    #[inline]
    pub fn extend(self, word: u64) -> u64 {
        let unused = 64 - u32::from(self.bits);
        if self.signed { ((word << unused) as i64 >> unused) as u64 } else { word << unused >> unused }
    }
}

/// How a count of references changes. Its word has the strong references in its lower half and the weak ones in its upper
/// half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counting {
    /// One strong reference more, if there is any.
    Upgrade,
    /// The only strong reference goes, if there is no other.
    Unwrap,
}

/// A test of a variable's value, for [`OpKind::Await`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// The variable has this value.
    Equal(u64),
    /// The variable has another value.
    NotEqual(u64),
}

impl Test {
    /// Whether `value` passes.
    #[inline]
    pub fn holds(self, value: u64) -> bool {
        match self {
            Test::Equal(v) => value == v,
            Test::NotEqual(v) => value != v,
        }
    }
}

/// What came of an operation, beyond what its kind already says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It did what it is named for.
    Done,
    /// It only looked: a compare-exchange that found another value, a try-lock that found the lock held, a notify that
    /// found nobody waiting, a receive that timed out, an unlock by a thread that does not hold the lock (which is also a
    /// failure).
    Refused,
    /// Its object is not initialised yet, was destroyed, or its memory was freed: nothing was done, which is a failure.
    Lifeless,
    /// A spawn created this thread.
    Spawned(ThreadId),
    /// A notify woke this thread.
    Woke(ThreadId),
    /// A receive took the message of this number: how many were sent to the mailbox before it.
    Received(u32),
}

impl OpKind {
    /// Short lower-case name, for reports.
    pub fn name(self) -> &'static str {
        use OpKind::*;
        match self {
            Read | PlainRead => "read",
            Write(_) | PlainWrite(_) => "write",
            ReadModifyWrite(Update::FetchAdd(_)) => "fetch_add",
            ReadModifyWrite(Update::Swap(_)) => "swap",
            ReadModifyWrite(Update::Native) => "update",
            ReadModifyWrite(Update::Fetch { function, .. }) => function.name(),
            CompareExchange { .. } => "compare_exchange",
            Add(_) | AddIn { .. } => "add",
            Count(Counting::Upgrade) => "upgrade",
            Count(Counting::Unwrap) => "unwrap",
            Await(_) => "await",
            Drained => "drained",
            CellRead => "read cell",
            CellWrite => "write cell",
            Lock => "lock",
            TryLock => "try_lock",
            Unlock => "unlock",
            Section => "section",
            ReadLock => "read_lock",
            TryReadLock => "try_read_lock",
            ReadUnlock => "read_unlock",
            WriteLock => "write_lock",
            TryWriteLock => "try_write_lock",
            WriteUnlock => "write_unlock",
            Downgrade => "downgrade",
            Wait { .. } => "wait",
            Relock { .. } => "relock",
            StopWaiting => "time out",
            NotifyOne => "notify_one",
            NotifyAll => "notify_all",
            Acquire => "acquire",
            TryAcquire => "try_acquire",
            Release => "release",
            Arrive { .. } => "arrive",
            Pass { .. } => "pass",
            CountDown => "count_down",
            PassLatch => "pass_latch",
            Send { .. } => "send",
            Receive(_) => "receive",
            TryReceive(_) => "try_receive",
            Init(_) => "init",
            Destroy(_) => "destroy",
            Free => "free",
            Atomic => "atomic section",
            Step(_) => "step",
            Spawn => "spawn",
            Join(_) => "join",
            Yield => "yield",
            Fence => "fence",
            Choose(_) => "choose",
        }
    }
}

impl fmt::Display for OpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
