//! The clocks of events: how many events of each thread are in the history of each.

/// One row for each event.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    entries: Vec<u32>,
    /// How many entries a row has: as many as there are threads so far.
    width: usize,
}

impl Clocks {
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.entries[row * self.width..][..self.width]
    }

    /// A row becomes this clock.
    pub(super) fn keep(&mut self, row: usize, clock: &[u32]) {
        if clock.len() > self.width {
            self.widen(clock.len());
        }
        let start = row * self.width;
        if self.entries.len() < start + self.width {
            self.entries.resize(start + self.width, 0);
        }
        let entries = &mut self.entries[start..start + self.width];
        entries[..clock.len()].copy_from_slice(clock);
        entries[clock.len()..].fill(0);
    }

    #[cold]
    fn widen(&mut self, width: usize) {
        let rows = self.entries.len().checked_div(self.width).unwrap_or(0);
        let mut entries = Vec::with_capacity(rows * width);
        for row in 0..rows {
            entries.extend_from_slice(self.row(row));
            entries.resize((row + 1) * width, 0);
        }
        (self.entries, self.width) = (entries, width);
    }
}
