//! The history of each object: which events touched it last, in which mode. Every event keeps the heads it found, so
//! that cutting a trace puts them back.

use crate::dependence::{Footprint, Mode};
use crate::trace::{Event, EventId};

/// No event.
pub(crate) const NO_EVENT: EventId = EventId::MAX;

/// The latest events that touched an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Heads {
    /// In any mode.
    pub(crate) any: EventId,
    /// As a write; of a mailbox, as a send.
    pub(crate) write: EventId,
    /// As an add, after that write; of a mailbox, as a take.
    pub(crate) add: EventId,
    /// As a read, after that write; of a mailbox, as a time-out.
    pub(crate) read: EventId,
}

impl Heads {
    pub(crate) const NONE: Heads = Heads { any: NO_EVENT, write: NO_EVENT, add: NO_EVENT, read: NO_EVENT };

    /// The heads after `event` touches the object in `mode`.
    #[inline]
    pub(crate) fn then(mut self, event: EventId, mode: Mode) -> Heads {
        self.any = event;
        match mode {
            Mode::Peek | Mode::Step(_) => {}
            Mode::Read | Mode::TimeOut(_) => self.read = event,
            Mode::Add | Mode::Take(_) => self.add = event,
            // In both chains, so that reads and adds find it.
            Mode::Unseen => (self.add, self.read) = (event, event),
            Mode::Send(_) => self.write = event,
            Mode::Write => self = Heads { any: event, write: event, ..Heads::NONE },
        }
        self
    }
}

/// Walks over the events that conflict with a footprint, latest first.
#[derive(Clone)]
pub(crate) struct Conflicts {
    mode: Mode,
    heads: Heads,
    passed_write: bool,
}

impl Conflicts {
    /// From these heads of the object's history on.
    #[inline]
    pub(crate) fn new(footprint: Footprint, heads: Heads) -> Self {
        Conflicts { mode: footprint.mode, heads, passed_write: false }
    }

    /// Whether the event given last was a write: everything earlier that touched the object happens before it.
    #[inline]
    pub(crate) fn passed_write(&self) -> bool {
        self.passed_write
    }

    /// The next event.
    #[inline]
    pub(crate) fn next(&mut self, events: &[Event]) -> Option<EventId> {
        if self.mode == Mode::Unseen {
            self.skip_unseen(events);
        }
        // Reads and adds since the last write are chained by mode, so that a read does not walk over other reads.
        let event = match self.mode {
            Mode::Peek => self.heads.write,
            Mode::Write | Mode::Unseen => self.heads.any,
            Mode::Read if self.heads.add != NO_EVENT => self.heads.add,
            Mode::Add if self.heads.read != NO_EVENT => self.heads.read,
            Mode::Read | Mode::Add => self.heads.write,
            // Mailboxes have a walk of their own, in `mailbox.rs`.
            Mode::Send(_) | Mode::Take(_) | Mode::TimeOut(_) => NO_EVENT,
            // Steps too, in `steps.rs`.
            Mode::Step(_) => NO_EVENT,
        };
        if event == NO_EVENT {
            return None;
        }
        self.passed_write = event == self.heads.write;
        let before = events[event as usize].found;
        match self.mode {
            Mode::Read if event == self.heads.add => self.heads.add = before.add,
            Mode::Add if event == self.heads.read => self.heads.read = before.read,
            _ => self.heads = before,
        }
        Some(event)
    }

    fn skip_unseen(&mut self, events: &[Event]) {
        while let Some(event) = events.get(self.heads.any as usize)
            && event.footprint.mode == Mode::Unseen
        {
            self.heads = event.found;
        }
    }
}
