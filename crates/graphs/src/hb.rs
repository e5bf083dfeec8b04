//! Happens-before: program order, causes, and what releases and acquires synchronise.
//!
//! `sw = [E≥rel];([F];po)?;rs;rf;[R≥rlx];(po;[F])?;[E≥acq]` with `rs = [W≥rlx];(rf;rmw)*`. A write carries the clock of what
//! it releases; a read that acquires joins it, a relaxed one keeps it for a fence to come. Clocks never change once an event is
//! in the graph. A notify is before the relock of whom it woke, but synchronises nothing.

use crate::graph::{Event, EventId, Graph, Label, NONE};
use crate::matrix::{Matrix, join};
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
    clocks: Matrix,
    /// Of each write, what whoever acquires it is after.
    released: Matrix,
    /// For each thread: what its next event is after.
    next: Matrix,
    /// For each thread: what its next acquire fence is after.
    kept: Matrix,
    /// For each thread: its last release fence.
    fence: Matrix,
}

impl HappensBefore {
    pub(crate) fn new(strong: bool) -> Self {
        HappensBefore { strong, ..HappensBefore::default() }
    }

    pub(crate) fn clear(&mut self, g: &Graph) {
        self.grow(g);
        for matrix in [&mut self.clocks, &mut self.released] {
            matrix.clear();
        }
        for matrix in [&mut self.next, &mut self.kept, &mut self.fence] {
            matrix.reset(g.thread_count());
        }
    }

    /// Goes back to the clocks of the events that the graph has been cut back to.
    pub(crate) fn cut(&mut self, g: &Graph) {
        for matrix in [&mut self.clocks, &mut self.released] {
            matrix.cut(g.len());
        }
        for matrix in [&mut self.next, &mut self.kept, &mut self.fence] {
            matrix.reset(g.thread_count());
        }
        for (e, event) in g.events().iter().enumerate().filter(|(_, event)| event.label != Label::Ghost) {
            let thread = event.thread.index();
            self.next.row_mut(thread).copy_from_slice(self.clocks.row(e));
            match event.label {
                Label::Read if event.source != NONE && event.order != Order::Plain => {
                    join(self.kept.row_mut(thread), self.released.row(event.source as usize));
                }
                Label::Fence if event.order.releases() => {
                    self.fence.row_mut(thread).copy_from_slice(self.clocks.row(e));
                }
                _ => {}
            }
        }
    }

    fn grow(&mut self, g: &Graph) {
        let threads = g.thread_count();
        for matrix in [&mut self.clocks, &mut self.released, &mut self.next, &mut self.kept, &mut self.fence] {
            matrix.widen(threads);
        }
        for matrix in [&mut self.next, &mut self.kept, &mut self.fence] {
            matrix.lengthen(threads);
        }
    }

    /// The clock of the latest event.
    pub(crate) fn append(&mut self, g: &Graph, e: EventId) {
        if self.clocks.width() < g.thread_count() {
            self.grow(g);
        }
        let event = g.event(e);
        let thread = event.thread.index();
        self.clocks.push_copy(self.next.row(thread));
        self.released.push();
        if event.label == Label::Ghost {
            return;
        }
        let n = e as usize;
        let order = if self.strong && event.order != Order::Plain { Order::AcqRel } else { event.order };
        self.clocks.row_mut(n)[thread] = event.index + 1;
        match event.label {
            Label::Read => self.read(event.source, order, n, thread),
            Label::Fence if event.order.acquires() => {
                self.clocks.join(n, self.kept.row(thread));
            }
            _ => {}
        }
        if event.cause != NONE && synchronises(event) {
            self.clocks.join_within(n, event.cause as usize);
        }
        if event.index == 0 && g.spawn_of(event.thread) != NONE {
            self.clocks.join_within(n, g.spawn_of(event.thread) as usize);
        }
        match event.label {
            Label::Fence if event.order.releases() => self.fence.row_mut(thread).copy_from_slice(self.clocks.row(n)),
            Label::Write => self.write(g, e, order, thread),
            _ => {}
        }
        self.next.row_mut(thread).copy_from_slice(self.clocks.row(n));
    }

    fn read(&mut self, source: EventId, order: Order, n: usize, thread: usize) {
        if source == NONE || order == Order::Plain {
            return;
        }
        let released = self.released.row(source as usize);
        join(self.kept.row_mut(thread), released);
        if order.acquires() {
            self.clocks.join(n, released);
        }
    }

    fn write(&mut self, g: &Graph, e: EventId, order: Order, thread: usize) {
        let n = e as usize;
        if order == Order::Plain {
            return;
        }
        let released = if order.releases() { self.clocks.row(n) } else { self.fence.row(thread) };
        self.released.join(n, released);
        let event = g.event(e);
        if event.update {
            let source = g.event(g.before(e)).source;
            if source != NONE {
                self.released.join_within(n, source as usize);
            }
        }
    }

    /// What is before or at an event.
    pub(crate) fn clock(&self, e: EventId) -> &[u32] {
        self.clocks.row(e as usize)
    }

    /// What is before the event of a thread that has this index: before or at the one that precedes it.
    pub(crate) fn before(&self, g: &Graph, thread: ThreadId, index: u32) -> Option<&[u32]> {
        if index > 0 {
            return Some(self.clock(g.of_thread(thread)[index as usize - 1]));
        }
        let spawn = g.spawn_of(thread);
        (spawn != NONE).then(|| self.clock(spawn))
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
