//! Mirror of `shuttle::future`.

pub mod batch_semaphore;

pub use mazurka::future::{AbortHandle, block_on};

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs a future in a task of its own.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    JoinHandle(mazurka::future::spawn(future))
}

/// As [`spawn`], for a future that stays in its thread.
#[track_caller]
pub fn spawn_local<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    JoinHandle(mazurka::future::spawn_local(future))
}

/// Lets other tasks go first.
#[track_caller]
pub fn yield_now() -> mazurka::future::YieldNow {
    mazurka::future::yield_now()
}

/// Mirror of `shuttle::future::JoinHandle`.
#[derive(Debug)]
pub struct JoinHandle<T>(mazurka::future::JoinHandle<T>);

impl<T> JoinHandle<T> {
    /// Asks the task to end.
    #[track_caller]
    pub fn abort(&self) {
        self.0.abort();
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// A handle that can abort the task and nothing else.
    pub fn abort_handle(&self) -> AbortHandle {
        self.0.abort_handle()
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A task that panicked is a finding, whatever its handle says.
        Pin::new(&mut self.0).poll(context).map_err(|_| JoinError::Cancelled)
    }
}

/// Mirror of `shuttle::future::JoinError`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JoinError {
    /// The task was aborted.
    Cancelled,
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the task was aborted")
    }
}

impl std::error::Error for JoinError {}
