//! What the runs of a process find out about the program, so that another process can find it out, too.
//!
//! Which accesses are operations depends on what all runs have shown before. Processes that search together must know the
//! same. So each keeps what was new to it, and in the end one of them goes through all of it again, as if its own runs had
//! shown it.
//!
//! Discoveries are made on the stacks of threads, which may end anywhere. So to keep one is to write it to memory that is
//! there already, and nothing else.

mod text;

pub(crate) use text::{learn, print};

use crate::layout;
use model::{Site, ThreadId};
use std::cell::Cell;
use std::io;
use std::ptr;

/// Something that was not known before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Discovery {
    /// A thread is the first to touch some memory.
    First { thread: ThreadId, address: usize, size: usize },
    /// A thread touches memory that others touch, or in another way than before.
    Touch { thread: ThreadId, address: usize, size: usize, atomic: bool },
    /// The same for an access that cannot be split.
    Whole { thread: ThreadId, address: usize, size: usize },
    /// The same for the end of some memory's life.
    Sweep { thread: ThreadId, address: usize, size: usize },
    /// Memory that counts as shared.
    Suspect(usize),
    /// There are atomic sections that begin there.
    Sections(Site),
    /// Memory that atomic sections touch that begin there.
    Section { site: Site, address: usize },
    /// More threads come to a barrier than meet there.
    Crowd,
    /// There are atomic operations that are weaker than seq_cst.
    WeakOrders,
    /// A thread.
    Thread(ThreadId),
}

/// Bytes for discoveries. They cost nothing until they are used.
const ROOM: usize = 1 << 30;
/// As many as there is room for.
const MOST: usize = ROOM / size_of::<Discovery>();

/// Room for [`MOST`] discoveries.
pub(crate) struct Room(*mut Discovery);

impl Room {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Room(layout::reserve(ROOM, None)?.cast()))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made, which nobody else has.
        unsafe { libc::munmap(self.0.cast(), ROOM) };
    }
}

/// What was found out, if it is kept.
pub(crate) struct Discoveries {
    /// Room for [`MOST`] of them; null when none are kept.
    kept: Cell<*mut Discovery>,
    count: Cell<usize>,
    /// Whether this process is a copy, which has to tell the original.
    of_copy: Cell<bool>,
}

impl Default for Discoveries {
    fn default() -> Self {
        Discoveries { kept: Cell::new(ptr::null_mut()), count: Cell::new(0), of_copy: Cell::new(false) }
    }
}

impl Discoveries {
    /// From now on, discoveries are kept there, and those that were kept before are forgotten.
    pub(crate) fn keep(&self, room: Room) {
        let before = self.kept.replace(room.0);
        std::mem::forget(room);
        self.count.set(0);
        if !before.is_null() {
            drop(Room(before));
        }
    }

    /// The same in a process that has just become a copy.
    pub(crate) fn keep_as_copy(&self, room: Room) {
        self.keep(room);
        self.of_copy.set(true);
    }

    pub(crate) fn are_of_copy(&self) -> bool {
        self.of_copy.get()
    }

    #[cold]
    pub(crate) fn note(&self, discovery: Discovery) {
        let (kept, count) = (self.kept.get(), self.count.get());
        if kept.is_null() || count == MOST {
            return;
        }
        // SAFETY: there is room for one more, and the one before has been written.
        unsafe {
            // Memory is mostly touched in the order of addresses.
            if let Discovery::First { thread, address, size } = discovery
                && count > 0
                && let Discovery::First { thread: last, address: start, size: before } = &mut *kept.add(count - 1)
                && *last == thread
                && *start + *before == address
            {
                *before += size;
                return;
            }
            kept.add(count).write(discovery);
        }
        self.count.set(count + 1);
    }

    /// All that was kept; none if there was more than there is room for.
    fn all(&self) -> Option<&[Discovery]> {
        match (self.kept.get(), self.count.get()) {
            (kept, _) if kept.is_null() => Some(&[]),
            (_, MOST) => None,
            // SAFETY: so many have been written, and the memory stays until they are forgotten.
            (kept, count) => Some(unsafe { std::slice::from_raw_parts(kept, count) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(thread: u32, address: usize, size: usize) -> Discovery {
        Discovery::First { thread: ThreadId(thread), address, size }
    }

    #[test]
    fn nothing_is_kept_unless_wanted() {
        let discoveries = Discoveries::default();
        discoveries.note(Discovery::Crowd);
        assert_eq!(discoveries.all(), Some(&[][..]));
    }

    #[test]
    fn memory_that_is_touched_in_order_is_one_discovery() {
        let discoveries = Discoveries::default();
        discoveries.keep(Room::new().unwrap());
        discoveries.note(first(0, 16, 8));
        discoveries.note(first(0, 24, 8));
        discoveries.note(first(0, 40, 8));
        discoveries.note(first(1, 48, 8));
        discoveries.note(Discovery::Suspect(16));
        let kept = [first(0, 16, 16), first(0, 40, 8), first(1, 48, 8), Discovery::Suspect(16)];
        assert_eq!(discoveries.all(), Some(&kept[..]));
        discoveries.keep(Room::new().unwrap());
        assert_eq!(discoveries.all(), Some(&[][..]));
    }
}
