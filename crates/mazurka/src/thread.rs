//! Mirror of [`std::thread`].

mod builder;
mod handle;
mod local;
mod scope;

pub use builder::Builder;
#[doc(hidden)]
pub use fiber::Wish;
pub use handle::{JoinHandle, Thread, ThreadId};
pub use local::{AccessError, LocalKey};
pub use scope::{Scope, ScopedJoinHandle, scope};
pub use std::thread::{Result, available_parallelism};

use handle::Packet;
use model::OpKind;
use std::panic::Location;
use std::time::{Duration, Instant};

/// Creates a thread.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    spawn_as(f, Wish::default(), Location::caller())
}

/// As [`spawn`], for what need not be `Send`, as loom has it: all threads are in one OS thread.
#[doc(hidden)]
pub fn spawn_as<F, T>(f: F, wish: Wish<'_>, location: &'static Location<'static>) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    let packet = Packet::shared();
    let theirs = packet.clone();
    let id = fiber::spawn_static(move || _ = theirs.fill(f), wish, location);
    JoinHandle::new(Thread::new(id), packet)
}

/// Creates a thread that may borrow.
///
/// # Safety
/// As for [`fiber::spawn`].
#[allow(unsafe_code, reason = "a thread that borrows, as in std")]
unsafe fn spawn_borrowing<F, T>(f: F, wish: Wish<'_>, location: &'static Location<'static>) -> JoinHandle<T>
where
    F: FnOnce() -> T,
{
    let packet = Packet::shared();
    let theirs = packet.clone();
    // SAFETY: promised by the caller.
    let id = unsafe { fiber::spawn(move || _ = theirs.fill(f), wish, location) };
    JoinHandle::new(Thread::new(id), packet)
}

/// The thread that calls.
pub fn current() -> Thread {
    Thread::new(Some(fiber::current()))
}

/// Lets others go first. In a loop that only looks, the thread goes on when something that it looked at has changed.
#[track_caller]
pub fn yield_now() {
    fiber::spin(Location::caller());
}

/// Waits until somebody unparks the thread; the wait ends without that only with [`crate::Checker::spurious`].
#[track_caller]
pub fn park() {
    let is_spurious = fiber::happens_without_reason(Location::caller());
    fiber::perform(
        if is_spurious { OpKind::TryAcquire } else { OpKind::Acquire },
        fiber::parker(fiber::current()),
        Location::caller(),
    );
}

/// As [`park`], but the time may be up at any time.
#[track_caller]
pub fn park_timeout(_: Duration) {
    fiber::perform(OpKind::TryAcquire, fiber::parker(fiber::current()), Location::caller());
}

/// As [`park_timeout`].
#[deprecated = "replaced by `std::thread::park_timeout`"]
#[track_caller]
pub fn park_timeout_ms(_: u32) {
    park_timeout(Duration::ZERO);
}

/// Any time may pass: as good as nothing.
#[track_caller]
pub fn sleep(_: Duration) {
    fiber::spin(Location::caller());
}

/// As [`sleep`].
#[deprecated = "replaced by `std::thread::sleep`"]
#[track_caller]
pub fn sleep_ms(_: u32) {
    sleep(Duration::ZERO);
}

/// As [`sleep`].
#[track_caller]
pub fn sleep_until(_: Instant) {
    sleep(Duration::ZERO);
}

/// Whether the thread that calls unwinds.
pub fn panicking() -> bool {
    if fiber::is_checked() { fiber::is_panicking() } else { std::thread::panicking() }
}
