//! Semaphores, spin locks and barriers of POSIX.

use super::condvar::Time;
use super::{entry, life, time};
use crate::context::{self, Context};
use crate::discoveries::Discovery;
use crate::sync::{Met, SyncKind};
use model::{Idle, ObjectId, OpKind};

/// `SEM_VALUE_MAX`
const GREATEST: u32 = i32::MAX as u32;

fn semaphore(context: &Context, address: usize) -> ObjectId {
    life::object(context, address, SyncKind::Semaphore)
}

extern "C-unwind" fn sem_init(address: usize, _shared: i32, value: u32, return_address: usize) -> i32 {
    if value > GREATEST {
        super::set_errno(libc::EINVAL);
        return -1;
    }
    life::begin(address, SyncKind::Semaphore, value.into(), 0, return_address);
    0
}

/// Whoever waits for it then uses what was destroyed.
extern "C-unwind" fn sem_destroy(address: usize, return_address: usize) -> i32 {
    life::end(address, SyncKind::Semaphore, Idle::Always, return_address);
    0
}

extern "C-unwind" fn sem_wait(address: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        context.perform(OpKind::Acquire, semaphore(context, address), site);
    }
    0
}

fn try_wait(address: usize, error: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    if context.perform(OpKind::TryAcquire, semaphore(context, address), site).is_done() {
        return 0;
    }
    super::set_errno(error);
    -1
}

extern "C-unwind" fn sem_trywait(address: usize, return_address: usize) -> i32 {
    try_wait(address, libc::EAGAIN, return_address)
}

extern "C-unwind" fn sem_timedwait(address: usize, until: Time, return_address: usize) -> i32 {
    let Some(until) = time::read_time(until, return_address) else {
        super::set_errno(libc::EINVAL);
        return -1;
    };
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
        let before = context.perform(OpKind::Release, semaphore(context, address), site).before;
        if before == u64::from(GREATEST) {
            context
                .refuse("sem_post() of a semaphore that has its greatest value, SEM_VALUE_MAX, is not supported", site);
        }
    }
    0
}

extern "C-unwind" fn sem_getvalue(address: usize, place: *mut i32, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let site = context.site(return_address);
        let found = context.perform(OpKind::Read, semaphore(context, address), site).before;
        let value = life::alive(context, found, SyncKind::Semaphore, site);
        super::access::write_number(place as usize, &(value as i32).to_ne_bytes(), return_address);
    }
    0
}

fn spin(address: usize, kind: OpKind, refused: i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return 0 };
    let site = context.site(return_address);
    let lock = life::object(context, address, SyncKind::Spin);
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

extern "C-unwind" fn spin_init(address: usize, _shared: i32, return_address: usize) -> i32 {
    life::begin(address, SyncKind::Spin, 0, 0, return_address);
    if let Some(context) = context::running() {
        context.expect_change(address, size_of::<u32>());
    }
    // SAFETY: the program's lock, which is free.
    unsafe { (address as *mut u32).write_unaligned(0) };
    0
}

extern "C-unwind" fn spin_destroy(address: usize, return_address: usize) -> i32 {
    life::end(address, SyncKind::Spin, Idle::AtZero, return_address);
    0
}

extern "C-unwind" fn barrier_init(address: usize, _attributes: usize, parties: u32, return_address: usize) -> i32 {
    if parties == 0 {
        return libc::EINVAL;
    }
    life::begin(address, SyncKind::Barrier, 0, parties, return_address);
    if let Some(context) = context::running()
        && !life::set_parties(context, life::object(context, address, SyncKind::Barrier), parties)
    {
        let what = "a barrier that is initialised anew before all threads have left it is not supported";
        context.refuse(what, context.site(return_address));
    }
    0
}

extern "C-unwind" fn barrier_wait(address: usize, return_address: usize) -> i32 {
    if meet_at_barrier(address, true, return_address) { libc::PTHREAD_BARRIER_SERIAL_THREAD } else { 0 }
}

/// The same where the program does not look at the answer.
extern "C-unwind" fn barrier_wait_blind(address: usize, return_address: usize) -> i32 {
    meet_at_barrier(address, false, return_address);
    0
}

/// Says whether the thread was the last to arrive.
fn meet_at_barrier(address: usize, asks: bool, return_address: usize) -> bool {
    let Some(context) = context::running() else { return false };
    let site = context.site(return_address);
    let Met { setting: parties, id: barrier, .. } = life::meet(context, address, SyncKind::Barrier);
    let ordered = asks || context.syncs.is_crowded();
    let before = context.perform(OpKind::Arrive { parties, ordered }, barrier, site).before;
    // It may have been initialised meanwhile.
    let parties = life::meet(context, address, SyncKind::Barrier).setting;
    if context.syncs.crowds(barrier, parties, context.current()) {
        context.know_crowd();
    }
    let generation = (before / u64::from(parties)) as u32;
    context.perform(OpKind::Pass { parties, generation }, barrier, site);
    before % u64::from(parties) == u64::from(parties) - 1
}

impl Context {
    /// More threads come to a barrier than meet there.
    pub(crate) fn know_crowd(&self) {
        if self.syncs.set_crowded() {
            self.shadow.discoveries.note(Discovery::Crowd);
            self.shadow.refine();
        }
    }
}

extern "C-unwind" fn barrier_destroy(address: usize, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let parties = life::meet(context, address, SyncKind::Barrier).setting;
        life::end(address, SyncKind::Barrier, Idle::AtMultiplesOf(parties.max(1)), return_address);
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
entry!(wrap_barrier_wait_blind, "__mazurka_blind_pthread_barrier_wait", "rsi", barrier_wait_blind);
entry!(wrap_barrier_destroy, "__wrap_pthread_barrier_destroy", "rsi", barrier_destroy);
