//! Whether an access is of memory that is in use.

use crate::calls::heap;
use crate::context::Context;
use crate::foreign;
use crate::heap::Fault;
use crate::layout;
use model::{FailureKind, Site, ThreadId};

/// Fails if the access is not of a block of the heap, where it should be, and refuses it if it is of memory that is not the program's.
/// To be called when the thread was chosen.
#[inline]
pub(crate) fn check(context: &Context, address: usize, size: usize, write: bool, return_address: usize) {
    if layout::heap_owner(address).is_some() {
        if let Err(fault) = context.heaps.check(address, size) {
            fail(context, address, size, fault, context.site(return_address));
        }
        if !write {
            context.uninitialised.note_read(address);
        }
        return;
    }
    if let Some(owner) = layout::stack_owner(address) {
        if owner != context.current() {
            check_stack_of_other(context, owner, return_address);
        }
        if !write && is_in_frames(context, address, owner) {
            context.uninitialised.note_read(address);
        }
    }
    if !context.shadow.covers(address) {
        foreign::check(context, address, size, write, context.site(return_address));
    }
}

/// Whether an address is on the used part of the stack of this thread.
fn is_in_frames(context: &Context, address: usize, owner: ThreadId) -> bool {
    if owner == context.current() {
        return !context.call.is_below(address);
    }
    owner.index() < context.thread_count() && {
        let slot = context.slot(owner);
        slot.has_frames() && address >= slot.stack_pointer.get()
    }
}

/// An access of the stack of another thread that this one has joined. (Whether a thread has ended that was not joined depends on the
/// order of steps that are independent, so that not every execution of a class would say the same.)
fn check_stack_of_other(context: &Context, owner: ThreadId, return_address: usize) {
    if owner.index() < context.thread_count() && context.slot(owner).joiner.get() == Some(context.current()) {
        let message = "use of a variable of a thread that has ended".to_owned();
        context.fail(FailureKind::Memory, message, context.site(return_address));
    }
}

/// An access of the thread's own stack below what it uses is one of a function that has returned. To be called before the
/// thread waits to be chosen: later calls hide where it is.
#[inline(always)]
pub(super) fn check_frame(context: &Context, address: usize, return_address: usize) {
    if context.call.is_below(address) {
        fail_returned(context, context.site(return_address));
    }
}

pub(super) fn check_range(context: &Context, address: usize, size: usize, write: bool, return_address: usize) {
    check(context, address, 1, write, return_address);
    if layout::heap_owner(address).is_none() {
        return;
    }
    if let Some(block) = context.heaps.block_of(address)
        && address + size > block.address + block.size
    {
        fail(context, address, size, Fault::OutOfBounds, context.site(return_address));
    }
    if !write {
        context.uninitialised.note_reads(address, size);
    }
}

#[cold]
fn fail(context: &Context, address: usize, size: usize, fault: Fault, site: Site) -> ! {
    let message = heap::describe(context, address, size, fault);
    context.fail(FailureKind::Memory, message, site)
}

#[cold]
fn fail_returned(context: &Context, site: Site) -> ! {
    let message = "use of a variable on a stack after its function has returned".to_owned();
    context.fail(FailureKind::Memory, message, site)
}
