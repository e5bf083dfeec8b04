//! Mirror of [`std::sync::mpsc`].
//!
//! A channel is made of objects that the search knows well, so that only orders that matter are explored:
//! - its *messages* are a count that sends raise; to receive the n-th message is to wait until the count is above n. So
//!   two sends depend on each other, and a receive on nothing but the send of its message.
//! - its *senders* are a count that clones raise and drops lower, in any order; when it is 0, one more message is counted
//!   that is not there (a thread without code does that): the receiver who finds it knows that the channel is closed.
//! - dropping the receiver is in conflict with every send.
//! - a bounded channel has a count of free *places*, a rendezvous a count of messages *taken*.
//! - a rendezvous also has a lock, under which messages are sent and the receiver begins to wait: whether it waits decides
//!   what a `try_send` does.
//!
//! A receive with a time-out may end at any time with nothing: it is a try.

mod receiver;
mod sender;

pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use crate::object::Object;
use fiber::Guarded;
use model::{Op, OpKind};
use std::collections::VecDeque;
use std::panic::Location;
use std::sync::Arc;

/// A channel without bound.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared::new(None, Location::caller()));
    shared.open();
    (Sender::new(shared.clone()), Receiver::new(shared))
}

/// A channel for at most `bound` messages that were sent and not received. With a bound of 0, a send waits until its
/// message is received.
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let shared = Arc::new(Shared::new(Some(bound), Location::caller()));
    shared.open();
    (SyncSender::new(shared.clone()), Receiver::new(shared))
}

/// What both ends share.
struct Shared<T> {
    messages: Object,
    senders: Object,
    places: Object,
    taken: Object,
    meeting: Object,
    bound: Option<usize>,
    created: &'static Location<'static>,
    state: Guarded<State<T>>,
}

struct State<T> {
    queue: VecDeque<T>,
    received: u32,
    receiver_is_gone: bool,
    /// On a rendezvous: the receiver waits, and nobody has sent it anything yet.
    receiver_waits: bool,
}

impl<T> Shared<T> {
    fn new(bound: Option<usize>, created: &'static Location<'static>) -> Self {
        Shared {
            messages: Object::of("channel", created),
            senders: Object::of("channel senders", created),
            places: Object::of("channel places", created),
            taken: Object::of("channel taken", created),
            meeting: Object::of("channel meeting", created),
            bound,
            created,
            state: Guarded::new(State {
                queue: VecDeque::new(),
                received: 0,
                receiver_is_gone: false,
                receiver_waits: false,
            }),
        }
    }

    /// One sender; when there is none any more, the channel closes.
    fn open(&self) {
        let senders = self.senders.id(|| 1);
        let messages = self.messages.id(|| 0);
        let close = Op { kind: OpKind::Add(1), object: messages, site: fiber::site(self.created) };
        fiber::await_zero_by_daemon(senders, close, "channel");
    }

    fn count_sender(&self, by: u64, location: &'static Location<'static>) {
        fiber::perform(OpKind::Add(by), self.senders.id(|| 1), location);
    }

    /// Takes one of the free places of a bounded channel.
    fn take_place(&self, wait: bool, location: &'static Location<'static>) -> bool {
        let Some(bound) = self.bound.filter(|&bound| bound > 0) else { return true };
        let kind = if wait { OpKind::Acquire } else { OpKind::TryAcquire };
        fiber::perform(kind, self.places.id(|| bound as u64), location).is_done()
    }

    fn give_place(&self, location: &'static Location<'static>) {
        match self.bound {
            Some(0) => {
                self.taken.perform(OpKind::Arrive { parties: 1 }, location);
            }
            Some(bound) => {
                fiber::perform(OpKind::Release, self.places.id(|| bound as u64), location);
            }
            None => {}
        }
    }

    /// Does `f` with nobody else at the rendezvous, if the channel is one.
    fn alone<R>(&self, location: &'static Location<'static>, f: impl FnOnce() -> R) -> R {
        if self.bound != Some(0) {
            return f();
        }
        self.meeting.perform(OpKind::Lock, location);
        let result = f();
        self.meeting.perform(OpKind::Unlock, location);
        result
    }

    /// Sends, where there is a place. Says which message it is.
    fn put(&self, message: T, location: &'static Location<'static>) -> Result<u32, T> {
        self.alone(location, || self.put_alone(message, location))
    }

    fn put_alone(&self, message: T, location: &'static Location<'static>) -> Result<u32, T> {
        let number = self.messages.perform(OpKind::Arrive { parties: 1 }, location).before as u32;
        let mut state = self.state.write();
        if state.receiver_is_gone || fiber::abandoned() {
            return Err(message);
        }
        state.queue.push_back(message);
        state.receiver_waits = false;
        Ok(number)
    }

    /// Sends, on a rendezvous, if the receiver waits.
    fn offer(&self, message: T, location: &'static Location<'static>) -> Result<(), TrySendError<T>> {
        self.alone(location, || {
            let (gone, waits) = {
                let state = self.state.read();
                (state.receiver_is_gone, state.receiver_waits)
            };
            match (gone, waits) {
                (true, _) => Err(TrySendError::Disconnected(message)),
                (false, false) => Err(TrySendError::Full(message)),
                (false, true) => self.put_alone(message, location).map(drop).map_err(TrySendError::Disconnected),
            }
        })
    }

    /// The receiver is about to wait.
    fn meet(&self, location: &'static Location<'static>) {
        if self.bound == Some(0) {
            self.alone(location, || {
                let mut state = self.state.write();
                state.receiver_waits = state.queue.is_empty();
            });
        }
    }

    /// Waits, on a rendezvous, until the message was received. Says whether it was.
    fn await_taken(&self, number: u32, location: &'static Location<'static>) -> Option<T> {
        if self.bound != Some(0) {
            return None;
        }
        self.taken.perform(OpKind::Pass { parties: 1, generation: number }, location);
        let mut state = self.state.write();
        if state.received <= number { state.queue.pop_back() } else { None }
    }
}
