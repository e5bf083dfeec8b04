//! Notes which blocks of memory the threads of a run allocate, so that objects in them have an identity (see `place`).

use crate::context::{self, Context, Table};
use crate::perform::wipe_if_watched;
use crate::place::Creator;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::sync::atomic::{AtomicBool, Ordering};

/// An allocator, the system's if no other is given, which also notes what the threads of checked programs allocate. It is
/// meant to be the `#[global_allocator]`; outside of checks it does nothing of its own.
pub struct Recording<A = System>(A);

impl<A> Recording<A> {
    /// Over this allocator.
    pub const fn new(allocator: A) -> Self {
        Recording(allocator)
    }
}

/// Whether [`Recording`] is known to be the global allocator of this process. Known when a check has begun.
pub fn records() -> bool {
    RECORDS.load(Ordering::Relaxed)
}

/// Whether [`Recording`] is the global allocator of this process. Set by the first recorded block; a check starts with one.
static RECORDS: AtomicBool = AtomicBool::new(false);

// SAFETY: every call is passed on to the allocator within.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Recording<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        context::allocating();
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.alloc(layout) };
        note(start, layout.size());
        // SAFETY: the block is new, and so large.
        unsafe { wipe(start, 0, layout.size()) };
        start
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        context::allocating();
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.alloc_zeroed(layout) };
        note(start, layout.size());
        start
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(context) = context::allocating()
            && context.tokens.are_within(block as usize, layout.size())
        {
            context.blocks.freed(block as usize);
            return context.tokens.keep(block, layout);
        }
        // SAFETY: as promised by the caller.
        unsafe { self.0.dealloc(block, layout) };
        if let Some(context) = context::present() {
            context.blocks.freed(block as usize);
            wipe_if_watched(context);
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if let Some(context) = context::allocating()
            && context.tokens.are_within(block as usize, layout.size())
        {
            // SAFETY: as promised by the caller; both blocks are as large as what is copied.
            return unsafe { self.move_block(block, layout, size) };
        }
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.realloc(block, layout, size) };
        if let Some(context) = context::recording() {
            context.blocks.moved(block as usize, start as usize, size);
        }
        // SAFETY: the block is so large, and what was added to it is new.
        unsafe { wipe(start, layout.size(), size) };
        start
    }
}

impl<A: GlobalAlloc> Recording<A> {
    /// A new block with what is in the old one, which is freed.
    ///
    /// # Safety
    /// As for [`GlobalAlloc::realloc`].
    #[cold]
    unsafe fn move_block(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is right for the alignment, and that the block is there.
        unsafe {
            let start = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !start.is_null() {
                std::ptr::copy_nonoverlapping(block, start, layout.size().min(size));
                self.dealloc(block, layout);
            }
            start
        }
    }
}

#[inline]
fn note(start: *mut u8, size: usize) {
    if let Some(context) = context::recording() {
        note_in(context, start as usize, size);
    }
}

/// A part of a block that is new becomes zeros, if local states are asked for: what the allocator left there is not the thread's
/// own, but would be part of its local state.
///
/// # Safety
/// The block, if it is one, must have `to` bytes, of which nobody uses those from `from` on.
#[inline]
unsafe fn wipe(start: *mut u8, from: usize, to: usize) {
    let is_watched = || context::recording().is_some_and(|context| context.running().unseen.is_watched());
    if !start.is_null() && from < to && is_watched() {
        // SAFETY: promised by the caller.
        unsafe { start.add(from).write_bytes(0, to - from) };
    }
}

#[inline(never)]
fn note_in(context: &Context, start: usize, size: usize) {
    let (creator, nth) = context.count_created(|created| created.block(size));
    context.blocks.add(Block { start, end: start + size, size, creator, nth, is_counted: false });
    wipe_if_watched(context);
}

/// Called while nothing of a check runs: finds out whether this process uses [`Recording`].
pub(crate) fn probe(context: &Context) {
    if !RECORDS.load(Ordering::Relaxed) {
        let before = context.blocks.len();
        context.record(|| drop(std::hint::black_box(Box::new(0u64))));
        RECORDS.store(context.blocks.len() > before, Ordering::Relaxed);
        // The block is none of the program's: its own have the same numbers in the first run as in every other.
        context.running().created.clear();
    }
    context.blocks.recorded.set(RECORDS.load(Ordering::Relaxed));
}

/// A block of memory that a thread of this run allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The size it was first allocated with.
    pub(crate) size: usize,
    pub(crate) creator: Creator,
    pub(crate) nth: u32,
    /// Whether it begins with two counts of references.
    pub(crate) is_counted: bool,
}

/// The blocks of a run, in the order of their allocation. Those that were freed stay: a block that took the place of
/// another comes later, and the latest is found first.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: UnsafeCell<Vec<Block>>,
    /// What was freed: an address, and how many blocks had been allocated by then.
    freed: UnsafeCell<Vec<(usize, usize)>>,
    live: RefCell<Live>,
    /// All of them lie between these addresses.
    bounds: Cell<(usize, usize)>,
    recorded: Cell<bool>,
}

/// The blocks that are there, as far as the lists have been read.
#[derive(Default)]
struct Live {
    /// Where each begins and ends, with its number, in the order of addresses.
    blocks: Vec<(usize, usize, usize)>,
    /// How much has been read of both lists.
    read: (usize, usize),
}

impl Blocks {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.live
    }

    fn add(&self, block: Block) {
        let (lowest, highest) = self.bounds.get();
        let lowest = if highest == 0 { block.start } else { lowest.min(block.start) };
        self.bounds.set((lowest, highest.max(block.end)));
        // SAFETY: one OS thread, and nobody keeps a reference into the list. Growing it allocates, and the allocator
        // is this one: `quietly` keeps it from coming back here.
        context::quietly(|| unsafe { (*self.blocks.get()).push(block) });
    }

    fn moved(&self, from: usize, to: usize, size: usize) {
        // SAFETY: as in `add`; nothing is allocated.
        let blocks = unsafe { &mut *self.blocks.get() };
        if let Some(block) = blocks.iter().rev().find(|block| block.start == from).copied() {
            self.freed(from);
            self.add(Block { start: to, end: to + size, ..block });
        }
    }

    /// The block that was allocated last, if `address` is in it, begins with counts of references.
    pub(crate) fn count(&self, address: usize) {
        // SAFETY: as in `add`; nothing is allocated.
        let last = unsafe { (*self.blocks.get()).last_mut() };
        if let Some(block) = last.filter(|block| (block.start..=block.end).contains(&address)) {
            block.is_counted = true;
        }
    }

    /// A block is freed, of this run or not.
    #[inline]
    fn freed(&self, start: usize) {
        // SAFETY: as in `add`.
        let allocated = unsafe { (*self.blocks.get()).len() };
        if allocated > 0 {
            // SAFETY: as in `add`.
            context::quietly(|| unsafe { (*self.freed.get()).push((start, allocated)) });
        }
    }

    /// The block that `address` is in, or just behind, if it was not freed.
    pub(crate) fn find_live(&self, address: usize) -> Option<Block> {
        let (lowest, highest) = self.bounds.get();
        if !(lowest..=highest).contains(&address) {
            return None;
        }
        let mut live = self.live.borrow_mut();
        // SAFETY: as in `add`; nothing is allocated while the references are used, but by the map, quietly.
        let (blocks, freed) = unsafe { (&*self.blocks.get(), &*self.freed.get()) };
        if live.read != (blocks.len(), freed.len()) {
            live.read_on(blocks, freed);
        }
        let place = live.blocks.partition_point(|&(start, ..)| start <= address).checked_sub(1)?;
        let (_, end, number) = live.blocks[place];
        (address <= end).then(|| blocks[number])
    }

    /// The block that `address` is in.
    pub(crate) fn find(&self, address: usize) -> Option<Block> {
        // SAFETY: as in `add`; nothing is allocated.
        let blocks = unsafe { &*self.blocks.get() };
        blocks.iter().rev().find(|block| (block.start..block.end).contains(&address)).copied()
    }

    pub(crate) fn are_recorded(&self) -> bool {
        self.recorded.get()
    }

    /// How many blocks were allocated, and how many freed: what is there is the same as long as these are.
    pub(crate) fn lists(&self) -> (usize, usize) {
        // SAFETY: as in `add`; nothing is allocated.
        unsafe { ((*self.blocks.get()).len(), (*self.freed.get()).len()) }
    }

    /// How many blocks were allocated.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: as in `add`; nothing is allocated.
        unsafe { (*self.blocks.get()).len() }
    }

    /// A new run begins.
    pub(crate) fn clear(&self) {
        self.bounds.set((0, 0));
        // SAFETY: as in `add`; nothing is allocated.
        unsafe {
            (*self.blocks.get()).clear();
            (*self.freed.get()).clear();
        }
        let mut live = self.live.borrow_mut();
        if live.read != (0, 0) {
            live.read = (0, 0);
            live.blocks.clear();
        }
    }
}

impl Live {
    /// Where the block that begins there is in the list, or where it would be.
    fn place(&self, start: usize) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&start, |&(start, ..)| start)
    }

    /// Reads what is new in the lists.
    fn read_on(&mut self, blocks: &[Block], freed: &[(usize, usize)]) {
        let (mut allocated, mut gone) = self.read;
        while allocated < blocks.len() || gone < freed.len() {
            match freed.get(gone) {
                Some(&(start, by_then)) if by_then <= allocated => {
                    if let Ok(place) = self.place(start) {
                        self.blocks.remove(place);
                    }
                    gone += 1;
                }
                _ => {
                    let Block { start, end, .. } = blocks[allocated];
                    match self.place(start) {
                        Ok(place) => self.blocks[place] = (start, end, allocated),
                        Err(place) => self.blocks.insert(place, (start, end, allocated)),
                    }
                    allocated += 1;
                }
            }
        }
        self.read = (allocated, gone);
    }
}
