//! The memory that a thread can reach: its registers, its stack, and the blocks that lead on from there, as words that are the
//! same in every run ([`crate::local_state`]).

use crate::allocator::Block;
use crate::context::Context;
use crate::part::{Mark, Part, WORD};
use crate::place::{Creator, from_image, is_identity, is_known_static};
use crate::slot::Slot;
use crate::unwritten::{Half, Hole, WORD_OF_HALVES};
use model::ThreadId;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Deeper stacks, and more memory in all, are not compared: that would take long at every step. A thread that has more is not asked
/// again. (Threads of an asynchronous runtime lead to all of it; loops that wait without one lead to little.)
const MOST_WORDS: usize = 1 << 10;

/// Numbers that may be addresses of a program's memory.
const ADDRESSES: Range<usize> = 1 << 16..1 << 48;

/// A word on a stack as it is to be taken: these bits of it, and those of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) address: usize,
    pub(crate) keep: u64,
    pub(crate) put: u64,
}

/// What a walk found, for the next one of the same thread: memory with the same in it gives the same words.
#[derive(Default)]
pub(crate) struct Walked {
    given: Given,
    words: Vec<u8>,
    /// The memory that was walked through: the stack, and then blocks.
    spans: Vec<Span>,
    /// What was in it.
    raw: Vec<u64>,
    /// Of each of these words, how many bytes of `words` came before; [`SKIPPED`] if it is no part of them.
    before: Vec<u32>,
    /// Where they lead.
    leads: Vec<Lead>,
    /// How many bytes of `words` came before the end of each span.
    ends: Vec<usize>,
}

const SKIPPED: u32 = u32::MAX;

/// What decides where an address leads: the run, its blocks, how often stacks were given and taken, and its copies and threads.
type Given = (u64, (usize, usize), u32, usize, usize);

/// Memory that was walked through, of whole words, and where lists had their ends before it.
#[derive(Clone, Copy)]
struct Span {
    /// Where the memory ends.
    to: usize,
    raw: usize,
    leads: usize,
}

/// A word among those that were walked through leads to memory.
#[derive(Clone, Copy)]
struct Lead {
    /// Which word.
    raw: usize,
    to: Found,
}

#[derive(Clone, Copy)]
enum Found {
    Block(Block),
    Stack(ThreadId, usize),
}

impl Walked {
    fn clear(&mut self, given: Given) {
        self.given = given;
        self.words.clear();
        self.spans.clear();
        self.raw.clear();
        self.before.clear();
        self.leads.clear();
        self.ends.clear();
    }

    /// The end of lists after a span.
    fn end_of(&self, number: usize) -> Span {
        let end = Span { to: 0, raw: self.raw.len(), leads: self.leads.len() };
        self.spans.get(number + 1).copied().unwrap_or(end)
    }
}

/// What is used again by every walk.
#[derive(Default)]
pub(crate) struct Buffers {
    walked: Walked,
    parts: Vec<Part>,
    starts: FxHashSet<usize>,
    changes: Vec<Change>,
}

/// A walk through all memory that a thread can reach.
pub(crate) struct Reach<'c> {
    context: &'c Context,
    /// The thread; none where the walk is through data that no thread has of its own.
    slot: Option<&'c Slot>,
    stack: (usize, usize),
    stamp: u64,
    /// What the last walk of this thread found.
    old: Walked,
    /// What this one found so far.
    new: Walked,
    /// What was found on the way, and where blocks among it begin.
    parts: Vec<Part>,
    starts: FxHashSet<usize>,
    /// What of the stack is to be taken otherwise than it is ([`crate::code`]).
    changes: Vec<Change>,
    pub(crate) is_lost: bool,
    pub(crate) is_too_much: bool,
}

impl Drop for Reach<'_> {
    fn drop(&mut self) {
        use std::mem::take;
        let (mut walked, new) = (take(&mut self.old), take(&mut self.new));
        match self.slot {
            Some(slot) => slot.walked.set(new),
            None => walked = new,
        }
        let (parts, starts, changes) = (take(&mut self.parts), take(&mut self.starts), take(&mut self.changes));
        self.context.buffers.set(Buffers { walked, parts, starts, changes });
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
    Freed,
}

impl<'c> Reach<'c> {
    /// Through what a thread can reach.
    pub(crate) fn begin(context: &'c Context, thread: ThreadId) -> Self {
        Reach::of(context, Some(context.slot(thread)))
    }

    /// Through data that no thread has of its own: it is lost where it leads to a stack.
    pub(crate) fn of_data(context: &'c Context) -> Self {
        Reach::of(context, None)
    }

    fn of(context: &'c Context, slot: Option<&'c Slot>) -> Self {
        let Buffers { walked: mut new, mut parts, mut starts, mut changes } = context.buffers.take();
        let stamp = context.stamp.get();
        let mut old = slot.map_or_else(Walked::default, |slot| slot.walked.take());
        let given =
            (stamp, context.blocks.lists(), context.stacks_given.get(), context.copies.len(), context.threads());
        if old.given != given {
            old.clear(given);
        }
        new.clear(given);
        parts.clear();
        starts.clear();
        changes.clear();
        Reach {
            context,
            slot,
            stack: slot.map_or((0, 0), |slot| slot.stack.get()),
            stamp,
            old,
            new,
            parts,
            starts,
            changes,
            is_lost: false,
            is_too_much: false,
        }
    }

    /// All words so far.
    pub(crate) fn words(&self) -> &[u8] {
        &self.new.words
    }

    /// Whether something on another stack is among them.
    pub(crate) fn borrows(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Stack(..)))
    }

    /// The words of the thread's stack, each with how far it is below the top.
    fn stack_words(&self) -> impl Iterator<Item = (usize, u64)> {
        let first = self.new.spans.first().map(|span| (span, &self.new.raw[span.raw..self.new.end_of(0).raw]));
        let top = self.stack.1;
        first.into_iter().flat_map(move |(span, words)| {
            let below_top = top - span.to + words.len() * WORD;
            words.iter().zip(0..).map(move |(&word, place)| (below_top - place * WORD, word))
        })
    }

    /// The holes in the thread's frames.
    pub(crate) fn holes(&self) -> Vec<Hole> {
        self.stack_words().filter_map(|(below_top, word)| Hole::of(word, below_top)).collect()
    }

    /// The words in the thread's frames that are half written.
    pub(crate) fn halves(&self) -> Vec<Half> {
        self.stack_words().filter(|&(_, word)| word != WORD_OF_HALVES && Hole::of(word, 0).is_some()).collect()
    }

    /// What was found on the way.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A word that leads nowhere.
    #[inline]
    pub(crate) fn put(&mut self, word: u64) {
        self.new.words.extend_from_slice(&word.to_ne_bytes());
    }

    /// Registers, the stack, with these changes to it, and values that the thread has of its own.
    pub(crate) fn add_roots(&mut self, changes: impl Iterator<Item = Change>) -> Option<()> {
        let slot = self.slot?;
        let mut registers = slot.registers.get();
        let (lowest, top) = self.stack;
        let from = registers.stack_pointer;
        if !(lowest..top).contains(&from) {
            return None;
        }
        self.context.code.without_dead(&mut registers, slot.own_stack_end(), &mut self.changes);
        self.changes.extend(changes);
        registers.kept.into_iter().for_each(|word| self.add(word));
        self.put((top - from) as u64);
        self.add_words(from, slot.own_stack_end())?;
        let locals = slot.locals.borrow();
        for (_, value) in locals.iter() {
            self.add(value.as_ref().map_or(0, |value| std::rc::Rc::as_ptr(value).cast::<u8>() as usize));
        }
        // What the locks guard that it holds: it is the thread's own.
        for &(start, len) in &*slot.unseen.held_data.borrow() {
            self.put(len as u64);
            self.add_words(start, start + len)?;
        }
        Some(())
    }

    /// What the blocks found so far lead to, in the order in which they were found.
    pub(crate) fn add_blocks(&mut self) -> Option<()> {
        let mut next = 0;
        while let Some(&part) = self.parts.get(next) {
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
    pub(crate) fn add_words(&mut self, from: usize, to: usize) -> Option<()> {
        let mut at = from;
        if to.saturating_sub(from) / WORD + self.new.words.len() / WORD > MOST_WORDS {
            self.is_too_much = true;
            return None;
        }
        let whole = from + to.saturating_sub(from) / WORD * WORD;
        let span = Span { to: whole, raw: self.new.raw.len(), leads: self.new.leads.len() };
        // SAFETY: memory of a fiber that is suspended, or a block that was not freed; any bytes are a word.
        let word_at = |address: usize| unsafe { (address as *const u64).read_unaligned() };
        self.new.raw.extend((from..whole).step_by(WORD).map(word_at));
        for change in self.changes.iter().filter(|change| (from..whole).contains(&change.address)) {
            let word = &mut self.new.raw[span.raw + (change.address - from) / WORD];
            *word = *word & change.keep | change.put;
        }
        let known = self.known_from(&span);
        self.new.spans.push(span);
        while at < whole {
            let place = span.raw + (at - from) / WORD;
            if let Some((number, known_from)) = known
                && at >= known_from
                && self.add_known(number, at, place)
            {
                at = whole;
                break;
            }
            self.new.before.push(self.new.words.len() as u32);
            let word = self.new.raw[place];
            match Mark::size(word) {
                Some(size) if at + size <= to => {
                    self.put(word);
                    let words = size.div_ceil(WORD).max(1);
                    let skipped = words.min((whole - at) / WORD) - 1;
                    self.new.before.extend(std::iter::repeat_n(SKIPPED, skipped));
                    at += words * WORD;
                }
                _ => {
                    self.add_at(word as usize, place);
                    at += WORD;
                }
            }
        }
        self.new.ends.push(self.new.words.len());
        // SAFETY: as above.
        (at..to).for_each(|byte| self.put(u64::from(unsafe { (byte as *const u8).read() })));
        Some(())
    }

    /// The span of the last walk that ends where this one does, and from where on the same is in both.
    fn known_from(&self, span: &Span) -> Option<(usize, usize)> {
        let number = self.old.spans.iter().position(|old| old.to == span.to)?;
        let then = &self.old.raw[self.old.spans[number].raw..self.old.end_of(number).raw];
        let now = &self.new.raw[span.raw..];
        let same = now.iter().rev().zip(then.iter().rev()).take_while(|(now, then)| now == then).count();
        Some((number, span.to - same * WORD))
    }

    /// Adds what the last walk made of the rest of a span of its own, from this address, which is word number `place`, to its end, where
    /// the same is in both. Not if the last walk did not stop there.
    fn add_known(&mut self, number: usize, at: usize, place: usize) -> bool {
        let (span, end) = (self.old.spans[number], self.old.end_of(number));
        let first = end.raw - (span.to - at) / WORD;
        let words = self.old.before[first];
        if words == SKIPPED {
            return false;
        }
        let moved = (self.new.words.len() as u32).wrapping_sub(words);
        let before = self.old.before[first..end.raw].iter();
        self.new
            .before
            .extend(before.map(|&before| if before == SKIPPED { before } else { before.wrapping_add(moved) }));
        self.new.words.extend_from_slice(&self.old.words[words as usize..self.old.ends[number]]);
        for lead in span.leads..end.leads {
            let Lead { raw, to } = self.old.leads[lead];
            if (first..end.raw).contains(&raw) {
                self.lead_to(raw - first + place, to);
            }
        }
        true
    }

    /// A word, which may lead somewhere.
    #[inline]
    pub(crate) fn add(&mut self, word: usize) {
        self.add_at(word, self.new.raw.len());
    }

    /// The same of word number `place` of memory.
    #[inline]
    fn add_at(&mut self, word: usize, place: usize) {
        if is_identity(word as u64, self.stamp) {
            // Whether somebody has met the object.
            self.put(0);
        } else if !self.add_address(word, place) {
            self.put(of_number(word));
        }
    }

    fn add_address(&mut self, address: usize, place: usize) -> bool {
        if !ADDRESSES.contains(&address) || is_known_static(address) {
            return false;
        }
        let (lowest, top) = self.stack;
        if (lowest..=top).contains(&address) {
            self.lead(Target::OwnStack, [(top - address) as u64, 0, 0]);
        } else if let Some(block) = self.context.blocks.find_live(address) {
            self.lead(Target::Block, numbers_of(&block, address));
            self.lead_to(place, Found::Block(block));
        } else if let Some((thread, below_top)) = self.context.on_stack(address) {
            self.lead(Target::Stack, [u64::from(thread.0), below_top as u64, 0]);
            self.lead_to(place, Found::Stack(thread, address));
        } else if let Some((original, offset)) = self.context.copies.original(address) {
            self.lead(Target::Static, [original as u64, offset as u64, 0]);
        } else if self.context.owns(address) {
            self.lead(Target::Run, [0; 3]);
        } else if let Some(block) = self.context.blocks.find(address) {
            // It was freed, and nobody follows the pointer any more.
            self.lead(Target::Freed, numbers_of(&block, address));
        } else {
            return false;
        }
        true
    }

    fn lead(&mut self, target: Target, to: [u64; 3]) {
        self.put(target as u64);
        to.into_iter().for_each(|word| self.put(word));
    }

    /// Word number `place` of memory leads there.
    fn lead_to(&mut self, raw: usize, to: Found) {
        self.new.leads.push(Lead { raw, to });
        match to {
            Found::Block(block) => self.find(block),
            Found::Stack(thread, address) => self.borrow(thread, address),
        }
    }

    fn find(&mut self, block: Block) {
        if self.starts.insert(block.start) {
            self.parts.push(Part::Block(block));
        }
    }

    /// An address on the stack of another thread: what is there is known if it is one of those that the thread comes from, and
    /// was there then.
    fn borrow(&mut self, thread: ThreadId, address: usize) {
        let mut origin = self.slot.and_then(|slot| slot.unseen.origin.get());
        while let Some(from) = origin {
            if from.creator == thread {
                if address >= from.stack_pointer {
                    let is_known = |part: &Part| matches!(part, Part::Stack(known, _) if *known == thread);
                    if !self.parts.iter().any(is_known) {
                        self.parts.push(Part::Stack(thread, from.stack_pointer));
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

/// A number that leads nowhere, or the address of something in the program itself, which is elsewhere in another process.
fn of_number(word: usize) -> u64 {
    if is_known_static(word) { 1 << 63 | from_image(word) as u64 } else { word as u64 }
}

/// Which block it is, and how far into it an address leads.
fn numbers_of(block: &Block, address: usize) -> [u64; 3] {
    let creator = match block.creator {
        Creator::Thread(thread) => u64::from(thread.0),
        Creator::Object(object) => 1 << 32 | u64::from(object.0),
    };
    [(address - block.start) as u64, creator, (block.size as u64) << 32 | u64::from(block.nth)]
}
