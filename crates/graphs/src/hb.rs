//! Happens-before: program order, causes, and what releases and acquires synchronise.
//!
//! `sw = [E≥rel];([F];po)?;rs;rf;[R≥rlx];(po;[F])?;[E≥acq]` with `rs = [W≥rlx];(rf;rmw)*`. A write carries the clock of what
//! it releases; a read that acquires joins it, a relaxed one keeps it for a fence to come. Clocks never change once an event is
//! in the graph. A notify is before the relock of whom it woke, but synchronises nothing.

use crate::clocks::Clocks;
use crate::graph::{Event, EventId, Graph, Label, NONE};
use model::{OpKind, Order, ThreadId};

/// Whether the cause of an event happens before it. A notify only wakes.
pub(crate) fn synchronises(event: &Event) -> bool {
    !matches!(event.op.kind, OpKind::Relock { .. })
}

/// The clocks of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct HappensBefore {
    /// Whether every atomic access counts as one that acquires and releases.
    strong: bool,
    /// How many events of each thread are before or at each event.
    clocks: Clocks,
    /// Of each write, what whoever acquires it is after.
    released: Clocks,
    /// The fences of each thread that release.
    fences: Vec<Vec<EventId>>,
}

impl HappensBefore {
    pub(crate) fn new(strong: bool) -> Self {
        HappensBefore { strong, ..HappensBefore::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.cut(0);
    }

    /// Goes back to the clocks of the first so many events.
    pub(crate) fn cut(&mut self, events: usize) {
        self.clocks.cut(events);
        self.released.cut(events);
        for fences in &mut self.fences {
            fences.truncate(fences.partition_point(|&fence| (fence as usize) < events));
        }
    }

    /// The clocks of all events that have none yet.
    pub(crate) fn follow(&mut self, g: &Graph) {
        if self.fences.len() < g.thread_count() {
            self.clocks.widen(g.thread_count());
            self.released.widen(g.thread_count());
            self.fences.resize(g.thread_count(), Vec::new());
        }
        for e in self.clocks.len()..g.len() {
            self.append(g, e as EventId);
        }
    }

    fn append(&mut self, g: &Graph, e: EventId) {
        let event = g.event(e);
        let previous = if event.index > 0 { g.before(e) } else { g.spawn_of(event.thread) };
        self.clocks.push_copy(previous);
        self.released.push_copy(NONE);
        if event.label == Label::Ghost {
            return;
        }
        self.clocks.row_mut(e)[event.thread.index()] = event.index + 1;
        if synchronises(event) {
            self.clocks.join_within(e, event.cause);
        }
        match event.label {
            Label::Read if self.order(event).acquires() => self.acquire(event.source, e),
            Label::Fence => self.fence(g, e),
            Label::Write => self.release(g, e),
            _ => {}
        }
    }

    /// The order of an event, as the model takes it.
    fn order(&self, event: &Event) -> Order {
        if self.strong && event.order != Order::Plain { Order::AcqRel } else { event.order }
    }

    /// An event is after what a write releases.
    fn acquire(&mut self, write: EventId, e: EventId) {
        if write != NONE {
            self.clocks.join(e, self.released.row(write));
        }
    }

    /// A fence that acquires does so for all reads before it, those before an earlier one of its thread are done with.
    fn fence(&mut self, g: &Graph, fence: EventId) {
        let Event { thread, index, order, .. } = *g.event(fence);
        if order.acquires() {
            for event in g.of_thread(thread)[..index as usize].iter().rev().map(|&e| g.event(e)) {
                match event.label {
                    Label::Fence if event.order.acquires() => break,
                    Label::Read if event.order != Order::Plain => self.acquire(event.source, fence),
                    _ => {}
                }
            }
        }
        if order.releases() {
            self.fences[thread.index()].push(fence);
        }
    }

    /// A write releases what is before it, or before the last fence of its thread that releases, and what it updates released.
    fn release(&mut self, g: &Graph, e: EventId) {
        let event = g.event(e);
        let order = self.order(event);
        if order == Order::Plain {
            return;
        }
        let fence = self.fences[event.thread.index()].last().copied().unwrap_or(NONE);
        self.released.join(e, self.clocks.row(if order.releases() { e } else { fence }));
        if event.update {
            self.released.join_within(e, g.event(g.before(e)).source);
        }
    }

    /// What is before or at an event.
    pub(crate) fn clock(&self, e: EventId) -> &[u32] {
        self.clocks.row(e)
    }

    /// What is before the event of a thread that has this index: before or at the one that precedes it.
    pub(crate) fn before(&self, g: &Graph, thread: ThreadId, index: u32) -> &[u32] {
        let before = if index > 0 { g.of_thread(thread)[index as usize - 1] } else { g.spawn_of(thread) };
        self.clock(before)
    }

    /// An event that races with this one, the latest: of another thread, to the same object, one of both plain, one of both a
    /// write, and not before it.
    pub(crate) fn race(&self, g: &Graph, e: EventId) -> Option<EventId> {
        let event = g.event(e);
        if !(event.is_read() || event.is_write()) {
            return None;
        }
        let clock = self.clock(e);
        let races = |other: EventId| {
            let before = g.event(other);
            before.label != Label::Ghost
                && before.thread != event.thread
                && (before.order == Order::Plain || event.order == Order::Plain)
                && !g.is_in(other, clock)
        };
        let object = event.object();
        let writes = g.co(object).iter().copied().filter(|&w| w != e && races(w));
        if event.is_read() {
            return writes.max();
        }
        let all = std::iter::once(NONE).chain(g.co(object).iter().copied());
        let reads = all.flat_map(|w| g.readers(object, w)).filter(|&r| r < e && races(r));
        writes.filter(|&w| w < e).chain(reads).max()
    }
}
