//! The sending ends.

use super::rendezvous::Found;
use super::{Flow, SendError, Shared, TrySendError};
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
        self.0.put(message, Location::caller()).map_err(SendError)
    }
}

impl<T> SyncSender<T> {
    pub(super) fn new(shared: Arc<Shared<T>>) -> Self {
        SyncSender(shared)
    }

    /// Waits for a free place and sends; gives the message back if the receiver is gone. On a rendezvous, it waits for a
    /// receiver.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        let location = Location::caller();
        match &self.0.flow {
            Flow::Rendezvous(offers) => match offers.accept(location) {
                Found::Receiver => {}
                Found::Gone | Found::Nobody => return Err(SendError(message)),
            },
            _ => {
                self.0.take_place(true, location);
            }
        }
        self.0.put(message, location).map_err(SendError)
    }

    /// Sends if there is a free place or, on a rendezvous, a receiver that waits.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        let location = Location::caller();
        let found = match &self.0.flow {
            Flow::Rendezvous(offers) => offers.try_accept(location),
            _ if self.0.take_place(false, location) => Found::Receiver,
            // Had the receiver been gone, there would have been a place.
            _ => Found::Nobody,
        };
        match found {
            Found::Receiver => self.0.put(message, location).map_err(TrySendError::Disconnected),
            Found::Nobody => Err(TrySendError::Full(message)),
            Found::Gone => Err(TrySendError::Disconnected(message)),
        }
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
