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

use crate::layout::{self, HEAPS, SPAN};
use model::{ObjectId, ThreadId};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::io;
use std::ops::Range;

const PRIVATE: u32 = 1 << 31;
const DETAILED: u32 = 1 << 30;
const GRANULE: usize = 8;

/// What is known of 8 bytes that several threads touch: which object each byte belongs to.
#[derive(Clone, Copy)]
struct Granule {
    objects: [ObjectId; GRANULE],
    /// Which bytes were accessed atomically.
    atomic: u8,
}

impl Granule {
    const NEW: Granule = Granule { objects: [ObjectId::NONE; GRANULE], atomic: 0 };
}

/// An object in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) address: usize,
    pub(crate) size: usize,
    /// Who touched it first.
    owner: ThreadId,
    /// Whether somebody else did, too.
    shared: bool,
    /// Whether it is one for the sake of accesses that cannot be split.
    melted: bool,
}

impl Extent {
    /// Bytes that need not be an object.
    pub(crate) fn of(address: usize, size: usize) -> Self {
        Extent { address, size, owner: ThreadId(0), shared: false, melted: false }
    }

    fn is_whole(&self, address: usize, size: usize) -> bool {
        self.address == address && self.size == size
    }
}

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
    /// Granules whose objects count as shared whoever touches them.
    suspects: RefCell<FxHashSet<usize>>,
}

impl Shadow {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Shadow {
            span: layout::reserve(SPAN / GRANULE * size_of::<u32>(), None)?.cast(),
            globals: Cell::new(std::ptr::null_mut()),
            globals_start: Cell::new(0),
            globals_size: Cell::new(0),
            granules: UnsafeCell::default(),
            extents: UnsafeCell::default(),
            refined: Cell::new(false),
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

    #[inline]
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
    #[inline]
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
            return self.touch_slowly(index, thread, address, size, atomic);
        }
        if known == 0 {
            word.set(PRIVATE | thread.0);
            return Touch::Private(size);
        }
        self.detail(word);
        self.touch_slowly((word.get() & !DETAILED) as usize, thread, address, size, atomic)
    }

    /// These 8 bytes may be shared, although only one thread has been seen to touch them.
    /// False for what is none of the program's memory.
    pub(crate) fn suspect(&self, address: usize) -> bool {
        let Some(word) = self.word(address) else { return false };
        if word.get() & DETAILED == 0 {
            self.detail(word);
        }
        if self.suspects.borrow_mut().insert(address & !(GRANULE - 1)) {
            self.refined.set(true);
        }
        true
    }

    /// A second thread came: from the next search on, it is known which bytes are whose.
    #[cold]
    fn detail(&self, word: &Cell<u32>) {
        // SAFETY: as in `touch`.
        let granules = unsafe { &mut *self.granules.get() };
        word.set(DETAILED | granules.len() as u32);
        granules.push(Granule::NEW);
        self.refined.set(true);
    }

    #[cold]
    fn touch_slowly(&self, index: usize, thread: ThreadId, address: usize, size: usize, atomic: bool) -> Touch {
        // SAFETY: as in `touch`.
        let granule = unsafe { &mut (&mut *self.granules.get())[index] };
        let first = address % GRANULE;
        let bytes = first..first + size;
        if atomic {
            bytes.clone().for_each(|byte| granule.atomic |= 1 << byte);
        }
        let id = granule.objects[first];
        if id != ObjectId::NONE && self.extent(id).is_whole(address, size) {
            return self.share(id, thread, size);
        }
        if granule.objects[bytes.clone()].iter().all(|&id| id == ObjectId::NONE) {
            let id = self.new_extent(address, size, thread);
            granule.objects[bytes].fill(id);
            return self.share(id, thread, size);
        }
        let start = address - first;
        if granule.atomic != 0 {
            self.melt(start..start + GRANULE, thread);
        } else {
            self.split(granule, start, bytes);
        }
        // SAFETY: as in `touch`; read again, for it has changed.
        let id = unsafe { (&*self.granules.get())[index].objects[first] };
        let extent = self.extent(id);
        self.share(id, thread, (extent.address + extent.size - address).min(size))
    }

    /// The object that `thread` touches with an access of any size that cannot be split: what it touches becomes one
    /// object, if it is not yet.
    pub(crate) fn touch_whole(&self, thread: ThreadId, address: usize, size: usize) -> Option<ObjectId> {
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

    /// The thread touches the object. The access may go on behind it, after `covered` bytes.
    fn share(&self, id: ObjectId, thread: ThreadId, covered: usize) -> Touch {
        // SAFETY: as in `touch`.
        let extent = unsafe { (&mut *self.extents.get())[id.index()].as_mut().expect("an object of memory") };
        if !extent.shared && extent.owner != thread {
            extent.shared = true;
            self.refined.set(true);
        }
        if extent.shared { Touch::Shared(id, covered) } else { Touch::Private(covered) }
    }

    /// The granules of a range, and all objects that reach into it, become one object.
    fn melt(&self, range: Range<usize>, thread: ThreadId) -> ObjectId {
        let reach = |address: usize| self.object_at(address).map(|id| self.extent(id));
        let start = reach(range.start & !(GRANULE - 1)).map_or(range.start, |extent| extent.address.min(range.start));
        let last = (range.end - 1) | (GRANULE - 1);
        let end = reach(last).map_or(last + 1, |extent| (extent.address + extent.size).max(last + 1));
        let range = start & !(GRANULE - 1)..end;
        if let Some(id) = self.object_at(range.start)
            && self.extent(id).is_whole(range.start, range.len())
            && self.extent(id).melted
        {
            return id;
        }
        let id = self.new_extent(range.start, range.len(), thread);
        // SAFETY: as in `touch`.
        unsafe { (&mut *self.extents.get())[id.index()].as_mut().expect("just made").melted = true };
        for address in range.step_by(GRANULE) {
            let Some(word) = self.word(address) else { continue };
            if word.get() & DETAILED == 0 {
                self.detail(word);
            }
            // SAFETY: as in `touch`.
            unsafe { (&mut *self.granules.get())[(word.get() & !DETAILED) as usize].objects.fill(id) };
        }
        self.refined.set(true);
        id
    }

    /// The next object from `address` on, below `end`, that others than `thread` touch, and where it ends.
    pub(crate) fn next_shared(&self, thread: ThreadId, address: usize, end: usize) -> Option<(ObjectId, usize)> {
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

    /// Objects end where an access begins or ends.
    fn split(&self, granule: &mut Granule, start: usize, bytes: Range<usize>) {
        let old = granule.objects;
        let is_cut = |byte: usize| byte == bytes.start || byte == bytes.end || old[byte] != old[byte - 1];
        let mut from = 0;
        for to in 1..=GRANULE {
            if to < GRANULE && !is_cut(to) {
                continue;
            }
            let (piece, whole) = (from..to, old[from]);
            from = to;
            if whole == ObjectId::NONE {
                // Nobody touched it but this access, if at all.
                if bytes.contains(&piece.start) {
                    let owner = self.owner_of(granule);
                    let id = self.new_extent(start + piece.start, piece.len(), owner);
                    granule.objects[piece].fill(id);
                }
            } else if self.extent(whole).melted {
                // It stays one.
            } else if self.extent(whole).size != piece.len() {
                let id = self.new_extent(start + piece.start, piece.len(), self.extent(whole).owner);
                granule.objects[piece].fill(id);
                self.refined.set(true);
            }
        }
    }

    /// Somebody who touched some of the granule.
    fn owner_of(&self, granule: &Granule) -> ThreadId {
        let known = granule.objects.iter().find(|&&id| id != ObjectId::NONE);
        known.map_or(ThreadId(0), |&id| self.extent(id).owner)
    }

    /// Address and size of every object that is shared, in the order of their addresses.
    pub(crate) fn shared_objects(&self) -> Vec<(usize, usize)> {
        // SAFETY: as in `touch`.
        let extents = unsafe { &*self.extents.get() };
        let is_in_use = |(id, extent): (usize, &Option<Extent>)| {
            extent.filter(|extent| extent.shared && self.object_at(extent.address) == Some(ObjectId(id as u32)))
        };
        let in_use = extents.iter().enumerate().filter_map(is_in_use);
        let mut objects: Vec<_> = in_use.map(|extent| (extent.address, extent.size)).collect();
        objects.sort_unstable();
        objects
    }

    /// These bytes are a shared object. `None` if they cannot be.
    pub(crate) fn know(&self, address: usize, size: usize) -> Option<()> {
        let end = address.checked_add(size).filter(|_| size > 0)?;
        self.word(end - 1)?;
        let id = self.new_extent(address, size, ThreadId(0));
        for byte in address..end {
            let word = self.word(byte)?;
            if word.get() & DETAILED == 0 {
                self.detail(word);
            }
            // SAFETY: as in `touch`.
            unsafe { (&mut *self.granules.get())[(word.get() & !DETAILED) as usize].objects[byte % GRANULE] = id };
        }
        // SAFETY: as in `touch`.
        let extent = unsafe { (&mut *self.extents.get())[id.index()].as_mut()? };
        // Whatever is accessed of it, it was one object in the end.
        (extent.shared, extent.melted) = (true, true);
        Some(())
    }

    /// The id of an object that is not in memory the way variables are, such as a mutex.
    pub(crate) fn new_object(&self) -> ObjectId {
        // SAFETY: as in `touch`.
        let extents = unsafe { &mut *self.extents.get() };
        extents.push(None);
        ObjectId(extents.len() as u32 - 1)
    }

    fn new_extent(&self, address: usize, size: usize, owner: ThreadId) -> ObjectId {
        let id = self.new_object();
        // SAFETY: as in `touch`.
        let extents = unsafe { &mut *self.extents.get() };
        let shared = self.suspects.borrow().contains(&(address & !(GRANULE - 1)));
        extents[id.index()] = Some(Extent { address, size, owner, shared, melted: false });
        id
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

/// What an access touches, and how many of its bytes this is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    /// Memory that no other thread touches.
    Private(usize),
    /// An object.
    Shared(ObjectId, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ThreadId = ThreadId(0);
    const B: ThreadId = ThreadId(1);

    /// What both threads have touched is known.
    fn shadow_after(accesses: &[(ThreadId, usize, usize, bool)]) -> Shadow {
        let shadow = Shadow::new().unwrap();
        // As often as searches would be begun anew.
        for _ in 0..4 {
            shadow.take_refined();
            for &(thread, offset, size, atomic) in accesses {
                shadow.touch(thread, HEAPS + offset, size, atomic);
            }
        }
        assert!(!shadow.is_refined(), "the same accesses find out nothing new");
        shadow
    }

    fn object(shadow: &Shadow, thread: ThreadId, offset: usize, size: usize) -> Option<ObjectId> {
        match shadow.touch(thread, HEAPS + offset, size, false) {
            Touch::Private(_) => None,
            Touch::Shared(id, _) => Some(id),
        }
    }

    #[test]
    fn memory_of_one_thread_is_private() {
        let shadow = shadow_after(&[(A, 0, 4, false), (A, 4, 4, false), (B, 8, 8, false)]);
        assert_eq!(object(&shadow, A, 0, 4), None);
        assert_eq!(object(&shadow, B, 8, 8), None);
    }

    #[test]
    fn neighbours_do_not_share() {
        let shadow = shadow_after(&[(A, 0, 4, false), (B, 4, 4, false)]);
        assert_eq!(object(&shadow, A, 0, 4), None);
        assert_eq!(object(&shadow, B, 4, 4), None);
        assert!(!shadow.is_refined());
    }

    #[test]
    fn what_two_threads_touch_is_one_object() {
        let shadow = shadow_after(&[(A, 0, 4, false), (B, 0, 4, true), (A, 4, 4, false), (B, 4, 4, false)]);
        let (low, high) = (object(&shadow, A, 0, 4), object(&shadow, B, 4, 4));
        assert!(low.is_some() && high.is_some() && low != high);
    }

    #[test]
    fn a_larger_access_is_of_all_its_pieces() {
        let shadow = shadow_after(&[(A, 0, 8, false), (B, 0, 4, false), (B, 4, 4, false)]);
        let Touch::Shared(first, covered) = shadow.touch(A, HEAPS, 8, false) else { panic!("it is shared") };
        assert_eq!((Some(first), covered), (object(&shadow, B, 0, 4), 4));
    }

    #[test]
    fn an_atomic_access_is_not_split() {
        let shadow = shadow_after(&[(A, 0, 8, true), (B, 0, 4, false), (B, 4, 4, false)]);
        assert_eq!(object(&shadow, B, 0, 4), object(&shadow, B, 4, 4));
    }

    #[test]
    fn a_whole_access_and_its_parts_come_to_rest() {
        let shadow = Shadow::new().unwrap();
        let mut searches = 0;
        while searches == 0 || shadow.is_refined() {
            shadow.take_refined();
            for thread in [A, B] {
                shadow.touch(thread, HEAPS, 4, false);
                shadow.touch(thread, HEAPS + 4, 1, false);
                shadow.touch_whole(thread, HEAPS, 8);
            }
            searches += 1;
            assert!(searches < 10, "it is found out for ever");
        }
        assert_eq!(object(&shadow, A, 0, 4), object(&shadow, B, 4, 1));
    }

    #[test]
    fn what_another_process_found_out_is_taken_over() {
        let shadow = shadow_after(&[(A, 0, 4, false), (B, 0, 4, false), (A, 16, 1, false), (B, 16, 1, false)]);
        let other = Shadow::new().unwrap();
        for (address, size) in shadow.shared_objects() {
            other.know(address, size).unwrap();
        }
        other.take_refined();
        assert_eq!(other.shared_objects(), [(HEAPS, 4), (HEAPS + 16, 1)]);
        assert!(object(&other, A, 0, 4).is_some() && object(&other, B, 16, 1).is_some());
        assert!(!other.is_refined());
    }
}
