//! Rows of counts, of one width, one after the other.

/// Clocks: a row for each event or thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    cells: Vec<u32>,
    width: usize,
}

impl Matrix {
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
    }

    /// The first so many rows stay.
    pub(crate) fn cut(&mut self, rows: usize) {
        self.cells.truncate(rows * self.width);
    }

    /// So many rows of zeros.
    pub(crate) fn reset(&mut self, rows: usize) {
        self.cells.clear();
        self.cells.resize(rows * self.width, 0);
    }

    /// Rows of zeros up to so many.
    pub(crate) fn lengthen(&mut self, rows: usize) {
        self.cells.resize((rows * self.width).max(self.cells.len()), 0);
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Wider rows, with zeros at their ends.
    pub(crate) fn widen(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        let rows = self.cells.len().checked_div(self.width).unwrap_or(0);
        let mut cells = vec![0; rows * width];
        for row in 0..rows {
            cells[row * width..][..self.width].copy_from_slice(self.row(row));
        }
        (self.cells, self.width) = (cells, width);
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.width..][..self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.cells[row * self.width..][..self.width]
    }

    /// A new row, of zeros.
    pub(crate) fn push(&mut self) {
        self.cells.resize(self.cells.len() + self.width, 0);
    }

    /// A new row like this one.
    pub(crate) fn push_copy(&mut self, row: &[u32]) {
        self.cells.extend_from_slice(row);
    }

    /// Joins another row of the same matrix.
    pub(crate) fn join_within(&mut self, to: usize, from: usize) -> bool {
        let Matrix { cells, width } = self;
        let width = *width;
        if to == from {
            return false;
        }
        let (low, high) = cells.split_at_mut(to.max(from) * width);
        let (low, high) = (&mut low[to.min(from) * width..][..width], &mut high[..width]);
        if to < from { join(low, high) } else { join(high, low) }
    }

    /// Joins a row; says whether that changed anything.
    pub(crate) fn join(&mut self, to: usize, row: &[u32]) -> bool {
        join(self.row_mut(to), row)
    }
}

/// The larger of both in each place; says whether `to` changed.
#[inline]
pub(crate) fn join(to: &mut [u32], from: &[u32]) -> bool {
    let mut changed = false;
    for (to, &from) in to.iter_mut().zip(from) {
        changed |= *to < from;
        *to = from.max(*to);
    }
    changed
}
