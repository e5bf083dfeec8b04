//! Memory of a heap that is used again.

use super::{Block, HEADER, Heaps, OUTSIDE, UNIT, place};
use crate::layout;
use model::{Site, ThreadId};

impl Heaps {
    /// From now on, memory is used again.
    pub(crate) fn reuse(&self) {
        self.reuses.set(true);
    }

    /// Whether memory is used again.
    pub(crate) fn reuses(&self) -> bool {
        self.reuses.get()
    }

    /// How many blocks were freed whose memory cannot be used yet.
    pub(crate) fn freed(&self) -> usize {
        self.freed.get()
    }

    /// So many were.
    pub(crate) fn set_freed(&self, freed: usize) {
        self.freed.set(freed);
    }

    /// The blocks of a thread's heap that are freed, in the order of their addresses, but for those of the constructors.
    pub(crate) fn freed_blocks(&self, thread: ThreadId) -> impl Iterator<Item = Block> + '_ {
        self.blocks(thread).filter(|block| block.freed_at != Site::UNKNOWN && !self.is_kept(block))
    }

    /// A freed block is no block any more: as if nothing had ever been there.
    pub(crate) fn give_back(&self, thread: ThreadId, block: &Block) {
        let start = block.address - UNIT;
        let size = UNIT + block.size.next_multiple_of(UNIT);
        // SAFETY: the block and its header, which nobody uses any more.
        unsafe { std::ptr::write_bytes(start as *mut u8, 0, size) };
        self.states(start, size / UNIT).fill(OUTSIDE);
        self.freed.set(self.freed.get() - 1);
        self.shorten(thread);
    }

    /// What is behind the last block of a heap is not used.
    fn shorten(&self, thread: ThreadId) {
        let (heap, used) = (layout::heap_of(thread), self.used(thread));
        let kept = if thread.index() == 0 { self.kept.get() } else { 0 };
        let last = self.states(heap.start, used / UNIT).iter().rposition(|&state| state != OUTSIDE);
        let end = match last {
            // A block of no bytes has a header all the same, and none of them is shorter than it was.
            Some(last) => (last + 1) * UNIT,
            None => 0,
        };
        self.cut(thread, end.max(kept));
    }

    /// The first place between blocks, behind those of the constructors, where there is room for a block. None if memory is not
    /// used again.
    pub(super) fn room_between(&self, thread: ThreadId, size: usize, align: usize) -> Option<usize> {
        if !self.reuses() {
            return None;
        }
        let (heap, used) = (layout::heap_of(thread), self.used(thread));
        let kept = if thread.index() == 0 { self.kept.get() } else { 0 };
        let mut next = heap.start + kept;
        while next < heap.start + used {
            if self.states(next, 1)[0] == HEADER {
                next += UNIT + self.block(next + UNIT).size.next_multiple_of(UNIT);
                continue;
            }
            let rest = self.states(next, (heap.start + used - next) / UNIT);
            let free = rest.iter().take_while(|&&state| state == OUTSIDE).count();
            let (address, end) = place(next, size, align)?;
            if end <= next + free * UNIT {
                return Some(address);
            }
            next += free.max(1) * UNIT;
        }
        None
    }
}
