//! Notes which blocks of memory the threads of a run allocate, so that objects in them have an identity (see `place`).

use crate::context::{self, Context};
use crate::place::Creator;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's allocator, which also notes what the threads of checked programs allocate. It is meant to be the
/// `#[global_allocator]`; outside of checks it does nothing of its own.
pub struct Recording;

/// Whether [`Recording`] is the global allocator of this process. Set by the first recorded block; a check starts with one.
static RECORDS: AtomicBool = AtomicBool::new(false);

// SAFETY: every call is passed on to `System`.
unsafe impl GlobalAlloc for Recording {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let start = unsafe { System.alloc(layout) };
        note(start, layout.size());
        start
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let start = unsafe { System.alloc_zeroed(layout) };
        note(start, layout.size());
        start
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(context) = context::recording()
            && context.tokens.are_within(block as usize, layout.size())
        {
            return context.tokens.keep(block, layout);
        }
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if let Some(context) = context::recording()
            && context.tokens.are_within(block as usize, layout.size())
        {
            // SAFETY: as promised by the caller; both blocks are as large as what is copied.
            return unsafe { self.move_block(block, layout, size) };
        }
        // SAFETY: as promised by the caller.
        let start = unsafe { System.realloc(block, layout, size) };
        if let Some(context) = context::recording() {
            context.blocks.moved(block as usize, start as usize, size);
        }
        start
    }
}

impl Recording {
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

fn note_in(context: &Context, start: usize, size: usize) {
    let (creator, nth) = context.count_created(|created| created.block(size));
    context.blocks.add(Block { start, end: start + size, size, creator, nth });
}

/// Called while nothing of a check runs: finds out whether this process uses [`Recording`].
pub(crate) fn probe(context: &Context) {
    if !RECORDS.load(Ordering::Relaxed) {
        let before = context.blocks.len();
        context.record(|| drop(std::hint::black_box(Box::new(0u64))));
        RECORDS.store(context.blocks.len() > before, Ordering::Relaxed);
    }
    context.blocks.recorded.set(RECORDS.load(Ordering::Relaxed));
}

/// A block of memory that a thread of this run allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) start: usize,
    end: usize,
    /// The size it was first allocated with.
    pub(crate) size: usize,
    pub(crate) creator: Creator,
    pub(crate) nth: u32,
}

/// The blocks of a run, in the order of their allocation. Those that were freed stay: a block that took the place of
/// another comes later, and the latest is found first.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: UnsafeCell<Vec<Block>>,
    recorded: Cell<bool>,
}

impl Blocks {
    fn add(&self, block: Block) {
        // SAFETY: one OS thread, and nobody keeps a reference into the list. Growing it allocates, and the allocator
        // is this one: `quietly` keeps it from coming back here.
        context::quietly(|| unsafe { (*self.blocks.get()).push(block) });
    }

    fn moved(&self, from: usize, to: usize, size: usize) {
        // SAFETY: as in `add`; nothing is allocated.
        let blocks = unsafe { &mut *self.blocks.get() };
        if let Some(block) = blocks.iter().rev().find(|block| block.start == from).copied() {
            self.add(Block { start: to, end: to + size, ..block });
        }
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

    /// How many blocks were allocated.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: as in `add`; nothing is allocated.
        unsafe { (*self.blocks.get()).len() }
    }

    /// A new run begins.
    pub(crate) fn clear(&self) {
        // SAFETY: as in `add`; nothing is allocated.
        unsafe { (*self.blocks.get()).clear() };
    }
}
