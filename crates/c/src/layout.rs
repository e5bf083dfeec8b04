//! Where the program's memory is. Heaps and stacks have the same addresses in every run and in every process, each
//! thread its own, so that an address depends on nothing but what its thread did.
//!
//! | region | for each thread |
//! |---|---|
//! | heaps | 16 GiB |
//! | stacks | 64 MiB: a guard, a reserve for the runtime, the stack, and at the top the thread-local variables |
//!
//! Globals are where the loader put them.

use model::ThreadId;
use std::io;
use std::ops::Range;

/// More threads than this are refused.
pub(crate) const MAX_THREADS: usize = 1024;
/// Bytes of heap for each thread.
pub(crate) const HEAP_SIZE: usize = 1 << 34;
/// Bytes for each thread's stack and thread-local variables.
pub(crate) const STACK_SIZE: usize = 1 << 26;
/// Bytes below a thread's stack for the runtime, which the thread calls: the runtime never runs out of stack in the middle of
/// a change of its tables.
pub(crate) const RESERVE: usize = 1 << 18;
/// Bytes at the top of a stack's region for thread-local variables.
pub(crate) const LOCALS_SIZE: usize = 1 << 20;

pub(crate) const HEAPS: usize = 0x1000_0000_0000;
pub(crate) const STACKS: usize = HEAPS + MAX_THREADS * HEAP_SIZE;
const END: usize = STACKS + MAX_THREADS * STACK_SIZE;

/// Heaps and stacks together.
pub(crate) const SPAN: usize = END - HEAPS;

/// A thread's heap.
pub(crate) fn heap_of(thread: ThreadId) -> Range<usize> {
    let start = HEAPS + thread.index() * HEAP_SIZE;
    start..start + HEAP_SIZE
}

/// A thread's region for its stack and its thread-local variables.
pub(crate) fn stack_of(thread: ThreadId) -> Range<usize> {
    let start = STACKS + thread.index() * STACK_SIZE;
    start..start + STACK_SIZE
}

/// Whose heap an address is in.
#[inline]
pub(crate) fn heap_owner(address: usize) -> Option<ThreadId> {
    let offset = address.wrapping_sub(HEAPS);
    (offset < MAX_THREADS * HEAP_SIZE).then_some(ThreadId((offset / HEAP_SIZE) as u32))
}

/// Whose stack an address is in.
#[inline]
pub(crate) fn stack_owner(address: usize) -> Option<ThreadId> {
    let offset = address.wrapping_sub(STACKS);
    (offset < MAX_THREADS * STACK_SIZE).then_some(ThreadId((offset / STACK_SIZE) as u32))
}

/// Memory that costs nothing until it is touched, and is zero then; at this address, if one is given.
pub(crate) fn reserve(size: usize, at: Option<usize>) -> io::Result<*mut u8> {
    let fixed = if at.is_some() { libc::MAP_FIXED_NOREPLACE } else { 0 };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    let hint = at.unwrap_or(0) as *mut libc::c_void;
    // SAFETY: a new mapping takes nobody's memory away.
    let start = unsafe { libc::mmap(hint, size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start.cast()) }
}

/// Says what may be done to whole pages of the program's memory.
pub(crate) fn protect(pages: Range<usize>, rights: libc::c_int) -> io::Result<()> {
    // SAFETY: the callers' pages are of the regions above, of which nobody keeps a reference.
    match unsafe { libc::mprotect(pages.start as *mut libc::c_void, pages.len(), rights) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
