//! The receiving end.

use super::{Flow, RecvError, RecvTimeoutError, Shared, TryRecvError};
use crate::mailbox::Taken;
use model::Pattern;
use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

/// Mirror of [`std::sync::mpsc::Receiver`].
pub struct Receiver<T> {
    shared: Arc<Shared<T>>,
    /// Whether it was found that there are no senders and no messages any more.
    closed: Cell<bool>,
}

impl<T> Receiver<T> {
    pub(super) fn new(shared: Arc<Shared<T>>) -> Self {
        Receiver { shared, closed: Cell::new(false) }
    }

    /// Waits for a message.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        let location = Location::caller();
        if self.closed.get() {
            return Err(RecvError);
        }
        if let Flow::Rendezvous(offers) = &self.shared.flow {
            offers.wait(location);
        }
        self.next(location).ok_or(RecvError)
    }

    /// A message, if there is one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        if let (Flow::Rendezvous(offers), false) = (&self.shared.flow, self.closed.get()) {
            offers.try_now(location);
        }
        self.now(location)
    }

    /// Waits for a message, or until the time is up, which may be at any time.
    #[track_caller]
    pub fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
        let location = Location::caller();
        if let (Flow::Rendezvous(offers), false) = (&self.shared.flow, self.closed.get()) {
            offers.wait(location);
        }
        self.now(location).map_err(|error| match error {
            TryRecvError::Empty => RecvTimeoutError::Timeout,
            TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        })
    }

    /// The messages that come, until the channel closes.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self)
    }

    /// The messages that are there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self)
    }

    /// Waits for the next message; `None` when the channel is closed.
    fn next(&self, location: &'static Location<'static>) -> Option<T> {
        let taken = self.shared.messages.receive(Pattern::ANY, location);
        self.open(taken, location)
    }

    /// The next message, if it is there or its sender is about to send it.
    fn now(&self, location: &'static Location<'static>) -> Result<T, TryRecvError> {
        if self.closed.get() {
            return Err(TryRecvError::Disconnected);
        }
        let (is_certain, taken) = match &self.shared.flow {
            Flow::Rendezvous(offers) => (!offers.withdraw(location), None),
            _ => (false, self.shared.messages.try_receive(Pattern::ANY, location)),
        };
        if taken.is_some() {
            return self.open(taken, location).ok_or(TryRecvError::Disconnected);
        }
        // When the last sender is gone, the message that closes the channel is on its way.
        if is_certain || !self.shared.has_senders(location) {
            return self.next(location).ok_or(TryRecvError::Disconnected);
        }
        Err(TryRecvError::Empty)
    }

    /// What was taken; the last message says that the channel is closed.
    fn open(&self, taken: Option<Taken<T>>, location: &'static Location<'static>) -> Option<T> {
        let message = taken.and_then(|taken| taken.letter);
        match message {
            Some(_) => self.shared.give_place(location),
            None => self.closed.set(true),
        }
        message
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        // There is nobody who could find out when there are no senders.
        if fiber::is_checked() && !self.closed.get() {
            self.shared.close();
        }
    }
}

/// Mirror of [`std::sync::mpsc::Iter`].
#[derive(Debug)]
pub struct Iter<'a, T: 'a>(&'a Receiver<T>);

/// Mirror of [`std::sync::mpsc::TryIter`].
#[derive(Debug)]
pub struct TryIter<'a, T: 'a>(&'a Receiver<T>);

/// Mirror of [`std::sync::mpsc::IntoIter`].
#[derive(Debug)]
pub struct IntoIter<T>(Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
