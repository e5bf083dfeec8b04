//! Small integers that stand for things, the same in every run of one program.

/// A thread, interned from its parent and its place among the parent's children (see [`crate::ThreadRegistry`]), so
/// that it means the same thread in every run, whatever the schedule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The id as an index into arrays with one slot for each thread.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A shared object: variable, lock, condition variable, and so on. Dense, so that it can index arrays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// What operations carry that are on no object (yield, choose, spawn, join).
    pub const NONE: ObjectId = ObjectId(u32::MAX);

    /// The id as an index into arrays with one slot for each object.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in the program's text; what it means is known to the front end's [`crate::Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u32);

impl Site {
    /// No place is known.
    pub const UNKNOWN: Site = Site(u32::MAX);
}
