//! Reader-writer locks of POSIX.

use super::condvar::Time;
use super::{entry, life, time};
use crate::context::{self, Context};
use crate::sync::SyncKind;
use model::{Idle, ObjectId, OpKind};

/// Where the C library keeps which threads a lock prefers, and that it is writers, as no initialisation by a call has it here.
const FLAGS_OFFSET: usize = 48;
const PREFERS_WRITERS: u32 = 2;

/// Whether the calling thread holds the lock as a writer. (That is not for others to change.)
fn is_held_to_write(context: &Context, lock: ObjectId) -> bool {
    objects::rwlock_writer(context.world().word(lock)) == Some(context.current())
}

/// A lock that prefers writers makes a reader wait that another one would let in.
fn refuse_preference(context: &Context, address: usize, return_address: usize) {
    let flags = address.wrapping_add(FLAGS_OFFSET);
    // SAFETY: memory of the program, which stays mapped as long as the process lives.
    if context.shadow.covers(flags) && unsafe { (flags as *const u32).read_unaligned() } == PREFERS_WRITERS {
        context.refuse(
            "a reader-writer lock that prefers writers is not supported: here, whoever can take it may",
            context.site(return_address),
        );
    }
}

fn perform(address: usize, kind: OpKind, refused: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let lock = life::object(context, address, SyncKind::RwLock);
    if context.perform(kind, lock, site).is_done() { 0 } else { refused }
}

/// Takes the lock, for which the thread waits. One that it holds to write already is not waited for.
fn wait_for(address: usize, kind: OpKind, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    refuse_preference(context, address, return_address);
    let lock = life::object(context, address, SyncKind::RwLock);
    if is_held_to_write(context, lock) {
        return libc::EDEADLK;
    }
    context.perform(kind, lock, context.site(return_address));
    0
}

extern "C-unwind" fn rdlock(address: usize, return_address: usize) -> i32 {
    wait_for(address, OpKind::ReadLock, return_address)
}

extern "C-unwind" fn tryrdlock(address: usize, return_address: usize) -> i32 {
    perform(address, OpKind::TryReadLock, libc::EBUSY, return_address)
}

/// The time may be up whenever the lock cannot be taken.
fn for_a_time(address: usize, kind: OpKind, until: Time, return_address: usize) -> i32 {
    let Some(until) = time::read_time(until, return_address) else { return libc::EINVAL };
    if let Some(context) = context::running()
        && is_held_to_write(context, life::object(context, address, SyncKind::RwLock))
    {
        return libc::EDEADLK;
    }
    let answer = perform(address, kind, libc::ETIMEDOUT, return_address);
    if answer == libc::ETIMEDOUT {
        time::pass_until(until);
    }
    answer
}

extern "C-unwind" fn timedrdlock(address: usize, until: Time, return_address: usize) -> i32 {
    for_a_time(address, OpKind::TryReadLock, until, return_address)
}

extern "C-unwind" fn clockrdlock(address: usize, _clock: i32, until: Time, return_address: usize) -> i32 {
    for_a_time(address, OpKind::TryReadLock, until, return_address)
}

extern "C-unwind" fn wrlock(address: usize, return_address: usize) -> i32 {
    wait_for(address, OpKind::WriteLock, return_address)
}

extern "C-unwind" fn trywrlock(address: usize, return_address: usize) -> i32 {
    perform(address, OpKind::TryWriteLock, libc::EBUSY, return_address)
}

extern "C-unwind" fn timedwrlock(address: usize, until: Time, return_address: usize) -> i32 {
    for_a_time(address, OpKind::TryWriteLock, until, return_address)
}

extern "C-unwind" fn clockwrlock(address: usize, _clock: i32, until: Time, return_address: usize) -> i32 {
    for_a_time(address, OpKind::TryWriteLock, until, return_address)
}

extern "C-unwind" fn unlock(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let lock = life::object(context, address, SyncKind::RwLock);
    // Whether this thread holds it changes by nothing that others do; whether another one does, would.
    context.perform(if is_held_to_write(context, lock) { OpKind::WriteUnlock } else { OpKind::ReadUnlock }, lock, site);
    0
}

extern "C-unwind" fn init(address: usize, _attributes: usize, return_address: usize) -> i32 {
    life::begin(address, SyncKind::RwLock, 0, 0, return_address);
    0
}

extern "C-unwind" fn destroy(address: usize, return_address: usize) -> i32 {
    life::end(address, SyncKind::RwLock, Idle::AtZero, return_address);
    0
}

entry!(wrap_rdlock, "__wrap_pthread_rwlock_rdlock", "rsi", rdlock);
entry!(wrap_tryrdlock, "__wrap_pthread_rwlock_tryrdlock", "rsi", tryrdlock);
entry!(wrap_timedrdlock, "__wrap_pthread_rwlock_timedrdlock", "rdx", timedrdlock);
entry!(wrap_clockrdlock, "__wrap_pthread_rwlock_clockrdlock", "rcx", clockrdlock);
entry!(wrap_wrlock, "__wrap_pthread_rwlock_wrlock", "rsi", wrlock);
entry!(wrap_trywrlock, "__wrap_pthread_rwlock_trywrlock", "rsi", trywrlock);
entry!(wrap_timedwrlock, "__wrap_pthread_rwlock_timedwrlock", "rdx", timedwrlock);
entry!(wrap_clockwrlock, "__wrap_pthread_rwlock_clockwrlock", "rcx", clockwrlock);
entry!(wrap_unlock, "__wrap_pthread_rwlock_unlock", "rsi", unlock);
entry!(wrap_init, "__wrap_pthread_rwlock_init", "rdx", init);
entry!(wrap_destroy, "__wrap_pthread_rwlock_destroy", "rsi", destroy);
