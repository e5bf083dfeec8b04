//! Time, which every thread has of its own and which only passes when it is looked at or slept through, and random numbers, which are always the same.

use super::access::{before_read, before_write};
use super::entry;
use crate::context::{self, Context};
use model::{ObjectId, OpKind};

/// How much time passes whenever it is looked at.
const TICK: u64 = 1_000;
const SECOND: u64 = 1_000_000_000;
/// When the clock starts: some time in 2001.
const START: u64 = 1_000_000_000;
/// How far a clock goes.
const LAST: u64 = u64::MAX - START * SECOND;
/// What random numbers start from.
const RANDOM: u64 = 0x9E37_79B9_7F4A_7C15;

/// Lets others go first.
pub(super) fn pause(return_address: usize) -> i32 {
    if let Some(context) = context::running().filter(|context| context.concurrent.get()) {
        context.perform(OpKind::Yield, ObjectId::NONE, context.site(return_address));
    }
    0
}

pub(super) extern "C-unwind" fn sched_yield(return_address: usize) -> i32 {
    pause(return_address)
}

fn sleep_for(nanoseconds: u64, return_address: usize) -> i32 {
    if let Some(context) = context::running() {
        let slot = context.here();
        slot.clock.set(slot.clock.get().saturating_add(nanoseconds));
    }
    pause(return_address)
}

extern "C-unwind" fn sleep(seconds: u32, return_address: usize) -> u32 {
    sleep_for(u64::from(seconds) * SECOND, return_address);
    0
}

extern "C-unwind" fn usleep(microseconds: u32, return_address: usize) -> i32 {
    sleep_for(u64::from(microseconds) * 1_000, return_address)
}

/// Reads a time of the program's, if there is one, when a call begins: an access of its own. None if it is no time, because its
/// nanoseconds make a second or more.
pub(super) fn read_time(time: *const libc::timespec, return_address: usize) -> Option<u64> {
    if time.is_null() {
        return Some(0);
    }
    before_read(time as usize, size_of::<libc::timespec>(), return_address);
    // SAFETY: `time` is not null and points to the program's time.
    nanoseconds(&unsafe { time.read() })
}

extern "C-unwind" fn nanosleep(time: *const libc::timespec, _left: usize, return_address: usize) -> i32 {
    let Some(time) = read_time(time, return_address) else {
        super::set_errno(libc::EINVAL);
        return -1;
    };
    sleep_for(time, return_address)
}

/// What C11 answers where the time is none: neither 0 nor -1.
const NO_TIME: i32 = -2;

extern "C-unwind" fn thrd_sleep(time: *const libc::timespec, _left: usize, return_address: usize) -> i32 {
    read_time(time, return_address).map_or(NO_TIME, |time| sleep_for(time, return_address))
}

extern "C-unwind" fn clock_nanosleep(
    _clock: i32,
    flags: i32,
    time: *const libc::timespec,
    _left: usize,
    return_address: usize,
) -> i32 {
    let Some(time) = read_time(time, return_address) else { return libc::EINVAL };
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    sleep_for(if is_absolute { time.saturating_sub(now()) } else { time }, return_address)
}

/// The thread has waited in vain for this time, or until it.
pub(super) fn pass(time: u64, is_absolute: bool) {
    if is_absolute {
        return pass_until(time);
    }
    if let Some(context) = context::running() {
        let clock = &context.here().clock;
        clock.set(clock.get().saturating_add(time));
    }
}

/// The thread has waited in vain until this time.
pub(super) fn pass_until(time: u64) {
    if let Some(context) = context::running() {
        let clock = &context.here().clock;
        clock.set(clock.get().max(time.saturating_sub(START * SECOND)));
    }
}

fn nanoseconds(time: &libc::timespec) -> Option<u64> {
    let part = u64::try_from(time.tv_nsec).ok().filter(|&part| part < SECOND)?;
    Some((time.tv_sec.max(0) as u64).saturating_mul(SECOND).saturating_add(part))
}

/// The virtual time. To look at it takes some.
fn now() -> u64 {
    let Some(context) = context::get() else { return START * SECOND };
    let slot = context.here();
    slot.note_unseen();
    // Somebody may have slept for longer than there is time.
    slot.clock.set(slot.clock.get().saturating_add(TICK).min(LAST));
    START * SECOND + slot.clock.get()
}

fn as_timespec(time: u64) -> libc::timespec {
    libc::timespec { tv_sec: (time / SECOND) as i64, tv_nsec: (time % SECOND) as i64 }
}

/// Writes an answer where the program wants it: an access of its own.
fn answer<T>(place: *mut T, answer: T, return_address: usize) {
    before_write(place as usize, size_of::<T>(), return_address);
    // SAFETY: `place` points to the program's place for the answer.
    unsafe { place.write(answer) };
}

extern "C-unwind" fn clock_gettime(_clock: i32, place: *mut libc::timespec, return_address: usize) -> i32 {
    answer(place, as_timespec(now()), return_address);
    0
}

extern "C-unwind" fn timespec_get(place: *mut libc::timespec, base: i32, return_address: usize) -> i32 {
    answer(place, as_timespec(now()), return_address);
    base
}

extern "C-unwind" fn gettimeofday(place: *mut libc::timeval, _zone: usize, return_address: usize) -> i32 {
    let time = as_timespec(now());
    answer(place, libc::timeval { tv_sec: time.tv_sec, tv_usec: time.tv_nsec / 1_000 }, return_address);
    0
}

extern "C-unwind" fn time(place: *mut i64, return_address: usize) -> i64 {
    let time = as_timespec(now()).tv_sec;
    if !place.is_null() {
        answer(place, time, return_address);
    }
    time
}

extern "C-unwind" fn clock() -> i64 {
    (now() / 1_000 % (1 << 40)) as i64
}

/// The next random number of the thread that runs: each has its own, so that they do not depend on the schedule.
fn next_random(context: &Context) -> u32 {
    let slot = context.here();
    slot.note_unseen();
    let mut x = match slot.random.get() {
        0 => RANDOM.rotate_left(context.current().0),
        random => random,
    };
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    slot.random.set(x);
    (x >> 33) as u32
}

extern "C-unwind" fn rand() -> i32 {
    context::get().map_or(4, |context| (next_random(context) & 0x7FFF_FFFF) as i32)
}

extern "C-unwind" fn rand_r(seed: *mut u32, return_address: usize) -> i32 {
    before_read(seed as usize, size_of::<u32>(), return_address);
    // SAFETY: `seed` points to the program's seed.
    let next = unsafe { seed.read() }.wrapping_mul(1_103_515_245).wrapping_add(12_345);
    answer(seed, next, return_address);
    (next >> 1) as i32 & 0x7FFF_FFFF
}

fn random() -> u32 {
    context::get().map_or(4, next_random)
}

/// Of the C++ library's device for them.
extern "C-unwind" fn random_of_device(_device: usize) -> u32 {
    random()
}

extern "C-unwind" fn mrand48() -> i64 {
    (random() as i32).into()
}

extern "C-unwind" fn drand48() -> f64 {
    f64::from(random()) / (f64::from(u32::MAX) + 1.0)
}

extern "C-unwind" fn random_below(bound: u32) -> u32 {
    random().checked_rem(bound).unwrap_or(0)
}

extern "C-unwind" fn random_bytes(place: usize, size: usize, return_address: usize) {
    (0..size).for_each(|i| super::access::store_byte(place + i, random() as u8, return_address));
}

extern "C-unwind" fn getrandom(place: usize, size: usize, _flags: u32, return_address: usize) -> isize {
    random_bytes(place, size, return_address);
    size as isize
}

extern "C-unwind" fn getentropy(place: usize, size: usize, return_address: usize) -> i32 {
    random_bytes(place, size, return_address);
    0
}

/// The same seed gives the same numbers, to the thread that gives it.
extern "C-unwind" fn srand(seed: u32) {
    if let Some(context) = context::running() {
        let slot = context.here();
        slot.note_unseen();
        slot.random.set((RANDOM ^ (u64::from(seed) + 1).wrapping_mul(RANDOM)) | 1);
    }
}

entry!(wrap_sched_yield, "__wrap_sched_yield", "rdi", sched_yield);
entry!(wrap_pthread_yield, "__wrap_pthread_yield", "rdi", sched_yield);
entry!(wrap_sleep, "__wrap_sleep", "rsi", sleep);
entry!(wrap_usleep, "__wrap_usleep", "rsi", usleep);
entry!(wrap_thrd_sleep, "__wrap_thrd_sleep", "rdx", thrd_sleep);
entry!(wrap_nanosleep, "__wrap_nanosleep", "rdx", nanosleep);
entry!(wrap_clock_nanosleep, "__wrap_clock_nanosleep", "r8", clock_nanosleep);
entry!(wrap_clock_gettime, "__wrap_clock_gettime", "rdx", clock_gettime);
entry!(wrap_timespec_get, "__wrap_timespec_get", "rdx", timespec_get);
entry!(wrap_gettimeofday, "__wrap_gettimeofday", "rdx", gettimeofday);
entry!(wrap_time, "__wrap_time", "rsi", time);
entry!(wrap_clock, "__wrap_clock", "rdi", clock);
entry!(wrap_rand, "__wrap_rand", "rdi", rand);
entry!(wrap_random, "__wrap_random", "rdi", rand);
entry!(wrap_lrand48, "__wrap_lrand48", "rdi", rand);
entry!(wrap_rand_r, "__wrap_rand_r", "rsi", rand_r);
entry!(wrap_srand, "__wrap_srand", "rsi", srand);
entry!(wrap_srandom, "__wrap_srandom", "rsi", srand);
entry!(wrap_srand48, "__wrap_srand48", "rsi", srand);
entry!(wrap_random_of_device, "__wrap__ZNSt13random_device9_M_getvalEv", "rsi", random_of_device);
entry!(wrap_mrand48, "__wrap_mrand48", "rdi", mrand48);
entry!(wrap_drand48, "__wrap_drand48", "rdi", drand48);
entry!(wrap_arc4random_uniform, "__wrap_arc4random_uniform", "rsi", random_below);
entry!(wrap_arc4random_buf, "__wrap_arc4random_buf", "rdx", random_bytes);
entry!(wrap_getrandom, "__wrap_getrandom", "rcx", getrandom);
entry!(wrap_getentropy, "__wrap_getentropy", "rdx", getentropy);
entry!(wrap_arc4random, "__wrap_arc4random", "rdi", rand);
