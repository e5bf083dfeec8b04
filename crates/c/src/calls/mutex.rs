//! Mutexes of POSIX: normal, recursive and error-checking.

use super::condvar::Time;
use super::{entry, time};
use crate::context::{self, Context};
use crate::sync::{Met, SyncKind};
use model::{FailureKind, ObjectId, OpKind, Site};

/// Where the C library keeps the type in a mutex.
const TYPE_OFFSET: usize = 16;
/// What of that is the type.
const TYPE_MASK: i32 = 3;
/// Other bits that it knows: robust, priorities, shared with other processes.
const KNOWN_BITS: i32 = 0x1FF;

const RECURSIVE: u32 = libc::PTHREAD_MUTEX_RECURSIVE as u32;
const ERROR_CHECKING: u32 = libc::PTHREAD_MUTEX_ERRORCHECK as u32;

/// The mutex at an address.
pub(crate) fn meet(context: &Context, address: usize, site: Site) -> Met {
    let (mut met, first) = context.syncs.meet(&context.shadow, address, SyncKind::Mutex);
    if met.destroyed && !first {
        context.fail(FailureKind::Misuse, "use of a mutex that was destroyed".to_owned(), site);
    }
    if first && !met.initialised {
        // SAFETY: the program's mutex is at least so large.
        let kind = unsafe { ((address + TYPE_OFFSET) as *const i32).read_unaligned() };
        if kind & !KNOWN_BITS != 0 {
            context.fail(FailureKind::Misuse, "use of a mutex that was not initialised".to_owned(), site);
        }
        met.setting = (kind & TYPE_MASK) as u32;
        context.world().set_word(met.id, 0);
        context.syncs.set(address, SyncKind::Mutex, met);
    }
    met
}

/// Whether the calling thread holds the mutex.
pub(crate) fn is_held(context: &Context, mutex: ObjectId) -> bool {
    objects::mutex_owner(context.world().word(mutex)) == Some(context.current())
}

/// What a call answers to a thread that holds the mutex already, if it is of a type that knows.
fn again(context: &Context, address: usize, met: Met, busy: i32) -> Option<i32> {
    if met.setting == 0 || !is_held(context, met.id) {
        return None;
    }
    if met.setting == RECURSIVE {
        context.syncs.set(address, SyncKind::Mutex, Met { depth: met.depth + 1, ..met });
        return Some(0);
    }
    Some(busy)
}

pub(crate) extern "C-unwind" fn lock(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address, site);
    if let Some(answer) = again(context, address, met, libc::EDEADLK) {
        return answer;
    }
    context.perform(OpKind::Lock, met.id, site);
    0
}

fn try_lock(address: usize, return_address: usize, busy: i32) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address, site);
    if let Some(answer) = again(context, address, met, libc::EBUSY) {
        return answer;
    }
    if context.perform(OpKind::TryLock, met.id, site).is_done() { 0 } else { busy }
}

pub(super) extern "C-unwind" fn trylock(address: usize, return_address: usize) -> i32 {
    try_lock(address, return_address, libc::EBUSY)
}

/// The time may be up whenever somebody holds the mutex.
pub(super) extern "C-unwind" fn timedlock(address: usize, until: Time, return_address: usize) -> i32 {
    let answer = try_lock(address, return_address, libc::ETIMEDOUT);
    if answer == libc::ETIMEDOUT {
        time::pass_until(until);
    }
    answer
}

extern "C-unwind" fn clocklock(address: usize, _clock: i32, until: Time, return_address: usize) -> i32 {
    timedlock(address, until, return_address)
}

pub(crate) extern "C-unwind" fn unlock(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address, site);
    if met.setting == ERROR_CHECKING && !is_held(context, met.id) {
        return libc::EPERM;
    }
    if met.depth > 0 {
        context.syncs.set(address, SyncKind::Mutex, Met { depth: met.depth - 1, ..met });
        return 0;
    }
    context.perform(OpKind::Unlock, met.id, site);
    0
}

extern "C-unwind" fn init(address: usize, attributes: *const libc::pthread_mutexattr_t) -> i32 {
    // SAFETY: the program's mutex and attributes. Only the type that is written there matters.
    let answer = unsafe { libc::pthread_mutex_init(address as *mut _, attributes) };
    if let Some(context) = context::running() {
        // SAFETY: as in `meet`.
        let kind = unsafe { ((address + TYPE_OFFSET) as *const i32).read_unaligned() };
        super::initialise(context, address, SyncKind::Mutex, 0, (kind & TYPE_MASK) as u32);
    }
    answer
}

pub(super) extern "C-unwind" fn destroy(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let met = meet(context, address, site);
    if context.world().word(met.id) != 0 {
        context.fail(FailureKind::Misuse, "a mutex was destroyed while it was held".to_owned(), site);
    }
    context.syncs.set(address, SyncKind::Mutex, Met { destroyed: true, ..met });
    0
}

entry!(wrap_lock, "__wrap_pthread_mutex_lock", "rsi", lock);
entry!(wrap_trylock, "__wrap_pthread_mutex_trylock", "rsi", trylock);
entry!(wrap_timedlock, "__wrap_pthread_mutex_timedlock", "rdx", timedlock);
entry!(wrap_clocklock, "__wrap_pthread_mutex_clocklock", "rcx", clocklock);
entry!(wrap_unlock, "__wrap_pthread_mutex_unlock", "rsi", unlock);
entry!(wrap_init, "__wrap_pthread_mutex_init", "rdx", init);
entry!(wrap_destroy, "__wrap_pthread_mutex_destroy", "rsi", destroy);
