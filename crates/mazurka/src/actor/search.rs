//! Selective receive.
//!
//! A receive names the kinds of message that it may take, and may look closer at them. The operations of a mailbox select by
//! kind alone ([`model::Pattern`]), so a message that is looked at and not wanted has been taken out already. It is kept in
//! the actor's *stash*, where later receives find it: together, stash and mailbox are what the actor's mailbox would be if
//! operations could look into messages. For that, a receive must take the older one of a message in the stash and one in the
//! mailbox; the stash knows up to which number the mailbox has no message of a kind any more.

use super::me::Me;
use super::message::{Kinds, MOST_KINDS, Message, SIGNAL};
use super::process::{Letter, die};
use crate::mailbox::Taken;
use fiber::Lesson;
use model::Pattern;
use std::panic::Location;

/// Messages that were taken out of the mailbox and not wanted.
pub(super) struct Stash<M> {
    /// By number.
    letters: Vec<(u32, M)>,
    /// Of each kind, messages with a lower number are not in the mailbox.
    searched: [u32; MOST_KINDS],
}

impl<M> Default for Stash<M> {
    fn default() -> Self {
        Stash { letters: Vec::new(), searched: [0; MOST_KINDS] }
    }
}

impl<M> Stash<M> {
    fn keep(&mut self, number: u32, message: M) {
        let place = self.letters.partition_point(|(other, _)| *other < number);
        self.letters.insert(place, (number, message));
    }

    fn note_searched(&mut self, kinds: Kinds, below: u32) {
        for kind in kinds.iter() {
            let searched = &mut self.searched[usize::from(kind)];
            *searched = below.max(*searched);
        }
    }
}

/// Goes through the messages of some kinds, oldest first. Those that are not wanted stay where they are for later receives.
pub struct Search<'a, M: Message> {
    me: &'a Me<M>,
    kinds: Kinds,
    location: &'static Location<'static>,
    /// The number of the message that was given last.
    last: u32,
    unwanted: Vec<(u32, M)>,
}

impl<'a, M: Message> Search<'a, M> {
    pub(super) fn new(me: &'a Me<M>, kinds: Kinds, location: &'static Location<'static>) -> Self {
        Search { me, kinds, location, last: 0, unwanted: Vec::new() }
    }

    /// The next message; waits for it if it has to. `None` only when the run is being given up.
    pub fn next_waiting(&mut self) -> Option<M> {
        self.kept().or_else(|| {
            let taken = self.me.core.take(self.pattern(self.kinds), self.location);
            self.open(taken, self.kinds)
        })
    }

    /// The next message; `None` when there is none.
    pub fn next_at_once(&mut self) -> Option<M> {
        self.kept().or_else(|| {
            let taken = self.me.core.try_take(self.pattern(self.kinds), self.location);
            self.open(taken, self.kinds)
        })
    }

    /// The message that was given last is not wanted.
    pub fn put_back(&mut self, message: M) {
        self.unwanted.push((self.last, message));
    }

    /// The next message of the stash, unless there is an older one in the mailbox: then that comes into the stash.
    fn kept(&mut self) -> Option<M> {
        loop {
            let (place, number) = {
                let stash = self.me.stash.borrow();
                let place = stash.letters.iter().position(|(_, message)| self.kinds.contains(message.kind()))?;
                (place, stash.letters[place].0)
            };
            let unknown = {
                let stash = self.me.stash.borrow();
                self.kinds.without(|kind| stash.searched[usize::from(kind)] > number)
            };
            if unknown.is_empty() {
                self.last = number;
                return Some(self.me.stash.borrow_mut().letters.remove(place).1);
            }
            let taken = self.me.core.try_take(self.pattern(unknown), self.location);
            match self.open(taken, unknown) {
                Some(message) => self.me.stash.borrow_mut().keep(self.last, message),
                // What comes later has a higher number.
                None => self.me.stash.borrow_mut().note_searched(unknown, number + 1),
            }
        }
    }

    fn pattern(&self, kinds: Kinds) -> Pattern {
        match fiber::has_learnt(Lesson::Signals) {
            _ if kinds == Kinds::ALL => Pattern::ANY,
            true => Pattern::of_kinds(kinds.iter().chain([SIGNAL])),
            false => Pattern::of_kinds(kinds.iter()),
        }
    }

    /// What was taken by a receive of these kinds.
    fn open(&mut self, taken: Option<Taken<Letter<M>>>, kinds: Kinds) -> Option<M> {
        let Taken { number, letter } = taken?;
        self.me.stash.borrow_mut().note_searched(kinds, number + 1);
        self.last = number;
        match letter? {
            Letter::Message(message) => Some(message),
            Letter::Signal(exit) => die(exit),
        }
    }
}

impl<M: Message> Drop for Search<'_, M> {
    fn drop(&mut self) {
        let mut stash = self.me.stash.borrow_mut();
        for (number, message) in self.unwanted.drain(..) {
            stash.keep(number, message);
        }
    }
}

/// Takes the oldest message that one of the arms matches out of the mailbox of `me`, and leaves the others: a selective
/// receive, which reads like a `match`.
///
/// Arms are variants of the message type, with patterns for their fields and guards where needed, and a comma after each; or
/// `name`, for any message. With a last arm `after`, the receive has a time-out clause, which may fire at any time as long as
/// no message matches. Guards are evaluated more than once.
///
/// ```
/// use mazurka::actor::{self, Message};
/// use mazurka::receive;
///
/// #[derive(Debug, Message)]
/// enum Order {
///     Item { id: u32 },
///     Done,
/// }
///
/// mazurka::check(|| {
///     let clerk = actor::spawn("clerk", |me| {
///         // The second item first, whatever comes in between.
///         let second = receive!(me, {
///             Order::Item { id } if id == 2 => id,
///         });
///         let first = receive!(me, {
///             Order::Item { id } => id,
///             Order::Done => unreachable!("it is sent last"),
///         });
///         assert_eq!((first, second), (1, 2));
///         receive!(me, {
///             Order::Done => {},
///             after => return,
///         });
///     });
///     clerk.send(Order::Item { id: 1 });
///     clerk.send(Order::Item { id: 2 });
///     clerk.send(Order::Done);
/// });
/// ```
#[macro_export]
macro_rules! receive {
    ($me:expr, { $($arms:tt)* }) => {
        $crate::receive_arms!(($me) [] [] none; $($arms)*)
    };
}

/// Sorts the arms of [`receive!`]: `(me) [names of kinds] [(pattern) (guard) (body) …] time-out; arms left`.
#[doc(hidden)]
#[macro_export]
macro_rules! receive_arms {
    ($me:tt [$($kind:tt)*] [$($arm:tt)*] none; after => $body:expr $(,)?) => {
        $crate::receive_now!($me [$($kind)*] [$($arm)*] next_at_once ($body))
    };
    ($me:tt [$($kind:tt)*] [$($arm:tt)*] none;) => {
        $crate::receive_now!(
            $me [$($kind)*] [$($arm)*] next_waiting
            (unreachable!("a receive without a time-out clause ends with a message"))
        )
    };
    ($me:tt [$($kind:tt)*] [$($arm:tt)*] none;
        $message:ident :: $variant:ident $({ $($field:tt)* })? $(( $($part:tt)* ))? $(if $guard:expr)? => $body:expr
        $(, $($rest:tt)*)?
    ) => {
        $crate::receive_arms!(
            $me [$($kind)* $variant]
            [$($arm)* (($message::$variant $({ $($field)* })? $(($($part)*))?) ($($guard)?) ($body))]
            none; $($($rest)*)?
        )
    };
    ($me:tt [$($kind:tt)*] [$($arm:tt)*] none; $any:pat $(if $guard:expr)? => $body:expr $(, $($rest:tt)*)?) => {
        $crate::receive_arms!($me [$($kind)* *] [$($arm)* (($any) ($($guard)?) ($body))] none; $($($rest)*)?)
    };
}

/// The receive itself: looks for a message that an arm matches, then does what the arm says.
#[doc(hidden)]
#[macro_export]
macro_rules! receive_now {
    (($me:expr) [$($kind:tt)*] [$((($($pattern:tt)*) ($($guard:expr)?) ($body:expr)))*] $next:ident ($otherwise:expr)) => {{
        let found = {
            let mut search = $me.search($crate::receive_kinds!($me; $($kind)*));
            loop {
                let Some(message) = search.$next() else { break None };
                let mut is_wanted = false;
                // No arm is entered, so nothing is moved out of the message: guards only note that they hold.
                #[allow(unused_variables, unreachable_patterns)]
                match message {
                    $($($pattern)* if $($guard &&)? { is_wanted = true; false } => unreachable!(),)*
                    _ => {}
                }
                if is_wanted {
                    break Some(message);
                }
                search.put_back(message);
            }
        };
        match found {
            #[allow(unreachable_patterns)]
            Some(message) => match message {
                $($($pattern)* $(if $guard)? => $body,)*
                _ => unreachable!("a guard does not say the same again"),
            },
            None => $otherwise,
        }
    }};
}

/// The kinds of message that the arms of [`receive!`] name.
#[doc(hidden)]
#[macro_export]
macro_rules! receive_kinds {
    ($me:expr; $($kind:ident)*) => { $me.kinds(&[$(stringify!($kind)),*]) };
    ($me:expr; $($kind:tt)*) => { $crate::actor::Kinds::ALL };
}
