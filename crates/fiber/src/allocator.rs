//! Notes which blocks of memory the threads of a run allocate, so that objects in them have an identity (see `place`).

use crate::context::{self, Context};
use model::ThreadId;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
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
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.alloc(layout) };
        note(start, layout.size());
        start
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.alloc_zeroed(layout) };
        note(start, layout.size());
        start
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { self.0.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let start = unsafe { self.0.realloc(block, layout, size) };
        if let Some(context) = context::recording() {
            context.blocks.moved(block as usize, start as usize, size);
        }
        start
    }
}

#[inline]
fn note(start: *mut u8, size: usize) {
    if let Some(context) = context::recording() {
        note_in(context, start as usize, size);
    }
}

fn note_in(context: &Context, start: usize, size: usize) {
    let thread = context.current();
    let nth = context.slot(thread).count_block(size);
    context.blocks.add(Block { start, end: start + size, size, thread, nth });
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
    pub(crate) thread: ThreadId,
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
