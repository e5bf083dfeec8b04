//! The run that the explorer drives.

use crate::context::{Context, Mode};
use crate::local_state;
use crate::perform::Done;
use crate::program::Options;
use crate::references;
use crate::registry::Registry;
use crate::remembered::{Remembered, Seen};
use crate::slot::Status;
use crate::watchdog::Pulse;
use model::{Choice, Fingerprint, Guard, ObjectId, Op, OpKind, Outcome, Pending, Run, State, Stepped, ThreadId};
use std::cell::RefCell;
use std::sync::Arc;

pub(crate) const MAIN: ThreadId = ThreadId(0);

/// A run of a [`crate::FiberProgram`].
pub(crate) struct FiberRun<'p> {
    body: &'p (dyn Fn() + Sync),
    /// Boxed: fibers keep its address.
    pub(crate) context: Box<Context>,
    /// What was chosen since the start.
    choices: Vec<Choice>,
    /// What was found out along the steps of the run before.
    remembered: RefCell<Remembered>,
    /// Whether runs were forgotten when this one was made.
    pub(crate) forgets: bool,
    /// How many times the steps are being taken again, one within the other.
    lessons: u32,
}

/// A program that does not do the same again may learn something new every time.
pub(crate) const MOST_LESSONS: u32 = 100;

impl<'p> FiberRun<'p> {
    /// A run; `apart` from memory if somebody else is to decide on what reads return.
    pub(crate) fn new(
        body: &'p (dyn Fn() + Sync),
        registry: Arc<Registry>,
        options: Options,
        pulse: Arc<Pulse>,
        apart: bool,
    ) -> Self {
        let run = FiberRun {
            body,
            forgets: registry.forgets(),
            context: Box::new(Context::new(registry, options, pulse)),
            choices: Vec::new(),
            remembered: RefCell::default(),
            lessons: 0,
        };
        run.context.apart.set(apart);
        run.begin();
        run
    }

    /// Runs the main thread to its first operation. Where no program can be run any more, there is none.
    fn begin(&self) {
        self.context.mode.set(Mode::Running);
        self.context.reset();
        self.remembered.borrow_mut().begin(self.context.registry.given());
        if self.context.registry.is_spoilt() {
            return;
        }
        let body = self.body;
        // SAFETY: the body lives longer than this run, which unwinds its fibers when it ends.
        self.context.within(|| unsafe { crate::threads::start(&self.context, MAIN, body, 0) });
    }

    /// Unwinds every fiber that is left, the youngest first, so that what they share is dropped, each thing once; or forgets
    /// them all, where that is known not to work.
    fn abandon(&self) {
        let context = &self.context;
        context.mode.set(Mode::Abandoning);
        for thread in (0..context.threads() as u32).rev().map(ThreadId) {
            if !context.has_fiber(thread) {
                continue;
            }
            let has_ended = !context.registry.forgets() && context.resume(thread);
            if !has_ended {
                context.forget_fiber(thread);
            }
        }
        context.mode.set(Mode::TearingDown);
        context.set_current(MAIN);
        self.drop_copies();
    }

    /// Drops what the run made of statics. What it comes to is done in a fiber, which can be left in the middle.
    fn drop_copies(&self) {
        let context = &self.context;
        if context.copies.is_empty() {
            return;
        }
        if !context.registry.forgets() && !crate::threads::run_to_end(context, MAIN, || context.copies.clear()) {
            context.forget_fiber(MAIN);
        }
        context.copies.forget();
    }

    /// Takes all steps again, from the start, now that more is known of a loop. Says what came of the last one.
    #[cold]
    fn again(&mut self) -> Option<Stepped> {
        let choices = std::mem::take(&mut self.choices);
        self.restart();
        if self.lessons == MOST_LESSONS {
            return None;
        }
        self.lessons += 1;
        let last = choices.into_iter().map(|choice| self.step(choice)).last()?;
        self.lessons -= 1;
        last
    }

    /// The thread of a step that was performed goes on, where local states are asked for.
    fn go_on_watched(&self, choice: Choice, op: Op, before: State, after: State) {
        let (context, thread) = (&*self.context, choice.thread);
        let slot = context.slot(thread);
        if op.kind == OpKind::Spawn {
            let state = local_state::known(context, thread, &self.remembered);
            context.origin.set(local_state::origin_of_child(context, thread, state));
        }
        let seen = Seen { choice, op, before, after, watch: slot.unseen.watch() };
        let then = self.remembered.borrow_mut().take_step(&seen);
        let memory = if then.is_none() { local_state::before_step(context, thread, before) } else { None };
        let held = if then.is_none() { context.held_data(thread) } else { None };
        if context.resume(thread) {
            context.world.borrow_mut().end(thread);
        }
        match then {
            Some(then) => slot.unseen.set_watch(then),
            None => {
                local_state::after_step(context, thread, memory);
                context.compare_held_data(thread, held);
                self.remembered.borrow_mut().add_step(seen, slot.unseen.watch());
            }
        }
    }

    /// A step of a thread that has no code to run.
    #[cold]
    fn step_without_fiber(&mut self, choice: Choice) -> Option<Stepped> {
        let slot = self.context.slot(choice.thread);
        let watch = slot.unseen.watch();
        let stepped = match slot.status.get() {
            Status::Live | Status::Gone => None,
            Status::Stillborn => {
                slot.status.set(Status::Gone);
                self.context.world.borrow_mut().end(choice.thread);
                let failure = slot.take_failure();
                Some(Stepped { op: slot.op.get(), outcome: Outcome::Done, before: 0, after: 0, failure })
            }
            Status::Daemon => self.step_of_daemon(choice.thread),
        };
        if let Some(Stepped { op, before, after, .. }) = stepped {
            self.choices.push(choice);
            let seen = Seen { choice, op, before, after, watch };
            let remembered = self.remembered.get_mut();
            if remembered.take_step(&seen).is_none() {
                remembered.add_step(seen, watch);
            }
        }
        stepped
    }

    fn step_of_daemon(&self, thread: ThreadId) -> Option<Stepped> {
        let slot = self.context.slot(thread);
        let op = slot.op.get();
        let mut world = self.context.world.borrow_mut();
        if !world.enabled(thread, &op) {
            return None;
        }
        let objects::Performed { outcome, before, after, .. } = world.perform(thread, &op, 0);
        match slot.then.take() {
            Some(then) => slot.op.set(then),
            None => slot.status.set(Status::Gone),
        }
        Some(Stepped { op, outcome, before, after, failure: None })
    }
}

impl Run for FiberRun<'_> {
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
        Some(Pending {
            thread,
            op,
            enabled,
            alternatives: world.alternatives(&op),
            guard: Guard::NONE,
            transition: 0,
            is_of_several: false,
        })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        let Choice { thread, alternative } = choice;
        let context = &*self.context;
        if thread.index() >= context.threads() {
            return None;
        }
        if context.registry.forgets() && !self.forgets {
            // The search is to end, and another one begins in another OS thread.
            return None;
        }
        let slot = context.slot(thread);
        if slot.status.get() != Status::Live {
            return self.step_without_fiber(choice);
        }
        let is_watched = slot.unseen.is_watched();
        let objects::Performed { outcome, before, mut after, misuse, .. } =
            context.perform(thread, slot.op(), alternative)?;
        if is_watched {
            after = context.settle_data(thread, outcome, before, after);
        }
        self.choices.push(choice);
        slot.done.set(Done { outcome, before, after, alternative });
        let op = slot.op.get();
        if context.registry.watches_states() {
            self.go_on_watched(choice, op, before, after);
        } else if context.resume(thread) {
            context.world.borrow_mut().end(thread);
        }
        if context.learnt.get() {
            return self.again();
        }
        // A spawn says only now whom it created.
        let outcome = if matches!(op.kind, OpKind::Spawn) { slot.done.get().outcome } else { outcome };
        let failure = misuse.or_else(|| slot.take_failure()).or_else(|| references::leak(context).map(Box::new));
        Some(Stepped { op, outcome, before, after, failure })
    }

    fn is_forgiven(&self, thread: ThreadId) -> bool {
        !self.context.options.joined_panics && self.context.slot(thread).forgiven.get()
    }

    fn word(&self, object: ObjectId) -> State {
        self.context.world.borrow().word(object)
    }

    fn is_as_told(&self, object: ObjectId) -> bool {
        self.context.is_as_told(object)
    }

    fn expect_local_states(&mut self, are_expected: bool) {
        self.context.registry.watch_states(are_expected);
        let is_watched = self.context.slot(MAIN).unseen.is_watched();
        if are_expected != is_watched && self.choices.is_empty() {
            self.restart();
        }
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        local_state::ask(&self.context, thread, &self.remembered)
    }

    fn is_cut(&self) -> bool {
        self.context.cut.get() || crate::spin::is_cut(&self.context)
    }
}

impl Drop for FiberRun<'_> {
    fn drop(&mut self) {
        self.abandon();
        self.context.tokens.clear();
    }
}
