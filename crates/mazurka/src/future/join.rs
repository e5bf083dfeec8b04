//! Handles to tasks.

use crate::object::Object;
use crate::sync::{Mutex, MutexGuard};
use crate::thread::Thread;
use model::OpKind;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Why a task has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    Cancelled,
    Panicked,
}

/// A task ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinError(Why);

impl JoinError {
    /// Whether the task was aborted.
    pub fn is_cancelled(&self) -> bool {
        self.0 == Why::Cancelled
    }

    /// Whether the task panicked.
    pub fn is_panic(&self) -> bool {
        self.0 == Why::Panicked
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Why::Cancelled => "the task was aborted",
            Why::Panicked => "the task panicked",
        })
    }
}

impl std::error::Error for JoinError {}

/// How far a task is.
enum State<T> {
    Running,
    Ended(Result<T, JoinError>),
    /// The handle took the result.
    Taken,
}

/// What a task shares with its handles.
pub(super) struct Shared<T> {
    state: Mutex<(State<T>, Option<Waker>)>,
    aborted: Arc<Object>,
    location: &'static Location<'static>,
}

impl<T> Shared<T> {
    pub(super) fn new(location: &'static Location<'static>) -> Self {
        Shared {
            state: Mutex::of("task", location, (State::Running, None)),
            aborted: Arc::new(Object::of("abort flag", location).shown(|word| (word != 0).to_string())),
            location,
        }
    }

    pub(super) fn is_aborted(&self) -> bool {
        self.aborted.perform(OpKind::Read, self.location).before() != 0
    }

    /// Tells the handle what comes of the task.
    pub(super) fn end(&self) -> End<'_, T> {
        End { shared: self, result: Err(JoinError(Why::Panicked)) }
    }

    #[track_caller]
    fn lock(&self) -> MutexGuard<'_, (State<T>, Option<Waker>)> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The end of a task, told when it is dropped.
pub(super) struct End<'a, T> {
    shared: &'a Shared<T>,
    result: Result<T, JoinError>,
}

impl<T> End<'_, T> {
    pub(super) fn complete(&mut self, value: T) {
        self.result = Ok(value);
    }

    pub(super) fn cancel(&mut self) {
        self.result = Err(JoinError(Why::Cancelled));
    }
}

impl<T> Drop for End<'_, T> {
    fn drop(&mut self) {
        if fiber::abandoned() {
            return;
        }
        let result = std::mem::replace(&mut self.result, Err(JoinError(Why::Panicked)));
        let waker = {
            let mut state = self.shared.lock();
            state.0 = State::Ended(result);
            state.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Asks a task to end.
fn abort(flag: &Object, thread: &Thread, location: &'static Location<'static>) {
    flag.perform(OpKind::Write(1), location);
    thread.unpark();
}

/// A handle to a task: a future of its result. To drop it leaves the task alone.
pub struct JoinHandle<T> {
    shared: Arc<Shared<T>>,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(shared: Arc<Shared<T>>, thread: Thread) -> Self {
        JoinHandle { shared, thread }
    }

    /// Asks the task to end: its future is dropped when it next is not ready, or is woken. If it is ready before, that
    /// counts.
    #[track_caller]
    pub fn abort(&self) {
        abort(&self.shared.aborted, &self.thread, Location::caller());
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        !matches!(self.shared.lock().0, State::Running)
    }

    /// A handle that can abort the task and nothing else.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle { aborted: self.shared.aborted.clone(), thread: self.thread.clone() }
    }

    /// The thread that the task runs in.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }
}

impl<T> Unpin for JoinHandle<T> {}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    /// # Panics
    /// If the result was given out already.
    #[track_caller]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.shared.lock();
        match std::mem::replace(&mut state.0, State::Taken) {
            State::Ended(result) => {
                // Whoever is told of a panic deals with it, as who joins a thread does.
                if result.as_ref().is_err_and(JoinError::is_panic) {
                    self.thread.forgive();
                }
                Poll::Ready(result)
            }
            State::Running => {
                state.0 = State::Running;
                state.1 = Some(context.waker().clone());
                Poll::Pending
            }
            State::Taken => panic!("a task's result was asked for again after it was given out"),
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").field("thread", &self.thread).finish_non_exhaustive()
    }
}

/// A handle that can abort a task.
#[derive(Clone)]
pub struct AbortHandle {
    aborted: Arc<Object>,
    thread: Thread,
}

impl AbortHandle {
    /// As [`JoinHandle::abort`].
    #[track_caller]
    pub fn abort(&self) {
        abort(&self.aborted, &self.thread, Location::caller());
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished(Location::caller())
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle").field("thread", &self.thread).finish_non_exhaustive()
    }
}
