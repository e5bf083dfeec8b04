//! Tasks: threads that poll a future.

use super::join::{JoinHandle, Shared};
use super::waker;
use fiber::Wish;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

/// Runs a future to its end; the thread waits while the future is not woken. One that is never woken is a deadlock.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let location = Location::caller();
    let mut future = pin!(future);
    let waker = waker::of_this_thread();
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => waker::wait_for_wake(location),
        }
    }
}

/// Runs a future in a task of its own, beside the others.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    start(future, None, Location::caller())
}

/// As [`spawn`], for a future that stays in its thread: all tasks are in one thread of the operating system.
#[track_caller]
pub fn spawn_local<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    start(future, None, Location::caller())
}

/// How a task is to be.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    name: Option<String>,
}

impl Builder {
    /// Nothing chosen.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The task's name, which reports use.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Builder {
        Builder { name: Some(name.into()) }
    }

    /// Runs a future in the task.
    #[track_caller]
    pub fn spawn<F>(self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        start(future, self.name, Location::caller())
    }

    /// As [`Builder::spawn`], for a future that stays in its thread.
    #[track_caller]
    pub fn spawn_local<F>(self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        start(future, self.name, Location::caller())
    }
}

fn start<F>(future: F, name: Option<String>, location: &'static Location<'static>) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    let shared = Arc::new(Shared::new(location));
    let theirs = shared.clone();
    let name = name.unwrap_or_else(|| {
        let file = location.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("task@{file}:{}", location.line())
    });
    let wish = Wish { name: Some(&name), ..Wish::default() };
    let thread = crate::thread::spawn_as(move || run(future, &theirs, location), wish, location);
    JoinHandle::new(shared, thread.thread().clone())
}

/// Polls the future until it is ready, or somebody aborts it.
fn run<F: Future>(future: F, shared: &Shared<F::Output>, location: &'static Location<'static>) {
    // What comes of the future is told by a destructor, so that a panic is told, too.
    let mut end = shared.end();
    let mut future = Box::pin(future);
    let waker = waker::of_this_thread();
    let mut context = Context::from_waker(&waker);
    while !shared.is_aborted() {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => {
                drop(future);
                return end.complete(value);
            }
            Poll::Pending => waker::wait_for_wake(location),
        }
    }
    drop(future);
    end.cancel();
}

/// Lets other tasks go first, once.
#[track_caller]
pub fn yield_now() -> YieldNow {
    YieldNow { location: Location::caller(), yielded: false }
}

/// What [`yield_now`] gives.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct YieldNow {
    location: &'static Location<'static>,
    yielded: bool,
}

impl Future for YieldNow {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.yielded, true) {
            return Poll::Ready(());
        }
        fiber::spin(self.location);
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
