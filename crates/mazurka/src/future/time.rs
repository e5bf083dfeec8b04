//! Time: it may pass at any moment.
//!
//! A timer is a thread of its own that ends a sleep. When it does so is explored like any other order.

use crate::sync::{Mutex, MutexGuard};
use fiber::Wish;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Ends at any moment.
#[track_caller]
pub fn sleep(_: Duration) -> Sleep {
    Sleep { location: Location::caller(), timer: None }
}

/// What [`sleep`] gives. Its timer starts when it is first polled.
#[must_use = "futures do nothing unless they are polled"]
pub struct Sleep {
    location: &'static Location<'static>,
    timer: Option<Arc<Timer>>,
}

/// Whether the time is up, and who is to be told.
struct Timer(Mutex<(bool, Option<Waker>)>);

impl Timer {
    #[track_caller]
    fn lock(&self) -> MutexGuard<'_, (bool, Option<Waker>)> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn fire(&self) {
        let waker = {
            let mut state = self.lock();
            state.0 = true;
            state.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let location = self.location;
        let is_new = self.timer.is_none();
        let timer = self.timer.get_or_insert_with(|| {
            let waker = Some(context.waker().clone());
            Arc::new(Timer(Mutex::of("timer", location, (false, waker))))
        });
        if is_new {
            let theirs = timer.clone();
            let wish = Wish { name: Some("timer"), ..Wish::default() };
            crate::thread::spawn_as(move || theirs.fire(), wish, location);
            return Poll::Pending;
        }
        let mut state = timer.lock();
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    /// A timer that fires later wakes nobody.
    fn drop(&mut self) {
        if let Some(timer) = &self.timer
            && !fiber::abandoned()
        {
            timer.lock().1 = None;
        }
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep").finish_non_exhaustive()
    }
}

/// The time was up before the future was ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elapsed;

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time was up")
    }
}

impl std::error::Error for Elapsed {}

/// Gives the future's result, or gives the future up when the time is up, which may be at any moment.
#[track_caller]
pub fn timeout<F: Future>(duration: Duration, future: F) -> Timeout<F> {
    Timeout { future: Box::pin(future), sleep: sleep(duration) }
}

/// What [`timeout`] gives.
#[must_use = "futures do nothing unless they are polled"]
pub struct Timeout<F> {
    future: Pin<Box<F>>,
    sleep: Sleep,
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(value) = self.future.as_mut().poll(context) {
            return Poll::Ready(Ok(value));
        }
        Pin::new(&mut self.sleep).poll(context).map(|()| Err(Elapsed))
    }
}

impl<F> fmt::Debug for Timeout<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timeout").finish_non_exhaustive()
    }
}
