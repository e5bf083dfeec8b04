//! Threads apart from memory: a search over execution graphs says what their reads return, and native code goes on with it.
//!
//! Operations are announced as ever. What comes of them is not asked of the objects of the run but given, in an order in which
//! every read comes after the write that it takes. Objects are kept up to date all the same, for code that is no operation: they
//! have the words that were written last. Where no data race was met, the order is one in which plain memory
//! holds what the program would find there.

use crate::context::Context;
use crate::perform::Done;
use crate::references;
use crate::run::{FiberRun, MOST_LESSONS};
use crate::slot::Status;
use model::{
    After, Answer, ObjectId, Op, OpKind, Orders, Outcome, Request, Run, State, ThreadId, ThreadState, Threads,
};

/// The threads of a [`crate::FiberProgram`].
pub(crate) struct FiberThreads<'p> {
    run: FiberRun<'p>,
    /// What was answered since the start.
    answers: Vec<(ThreadId, Answer)>,
    /// How many times the answers are being given again, one within the other.
    lessons: u32,
}

impl<'p> FiberThreads<'p> {
    pub(crate) fn new(run: FiberRun<'p>) -> Self {
        FiberThreads { run, answers: Vec::new(), lessons: 0 }
    }

    /// Gives all answers again, from the start, now that more is known of a loop. Says what came of the last one.
    #[cold]
    fn again(&mut self) -> After {
        let answers = std::mem::take(&mut self.answers);
        self.restart();
        if self.lessons == MOST_LESSONS {
            return After::default();
        }
        self.lessons += 1;
        let last = answers.into_iter().map(|(thread, answer)| self.resume(thread, answer)).last();
        self.lessons -= 1;
        last.unwrap_or_default()
    }

    /// Whether the run can go on: an OS thread that counts a panic which never ends is of no use.
    fn is_of_use(&self) -> bool {
        !self.run.context.registry.forgets() || self.run.forgets
    }
}

impl Threads for FiberThreads<'_> {
    fn restart(&mut self) {
        self.answers.clear();
        Run::restart(&mut self.run);
    }

    fn threads(&self) -> usize {
        self.run.context.threads()
    }

    fn state(&self, thread: ThreadId) -> ThreadState {
        let context = &self.run.context;
        if thread.index() < context.threads() && context.slot(thread).status.get() != Status::Gone {
            ThreadState::Asks
        } else if context.world.borrow().has_ended(thread) {
            ThreadState::Ended
        } else {
            ThreadState::Gone
        }
    }

    fn request(&self, thread: ThreadId) -> Option<Request> {
        let context = &self.run.context;
        if thread.index() >= context.threads() || !self.is_of_use() {
            return None;
        }
        let slot = context.slot(thread);
        match slot.status.get() {
            Status::Gone => None,
            Status::Live => Some(Request { op: slot.op.get(), orders: slot.orders.get() }),
            Status::Stillborn | Status::Daemon => Some(Request { op: slot.op.get(), orders: Orders::default() }),
        }
    }

    fn resume(&mut self, thread: ThreadId, answer: Answer) -> After {
        self.answers.push((thread, answer));
        let context = &*self.run.context;
        let slot = context.slot(thread);
        match slot.status.get() {
            Status::Live => {}
            Status::Gone | Status::Daemon => return After::default(),
            Status::Stillborn => {
                slot.status.set(Status::Gone);
                context.world.borrow_mut().end(thread);
                return After { spawned: None, failure: slot.take_failure() };
            }
        }
        let op = slot.op.get();
        let Answer { before, after, outcome, alternative, .. } = answer;
        note(context, thread, &op, &answer);
        slot.done.set(Done { outcome, before, after, alternative });
        if context.resume(thread) {
            context.world.borrow_mut().end(thread);
        }
        if context.learnt.get() {
            return self.again();
        }
        let spawned = match (op.kind, slot.done.get().outcome) {
            (OpKind::Spawn, Outcome::Spawned(child)) => Some(child),
            _ => None,
        };
        let failure = slot.take_failure().or_else(|| references::leak(context).map(Box::new));
        After { spawned, failure }
    }

    fn stop(&mut self, thread: ThreadId) {
        self.run.context.slot(thread).status.set(Status::Gone);
    }

    fn is_cut(&self) -> bool {
        Run::is_cut(&self.run)
    }

    fn initial(&self, object: ObjectId) -> State {
        self.run.context.world.borrow().word(object)
    }

    fn objects(&self) -> usize {
        0
    }

    fn met(&mut self) -> Option<(ObjectId, State)> {
        self.run.context.met.borrow_mut().pop()
    }

    fn is_native(&self) -> bool {
        true
    }

    fn is_forgiven(&self, thread: ThreadId) -> bool {
        Run::is_forgiven(&self.run, thread)
    }
}

/// Brings the objects of the run up to date.
fn note(context: &Context, thread: ThreadId, op: &Op, answer: &Answer) {
    use OpKind::*;
    let is_done = answer.outcome == Outcome::Done;
    if op.object == ObjectId::NONE || matches!(op.kind, Wait { .. } | NotifyOne | NotifyAll) {
        // Who waits on a condition variable is for the search to say, in a word of its own.
        return;
    }
    if is_done && op.kind.nature().holding.takes() {
        context.take(op.object);
    }
    let mut world = context.world.borrow_mut();
    if is_done && matches!(op.kind, ReadLock | TryReadLock | ReadUnlock | Downgrade) {
        // Who reads is not in the word.
        world.perform(thread, op, 0);
    }
    world.set_word(op.object, answer.last);
}
