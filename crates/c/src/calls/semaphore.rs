//! Semaphores, spin locks and barriers of POSIX.

use super::condvar::Time;
use super::{entry, initialise, met_object, time};
use crate::context::{self, Context};
use crate::sync::SyncKind;
use model::{FailureKind, ObjectId, OpKind, Site};

fn semaphore(context: &Context, address: usize, site: Site) -> ObjectId {
    let (met, _) = context.syncs.meet(&context.shadow, address, SyncKind::Semaphore);
    if !met.initialised {
        context.fail(FailureKind::Misuse, "use of a semaphore that was not initialised".to_owned(), site);
    }
    met_object(context, address, SyncKind::Semaphore, site)
}

extern "C-unwind" fn sem_init(address: usize, _shared: i32, value: u32) -> i32 {
    if let Some(context) = context::running() {
        initialise(context, address, SyncKind::Semaphore, value.into(), 0);
    }
    0
}

extern "C-unwind" fn sem_destroy(address: usize) -> i32 {
    if let Some(context) = context::running() {
        super::end_life(context, address, SyncKind::Semaphore);
    }
    0
}

extern "C-unwind" fn sem_wait(address: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        context.perform(OpKind::Acquire, semaphore(context, address, site), site);
    }
    0
}

fn try_wait(address: usize, error: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    if context.perform(OpKind::TryAcquire, semaphore(context, address, site), site).is_done() {
        return 0;
    }
    super::set_errno(error);
    -1
}

extern "C-unwind" fn sem_trywait(address: usize, return_address: usize) -> i32 {
    try_wait(address, libc::EAGAIN, return_address)
}

extern "C-unwind" fn sem_timedwait(address: usize, until: Time, return_address: usize) -> i32 {
    let answer = try_wait(address, libc::ETIMEDOUT, return_address);
    if answer != 0 {
        time::pass_until(until);
    }
    answer
}

extern "C-unwind" fn sem_clockwait(address: usize, _clock: i32, until: Time, return_address: usize) -> i32 {
    sem_timedwait(address, until, return_address)
}

extern "C-unwind" fn sem_post(address: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        context.perform(OpKind::Release, semaphore(context, address, site), site);
    }
    0
}

extern "C-unwind" fn sem_getvalue(address: usize, place: *mut i32, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        let value = context.perform(OpKind::Read, semaphore(context, address, site), site).before;
        // SAFETY: the program's place for the answer.
        unsafe { place.write(value as i32) };
    }
    0
}

fn spin(address: usize, kind: OpKind, refused: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let lock = met_object(context, address, SyncKind::Spin, site);
    if context.perform(kind, lock, site).is_done() { 0 } else { refused }
}

extern "C-unwind" fn spin_lock(address: usize, return_address: usize) -> i32 {
    spin(address, OpKind::Lock, 0, return_address)
}

extern "C-unwind" fn spin_trylock(address: usize, return_address: usize) -> i32 {
    spin(address, OpKind::TryLock, libc::EBUSY, return_address)
}

extern "C-unwind" fn spin_unlock(address: usize, return_address: usize) -> i32 {
    spin(address, OpKind::Unlock, 0, return_address)
}

extern "C-unwind" fn spin_init(address: usize, _shared: i32) -> i32 {
    if let Some(context) = context::running() {
        initialise(context, address, SyncKind::Spin, 0, 0);
    }
    0
}

extern "C-unwind" fn spin_destroy(address: usize) -> i32 {
    if let Some(context) = context::running() {
        super::end_life(context, address, SyncKind::Spin);
    }
    0
}

extern "C-unwind" fn barrier_init(address: usize, _attributes: usize, parties: u32) -> i32 {
    if parties == 0 {
        return libc::EINVAL;
    }
    if let Some(context) = context::running() {
        initialise(context, address, SyncKind::Barrier, 0, parties);
    }
    0
}

extern "C-unwind" fn barrier_wait(address: usize, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let (met, _) = context.syncs.meet(&context.shadow, address, SyncKind::Barrier);
    let (parties, barrier) = (met.setting, met.id);
    if parties == 0 || met.destroyed {
        context.fail(FailureKind::Misuse, "use of a barrier that is not initialised".to_owned(), site);
    }
    let before = context.perform(OpKind::Arrive { parties }, barrier, site).before;
    if before % u64::from(parties) == u64::from(parties) - 1 {
        return libc::PTHREAD_BARRIER_SERIAL_THREAD;
    }
    let generation = (before / u64::from(parties)) as u32;
    context.perform(OpKind::Pass { parties, generation }, barrier, site);
    0
}

extern "C-unwind" fn barrier_destroy(address: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        let (met, _) = context.syncs.meet(&context.shadow, address, SyncKind::Barrier);
        if met.setting > 0 && !context.world().word(met.id).is_multiple_of(met.setting.into()) {
            context.fail(FailureKind::Misuse, "a barrier was destroyed while threads wait at it".to_owned(), site);
        }
        super::end_life(context, address, SyncKind::Barrier);
    }
    0
}

entry!(wrap_sem_init, "__wrap_sem_init", "rcx", sem_init);
entry!(wrap_sem_destroy, "__wrap_sem_destroy", "rsi", sem_destroy);
entry!(wrap_sem_wait, "__wrap_sem_wait", "rsi", sem_wait);
entry!(wrap_sem_trywait, "__wrap_sem_trywait", "rsi", sem_trywait);
entry!(wrap_sem_timedwait, "__wrap_sem_timedwait", "rdx", sem_timedwait);
entry!(wrap_sem_clockwait, "__wrap_sem_clockwait", "rcx", sem_clockwait);
entry!(wrap_sem_post, "__wrap_sem_post", "rsi", sem_post);
entry!(wrap_sem_getvalue, "__wrap_sem_getvalue", "rdx", sem_getvalue);
entry!(wrap_spin_init, "__wrap_pthread_spin_init", "rdx", spin_init);
entry!(wrap_spin_destroy, "__wrap_pthread_spin_destroy", "rsi", spin_destroy);
entry!(wrap_spin_lock, "__wrap_pthread_spin_lock", "rsi", spin_lock);
entry!(wrap_spin_trylock, "__wrap_pthread_spin_trylock", "rsi", spin_trylock);
entry!(wrap_spin_unlock, "__wrap_pthread_spin_unlock", "rsi", spin_unlock);
entry!(wrap_barrier_init, "__wrap_pthread_barrier_init", "rcx", barrier_init);
entry!(wrap_barrier_wait, "__wrap_pthread_barrier_wait", "rsi", barrier_wait);
entry!(wrap_barrier_destroy, "__wrap_pthread_barrier_destroy", "rsi", barrier_destroy);
