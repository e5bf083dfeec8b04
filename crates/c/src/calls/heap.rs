//! The functions that allocate memory.

use super::{entry, entry_of_shim, life};
use crate::context::{self, Context, MAIN};
use crate::heap::{Block, Fault};
use crate::layout;
use crate::slot::Effect;
use model::{FailureKind, OpKind, Site};
use std::ptr;

const ALIGN: usize = 16;
/// Bytes before a block that say what it is.
const HEADER: usize = 16;

/// What is wrong, in words.
pub(crate) fn describe(context: &Context, address: usize, size: usize, fault: Fault) -> String {
    let block = context.heaps.block_of(address);
    let place = |what: &str, site: Site| {
        let place = context.lines.get().and_then(|lines| lines.site(site));
        place.map_or(String::new(), |place| format!("{what} at {place}"))
    };
    let of = |block: Block| format!("a block of {} bytes{}", block.size, place(" allocated", block.allocated_at));
    let block_text = block.map_or("the heap".to_owned(), of);
    let freed = block.map_or(String::new(), |block| place("", block.freed_at));
    match fault {
        Fault::UseAfterFree => format!("access of {size} bytes of {block_text} that was freed{freed}"),
        Fault::DoubleFree if freed.is_empty() => format!("{block_text} is freed twice"),
        Fault::DoubleFree => format!("{block_text} is freed twice, first{freed}"),
        Fault::InvalidFree => format!("free of {address:#x}, which is not the start of a block"),
        Fault::OutOfBounds => match block {
            Some(block) if address >= block.address + block.size => {
                let behind = address - block.address - block.size;
                format!("access of {size} bytes, {behind} behind the end of {block_text}")
            }
            Some(block) if address < block.address => {
                format!("access of {size} bytes, {} before the start of {block_text}", block.address - address)
            }
            Some(block) => format!("access of {size} bytes at {} of {block_text}", address - block.address),
            None => format!("access of {size} bytes that are of no block"),
        },
    }
}

/// A new block; null when there is no room, which the program must be prepared for.
fn allocate(size: usize, align: usize, zero: bool, return_address: usize) -> *mut u8 {
    let Some(context) = context::get() else { return ptr::null_mut() };
    let thread = context::running().map_or(MAIN, Context::current);
    let site = context.site(return_address);
    context.here().note_unseen();
    let fill = if zero { 0 } else { context.uninitialised.fill() };
    match context.heaps.allocate(thread, size, align, fill, site) {
        Some(address) => {
            context.expect_change(address - HEADER, size + HEADER);
            address as *mut u8
        }
        None => {
            // SAFETY: the address is this OS thread's.
            unsafe { *libc::__errno_location() = libc::ENOMEM };
            ptr::null_mut()
        }
    }
}

extern "C-unwind" fn release(block: *mut u8, return_address: usize) {
    if block.is_null() {
        return;
    }
    let address = block as usize;
    let Some(context) = context::get() else { return };
    if layout::heap_owner(address).is_none() && !is_of_program(context, address) && context::running().is_none() {
        // It came from the C library itself.
        // SAFETY: the program has it from there.
        return unsafe { libc::free(block.cast()) };
    }
    let site = context.site(return_address);
    match context.heaps.to_free(address) {
        Ok(block) => free_block(context, &block, site),
        Err(fault) if context::running().is_some() => {
            context.fail(FailureKind::Memory, describe(context, address, 0, fault), site)
        }
        Err(_) => {}
    }
}

/// Whether an address is of the program's own memory, which the C library never allocated.
fn is_of_program(context: &Context, address: usize) -> bool {
    layout::stack_owner(address).is_some() || context.image.get().is_some_and(|image| image.globals.contains(&address))
}

/// To free a block is to end everything in it, object by object.
fn free_block(context: &Context, block: &Block, site: Site) {
    if context::running().is_none() || !context.concurrent.get() {
        return context.heaps.free(block, site);
    }
    let memory = block.address..block.address + block.size;
    context.expect_change(block.address - HEADER, HEADER);
    let mut freed = false;
    let mut address = memory.start;
    while let Some((object, end)) = context.shadow.next_shared(context.current(), address, memory.end) {
        context.announce(OpKind::Free, object, site, Effect::Native);
        if !freed {
            // Somebody else may have freed it meanwhile.
            if let Err(fault) = context.heaps.to_free(block.address) {
                context.fail(FailureKind::Memory, describe(context, block.address, 0, fault), site);
            }
            context.expect_change(block.address - HEADER, HEADER);
            context.heaps.free(block, site);
            freed = true;
        }
        address = end;
    }
    if !freed {
        context.heaps.free(block, site);
    }
    life::end_within(context, memory, site);
}

pub(super) extern "C-unwind" fn malloc(size: usize, return_address: usize) -> *mut u8 {
    allocate(size, ALIGN, false, return_address)
}

extern "C-unwind" fn calloc(count: usize, size: usize, return_address: usize) -> *mut u8 {
    match count.checked_mul(size) {
        Some(size) => allocate(size, ALIGN, true, return_address),
        None => ptr::null_mut(),
    }
}

extern "C-unwind" fn free(block: *mut u8, return_address: usize) {
    release(block, return_address);
}

extern "C-unwind" fn realloc(block: *mut u8, size: usize, return_address: usize) -> *mut u8 {
    if block.is_null() {
        return allocate(size, ALIGN, false, return_address);
    }
    if size == 0 {
        release(block, return_address);
        return ptr::null_mut();
    }
    let Some(context) = context::get() else { return ptr::null_mut() };
    let old = match context.heaps.to_free(block as usize) {
        Ok(old) => old,
        Err(fault) => {
            let message = describe(context, block as usize, 0, fault);
            context.fail(FailureKind::Memory, message, context.site(return_address))
        }
    };
    let new = allocate(size, ALIGN, false, return_address);
    if !new.is_null() {
        super::access::copy(new as usize, block as usize, old.size.min(size), return_address);
        release(block, return_address);
    }
    new
}

extern "C-unwind" fn aligned_alloc(align: usize, size: usize, return_address: usize) -> *mut u8 {
    if !align.is_power_of_two() {
        let message = format!("memory is allocated with an alignment of {align}, which is no power of two");
        super::process::fail(FailureKind::Misuse, message, return_address);
    }
    allocate(size, align, false, return_address)
}

extern "C-unwind" fn posix_memalign(place: *mut *mut u8, align: usize, size: usize, return_address: usize) -> i32 {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<usize>()) {
        return libc::EINVAL;
    }
    let block = allocate(size, align, false, return_address);
    if block.is_null() {
        return libc::ENOMEM;
    }
    super::access::write(place as usize, block as usize, return_address);
    0
}

/// Operator new of C++.
extern "C-unwind" fn allocate_for_shim(size: usize, align: usize, return_address: usize) -> *mut u8 {
    allocate(size, align, false, return_address)
}

entry_of_shim!(shim_allocate, "mazurka_allocate", "rdx", allocate_for_shim);
// Operator delete of C++.
entry_of_shim!(shim_free, "mazurka_free", "rsi", release);

extern "C-unwind" fn usable_size(block: *mut u8) -> usize {
    context::get().and_then(|context| context.heaps.to_free(block as usize).ok()).map_or(0, |block| block.size)
}

entry!(wrap_malloc, "__wrap_malloc", "rsi", malloc);
entry!(wrap_calloc, "__wrap_calloc", "rdx", calloc);
entry!(wrap_free, "__wrap_free", "rsi", free);
entry!(wrap_realloc, "__wrap_realloc", "rdx", realloc);
entry!(wrap_aligned_alloc, "__wrap_aligned_alloc", "rdx", aligned_alloc);
entry!(wrap_memalign, "__wrap_memalign", "rdx", aligned_alloc);
entry!(wrap_posix_memalign, "__wrap_posix_memalign", "rcx", posix_memalign);
entry!(wrap_malloc_usable_size, "__wrap_malloc_usable_size", "rsi", usable_size);
