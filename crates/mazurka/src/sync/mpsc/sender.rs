//! The sending ends.

use super::{SendError, Shared, TrySendError};
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

/// Mirror of [`std::sync::mpsc::Sender`].
pub struct Sender<T>(Arc<Shared<T>>);

/// Mirror of [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T>(Arc<Shared<T>>);

impl<T> Sender<T> {
    pub(super) fn new(shared: Arc<Shared<T>>) -> Self {
        Sender(shared)
    }

    /// Sends; gives the message back if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.0.put(message, Location::caller()).map(drop).map_err(SendError)
    }
}

impl<T> SyncSender<T> {
    pub(super) fn new(shared: Arc<Shared<T>>) -> Self {
        SyncSender(shared)
    }

    /// Waits for a free place and sends; gives the message back if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        self.0.take_place(true, location);
        let number = self.0.put(message, location).map_err(SendError)?;
        match self.0.await_taken(number, location) {
            Some(message) => Err(SendError(message)),
            None => Ok(()),
        }
    }

    /// Sends if there is a free place or, on a rendezvous, if the receiver waits in `recv` or an iterator.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        if self.0.bound == Some(0) {
            return self.0.offer(message, location);
        }
        if !self.0.take_place(false, location) {
            return Err(TrySendError::Full(message));
        }
        self.0.put(message, location).map(drop).map_err(TrySendError::Disconnected)
    }
}

macro_rules! sender {
    ($name:ident) => {
        impl<T> Clone for $name<T> {
            #[track_caller]
            fn clone(&self) -> Self {
                self.0.count_sender(1, Location::caller());
                $name(self.0.clone())
            }
        }

        impl<T> Drop for $name<T> {
            fn drop(&mut self) {
                if fiber::is_checked() {
                    self.0.count_sender(u64::MAX, self.0.created);
                }
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

sender!(Sender);
sender!(SyncSender);
