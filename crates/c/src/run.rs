//! The run that the explorer drives.

mod memory;

pub(crate) use memory::{perform_on, set_word, word};

use crate::calls::{life, process};
use crate::context::{Context, MAIN};
use crate::layout;
use crate::leaks;
use crate::origin::Origin;
use crate::reuse;
use crate::shadow::Extent;
use crate::slot::{Done, Effect, Slot, Status};
use crate::snapshot::{Snapshots, State as RunState, whole_state};
use model::{
    Choice, Failure, FailureKind, Fingerprint, Guard, ObjectId, Op, OpKind, Outcome, Pending, Run, Site, State,
    Stepped, ThreadId,
};
use objects::Performed;
use std::ops::Range;

/// Constructors that take more steps than this go on in every run.
const MOST_STEPS_OF_CONSTRUCTORS: usize = 1 << 20;

/// A run of a [`crate::CProgram`].
pub(crate) struct CRun {
    context: &'static Context,
    /// How many steps were taken.
    steps: usize,
    snapshots: Snapshots,
}

impl CRun {
    pub(crate) fn new(context: &'static Context) -> Self {
        let mut run = CRun { context, steps: 0, snapshots: Snapshots::default() };
        run.begin();
        run
    }

    /// Runs the main thread to its first operation.
    fn begin(&mut self) {
        let context = self.context;
        if context.origin.get().is_none() {
            let goes_on = self.construct();
            context.heaps.keep();
            let _ = context.origin.set(Origin { state: RunState::of(context), goes_on });
        }
        self.steps = 0;
        self.snapshots.clear();
        let origin = context.origin.get().expect("it was set");
        context.begin_run(&origin.state);
        if origin.goes_on {
            self.start(MAIN);
        }
    }

    /// Runs the program's constructors as far as there is one way only. Says whether the main function comes next.
    fn construct(&mut self) -> bool {
        let context = self.context;
        let slot = context.slot(MAIN);
        slot.reset();
        context.create_fiber(MAIN, &process::main_body(context));
        context.constructing.set(true);
        self.start(MAIN);
        for _ in 0..MOST_STEPS_OF_CONSTRUCTORS {
            let op = slot.op.get();
            let has_one_way = !matches!(op.kind, OpKind::Spawn | OpKind::Choose(_)) && self.is_enabled(MAIN, &op);
            if !context.constructing.get() || !slot.is_live() || !has_one_way {
                break;
            }
            let stepped = self.step(Choice { thread: MAIN, alternative: 0 });
            if let Some(failure) = stepped.and_then(|stepped| stepped.failure) {
                slot.failure.set(Some(failure));
                self.note_stillbirth(slot);
            }
        }
        !context.constructing.replace(false)
    }

    /// Runs a new thread to its first operation. If it fails before, that will be told when it takes its first step.
    fn start(&self, thread: ThreadId) {
        self.context.resume(thread);
        self.note_stillbirth(self.context.slot(thread));
    }

    /// The same, with what it changes compared with what was announced.
    fn start_witnessed(&self, thread: ThreadId) {
        if !self.context.paranoid.is_on() {
            return self.start(thread);
        }
        self.context.begin_witnessed_step(thread);
        self.start(thread);
        self.context.end_witnessed_step(thread, Site::UNKNOWN);
    }

    fn note_stillbirth(&self, slot: &Slot) {
        slot.first_call.set(self.context.call.made());
        let failure = slot.failure.take();
        if failure.is_some() {
            slot.failure.set(failure);
            slot.op.set(Op::NONE);
            slot.status.set(Status::Stillborn);
        }
    }

    #[inline]
    fn is_enabled(&self, thread: ThreadId, op: &Op) -> bool {
        if !op.kind.may_block() {
            return true;
        }
        let word = if op.object == ObjectId::NONE { None } else { self.memory_word(op.object) };
        match word {
            Some(word) => objects::enabled(op.kind, word),
            None => self.context.world().enabled(thread, op),
        }
    }

    /// The word of an object that is memory.
    fn memory_word(&self, object: ObjectId) -> Option<State> {
        if self.context.sections.is_object(object) {
            return Some(self.context.sections.word(&self.context.shadow, object));
        }
        self.context.shadow.find(object).map(|extent| word(&extent))
    }

    fn word_of(&self, object: ObjectId) -> State {
        self.memory_word(object).unwrap_or_else(|| self.context.world().word(object))
    }

    #[inline]
    fn alternatives(&self, op: &Op) -> u32 {
        match op.kind {
            OpKind::Choose(_) | OpKind::NotifyOne => self.context.world().alternatives(op),
            _ => 1,
        }
    }

    /// The operation as it was performed, now that the thread has gone on.
    #[inline]
    fn performed_natively(&self, extent: &Extent, op: &mut Op) -> State {
        let after = word(extent);
        match &mut op.kind {
            OpKind::Write(value) | OpKind::PlainWrite(value) => *value = after,
            _ => {}
        }
        after
    }

    /// An atomic section, or an operation on memory of its region: the state that counts is that of the whole region.
    fn step_of_section(&self, slot: &Slot, mut op: Op, thread: ThreadId) -> Stepped {
        let context = self.context;
        let before = self.word_of(op.object);
        let meant = slot.meant.get();
        let performed = context.shadow.find(meant.object).map(|extent| {
            let effect = slot.effect.get();
            perform_on(&extent, effect, &meant, thread)
        });
        let (found, outcome) = performed.map_or((0, Outcome::Done), |performed| (performed.before, performed.outcome));
        slot.tell(Done { outcome, before: found, alternative: 0, misused: false });
        context.resume(thread);
        let after = self.word_of(op.object);
        if let OpKind::Write(value) = &mut op.kind {
            *value = after;
        }
        Stepped { op, outcome: Outcome::Done, before, after, failure: slot.failure.take() }
    }

    /// Creates the thread that a spawn asks for, and runs it to its first operation.
    pub(crate) fn spawn(&self, slot: &Slot) -> Outcome {
        let Some((child, body)) = slot.spawns.take() else { return Outcome::Refused };
        self.context.concurrent.set(true);
        self.context.create_fiber(child, &body);
        self.context.slot(child).floating.set(slot.floating.get());
        self.start_witnessed(child);
        Outcome::Spawned(child)
    }
}

impl Run for CRun {
    fn restart(&mut self) {
        self.begin();
    }

    fn objects_have_lives(&self) -> bool {
        true
    }

    fn rewind(&mut self, steps: usize) -> usize {
        match self.snapshots.go_back(self.context, steps) {
            Some(steps) => {
                self.steps = steps;
                steps
            }
            None => {
                self.begin();
                0
            }
        }
    }

    fn threads(&self) -> usize {
        self.context.thread_count()
    }

    #[inline]
    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        if thread.index() >= self.context.thread_count() {
            return None;
        }
        let slot = self.context.slot(thread);
        if matches!(slot.status.get(), Status::Gone | Status::Exited) {
            return None;
        }
        let op = slot.op.get();
        let enabled = self.is_enabled(thread, &op);
        Some(Pending {
            thread,
            op,
            enabled,
            alternatives: self.alternatives(&op),
            guard: Guard::NONE,
            transition: 0,
            is_of_several: false,
        })
    }

    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        if self.context.paranoid.is_on() {
            return self.witnessed_step(choice);
        }
        self.plain_step(choice)
    }

    fn is_cut(&self) -> bool {
        self.context.cut.get()
    }

    fn word(&self, object: ObjectId) -> State {
        if object == ObjectId::NONE { 0 } else { self.word_of(object) }
    }

    fn whole_state(&self) -> Option<u128> {
        self.context.compares_states().then(|| whole_state(self.context))
    }

    /// Asked for when the thread has just come to its operation: either it ran last, or it is there for the first time.
    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        let context = self.context;
        let slot = context.slot(thread);
        let ran_last = context.current() == thread;
        if slot.status.get() != Status::Live || ran_last && !context.call.is_made() {
            // In the middle of a call, such as one that copies bytes, a thread is not where it was at the call's beginning.
            return None;
        }
        let made = if ran_last { context.call.made() } else { slot.first_call.get() };
        let stack = layout::stack_of(thread).start..context.end_of_locals(thread);
        if made.depth(&stack).is_none_or(|depth| depth > DEEPEST) {
            return None;
        }
        let shared = context.shadow.shared_objects().into_iter().map(|(address, size)| address..address + size);
        let shared: Vec<Range<usize>> = shared.filter(|object| stack.contains(&object.start)).collect();
        // The operation is as much of it as what comes after it: its operands are in no register any more.
        let op = slot.op.get();
        let meant = context.sections.is_object(op.object).then(|| slot.meant.get());
        let operands = match usize::try_from(slot.operands.get()) {
            Ok(place) if stack.contains(&place) => (stack.end - place) as u128,
            _ => slot.operands.get(),
        };
        let operation = (op.kind, op.object, meant.map(|meant| (meant.kind, meant.object)), operands);
        let own = Fingerprint::of(made.local_state(stack, &shared).chain(slot.unstacked(thread)));
        Some(own.and(&operation))
    }

    fn has_exited(&self) -> bool {
        self.context.exited.get()
    }

    fn is_interrupted(&self) -> bool {
        self.context.interrupted.get()
    }

    fn left_behind(&self) -> Option<Failure> {
        let block = leaks::find(self.context)?;
        let message = format!("a block of {} bytes is never freed, and nothing leads to it any more", block.size);
        Some(Failure { kind: FailureKind::Memory, message, site: block.allocated_at })
    }
}

/// Stacks that are deeper are not compared: that would take long at every step of a deep recursion.
pub(crate) const DEEPEST: usize = 64 << 10;

impl CRun {
    /// A step, with what it changes compared with what was announced.
    #[cold]
    fn witnessed_step(&mut self, choice: Choice) -> Option<Stepped> {
        self.context.begin_witnessed_step(choice.thread);
        let stepped = self.plain_step(choice)?;
        self.context.end_witnessed_step(choice.thread, stepped.op.site);
        Some(stepped)
    }

    #[inline(always)]
    fn plain_step(&mut self, choice: Choice) -> Option<Stepped> {
        let context = self.context;
        if choice.thread.index() >= context.thread_count() {
            return None;
        }
        let slot = context.slot(choice.thread);
        let mut op = slot.op.get();
        if slot.status.get() != Status::Live || context.sections.is_object(op.object) {
            return self.step_otherwise(slot, op, choice);
        }
        if !self.can_take(&op, choice) {
            return None;
        }
        if context.recorder.is_on() {
            context.recorder.step(choice.thread);
        }
        let extent = if op.object == ObjectId::NONE { None } else { context.shadow.find(op.object) };
        let Performed { mut outcome, before, mut after, misuse, .. } = match &extent {
            Some(extent) => perform_on(extent, slot.effect.get(), &op, choice.thread),
            None => context.world().perform(choice.thread, &op, choice.alternative),
        };
        if op.kind == OpKind::Spawn {
            outcome = self.spawn(slot);
        }
        let misused = misuse.is_some();
        if let Some(failure) = misuse {
            slot.failure.set(Some(Box::new(life::explain(context, &op, before, *failure))));
        }
        slot.tell(Done { outcome, before, alternative: choice.alternative, misused });
        let is_native = slot.effect.get() == Effect::Native;
        context.resume(choice.thread);
        if let (true, Some(extent)) = (is_native, &extent) {
            after = self.performed_natively(extent, &mut op);
        }
        self.pass();
        // Put together only here: to copy what was written a moment before is slow.
        Some(Stepped { op, outcome, before, after, failure: slot.failure.take() })
    }
}

impl CRun {
    /// A step was taken.
    #[inline]
    fn pass(&mut self) {
        self.steps += 1;
        if self.context.compares_states() && self.context.heaps.freed() > 0 {
            reuse::collect(self.context);
        }
        if self.context.options.snapshots {
            self.snapshots.pass(self.context, self.steps);
        }
    }

    /// Whether the thread can perform its operation by this alternative.
    #[inline]
    fn can_take(&self, op: &Op, choice: Choice) -> bool {
        self.is_enabled(choice.thread, op) && (choice.alternative == 0 || choice.alternative < self.alternatives(op))
    }

    /// A step of a thread that has not come to an operation of its own, or to one that others are part of.
    #[cold]
    fn step_otherwise(&mut self, slot: &Slot, op: Op, choice: Choice) -> Option<Stepped> {
        let is_stillborn = slot.status.get() == Status::Stillborn;
        let is_gone = matches!(slot.status.get(), Status::Gone | Status::Exited);
        if is_gone || !is_stillborn && !self.can_take(&op, choice) {
            return None;
        }
        if self.context.recorder.is_on() {
            self.context.recorder.step(choice.thread);
        }
        let stepped = if is_stillborn {
            slot.status.set(Status::Gone);
            Stepped { op, outcome: Outcome::Done, before: 0, after: 0, failure: slot.failure.take() }
        } else {
            self.step_of_section(slot, op, choice.thread)
        };
        self.pass();
        Some(stepped)
    }
}
