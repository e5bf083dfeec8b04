//! The system call by which the C++ library's atomics, latches, barriers and semaphores wait.

use super::{entry, life};
use crate::context::{self, Context};
use crate::sync::SyncKind;
use model::{ObjectId, OpKind};

const PRIVATE: i32 = 128;
const REALTIME: i32 = 256;
const WAIT: i32 = 0;
const WAKE: i32 = 1;
const WAIT_BITSET: i32 = 9;
const WAKE_BITSET: i32 = 10;

/// A wait on a futex is one on a condition variable, with a mutex that makes the look and the wait one step.
#[derive(Clone, Copy)]
struct Futex {
    queue: ObjectId,
    mutex: ObjectId,
}

fn meet(context: &Context, address: usize) -> Futex {
    Futex {
        queue: life::object(context, address, SyncKind::Condvar),
        mutex: life::object(context, address, SyncKind::Futex),
    }
}

fn wait(
    context: &Context,
    address: usize,
    expected: u32,
    timeout: *const libc::timespec,
    is_absolute: bool,
    return_address: usize,
) -> isize {
    let site = context.site(return_address);
    let Some(time) = super::time::read_time(timeout, return_address) else {
        super::set_errno(libc::EINVAL);
        return -1;
    };
    let Futex { queue, mutex } = meet(context, address);
    context.perform(OpKind::Lock, mutex, site);
    if super::atomic::load_word(address, return_address) != expected {
        context.perform(OpKind::Unlock, mutex, site);
        super::set_errno(libc::EAGAIN);
        return -1;
    }
    context.perform(OpKind::Wait { mutex }, queue, site);
    context.perform(OpKind::Unlock, mutex, site);
    if !timeout.is_null() {
        if !context.perform(OpKind::StopWaiting, queue, site).is_done() {
            return 0;
        }
        super::time::pass(time, is_absolute);
        super::set_errno(libc::ETIMEDOUT);
        return -1;
    }
    context.perform(OpKind::Relock { condvar: queue }, mutex, site);
    context.perform(OpKind::Unlock, mutex, site);
    0
}

fn wake(context: &Context, address: usize, most: u32, return_address: usize) -> isize {
    let site = context.site(return_address);
    let Futex { queue, mutex } = meet(context, address);
    context.perform(OpKind::Lock, mutex, site);
    // Who waits may give up at any time, so that only the operation itself tells how many did.
    let waited = |kind: OpKind| match context.perform(kind, queue, site).before {
        // A search over execution graphs keeps the set of them.
        set if context.apart.is_on() => set.count_ones() as usize,
        count => count as usize,
    };
    let woken = match most as i32 {
        i32::MAX => waited(OpKind::NotifyAll),
        _ => (0..most).take_while(|_| waited(OpKind::NotifyOne) > 0).count(),
    };
    context.perform(OpKind::Unlock, mutex, site);
    woken as isize
}

/// The system calls of a program by number: only that of futexes is known.
extern "C-unwind" fn syscall(
    number: i64,
    address: usize,
    op: i32,
    value: u32,
    timeout: *const libc::timespec,
    from: usize,
) -> isize {
    let Some(context) = context::running() else { return -1 };
    if number != libc::SYS_futex {
        context.refuse(format!("the system call number {number} is not supported"), context.site(from));
    }
    match op & !(PRIVATE | REALTIME) {
        // With a set of bits, the time is a point in time.
        WAIT | WAIT_BITSET => wait(context, address, value, timeout, op & WAIT_BITSET == WAIT_BITSET, from),
        WAKE | WAKE_BITSET => wake(context, address, value, from),
        other => context.refuse(format!("the futex operation {other} is not supported"), context.site(from)),
    }
}

entry!(wrap_syscall, "__wrap_syscall", "r9", syscall);
