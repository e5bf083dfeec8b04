//! What was found out about memory, as another process can take it over.

use super::extent::Extent;
use super::{DETAILED, GRANULE, PRIVATE, Shadow};
use crate::discoveries::Discovery;
use model::{ObjectId, ThreadId};
use std::cell::Cell;
use std::ops::Range;

impl Shadow {
    /// These 8 bytes may be shared, although only one thread has been seen to touch them.
    /// False for what is none of the program's memory.
    pub(crate) fn suspect(&self, address: usize) -> bool {
        let Some(word) = self.word(address) else { return false };
        if word.get() & DETAILED == 0 {
            self.detail(word);
        }
        if self.suspects.borrow_mut().insert(address & !(GRANULE - 1)) {
            self.discoveries.note(Discovery::Suspect(address));
            self.refined.set(true);
        }
        true
    }

    /// Whether some other thread than this one has touched a part of this memory, in any run.
    pub(crate) fn is_touched_by_others(&self, thread: ThreadId, memory: &Range<usize>) -> bool {
        memory.clone().any(|address| match self.word(address).map_or(0, Cell::get) {
            0 => false,
            word if word & PRIVATE != 0 => word != PRIVATE | thread.0,
            _ => {
                let object = self.object_at(address).and_then(|id| self.find(id));
                object.is_some_and(|extent| extent.shared || extent.owner != thread)
            }
        })
    }

    /// Another process knows that a thread touched this memory, and of no one else.
    pub(crate) fn own(&self, thread: ThreadId, memory: Range<usize>) {
        for address in memory.step_by(GRANULE) {
            let Some(word) = self.word(address) else { continue };
            if word.get() == 0 {
                self.touch_first(word, thread, address);
            } else if word.get() & PRIVATE != 0 && word.get() != PRIVATE | thread.0 {
                self.detail(word);
            }
        }
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
}
