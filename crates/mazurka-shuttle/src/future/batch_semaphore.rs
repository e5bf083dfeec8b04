//! Mirror of `shuttle::future::batch_semaphore`.

use mazurka::sync::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Mirror of `shuttle::future::batch_semaphore::Fairness`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    /// Who came first has its permits first.
    StrictlyFair,
    /// Whoever is next and finds enough permits has them.
    Unfair,
}

/// Mirror of `shuttle::future::batch_semaphore::TryAcquireError`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryAcquireError {
    /// The semaphore is closed.
    Closed,
    /// There are not enough permits.
    NoPermits,
}

/// Mirror of `shuttle::future::batch_semaphore::AcquireError`: the semaphore is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcquireError(());

impl fmt::Display for AcquireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the semaphore is closed")
    }
}

impl std::error::Error for AcquireError {}

#[derive(Debug)]
struct Waiter {
    ticket: u64,
    wanted: usize,
    waker: Waker,
}

#[derive(Debug)]
struct State {
    permits: usize,
    is_closed: bool,
    waiting: VecDeque<Waiter>,
    tickets: u64,
}

impl State {
    /// Those who can go on now.
    fn wakers(&self, fairness: Fairness) -> Vec<Waker> {
        let fits = |waiter: &&Waiter| self.is_closed || waiter.wanted <= self.permits;
        match fairness {
            _ if self.is_closed => self.waiting.iter().map(|waiter| waiter.waker.clone()).collect(),
            Fairness::StrictlyFair => self.waiting.front().filter(fits).map(|w| w.waker.clone()).into_iter().collect(),
            Fairness::Unfair => self.waiting.iter().filter(fits).map(|waiter| waiter.waker.clone()).collect(),
        }
    }

    /// Takes permits, if whoever has this ticket may.
    fn take(&mut self, wanted: usize, ticket: Option<u64>, fairness: Fairness) -> bool {
        let is_next = match (fairness, self.waiting.front()) {
            (Fairness::StrictlyFair, Some(first)) => Some(first.ticket) == ticket,
            _ => true,
        };
        let takes = is_next && wanted <= self.permits;
        if takes {
            self.permits -= wanted;
        }
        takes
    }

    fn forget(&mut self, ticket: u64) {
        self.waiting.retain(|waiter| waiter.ticket != ticket);
    }
}

/// Mirror of `shuttle::future::batch_semaphore::BatchSemaphore`: permits, several of which are acquired at a time.
#[derive(Debug)]
pub struct BatchSemaphore {
    state: Mutex<State>,
    fairness: Fairness,
}

impl BatchSemaphore {
    /// So many permits.
    #[track_caller]
    pub const fn new(permits: usize, fairness: Fairness) -> Self {
        let state = State { permits, is_closed: false, waiting: VecDeque::new(), tickets: 0 };
        BatchSemaphore { state: Mutex::new(state), fairness }
    }

    /// So many permits, in a static.
    #[track_caller]
    pub const fn const_new(permits: usize, fairness: Fairness) -> Self {
        Self::new(permits, fairness)
    }

    #[track_caller]
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How many permits there are.
    #[track_caller]
    pub fn available_permits(&self) -> usize {
        self.lock().permits
    }

    /// Nobody can acquire any more; those who wait have an error.
    #[track_caller]
    pub fn close(&self) {
        let wakers = {
            let mut state = self.lock();
            state.is_closed = true;
            state.wakers(self.fairness)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Whether it was closed.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Takes permits, if there are enough.
    ///
    /// # Errors
    /// If there are not, or the semaphore is closed.
    #[track_caller]
    pub fn try_acquire(&self, permits: usize) -> Result<(), TryAcquireError> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(TryAcquireError::Closed);
        }
        if state.take(permits, None, self.fairness) { Ok(()) } else { Err(TryAcquireError::NoPermits) }
    }

    /// Waits for permits.
    pub fn acquire(&self, permits: usize) -> Acquire<'_> {
        Acquire { semaphore: self, wanted: permits, ticket: None }
    }

    /// Waits for permits, in the thread that calls.
    ///
    /// # Errors
    /// If the semaphore is closed.
    #[track_caller]
    pub fn acquire_blocking(&self, permits: usize) -> Result<(), AcquireError> {
        mazurka::future::block_on(self.acquire(permits))
    }

    /// Gives permits back.
    #[track_caller]
    pub fn release(&self, permits: usize) {
        let wakers = {
            let mut state = self.lock();
            state.permits += permits;
            state.wakers(self.fairness)
        };
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// What [`BatchSemaphore::acquire`] gives.
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct Acquire<'a> {
    semaphore: &'a BatchSemaphore,
    wanted: usize,
    ticket: Option<u64>,
}

impl Future for Acquire<'_> {
    type Output = Result<(), AcquireError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Acquire { semaphore, wanted, ticket } = *self;
        let mut state = semaphore.lock();
        if let Some(ticket) = ticket
            && state.is_closed
        {
            state.forget(ticket);
        }
        if state.is_closed {
            drop(state);
            self.ticket = None;
            return Poll::Ready(Err(AcquireError(())));
        }
        if state.take(wanted, ticket, semaphore.fairness) {
            let wakers = match ticket {
                Some(ticket) => {
                    state.forget(ticket);
                    state.wakers(semaphore.fairness)
                }
                None => Vec::new(),
            };
            drop(state);
            self.ticket = None;
            wakers.into_iter().for_each(Waker::wake);
            return Poll::Ready(Ok(()));
        }
        let waker = context.waker().clone();
        match ticket.and_then(|ticket| state.waiting.iter_mut().find(|waiter| waiter.ticket == ticket)) {
            Some(waiter) => waiter.waker = waker,
            None => {
                let ticket = state.tickets;
                state.tickets += 1;
                state.waiting.push_back(Waiter { ticket, wanted, waker });
                drop(state);
                self.ticket = Some(ticket);
            }
        }
        Poll::Pending
    }
}

impl Drop for Acquire<'_> {
    /// Who gives up makes room for the next.
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket
            && !fiber::abandoned()
        {
            let wakers = {
                let mut state = self.semaphore.lock();
                state.forget(ticket);
                state.wakers(self.semaphore.fairness)
            };
            wakers.into_iter().for_each(Waker::wake);
        }
    }
}
