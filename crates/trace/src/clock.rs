//! Vector clocks: for each event, how many steps of each thread happen before it or are it. Rows of one matrix, so that
//! cutting and growing a trace allocates nothing.

use model::ThreadId;

/// Entries are kept and joined by four at a time, which is one vector register.
const LANES: usize = 4;
type Lanes = [u32; LANES];

#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    cells: Vec<Lanes>,
    /// How many [`Lanes`] a row has.
    width: usize,
}

#[inline]
fn join(mine: &mut Lanes, theirs: Lanes) {
    for lane in 0..LANES {
        mine[lane] = mine[lane].max(theirs[lane]);
    }
}

impl Clocks {
    /// Makes room for a thread; the known rows get a zero for it.
    #[cold]
    pub(crate) fn admit(&mut self, thread: ThreadId) {
        if thread.index() < self.width() {
            return;
        }
        let width = (thread.index() + 1).div_ceil(LANES).max(self.width + self.width / 4);
        let rows = self.cells.len().checked_div(self.width).unwrap_or(0);
        let mut cells = Vec::with_capacity(rows * width);
        for row in 0..rows {
            cells.extend_from_slice(&self.cells[row * self.width..][..self.width]);
            cells.resize((row + 1) * width, [0; LANES]);
        }
        self.cells = cells;
        self.width = width;
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        self.cells[row * self.width..][..self.width].as_flattened()
    }

    #[inline]
    pub(crate) fn at(&self, row: usize, thread: ThreadId) -> u32 {
        self.cells.as_flattened()[row * self.width() + thread.index()]
    }

    /// The entries for a thread, from this row on.
    #[inline]
    pub(crate) fn column(&self, row: usize, thread: ThreadId) -> impl Iterator<Item = u32> + '_ {
        self.cells[row * self.width..]
            .chunks_exact(self.width.max(1))
            .map(move |row| row.as_flattened()[thread.index()])
    }

    /// A new last row of zeros.
    #[inline]
    pub(crate) fn push_zeros(&mut self) {
        self.cells.resize(self.cells.len() + self.width, [0; LANES]);
    }

    /// A new last row like `row`.
    #[inline]
    pub(crate) fn push_like(&mut self, row: usize) {
        self.cells.extend_from_within(row * self.width..(row + 1) * self.width);
    }

    /// The last row's entry for a thread.
    #[inline]
    pub(crate) fn last(&self, thread: ThreadId) -> u32 {
        self.cells[self.cells.len() - self.width..].as_flattened()[thread.index()]
    }

    /// The last row takes the maximum with `row`.
    #[inline]
    pub(crate) fn join_last(&mut self, row: usize) {
        let start = self.cells.len() - self.width;
        let (rows, last) = self.cells.split_at_mut(start);
        for (mine, &theirs) in last.iter_mut().zip(&rows[row * self.width..]) {
            join(mine, theirs);
        }
    }

    #[inline]
    pub(crate) fn set_last(&mut self, thread: ThreadId, steps: u32) {
        let start = self.cells.len() - self.width;
        self.cells[start..].as_flattened_mut()[thread.index()] = steps;
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        self.cells.truncate(rows * self.width);
    }

    /// Makes `scratch` a copy of the last row.
    #[inline]
    pub(crate) fn copy_last(&self, scratch: &mut Vec<u32>) {
        scratch.clear();
        scratch.extend_from_slice(self.cells[self.cells.len() - self.width..].as_flattened());
    }

    /// `scratch` takes the maximum with `row`.
    #[inline]
    pub(crate) fn join_into(&self, scratch: &mut [u32], row: usize) {
        for (mine, &theirs) in scratch.iter_mut().zip(self.row(row)) {
            *mine = (*mine).max(theirs);
        }
    }

    /// How many entries a row has.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        self.width * LANES
    }
}
