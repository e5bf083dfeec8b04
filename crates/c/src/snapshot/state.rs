//! All that a run can change.

use super::copy_list;
use super::memory::Memory;
use crate::context::Context;
use crate::layout;
use crate::paranoid::Mark;
use crate::slot::SavedSlot;
use crate::sync::Met;
use model::ThreadId;
use objects::World;
use std::ops::Range;

/// States of more bytes than this are not kept: to run the program again is cheaper.
const LARGEST: usize = 1 << 20;

/// The state of a run.
#[derive(Default)]
pub(crate) struct State {
    memory: Memory,
    world: World,
    mets: Vec<Met>,
    /// Of threads in the order of their ids, as many as there were. There may be more of them in the list, whose memory
    /// is used again.
    threads: Vec<SavedThread>,
    thread_count: usize,
    live_blocks: usize,
    freed_blocks: usize,
    keys: Vec<Option<usize>>,
    at_exit: Vec<(usize, usize)>,
    marks: Vec<Mark>,
    concurrent: bool,
    cut: bool,
    exited: bool,
    /// Whether memory was read that nobody wrote.
    reads_uninitialised: bool,
}

#[derive(Default)]
struct SavedThread {
    /// Whether the run had it.
    used: bool,
    slot: SavedSlot,
    /// How much of its heap was used.
    heap: usize,
}

impl State {
    /// How many bytes of memory it has.
    pub(super) fn size(&self) -> usize {
        self.memory.size()
    }

    /// Copies the state of the run at hand. False if it is too large.
    pub(super) fn save_unless_large(&mut self, context: &Context) -> bool {
        self.find_memory(context);
        let is_small = self.memory.size() <= LARGEST;
        if is_small {
            self.copy(context);
        }
        is_small
    }

    /// The state of the run at hand, however large.
    pub(crate) fn of(context: &Context) -> Self {
        let mut state = State::default();
        state.find_memory(context);
        state.copy(context);
        state
    }

    fn copy(&mut self, context: &Context) {
        // SAFETY: memory of the program and of its heaps' states, which is mapped; no fiber runs.
        unsafe { self.memory.save() };
        self.thread_count = context.thread_count();
        if self.threads.len() < self.thread_count {
            self.threads.resize_with(self.thread_count, SavedThread::default);
        }
        for (thread, saved) in (0..).map(ThreadId).zip(&mut self.threads[..self.thread_count]) {
            saved.save(context, thread);
        }
        self.world.copy_from(context.world());
        context.syncs.save(&mut self.mets);
        (self.live_blocks, self.freed_blocks) = (context.heaps.live(), context.heaps.freed());
        copy_list(&mut self.keys, &context.keys.borrow());
        copy_list(&mut self.at_exit, &context.at_exit.borrow());
        if context.paranoid.is_on() {
            self.marks = context.paranoid.marks();
        }
        (self.concurrent, self.cut, self.exited) = (context.concurrent.get(), context.cut.get(), context.exited.get());
        self.reads_uninitialised = context.uninitialised.is_read();
    }

    /// Where there is something to copy.
    fn find_memory(&mut self, context: &Context) {
        self.memory.clear();
        for_memory(context, |range| self.memory.add(range));
    }

    /// The run at hand gets this state.
    pub(crate) fn load(&self, context: &Context) {
        for thread in (0..context.thread_count() as u32).map(ThreadId) {
            match self.threads[..self.thread_count].get(thread.index()) {
                Some(saved) => saved.load(context, thread),
                None => remove(context, thread),
            }
        }
        // SAFETY: where it was copied from; the fibers that are there do not run.
        unsafe { self.memory.load() };
        context.world().copy_from(&self.world);
        context.syncs.load(&self.mets);
        context.heaps.set_live(self.live_blocks);
        context.heaps.set_freed(self.freed_blocks);
        copy_list(&mut context.keys.borrow_mut(), &self.keys);
        copy_list(&mut context.at_exit.borrow_mut(), &self.at_exit);
        if context.paranoid.is_on() {
            context.paranoid.set_marks(&self.marks);
            context.paranoid.forget();
        }
        context.concurrent.set(self.concurrent);
        context.cut.set(self.cut);
        context.exited.set(self.exited);
        context.uninitialised.set_read(self.reads_uninitialised);
    }
}

/// All memory that is part of a run's state, always in the same order.
pub(super) fn for_memory(context: &Context, mut add: impl FnMut(Range<usize>)) {
    add(context.image().globals.clone());
    for thread in (0..context.thread_count() as u32).map(ThreadId) {
        let slot = context.slot(thread);
        if !slot.used.get() {
            continue;
        }
        let locals = context.locals_of(thread);
        add(context.image().locals_at(locals));
        if slot.has_frames() {
            add(slot.stack_pointer.get()..locals);
        }
        let used = context.heaps.used(thread);
        if used > 0 {
            let start = layout::heap_of(thread).start;
            add(start..start + used);
            add(context.heaps.states_at(thread, used));
        }
    }
}

impl SavedThread {
    fn save(&mut self, context: &Context, thread: ThreadId) {
        let slot = context.slot(thread);
        self.used = slot.used.get();
        if self.used {
            slot.save(&mut self.slot);
            self.heap = context.heaps.used(thread);
        }
    }

    fn load(&self, context: &Context, thread: ThreadId) {
        if !self.used {
            return remove(context, thread);
        }
        context.slot(thread).load(&self.slot);
        context.heaps.cut(thread, self.heap);
    }
}

/// The run does not have the thread yet.
fn remove(context: &Context, thread: ThreadId) {
    context.slot(thread).reset();
    context.heaps.cut(thread, 0);
}
