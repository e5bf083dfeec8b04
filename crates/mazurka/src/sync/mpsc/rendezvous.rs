//! Channels without any place for messages: who receives offers to take one, and who sends accepts an offer.

use crate::mailbox::Mailbox;
use model::{Pattern, Tag};
use std::panic::Location;

/// The offers of a channel's receiver: one at a time, and a last one for ever.
pub(super) struct Offers(Mailbox<Offer>);

/// Whose offer it is.
#[derive(Clone, Copy)]
enum Offer {
    /// Of a receiver that waits.
    Waiting,
    /// Of a receiver that only tries: for senders that wait.
    Trying,
    /// The receiver is gone: for everybody.
    Gone,
}

/// What a sender finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A receiver, who takes its message.
    Receiver,
    /// No receiver at this time.
    Nobody,
    /// No receiver any more.
    Gone,
}

impl Offers {
    pub(super) fn new(created: &'static Location<'static>) -> Self {
        Offers(Mailbox::new("channel offers", created))
    }

    /// The receiver waits for a message.
    pub(super) fn wait(&self, location: &'static Location<'static>) {
        self.make(Offer::Waiting, location);
    }

    /// The receiver takes a message of a sender that waits.
    pub(super) fn try_now(&self, location: &'static Location<'static>) {
        self.make(Offer::Trying, location);
    }

    /// The receiver goes.
    pub(super) fn close(&self, location: &'static Location<'static>) {
        self.make(Offer::Gone, location);
    }

    fn make(&self, offer: Offer, location: &'static Location<'static>) {
        let tag = Tag::new(offer as u8, 0).expect("few kinds");
        // Given back only when the run is being given up.
        let _ = self.0.send(tag, 0, offer, location);
    }

    /// Takes the receiver's offer back. Says whether no sender had accepted it.
    pub(super) fn withdraw(&self, location: &'static Location<'static>) -> bool {
        self.0.try_receive(Pattern::of_kinds([Offer::Waiting as u8, Offer::Trying as u8]), location).is_some()
    }

    /// Waits for a receiver.
    pub(super) fn accept(&self, location: &'static Location<'static>) -> Found {
        let taken = self.0.receive(Pattern::ANY, location);
        self.found(taken.and_then(|taken| taken.letter), location)
    }

    /// A receiver that waits, if there is one.
    pub(super) fn try_accept(&self, location: &'static Location<'static>) -> Found {
        let pattern = Pattern::of_kinds([Offer::Waiting as u8, Offer::Gone as u8]);
        let taken = self.0.try_receive(pattern, location);
        self.found(taken.and_then(|taken| taken.letter), location)
    }

    fn found(&self, offer: Option<Offer>, location: &'static Location<'static>) -> Found {
        match offer {
            Some(Offer::Gone) => {
                // Others are to find it too.
                self.close(location);
                Found::Gone
            }
            Some(Offer::Waiting | Offer::Trying) => Found::Receiver,
            None => Found::Nobody,
        }
    }
}
