//! Threads apart from memory: what a front end is.
//!
//! A [`Run`](crate::Run) performs operations on objects that it keeps. [`Threads`] keep no objects: they say what they ask
//! for and go on with the answer that they are given. Whoever drives them decides what a read returns: `objects::Machine`, which
//! joins them with sequentially consistent memory into a run, or a search over execution graphs.

use crate::{Failure, Fingerprint, ObjectId, Op, Orders, Outcome, State, ThreadId};
use std::hash::Hasher;

/// What a thread asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The operation.
    pub op: Op,
    /// Its memory orders.
    pub orders: Orders,
}

/// What a thread is told of the operation that it asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The word of the object that the operation found; 0 where it looks at none; of a receive, the value of the message.
    pub before: State,
    /// The word that the operation left: what it wrote, or the one that it found.
    pub after: State,
    /// The word of the object's last write, now.
    pub last: State,
    /// What came of it. Not which thread was spawned: that is for the threads to say.
    pub outcome: Outcome,
    /// Which alternative was taken.
    pub alternative: u32,
}

/// What became of a thread that went on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct After {
    /// The thread that its operation created.
    pub spawned: Option<ThreadId>,
    /// Why it failed, if it did.
    pub failure: Option<Box<Failure>>,
}

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadState {
    /// It was not created, failed, or gave up: nothing more comes of it.
    Gone,
    /// It [asks](Threads::request) for something.
    Asks,
    /// It came to its end.
    Ended,
}

/// The threads of a program, from its start any number of times, the same way each time for the same answers.
pub trait Threads {
    /// Goes back to the start of the program, keeping allocations.
    fn restart(&mut self);

    /// Goes back to where the threads were after so many answers, if it can, or else after fewer. Says after how many they are. No thread
    /// was stopped since.
    fn go_back(&mut self, answers: usize) -> usize {
        let _ = answers;
        self.restart();
        0
    }

    /// One more than the largest [`ThreadId`] so far.
    fn threads(&self) -> usize;

    /// Where a thread is.
    fn state(&self, thread: ThreadId) -> ThreadState;

    /// What a thread asks for, if it asks.
    fn request(&self, thread: ThreadId) -> Option<Request>;

    /// The operation of the request alone.
    #[inline]
    fn op(&self, thread: ThreadId) -> Option<Op> {
        self.request(thread).map(|request| request.op)
    }

    /// Whether some thread may ask for several operations, of which it goes on with the first that is done.
    fn has_siblings(&self) -> bool {
        false
    }

    /// How many operations a thread that asks does ask for.
    #[inline]
    fn transitions(&self, thread: ThreadId) -> u16 {
        let _ = thread;
        1
    }

    /// The operation of this number that a thread asks for.
    #[inline]
    fn op_of(&self, thread: ThreadId, transition: u16) -> Option<Op> {
        if transition == 0 { self.op(thread) } else { None }
    }

    /// A thread that asks for several operations asks for this one alone from now on: it will be told of it.
    fn commit(&mut self, thread: ThreadId, transition: u16) {
        let _ = (thread, transition);
    }

    /// Lets a thread that asks go on with an answer, up to its next request or its end.
    fn resume(&mut self, thread: ThreadId, answer: Answer) -> After;

    /// Ends a thread that asks, because what it asks for is a failure.
    fn stop(&mut self, thread: ThreadId);

    /// Whether some thread stopped at a false `assume`.
    fn is_cut(&self) -> bool;

    /// The word of an object at the start of the program.
    fn initial(&self, object: ObjectId) -> State;

    /// One more than the largest [`ObjectId`] at the start.
    fn objects(&self) -> usize;

    /// An object that a thread came to since this was asked last, and its word then; none if there is no other. For threads
    /// whose objects are not all there at the start.
    fn met(&mut self) -> Option<(ObjectId, State)> {
        None
    }

    /// Whether objects are initialised, destroyed or freed.
    fn objects_have_lives(&self) -> bool {
        false
    }

    /// Hashes all that decides on what the threads can still do; false where the front end cannot tell.
    fn hash_state(&self, hasher: &mut dyn Hasher) -> bool {
        let _ = hasher;
        false
    }

    /// Whether the word of an object only counts upwards, so that it is no part of a state.
    fn only_counts(&self, object: ObjectId) -> bool {
        let _ = object;
        false
    }

    /// Whether threads are real code, which must not go on after a data race.
    fn is_native(&self) -> bool {
        false
    }

    /// What the future of a thread depends on besides what it will be told, if that is known. Asked for when the thread has just
    /// gone on to the request that it is at.
    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        let _ = thread;
        None
    }

    /// Whether the program ended while threads were left, so that nobody waits for those.
    fn has_exited(&self) -> bool {
        false
    }

    /// What is left behind by an execution that came to its end and should not be.
    fn left_behind(&self) -> Option<Failure> {
        None
    }

    /// Whether something was found out about the program, so that a search that was begun before is of no use.
    fn is_of_no_use(&self) -> bool {
        false
    }

    /// Whether the program dealt with the failure of a thread.
    fn is_forgiven(&self, thread: ThreadId) -> bool {
        let _ = thread;
        false
    }
}

/// Threads whose state can be kept and come back to.
pub trait Snapshots: Threads {
    /// All that decides on what the threads can still do.
    type Saved: Default;

    /// Keeps where the threads are, in the room that there is.
    fn save(&self, saved: &mut Self::Saved);

    /// Goes back, or forth, to where the threads were.
    fn load(&mut self, saved: &Self::Saved);

    /// About how many words there are to copy.
    fn words(&self) -> usize;
}
