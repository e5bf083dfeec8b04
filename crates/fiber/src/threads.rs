//! Threads of a checked program: what front ends call to create and name them, and their course.

use crate::context::{self, Context, Mode};
use crate::lesson::Lesson;
use crate::local;
use crate::local_state;
use crate::patience;
use crate::perform::{Done, here, learn, perform, wipe_if_watched};
use crate::references::{self, note_identity};
use crate::registers::call_with_zeros;
use crate::run::MAIN;
use crate::slot::{Fiber, Status};
use crate::unwinding::catch;
use model::{Failure, FailureKind, ObjectId, Op, OpKind, Outcome, ThreadId};
use std::panic::Location;

/// The thread that calls.
pub fn current() -> ThreadId {
    note_identity();
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

/// Gives the thread of this number a name for people, if there is one.
pub fn name_thread_number(number: u32, name: &str) {
    if (number as usize) < here().threads() {
        name_thread(ThreadId(number), name);
    }
}

/// How a new thread is to be.
#[derive(Clone, Copy, Default, Debug)]
pub struct Wish<'a> {
    /// Its name for people.
    pub name: Option<&'a str>,
    /// At least so many bytes of stack.
    pub stack_size: usize,
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
    wipe_if_watched(context);
    Some(child)
}

/// Gives `thread` a fiber and runs it to its first operation.
///
/// # Safety
/// As for [`spawn`].
#[inline(never)]
pub(crate) unsafe fn start<F: FnOnce()>(context: &Context, thread: ThreadId, body: F, stack_size: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        give_fiber(context, thread, stack_size, move |context| {
            let _ = catch(body);
            patience::conclude(context, context.slot(thread));
            let _ = catch(|| local::drop_locals(context, thread));
            if context.lessons.get().contains(Lesson::ObservesEnds) {
                let _ = catch(|| perform(OpKind::Write(1), context.end_of(thread), Location::caller()));
            }
            leave(context, thread);
        });
    }
    local_state::begin(context, thread);
    if !context.resume(thread) {
        return;
    }
    let slot = context.slot(thread);
    // A program without operations has no step after which a leak could be looked for.
    if thread == MAIN && slot.failure.borrow().is_none() {
        *slot.failure.borrow_mut() = references::leak(context);
    }
    if slot.failure.borrow().is_some() {
        slot.status.set(Status::Stillborn);
        slot.op.set(Op::NONE);
    } else {
        context::quietly(|| context.world.borrow_mut().end(thread));
    }
}

/// Runs `f` in a fiber of `thread`, which has none. Says whether it came to its end.
pub(crate) fn run_to_end(context: &Context, thread: ThreadId, f: impl FnOnce()) -> bool {
    // SAFETY: the fiber ends, or is forgotten, before anything that `f` borrows does.
    unsafe {
        give_fiber(context, thread, 0, |_| {
            let _ = catch(f);
        });
    }
    context.resume(thread)
}

/// Gives `thread` a fiber that will run `body`.
///
/// # Safety
/// Everything that `body` borrows must live until the fiber has ended, or is unwound or forgotten.
unsafe fn give_fiber<F: FnOnce(&Context)>(context: &Context, thread: ThreadId, stack_size: usize, body: F) {
    let stack = context.take_stack(stack_size);
    let range = context::range_of(&stack);
    // The context outlives its fibers: a run drops them first.
    let address = std::ptr::from_ref(context) as usize;
    // SAFETY: what the closure borrows lives long enough: promised by the caller.
    let fiber = unsafe {
        Fiber::with_stack_unchecked(stack, move |yielder, ()| {
            // SAFETY: see above.
            let context = &*(address as *const Context);
            let slot = context.slot(thread);
            slot.yielder.set(yielder);
            let mut beginning = std::mem::ManuallyDrop::new(Beginning { context, body });
            let data = (&raw mut *beginning).cast();
            // What unwinds is caught in the body; and the beginning is read once, which is then its owner.
            call_with_zeros(enter::<F>, data, slot.base.as_ptr());
        })
    };
    context.set_fiber(thread, fiber, range);
}

/// What a fiber begins with.
struct Beginning<'c, F> {
    context: &'c Context,
    body: F,
}

/// The first call of a fiber, with its [`Beginning`].
extern "C" fn enter<F: FnOnce(&Context)>(data: *mut ()) {
    // SAFETY: the caller gives it away. A volatile read is a copy to the frame of this call, so that what the body has taken
    // along is below the base of the thread's stack.
    let Beginning { context, body } = unsafe { data.cast::<Beginning<'_, F>>().read_volatile() };
    body(context);
}

/// Another thread takes the panic of `thread` as an answer.
pub fn forgive(thread: ThreadId) {
    here().slot(thread).forgiven.set(true);
}

/// Whether something happens to the calling thread without a reason, such as a wait that ends: explored both ways, a few times
/// in a run, if the program is to be checked for it.
pub fn happens_without_reason(location: &'static Location<'static>) -> bool {
    let context = here();
    let slot = context.running();
    if slot.spurious.get() >= context.options.spurious || context.mode.get() != Mode::Running {
        return false;
    }
    let happens = perform(OpKind::Choose(2), ObjectId::NONE, location).alternative() == 1;
    slot.spurious.set(slot.spurious.get() + u32::from(happens));
    happens
}

/// What `f` creates is created by `what`, whichever thread is the first to do so.
pub fn initialise<T>(what: ObjectId, f: impl FnOnce() -> T) -> T {
    struct Until<'a>(&'a crate::slot::Slot, ObjectId);
    impl Drop for Until<'_> {
        fn drop(&mut self) {
            self.0.initialising.set(self.1);
        }
    }
    let slot = here().running();
    let _until = Until(slot, slot.initialising.replace(what));
    f()
}

/// A thread ends: it must not hold a lock.
fn leave(context: &Context, thread: ThreadId) {
    let slot = context.slot(thread);
    let held = slot.held.borrow().first().copied();
    if let Some(lock) = held
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
    perform(OpKind::Read, end, location).before() != 0
}
