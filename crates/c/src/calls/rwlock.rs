//! Reader-writer locks of POSIX.

use super::condvar::Time;
use super::{entry, life, time};
use crate::context;
use crate::sync::SyncKind;
use model::{Idle, OpKind};

fn perform(address: usize, kind: OpKind, refused: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let lock = life::object(context, address, SyncKind::RwLock);
    if context.perform(kind, lock, site).is_done() { 0 } else { refused }
}

extern "C-unwind" fn rdlock(address: usize, return_address: usize) -> i32 {
    perform(address, OpKind::ReadLock, 0, return_address)
}

extern "C-unwind" fn tryrdlock(address: usize, return_address: usize) -> i32 {
    perform(address, OpKind::TryReadLock, libc::EBUSY, return_address)
}

/// The time may be up whenever the lock cannot be taken.
fn for_a_time(address: usize, kind: OpKind, until: Time, return_address: usize) -> i32 {
    let until = time::read_time(until, return_address);
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
    perform(address, OpKind::WriteLock, 0, return_address)
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
    let is_writer = objects::rwlock_writer(context.world().word(lock)) == Some(context.current());
    context.perform(if is_writer { OpKind::WriteUnlock } else { OpKind::ReadUnlock }, lock, site);
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
