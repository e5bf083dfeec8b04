//! Mutexes of POSIX: normal, recursive and error-checking.

use super::access::before_read;
use super::condvar::Time;
use super::{entry, life, time};
use crate::context::{self, Context};
use crate::sync::{Met, SyncKind};
use model::{Idle, ObjectId, OpKind, Site};

/// Where the C library keeps the type in a mutex.
pub(super) const TYPE_OFFSET: usize = 16;
/// What of that is the type.
const TYPE_MASK: i32 = 3;
/// Other bits that it knows: robust, priorities, shared with other processes.
const KNOWN_BITS: i32 = 0x1FF;

const RECURSIVE: u32 = libc::PTHREAD_MUTEX_RECURSIVE as u32;
const ERROR_CHECKING: u32 = libc::PTHREAD_MUTEX_ERRORCHECK as u32;

/// The mutex at an address.
pub(crate) fn meet(context: &Context, address: usize) -> Met {
    life::meet(context, address, SyncKind::Mutex)
}

/// The type of a mutex that was initialised without a call; none if what is there is no mutex.
pub(super) fn setting_at(address: usize) -> Option<u32> {
    let kind = type_at(address);
    (kind & !KNOWN_BITS == 0).then_some((kind & TYPE_MASK) as u32)
}

fn type_at(address: usize) -> i32 {
    // SAFETY: the program's mutex is at least so large.
    unsafe { ((address + TYPE_OFFSET) as *const i32).read_unaligned() }
}

/// Whether the calling thread holds the mutex.
pub(crate) fn is_held(context: &Context, mutex: ObjectId) -> bool {
    objects::mutex_owner(context.world().word(mutex)) == Some(context.current())
}

/// What a call answers to a thread that holds the mutex already, if it is of a type that knows. (Whether this thread holds it
/// is not for others to change.)
fn again(context: &Context, address: usize, met: Met, busy: i32, site: Site) -> Option<i32> {
    if met.setting == 0 || !is_held(context, met.id) {
        return None;
    }
    if met.setting == RECURSIVE {
        change_depth(context, address, met.id, 1, site);
        return Some(0);
    }
    Some(busy)
}

/// The thread that holds a recursive mutex holds it once more, or once less. That uses the mutex, which others may destroy
/// or free, so it is an operation.
fn change_depth(context: &Context, address: usize, mutex: ObjectId, by: i32, site: Site) {
    let found = context.perform(OpKind::Read, mutex, site).before;
    life::alive(context, found, SyncKind::Mutex, site);
    let met = meet(context, address);
    context.syncs.set(address, SyncKind::Mutex, Met { depth: met.depth.saturating_add_signed(by), ..met });
}

pub(crate) extern "C-unwind" fn lock(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address);
    if let Some(answer) = again(context, address, met, libc::EDEADLK, site) {
        return answer;
    }
    context.perform(OpKind::Lock, met.id, site);
    0
}

/// What the call answers when another thread holds the mutex, and when the thread itself does and the mutex knows.
fn try_lock(address: usize, return_address: usize, busy: i32, busy_here: i32) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address);
    if let Some(answer) = again(context, address, met, busy_here, site) {
        return answer;
    }
    if context.perform(OpKind::TryLock, met.id, site).is_done() { 0 } else { busy }
}

pub(super) extern "C-unwind" fn trylock(address: usize, return_address: usize) -> i32 {
    try_lock(address, return_address, libc::EBUSY, libc::EBUSY)
}

/// The time may be up whenever somebody holds the mutex. Only then it matters whether it is one.
pub(super) extern "C-unwind" fn timedlock(address: usize, until: Time, return_address: usize) -> i32 {
    let until = time::read_time(until, return_address);
    let answer = try_lock(address, return_address, libc::ETIMEDOUT, libc::EDEADLK);
    if answer != libc::ETIMEDOUT {
        return answer;
    }
    let Some(until) = until else { return libc::EINVAL };
    time::pass_until(until);
    answer
}

extern "C-unwind" fn clocklock(address: usize, _clock: i32, until: Time, return_address: usize) -> i32 {
    timedlock(address, until, return_address)
}

pub(crate) extern "C-unwind" fn unlock(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address);
    if matches!(met.setting, RECURSIVE | ERROR_CHECKING) && !is_held(context, met.id) {
        return libc::EPERM;
    }
    if met.depth > 0 {
        change_depth(context, address, met.id, -1, site);
        return 0;
    }
    context.perform(OpKind::Unlock, met.id, site);
    0
}

extern "C-unwind" fn init(address: usize, attributes: *const libc::pthread_mutexattr_t, return_address: usize) -> i32 {
    let mut type_of_mutex = 0;
    if !attributes.is_null() {
        before_read(attributes as usize, size_of::<libc::pthread_mutexattr_t>(), return_address);
        // SAFETY: the program's attributes.
        unsafe { pthread_mutexattr_gettype(attributes, &mut type_of_mutex) };
    }
    life::begin(address, SyncKind::Mutex, 0, type_of_mutex as u32, return_address);
    if let Some(context) = context::running() {
        context.expect_change(address, size_of::<libc::pthread_mutex_t>());
    }
    // SAFETY: the program's mutex and attributes. Only the type that is written there matters.
    unsafe { libc::pthread_mutex_init(address as *mut _, attributes) }
}

unsafe extern "C" {
    fn pthread_mutexattr_gettype(attributes: *const libc::pthread_mutexattr_t, kind: *mut i32) -> i32;
}

pub(super) extern "C-unwind" fn destroy(address: usize, return_address: usize) -> i32 {
    life::end(address, SyncKind::Mutex, Idle::AtZero, return_address);
    0
}

entry!(wrap_lock, "__wrap_pthread_mutex_lock", "rsi", lock);
entry!(wrap_trylock, "__wrap_pthread_mutex_trylock", "rsi", trylock);
entry!(wrap_timedlock, "__wrap_pthread_mutex_timedlock", "rdx", timedlock);
entry!(wrap_clocklock, "__wrap_pthread_mutex_clocklock", "rcx", clocklock);
entry!(wrap_unlock, "__wrap_pthread_mutex_unlock", "rsi", unlock);
entry!(wrap_init, "__wrap_pthread_mutex_init", "rdx", init);
entry!(wrap_destroy, "__wrap_pthread_mutex_destroy", "rsi", destroy);
