//! Memory that a thread can change besides its own stack, and data in it that others may change ([`crate::local_state`]).

use crate::allocator::Block;
use crate::context::Context;
use crate::place::is_identity;
use model::ThreadId;

pub(crate) const WORD: usize = size_of::<u64>();

/// Memory that is not on a thread's own stack.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Block(Block),
    /// What it may borrow from: the part of another thread's stack from this address up.
    Stack(ThreadId, usize),
}

impl Part {
    pub(crate) fn is_there(self, context: &Context) -> bool {
        match self {
            Part::Block(block) => {
                let now = context.blocks.find_live(block.start);
                now.is_some_and(|now| (now.start, now.end, now.nth) == (block.start, block.end, block.nth))
            }
            Part::Stack(..) => true,
        }
    }

    /// Where it begins and ends.
    pub(crate) fn range(self, context: &Context) -> (usize, usize) {
        match self {
            // What others count there is not the thread's own.
            Part::Block(block) if block.is_counted => (block.start + 2 * size_of::<usize>(), block.end),
            Part::Block(block) => (block.start, block.end),
            Part::Stack(of, from) => (from, context.slot(of).own_stack_end()),
        }
    }

    /// What is in it now.
    fn bytes(&self, context: &Context) -> &[u8] {
        let (from, to) = self.range(context);
        // SAFETY: memory of a fiber that is suspended, or a block that was not freed; nobody writes to it while the reference is used.
        unsafe { std::slice::from_raw_parts(from as *const u8, to.saturating_sub(from)) }
    }

    /// Appends what is in it, and says how much that is.
    pub(crate) fn copy_to(&self, context: &Context, bytes: &mut Vec<u8>) -> usize {
        let now = self.bytes(context);
        bytes.extend_from_slice(now);
        now.len()
    }

    /// Whether something else is in it than was then, apart from what does not count.
    pub(crate) fn has_changed(&self, context: &Context, then: &[u8]) -> bool {
        let now = self.bytes(context);
        if now == then {
            return false;
        }
        let both = now.len().min(then.len());
        let (now, then) = (&now[..both], &then[..both]);
        // Whether somebody has met an object does not count.
        let what_counts = |word: u64| if is_identity(word, context.stamp.get()) { 0 } else { word };
        let mut skipped = 0;
        let is_changed = words_of(then).zip(words_of(now)).enumerate().any(|(place, (then_word, now_word))| {
            if place < skipped {
                return false;
            }
            if let Some(size) = Mark::size(then_word).filter(|&size| size <= then.len() - place * WORD) {
                skipped = place + size.div_ceil(WORD);
            }
            what_counts(then_word) != what_counts(now_word)
        });
        let rest = then.len() / WORD * WORD;
        is_changed || skipped * WORD < then.len() && then[rest..] != now[rest..]
    }
}

/// All whole words of these bytes.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(WORD).map(|word| u64::from_ne_bytes(word.try_into().expect("so many bytes")))
}

/// What is in front of data that others may change: how many bytes it is, with itself.
#[derive(Debug)]
#[repr(transparent)]
pub struct Mark(u64);

/// The upper bits of a [`Mark`], by which it is known; no number that a program uses, and no address.
const MARKED: u64 = 0x00A3_C596_E17B;

impl Mark {
    /// In front of all other parts of a `T`, which must be `repr(C)`.
    pub const fn of<T>() -> Self {
        let size = size_of::<T>() as u64;
        // What is larger is not marked: it counts as the thread's own.
        if size < 1 << 24 { Mark(MARKED << 24 | size) } else { Mark(0) }
    }

    /// How many bytes, if the word is one.
    pub(crate) fn size(word: u64) -> Option<usize> {
        (word >> 24 == MARKED).then_some((word & 0xFF_FFFF) as usize)
    }
}
