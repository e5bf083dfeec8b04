//! Programs and their runs: the seam between front ends and algorithms.

use crate::{Failure, Names, ObjectId, Op, Outcome, State, Steps, ThreadId, Threads};
use std::hash::Hash;
use std::sync::Arc;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// What a thread will do when next chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Who.
    pub thread: ThreadId,
    /// What it asks for.
    pub op: Op,
    /// Whether it can be chosen now.
    pub enabled: bool,
    /// How many alternatives the step has now: 1, unless it is a choice or a notify with several waiters.
    pub alternatives: u32,
    /// What the search knows of this operation at this local state of its thread.
    pub guard: Guard,
    /// Which of the transitions that its thread has here it is, counted from 0.
    pub transition: u16,
    /// Whether its thread waits for the first of several operations, so that it has other [transitions](Run::transitions) here.
    pub is_of_several: bool,
}

impl Pending {
    /// Whether some state of its object can disable the operation.
    #[inline]
    pub fn may_block(&self) -> bool {
        self.op.kind.may_block() || self.guard != Guard::NONE
    }

    /// The choice of its transition, by the first of its alternatives.
    #[inline]
    pub fn choice(&self) -> Choice {
        self.choice_of(0)
    }

    /// The choice of its transition, by this alternative.
    #[inline]
    pub fn choice_of(&self, alternative: u32) -> Choice {
        Choice { thread: self.thread, alternative: u32::from(self.transition) << TRANSITION | alternative }
    }
}

/// What a search has learnt of an operation at one local state of its thread, as a number of a table that the search
/// keeps: which words of its object it waits to be over, because with them the thread would only come round again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Guard(pub u32);

impl Guard {
    /// Nothing is known.
    pub const NONE: Guard = Guard(0);
}

/// Stands for a thread's local state: where it is, and all that it can read but the objects of operations. Equal for equal
/// states; for others equal with a chance of 2⁻¹²⁸. It is the same in every run, and the same for two threads at the
/// same place that differ in nothing but who they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// Stands for these numbers.
    pub fn of(numbers: impl Iterator<Item = u64>) -> Self {
        let mut bytes = Vec::new();
        numbers.for_each(|number| bytes.extend_from_slice(&number.to_ne_bytes()));
        Fingerprint::of_bytes(&bytes)
    }

    /// Stands for these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Fingerprint(xxh3_128(bytes))
    }

    /// Stands for these pieces, one behind the other. (Where one ends and the next begins has to be said apart.)
    pub fn of_pieces<'p>(pieces: impl Iterator<Item = &'p [u8]>) -> Self {
        let mut hasher = Xxh3::new();
        pieces.for_each(|piece| hasher.update(piece));
        Fingerprint(hasher.digest128())
    }

    /// Stands for what this stands for, and for something besides.
    #[must_use]
    pub fn and(self, more: &(impl Hash + ?Sized)) -> Self {
        let mut hasher = Xxh3::new();
        self.0.hash(&mut hasher);
        more.hash(&mut hasher);
        Fingerprint(hasher.digest128())
    }
}

/// One decision of a scheduler: this thread takes its pending step, by this alternative.
///
/// Where a thread has several transitions, its alternatives number through all of them: 65,536 numbers belong to each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    /// Who takes a step.
    pub thread: ThreadId,
    /// Which alternative of it, counted from 0.
    pub alternative: u32,
}

/// From this bit on, the number of an alternative is that of its transition.
const TRANSITION: u32 = 16;

impl Choice {
    /// Which of the transitions of its thread.
    #[inline]
    pub fn transition(self) -> u16 {
        (self.alternative >> TRANSITION) as u16
    }

    /// Which alternative of that transition.
    #[inline]
    pub fn alternative_of_transition(self) -> u32 {
        self.alternative & ((1 << TRANSITION) - 1)
    }

    /// The same transition, by the first of its alternatives.
    #[inline]
    #[must_use]
    pub fn first_of_transition(self) -> Choice {
        self.by(0)
    }

    /// Another transition, by the first of its alternatives.
    #[inline]
    #[must_use]
    pub fn of_transition(self, transition: u16) -> Choice {
        Choice { alternative: u32::from(transition) << TRANSITION, ..self }
    }

    /// The same transition, by this alternative.
    #[inline]
    #[must_use]
    pub fn by(self, alternative: u32) -> Choice {
        Choice { alternative: u32::from(self.transition()) << TRANSITION | alternative, ..self }
    }
}

/// What a step did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stepped {
    /// What was asked for.
    pub op: Op,
    /// What came of it.
    pub outcome: Outcome,
    /// The state of the operation's object before the step.
    pub before: State,
    /// The state of the operation's object after the step.
    pub after: State,
    /// Whether the thread failed, in the operation or in the local computation that follows it. A failed thread takes
    /// no further step. (Boxed, so that a step that went well is small.)
    pub failure: Option<Box<Failure>>,
}

/// A closed program that can be run from its start any number of times, the same way each time.
pub trait Program: Sync {
    /// A new run, at its start. It is kept and [restarted](Run::restart) for every execution.
    fn start(&self) -> Box<dyn Run + '_>;

    /// Names for reports and schedules.
    fn names(&self) -> &dyn Names;

    /// Its threads without their memory; none where the front end cannot part them.
    fn threads(&self) -> Option<Box<dyn Threads + '_>> {
        None
    }
}

impl<P: Program + ?Sized> Program for &P {
    fn start(&self) -> Box<dyn Run + '_> {
        (**self).start()
    }

    fn names(&self) -> &dyn Names {
        (**self).names()
    }

    fn threads(&self) -> Option<Box<dyn Threads + '_>> {
        (**self).threads()
    }
}

/// One run in progress: the papers' state, with `next(p)` and `enabled`.
///
/// A step is one visible operation followed by the thread's local computation up to its next one, so that every live
/// thread has a pending operation, or [several](Run::transition) of which it takes the first that it can. A thread's end is
/// part of its last step.
pub trait Run {
    /// Goes back to the start of the program, keeping allocations.
    fn restart(&mut self);

    /// Whether objects are initialised, destroyed or freed: then what a thread may release is known from more than its own past.
    fn objects_have_lives(&self) -> bool {
        false
    }

    /// Goes back to some state of this run after at most `steps` of its steps, and says after how many: to the start,
    /// unless the front end keeps states.
    fn rewind(&mut self, steps: usize) -> usize {
        let _ = steps;
        self.restart();
        0
    }

    /// One more than the largest [`ThreadId`] that this run may have.
    fn threads(&self) -> usize;

    /// What `thread` will do next; `None` when it does not exist yet or has ended, failed or been cut. Where it has several
    /// transitions, the first of them.
    fn pending(&self, thread: ThreadId) -> Option<Pending>;

    /// Whether some thread may have several transitions.
    fn has_siblings(&self) -> bool {
        false
    }

    /// How many transitions `thread` has, or one more than the largest number of one.
    fn transitions(&self, thread: ThreadId) -> u16 {
        u16::from(self.pending(thread).is_some())
    }

    /// The transition of this number that `thread` has.
    fn transition(&self, thread: ThreadId, number: u16) -> Option<Pending> {
        if number == 0 { self.pending(thread) } else { None }
    }

    /// What its steps mean, where they are more than operations on one object: then all of them are [`OpKind::Step`](crate::OpKind::Step).
    fn steps(&self) -> Option<Arc<dyn Steps>> {
        None
    }

    /// Performs the pending step of `choice.thread`, by this alternative. Nothing happens, and there is no answer, when
    /// that step is not enabled or has no such alternative.
    fn step(&mut self, choice: Choice) -> Option<Stepped>;

    /// Whether some thread stopped at a false `assume`.
    fn is_cut(&self) -> bool;

    /// Stands for the state that the run is in: what every thread and every object can still do. Equal for equal states, for
    /// others equal with a chance of 2⁻¹²⁸; none where the front end cannot tell.
    fn whole_state(&self) -> Option<u128> {
        None
    }

    /// After how many of its steps the run was in the state that it is in now, where the front end looks: then it could go on for
    /// ever.
    fn came_back(&mut self) -> Option<usize> {
        None
    }

    /// Whether another thread dealt with the failure of this one, so that the execution has not failed by it alone.
    fn is_forgiven(&self, thread: ThreadId) -> bool {
        let _ = thread;
        false
    }

    /// Whether the program as a whole has ended, such as by `exit`: threads that wait are still
    /// [pending](Run::pending), for in another order they would not wait, but that they wait is no deadlock.
    fn has_exited(&self) -> bool {
        false
    }

    /// Whether a thread waits for what it chose to wait for, and could go on by something else: what ends here is no execution.
    fn is_astray(&self) -> bool {
        false
    }

    /// Whether the run was given up in the middle of a step, because its time is up.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// What is wrong with the state that the program ended in, when no thread can take a further step: memory that is lost,
    /// say.
    fn left_behind(&self) -> Option<Failure> {
        None
    }

    /// The word of an object now.
    fn word(&self, object: ObjectId) -> State {
        let _ = object;
        0
    }

    /// Whether what an object guards, if it is a lock, is what its word says. It may not be if somebody changes that who does not hold
    /// the lock.
    fn is_as_told(&self, object: ObjectId) -> bool {
        let _ = object;
        true
    }

    /// Local states will be asked for, or will not, in this run and those that follow. Said before the first step.
    fn expect_local_states(&mut self, are_expected: bool) {
        let _ = are_expected;
    }

    /// The local state of a thread that has a pending operation; none where the front end cannot tell. It may be asked for
    /// at any place, and is worked out then.
    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        let _ = thread;
        None
    }
}
