//! A mailbox with real messages: what channels and actors are made of.

use crate::object::Object;
use fiber::{Answer, Guarded, Lesson};
use model::{ObjectId, OpKind, Outcome, Pattern, Tag};
use std::panic::Location;

/// A mailbox. Operations select messages by their tags; the messages themselves are kept here, by their numbers.
pub(crate) struct Mailbox<L> {
    object: Object,
    /// How many messages were sent, for those who poll ([`Lesson::Polls`]).
    arrivals: Object,
    letters: Guarded<Vec<(u32, L)>>,
}

/// A message that was taken out.
pub(crate) struct Taken<L> {
    /// How many were sent before it.
    pub(crate) number: u32,
    /// The message; `None` if it was sent by an operation alone.
    pub(crate) letter: Option<L>,
}

impl<L> Mailbox<L> {
    pub(crate) const fn new(type_name: &'static str, created: &'static Location<'static>) -> Self {
        Mailbox {
            object: Object::of(type_name, created).shown(|_| "a message".to_owned()),
            arrivals: Object::of("arrivals", created),
            letters: Guarded::new(Vec::new()),
        }
    }

    pub(crate) fn id(&self) -> ObjectId {
        self.object.id(|| 0)
    }

    /// Puts a message behind the others. Says which number it has, or gives it back if the run is being given up.
    pub(crate) fn send(&self, tag: Tag, value: u64, letter: L, location: &'static Location<'static>) -> Result<u32, L> {
        let number = self.object.perform(OpKind::Send { tag, value }, location).before() as u32;
        if fiber::abandoned() {
            return Err(letter);
        }
        self.letters.write().push((number, letter));
        if fiber::has_learnt(Lesson::Polls) {
            self.arrivals.perform(OpKind::Add(1), location);
        }
        Ok(number)
    }

    /// Waits for a message that matches, and takes it out; `None` only when the run is being given up.
    pub(crate) fn receive(&self, pattern: Pattern, location: &'static Location<'static>) -> Option<Taken<L>> {
        self.taken(self.object.perform(OpKind::Receive(pattern), location))
    }

    /// Takes a message that matches out, if there is one.
    pub(crate) fn try_receive(&self, pattern: Pattern, location: &'static Location<'static>) -> Option<Taken<L>> {
        if fiber::has_learnt(Lesson::Polls) {
            self.arrivals.perform(OpKind::Read, location);
        }
        self.taken(self.object.perform(OpKind::TryReceive(pattern), location))
    }

    fn taken(&self, done: Answer) -> Option<Taken<L>> {
        let Outcome::Received(number) = done.outcome() else { return None };
        Some(Taken { number, letter: self.take_back(number) })
    }

    /// Takes the message of this number back, without an operation: for its sender, when nobody receives any more.
    pub(crate) fn take_back(&self, number: u32) -> Option<L> {
        let mut letters = self.letters.write();
        let place = letters.iter().position(|(other, _)| *other == number)?;
        Some(letters.remove(place).1)
    }

    /// Takes everything out, without an operation: for the last one who knows the mailbox.
    pub(crate) fn take_rest(&mut self) -> Vec<(u32, L)> {
        std::mem::take(self.letters.get_mut())
    }
}
