//! Threads, mutexes, condition variables and thread-specific storage of C11.

use super::condvar::Time;
use super::{cleanup, condvar, entry, key, life, mutex, thread, time};
use crate::context;
use crate::sync::SyncKind;

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;
const RECURSIVE: i32 = 1;

/// The answer of C11 to an answer of POSIX.
fn answer(posix: i32) -> i32 {
    match posix {
        0 => SUCCESS,
        libc::EBUSY => BUSY,
        libc::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

extern "C-unwind" fn thrd_create(place: *mut usize, function: usize, argument: usize, return_address: usize) -> i32 {
    answer(thread::create(place, std::ptr::null(), function, argument, return_address))
}

extern "C-unwind" fn thrd_join(handle: usize, place: *mut i32, return_address: usize) -> i32 {
    let Some(context) = context::running() else { return ERROR };
    let thread = thread::wait_for(context, handle, context.site(return_address));
    if !place.is_null() {
        let result = context.slot(thread).result.get() as i32;
        super::access::write_number(place as usize, &result.to_ne_bytes(), return_address);
    }
    SUCCESS
}

extern "C-unwind" fn thrd_equal(one: usize, other: usize) -> i32 {
    (one == other).into()
}

extern "C-unwind" fn thrd_yield(return_address: usize) {
    time::pause(return_address);
}

extern "C-unwind" fn mtx_init(address: usize, kind: i32, return_address: usize) -> i32 {
    let recursive = if kind & RECURSIVE != 0 { libc::PTHREAD_MUTEX_RECURSIVE } else { 0 };
    life::begin(address, SyncKind::Mutex, 0, recursive as u32, return_address);
    SUCCESS
}

extern "C-unwind" fn mtx_lock(address: usize, return_address: usize) -> i32 {
    answer(mutex::lock(address, return_address))
}

extern "C-unwind" fn mtx_trylock(address: usize, return_address: usize) -> i32 {
    answer(mutex::trylock(address, return_address))
}

extern "C-unwind" fn mtx_timedlock(address: usize, until: Time, return_address: usize) -> i32 {
    answer(mutex::timedlock(address, until, return_address))
}

extern "C-unwind" fn mtx_unlock(address: usize, return_address: usize) -> i32 {
    answer(mutex::unlock(address, return_address))
}

extern "C-unwind" fn mtx_destroy(address: usize, return_address: usize) {
    mutex::destroy(address, return_address);
}

extern "C-unwind" fn cnd_init(address: usize, return_address: usize) -> i32 {
    answer(condvar::init(address, 0, return_address))
}

extern "C-unwind" fn cnd_timedwait(address: usize, mutex: usize, until: Time, return_address: usize) -> i32 {
    answer(condvar::timedwait(address, mutex, until, return_address))
}

entry!(wrap_thrd_create, "__wrap_thrd_create", "rcx", thrd_create);
entry!(wrap_thrd_join, "__wrap_thrd_join", "rdx", thrd_join);
entry!(wrap_thrd_detach, "__wrap_thrd_detach", "rsi", thread::detach);
entry!(wrap_thrd_current, "__wrap_thrd_current", "rdi", thread::this);
entry!(wrap_thrd_equal, "__wrap_thrd_equal", "rdx", thrd_equal);
entry!(wrap_thrd_exit, "__wrap_thrd_exit", "rsi", cleanup::exit_thread);
entry!(wrap_thrd_yield, "__wrap_thrd_yield", "rdi", thrd_yield);
entry!(wrap_mtx_init, "__wrap_mtx_init", "rdx", mtx_init);
entry!(wrap_mtx_lock, "__wrap_mtx_lock", "rsi", mtx_lock);
entry!(wrap_mtx_trylock, "__wrap_mtx_trylock", "rsi", mtx_trylock);
entry!(wrap_mtx_timedlock, "__wrap_mtx_timedlock", "rdx", mtx_timedlock);
entry!(wrap_mtx_unlock, "__wrap_mtx_unlock", "rsi", mtx_unlock);
entry!(wrap_mtx_destroy, "__wrap_mtx_destroy", "rsi", mtx_destroy);
entry!(wrap_cnd_init, "__wrap_cnd_init", "rsi", cnd_init);
entry!(wrap_cnd_destroy, "__wrap_cnd_destroy", "rsi", condvar::destroy);
entry!(wrap_cnd_wait, "__wrap_cnd_wait", "rdx", condvar::wait);
entry!(wrap_cnd_timedwait, "__wrap_cnd_timedwait", "rcx", cnd_timedwait);
entry!(wrap_cnd_signal, "__wrap_cnd_signal", "rsi", condvar::signal);
entry!(wrap_cnd_broadcast, "__wrap_cnd_broadcast", "rsi", condvar::broadcast);
entry!(wrap_tss_create, "__wrap_tss_create", "rdx", key::create);
entry!(wrap_tss_delete, "__wrap_tss_delete", "rsi", key::delete);
entry!(wrap_tss_get, "__wrap_tss_get", "rsi", key::get);
entry!(wrap_tss_set, "__wrap_tss_set", "rdx", key::set);
