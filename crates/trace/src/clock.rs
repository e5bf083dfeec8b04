//! Vector clocks: for each event, how many steps of each thread happen before it or are it. Rows of one matrix, so that
//! cutting and growing a trace allocates nothing.

use model::ThreadId;

#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    cells: Vec<u32>,
    width: usize,
}

impl Clocks {
    /// Makes room for a thread; the known rows get a zero for it.
    pub(crate) fn admit(&mut self, thread: ThreadId) {
        if thread.index() < self.width {
            return;
        }
        let width = (thread.index() + 1).next_power_of_two().max(4);
        let rows = self.cells.len().checked_div(self.width).unwrap_or(0);
        let mut cells = Vec::with_capacity(rows * width);
        for row in 0..rows {
            cells.extend_from_slice(self.row(row));
            cells.resize((row + 1) * width, 0);
        }
        self.cells = cells;
        self.width = width;
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.width..][..self.width]
    }

    #[inline]
    pub(crate) fn at(&self, row: usize, thread: ThreadId) -> u32 {
        self.cells[row * self.width + thread.index()]
    }

    /// A new last row of zeros.
    #[inline]
    pub(crate) fn push_zeros(&mut self) {
        self.cells.resize(self.cells.len() + self.width, 0);
    }

    /// A new last row like `row`.
    #[inline]
    pub(crate) fn push_like(&mut self, row: usize) {
        self.cells.extend_from_within(row * self.width..(row + 1) * self.width);
    }

    /// The last row's entry for a thread.
    #[inline]
    pub(crate) fn last(&self, thread: ThreadId) -> u32 {
        self.cells[self.cells.len() - self.width + thread.index()]
    }

    /// The last row takes the maximum with `row`.
    #[inline]
    pub(crate) fn join_last(&mut self, row: usize) {
        let start = self.cells.len() - self.width;
        let (rows, last) = self.cells.split_at_mut(start);
        for (mine, &theirs) in last.iter_mut().zip(&rows[row * self.width..][..self.width]) {
            *mine = (*mine).max(theirs);
        }
    }

    #[inline]
    pub(crate) fn set_last(&mut self, thread: ThreadId, steps: u32) {
        let start = self.cells.len() - self.width;
        self.cells[start + thread.index()] = steps;
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        self.cells.truncate(rows * self.width);
    }

    /// Makes `scratch` a copy of the last row.
    #[inline]
    pub(crate) fn copy_last(&self, scratch: &mut Vec<u32>) {
        scratch.clear();
        scratch.extend_from_slice(&self.cells[self.cells.len() - self.width..]);
    }

    /// `scratch` takes the maximum with `row`.
    #[inline]
    pub(crate) fn join_into(&self, scratch: &mut [u32], row: usize) {
        for (mine, &theirs) in scratch.iter_mut().zip(self.row(row)) {
            *mine = (*mine).max(theirs);
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }
}
