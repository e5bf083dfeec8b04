//! Mirror of [`std::thread`].

mod builder;
mod handle;
mod local;
mod scope;

pub use builder::Builder;
pub use handle::{JoinHandle, Thread, ThreadId};
pub use local::{AccessError, LocalKey};
pub use scope::{Scope, ScopedJoinHandle, scope};
pub use std::thread::{Result, available_parallelism};

use handle::Packet;
use model::OpKind;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Creates a thread.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    spawn_named(f, None, Location::caller())
}

fn spawn_named<F, T>(f: F, name: Option<String>, location: &'static Location<'static>) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let packet = Arc::new(Packet::new());
    let theirs = packet.clone();
    let id = fiber::spawn_static(move || theirs.fill(f), location);
    JoinHandle::new(Thread::new(id, name), packet)
}

/// The thread that calls.
pub fn current() -> Thread {
    Thread::new(Some(fiber::current()), None)
}

/// Lets others go first. In a loop that only looks, the thread goes on when something that it looked at has changed.
#[track_caller]
pub fn yield_now() {
    fiber::spin(Location::caller());
}

/// Waits until somebody unparks the thread; nobody else ends the wait.
#[track_caller]
pub fn park() {
    fiber::perform(OpKind::Acquire, fiber::parker(fiber::current()), Location::caller());
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
