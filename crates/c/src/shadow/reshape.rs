//! How objects come to be, are shared, split and melted: what a run shows for the first time.

use super::extent::{Extent, Granule, Touch};
use super::{DETAILED, GRANULE, PRIVATE, Shadow};
use crate::discoveries::Discovery;
use crate::layout;
use model::{ObjectId, ThreadId};
use std::cell::Cell;
use std::ops::Range;

impl Shadow {
    /// Nobody touched these 8 bytes before.
    #[cold]
    pub(super) fn touch_first(&self, word: &Cell<u32>, thread: ThreadId, address: usize) {
        word.set(PRIVATE | thread.0);
        self.discoveries.note(Discovery::First { thread, address: address & !(GRANULE - 1), size: GRANULE });
    }

    /// Keeps what `find_out` changed.
    pub(super) fn noting<T>(&self, discovery: impl FnOnce() -> Discovery, find_out: impl FnOnce() -> T) -> T {
        let changes = self.changes.get();
        let result = find_out();
        if self.changes.get() != changes {
            self.discoveries.note(discovery());
        }
        result
    }

    /// Whether an address is below a stack, where nothing is.
    fn is_guard(&self, address: usize) -> bool {
        layout::stack_owner(address).is_some_and(|owner| address - layout::stack_of(owner).start < self.guard.get())
    }

    fn change(&self) {
        self.changes.set(self.changes.get() + 1);
    }

    /// A second thread came: from the next search on, it is known which bytes are whose.
    #[cold]
    pub(super) fn detail(&self, word: &Cell<u32>) {
        // SAFETY: as in `touch`.
        let granules = unsafe { &mut *self.granules.get() };
        word.set(DETAILED | granules.len() as u32);
        granules.push(Granule::NEW);
        self.change();
        self.refined.set(true);
    }

    #[cold]
    pub(super) fn touch_slowly(
        &self,
        word: &Cell<u32>,
        thread: ThreadId,
        address: usize,
        size: usize,
        atomic: bool,
    ) -> Touch {
        if self.is_guard(address) {
            // Nothing can be there, and the explorer must not look. The thread will find out.
            return Touch::Private(size);
        }
        let find_out = || {
            if word.get() & DETAILED == 0 {
                self.detail(word);
            }
            self.touch_detailed((word.get() & !DETAILED) as usize, thread, address, size, atomic)
        };
        self.noting(|| Discovery::Touch { thread, address, size, atomic }, find_out)
    }

    fn touch_detailed(&self, index: usize, thread: ThreadId, address: usize, size: usize, atomic: bool) -> Touch {
        // SAFETY: as in `touch`.
        let granule = unsafe { &mut (&mut *self.granules.get())[index] };
        let first = address % GRANULE;
        let bytes = first..first + size;
        let before = granule.atomic;
        if atomic {
            bytes.clone().for_each(|byte| granule.atomic |= 1 << byte);
        }
        if granule.atomic != before {
            self.change();
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

    /// The thread touches the object. The access may go on behind it, after `covered` bytes.
    pub(super) fn share(&self, id: ObjectId, thread: ThreadId, covered: usize) -> Touch {
        // SAFETY: as in `touch`.
        let extent = unsafe { (&mut *self.extents.get())[id.index()].as_mut().expect("an object of memory") };
        if !extent.shared && extent.owner != thread {
            extent.shared = true;
            self.change();
            self.refined.set(true);
        }
        if extent.shared { Touch::Shared(id, covered) } else { Touch::Private(covered) }
    }

    /// A range and all objects that reach into it become one object. What lies beside it, in the same granules, stays what it is: other
    /// variables.
    pub(super) fn melt(&self, range: Range<usize>, thread: ThreadId) -> ObjectId {
        let reach = |address: usize| self.object_at(address).map(|id| self.extent(id));
        let start = reach(range.start).map_or(range.start, |extent| extent.address.min(range.start));
        let end = reach(range.end - 1).map_or(range.end, |extent| (extent.address + extent.size).max(range.end));
        if let Some(id) = self.object_at(start)
            && self.extent(id).is_whole(start, end - start)
            && self.extent(id).melted
        {
            return id;
        }
        let id = self.new_extent(start, end - start, thread);
        // SAFETY: as in `touch`.
        unsafe { (&mut *self.extents.get())[id.index()].as_mut().expect("just made").melted = true };
        let mut next = start;
        while next < end {
            let (first, piece) = (next % GRANULE, (GRANULE - next % GRANULE).min(end - next));
            if let Some(word) = self.word(next) {
                if word.get() & DETAILED == 0 {
                    self.detail(word);
                }
                // SAFETY: as in `touch`.
                let granule = unsafe { &mut (&mut *self.granules.get())[(word.get() & !DETAILED) as usize] };
                granule.objects[first..first + piece].fill(id);
            }
            next += piece;
        }
        self.refined.set(true);
        id
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

    pub(super) fn new_extent(&self, address: usize, size: usize, owner: ThreadId) -> ObjectId {
        let id = self.new_object();
        // SAFETY: as in `touch`.
        let extents = unsafe { &mut *self.extents.get() };
        let shared = self.suspects.borrow().contains(&(address & !(GRANULE - 1)));
        extents[id.index()] = Some(Extent { address, size, owner, shared, melted: false });
        self.change();
        id
    }
}
