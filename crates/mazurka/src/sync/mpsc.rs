//! Mirror of [`std::sync::mpsc`].
//!
//! A channel is a mailbox, so that only orders that matter are explored: two sends depend on each other if the receiver can
//! tell which was first, and a receive on nothing but the send of its message. Around it:
//! - its *senders* are a count that clones raise and drops lower, in any order; when it is 0, a last message closes the
//!   channel (a thread without code sends it).
//! - dropping the receiver takes out what is left, and then finds nothing, which is in conflict with every later send: that
//!   send fails.
//! - a bounded channel has a count of free *places*.
//! - on a rendezvous, receivers make *offers*, which are messages themselves: a send takes one, and its message is for the
//!   receiver who made it. So a `try_send` succeeds exactly if a receiver waits, and a `try_recv` if a sender does.
//!
//! A receive with a time-out may end at any time with nothing: it is a try.

mod receiver;
mod rendezvous;
mod sender;

pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use crate::mailbox::Mailbox;
use crate::object::Object;
use fiber::Guarded;
use model::{Op, OpKind, Pattern, Tag};
use rendezvous::Offers;
use std::panic::Location;
use std::sync::Arc;

/// The kinds of message in a channel's mailbox.
const MESSAGE: u8 = 0;
const CLOSING: u8 = 1;

/// A channel without bound.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Shared::open(Flow::Free, Location::caller());
    (Sender::new(shared.clone()), Receiver::new(shared))
}

/// A channel for at most `bound` messages that were sent and not received. With a bound of 0, a send waits until its
/// message is received.
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let created = Location::caller();
    let flow = match bound {
        0 => Flow::Rendezvous(Offers::new(created)),
        _ => Flow::Bounded { bound: bound as u64, places: Object::of("channel places", created) },
    };
    let shared = Shared::open(flow, created);
    (SyncSender::new(shared.clone()), Receiver::new(shared))
}

/// When a sender may send.
enum Flow {
    /// Always.
    Free,
    /// When there is a free place.
    Bounded { bound: u64, places: Object },
    /// When a receiver waits.
    Rendezvous(Offers),
}

/// What both ends share.
struct Shared<T> {
    messages: Mailbox<T>,
    senders: Object,
    flow: Flow,
    created: &'static Location<'static>,
    receiver_is_gone: Guarded<bool>,
}

fn tag(kind: u8) -> Tag {
    Tag::new(kind, 0).expect("one of the few kinds above")
}

impl<T> Shared<T> {
    /// One sender; when there is none any more, the channel closes.
    fn open(flow: Flow, created: &'static Location<'static>) -> Arc<Self> {
        let shared = Arc::new(Shared {
            messages: Mailbox::new("channel", created),
            senders: Object::of("channel senders", created),
            flow,
            created,
            receiver_is_gone: Guarded::new(false),
        });
        let senders = shared.senders.id(|| 1);
        let kind = OpKind::Send { tag: tag(CLOSING), value: 0 };
        let close = Op { kind, object: shared.messages.id(), site: fiber::site(created) };
        fiber::await_zero_by_daemon(senders, close, "channel");
        shared
    }

    fn count_sender(&self, by: u64, location: &'static Location<'static>) {
        fiber::perform(OpKind::Add(by), self.senders.id(|| 1), location);
    }

    fn has_senders(&self, location: &'static Location<'static>) -> bool {
        fiber::perform(OpKind::Read, self.senders.id(|| 1), location).before() > 0
    }

    /// Sends, when it may. Gives the message back if the receiver is gone.
    fn put(&self, message: T, location: &'static Location<'static>) -> Result<(), T> {
        let number = self.messages.send(tag(MESSAGE), 0, message, location)?;
        if !*self.receiver_is_gone.read() {
            return Ok(());
        }
        match self.messages.take_back(number) {
            Some(message) => Err(message),
            None => Ok(()),
        }
    }

    /// Takes one of the free places of a bounded channel.
    fn take_place(&self, wait: bool, location: &'static Location<'static>) -> bool {
        let Flow::Bounded { bound, places } = &self.flow else { return true };
        let kind = if wait { OpKind::Acquire } else { OpKind::TryAcquire };
        fiber::perform(kind, places.id(|| *bound), location).is_done()
    }

    /// Gives a place of a bounded channel free.
    fn give_place(&self, location: &'static Location<'static>) {
        if let Flow::Bounded { bound, places } = &self.flow {
            fiber::perform(OpKind::Release, places.id(|| *bound), location);
        }
    }

    /// The receiver goes: what is left is taken out, and who waits to send waits no longer.
    fn close(&self) {
        let created = self.created;
        match &self.flow {
            Flow::Rendezvous(offers) => offers.close(created),
            _ => while self.messages.try_receive(Pattern::of_kinds([MESSAGE]), created).is_some() {},
        }
        *self.receiver_is_gone.write() = true;
        if let Flow::Bounded { bound, places } = &self.flow {
            fiber::perform(OpKind::Write(u64::from(u32::MAX)), places.id(|| *bound), created);
        }
    }
}
