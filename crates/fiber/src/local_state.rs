//! Local states: what the future of a thread depends on, besides objects and what is behind them.
//!
//! That is what the thread can read: its registers and its stack, and the blocks of memory that lead on from there. Addresses
//! differ from run to run, so what counts is where they lead: how far below the top of a stack, how far into which block.
//!
//! Not part of it is memory that others may change, for what is there is not given by what the thread has seen:
//! - objects themselves, whose words are seen by operations;
//! - data that is guarded by them, which has a [`Mark`]. Whoever gets at it becomes another one thereby ([`Unseen`]), because
//!   what it finds there is more than the words of objects say;
//! - the counts in front of what an `Arc` shares;
//! - stacks of other threads. A thread may borrow from those that created it; what was there when it was created does not
//!   change as long as it borrows, unless it changes it itself. So it is what its creator was then ([`Origin`]).
//!
//! A thread that changes what is not on its own stack becomes another one, too: it may have led others to where it cannot come
//! any more. That is found by comparing, at every step, what it could have changed.

use crate::allocator::Block;
use crate::context::{self, Context};
use crate::place::{Creator, is_identity};
use crate::slot::{Slot, Status};
use model::{Fingerprint, ThreadId};
use rustc_hash::FxHashSet;
use std::cell::Cell;
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

/// What a thread came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// What its creator was.
    state: Fingerprint,
    /// What the thread may borrow from is above this, on its creator's stack.
    creator: ThreadId,
    stack_pointer: usize,
}

/// What a thread did that its memory does not show.
#[derive(Default)]
pub(crate) struct Unseen {
    /// Whether local states are asked for, of any thread.
    watched: Cell<bool>,
    /// Whether its local state was asked for in this run.
    asked: Cell<bool>,
    /// How often it got at guarded data, and how often it still does.
    accesses: Cell<u32>,
    open: Cell<u32>,
    /// How often it changed memory that is not on its stack.
    writes: Cell<u32>,
    /// Whether it is not known any more what it is: there is too much that it could have changed.
    lost: Cell<bool>,
    /// None of the main thread, and where it is not known.
    origin: Cell<Option<Origin>>,
}

impl Unseen {
    /// Whether local states are asked for.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched.get()
    }

    pub(crate) fn clear(&self) {
        self.watched.set(false);
        self.asked.set(false);
        self.accesses.set(0);
        self.open.set(0);
        self.writes.set(0);
        self.lost.set(false);
        self.origin.set(None);
    }
}

/// The thread that runs gets at data that others may change.
#[inline]
pub fn begin_access() {
    if let Some(context) = context::current() {
        let unseen = &context.running().unseen;
        unseen.accesses.set(unseen.accesses.get().wrapping_add(1));
        unseen.open.set(unseen.open.get() + 1);
    }
}

/// The access is over.
#[inline]
pub fn end_access() {
    if let Some(context) = context::current() {
        let open = &context.running().unseen.open;
        open.set(open.get().saturating_sub(1));
    }
}

/// The local state of a thread that has a pending operation, if it is known.
pub(crate) fn local_state(context: &Context, thread: ThreadId) -> Option<Fingerprint> {
    let slot = context.slot(thread);
    let is_known = slot.status.get() == Status::Live && slot.unseen.is_watched() && context.blocks.are_recorded();
    if !is_known || slot.unseen.open.get() > 0 || slot.unseen.lost.get() {
        return None;
    }
    let walk = Walk::of(context, thread);
    if walk.is_too_much {
        slot.unseen.lost.set(true);
    }
    if walk.is_lost || walk.is_too_much {
        return None;
    }
    let borrows = walk.parts.iter().any(|part| matches!(part, Part::Stack(..)));
    let origin = slot.unseen.origin.get().filter(|_| borrows);
    let Fingerprint(before) = origin.map_or(Fingerprint(0), |origin| origin.state);
    let unseen = [
        u64::from(slot.unseen.accesses.get()) << 32 | u64::from(slot.unseen.writes.get()),
        u64::from(slot.spurious.get()),
        before as u64,
        (before >> 64) as u64,
    ];
    // The operation is as much of it as what comes after it: its operands are in no register any more.
    let op = slot.op.get();
    Some(Fingerprint::of(walk.words.into_iter().chain(unseen)).and(&(op.kind, op.object)))
}

/// As [`local_state`]; from now on, it is watched whether the thread changes what is not on its stack.
pub(crate) fn ask(context: &Context, thread: ThreadId) -> Option<Fingerprint> {
    context.registry.watch_states(true);
    let state = local_state(context, thread);
    if state.is_some() {
        context.slot(thread).unseen.asked.set(true);
    }
    state
}

/// A thread is about to create another one, which may borrow from it: what it is now.
pub(crate) fn origin_of_child(context: &Context, creator: ThreadId) -> Option<Origin> {
    let state = local_state(context, creator)?;
    Some(Origin { state, creator, stack_pointer: context.slot(creator).registers.get().stack_pointer })
}

/// A thread begins, created by the one that is about to do so.
#[inline(never)]
pub(crate) fn begin(context: &Context, thread: ThreadId) {
    let unseen = &context.slot(thread).unseen;
    unseen.watched.set(context.registry.watches_states());
    unseen.origin.set(context.origin.take());
}

/// What a thread could change in its next step, as it is before: memory, and what is in it.
pub(crate) struct Before(Vec<(Part, Vec<u64>)>);

/// Memory that is not on a thread's own stack.
#[derive(Clone, Copy, Debug)]
enum Part {
    Block(Block),
    /// What it may borrow from: the part of another thread's stack from this address up.
    Stack(ThreadId, usize),
}

/// What a thread could change when it goes on, of which that matters; `found` is what its operation gives it.
pub(crate) fn before_step(context: &Context, thread: ThreadId, found: u64) -> Option<Before> {
    let unseen = &context.slot(thread).unseen;
    if !unseen.asked.get() || unseen.lost.get() {
        return None;
    }
    let mut walk = Walk::begin(context, thread);
    walk.add_roots()?;
    if let Some(pointer) = context.tokens.pointer(found) {
        walk.add(pointer);
    }
    walk.add_blocks()?;
    Some(Before(walk.parts.into_iter().map(|part| (part, words_of(part.range(context)).collect())).collect()))
}

/// The thread went on: if it changed something, it is another one.
pub(crate) fn after_step(context: &Context, thread: ThreadId, before: Option<Before>) {
    let unseen = &context.slot(thread).unseen;
    let Some(Before(parts)) = before else { return unseen.lost.set(unseen.asked.get()) };
    let is_changed = parts.iter().any(|(part, then)| part.is_there(context) && part.has_changed(context, then));
    unseen.writes.set(unseen.writes.get() + u32::from(is_changed));
}

impl Part {
    fn is_there(self, context: &Context) -> bool {
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

    /// Whether something else is in it than was then, apart from what does not count.
    fn has_changed(self, context: &Context, then: &[u64]) -> bool {
        let (from, to) = self.range(context);
        // Whether somebody has met an object does not count.
        let what_counts = |word: u64| if is_identity(word, context.stamp.get()) { 0 } else { word };
        let mut skipped = 0;
        then.iter().zip(words_of((from, to))).enumerate().any(|(place, (&then, now))| {
            if place < skipped {
                return false;
            }
            let left = to.saturating_sub(from + place * WORD);
            if let Some(size) = Mark::size(then).filter(|&size| size <= left) {
                skipped = place + size.div_ceil(WORD);
            }
            what_counts(then) != what_counts(now)
        })
    }
}

const WORD: usize = size_of::<u64>();

/// All words between two addresses, and the bytes that are left.
fn words_of((from, to): (usize, usize)) -> impl Iterator<Item = u64> {
    let words = to.saturating_sub(from) / WORD;
    // SAFETY: memory of a fiber that is suspended, or a block that was not freed; any bytes are a word.
    let word = move |place: usize| unsafe { ((from + place * WORD) as *const u64).read_unaligned() };
    // SAFETY: as above.
    let byte = |address: usize| u64::from(unsafe { (address as *const u8).read() });
    (0..words).map(word).chain((from + words * WORD..to).map(byte))
}

/// Numbers that may be addresses of a program's memory.
const ADDRESSES: Range<usize> = 1 << 16..1 << 48;

/// A walk through all memory that a thread can reach.
struct Walk<'c> {
    context: &'c Context,
    slot: &'c Slot,
    words: Vec<u64>,
    /// What was found on the way, and where blocks among it begin.
    parts: Vec<Part>,
    starts: FxHashSet<usize>,
    is_lost: bool,
    is_too_much: bool,
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

impl<'c> Walk<'c> {
    fn begin(context: &'c Context, thread: ThreadId) -> Self {
        Walk {
            context,
            slot: context.slot(thread),
            words: Vec::new(),
            parts: Vec::new(),
            starts: FxHashSet::default(),
            is_lost: false,
            is_too_much: false,
        }
    }

    fn of(context: &'c Context, thread: ThreadId) -> Self {
        let mut walk = Walk::begin(context, thread);
        let all = walk.add_roots().and_then(|()| walk.add_blocks());
        walk.is_lost |= all.is_none();
        walk
    }

    /// Registers, the stack, and values that the thread has of its own.
    fn add_roots(&mut self) -> Option<()> {
        let registers = self.slot.registers.get();
        let (lowest, top) = self.slot.stack.get();
        let from = registers.stack_pointer;
        if !(lowest..top).contains(&from) {
            return None;
        }
        registers.kept.into_iter().for_each(|word| self.add(word));
        self.words.push((top - from) as u64);
        self.add_words(from, self.slot.own_stack_end())?;
        let locals = self.slot.locals.borrow();
        for (_, value) in locals.iter() {
            self.add(value.as_ref().map_or(0, |value| std::rc::Rc::as_ptr(value).cast::<u8>() as usize));
        }
        Some(())
    }

    /// What the blocks found so far lead to, in the order in which they were found.
    fn add_blocks(&mut self) -> Option<()> {
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
    fn add_words(&mut self, from: usize, to: usize) -> Option<()> {
        let mut at = from;
        if to.saturating_sub(from) / WORD + self.words.len() > MOST_WORDS {
            self.is_too_much = true;
            return None;
        }
        while at + WORD <= to {
            // SAFETY: memory of a fiber that is suspended, or a block that was not freed; any bytes are a word.
            let word = unsafe { (at as *const u64).read_unaligned() };
            match Mark::size(word) {
                Some(size) if at + size <= to => {
                    self.words.push(word);
                    at += size.max(WORD).next_multiple_of(WORD);
                }
                _ => {
                    self.add(word as usize);
                    at += WORD;
                }
            }
        }
        // SAFETY: as above.
        self.words.extend((at..to).map(|byte| unsafe { u64::from((byte as *const u8).read()) }));
        Some(())
    }

    /// A word, which may lead somewhere.
    fn add(&mut self, word: usize) {
        if is_identity(word as u64, self.context.stamp.get()) {
            // Whether somebody has met the object.
            self.words.push(0);
        } else if !self.add_address(word) {
            self.words.push(word as u64);
        }
    }

    fn add_address(&mut self, address: usize) -> bool {
        if !ADDRESSES.contains(&address) {
            return false;
        }
        let (lowest, top) = self.slot.stack.get();
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
        self.words.push(target as u64);
        self.words.extend(to);
    }

    fn find(&mut self, block: Block) {
        if self.starts.insert(block.start) {
            self.parts.push(Part::Block(block));
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
