//! The life of mutexes and the like: it begins with an initialisation, and ends by a call or with the memory that they are in.
//!
//! Beginnings and ends are operations on the object, so that both orders with every use of it by other threads are explored.
//! Which state of its life an object is in is its word (see `objects`).
//!
//! Many objects begin without a call, by being written: `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER`. So an end leaves a
//! mark in the object's memory, and where that was overwritten since, a new life has begun.

use super::mutex;
use crate::context::{self, Context};
use crate::heap;
use crate::layout;
use crate::sync::{Met, SyncKind};
use model::{Failure, FailureKind, Idle, ObjectId, Op, OpKind, Site, State, ThreadId};
use std::ops::Range;

/// Left in the first bytes of an object that was destroyed.
const MARK: u32 = 0xDEAD_0B1E;

/// The object at an address, as the run knows it.
pub(super) fn meet(context: &Context, address: usize, kind: SyncKind) -> Met {
    look_at(address, kind);
    let (mut met, first) = context.syncs.meet(&context.shadow, address, kind);
    let is_destroyed = !first && context.world().word(met.id) == objects::DESTROYED;
    if first || is_destroyed && kind.begins_unseen() && start_of(address) != MARK {
        let (word, setting) = found_at(address, kind);
        if is_destroyed && context.apart.is_on() {
            context.perform(OpKind::Init(word), met.id, Site::UNKNOWN);
        }
        context.world().set_word(met.id, word);
        met = Met { setting, depth: 0, ..met };
        context.syncs.set(address, kind, met);
    }
    met
}

/// A thread whose object is in no memory ends here: later, the run would take it for one that it has met.
#[inline]
fn look_at(address: usize, kind: SyncKind) {
    let end = if kind == SyncKind::Mutex { address + mutex::TYPE_OFFSET } else { address };
    for byte in [address, end] {
        // SAFETY: a fault here is one of the program's, and nothing is borrowed. (A null pointer must come to it, too.)
        unsafe { std::arch::asm!("movzx {0:e}, byte ptr [{1}]", out(reg) _, in(reg) byte, options(nostack, readonly)) };
    }
}

fn start_of(address: usize) -> u32 {
    // SAFETY: the program's object has at least 4 bytes.
    unsafe { (address as *const u32).read_unaligned() }
}

/// What gcc fills variables on stacks with.
const FILL_OF_GCC: u8 = 0xFE;

/// The word and the setting of an object that no call has initialised.
fn found_at(address: usize, kind: SyncKind) -> (State, u32) {
    let setting = if kind == SyncKind::Mutex { mutex::setting_at(address) } else { Some(0) };
    let starts_with = |byte: u8| start_of(address) == u32::from_ne_bytes([byte; 4]);
    let is_new = if layout::stack_owner(address).is_some() {
        starts_with(heap::FILL) || starts_with(FILL_OF_GCC)
    } else {
        context::get().is_some_and(|context| context.heaps.block_of(address).is_some()) && starts_with(heap::FILL)
    };
    match setting {
        Some(setting) if kind.begins_unseen() && !is_new => (0, setting),
        _ => (objects::UNINITIALISED, 0),
    }
}

/// The id of the object at an address.
pub(super) fn object(context: &Context, address: usize, kind: SyncKind) -> ObjectId {
    meet(context, address, kind).id
}

/// An object is initialised by a call.
pub(super) fn begin(address: usize, kind: SyncKind, word: State, setting: u32, return_address: usize) {
    let Some(context) = context::running() else { return };
    let met = meet(context, address, kind);
    change(context, OpKind::Init(word), met.id, context.site(return_address));
    context.syncs.set(address, kind, Met { setting, depth: 0, ..met });
}

/// An object is destroyed by a call, which is a failure unless nobody uses it.
pub(super) fn end(address: usize, kind: SyncKind, idle: Idle, return_address: usize) {
    let Some(context) = context::running() else { return };
    let met = meet(context, address, kind);
    change(context, OpKind::Destroy(idle), met.id, context.site(return_address));
    context.here().note_unseen();
    context.expect_change(address, size_of_val(&MARK));
    // SAFETY: the program's object, which it does not use any more.
    unsafe { (address as *mut u32).write_unaligned(MARK) };
}

/// The memory with these addresses is freed: what is there ends.
pub(super) fn end_within(context: &Context, memory: Range<usize>, site: Site) {
    let mut last = None;
    while let Some((address, kind, object)) = context.syncs.next_met_within(&memory, last) {
        change(context, OpKind::Free, object, site);
        last = Some((address, kind));
    }
}

/// Performs an operation that begins or ends a life: without a scheduling point as long as there is one thread.
fn change(context: &Context, kind: OpKind, object: ObjectId, site: Site) {
    if context.concurrent.get() || context.apart.is_on() {
        context.perform(kind, object, site);
        return;
    }
    let op = Op { kind, object, site };
    let performed = context.world().perform(context.current(), &op, 0);
    if let Some(failure) = performed.misuse {
        let failure = explain(context, &op, performed.before, *failure);
        context.fail(failure.kind, failure.message, site);
    }
}

/// A failure that is about the life of an object, in the words of what the object is.
pub(crate) fn explain(context: &Context, op: &Op, before: State, failure: Failure) -> Failure {
    let Some((_, kind)) = context.syncs.find(op.object) else { return failure };
    let name = kind.name();
    let message = match (before, op.kind) {
        (objects::UNINITIALISED, _) => format!("use of a {name} that was not initialised"),
        (objects::FREED, _) => format!("use of a {name} whose memory was freed"),
        (objects::DESTROYED, _) => format!("use of a {name} that was destroyed"),
        (_, OpKind::Destroy(_)) => format!("a {name} was destroyed while it was {}", kind.in_use()),
        _ => return failure,
    };
    Failure { kind: FailureKind::Misuse, message, site: op.site }
}

/// Threads that are about to arrive at a barrier learn how many meet there, now that it is initialised.
/// False if some thread has still to leave it.
pub(super) fn set_parties(context: &Context, barrier: ObjectId, parties: u32) -> bool {
    let threads = (0..context.thread_count() as u32).map(|thread| context.slot(ThreadId(thread)));
    for slot in threads.filter(|slot| slot.is_live() && slot.op.get().object == barrier) {
        let op = slot.op.get();
        match op.kind {
            OpKind::Arrive { ordered, .. } => slot.op.set(Op { kind: OpKind::Arrive { parties, ordered }, ..op }),
            OpKind::Pass { .. } => return false,
            _ => {}
        }
    }
    true
}

/// The word that an operation on a variable-like object found, if the object has a life.
pub(super) fn alive(context: &Context, word: State, kind: SyncKind, site: Site) -> State {
    if !objects::is_alive(word) {
        let what = if word == objects::FREED { "whose memory was freed" } else { "that is not initialised" };
        context.fail(FailureKind::Misuse, format!("use of a {} {what}", kind.name()), site);
    }
    word
}
