//! The receiving end.

use super::{RecvError, RecvTimeoutError, Shared, TryRecvError};
use model::OpKind;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

/// Mirror of [`std::sync::mpsc::Receiver`].
pub struct Receiver<T>(Arc<Shared<T>>);

impl<T> Receiver<T> {
    pub(super) fn new(shared: Arc<Shared<T>>) -> Self {
        Receiver(shared)
    }

    /// Waits for a message.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        let location = Location::caller();
        self.0.meet(location);
        let generation = self.0.state.read().received;
        self.0.messages.perform(OpKind::Pass { parties: 1, generation }, location);
        self.take(location).ok_or(RecvError)
    }

    /// A message, if there is one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let location = Location::caller();
        let sent = self.0.messages.perform(OpKind::Read, location).before;
        if sent <= u64::from(self.0.state.read().received) {
            return Err(TryRecvError::Empty);
        }
        self.take(location).ok_or(TryRecvError::Disconnected)
    }

    /// Waits for a message, or until the time is up, which may be at any time. (On a rendezvous, a `try_send` does not take
    /// it for a receiver that waits.)
    #[track_caller]
    pub fn recv_timeout(&self, _: Duration) -> Result<T, RecvTimeoutError> {
        self.try_recv().map_err(|error| match error {
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

    /// The next message, which was counted; none is there when the channel is closed.
    fn take(&self, location: &'static Location<'static>) -> Option<T> {
        let message = {
            let mut state = self.0.state.write();
            let message = state.queue.pop_front();
            state.received += u32::from(message.is_some());
            message
        };
        if message.is_some() {
            self.0.give_place(location);
        }
        message
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        if !fiber::is_checked() {
            return;
        }
        let leave = || {
            // In conflict with sends, not with the closing by the last sender.
            self.0.messages.perform(OpKind::Add(0), self.0.created);
            let mut state = self.0.state.write();
            state.receiver_is_gone = true;
            match self.0.bound {
                // Senders that wait for their message to be taken get it back.
                Some(0) => Default::default(),
                _ => std::mem::take(&mut state.queue),
            }
        };
        drop(self.0.alone(self.0.created, leave));
        if self.0.bound.is_some() {
            self.release_senders();
        }
    }
}

impl<T> Receiver<T> {
    /// Nobody who waits for a place or for a receive is to wait for ever.
    fn release_senders(&self) {
        let created = self.0.created;
        match self.0.bound {
            Some(0) => {
                let waiting = self.0.state.read().queue.len();
                for _ in 0..waiting {
                    self.0.taken.perform(OpKind::Arrive { parties: 1 }, created);
                }
            }
            Some(bound) => {
                let places = self.0.places.id(|| bound as u64);
                fiber::perform(OpKind::Write(u64::from(u32::MAX)), places, created);
            }
            None => {}
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
