//! Whether an access is of memory that is in use.

use crate::calls::heap;
use crate::context::Context;
use crate::foreign::Kind;
use crate::heap::Fault;
use crate::layout;
use model::{FailureKind, Site};

/// Fails if the access is of no memory that is in use: of no block of the heap, or of memory that nothing is known of. To be called when the thread was chosen.
#[inline]
pub(crate) fn check(context: &Context, address: usize, size: usize, return_address: usize) {
    if layout::heap_owner(address).is_some() {
        if let Err(fault) = context.heaps.check(address, size) {
            fail(context, address, size, fault, context.site(return_address));
        }
        return;
    }
    check_elsewhere(context, address, size, return_address);
}

#[inline]
fn check_elsewhere(context: &Context, address: usize, size: usize, return_address: usize) {
    if layout::stack_owner(address).is_none() && !context.image().globals.contains(&address) {
        check_foreign(context, address, size, return_address);
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

#[cold]
fn check_foreign(context: &Context, address: usize, size: usize, return_address: usize) {
    if context.foreign_kind(address) == Kind::Unknown {
        let what = format!(
            "an access of {size} bytes at {address:#x}, which is no memory of the program: a library has allocated it, say, and \
             what other threads do there is not seen"
        );
        context.refuse(&what, context.site(return_address));
    }
}

pub(super) fn check_range(context: &Context, address: usize, size: usize, return_address: usize) {
    if layout::heap_owner(address).is_none() {
        return check_elsewhere(context, address, size, return_address);
    }
    check(context, address, 1, return_address);
    if let Some(block) = context.heaps.block_of(address)
        && address + size > block.address + block.size
    {
        fail(context, address, size, Fault::OutOfBounds, context.site(return_address));
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
