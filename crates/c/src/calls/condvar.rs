//! Condition variables of POSIX. A wait ends by a signal only, or by its time if it has one.

use super::{entry, life, mutex, time};
use crate::context::{self, Context};
use crate::sync::{Met, SyncKind};
use model::{Idle, ObjectId, OpKind, Site};

/// Until when a wait lasts.
pub(super) type Time = *const libc::timespec;

fn meet(context: &Context, address: usize) -> ObjectId {
    life::object(context, address, SyncKind::Condvar)
}

/// A thread begins to wait: it has given the mutex up when this returns, and how often it held it is the answer.
fn begin(context: &Context, condvar: ObjectId, mutex_address: usize, site: Site) -> Met {
    let met = mutex::meet(context, mutex_address);
    context.perform(OpKind::Wait { mutex: met.id }, condvar, site);
    context.syncs.set(mutex_address, SyncKind::Mutex, Met { depth: 0, ..met });
    context.perform(OpKind::Unlock, met.id, site);
    met
}

pub(super) extern "C-unwind" fn wait(address: usize, mutex_address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let condvar = meet(context, address);
    let met = begin(context, condvar, mutex_address, site);
    context.perform(OpKind::Relock { condvar }, met.id, site);
    context.syncs.set(mutex_address, SyncKind::Mutex, met);
    0
}

/// The time may be up at any time. The answer is that of POSIX. Where the time is none, nobody waits, and the mutex stays held.
pub(super) extern "C-unwind" fn timedwait(
    address: usize,
    mutex_address: usize,
    until: Time,
    return_address: usize,
) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let Some(until) = time::read_time(until, return_address) else { return libc::EINVAL };
    let condvar = meet(context, address);
    let met = begin(context, condvar, mutex_address, site);
    let is_up = context.perform(OpKind::StopWaiting, condvar, site).is_done();
    if is_up {
        time::pass_until(until);
    }
    context.perform(OpKind::Lock, met.id, site);
    context.syncs.set(mutex_address, SyncKind::Mutex, met);
    if is_up { libc::ETIMEDOUT } else { 0 }
}

extern "C-unwind" fn clockwait(
    address: usize,
    mutex_address: usize,
    _clock: i32,
    until: Time,
    return_address: usize,
) -> i32 {
    timedwait(address, mutex_address, until, return_address)
}

fn notify(address: usize, kind: OpKind, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        context.perform(kind, meet(context, address), site);
    }
    0
}

pub(super) extern "C-unwind" fn signal(address: usize, return_address: usize) -> i32 {
    notify(address, OpKind::NotifyOne, return_address)
}

pub(super) extern "C-unwind" fn broadcast(address: usize, return_address: usize) -> i32 {
    notify(address, OpKind::NotifyAll, return_address)
}

pub(super) extern "C-unwind" fn init(address: usize, _attributes: usize, return_address: usize) -> i32 {
    life::begin(address, SyncKind::Condvar, 0, 0, return_address);
    0
}

pub(super) extern "C-unwind" fn destroy(address: usize, return_address: usize) -> i32 {
    life::end(address, SyncKind::Condvar, Idle::AtZero, return_address);
    0
}

entry!(wrap_wait, "__wrap_pthread_cond_wait", "rdx", wait);
entry!(wrap_timedwait, "__wrap_pthread_cond_timedwait", "rcx", timedwait);
entry!(wrap_clockwait, "__wrap_pthread_cond_clockwait", "r8", clockwait);
entry!(wrap_signal, "__wrap_pthread_cond_signal", "rsi", signal);
entry!(wrap_broadcast, "__wrap_pthread_cond_broadcast", "rsi", broadcast);
entry!(wrap_init, "__wrap_pthread_cond_init", "rdx", init);
entry!(wrap_destroy, "__wrap_pthread_cond_destroy", "rsi", destroy);
