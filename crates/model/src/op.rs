//! Operations: what a thread asks for, and what came of it.

use crate::{ObjectId, OpKind, Site, ThreadId};

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

impl Update {
    /// What a read-modify-write by it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Update::FetchAdd(_) => "fetch_add",
            Update::Swap(_) => "swap",
            Update::Native => "update",
            Update::Fetch { function, .. } => function.name(),
        }
    }
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

impl Counting {
    /// What such a change is called.
    pub const fn name(self) -> &'static str {
        match self {
            Counting::Upgrade => "upgrade",
            Counting::Unwrap => "unwrap",
        }
    }
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
