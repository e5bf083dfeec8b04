//! Rows of counts, of one width: a row for each event, and one of zeros for [`NONE`].

use crate::graph::{Event, EventId, NONE};

/// Counts are joined so many at once: rows are as wide as a number of these.
const AT_ONCE: usize = 4;

/// Clocks of events: what is before nothing is nothing, so that nobody has to ask whether there is an event before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    /// The row of [`NONE`], those of the events, and room for more.
    cells: Vec<u32>,
    width: usize,
    events: usize,
}

impl Clocks {
    /// How many events have a row.
    pub(crate) fn len(&self) -> usize {
        self.events
    }

    pub(crate) fn clear(&mut self) {
        self.events = 0;
    }

    /// The rows of the first so many events stay.
    pub(crate) fn cut(&mut self, events: usize) {
        self.events = self.events.min(events);
    }

    /// Rows of zeros for all events up to so many.
    pub(crate) fn lengthen(&mut self, events: usize) {
        let first = (self.events + 1) * self.width;
        self.events = self.events.max(events);
        self.make_room();
        self.cells[first..(self.events + 1) * self.width].fill(0);
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Wider rows, with zeros at their ends.
    #[inline]
    pub(crate) fn widen(&mut self, width: usize) {
        if width > self.width {
            self.make_wider(width);
        }
    }

    fn make_wider(&mut self, width: usize) {
        let width = width.next_multiple_of(AT_ONCE);
        let mut cells = vec![0; (self.events + 1) * width];
        if self.width > 0 {
            for (wide, row) in cells.chunks_exact_mut(width).zip(self.cells.chunks_exact(self.width)) {
                wide[..self.width].copy_from_slice(row);
            }
        }
        (self.cells, self.width) = (cells, width);
    }

    /// Room for as many rows as there are.
    #[inline]
    fn make_room(&mut self) {
        let cells = (self.events + 1) * self.width;
        if self.cells.len() < cells {
            self.cells.resize(2 * cells, 0);
        }
    }

    #[inline]
    fn start(&self, e: EventId) -> usize {
        // The row of NONE, the largest of all numbers, is the first.
        e.wrapping_add(1) as usize * self.width
    }

    #[inline]
    pub(crate) fn row(&self, e: EventId) -> &[u32] {
        &self.cells[self.start(e)..][..self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, e: EventId) -> &mut [u32] {
        debug_assert_ne!(e, NONE);
        let start = self.start(e);
        &mut self.cells[start..][..self.width]
    }

    /// The row of the next event is like this one.
    #[inline]
    pub(crate) fn push_copy(&mut self, of: EventId) {
        let (new, start) = ((self.events + 1) * self.width, self.start(of));
        self.events += 1;
        self.make_room();
        let (old, new) = self.cells.split_at_mut(new);
        for (new, &old) in new.as_chunks_mut::<AT_ONCE>().0.iter_mut().zip(old[start..][..self.width].as_chunks().0) {
            *new = old;
        }
    }

    /// Joins the row of an event to that of another one. Says whether that changed it.
    #[inline]
    pub(crate) fn join_within(&mut self, to: EventId, from: EventId) -> bool {
        if from == NONE || to == from {
            return false;
        }
        let (to_start, from_start) = (self.start(to), self.start(from));
        let (low, high) = self.cells.split_at_mut(to_start.max(from_start));
        let (low, high) = (&mut low[to_start.min(from_start)..][..self.width], &mut high[..self.width]);
        if to < from { join(low, high) } else { join(high, low) }
    }

    /// The same where the row of an event has all that was before it when the row was last joined: a row that counts it has that, too.
    #[inline]
    pub(crate) fn join_event(&mut self, to: EventId, from: EventId, event: &Event) {
        if self.row(to)[event.thread.index()] <= event.index {
            self.join_within(to, from);
        }
    }

    /// Joins a row; says whether that changed anything.
    #[inline]
    pub(crate) fn join(&mut self, to: EventId, row: &[u32]) -> bool {
        join(self.row_mut(to), row)
    }
}

/// The larger of both in each place of two rows of the same width; says whether `to` changed.
#[inline]
pub(crate) fn join(to: &mut [u32], from: &[u32]) -> bool {
    let mut changed = 0;
    for (to, from) in to.as_chunks_mut::<AT_ONCE>().0.iter_mut().zip(from.as_chunks::<AT_ONCE>().0) {
        for (to, &from) in to.iter_mut().zip(from) {
            let larger = from.max(*to);
            changed |= larger ^ *to;
            *to = larger;
        }
    }
    changed != 0
}
