//! A mailbox: messages in the order in which they were sent to it. A receive takes the oldest that matches its pattern,
//! and leaves the others as they are. Its word is the number of messages sent to it since the start, which is also the
//! number that the next message gets.

use model::{Pattern, Tag};

/// A message in a mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// How many messages were sent to the mailbox before it.
    pub number: u32,
    /// What receives select by.
    pub tag: Tag,
    /// What the receiver gets.
    pub value: u64,
}

/// The messages that were sent to a mailbox and not received yet, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mailbox {
    messages: Vec<Message>,
}

impl Mailbox {
    /// The messages, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Puts a message behind the others.
    pub fn put(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The message that a receive with this pattern would take.
    pub fn oldest(&self, pattern: Pattern) -> Option<&Message> {
        self.messages.iter().find(|message| pattern.matches(message.tag))
    }

    /// Takes the oldest message that matches out.
    pub fn take_oldest(&mut self, pattern: Pattern) -> Option<Message> {
        let place = self.messages.iter().position(|message| pattern.matches(message.tag))?;
        Some(self.messages.remove(place))
    }

    /// Becomes what `other` is, in the room that it has.
    pub(crate) fn copy_from(&mut self, other: &Mailbox) {
        self.messages.clone_from(&other.messages);
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.messages.clear();
    }
}
