//! What is known of an event.

use super::arena::Node;
use super::causes::Causes;
use super::followers::{Followers, GroupId};
use crate::dependence::Footprint;
use model::{Choice, ThreadId};

/// What is known of an event. The fields stand in this order because there are many events, and looking at one costs most
/// when it is not in the processor's cache: the first 64 bytes are what a search for an alternative asks for.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Slot {
    pub(super) choice: Choice,
    /// Position among the events of its thread, from 1; 0 when there is no event here.
    pub(super) index: u32,
    pub(super) footprint: Footprint,
    /// The last write of its object in its history.
    pub(super) write: Node,
    /// What is in the way of it, if that is known. Of an event of D, itself.
    pub(super) obstacle: Node,
    pub(super) in_c: bool,
    pub(super) in_d: bool,
    /// Whether it is listed with an event of C or D that is in immediate conflict with it.
    pub(super) is_kept: bool,
    /// What is in its segment.
    pub(super) after_write: AfterWrite,
    /// How many events have it among their causes.
    pub(super) children: u32,
    /// The event before it in its thread (for a first event, the spawn), then the other maximal events of its history, in
    /// the order of their numbers. The first is [`Node::NONE`] where there is none.
    pub(super) causes: Causes,
    /// Position among all events that were ever made: causes come before what they cause.
    pub(super) made: u64,
    /// Of what names it, and the next event in the same bucket.
    pub(super) hash: u64,
    pub(super) next_in_bucket: Node,
    /// Its neighbours among the followers of the same write, or among those with the same obstacle.
    pub(super) next: Node,
    pub(super) previous: Node,
    pub(super) group: GroupId,
    /// The first of the events that are listed with this one because they are in immediate conflict, and the one listed
    /// after this one.
    pub(super) keeps: Node,
    pub(super) next_kept: Node,
    /// The first of the events that this one is in the way of.
    pub(super) hinders: Node,
    pub(super) followers: Followers,
    /// How many alternatives its step has.
    pub(super) alternatives: u32,
    /// The events of its object in its history after the last write, ascending, if they are not the causes after the first:
    /// see [`Slot::segment`].
    own_segment: Vec<Node>,
    has_own_segment: bool,
}

/// What the history of an event has of its object after the last write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfterWrite {
    Nothing,
    Reads,
    Others,
}

impl Slot {
    /// No event.
    pub(super) fn empty() -> Self {
        Slot {
            choice: Choice { thread: ThreadId(0), alternative: 0 },
            index: 0,
            footprint: Footprint::NONE,
            write: Node::NONE,
            obstacle: Node::NONE,
            in_c: false,
            in_d: false,
            is_kept: false,
            after_write: AfterWrite::Nothing,
            children: 0,
            causes: Causes::NONE,
            made: 0,
            hash: 0,
            next_in_bucket: Node::NONE,
            next: Node::NONE,
            previous: Node::NONE,
            group: GroupId::NONE,
            keeps: Node::NONE,
            next_kept: Node::NONE,
            hinders: Node::NONE,
            followers: Followers::NONE,
            alternatives: 1,
            own_segment: Vec::new(),
            has_own_segment: false,
        }
    }

    /// The events of its object in its history after the last write, ascending.
    #[inline]
    pub(super) fn segment(&self) -> &[Node] {
        if self.has_own_segment { &self.own_segment } else { &self.causes[1..] }
    }

    /// Whether these are its causes after the first.
    #[inline]
    pub(super) fn is_segment_of_causes(&self) -> bool {
        !self.has_own_segment
    }

    /// Whether there is an event here.
    #[inline]
    pub(super) fn is_live(&self) -> bool {
        self.index > 0
    }

    /// Whether it is in C or D.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.in_c || self.in_d
    }

    /// Whether nothing is seen at once that needs it.
    #[inline]
    pub(super) fn may_be_free(&self) -> bool {
        self.children == 0 && !self.is_kept && !self.is_taken() && self.is_live()
    }

    /// The event has these others of its object in its history after the last write.
    #[inline]
    pub(super) fn set_segment(&mut self, segment: &[Node]) {
        self.has_own_segment = *segment != self.causes[1..];
        if self.has_own_segment {
            self.own_segment.clear();
            self.own_segment.extend_from_slice(segment);
        }
    }
}
