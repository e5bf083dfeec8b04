//! Wakers.

use crate::sync::{Mutex, MutexGuard};
use crate::thread::Thread;
use std::panic::Location;
use std::sync::Arc;
use std::task::{Wake, Waker};

/// Wakes the thread of a task.
struct Unpark(Thread);

impl Wake for Unpark {
    #[track_caller]
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    #[track_caller]
    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// A waker of the thread that calls.
pub(super) fn of_this_thread() -> Waker {
    Waker::from(Arc::new(Unpark(crate::thread::current())))
}

/// Waits until the thread is woken. The place of it is that of the thread's last operation, which is within the future
/// that is not ready; `location` if there was none.
pub(super) fn wait_for_wake(location: &'static Location<'static>) {
    let site = fiber::last_site().unwrap_or_else(|| fiber::site(location));
    fiber::perform_at(model::OpKind::Acquire, fiber::parker(fiber::current()), site);
}

/// A place for the waker of one task.
#[derive(Debug, Default)]
pub struct AtomicWaker(Mutex<Option<Waker>>);

impl AtomicWaker {
    /// No waker.
    #[track_caller]
    pub const fn new() -> AtomicWaker {
        AtomicWaker(Mutex::new(None))
    }

    /// Keeps the waker of the task that is to be woken next.
    #[track_caller]
    pub fn register(&self, waker: Waker) {
        let old = self.place().replace(waker);
        drop(old);
    }

    /// Keeps a copy of the waker of the task that is to be woken next.
    #[track_caller]
    pub fn register_by_ref(&self, waker: &Waker) {
        self.register(waker.clone());
    }

    /// Wakes the task, if there is one.
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake();
        }
    }

    /// Takes the waker, if there is one.
    #[track_caller]
    pub fn take_waker(&self) -> Option<Waker> {
        self.place().take()
    }

    #[track_caller]
    fn place(&self) -> MutexGuard<'_, Option<Waker>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
