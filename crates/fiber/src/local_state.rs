//! Local states: what the future of a thread depends on, besides objects and what is behind them.
//!
//! That is what the thread can read: its registers and its stack, and the blocks of memory that lead on from there. Addresses
//! differ from run to run, so what counts is where they lead: how far below the top of a stack, how far into which block.
//!
//! Not part of it is memory that others may change, for what is there is not given by what the thread has seen:
//! - objects themselves, whose words are seen by operations;
//! - data that is guarded by them, which has a [`Mark`]. What a lock guards is a part of it while the thread holds the lock, and
//!   is in the lock's word while nobody does ([`crate::guards`]). Whoever gets at other such data becomes another one thereby
//!   ([`Unseen`]), because what it finds there is more than the words of objects say;
//! - the counts in front of what an `Arc` shares;
//! - stacks of other threads. A thread may borrow from those that created it; what was there when it was created does not
//!   change as long as it borrows, unless it changes it itself. So it is what its creator was then ([`Origin`]).
//!
//! A thread that changes what is not on its own stack becomes another one, too: it may have led others to where it cannot come
//! any more. That is found by comparing, at every step, what it could have changed.

use crate::context::{self, Context, Table};
use crate::part::Part;
use crate::reach::Reach;
use crate::remembered::{Remembered, Watch};
use crate::slot::Status;
use model::{Fingerprint, ThreadId};
use std::cell::{Cell, RefCell};

/// What a thread came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// What its creator was.
    state: Fingerprint,
    /// What the thread may borrow from is above this, on its creator's stack.
    pub(crate) creator: ThreadId,
    pub(crate) stack_pointer: usize,
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
    /// How often threads had gone on or stopped when it began each access that is not over: on its stack, the numbers would be part of
    /// what it is, and are others in every run.
    begun: RefCell<Vec<u64>>,
    /// Where what the locks guard is that it holds, and how many bytes that are.
    pub(crate) held_data: RefCell<Vec<(usize, usize)>>,
    /// How often it changed memory that is not on its stack.
    writes: Cell<u32>,
    /// Whether it is not known any more what it is: there is too much that it could have changed.
    lost: Cell<bool>,
    /// None of the main thread, and where it is not known.
    pub(crate) origin: Cell<Option<Origin>>,
}

impl Unseen {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 2] {
        [&self.begun, &self.held_data]
    }

    /// What is found out by comparing.
    pub(crate) fn watch(&self) -> Watch {
        Watch { is_asked: self.asked.get(), is_lost: self.lost.get(), writes: self.writes.get() }
    }

    /// It was found out before.
    pub(crate) fn set_watch(&self, watch: Watch) {
        self.asked.set(watch.is_asked);
        self.lost.set(watch.is_lost);
        self.writes.set(watch.writes);
    }

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
        self.begun.borrow_mut().clear();
        self.held_data.borrow_mut().clear();
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
pub(crate) fn end_access() {
    if let Some(context) = context::current() {
        let open = &context.running().unseen.open;
        open.set(open.get().saturating_sub(1));
    }
}

/// As [`begin_access`], of an access that will be over.
#[inline]
pub fn open_access() {
    begin_access();
    if let Some(context) = context::current() {
        context::quietly(|| context.running().unseen.begun.borrow_mut().push(context.pulse.beats()));
    }
}

/// The access that was opened last is over. Says whether others could run meanwhile.
#[inline]
pub fn close_access() -> bool {
    let Some(context) = context::current() else { return false };
    end_access();
    context.running().unseen.begun.borrow_mut().pop().is_some_and(|begun| begun != context.pulse.beats())
}

/// The thread that runs has taken a lock that guards what is there.
#[inline]
pub(crate) fn begin_holding(data: (usize, usize)) {
    if let Some(context) = context::current()
        && context.running().unseen.is_watched()
    {
        hold(context, data, true);
    }
}

/// The thread that runs is about to give a lock back that guards what is there.
#[inline]
pub(crate) fn end_holding(data: (usize, usize)) {
    if let Some(context) = context::current()
        && context.running().unseen.is_watched()
    {
        hold(context, data, false);
    }
}

#[cold]
#[inline(never)]
fn hold(context: &Context, data: (usize, usize), is_held: bool) {
    context::quietly(|| {
        let mut all = context.running().unseen.held_data.borrow_mut();
        if is_held {
            all.push(data);
        } else if let Some(place) = all.iter().rposition(|&other| other == data) {
            all.remove(place);
        }
    });
}

/// The local state of a thread that has a pending operation, if it is known.
fn local_state(context: &Context, thread: ThreadId) -> Option<Fingerprint> {
    let slot = context.slot(thread);
    let is_known = slot.status.get() == Status::Live && slot.unseen.is_watched() && context.blocks.are_recorded();
    if !is_known || slot.unseen.open.get() > 0 || slot.unseen.lost.get() {
        return None;
    }
    let mut reach = Reach::begin(context, thread);
    let all = reach.add_roots().and_then(|()| reach.add_blocks());
    if reach.is_too_much {
        slot.unseen.lost.set(true);
    }
    if all.is_none() || reach.is_lost {
        return None;
    }
    let origin = slot.unseen.origin.get().filter(|_| reach.borrows());
    let Fingerprint(before) = origin.map_or(Fingerprint(0), |origin| origin.state);
    reach.put(u64::from(slot.unseen.accesses.get()) << 32 | u64::from(slot.unseen.writes.get()));
    reach.put(u64::from(slot.spurious.get()));
    reach.put(before as u64);
    reach.put((before >> 64) as u64);
    // The operation is as much of it as what comes after it: its operands are in no register any more.
    let op = slot.op.get();
    Some(Fingerprint::of_bytes(reach.words()).and(&(op.kind, op.object)))
}

/// As [`local_state`], which is not found out again where it was twice along the same steps.
pub(crate) fn known(context: &Context, thread: ThreadId, remembered: &RefCell<Remembered>) -> Option<Fingerprint> {
    let lost = &context.slot(thread).unseen.lost;
    let mut remembered = remembered.borrow_mut();
    if let Some(known) = remembered.state(thread).filter(|known| known.is_sure) {
        lost.set(known.is_lost);
        return known.state;
    }
    let state = local_state(context, thread);
    remembered.add_state(thread, state, lost.get());
    state
}

/// As [`known`]; from now on, it is watched whether the thread changes what is not on its stack.
pub(crate) fn ask(context: &Context, thread: ThreadId, remembered: &RefCell<Remembered>) -> Option<Fingerprint> {
    context.registry.watch_states(true);
    let state = known(context, thread, remembered);
    if state.is_some() {
        context.slot(thread).unseen.asked.set(true);
    }
    state
}

/// A thread that is this is about to create another one, which may borrow from it.
pub(crate) fn origin_of_child(context: &Context, creator: ThreadId, state: Option<Fingerprint>) -> Option<Origin> {
    let stack_pointer = context.slot(creator).registers.get().stack_pointer;
    state.map(|state| Origin { state, creator, stack_pointer })
}

/// A thread begins, created by the one that is about to do so.
#[inline(never)]
pub(crate) fn begin(context: &Context, thread: ThreadId) {
    let unseen = &context.slot(thread).unseen;
    unseen.watched.set(context.registry.watches_states());
    unseen.origin.set(context.origin.take());
}

/// What a thread could change in its next step, as it is before.
pub(crate) struct Before {
    /// Memory, each with how many bytes it has.
    parts: Vec<(Part, usize)>,
    /// What is in it, one after the other.
    bytes: Vec<u8>,
    /// How many blocks had been allocated and freed.
    blocks: (usize, usize),
}

/// What a thread could change when it goes on, of which that matters; `found` is what its operation gives it.
pub(crate) fn before_step(context: &Context, thread: ThreadId, found: u64) -> Option<Before> {
    let unseen = &context.slot(thread).unseen;
    if !unseen.asked.get() || unseen.lost.get() {
        return None;
    }
    let mut reach = Reach::begin(context, thread);
    reach.add_roots()?;
    if let Some(pointer) = context.tokens.pointer(found) {
        reach.add(pointer);
    }
    reach.add_blocks()?;
    let mut bytes = Vec::new();
    let parts = reach.parts().iter().map(|&part| (part, part.copy_to(context, &mut bytes))).collect();
    Some(Before { parts, bytes, blocks: context.blocks.lists() })
}

/// The thread went on: if it changed something, it is another one.
pub(crate) fn after_step(context: &Context, thread: ThreadId, before: Option<Before>) {
    let unseen = &context.slot(thread).unseen;
    let Some(Before { parts, bytes, blocks }) = before else { return unseen.lost.set(unseen.asked.get()) };
    let are_all_there = context.blocks.lists() == blocks;
    let mut rest = &bytes[..];
    let is_changed = parts.into_iter().any(|(part, len)| {
        let (then, others) = rest.split_at(len);
        rest = others;
        (are_all_there || part.is_there(context)) && part.has_changed(context, then)
    });
    unseen.writes.set(unseen.writes.get() + u32::from(is_changed));
}
