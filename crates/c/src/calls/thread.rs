//! Threads: creation, joining, detaching, ending.

use super::access::{before_read, load_byte};
use super::entry;
use crate::context::{self, Context, MAIN};
use crate::known;
use crate::slot::Status;
use crate::switch::Body;
use model::{FailureKind, ObjectId, OpKind, Site, ThreadId};

/// What the program knows a thread by: never 0, and no address.
fn handle(thread: ThreadId) -> usize {
    thread.index() + 1
}

fn thread_of(context: &Context, handle: usize) -> Option<ThreadId> {
    (1..=context.thread_count()).contains(&handle).then(|| ThreadId(handle as u32 - 1))
}

/// The thread that runs ends with this result.
pub(crate) extern "C-unwind" fn finish(result: usize) -> ! {
    let context = context::running().expect("a thread that ends runs");
    super::key::end_thread(context);
    context.here().result.set(result);
    if context.current() == MAIN && super::key::may_have_end(context) {
        spawn(
            context,
            Body { function: end_with_last as *const () as usize, arguments: [0; 3], then: gone },
            Site::UNKNOWN,
        );
    }
    context.world().end(context.current());
    context.leave(Status::Gone)
}

/// A program whose main thread ended by `pthread_exit` ends with its last thread, which calls what the program wanted to be
/// called then. Which thread is the last is not an operation, so a thread of its own waits for all others.
extern "C-unwind" fn end_with_last() -> usize {
    let context = context::running().expect("the program runs");
    let mut next = MAIN;
    // Threads have larger numbers than those that created them, so that it is known by now which ones there are.
    while next.index() < context.thread_count() {
        if next != context.current() && context.slot(next).used.get() {
            context.perform(OpKind::Join(next), ObjectId::NONE, Site::UNKNOWN);
        }
        next = ThreadId(next.0 + 1);
    }
    super::key::end_program(context);
    0
}

extern "C-unwind" fn gone(_result: usize) -> ! {
    context::running().expect("the program runs").leave(Status::Gone)
}

/// Creates a thread.
fn spawn(context: &Context, body: Body, site: Site) -> ThreadId {
    let Some(child) = context.next_child() else {
        context.refuse(known::too_many_threads(), site);
    };
    context.here().spawns.set(Some((child, body)));
    context.perform(OpKind::Spawn, ObjectId::NONE, site);
    child
}

pub(super) extern "C-unwind" fn create(
    place: *mut usize,
    attributes: *const libc::pthread_attr_t,
    function: usize,
    argument: usize,
    return_address: usize,
) -> i32 {
    let Some(context) = context::running() else { return libc::EAGAIN };
    let site = context.site(return_address);
    if !attributes.is_null() {
        before_read(attributes as usize, size_of::<libc::pthread_attr_t>(), return_address);
    }
    let is_detached = is_detached(attributes);
    let child = spawn(context, Body { function, arguments: [argument, 0, 0], then: finish }, site);
    if is_detached {
        // The child may have done so itself meanwhile.
        detach_once(context, child, site);
    }
    super::access::write(place as usize, handle(child), return_address);
    0
}

fn is_detached(attributes: *const libc::pthread_attr_t) -> bool {
    unsafe extern "C" {
        fn pthread_attr_getdetachstate(attributes: *const libc::pthread_attr_t, state: *mut i32) -> i32;
    }
    let mut state = 0;
    // SAFETY: the program's attributes, if there are any.
    !attributes.is_null()
        && unsafe { pthread_attr_getdetachstate(attributes, &mut state) } == 0
        && state == libc::PTHREAD_CREATE_DETACHED
}

/// Waits for the end of a thread.
// Inlined, down to the switch: see there.
#[inline(always)]
pub(crate) fn wait_for(context: &Context, handle: usize, site: Site) -> ThreadId {
    let Some(thread) = thread_of(context, handle) else {
        context.fail(FailureKind::Misuse, "a join of what is no thread".to_owned(), site);
    };
    let slot = context.slot(thread);
    if slot.detached.get() {
        context.fail(FailureKind::Misuse, "a join of a thread that is detached".to_owned(), site);
    }
    if slot.joined.replace(true) {
        context.fail(FailureKind::Misuse, "a thread is joined twice".to_owned(), site);
    }
    context.perform(OpKind::Join(thread), ObjectId::NONE, site);
    slot.joiner.set(Some(context.current()));
    thread
}

extern "C-unwind" fn join(handle: usize, place: *mut usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return libc::ESRCH };
    let thread = wait_for(context, handle, context.site(return_address));
    if !place.is_null() {
        super::access::write(place as usize, context.slot(thread).result.get(), return_address);
    }
    0
}

pub(super) extern "C-unwind" fn detach(handle: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return libc::ESRCH };
    let Some(thread) = thread_of(context, handle) else { return libc::ESRCH };
    detach_once(context, thread, context.site(return_address));
    0
}

/// That a thread is joined and detached is wrong in either order, so that the order need not be explored.
fn detach_once(context: &Context, thread: ThreadId, site: Site) {
    let slot = context.slot(thread);
    if slot.joined.get() {
        context.fail(FailureKind::Misuse, "a thread is detached that is joined, too".to_owned(), site);
    }
    if slot.detached.replace(true) {
        context.fail(FailureKind::Misuse, "a thread is detached twice".to_owned(), site);
    }
}

pub(super) extern "C-unwind" fn this() -> usize {
    context::running().map_or(0, |context| handle(context.current()))
}

/// Names, processors and priorities of threads make no difference here. What says which is read all the same.
extern "C-unwind" fn makes_no_difference() -> i32 {
    0
}

extern "C-unwind" fn set_name(_thread: usize, name: usize, return_address: usize) -> i32 {
    let length = (0..LONGEST_NAME).take_while(|i| load_byte(name + i, return_address) != 0).count();
    if length < LONGEST_NAME { 0 } else { libc::ERANGE }
}

extern "C-unwind" fn set_affinity(_thread: usize, size: usize, processors: usize, return_address: usize) -> i32 {
    before_read(processors, size, return_address);
    0
}

extern "C-unwind" fn set_priority(_thread: usize, _policy: i32, setting: usize, return_address: usize) -> i32 {
    before_read(setting, size_of::<libc::sched_param>(), return_address);
    0
}

/// So many characters are too many for a name.
const LONGEST_NAME: usize = 16;

entry!(wrap_setname, "__wrap_pthread_setname_np", "rdx", set_name);
entry!(wrap_setaffinity, "__wrap_pthread_setaffinity_np", "rcx", set_affinity);
entry!(wrap_setschedparam, "__wrap_pthread_setschedparam", "rcx", set_priority);
entry!(wrap_setschedprio, "__wrap_pthread_setschedprio", "rdx", makes_no_difference);
entry!(wrap_create, "mazurka_pthread_create", "r8", create);
entry!(wrap_join, "__wrap_pthread_join", "rdx", join);
entry!(wrap_detach, "__wrap_pthread_detach", "rsi", detach);
entry!(wrap_self, "__wrap_pthread_self", "rdi", this);
