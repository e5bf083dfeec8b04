//! What steps read and write, as numbers.

use crate::model::Model;
use model::{Cell, MOVERS};

/// From here on, cells are those of channels.
const CHANNELS: Cell = 1 << 30;

/// So many cells are kept for each channel: it has at most 255 places.
const OF_CHANNEL: Cell = 3 + 256;

/// Which process holds all others up.
pub(super) const HOLDER: Cell = 1 << 29;

/// A variable or an element of one, by the first of its bytes.
pub(super) fn global(offset: usize) -> Cell {
    offset as Cell
}

/// How many processes there are.
pub(super) fn count(model: &Model) -> Cell {
    model.hidden
}

/// Who moved last.
pub(super) fn last(model: &Model) -> Cell {
    model.hidden + 1
}

/// All that is a process's own.
pub(super) fn mover(process: u8) -> Cell {
    MOVERS | Cell::from(process)
}

/// Whose local state a cell is.
pub(super) fn process(cell: Cell) -> Option<u8> {
    (cell >= MOVERS).then_some((cell & !MOVERS) as u8)
}

/// The parts of a channel, by its number from 0. A send that is possible and a receive that is possible touch different ones, unless
/// the one comes just before the other.
#[derive(Clone, Copy)]
pub(super) struct ChannelCells(Cell);

impl ChannelCells {
    pub(super) fn new(number: usize) -> Self {
        ChannelCells(CHANNELS + number as Cell * OF_CHANNEL)
    }

    /// Whether it is there.
    pub(super) fn life(self) -> Cell {
        self.0
    }

    /// How many messages were received.
    pub(super) fn head(self) -> Cell {
        self.0 + 1
    }

    /// How many messages were sent.
    pub(super) fn tail(self) -> Cell {
        self.0 + 2
    }

    /// What is in a place; places are used in turn.
    pub(super) fn place(self, place: usize) -> Cell {
        self.0 + 3 + place as Cell
    }
}
