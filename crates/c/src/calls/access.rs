//! Accesses of memory that are not atomic.
//!
//! The compiler announces an access by a call just before it. When the call returns, the thread has been chosen, and
//! it accesses the memory before it calls anything again.

mod block;
mod check;
mod entries;

pub(crate) use block::copy;
pub(crate) use check::check;

use crate::calls::entry_of_shim;
use crate::context::{self, Context};
use crate::layout;
use crate::run::DEEPEST;
use crate::shadow::Touch;
use crate::signals;
use crate::slot::Effect;
use check::{check_frame, check_range};
use model::{Fingerprint, ObjectId, OpKind, Site};

const READ: bool = false;
const WRITE: bool = true;
const GRANULE: usize = 8;
/// So many atomic operations in a row on memory that only one thread touches look like all that it ever does.
const MOST_ATOMICS: u32 = 10_000;
/// Of a thread that has read for long, so many reads are compared with where it was.
const MOST_COMPARED: u32 = 1000;
/// An access of at most 8 bytes that is said to begin at a multiple of its size. It does not where a pointer was cast.
#[inline(always)]
fn aligned(address: usize, size: usize, write: bool, return_address: usize) {
    if address % GRANULE + size > GRANULE {
        return whole(address, size, write, return_address);
    }
    let Some(context) = context::running() else { return };
    witness(context, address, size, write, context.site(return_address));
    check_frame(context, address, return_address);
    if context.concurrent.get() {
        match context.shadow.touch(context.current(), address, size, false) {
            Touch::Private(covered) if covered == size => {
                note_write(context, address, write, context.site(return_address));
            }
            Touch::Shared(object, covered) if covered == size => {
                let site = context.site(return_address);
                context.announce(kind(context, write), object, site, Effect::Native);
            }
            _ => touch_whole(context, address, size, write, return_address),
        }
    }
    check(context, address, size, write, return_address);
}

/// An access is announced, for whoever watches.
#[inline(always)]
pub(super) fn witness(context: &Context, address: usize, size: usize, write: bool, site: Site) {
    if context.is_watched.get() {
        context.witness(address, size, write, site);
    }
}

/// A thread that writes its own memory elsewhere than on its stack changes something, unseen.
#[inline]
pub(super) fn note_write(context: &Context, address: usize, write: bool, site: Site) {
    if context.reads_left.get() == 0 {
        lose_patience(context, address, write, site);
    }
    if !write {
        context.reads_left.set(context.reads_left.get().saturating_sub(1));
    } else if layout::stack_owner(address).is_none() {
        context.here().note_unseen();
        context.restart_patience();
    }
}

/// A thread does an atomic operation on its own memory. Where states are compared, programs need not end, and one that does nothing
/// else for so long may do it for ever, while others have not come to this memory yet: it is shared.
#[inline]
pub(super) fn note_atomic(context: &Context, address: usize, write: bool, site: Site) {
    note_write(context, address, write, site);
    if context.compares_states() {
        let atomics = context.private_atomics.get() + 1;
        context.private_atomics.set(atomics);
        if atomics > MOST_ATOMICS {
            context.private_atomics.set(0);
            if context.shadow.suspect(address) {
                context.perform(OpKind::Yield, ObjectId::NONE, Site::UNKNOWN);
            }
        }
    }
}

/// A thread that has read for so long, or was met by a timer in the runtime, may hang.
#[cold]
fn lose_patience(context: &Context, address: usize, write: bool, site: Site) {
    if signals::hangs(context) {
        signals::give_up_hanging(context, site);
    }
    if !write {
        wait_for_others(context, address, state_at(context, address, site));
    }
}

/// Stands for where the thread that runs reads what, and for all that it has on its stack and in its thread-local variables, unless that
/// is too much.
fn state_at(context: &Context, address: usize, site: Site) -> Option<Fingerprint> {
    let call = context.call.made();
    let stack = layout::stack_of(context.current()).start..context.end_of_locals(context.current());
    call.depth(&stack).filter(|&depth| depth <= DEEPEST)?;
    Some(Fingerprint::of(call.local_state(stack, &[])).and(&(address, site)))
}

/// A thread that only reads for so long may wait for others, who have not come to this memory yet. It does if it comes back to where it
/// was and has changed nothing: then the memory is shared. Otherwise it more likely counts: others go first, and next time it may read
/// for longer.
fn wait_for_others(context: &Context, address: usize, state: Option<Fingerprint>) {
    let suspicion = state.zip(context.suspicion.get());
    let goes_round = suspicion.is_some_and(|(state, (before, _))| state == before);
    let is_over = state.is_none() || suspicion.is_some_and(|(_, (_, left))| left == 0);
    if !goes_round && !is_over {
        let next = suspicion.map(|(_, (before, left))| (before, left - 1));
        return context.suspicion.set(next.or(state.map(|state| (state, MOST_COMPARED))));
    }
    let patience = &context.here().patience;
    if !goes_round {
        patience.set(patience.get().saturating_mul(2));
    }
    context.restart_patience();
    if !goes_round || context.shadow.suspect(address) {
        context.perform(OpKind::Yield, ObjectId::NONE, Site::UNKNOWN);
    }
}

/// An access of any size that the program does at once.
#[inline(never)]
fn whole(address: usize, size: usize, write: bool, return_address: usize) {
    let Some(context) = context::running() else { return };
    if size == 0 {
        return;
    }
    witness(context, address, size, write, context.site(return_address));
    check_frame(context, address, return_address);
    if context.concurrent.get() {
        touch_whole(context, address, size, write, return_address);
    }
    check_range(context, address, size, write, return_address);
}

/// An access of a volatile variable: one that is not atomic, unless the user says that they are.
fn volatile(address: usize, size: usize, write: bool, return_address: usize) {
    match context::running() {
        Some(context) if context.options.volatile_is_atomic => {
            super::atomic::announce(context, address, size, write, return_address);
        }
        _ if size <= GRANULE && address.is_multiple_of(size) => aligned(address, size, write, return_address),
        _ => whole(address, size, write, return_address),
    }
}

fn touch_whole(context: &Context, address: usize, size: usize, write: bool, return_address: usize) {
    note_write(context, address, write, context.site(return_address));
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
        witness(context, next, end - next, write, site);
        let covered = match context.shadow.touch(context.current(), next, end - next, false) {
            Touch::Private(covered) => {
                note_write(context, next, write, site);
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

/// Announces that a function of the runtime reads this memory of the program next.
pub(super) extern "C-unwind" fn before_read(address: usize, size: usize, return_address: usize) {
    whole(address, size, READ, return_address);
}

/// Announces that a function of the runtime writes this memory of the program next.
pub(super) extern "C-unwind" fn before_write(address: usize, size: usize, return_address: usize) {
    whole(address, size, WRITE, return_address);
}

entry_of_shim!(shim_before_write, "mazurka_before_write", "rdx", before_write);
entry_of_shim!(shim_before_read, "mazurka_before_read", "rdx", before_read);

/// Writes a word into the program's memory, as an access of its own.
pub(crate) fn write(place: usize, word: usize, return_address: usize) {
    write_number(place, &word.to_ne_bytes(), return_address);
}

/// Writes a number into the program's memory, as an access of its own.
pub(crate) fn write_number(place: usize, bytes: &[u8], return_address: usize) {
    whole(place, bytes.len(), WRITE, return_address);
    // SAFETY: the program's place for an answer.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place as *mut u8, bytes.len()) };
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
