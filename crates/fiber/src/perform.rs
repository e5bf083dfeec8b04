//! What front ends call from within the threads of a checked program.

use crate::context::{self, Context, Mode};
use crate::hook::{self, Abandoned};
use crate::lesson::Lesson;
use crate::patience;
use crate::place::{Described, Identity};
use crate::slot::{Fiber, NO_OP, Slot, Status};
use model::{Failure, FailureKind, ObjectId, Op, OpKind, Outcome, Site, ThreadId};
use std::any::Any;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::rc::Rc;

/// What came of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// What came of it.
    pub outcome: Outcome,
    /// The object's word before.
    pub before: u64,
    /// The object's word after.
    pub after: u64,
    /// By which alternative.
    pub alternative: u32,
}

impl Done {
    /// Whether it did what it is named for.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.outcome != Outcome::Refused
    }
}

/// Whether the caller is a thread of a checked program.
#[inline]
pub fn is_checked() -> bool {
    context::current().is_some()
}

/// Whether the run that the caller belongs to was given up, so that operations have no meaning any more.
pub fn abandoned() -> bool {
    context::current().is_none_or(|context| context.mode.get() != Mode::Running)
}

#[inline(always)]
fn here() -> &'static Context {
    match context::current() {
        Some(context) => context,
        None => outside(),
    }
}

#[cold]
#[track_caller]
fn outside() -> ! {
    panic!(
        "this operation was used outside of a check: objects of mazurka work only within mazurka::check, \
         mazurka::model or #[mazurka::test]"
    )
}

/// The thread that calls.
pub fn current() -> ThreadId {
    here().current()
}

/// The name that a thread was given.
pub fn thread_name(thread: ThreadId) -> Option<String> {
    let context = here();
    context::quietly(|| context.registry.given_name(thread))
}

/// Gives a thread a name for people.
pub fn name_thread(thread: ThreadId, name: &str) {
    let context = here();
    context::quietly(|| context.registry.name_thread(thread, name));
}

/// The site of a place in the program's text.
#[inline]
pub fn site(location: &'static Location<'static>) -> Site {
    here().site(location)
}

/// The object that `identity` is part of, which has the word `initial` if this run has not met it yet.
#[inline]
pub fn object(identity: &Identity, describe: impl FnOnce() -> Described, initial: impl FnOnce() -> u64) -> ObjectId {
    here().object(identity, describe, initial)
}

/// An object's word, without an operation: for those who own the object alone.
pub fn word(object: ObjectId) -> u64 {
    here().world.borrow().word(object)
}

/// Announces an operation, waits to be chosen, and says what came of it.
// Always inlined, down to the switch: a return to a caller from before the switch is one that the processor cannot
// predict. And the operation is put together where it is announced, and only what the caller asks for is read of what came of
// it: copies of what was written a moment before are slow.
#[inline(always)]
pub fn perform(kind: OpKind, object: ObjectId, location: &'static Location<'static>) -> Done {
    let context = here();
    let slot = context.running();
    slot.op.set(Op { kind, object, site: context.site(location) });
    if context.mode.get() == Mode::Running && !slot.spin.is_weary(context.options.spin_limit) {
        switch(slot);
        settle(context, slot);
    } else {
        perform_otherwise(context, slot);
    }
    slot.done.get()
}

/// Performs the operation of a thread that is abandoned, or may be in a loop.
#[cold]
#[inline(never)]
fn perform_otherwise(context: &Context, slot: &Slot) {
    let op = slot.op.get();
    if context.mode.get() != Mode::Running {
        return slot.done.set(at_once(context, &op));
    }
    match crate::spin::weary(context, slot, &op) {
        Some(done) => slot.done.set(done),
        None => {
            announce(context, slot, op);
        }
    }
}

/// As [`perform`], for an operation that is not the program's own.
pub(crate) fn announce(context: &Context, slot: &Slot, op: Op) -> Done {
    slot.op.set(op);
    switch(slot);
    settle(context, slot);
    slot.done.get()
}

/// Suspends the thread until its operation has been performed.
#[inline(always)]
fn switch(slot: &Slot) {
    // SAFETY: set at the start of this fiber to its yielder, which lives as long as the fiber.
    unsafe { (*slot.yielder.get()).suspend(()) };
}

/// What there is to do when a thread goes on after an operation.
#[inline(never)]
fn settle(context: &Context, slot: &Slot) {
    if context.mode.get() == Mode::Abandoning && !is_panicking() {
        resume_unwind(Box::new(Abandoned));
    }
    slot.spin.note(slot.op.get(), slot.done.get());
}

/// The run is being given up: destructors get an answer, everything else unwinds.
#[cold]
fn at_once(context: &Context, op: &Op) -> Done {
    if context.mode.get() == Mode::Abandoning && !std::thread::panicking() {
        resume_unwind(Box::new(Abandoned));
    }
    let mut world = context.world.borrow_mut();
    let thread = context.current();
    let before = world.word(op.object);
    if op.object != ObjectId::NONE && world.enabled(thread, op) {
        let performed = world.perform(thread, op, 0);
        return Done { outcome: performed.outcome, before, after: performed.after, alternative: 0 };
    }
    Done { outcome: Outcome::Done, before, after: before, alternative: 0 }
}

/// Notes that the calling thread holds a lock, or holds it no longer: one that it never gives back is a failure.
pub fn holds(lock: ObjectId, is_held: bool) {
    let context = here();
    let mut held = context.running().held.borrow_mut();
    if is_held {
        context::quietly(|| held.push(lock));
    } else if let Some(place) = held.iter().rposition(|&other| other == lock) {
        held.remove(place);
    }
}

/// The token by which `thread` is unparked: a count that is 0 or 1.
pub fn parker(thread: ThreadId) -> ObjectId {
    here().parker(thread)
}

/// The object that `identity` is part of, if this run has met it.
pub fn known(identity: &Identity) -> Option<ObjectId> {
    context::current()?.known(identity)
}

/// Creates a thread that borrows nothing; see [`spawn`].
pub fn spawn_static<F: FnOnce() + 'static>(
    body: F,
    wish: Wish<'_>,
    location: &'static Location<'static>,
) -> Option<ThreadId> {
    // SAFETY: nothing is borrowed.
    unsafe { spawn(body, wish, location) }
}

/// How a new thread is to be.
#[derive(Clone, Copy, Default, Debug)]
pub struct Wish<'a> {
    /// Its name for people.
    pub name: Option<&'a str>,
    /// At least so many bytes of stack.
    pub stack_size: usize,
}

/// Creates a thread. It runs up to its first operation before this returns. `None` when the run is being given up: then
/// there is no thread, and `body` was dropped.
///
/// # Safety
/// Everything that `body` borrows must live until the thread has ended, or has been unwound when the run is given up:
/// threads are unwound before those that created them.
pub unsafe fn spawn<F: FnOnce()>(body: F, wish: Wish<'_>, location: &'static Location<'static>) -> Option<ThreadId> {
    let context = here();
    if context.mode.get() != Mode::Running {
        return None;
    }
    perform(OpKind::Spawn, ObjectId::NONE, location);
    let child = context.next_child();
    context.running().done.set(Done { outcome: Outcome::Spawned(child), before: 0, after: 0, alternative: 0 });
    if let Some(name) = wish.name {
        name_thread(child, name);
    }
    // SAFETY: promised by the caller.
    unsafe { start(context, child, body, wish.stack_size) };
    Some(child)
}

/// Gives `thread` a fiber and runs it to its first operation.
///
/// # Safety
/// As for [`spawn`].
pub(crate) unsafe fn start<F: FnOnce()>(context: &Context, thread: ThreadId, body: F, stack_size: usize) {
    let stack = context.take_stack(stack_size);
    let range = context::range_of(&stack);
    // The context outlives its fibers: a run drops them first.
    let address = std::ptr::from_ref(context) as usize;
    // SAFETY: what the closure borrows lives long enough: promised by the caller.
    let fiber = unsafe {
        Fiber::with_stack_unchecked(stack, move |yielder, ()| {
            // SAFETY: see above.
            let context = &*(address as *const Context);
            context.slot(thread).yielder.set(yielder);
            let _ = catch(body);
            patience::conclude(context, context.slot(thread));
            let _ = catch(|| drop_locals(context, thread));
            if context.lessons.get().contains(Lesson::ObservesEnds) {
                let _ = catch(|| perform(OpKind::Write(1), context.end_of(thread), Location::caller()));
            }
            leave(context, thread);
        })
    };
    context.set_fiber(thread, fiber, range);
    if !context.resume(thread) {
        return;
    }
    let slot = context.slot(thread);
    if slot.failure.borrow().is_some() {
        slot.status.set(Status::Stillborn);
        slot.op.set(NO_OP);
    } else {
        context.world.borrow_mut().end(thread);
    }
}

/// A thread ends: it must not hold a lock.
fn leave(context: &Context, thread: ThreadId) {
    let slot = context.slot(thread);
    let held = slot.held.borrow();
    if let Some(&lock) = held.first()
        && context.mode.get() == Mode::Running
    {
        context::quietly(|| {
            let name = model::Names::object(&*context.registry, lock);
            let message = format!("the thread ended without giving {name} back");
            let failure = Failure { kind: FailureKind::Misuse, message, site: slot.op.get().site };
            slot.failure.borrow_mut().get_or_insert(failure);
        });
    }
}

/// Runs `f` and catches its panic, which is then a failure of this thread. Lets the unwinding of an abandoned run end here.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    let result = catch_unwind(AssertUnwindSafe(f));
    let context = here();
    let slot = context.running();
    if let Err(payload) = &result
        && context.mode.get() == Mode::Running
    {
        context::quietly(|| {
            let noted = slot.panic.borrow_mut().take();
            let (text, site) = noted.unwrap_or_else(|| (hook::message(&**payload), Site::UNKNOWN));
            // Assertions put both sides on lines of their own.
            let message = text.lines().map(str::trim).collect::<Vec<_>>().join(", ");
            slot.panicked.set(false);
            slot.failure.borrow_mut().get_or_insert(Failure { kind: FailureKind::Panic, message, site });
        });
    }
    result
}

/// Whether the calling thread unwinds.
pub fn is_panicking() -> bool {
    // The count of the OS thread is that of all fibers; the slot says whether this one is among them.
    std::thread::panicking() && context::current().is_some_and(|context| context.running().panicked.get())
}

/// The thread stops here, for good, if `condition` does not hold, and the execution does not count.
pub fn assume(condition: bool) {
    let context = here();
    if condition || context.mode.get() != Mode::Running {
        return;
    }
    context.cut.set(true);
    stop(context, context.running());
}

/// The thread that runs takes no further step.
pub(crate) fn stop(context: &Context, slot: &Slot) -> ! {
    patience::conclude(context, slot);
    slot.status.set(Status::Gone);
    // It is resumed only to be unwound.
    switch(slot);
    resume_unwind(Box::new(Abandoned))
}

/// The thread waits by looking again: it goes on when something that it has looked at since its last change of anything
/// has changed.
pub fn spin(location: &'static Location<'static>) {
    let context = here();
    if context.mode.get() == Mode::Running {
        let site = context.site(location);
        crate::spin::pause(context, site);
    }
}

/// Notes that the calling thread changed something that is no object: it does not spin.
#[inline]
pub fn changed() {
    if let Some(context) = context::current() {
        let slot = context.running();
        if slot.spin.probe.get().is_some() {
            stop(context, slot);
        }
        slot.spin.changed();
    }
}

/// Whether `thread` has ended: an operation.
///
/// Ends of threads are part of their last operation, unless the program asks for them: the first time that it does, the
/// search is to be done anew ([`Lesson::ObservesEnds`]), with an operation at the end of each thread.
pub fn is_finished(thread: ThreadId, location: &'static Location<'static>) -> bool {
    let context = here();
    if !learn(Lesson::ObservesEnds) {
        return context.world.borrow().has_ended(thread);
    }
    let end = context.end_of(thread);
    perform(OpKind::Read, end, location).before != 0
}

/// Notes that the program does this. Says whether that was known; if not when the run began, the run is of no use.
pub fn learn(lesson: Lesson) -> bool {
    here().registry.learn_of_program(lesson)
}

/// Whether it was known when the run began that the program does this.
#[inline]
pub fn has_learnt(lesson: Lesson) -> bool {
    here().lessons.get().contains(lesson)
}

/// Gives an object a name for people, unless it has one.
pub fn name_object(object: ObjectId, name: &str) {
    let context = here();
    context::quietly(|| context.registry.name_object(object, name));
}

/// Makes a mailbox one of messages that are shown by their texts ([`number_of`]), with names for their kinds.
pub fn name_kinds(mailbox: ObjectId, kinds: &'static [&'static str], others: &'static str) {
    let context = here();
    context::quietly(|| context.registry.name_kinds(mailbox, kinds, others));
}

/// The number of a text, as the value of a message that is shown so; the same in every run.
pub fn number_of(text: &str) -> u64 {
    let context = here();
    context::quietly(|| context.registry.number_of(text))
}

/// The part of `whole` under a key, whoever uses it first. Its word is 0 before its first use.
pub fn part(whole: ObjectId, key: u64, describe: impl FnOnce() -> Described) -> ObjectId {
    let context = here();
    context::quietly(|| context.part(whole, key, &describe()))
}

/// Unwinds the calling thread to the [`catch_leave`] that it is in. This is no failure.
pub fn leave_with<T: Send + 'static>(value: T) -> ! {
    let context = here();
    context.running().panicked.set(true);
    patience::conclude(context, context.running());
    resume_unwind(Box::new(value))
}

/// Runs `f`, and catches nothing but a [`leave_with`] of this type.
pub fn catch_leave<T, L: 'static>(f: impl FnOnce() -> T) -> Result<T, L> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Ok(value),
        Err(payload) => match payload.downcast::<L>() {
            Ok(left) => {
                here().running().panicked.set(false);
                Err(*left)
            }
            Err(payload) => resume_unwind(payload),
        },
    }
}

/// A thread without code: when the word of `count` is 0, it performs `then`.
pub fn await_zero_by_daemon(count: ObjectId, then: Op, name: &str) {
    let context = here();
    if context.mode.get() != Mode::Running {
        return;
    }
    let daemon = context.next_child();
    name_thread(daemon, name);
    context.set_daemon(daemon, Op { kind: OpKind::Drained, object: count, site: then.site }, then);
}

/// The word that stands for a pointer: the same in every run, although the address is not.
pub fn token_of(pointer: *mut ()) -> u64 {
    if pointer.is_null() {
        return 0;
    }
    let context = here();
    context::quietly(|| {
        *context.tokens.borrow_mut().entry(pointer as usize).or_insert_with(|| {
            let mut pointers = context.running().pointers.borrow_mut();
            pointers.push(pointer);
            u64::from(context.current().0) << 32 | pointers.len() as u64
        })
    })
}

/// The pointer that a word stands for.
pub fn pointer_of(token: u64) -> *mut () {
    let context = here();
    match token {
        0 => std::ptr::null_mut(),
        token => context.slot(ThreadId((token >> 32) as u32)).pointers.borrow()[token as u32 as usize - 1],
    }
}

/// A value of each thread, by a key that is the address of a static.
pub struct Local;

impl Local {
    /// The calling thread's value, made by `init` if it has none yet; `None` when it was destroyed already.
    pub fn get<T: 'static>(key: usize, init: impl FnOnce() -> T) -> Option<Rc<T>> {
        let context = here();
        let slot = context.running();
        let found = slot.locals.borrow().iter().find(|(of, _)| *of == key).map(|(_, value)| value.clone());
        let value = match found {
            Some(value) => value?,
            None => {
                let value: Rc<dyn Any> = Rc::new(init());
                context::quietly(|| slot.locals.borrow_mut().push((key, Some(value.clone()))));
                value
            }
        };
        value.downcast().ok()
    }
}

/// Destroys a thread's values, in the order in which they were made, and those that destructors make.
fn drop_locals(context: &Context, thread: ThreadId) {
    let slot = context.slot(thread);
    let mut next = 0;
    loop {
        let value = match slot.locals.borrow_mut().get_mut(next) {
            Some((_, value)) => value.take(),
            None => return,
        };
        drop(value);
        next += 1;
    }
}
