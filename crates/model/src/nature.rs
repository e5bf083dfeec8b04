//! What can be said of a kind of operation. Which of it holds of each, `kinds.rs` says.

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

/// Sorts of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A variable.
    Variable,
    /// A variable of two bits: a variable has one width.
    Bits,
    /// A variable that counts references.
    Count,
    /// A mutex.
    Mutex,
    /// A reader-writer lock.
    RwLock,
    /// A condition variable.
    Condvar,
    /// A counting semaphore.
    Semaphore,
    /// A barrier.
    Barrier,
    /// A latch.
    Latch,
    /// A mailbox.
    Mailbox,
    /// The state of a program that says itself what its steps mean.
    Store,
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
pub(crate) const PLAIN: Nature = Nature {
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
pub(crate) const BLOCKS: Nature = Nature { blocks: true, ..PLAIN };
pub(crate) const DECIDED: Nature = Nature { decided: Decided::ByWord, ..PLAIN };

impl Nature {
    pub(crate) const fn alive(self) -> Nature {
        Nature { needs_life: true, ..self }
    }

    pub(crate) const fn cause(self, cause: Cause) -> Nature {
        Nature { cause, ..self }
    }

    pub(crate) const fn access(self, access: Access) -> Nature {
        Nature { access, ..self }
    }

    pub(crate) const fn holding(self, holding: Holding) -> Nature {
        Nature { holding, ..self }
    }

    pub(crate) const fn takes(self, hold: Hold) -> Nature {
        self.holding(Holding::Takes(hold))
    }

    pub(crate) const fn gives(self, hold: Hold) -> Nature {
        self.holding(Holding::Gives(hold))
    }

    pub(crate) const fn lasting(self) -> Nature {
        Nature { lasting: Lasting::Yes, ..self }
    }

    pub(crate) const fn overwrites(self) -> Nature {
        Nature { overwrites: true, ..self }
    }

    pub(crate) const fn of_life(self) -> Nature {
        Nature { is_of_life: true, ..self }
    }

    pub(crate) const fn by_word(self) -> Nature {
        Nature { waits_by_word: true, ..self }
    }

    pub(crate) const fn hides(self, hidden: Hidden) -> Nature {
        Nature { hidden, ..self }
    }

    pub(crate) const fn commits_if(self, commits: bool) -> Nature {
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
