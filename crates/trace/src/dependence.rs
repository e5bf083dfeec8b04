//! Which operations depend on each other: the one table that everything else rests on.
//!
//! Every event touches at most one object, in one of four [`Mode`]s, and two events of different threads depend if they
//! touch the same object in conflicting modes:
//!
//! | | peek | read | add | write |
//! |---|---|---|---|---|
//! | **peek** | | | | × |
//! | **read** | | | × | × |
//! | **add** | | × | | × |
//! | **write** | × | × | × | × |
//!
//! A mailbox is touched in modes of its own (SRC Section 10), which conflict where the order can be told:
//!
//! | | send | take | time-out |
//! |---|---|---|---|
//! | **send** | × | | if the message matches |
//! | **take** | | × | × |
//! | **time-out** | if the message matches | × | |
//!
//! Steps of programs that say themselves what their steps mean (models in Promela) are all on one object, and conflict where one of
//! them writes a cell that the other one reads or writes.
//!
//! A send also happens before the receive that takes its message. That order can be reversed if the receive has a time-out
//! clause, or if it would find another message (one that another thread took in the meantime).
//!
//! The mode is that of what was *done*: a failed compare-exchange is a read, and so is every read-modify-write that is
//! *silent*, because the word after it is the word before it: an exchange of 1 for 1. (A store of the value that is there
//! stays a write: the papers count it as one.) It depends on nothing but the event, so
//! happens-before is valid in the sense of SRC Definition 3.2. Orders that no schedule can reverse (spawn before the
//! child's first step, end before join, notify before the woken thread goes on, all arrivals of a meeting before
//! passing a barrier) are no dependences: they are the *causes* of an event ([`crate::Event::causes`]).

use model::{ObjectId, Op, OpKind, Outcome, Pattern, State, Tag, Touch, Update};

/// How an event touches an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Sees whether a writer holds the object; readers coming and going do not matter to it.
    Peek,
    /// Sees the object's state and leaves it as it is.
    Read,
    /// Changes the object in a way that commutes with every other add.
    Add,
    /// Changes the object, or sees and changes it.
    Write,
    /// Writes a value that nobody sees: only where dependence is conditional on observers ([`crate::observe`]).
    Unseen,
    /// Puts a message with this tag into a mailbox.
    Send(Tag),
    /// Takes a message that matches out of a mailbox.
    Take(Pattern),
    /// Sees that no message of a mailbox matches.
    TimeOut(Pattern),
    /// Reads and writes these cells of the one object that all steps of its program touch.
    Step(Touch),
}

impl Mode {
    /// Every mode in which an object with a word is touched.
    pub const ALL: [Mode; 4] = [Mode::Peek, Mode::Read, Mode::Add, Mode::Write];

    /// The tables above.
    #[inline(always)]
    pub fn conflicts(self, other: Mode) -> bool {
        use Mode::*;
        match (self, other) {
            // Most pairs are among these.
            (Write, Write) | (Write, Read) | (Read, Write) => true,
            (Read, Read) => false,
            _ => self.conflicts_otherwise(other),
        }
    }

    #[inline(never)]
    fn conflicts_otherwise(self, other: Mode) -> bool {
        use Mode::*;
        match (self, other) {
            (Write, Peek | Read | Add | Write | Unseen) | (Peek | Read | Add | Unseen, Write) => true,
            (Read, Add) | (Add, Read) => true,
            (Unseen, Peek | Read | Add) | (Peek | Read | Add, Unseen) => true,
            (Send(_), Send(_)) | (Take(_), Take(_) | TimeOut(_)) | (TimeOut(_), Take(_)) => true,
            (Send(tag), TimeOut(pattern)) | (TimeOut(pattern), Send(tag)) => pattern.matches(tag),
            (Step(one), Step(other)) => one.conflicts(other),
            _ => false,
        }
    }
}

/// The symbolic record of an event: all that is needed to tell on which events it depends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Footprint {
    /// The object that it touches; [`ObjectId::NONE`] when it touches none.
    pub object: ObjectId,
    /// How.
    pub mode: Mode,
}

impl Footprint {
    /// Touches nothing. (Two of these do not conflict, as peeks do not.)
    pub const NONE: Footprint = Footprint { object: ObjectId::NONE, mode: Mode::Peek };

    /// The record of `op` with this outcome, which left the object's word as it was or did not.
    #[inline]
    pub fn new(op: &Op, outcome: Outcome, change: Change) -> Footprint {
        match mode(op.kind, outcome, change) {
            Some(mode) => Footprint { object: op.object, mode },
            None => Footprint::NONE,
        }
    }

    /// Whether it touches an object at all.
    #[inline]
    pub fn touches(&self) -> bool {
        self.object != ObjectId::NONE
    }

    /// Whether it touches a mailbox.
    #[inline]
    pub fn is_on_mailbox(&self) -> bool {
        matches!(self.mode, Mode::Send(_) | Mode::Take(_) | Mode::TimeOut(_))
    }

    /// The cells that it touches, if it is a step of a program that says itself what its steps mean.
    #[inline]
    pub fn step(&self) -> Option<Touch> {
        match self.mode {
            Mode::Step(touch) => Some(touch),
            _ => None,
        }
    }

    /// Whether two events of different threads with these records depend on each other.
    #[inline]
    pub fn depends(&self, other: &Footprint) -> bool {
        self.object == other.object && self.mode.conflicts(other.mode)
    }
}

/// Whether an event left its object's word as it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// It did: it is *silent*.
    Silent,
    /// It did not, or nobody can tell.
    Changed,
}

impl Change {
    /// From one word to another.
    #[inline]
    pub fn between(before: State, after: State) -> Self {
        if before == after { Change::Silent } else { Change::Changed }
    }
}

/// How an operation with this outcome touches its object. A silent read-modify-write is a read; a read that was
/// [merged](crate::guard) with the operation that commits it is a write.
#[inline]
pub fn mode(kind: OpKind, outcome: Outcome, change: Change) -> Option<Mode> {
    use OpKind::*;
    let refused = outcome == Outcome::Refused;
    match kind {
        Read if change == Change::Changed => Some(Mode::Write),
        // Before it is done, it is not known whether it is silent.
        ReadModifyWrite(Update::Native) => Some(Mode::Write),
        ReadModifyWrite(_) | CompareExchange { .. } if change == Change::Silent => Some(Mode::Read),
        Read | Await(_) | Drained | PassLatch | CellRead | PlainRead => Some(Mode::Read),
        CompareExchange { .. } | Count(_) | TryLock | TryWriteLock | TryAcquire if refused => Some(Mode::Read),
        NotifyOne | NotifyAll if refused => Some(Mode::Read),
        TryReadLock if refused => Some(Mode::Peek),
        // Whether a thread holds what it releases depends on its own past alone. (Where objects have lives, such a release is one of
        // an object that does not live.)
        Unlock | ReadUnlock | WriteUnlock | Downgrade | Wait { .. } if refused => None,
        Add(_) | AddIn { .. } | ReadLock | TryReadLock | ReadUnlock | Release | CountDown => Some(Mode::Add),
        Write(_) | ReadModifyWrite(_) | CompareExchange { .. } | Count(_) => Some(Mode::Write),
        Lock | TryLock | Unlock | Section | Relock { .. } => Some(Mode::Write),
        WriteLock | TryWriteLock | WriteUnlock | Downgrade => Some(Mode::Write),
        // Whether a waiter was notified decides what its time-out does, and it may be in the way of a notify.
        Wait { .. } | StopWaiting | NotifyOne | NotifyAll | CellWrite | PlainWrite(_) => Some(Mode::Write),
        // Where only the parties come, each meeting is of all of them, whatever the order of their arrivals.
        Arrive { ordered: false, .. } => Some(Mode::Add),
        Acquire | TryAcquire | Arrive { .. } => Some(Mode::Write),
        Send { tag, .. } => Some(Mode::Send(tag)),
        TryReceive(pattern) if refused => Some(Mode::TimeOut(pattern)),
        Receive(pattern) | TryReceive(pattern) => Some(Mode::Take(pattern)),
        Init(_) | Destroy(_) | Free | Atomic => Some(Mode::Write),
        Step(touch) => Some(Mode::Step(touch)),
        Pass { .. } | Spawn | Join(_) | Yield | Fence | Choose(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_conflict_as_the_table_says() {
        use Mode::*;
        for a in Mode::ALL {
            for b in Mode::ALL {
                let expected = matches!((a, b), (Write, _) | (_, Write) | (Read, Add) | (Add, Read));
                assert_eq!(a.conflicts(b), expected, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn a_send_conflicts_with_the_time_outs_that_it_would_have_prevented() {
        use Mode::*;
        let [one, two] = [1, 2].map(|kind| Send(Tag::new(kind, 0).unwrap()));
        let (take, time_out) = (Take(Pattern::ANY), TimeOut(Pattern::of_kinds([1])));
        let conflicts = |a: Mode, b: Mode| a.conflicts(b) && b.conflicts(a);
        assert!(conflicts(one, two) && conflicts(one, time_out) && conflicts(take, take) && conflicts(take, time_out));
        let commute = |a: Mode, b: Mode| !a.conflicts(b) && !b.conflicts(a);
        assert!(commute(two, time_out) && commute(one, take) && commute(time_out, time_out));
    }
}
