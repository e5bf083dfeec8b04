//! Which accesses of memory are operations, and on which object.
//!
//! Memory that only one thread touches needs no operations. What is shared is found out by running: the search starts
//! with the belief that everything is private to the thread that touches it first, and whenever a run shows that belief to be
//! wrong, it is corrected for good and the search begins anew ([`Shadow::take_refined`]). When a search ends without
//! a correction, every access of memory that several threads touch was an operation in all of its executions.
//!
//! What is known of each 8 bytes of memory is one word:
//!
//! | word | meaning |
//! |---|---|
//! | 0 | nobody touched them |
//! | `PRIVATE` + thread | only this thread did, wherever in them |
//! | `DETAILED` + index | several threads did, so that it matters which bytes: see [`Granule`] |
//!
//! An object is a run of bytes within 8 that are accessed as a whole. Accesses that overlap without being the same
//! split plain objects, and melt the 8 bytes into one object when an atomic access is among them.

mod extent;
mod knowledge;
mod reshape;

pub(crate) use extent::{Extent, Touch};

use crate::context::Table;
use crate::discoveries::{Discoveries, Discovery};
use crate::layout::{self, HEAPS, SPAN};
use extent::Granule;
use model::{ObjectId, ThreadId};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::io;
use std::ops::Range;

const PRIVATE: u32 = 1 << 31;
const DETAILED: u32 = 1 << 30;
const GRANULE: usize = 8;

/// See the head of this file.
pub(crate) struct Shadow {
    /// Of heaps and stacks.
    span: *mut u32,
    /// Of globals, and where those are.
    globals: Cell<*mut u32>,
    globals_start: Cell<usize>,
    globals_size: Cell<usize>,
    granules: UnsafeCell<Vec<Granule>>,
    extents: UnsafeCell<Vec<Option<Extent>>>,
    refined: Cell<bool>,
    /// How often something changed here, other than who is the first to touch some memory.
    changes: Cell<u64>,
    pub(crate) discoveries: Discoveries,
    /// Bytes at the start of each stack's region that cannot be accessed.
    pub(crate) guard: Cell<usize>,
    /// Granules whose objects count as shared whoever touches them.
    suspects: RefCell<FxHashSet<usize>>,
}

impl Shadow {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.suspects
    }

    pub(crate) fn new() -> io::Result<Self> {
        Ok(Shadow {
            span: layout::reserve(SPAN / GRANULE * size_of::<u32>(), None)?.cast(),
            globals: Cell::new(std::ptr::null_mut()),
            globals_start: Cell::new(0),
            globals_size: Cell::new(0),
            granules: UnsafeCell::default(),
            extents: UnsafeCell::default(),
            refined: Cell::new(false),
            changes: Cell::new(0),
            discoveries: Discoveries::default(),
            guard: Cell::new(0),
            suspects: RefCell::default(),
        })
    }

    /// The program's globals are there.
    pub(crate) fn set_globals(&self, at: &Range<usize>) -> io::Result<()> {
        let start = at.start & !(GRANULE - 1);
        let size = (at.end - start).next_multiple_of(GRANULE);
        self.globals.set(layout::reserve((size / GRANULE * size_of::<u32>()).max(1), None)?.cast());
        self.globals_start.set(start);
        self.globals_size.set(size);
        Ok(())
    }

    /// Whether an address is of the program's memory.
    #[inline]
    pub(crate) fn covers(&self, address: usize) -> bool {
        self.word(address).is_some()
    }

    /// Whether a belief was corrected since this was last asked.
    pub(crate) fn take_refined(&self) -> bool {
        self.refined.replace(false)
    }

    /// Something was found out: the search is to be done anew.
    pub(crate) fn refine(&self) {
        self.refined.set(true);
    }

    /// Whether a belief was corrected.
    pub(crate) fn is_refined(&self) -> bool {
        self.refined.get()
    }

    #[inline(always)]
    fn word(&self, address: usize) -> Option<&Cell<u32>> {
        let offset = address.wrapping_sub(HEAPS);
        let place = if offset < SPAN {
            // SAFETY: the shadow has a word for every granule of the span.
            unsafe { self.span.add(offset / GRANULE) }
        } else {
            let offset = address.wrapping_sub(self.globals_start.get());
            if offset >= self.globals_size.get() {
                return None;
            }
            // SAFETY: the same of the globals.
            unsafe { self.globals.get().add(offset / GRANULE) }
        };
        // SAFETY: mapped for as long as the process lives, aligned, and used by one OS thread only.
        Some(unsafe { Cell::from_mut(&mut *place) })
    }

    /// The object that `thread` touches with an access of `size` bytes within one granule; none if the memory is its
    /// own, or none of the program's. An access may need several objects: then the answer is the first, and how many
    /// bytes of the access it covers.
    #[inline(always)]
    pub(crate) fn touch(&self, thread: ThreadId, address: usize, size: usize, atomic: bool) -> Touch {
        let Some(word) = self.word(address) else { return Touch::Private(size) };
        let known = word.get();
        if known == PRIVATE | thread.0 {
            return Touch::Private(size);
        }
        if known & DETAILED != 0 {
            let index = (known & !DETAILED) as usize;
            // SAFETY: one OS thread; no reference outlives this function.
            let (granule, extents) = unsafe { (&(&*self.granules.get())[index], &*self.extents.get()) };
            let id = granule.objects[address % GRANULE];
            if let Some(Some(extent)) = extents.get(id.index())
                && extent.is_whole(address, size)
                && (!atomic || granule.atomic & (1 << (address % GRANULE)) != 0)
            {
                if extent.shared {
                    return Touch::Shared(id, size);
                }
                if extent.owner == thread {
                    return Touch::Private(size);
                }
            }
        }
        if known == 0 {
            self.touch_first(word, thread, address);
            return Touch::Private(size);
        }
        self.touch_slowly(word, thread, address, size, atomic)
    }

    /// The object that `thread` touches with an access of any size that cannot be split: what it touches becomes one
    /// object, if it is not yet.
    pub(crate) fn touch_whole(&self, thread: ThreadId, address: usize, size: usize) -> Option<ObjectId> {
        let find_out = || self.touch_all(thread, address, size);
        self.noting(|| Discovery::Whole { thread, address, size }, find_out)
    }

    fn touch_all(&self, thread: ThreadId, address: usize, size: usize) -> Option<ObjectId> {
        let (mut next, end) = (address, address + size);
        let mut shared: Option<(ObjectId, Range<usize>)> = None;
        while next < end {
            let piece = (GRANULE - next % GRANULE).min(end - next);
            match self.touch(thread, next, piece, false) {
                Touch::Private(covered) => next += covered,
                Touch::Shared(id, covered) => {
                    let from = shared.as_ref().map_or(next, |(_, range)| range.start);
                    let first = shared.as_ref().map_or(id, |&(first, _)| first);
                    next += covered;
                    shared = Some((if first == id { id } else { ObjectId::NONE }, from..next));
                }
            }
        }
        match shared? {
            (ObjectId::NONE, range) => Some(self.melt(range, thread)),
            (id, _) => Some(id),
        }
    }

    /// The next object from `address` on, below `end`, that others than `thread` touch, and where it ends.
    pub(crate) fn next_shared(&self, thread: ThreadId, address: usize, end: usize) -> Option<(ObjectId, usize)> {
        let find_out = || self.share_next(thread, address, end);
        self.noting(|| Discovery::Sweep { thread, address, size: end - address }, find_out)
    }

    fn share_next(&self, thread: ThreadId, address: usize, end: usize) -> Option<(ObjectId, usize)> {
        let mut next = address;
        while next < end {
            let word = self.word(next)?;
            if word.get() & PRIVATE != 0 && word.get() != PRIVATE | thread.0 {
                self.detail(word);
            }
            if word.get() & DETAILED == 0 {
                next = (next & !(GRANULE - 1)) + GRANULE;
                continue;
            }
            let Some(id) = self.object_at(next) else {
                next += 1;
                continue;
            };
            let extent = self.extent(id);
            next = extent.address + extent.size;
            if let Touch::Shared(id, _) = self.share(id, thread, 0) {
                return Some((id, next));
            }
        }
        None
    }

    /// The object that a byte belongs to.
    pub(crate) fn object_at(&self, address: usize) -> Option<ObjectId> {
        let word = self.word(address)?.get();
        if word & DETAILED == 0 {
            return None;
        }
        // SAFETY: as in `touch`.
        let id = unsafe { (&*self.granules.get())[(word & !DETAILED) as usize].objects[address % GRANULE] };
        (id != ObjectId::NONE).then_some(id)
    }

    /// The id of an object that is not in memory the way variables are, such as a mutex.
    pub(crate) fn new_object(&self) -> ObjectId {
        // SAFETY: as in `touch`.
        let extents = unsafe { &mut *self.extents.get() };
        extents.push(None);
        ObjectId(extents.len() as u32 - 1)
    }

    /// Where an object in memory is.
    #[inline]
    pub(crate) fn find(&self, id: ObjectId) -> Option<Extent> {
        // SAFETY: as in `touch`.
        unsafe { (&*self.extents.get()).get(id.index()).copied().flatten() }
    }

    fn extent(&self, id: ObjectId) -> Extent {
        self.find(id).expect("an object of memory")
    }
}

#[cfg(test)]
mod tests;
