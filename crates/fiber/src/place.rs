//! Objects' identities, the same in every run.
//!
//! An object is constructed by a `const fn`, so that it can be a static; it is met when it is first used. Who uses it
//! first depends on the schedule, so its identity must come from elsewhere: from *where it is* at that time, which all
//! who can use it agree on.
//! - On a fiber's stack: the thread, and how far from the stack's top.
//! - In a block of memory that a thread of this run allocated: the thread, the size, and the how-manyth block of that
//!   size it is of this thread (see `allocator`), and how far into the block. What is allocated while an object is initialised
//!   that only the first who comes initialises belongs to that object instead of the thread.
//! - In the copy that a run has of a static (see `guarded`): the static, and how far into it.
//! - Elsewhere, a static: its address.
//!
//! Several objects may be at the same place one after the other; they are counted. Whatever order two threads' first uses
//! come in, the place does not depend on it: an object that two threads can use does not move, and a move by its only
//! owner happens before or after each use.

use crate::context::Context;
use model::{ObjectId, ThreadId};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Stack {
        thread: ThreadId,
        below_top: usize,
    },
    Heap {
        creator: Creator,
        size: usize,
        nth: u32,
        offset: usize,
    },
    Fixed {
        address: usize,
    },
    /// In a run's copy of a static.
    Static {
        address: usize,
        offset: usize,
    },
    /// The token by which a thread is unparked.
    Parker {
        thread: ThreadId,
    },
    /// Whether a thread has ended.
    End {
        thread: ThreadId,
    },
    /// The count of the references to a value.
    Count {
        creator: Creator,
        nth: u32,
    },
    /// Part of another object, such as the value under a key of a table.
    Part {
        whole: ObjectId,
        key: u64,
    },
    /// Nothing is known but who uses it first: only without the recording allocator.
    Unknown {
        first_user: ThreadId,
        nth: u32,
    },
}

/// Who creates something: a thread, which does so in an order of its own; or an object that is initialised once, by
/// whichever thread comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Creator {
    Thread(ThreadId),
    Object(ObjectId),
}

impl Creator {
    /// Whether what it creates stays until the run ends.
    pub(crate) fn is_lasting(self) -> bool {
        matches!(self, Creator::Object(_))
    }
}

/// What is told of an object when it is met.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its type, such as `AtomicUsize`.
    pub type_name: &'static str,
    /// Where it was created.
    pub created: &'static Location<'static>,
    /// The name that the program gave it.
    pub given: Option<&'static str>,
    /// How its values are shown.
    pub show: fn(u64) -> String,
    /// Whether it is no more than its word: then it may be shared by runs.
    pub is_word: bool,
}

impl Described {
    pub(crate) fn name(&self) -> String {
        if let Some(given) = self.given {
            return given.to_owned();
        }
        let file = self.created.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{}@{file}:{}", self.type_name, self.created.line())
    }
}

/// Kept in every object: which object of which run it is. The run's stamp is in the upper bits, so that an identity from
/// an earlier run, or from a check in another OS thread (for a static), is recognised as such.
#[derive(Debug)]
pub struct Identity(AtomicU64);

/// Bits of the id in an [`Identity`].
const ID_BITS: u32 = 24;

impl Identity {
    /// Of an object that no run has met.
    pub const fn new() -> Self {
        Identity(AtomicU64::new(0))
    }

    /// The id, if the run with this stamp has met the object.
    #[inline]
    pub(crate) fn id(&self, stamp: u64) -> Option<ObjectId> {
        let word = self.0.load(Ordering::Relaxed);
        (word >> ID_BITS == stamp).then_some(ObjectId(word as u32 & ((1 << ID_BITS) - 1)))
    }

    pub(crate) fn set(&self, stamp: u64, id: ObjectId) {
        assert!(id.0 < 1 << ID_BITS, "a check can have at most {} objects", 1 << ID_BITS);
        self.0.store(stamp << ID_BITS | u64::from(id.0), Ordering::Relaxed);
    }

    /// Forgets the id: whoever uses the object next meets it anew.
    pub fn forget(&mut self) {
        *self.0.get_mut() = 0;
    }
}

/// Whether a word in memory is an [`Identity`] of the run with this stamp.
pub(crate) fn is_identity(word: u64, stamp: u64) -> bool {
    word >> ID_BITS == stamp
}

impl Default for Identity {
    fn default() -> Self {
        Identity::new()
    }
}

/// Where `address` is.
pub(crate) fn locate(context: &Context, address: usize) -> Place {
    if let Some((thread, below_top)) = context.on_stack(address) {
        return Place::Stack { thread, below_top };
    }
    if let Some(block) = context.blocks.find(address) {
        let offset = address - block.start;
        return Place::Heap { creator: block.creator, size: block.size, nth: block.nth, offset };
    }
    if let Some((address, offset)) = context.copies.original(address) {
        return Place::Static { address, offset };
    }
    if context.blocks.are_recorded() || is_static(address) {
        return Place::Fixed { address };
    }
    let first_user = context.current();
    let nth = context.slot(first_user).count_unknown();
    Place::Unknown { first_user, nth }
}

/// Whether `address` is in the data of the program itself.
#[cfg(target_os = "linux")]
#[inline]
pub(crate) fn is_static(address: usize) -> bool {
    unsafe extern "C" {
        static __ehdr_start: u8;
        static _end: u8;
    }
    (&raw const __ehdr_start as usize..&raw const _end as usize).contains(&address)
}

/// Whether it is known that `address` is in the data of the program itself.
#[inline]
pub(crate) fn is_known_static(address: usize) -> bool {
    cfg!(target_os = "linux") && is_static(address)
}

/// Whether `address` is in the data of the program itself: not known on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_static(_: usize) -> bool {
    true
}

/// How far behind the beginning of the program's image an address is.
#[cfg(target_os = "linux")]
pub(crate) fn from_image(address: usize) -> usize {
    unsafe extern "C" {
        static __ehdr_start: u8;
    }
    address.wrapping_sub(&raw const __ehdr_start as usize)
}

/// The address: it is not known where the program's image begins.
#[cfg(not(target_os = "linux"))]
pub(crate) fn from_image(address: usize) -> usize {
    address
}
