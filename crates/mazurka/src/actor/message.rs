//! Messages, and the kinds that receives select by.

use super::life::{Down, Exit, Reason};
use std::fmt::Debug;

/// How many kinds of message an actor can have.
pub const MOST_KINDS: usize = 31;

/// The kind of exit signals, which is not for messages.
pub(super) const SIGNAL: u8 = MOST_KINDS as u8;

/// What an actor can be sent. For an enum, `#[derive(mazurka::actor::Message)]` makes every variant a kind of its own, so that
/// [`receive!`](crate::receive) can select by it.
///
/// ```
/// use mazurka::actor::Message;
///
/// #[derive(Debug, Message)]
/// enum Order {
///     Buy { units: u32 },
///     Sell(u32),
///     Close,
/// }
/// assert_eq!(Order::KINDS, ["Buy", "Sell", "Close"]);
/// assert_eq!(Order::Sell(3).kind(), 1);
/// ```
///
/// The text that [`Debug`] gives is what reports show of a message, so it must be the same in every run: no addresses.
pub trait Message: Debug + Send + 'static {
    /// The names of the kinds, at most [`MOST_KINDS`].
    const KINDS: &'static [&'static str] = &["message"];

    /// Which of them this is.
    fn kind(&self) -> u8 {
        0
    }
}

macro_rules! messages_of_one_kind {
    ($($message:ty)*) => { $(impl Message for $message {})* };
}

messages_of_one_kind!(() Reason Exit Down bool char u8 u16 u32 u64 usize i8 i16 i32 i64 isize String &'static str);

impl<T: Debug + Send + 'static> Message for Option<T> {}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u32);

impl Kinds {
    /// Every kind.
    pub const ALL: Kinds = Kinds((1 << MOST_KINDS) - 1);

    /// The kinds of these names.
    ///
    /// # Panics
    /// If `M` has no kind of a name.
    #[track_caller]
    pub fn named<M: Message>(names: &[&str]) -> Kinds {
        let bit = |name: &&str| match M::KINDS.iter().position(|kind| kind == name) {
            Some(kind) if kind < MOST_KINDS => 1 << kind,
            _ => panic!("'{name}' is no kind of message; there are {:?}", M::KINDS),
        };
        Kinds(names.iter().map(bit).fold(0, |kinds, bit| kinds | bit))
    }

    pub(super) fn contains(self, kind: u8) -> bool {
        self.0 >> kind & 1 != 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        (0..MOST_KINDS as u8).filter(move |&kind| self.contains(kind))
    }

    pub(super) fn without(self, is_left_out: impl Fn(u8) -> bool) -> Kinds {
        Kinds(self.iter().filter(|&kind| !is_left_out(kind)).fold(0, |kinds, kind| kinds | 1 << kind))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
