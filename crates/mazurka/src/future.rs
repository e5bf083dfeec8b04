//! Running futures: what tests of asynchronous code need.

use crate::sync::Mutex;
use crate::thread::{self, Thread};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Wakes a thread that is in [`block_on`].
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

/// Runs a future to its end; the thread waits while the future is not woken. One that is never woken is a deadlock.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
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
    fn place(&self) -> crate::sync::MutexGuard<'_, Option<Waker>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
