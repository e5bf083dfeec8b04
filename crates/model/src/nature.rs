//! What each kind of operation is: the one table that knows all of them.
//!
//! Whoever wants to know whether an operation can block, whether it is an access of a variable, or which lock it takes, asks
//! this table. What an operation does to its object is in the crate `objects`, on what it depends in `trace::dependence`;
//! both match on every kind. So the compiler refuses a kind that is missing in one of the three.

use crate::{Counting, Function, Idle, ObjectId, OpKind, Pattern, Tag, Test, ThreadId, Touch, Update, Width};

/// What is known of an operation by its kind alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nature {
    /// Whether some state of its object can disable it.
    pub blocks: bool,
    /// What of its object decides on its outcome, so that it may only look, or may write what it found.
    pub decided: Decided,
    /// Whether its object must be alive: initialised, not destroyed, its memory not freed.
    pub needs_life: bool,
    /// Which step of another thread makes it possible, in an order that no schedule can reverse.
    pub cause: Cause,
    /// Whether it is an access of a variable, and of which sort.
    pub access: Access,
    /// What it does to a lock.
    pub holding: Holding,
    /// Whether it replaces the state of its object, whatever that was.
    pub overwrites: bool,
    /// Whether more is seen of it, or by it, than its object's word: then no round of a loop that it is part of can be left
    /// out.
    pub lasting: Lasting,
    /// Whether it begins or ends the life of its object.
    pub is_of_life: bool,
    /// Whether it can be made to wait for another word, if it leaves its object as it is: with its thread's local state, the
    /// word decides what comes of it. (An access that is not atomic cannot, for it may be part of a data race.)
    pub waits_by_word: bool,
    /// What of it its object's word does not show.
    pub hidden: Hidden,
    /// Whether it can commit what its thread has loaded: it looks at a variable and may write it, at once.
    pub commits: bool,
}

/// What of an operation its object's word does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// Nothing.
    Nothing,
    /// More than the word decides what comes of it.
    Sight,
    /// It changes something even where the word stays the same.
    Change,
}

/// Whether an operation is more than a look at its object's word and a change of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lasting {
    /// It is not.
    No,
    /// It is, unless it is refused.
    UnlessRefused,
    /// It is.
    Yes,
}

/// What decides on an operation's outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    /// Nothing: it has one outcome.
    No,
    /// The object's word.
    ByWord,
    /// The messages in the mailbox.
    ByMessages,
}

/// Which step of another thread makes an operation possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// None.
    None,
    /// The last step of the thread that it joins.
    End,
    /// The notify that woke its thread.
    Notify,
    /// The last arrival of its meeting.
    Arrival,
    /// The last step of another thread that moved its own.
    Move,
}

/// Accesses of variables, of which two may be a data race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is none.
    None,
    /// By an atomic operation.
    Atomic,
    /// By one that must be ordered with every other access.
    Plain,
}

/// What an operation that is not refused does to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holding {
    /// Nothing.
    Nothing,
    /// Its thread holds the object from now on.
    Takes(Hold),
    /// Its thread, which must hold the object, does so no longer.
    Gives(Hold),
    /// Its thread, which must hold the object exclusively, holds it shared.
    Downgrades,
    /// Its thread must hold a mutex, which is not the object.
    NeedsMutex,
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// By one thread.
    Exclusive,
    /// By readers.
    Shared,
}

impl Holding {
    /// Whether its thread must hold a lock: otherwise, it is refused.
    #[inline]
    pub const fn must_hold(self) -> bool {
        match self {
            Holding::Gives(_) | Holding::Downgrades | Holding::NeedsMutex => true,
            Holding::Nothing | Holding::Takes(_) => false,
        }
    }

    /// Whether its thread holds the object after it.
    #[inline]
    pub const fn takes(self) -> bool {
        match self {
            Holding::Takes(_) => true,
            Holding::Nothing | Holding::Gives(_) | Holding::Downgrades | Holding::NeedsMutex => false,
        }
    }

    /// Whether its thread held the object before it, and does not after it.
    #[inline]
    pub const fn gives(self) -> bool {
        match self {
            Holding::Gives(_) => true,
            Holding::Nothing | Holding::Takes(_) | Holding::Downgrades | Holding::NeedsMutex => false,
        }
    }
}

/// Has one outcome in every state, and is none of the other things.
const PLAIN: Nature = Nature {
    blocks: false,
    decided: Decided::No,
    needs_life: false,
    cause: Cause::None,
    access: Access::None,
    holding: Holding::Nothing,
    overwrites: false,
    lasting: Lasting::No,
    is_of_life: false,
    waits_by_word: false,
    hidden: Hidden::Nothing,
    commits: false,
};
const BLOCKS: Nature = Nature { blocks: true, ..PLAIN };
const DECIDED: Nature = Nature { decided: Decided::ByWord, ..PLAIN };

impl Nature {
    const fn alive(self) -> Nature {
        Nature { needs_life: true, ..self }
    }

    const fn cause(self, cause: Cause) -> Nature {
        Nature { cause, ..self }
    }

    const fn access(self, access: Access) -> Nature {
        Nature { access, ..self }
    }

    const fn holding(self, holding: Holding) -> Nature {
        Nature { holding, ..self }
    }

    const fn takes(self, hold: Hold) -> Nature {
        self.holding(Holding::Takes(hold))
    }

    const fn gives(self, hold: Hold) -> Nature {
        self.holding(Holding::Gives(hold))
    }

    const fn lasting(self) -> Nature {
        Nature { lasting: Lasting::Yes, ..self }
    }

    const fn overwrites(self) -> Nature {
        Nature { overwrites: true, ..self }
    }

    const fn of_life(self) -> Nature {
        Nature { is_of_life: true, ..self }
    }

    const fn by_word(self) -> Nature {
        Nature { waits_by_word: true, ..self }
    }

    const fn hides(self, hidden: Hidden) -> Nature {
        Nature { hidden, ..self }
    }

    const fn commits_if(self, commits: bool) -> Nature {
        Nature { commits, ..self }
    }

    /// Whether it is an access of a variable or a cell that never waits.
    #[inline]
    pub const fn is_access_at_once(&self) -> bool {
        !self.blocks
            && match self.access {
                Access::Atomic | Access::Plain => true,
                Access::None => false,
            }
    }
}

/// One row for each kind of operation: samples of it, for laws that must hold of all kinds, and what it is.
macro_rules! natures {
    ($($kind:ident $(($($of:tt)*))? $({ $($with:tt)* })? [$($sample:expr),+ $(,)?] => $nature:expr;)*) => {
        impl OpKind {
            /// What this operation is.
            #[inline]
            pub const fn nature(self) -> Nature {
                match self {
                    $(OpKind::$kind $(($($of)*))? $({ $($with)* })? => $nature,)*
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

natures! {
    Read [Read] => PLAIN.access(Access::Atomic).by_word();
    Write(_) [Write(1), Write(2)] => PLAIN.access(Access::Atomic).overwrites().by_word();
    ReadModifyWrite(update) [
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
    ] => DECIDED.access(Access::Atomic).by_word().commits_if(!matches!(update, Update::Native));
    CompareExchange { .. } [CompareExchange { expected: 1, new: 2 }, CompareExchange { expected: 2, new: 1 }]
        => DECIDED.access(Access::Atomic).by_word().commits_if(true);
    Add(_) [Add(1), Add(2)] => PLAIN.access(Access::Atomic);
    AddIn { .. } [AddIn { width: TWO_BITS, by: 1 }, AddIn { width: TWO_BITS, by: 3 }] => PLAIN.access(Access::Atomic);
    Count(_) [Count(Counting::Upgrade), Count(Counting::Unwrap)] => DECIDED.lasting();
    Await(_) [Await(Test::Equal(1)), Await(Test::NotEqual(1))] => BLOCKS.access(Access::Atomic);
    Drained [Drained] => BLOCKS;
    CellRead [CellRead] => PLAIN.access(Access::Plain).hides(Hidden::Sight);
    CellWrite [CellWrite] => PLAIN.access(Access::Plain).lasting().hides(Hidden::Change);
    PlainRead [PlainRead] => PLAIN.access(Access::Plain);
    PlainWrite(_) [PlainWrite(1)] => PLAIN.access(Access::Plain).overwrites();

    Lock [Lock] => BLOCKS.alive().takes(Hold::Exclusive);
    TryLock [TryLock] => DECIDED.alive().takes(Hold::Exclusive).by_word();
    Unlock [Unlock] => PLAIN.alive().gives(Hold::Exclusive);
    Section [Section] => BLOCKS.alive().lasting();

    ReadLock [ReadLock] => BLOCKS.alive().takes(Hold::Shared);
    TryReadLock [TryReadLock] => DECIDED.alive().takes(Hold::Shared).by_word();
    ReadUnlock [ReadUnlock] => PLAIN.alive().gives(Hold::Shared);
    WriteLock [WriteLock] => BLOCKS.alive().takes(Hold::Exclusive);
    TryWriteLock [TryWriteLock] => DECIDED.alive().takes(Hold::Exclusive).by_word();
    WriteUnlock [WriteUnlock] => PLAIN.alive().gives(Hold::Exclusive);
    Downgrade [Downgrade] => PLAIN.alive().holding(Holding::Downgrades).lasting();

    Wait { .. } [Wait { mutex: OTHER }] => PLAIN.alive().holding(Holding::NeedsMutex).lasting();
    Relock { .. } [Relock { condvar: OTHER }] => BLOCKS.alive().cause(Cause::Notify).takes(Hold::Exclusive).lasting();
    // It changes whether the thread was notified.
    StopWaiting [StopWaiting] => PLAIN.alive().lasting().hides(Hidden::Change);
    NotifyOne [NotifyOne] => Nature { lasting: Lasting::UnlessRefused, ..DECIDED.alive() };
    NotifyAll [NotifyAll] => Nature { lasting: Lasting::UnlessRefused, ..DECIDED.alive() };

    Acquire [Acquire] => BLOCKS.alive();
    TryAcquire [TryAcquire] => DECIDED.alive().by_word();
    Release [Release] => PLAIN.alive();

    Arrive { .. } [Arrive { parties: 2, ordered: false }, Arrive { parties: 2, ordered: true }] => PLAIN.alive().lasting();
    // Whoever has arrived may pass, whatever has become of the barrier.
    Pass { .. } [Pass { parties: 2, generation: 0 }] => BLOCKS.cause(Cause::Arrival).lasting();
    CountDown [CountDown] => PLAIN.lasting();
    PassLatch [PassLatch] => BLOCKS;

    Send { .. } [Send { tag: Tag::ZERO, value: 1 }] => PLAIN.lasting();
    Receive(_) [Receive(Pattern::ANY)] => BLOCKS.lasting();
    TryReceive(_) [TryReceive(Pattern::ANY)]
        => Nature { decided: Decided::ByMessages, lasting: Lasting::UnlessRefused, hidden: Hidden::Sight, ..PLAIN };

    Init(_) [Init(0)] => PLAIN.overwrites().lasting().of_life();
    // Whether it is refused makes no difference to what it depends on.
    Destroy(_) [Destroy(Idle::AtZero), Destroy(Idle::Always), Destroy(Idle::AtMultiplesOf(2))]
        => PLAIN.alive().lasting().of_life();
    Free [Free] => PLAIN.lasting().of_life();
    Atomic [Atomic] => PLAIN.by_word();
    Step(_) [Step(Touch::NONE)] => BLOCKS.cause(Cause::Move).lasting();

    Spawn [Spawn] => PLAIN.lasting();
    Join(_) [Join(ThreadId(7))] => BLOCKS.cause(Cause::End).lasting();
    Yield [Yield] => PLAIN;
    Fence [Fence] => PLAIN;
    Choose(_) [Choose(2)] => PLAIN;
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
