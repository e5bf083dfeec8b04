//! The program's heaps: one for each thread, so that where a block is depends on nothing but what its thread did.
//!
//! A block is never used again within a run, so that its uses after it was freed are seen; or, where states are compared, once
//! nothing leads to it any more (see `crate::reuse`), so that a program which allocates and frees for ever has as many states as
//! it has. What each 16 bytes are is kept in one byte: not of a block, the header of a block, freed, or so many bytes of a block.

mod room;

use crate::layout::{self, HEAP_SIZE, HEAPS, MAX_THREADS};
use model::{Site, ThreadId};
use std::cell::Cell;
use std::io;
use std::ops::Range;

/// A unit of the heap; blocks begin at multiples of it, each behind a header of one unit.
const UNIT: usize = 16;

const OUTSIDE: u8 = 0;
const HEADER: u8 = 0xF0;
const FREED: u8 = 0xFF;

/// What new memory is filled with, so that a use of it without initialisation does the same in every run.
pub(crate) const FILL: u8 = 0xA5;
/// Larger blocks come from the system, as zeros.
const LARGE: usize = 1 << 20;
const PAGE: usize = 4096;

/// All heaps together have at most so many bytes in use: a program that asks for more gets none, instead of the memory of
/// the whole machine.
const MOST_BYTES: usize = 4 << 30;

/// What is kept in front of a block.
#[derive(Clone, Copy)]
#[repr(C)]
struct Header {
    size: usize,
    allocated_at: Site,
    freed_at: Site,
}

/// A block of the heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) address: usize,
    pub(crate) size: usize,
    pub(crate) allocated_at: Site,
    pub(crate) freed_at: Site,
}

/// How memory of the heap can be used wrongly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    OutOfBounds,
    UseAfterFree,
    DoubleFree,
    /// Not the start of a block.
    InvalidFree,
}

/// All heaps.
pub(crate) struct Heaps {
    /// For each unit of all heaps, what it is.
    states: *mut u8,
    /// For each thread, how much of its heap is used.
    used: Box<[Cell<usize>]>,
    /// How much of all heaps is used.
    all_used: Cell<usize>,
    /// What was used by the program's constructors, before its main function.
    kept: Cell<usize>,
    live: Cell<usize>,
    kept_live: Cell<usize>,
    /// For each thread, how much of its heap was ever used, in any run: what is behind is zeros.
    touched: Box<[Cell<usize>]>,
    /// Whether memory is used again.
    reuses: Cell<bool>,
    /// How many freed blocks are not used again yet.
    freed: Cell<usize>,
}

impl Heaps {
    pub(crate) fn new() -> io::Result<Self> {
        layout::reserve(MAX_THREADS * HEAP_SIZE, Some(HEAPS))?;
        Ok(Heaps {
            states: layout::reserve(MAX_THREADS * HEAP_SIZE / UNIT, None)?,
            used: vec![Cell::new(0); MAX_THREADS].into_boxed_slice(),
            all_used: Cell::new(0),
            kept: Cell::new(0),
            live: Cell::new(0),
            kept_live: Cell::new(0),
            touched: vec![Cell::new(0); MAX_THREADS].into_boxed_slice(),
            reuses: Cell::new(false),
            freed: Cell::new(0),
        })
    }

    #[allow(clippy::mut_from_ref, reason = "one OS thread, and no reference is kept")]
    fn states(&self, start: usize, units: usize) -> &mut [u8] {
        // SAFETY: the caller's units are of the heaps, of which each has its byte; one OS thread, and no two answers are
        // alive at a time.
        unsafe { std::slice::from_raw_parts_mut(self.states.add((start - HEAPS) / UNIT), units) }
    }

    /// A new block, filled with a byte; `None` when the heap is used up.
    pub(crate) fn allocate(&self, thread: ThreadId, size: usize, align: usize, fill: u8, site: Site) -> Option<usize> {
        let address = match self.room_between(thread, size, align) {
            Some(address) => address,
            None => self.extend(thread, size, align)?,
        };
        self.live.set(self.live.get() + 1);
        let header = Header { size, allocated_at: site, freed_at: Site::UNKNOWN };
        // SAFETY: within the heap, which is mapped, and aligned.
        unsafe { ((address - UNIT) as *mut Header).write(header) };
        self.states(address - UNIT, 1)[0] = HEADER;
        let units = size.div_ceil(UNIT);
        let states = self.states(address, units);
        states.fill(UNIT as u8);
        if let Some(last) = states.last_mut()
            && !size.is_multiple_of(UNIT)
        {
            *last = (size % UNIT) as u8;
        }
        if size < LARGE {
            // SAFETY: the block is new and of this size.
            unsafe { std::ptr::write_bytes(address as *mut u8, fill, size) };
        }
        Some(address)
    }

    /// A place for a block at the end of a heap, which is longer from now on.
    fn extend(&self, thread: ThreadId, size: usize, align: usize) -> Option<usize> {
        let heap = layout::heap_of(thread);
        let used = self.used[thread.index()].get();
        let (address, end) = place(heap.start + used, size, align)?;
        let all = self.all_used.get() + end - heap.start - used;
        if end > heap.end || all > MOST_BYTES {
            return None;
        }
        self.all_used.set(all);
        self.used[thread.index()].set(end - heap.start);
        let touched = self.touched[thread.index()].get();
        if size >= LARGE {
            clear(address..heap.start + touched);
        }
        if self.reuses() {
            // What other runs left there is no part of this one's state.
            let size = if size >= LARGE { address } else { end } - heap.start - used;
            // SAFETY: within the heap, behind all that is used.
            unsafe { std::ptr::write_bytes((heap.start + used) as *mut u8, 0, size) };
        }
        self.touched[thread.index()].set(touched.max(end - heap.start));
        Some(address)
    }

    /// Whether an access of `size` bytes at an address of the heap is within one block that is not freed.
    #[inline]
    pub(crate) fn check(&self, address: usize, size: usize) -> Result<(), Fault> {
        let last = address + size - 1;
        // SAFETY: the caller's address is of the heaps.
        let (first_state, last_state) =
            unsafe { (*self.states.add((address - HEAPS) / UNIT), *self.states.add((last - HEAPS) / UNIT)) };
        if first_state.wrapping_sub(1) < UNIT as u8 && last % UNIT < last_state as usize && last_state <= UNIT as u8 {
            return Ok(());
        }
        Err(if first_state == FREED || last_state == FREED { Fault::UseAfterFree } else { Fault::OutOfBounds })
    }

    /// The block that starts at `address`, to be freed.
    pub(crate) fn to_free(&self, address: usize) -> Result<Block, Fault> {
        if layout::heap_owner(address).is_none()
            || !address.is_multiple_of(UNIT)
            || layout::heap_owner(address - UNIT).is_none()
            || self.states(address - UNIT, 1)[0] != HEADER
        {
            return Err(Fault::InvalidFree);
        }
        let block = self.block(address);
        if block.freed_at == Site::UNKNOWN { Ok(block) } else { Err(Fault::DoubleFree) }
    }

    /// Frees a block that [`Heaps::to_free`] answered.
    pub(crate) fn free(&self, block: &Block, site: Site) {
        // SAFETY: as in `block`.
        unsafe { (*((block.address - UNIT) as *mut Header)).freed_at = site };
        self.states(block.address, block.size.div_ceil(UNIT)).fill(FREED);
        self.live.set(self.live.get() - 1);
        self.freed.set(self.freed.get() + 1);
    }

    fn block(&self, address: usize) -> Block {
        // SAFETY: there is a header in front of every block.
        let header = unsafe { *((address - UNIT) as *const Header) };
        Block { address, size: header.size, allocated_at: header.allocated_at, freed_at: header.freed_at }
    }

    /// The block that an address is in, or the last one before it.
    pub(crate) fn block_of(&self, address: usize) -> Option<Block> {
        let heap = layout::heap_of(layout::heap_owner(address)?);
        let unit = (address - heap.start) / UNIT;
        let before = self.states(heap.start, unit + 1).iter().rposition(|&state| state == HEADER)?;
        Some(self.block(heap.start + (before + 1) * UNIT))
    }

    /// Whether there are more blocks than the constructors left.
    pub(crate) fn has_more_than_kept(&self) -> bool {
        self.live.get() > self.kept_live.get()
    }

    /// The blocks of a thread's heap that are not freed, in the order of their addresses.
    pub(crate) fn live_blocks(&self, thread: ThreadId) -> impl Iterator<Item = Block> + '_ {
        self.blocks(thread).filter(|block| block.freed_at == Site::UNKNOWN)
    }

    fn blocks(&self, thread: ThreadId) -> impl Iterator<Item = Block> + '_ {
        let heap = layout::heap_of(thread);
        let units = 0..self.used[thread.index()].get() / UNIT;
        let headers = units.filter(move |unit| self.states(heap.start + unit * UNIT, 1)[0] == HEADER);
        headers.map(move |unit| self.block(heap.start + (unit + 1) * UNIT))
    }

    /// How much of a thread's heap is used.
    pub(crate) fn used(&self, thread: ThreadId) -> usize {
        self.used[thread.index()].get()
    }

    /// Where it is kept what the first so many bytes of a thread's heap are.
    pub(crate) fn states_at(&self, thread: ThreadId, used: usize) -> Range<usize> {
        let start = self.states as usize + (layout::heap_of(thread).start - HEAPS) / UNIT;
        start..start + used / UNIT
    }

    /// The first so many bytes of a thread's heap are used. If those are more than before, the caller says what they are.
    pub(crate) fn cut(&self, thread: ThreadId, used: usize) {
        let before = self.used[thread.index()].replace(used);
        self.all_used.set(self.all_used.get() + used - before);
        if before > used {
            self.states(layout::heap_of(thread).start + used, (before - used) / UNIT).fill(OUTSIDE);
        }
    }

    /// How many blocks are not freed.
    pub(crate) fn live(&self) -> usize {
        self.live.get()
    }

    /// So many blocks are not freed.
    pub(crate) fn set_live(&self, live: usize) {
        self.live.set(live);
    }

    /// The constructors have run: what they allocated is never lost.
    pub(crate) fn keep(&self) {
        self.kept.set(self.used[0].get());
        self.kept_live.set(self.live.get());
    }

    /// Whether the constructors allocated a block.
    pub(crate) fn is_kept(&self, block: &Block) -> bool {
        block.address < HEAPS + self.kept.get()
    }
}

/// Where a block is that comes behind this address, with its header, and where it ends.
fn place(behind: usize, size: usize, align: usize) -> Option<(usize, usize)> {
    let address = (behind + UNIT).checked_next_multiple_of(align.max(UNIT))?;
    Some((address, address.checked_add(size)?.checked_next_multiple_of(UNIT)?))
}

/// Makes zeros of memory of a heap that no block is in, up to the end of the last page.
fn clear(range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    let pages = range.start.next_multiple_of(PAGE)..range.end.next_multiple_of(PAGE);
    // SAFETY: memory of which nobody keeps a reference: the rest of a page, and whole pages, which the system has as zeros
    // when they are used next.
    unsafe {
        std::ptr::write_bytes(range.start as *mut u8, 0, pages.start - range.start);
        libc::madvise(pages.start as *mut libc::c_void, pages.len(), libc::MADV_DONTNEED);
    }
}

#[cfg(test)]
mod tests;
