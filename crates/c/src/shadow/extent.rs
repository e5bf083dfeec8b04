//! Pieces of memory that are objects.

use super::GRANULE;
use model::{ObjectId, ThreadId};

/// What is known of 8 bytes that several threads touch: which object each byte belongs to.
#[derive(Clone, Copy)]
pub(super) struct Granule {
    pub(super) objects: [ObjectId; GRANULE],
    /// Which bytes were accessed atomically.
    pub(super) atomic: u8,
}

impl Granule {
    pub(super) const NEW: Granule = Granule { objects: [ObjectId::NONE; GRANULE], atomic: 0 };
}

/// An object in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) address: usize,
    pub(crate) size: usize,
    /// Who touched it first.
    pub(super) owner: ThreadId,
    /// Whether somebody else did, too.
    pub(super) shared: bool,
    /// Whether it is one for the sake of accesses that cannot be split.
    pub(super) melted: bool,
}

impl Extent {
    /// Bytes that need not be an object.
    pub(crate) fn of(address: usize, size: usize) -> Self {
        Extent { address, size, owner: ThreadId(0), shared: false, melted: false }
    }

    pub(super) fn is_whole(&self, address: usize, size: usize) -> bool {
        self.address == address && self.size == size
    }
}

/// What an access touches, and how many of its bytes this is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    /// Memory that no other thread touches.
    Private(usize),
    /// An object.
    Shared(ObjectId, usize),
}
