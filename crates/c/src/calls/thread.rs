//! Threads: creation, joining, detaching, ending.

use super::entry;
use crate::context::{self, Context};
use crate::known;
use crate::leaks;
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
    context.here().status.set(Status::Gone);
    if context.options.leaks && context.heaps.has_more_than_kept() && context.all_gone() {
        lose(context);
    }
    context.world().end(context.current());
    context.leave()
}

/// The program has ended: memory that nobody can free any more is a failure.
fn lose(context: &Context) {
    if let Some(block) = leaks::find(context) {
        let message = format!("a block of {} bytes is never freed, and nothing leads to it any more", block.size);
        context.fail(FailureKind::Memory, message, block.allocated_at);
    }
}

pub(super) extern "C-unwind" fn create(
    place: *mut usize,
    attributes: *const libc::pthread_attr_t,
    function: usize,
    argument: usize,
    return_address: usize,
) -> i32 {
    let Some(context) = context::get() else { return libc::EAGAIN };
    let site = context.site(return_address);
    if context::running().is_none() {
        eprintln!("mazurka: a thread is created by a constructor, before main: not supported");
        return libc::EAGAIN;
    }
    let Some(child) = context.next_child() else {
        context.refuse(&known::too_many_threads(), site);
    };
    let body = Body { function, arguments: [argument, 0, 0], then: finish };
    let slot = context.here();
    slot.spawns.set(Some((child, body)));
    context.slot(child).detached.set(is_detached(attributes));
    context.perform(OpKind::Spawn, ObjectId::NONE, site);
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
    if context.slot(thread).detached.replace(true) {
        let site = context.site(return_address);
        context.fail(FailureKind::Misuse, "a thread is detached twice".to_owned(), site);
    }
    0
}

pub(super) extern "C-unwind" fn this() -> usize {
    context::running().map_or(0, |context| handle(context.current()))
}

/// Names, processors and priorities of threads make no difference here.
extern "C-unwind" fn makes_no_difference() -> i32 {
    0
}

entry!(wrap_setname, "__wrap_pthread_setname_np", "rdx", makes_no_difference);
entry!(wrap_setaffinity, "__wrap_pthread_setaffinity_np", "rcx", makes_no_difference);
entry!(wrap_setschedparam, "__wrap_pthread_setschedparam", "rcx", makes_no_difference);
entry!(wrap_setschedprio, "__wrap_pthread_setschedprio", "rdx", makes_no_difference);
entry!(wrap_create, "mazurka_pthread_create", "r8", create);
entry!(wrap_join, "__wrap_pthread_join", "rdx", join);
entry!(wrap_detach, "__wrap_pthread_detach", "rsi", detach);
entry!(wrap_self, "__wrap_pthread_self", "rdi", this);
entry!(wrap_exit, "__wrap_pthread_exit", "rsi", finish);
