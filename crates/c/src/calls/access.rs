//! Accesses of memory that are not atomic.
//!
//! The compiler announces an access by a call just before it. When the call returns, the thread has been chosen, and
//! it accesses the memory before it calls anything again.

use super::entry;
use crate::context::{self, Context};
use crate::heap::Fault;
use crate::layout;
use crate::shadow::Touch;
use crate::slot::Effect;
use model::{FailureKind, ObjectId, OpKind, Site};

const READ: bool = false;
const WRITE: bool = true;
const GRANULE: usize = 8;
/// So many reads in a row of memory that only one thread touches, without a write, look like a loop that waits.
const MOST_READS: u32 = 10_000;

/// An access of at most 8 bytes that begins at a multiple of its size.
#[inline(always)]
fn aligned(address: usize, size: usize, write: bool, return_address: usize) {
    let Some(context) = context::running() else { return };
    if context.concurrent.get() {
        match context.shadow.touch(context.current(), address, size, false) {
            Touch::Private(covered) if covered == size => note_write(context, address, write),
            Touch::Shared(object, covered) if covered == size => {
                let site = context.site(return_address);
                context.announce(kind(context, write), object, site, Effect::Native);
            }
            _ => touch_whole(context, address, size, write, return_address),
        }
    }
    check(context, address, size, return_address);
}

/// A thread that writes its own memory elsewhere than on its stack changes something, unseen.
#[inline]
pub(super) fn note_write(context: &Context, address: usize, write: bool) {
    if write {
        if layout::stack_owner(address).is_none() {
            context.here().spin.wrote.set(true);
            context.private_reads.set(0);
        }
        return;
    }
    let reads = context.private_reads.get() + 1;
    context.private_reads.set(reads);
    if reads > MOST_READS {
        wait_for_others(context, address);
    }
}

/// A thread that only reads for so long may wait for others, who have not come to this memory yet: it is shared.
#[cold]
fn wait_for_others(context: &Context, address: usize) {
    context.private_reads.set(0);
    if context.shadow.suspect(address) {
        context.perform(OpKind::Yield, ObjectId::NONE, Site::UNKNOWN);
    }
}

/// An access of any size that the program does at once.
fn whole(address: usize, size: usize, write: bool, return_address: usize) {
    let Some(context) = context::running() else { return };
    if size == 0 {
        return;
    }
    if context.concurrent.get() {
        touch_whole(context, address, size, write, return_address);
    }
    check_range(context, address, size, return_address);
}

fn touch_whole(context: &Context, address: usize, size: usize, write: bool, return_address: usize) {
    note_write(context, address, write);
    if let Some(object) = context.shadow.touch_whole(context.current(), address, size) {
        context.announce(kind(context, write), object, context.site(return_address), Effect::Native);
    }
}

#[inline]
fn kind(context: &Context, write: bool) -> OpKind {
    match (write, context.options.races) {
        (READ, true) => OpKind::PlainRead,
        (WRITE, true) => OpKind::PlainWrite(0),
        (READ, false) => OpKind::Read,
        (WRITE, false) => OpKind::Write(0),
    }
}

/// Announces an access of at most 8 bytes within 8, one operation for each object, with `access` called for the bytes of
/// each.
#[inline]
fn pieces(context: &Context, start: usize, size: usize, write: bool, site: Site, mut access: impl FnMut(usize, usize)) {
    let (mut next, end) = (start, start + size);
    while next < end {
        let covered = match context.shadow.touch(context.current(), next, end - next, false) {
            Touch::Private(covered) => {
                note_write(context, next, write);
                covered
            }
            Touch::Shared(object, covered) => {
                context.announce(kind(context, write), object, site, Effect::Native);
                covered
            }
        };
        access(next, covered);
        next += covered;
    }
}

/// Fails if the access is not of a block of the heap, where it should be. To be called when the thread was chosen.
#[inline]
pub(crate) fn check(context: &Context, address: usize, size: usize, return_address: usize) {
    if layout::heap_owner(address).is_some()
        && let Err(fault) = context.heaps.check(address, size)
    {
        fail(context, address, size, fault, context.site(return_address));
    }
}

fn check_range(context: &Context, address: usize, size: usize, return_address: usize) {
    if layout::heap_owner(address).is_none() {
        return;
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
    let message = super::heap::describe(context, address, size, fault);
    context.fail(FailureKind::Memory, message, site)
}

macro_rules! accesses {
    ($($module:ident $size:literal $($read:literal)+, $($write:literal)+;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn read(address: usize, return_address: usize) {
                aligned(address, $size, READ, return_address);
            }
            extern "C-unwind" fn write(address: usize, return_address: usize) {
                aligned(address, $size, WRITE, return_address);
            }
            $(const _: () = { entry!(entry_of_read, $read, "rsi", read); };)+
            $(const _: () = { entry!(entry_of_write, $write, "rsi", write); };)+
        }
    )* };
}

accesses! {
    byte 1 "__tsan_read1" "__tsan_volatile_read1" "__tsan_unaligned_read1",
        "__tsan_write1" "__tsan_volatile_write1" "__tsan_unaligned_write1";
    two 2 "__tsan_read2" "__tsan_volatile_read2", "__tsan_write2" "__tsan_volatile_write2";
    four 4 "__tsan_read4" "__tsan_volatile_read4", "__tsan_write4" "__tsan_volatile_write4";
    eight 8 "__tsan_read8" "__tsan_volatile_read8", "__tsan_write8" "__tsan_volatile_write8";
}

macro_rules! unaligned {
    ($($module:ident $size:literal $($read:literal)+, $($write:literal)+;)*) => { $(
        mod $module {
            use super::*;
            extern "C-unwind" fn read(address: usize, return_address: usize) {
                whole(address, $size, READ, return_address);
            }
            extern "C-unwind" fn write(address: usize, return_address: usize) {
                whole(address, $size, WRITE, return_address);
            }
            $(const _: () = { entry!(entry_of_read, $read, "rsi", read); };)+
            $(const _: () = { entry!(entry_of_write, $write, "rsi", write); };)+
        }
    )* };
}

unaligned! {
    unaligned_two 2 "__tsan_unaligned_read2" "__tsan_unaligned_volatile_read2",
        "__tsan_unaligned_write2" "__tsan_unaligned_volatile_write2";
    unaligned_four 4 "__tsan_unaligned_read4" "__tsan_unaligned_volatile_read4",
        "__tsan_unaligned_write4" "__tsan_unaligned_volatile_write4";
    unaligned_eight 8 "__tsan_unaligned_read8" "__tsan_unaligned_volatile_read8",
        "__tsan_unaligned_write8" "__tsan_unaligned_volatile_write8";
    sixteen 16 "__tsan_read16" "__tsan_volatile_read16" "__tsan_unaligned_read16" "__tsan_unaligned_volatile_read16",
        "__tsan_write16" "__tsan_volatile_write16" "__tsan_unaligned_write16" "__tsan_unaligned_volatile_write16";
}

extern "C-unwind" fn read_range(address: usize, size: usize, return_address: usize) {
    whole(address, size, READ, return_address);
}

extern "C-unwind" fn write_range(address: usize, size: usize, return_address: usize) {
    whole(address, size, WRITE, return_address);
}

entry!(tsan_read_range, "__tsan_read_range", "rdx", read_range);
entry!(tsan_write_range, "__tsan_write_range", "rdx", write_range);

extern "C-unwind" fn vptr_update(address: usize, _new: usize, return_address: usize) {
    aligned(address, 8, WRITE, return_address);
}

extern "C-unwind" fn vptr_read(address: usize, return_address: usize) {
    aligned(address, 8, READ, return_address);
}

entry!(tsan_vptr_update, "__tsan_vptr_update", "rdx", vptr_update);
entry!(tsan_vptr_read, "__tsan_vptr_read", "rsi", vptr_read);

/// Nothing is to be done when the program is loaded, nor at the start and end of functions.
#[unsafe(export_name = "__tsan_init")]
extern "C" fn tsan_init() {}

#[unsafe(export_name = "__tsan_func_entry")]
extern "C" fn tsan_func_entry(_caller: usize) {}

#[unsafe(export_name = "__tsan_func_exit")]
extern "C" fn tsan_func_exit() {}

/// Copies bytes, in pieces of at most 8 that are each read and written by operations of their own.
pub(crate) extern "C-unwind" fn copy(to: usize, from: usize, size: usize, return_address: usize) -> usize {
    let concurrent = context::running().filter(|context| context.concurrent.get());
    if let (Some(context), 1..) = (context::running(), size) {
        check_range(context, from, size, return_address);
        check_range(context, to, size, return_address);
    }
    let Some(context) = concurrent else {
        // SAFETY: what the program asks for, on its own memory.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) };
        return to;
    };
    let site = context.site(return_address);
    let backwards = to > from && to < from + size;
    let mut done = 0;
    while done < size {
        let piece = next_piece(to, size, done, backwards);
        let at = if backwards { size - done - piece } else { done };
        copy_piece(context, to + at, from + at, piece, site);
        done += piece;
    }
    to
}

/// How many bytes to copy next, so that those written are within 8.
fn next_piece(to: usize, size: usize, done: usize, backwards: bool) -> usize {
    let room = if backwards {
        match (to + size - done) % GRANULE {
            0 => GRANULE,
            room => room,
        }
    } else {
        GRANULE - (to + done) % GRANULE
    };
    room.min(size - done)
}

fn copy_piece(context: &Context, to: usize, from: usize, size: usize, site: Site) {
    let mut bytes = [0u8; GRANULE];
    let first = size.min(GRANULE - from % GRANULE);
    for (start, size) in [(from, first), (from + first, size - first)] {
        pieces(context, start, size, READ, site, |at, covered| {
            // SAFETY: the program reads it, and the buffer has room for a piece.
            unsafe { std::ptr::copy_nonoverlapping(at as *const u8, bytes.as_mut_ptr().add(at - from), covered) };
        });
    }
    pieces(context, to, size, WRITE, site, |at, covered| {
        // SAFETY: the program writes it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().add(at - to), at as *mut u8, covered) };
    });
}

pub(crate) extern "C-unwind" fn set(to: usize, value: i32, size: usize, return_address: usize) -> usize {
    if let (Some(context), 1..) = (context::running(), size) {
        check_range(context, to, size, return_address);
        if context.concurrent.get() {
            return set_in_pieces(context, to, value, size, context.site(return_address));
        }
    }
    // SAFETY: what the program asks for, on its own memory.
    unsafe { std::ptr::write_bytes(to as *mut u8, value as u8, size) };
    to
}

fn set_in_pieces(context: &Context, to: usize, value: i32, size: usize, site: Site) -> usize {
    let mut done = 0;
    while done < size {
        let piece = next_piece(to, size, done, false);
        pieces(context, to + done, piece, WRITE, site, |at, covered| {
            // SAFETY: the program writes it.
            unsafe { std::ptr::write_bytes(at as *mut u8, value as u8, covered) };
        });
        done += piece;
    }
    to
}

/// A copy for the part of the runtime that is in C.
#[unsafe(export_name = "mazurka_copy")]
extern "C-unwind" fn copy_for_shim(to: usize, from: usize, size: usize, return_address: usize) -> usize {
    copy(to, from, size, return_address)
}

entry!(tsan_memcpy, "__tsan_memcpy", "rcx", copy);
entry!(tsan_memmove, "__tsan_memmove", "rcx", copy);
entry!(tsan_memset, "__tsan_memset", "rcx", set);
entry!(wrap_memcpy, "__wrap_memcpy", "rcx", copy);
entry!(wrap_memmove, "__wrap_memmove", "rcx", copy);
entry!(wrap_memset, "__wrap_memset", "rcx", set);

/// Writes a word into the program's memory, as an access of its own.
pub(crate) fn write(place: usize, word: usize, return_address: usize) {
    whole(place, size_of::<usize>(), WRITE, return_address);
    // SAFETY: the program's place for an answer.
    unsafe { (place as *mut usize).write_unaligned(word) };
}

/// Reads a byte of the program's memory for a function of the C library.
pub(super) fn load_byte(at: usize, return_address: usize) -> u8 {
    whole(at, 1, READ, return_address);
    // SAFETY: what the program asks for, on its own memory.
    unsafe { (at as *const u8).read() }
}

/// Writes one.
pub(super) fn store_byte(at: usize, byte: u8, return_address: usize) {
    whole(at, 1, WRITE, return_address);
    // SAFETY: what the program asks for, on its own memory.
    unsafe { (at as *mut u8).write(byte) };
}
