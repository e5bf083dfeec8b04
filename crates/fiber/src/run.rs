//! The run that the explorer drives.

use crate::context::{Context, Mode};
use crate::perform::{self, Done};
use crate::program::Options;
use crate::registry::Registry;
use crate::slot::Status;
use crate::watchdog::Pulse;
use model::{Choice, OpKind, Outcome, Pending, Run, Stepped, ThreadId};
use std::sync::Arc;

pub(crate) const MAIN: ThreadId = ThreadId(0);

/// A run of a [`crate::FiberProgram`].
pub(crate) struct FiberRun<'p, F: Fn()> {
    body: &'p F,
    /// Boxed: fibers keep its address.
    context: Box<Context>,
    /// What was chosen since the start.
    choices: Vec<Choice>,
}

/// A run is done again so many times at most: a program that does not do the same again would learn for ever.
const MOST_LESSONS: u32 = 100;

impl<'p, F: Fn()> FiberRun<'p, F> {
    pub(crate) fn new(body: &'p F, registry: Arc<Registry>, options: Options, pulse: Arc<Pulse>) -> Self {
        let run = FiberRun { body, context: Box::new(Context::new(registry, options, pulse)), choices: Vec::new() };
        run.begin();
        run
    }

    /// Runs the main thread to its first operation.
    fn begin(&self) {
        self.context.mode.set(Mode::Running);
        self.context.reset();
        let body = self.body;
        // SAFETY: the body lives longer than this run, which unwinds its fibers when it ends.
        self.context.within(|| unsafe { perform::start(&self.context, MAIN, body, 0) });
    }

    /// Unwinds every fiber that is left, the youngest first, so that what they share is dropped, each thing once.
    fn abandon(&self) {
        let context = &self.context;
        context.mode.set(Mode::Abandoning);
        for thread in (0..context.threads() as u32).rev().map(ThreadId) {
            if context.has_fiber(thread) {
                context.resume(thread);
            }
        }
        context.mode.set(Mode::TearingDown);
        context.set_current(MAIN);
        context.within(|| context.copies.clear());
    }

    /// Performs the pending operation of a thread, and runs it to its next one.
    fn take_step(&self, choice: Choice) -> Option<Stepped> {
        let Choice { thread, alternative } = choice;
        if thread.index() >= self.context.threads() {
            return None;
        }
        let context = &*self.context;
        let slot = context.slot(thread);
        match slot.status.get() {
            Status::Gone => return None,
            Status::Live => {}
            Status::Daemon => return self.step_of_daemon(choice),
            Status::Stillborn => {
                slot.status.set(Status::Gone);
                context.world.borrow_mut().end(thread);
                let failure = slot.failure.borrow_mut().take().map(Box::new);
                return Some(Stepped { op: slot.op.get(), outcome: Outcome::Done, before: 0, after: 0, failure });
            }
        }
        let op = slot.op.get();
        let performed = {
            let mut world = context.world.borrow_mut();
            let disabled = op.kind.may_block() && !world.enabled(thread, &op);
            if disabled || (alternative > 0 && alternative >= world.alternatives(&op)) {
                return None;
            }
            world.perform(thread, &op, alternative)
        };
        let objects::Performed { mut outcome, before, after, misuse, .. } = performed;
        if crate::spin::takes(op.kind) {
            context.take(op.object);
        }
        slot.done.set(Done { outcome, before, after, alternative });
        if context.resume(thread) {
            context.world.borrow_mut().end(thread);
        }
        if op.kind == OpKind::Spawn
            && let spawned @ Outcome::Spawned(_) = slot.done.get().outcome
        {
            outcome = spawned;
        }
        let failure = misuse.or_else(|| slot.failure.borrow_mut().take().map(Box::new));
        Some(Stepped { op, outcome, before, after, failure })
    }

    /// Takes all steps again, from the start, now that more is known of a loop. Says what came of the last one.
    #[cold]
    fn again(&self) -> Option<Stepped> {
        let mut last = None;
        for _ in 0..MOST_LESSONS {
            self.abandon();
            self.begin();
            for &choice in &self.choices {
                last = self.take_step(choice);
            }
            if !self.context.learnt.get() {
                break;
            }
        }
        last
    }

    fn step_of_daemon(&self, choice: Choice) -> Option<Stepped> {
        let slot = self.context.slot(choice.thread);
        let op = slot.op.get();
        let mut world = self.context.world.borrow_mut();
        if !world.enabled(choice.thread, &op) {
            return None;
        }
        let performed = world.perform(choice.thread, &op, 0);
        match slot.then.take() {
            Some(then) => slot.op.set(then),
            None => slot.status.set(Status::Gone),
        }
        let objects::Performed { outcome, before, after, .. } = performed;
        Some(Stepped { op, outcome, before, after, failure: None })
    }
}

impl<F: Fn()> Run for FiberRun<'_, F> {
    fn restart(&mut self) {
        self.choices.clear();
        self.abandon();
        self.begin();
    }

    fn threads(&self) -> usize {
        self.context.threads()
    }

    #[inline]
    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        if thread.index() >= self.context.threads() {
            return None;
        }
        let slot = self.context.slot(thread);
        let status = slot.status.get();
        if status == Status::Gone {
            return None;
        }
        let op = slot.op.get();
        let world = self.context.world.borrow();
        let enabled = world.enabled(thread, &op);
        if !enabled && status == Status::Daemon {
            // Nobody misses it when it has nothing to do.
            return None;
        }
        Some(Pending { thread, op, enabled, alternatives: world.alternatives(&op) })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let stepped = self.take_step(choice)?;
        self.choices.push(choice);
        if self.context.learnt.get() { self.again() } else { Some(stepped) }
    }

    fn is_cut(&self) -> bool {
        self.context.cut.get() || crate::spin::is_cut(&self.context)
    }
}

impl<F: Fn()> Drop for FiberRun<'_, F> {
    fn drop(&mut self) {
        self.abandon();
    }
}
