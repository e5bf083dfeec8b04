//! Blocks of bytes that are copied and filled.

use super::check::check_range;
use super::{GRANULE, READ, WRITE, pieces};
use crate::calls::entry;
use crate::context::{self, Context};
use model::Site;

/// Copies bytes, in pieces of at most 8 that are each read and written by operations of their own.
pub(crate) extern "C-unwind" fn copy(to: usize, from: usize, size: usize, return_address: usize) -> usize {
    let concurrent = context::running().filter(|context| context.concurrent.get());
    if let (Some(context), 1..) = (context::running(), size) {
        check_range(context, from, size, READ, return_address);
        check_range(context, to, size, WRITE, return_address);
    }
    let Some(context) = concurrent else {
        // SAFETY: what the program asks for, on its own memory.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) };
        return to;
    };
    context.call.give([to, from, size]);
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

extern "C-unwind" fn set(to: usize, value: i32, size: usize, return_address: usize) -> usize {
    if let (Some(context), 1..) = (context::running(), size) {
        check_range(context, to, size, WRITE, return_address);
        if context.concurrent.get() {
            context.call.give([to, value as usize, size]);
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

entry!(tsan_memcpy, "__tsan_memcpy", "rcx", copy);
entry!(tsan_memmove, "__tsan_memmove", "rcx", copy);
entry!(tsan_memset, "__tsan_memset", "rcx", set);
entry!(wrap_memcpy, "__wrap_memcpy", "rcx", copy);
entry!(wrap_memmove, "__wrap_memmove", "rcx", copy);
entry!(wrap_memset, "__wrap_memset", "rcx", set);
