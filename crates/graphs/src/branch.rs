//! Why a graph is visited: how it differs from the one in whose visit its task was made.

use crate::graph::{Event, Graph, Label};
use model::ThreadId;

/// An event by its thread and its place in it, which are the same in every graph that has the event.
pub type Place = (ThreadId, u32);

/// Where a visit branched from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The number of that visit, from 0.
    pub of: u64,
    /// What is different.
    pub how: How,
    /// The event at which it is.
    pub event: Place,
    /// The other event that matters, if one does.
    pub other: Option<Place>,
}

/// What is different.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// A read that was there before takes a write that came later, the other event; what was newer than the read and did not lead to
    /// the write is gone.
    Revisit,
    /// The same, but the operation cannot pass with what it would read, and waits.
    Wait,
    /// A read takes a write that is not the last.
    Source,
    /// A write is not the last of its object: the other event comes behind it.
    Order,
    /// Another alternative.
    Alternative,
}

impl Branch {
    /// Of a graph with these events in addition, the last of which is what is different.
    pub(crate) fn of_addition(of: u64, g: &Graph, events: &[Event]) -> Self {
        let event = events.last().expect("something is different");
        let (how, other) = match event.label {
            Label::Read => (How::Source, None),
            Label::Write if !event.update => {
                let behind = g.co(event.object()).get(event.place as usize).map(|&w| g.event(w));
                (How::Order, behind.map(|behind| (behind.thread, behind.index)))
            }
            _ => (How::Alternative, None),
        };
        let index = g.of_thread(event.thread).len() + events.len() - 1;
        Branch { of, how, event: (event.thread, index as u32), other }
    }

    /// Of what is left of a graph after a revisit, with these events in addition: the last one is the read, the one before it the
    /// write that it takes.
    pub(crate) fn of_revisit(of: u64, g: &Graph, events: &[Event]) -> Self {
        let read = events.last().expect("something is different");
        let how = if read.label == Label::Ghost { How::Wait } else { How::Revisit };
        let before = &events[..events.len() - 1];
        let writer = before.last().expect("it is revisited by a write").thread;
        // All that its thread did is kept.
        let index = g.of_thread(writer).len() + before.len() - 1;
        Branch { of, how, event: (read.thread, read.index), other: Some((writer, index as u32)) }
    }
}
