//! Objects of a checked program: what front ends call to know and name them.

use crate::context;
use crate::perform::here;
use crate::place::{Described, Identity};
use crate::slot::Status;
use model::{Names, ObjectId, OpKind, ThreadId};

/// The object that `identity` is part of, which has the word `initial` if this run has not met it yet.
#[inline]
pub fn object(identity: &Identity, describe: impl FnOnce() -> Described, initial: impl FnOnce() -> u64) -> ObjectId {
    here().object(identity, describe, initial)
}

/// The object that `identity` is part of, if this run has met it.
pub fn known(identity: &Identity) -> Option<ObjectId> {
    context::current()?.known(identity)
}

/// An object's word, without an operation: for those who own the object alone.
pub fn word(object: ObjectId) -> u64 {
    here().world.borrow().word(object)
}

/// The part of `whole` under a key, whoever uses it first. Its word is 0 before its first use.
pub fn part(whole: ObjectId, key: u64, describe: impl FnOnce() -> Described) -> ObjectId {
    let context = here();
    context::quietly(|| context.part(whole, key, &describe()))
}

/// What the names of tokens begin with by which threads are unparked.
pub const PARK_TOKEN: &str = "park token";

/// The token by which `thread` is unparked: a count that is 0 or 1.
pub fn parker(thread: ThreadId) -> ObjectId {
    here().parker(thread)
}

/// Gives an object a name for people, unless it has one.
pub fn name_object(object: ObjectId, name: &str) {
    let context = here();
    context::quietly(|| context.registry.name_object(object, name));
}

/// Makes a mailbox one of messages that are shown by their texts ([`number_of`]), with names for their kinds.
pub fn name_kinds(mailbox: ObjectId, kinds: &'static [&'static str], others: &'static str) {
    let context = here();
    context::quietly(|| context.registry.name_kinds(mailbox, kinds, others));
}

/// The number of a text, as the value of a message that is shown so; the same in every run.
pub fn number_of(text: &str) -> u64 {
    let context = here();
    context::quietly(|| context.registry.number_of(text))
}

/// The thread that waits to write what the calling thread reads, by its name.
pub fn waiting_writer(lock: ObjectId) -> Option<String> {
    let context = here();
    let waits = |&thread: &ThreadId| {
        let slot = context.slot(thread);
        let op = slot.op.get();
        slot.status.get() == Status::Live && op.kind == OpKind::WriteLock && op.object == lock
    };
    let writer = (0..context.threads() as u32).map(ThreadId).find(waits)?;
    Some(context::quietly(|| context.registry.thread(writer)))
}

/// How often the calling thread holds a lock.
pub fn times_held(lock: ObjectId) -> usize {
    here().running().held.borrow().iter().filter(|&&held| held == lock).count()
}

/// Notes that the calling thread holds a lock, or holds it no longer: one that it never gives back is a failure.
pub fn holds(lock: ObjectId, is_held: bool) {
    let context = here();
    context::quietly(|| {
        let mut held = context.running().held.borrow_mut();
        if is_held {
            held.push(lock);
        } else if let Some(place) = held.iter().rposition(|&other| other == lock) {
            held.remove(place);
        }
    });
}
