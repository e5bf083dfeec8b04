//! The memory that a thread can reach: its registers, its stack, and the blocks that lead on from there, as words that are the
//! same in every run ([`crate::local_state`]).

use crate::allocator::Block;
use crate::context::Context;
use crate::place::{Creator, is_identity, is_known_static};
use crate::slot::Slot;
use model::ThreadId;
use rustc_hash::FxHashSet;
use std::ops::Range;

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

    fn size(word: u64) -> Option<usize> {
        (word >> 24 == MARKED).then_some((word & 0xFF_FFFF) as usize)
    }
}

/// Deeper stacks, and more memory in all, are not compared: that would take long at every step. A thread that has more is not asked
/// again. (Threads of an asynchronous runtime lead to all of it; loops that wait without one lead to little.)
const MOST_WORDS: usize = 1 << 10;

const WORD: usize = size_of::<u64>();

/// Numbers that may be addresses of a program's memory.
const ADDRESSES: Range<usize> = 1 << 16..1 << 48;

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
    fn range(self, context: &Context) -> (usize, usize) {
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

/// What is used again by every walk.
#[derive(Default)]
pub(crate) struct Buffers {
    words: Vec<u8>,
    parts: Vec<Part>,
    starts: FxHashSet<usize>,
}

/// A walk through all memory that a thread can reach.
pub(crate) struct Reach<'c> {
    context: &'c Context,
    slot: &'c Slot,
    stack: (usize, usize),
    stamp: u64,
    /// The words so far, what was found on the way, and where blocks among it begin.
    buffers: Buffers,
    pub(crate) is_lost: bool,
    pub(crate) is_too_much: bool,
}

impl Drop for Reach<'_> {
    fn drop(&mut self) {
        self.context.buffers.set(std::mem::take(&mut self.buffers));
    }
}

/// What an address leads to; the number of each is a word that no address is.
#[derive(Clone, Copy)]
enum Target {
    OwnStack = 1,
    Stack,
    Block,
    Static,
    Run,
}

impl<'c> Reach<'c> {
    pub(crate) fn begin(context: &'c Context, thread: ThreadId) -> Self {
        let mut buffers = context.buffers.take();
        buffers.words.clear();
        buffers.parts.clear();
        buffers.starts.clear();
        let (slot, stamp) = (context.slot(thread), context.stamp.get());
        Reach { context, slot, stack: slot.stack.get(), stamp, buffers, is_lost: false, is_too_much: false }
    }

    /// All words so far.
    pub(crate) fn words(&self) -> &[u8] {
        &self.buffers.words
    }

    /// Whether something on another stack is among them.
    pub(crate) fn borrows(&self) -> bool {
        self.buffers.parts.iter().any(|part| matches!(part, Part::Stack(..)))
    }

    /// What was found on the way.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.buffers.parts
    }

    /// A word that leads nowhere.
    #[inline]
    pub(crate) fn put(&mut self, word: u64) {
        self.buffers.words.extend_from_slice(&word.to_ne_bytes());
    }

    /// Registers, the stack, and values that the thread has of its own.
    pub(crate) fn add_roots(&mut self) -> Option<()> {
        let registers = self.slot.registers.get();
        let (lowest, top) = self.stack;
        let from = registers.stack_pointer;
        if !(lowest..top).contains(&from) {
            return None;
        }
        registers.kept.into_iter().for_each(|word| self.add(word));
        self.put((top - from) as u64);
        self.add_words(from, self.slot.own_stack_end())?;
        let locals = self.slot.locals.borrow();
        for (_, value) in locals.iter() {
            self.add(value.as_ref().map_or(0, |value| std::rc::Rc::as_ptr(value).cast::<u8>() as usize));
        }
        Some(())
    }

    /// What the blocks found so far lead to, in the order in which they were found.
    pub(crate) fn add_blocks(&mut self) -> Option<()> {
        let mut next = 0;
        while let Some(&part) = self.buffers.parts.get(next) {
            if let Part::Block(block) = part {
                self.add_block(block)?;
            }
            next += 1;
        }
        Some(())
    }

    fn add_block(&mut self, block: Block) -> Option<()> {
        let (from, to) = Part::Block(block).range(self.context);
        self.add_words(from, to)
    }

    /// All words between two addresses, and the bytes that are left; none if they are too many.
    fn add_words(&mut self, from: usize, to: usize) -> Option<()> {
        let mut at = from;
        if to.saturating_sub(from) / WORD + self.buffers.words.len() / WORD > MOST_WORDS {
            self.is_too_much = true;
            return None;
        }
        while at + WORD <= to {
            // SAFETY: memory of a fiber that is suspended, or a block that was not freed; any bytes are a word.
            let word = unsafe { (at as *const u64).read_unaligned() };
            match Mark::size(word) {
                Some(size) if at + size <= to => {
                    self.put(word);
                    at += size.max(WORD).next_multiple_of(WORD);
                }
                _ => {
                    self.add(word as usize);
                    at += WORD;
                }
            }
        }
        // SAFETY: as above.
        (at..to).for_each(|byte| self.put(u64::from(unsafe { (byte as *const u8).read() })));
        Some(())
    }

    /// A word, which may lead somewhere.
    #[inline]
    pub(crate) fn add(&mut self, word: usize) {
        if is_identity(word as u64, self.stamp) {
            // Whether somebody has met the object.
            self.put(0);
        } else if !self.add_address(word) {
            self.put(word as u64);
        }
    }

    fn add_address(&mut self, address: usize) -> bool {
        if !ADDRESSES.contains(&address) || is_known_static(address) {
            return false;
        }
        let (lowest, top) = self.stack;
        if (lowest..=top).contains(&address) {
            self.lead(Target::OwnStack, [(top - address) as u64, 0, 0]);
        } else if let Some(block) = self.context.blocks.find_live(address) {
            let creator = match block.creator {
                Creator::Thread(thread) => u64::from(thread.0),
                Creator::Object(object) => 1 << 32 | u64::from(object.0),
            };
            self.lead(
                Target::Block,
                [(address - block.start) as u64, creator, (block.size as u64) << 32 | u64::from(block.nth)],
            );
            self.find(block);
        } else if let Some((thread, below_top)) = self.context.on_stack(address) {
            self.lead(Target::Stack, [u64::from(thread.0), below_top as u64, 0]);
            self.borrow(thread, address);
        } else if let Some((original, offset)) = self.context.copies.original(address) {
            self.lead(Target::Static, [original as u64, offset as u64, 0]);
        } else if self.context.owns(address) {
            self.lead(Target::Run, [0; 3]);
        } else {
            return false;
        }
        true
    }

    fn lead(&mut self, target: Target, to: [u64; 3]) {
        self.put(target as u64);
        to.into_iter().for_each(|word| self.put(word));
    }

    fn find(&mut self, block: Block) {
        if self.buffers.starts.insert(block.start) {
            self.buffers.parts.push(Part::Block(block));
        }
    }

    /// An address on the stack of another thread: what is there is known if it is one of those that the thread comes from, and
    /// was there then.
    fn borrow(&mut self, thread: ThreadId, address: usize) {
        let mut origin = self.slot.unseen.origin.get();
        while let Some(from) = origin {
            if from.creator == thread {
                if address >= from.stack_pointer {
                    let is_known = |part: &Part| matches!(part, Part::Stack(known, _) if *known == thread);
                    if !self.buffers.parts.iter().any(is_known) {
                        self.buffers.parts.push(Part::Stack(thread, from.stack_pointer));
                    }
                    return;
                }
                break;
            }
            origin = self.context.slot(from.creator).unseen.origin.get();
        }
        self.is_lost = true;
    }
}
