//! The state of a run at some of its steps, so that it can go back there without running the program from its start.
//!
//! Everything that a run can change is copied: the program's variables, the used parts of heaps and stacks, and what the
//! runtime knows of threads and objects. All of it is at the same addresses when it comes back.

use crate::context::Context;
use crate::layout;
use crate::slot::SavedSlot;
use crate::sync::Met;
use model::ThreadId;
use objects::World;
use std::ops::Range;

/// States of more bytes than this are not kept: to run the program again is cheaper.
const LARGEST: usize = 1 << 20;
/// So many steps are between two states, and one more for so many bytes of the last one.
const STRIDE: usize = 8;
const BYTES_FOR_A_STEP: usize = 512;
/// When there are so many, every other one is given up.
const MOST: usize = 1 << 12;

/// The states of a run that it can go back to, the latest last.
#[derive(Default)]
pub(crate) struct Checkpoints {
    kept: Vec<Checkpoint>,
    /// Given up, to be used again.
    spare: Vec<Checkpoint>,
    stride: usize,
}

/// The state of a run after its first so many steps.
#[derive(Default)]
struct Checkpoint {
    steps: usize,
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
    world: World,
    mets: Vec<Met>,
    slots: Vec<(ThreadId, SavedSlot)>,
    heaps: Vec<(ThreadId, usize)>,
    live_blocks: usize,
    keys: Vec<Option<usize>>,
    at_exit: Vec<(usize, usize)>,
    concurrent: bool,
    cut: bool,
    exited: bool,
}

impl Checkpoints {
    /// Nothing can be gone back to.
    pub(crate) fn clear(&mut self) {
        self.stride = STRIDE;
        self.spare.append(&mut self.kept);
    }

    /// Keeps the state after so many steps, if enough of them were taken since the last one.
    #[inline]
    pub(crate) fn pass(&mut self, context: &Context, steps: usize) {
        if steps >= self.kept.last().map_or(0, |last| last.steps) + self.stride {
            self.keep(context, steps);
        }
    }

    fn keep(&mut self, context: &Context, steps: usize) {
        let mut checkpoint = self.spare.pop().unwrap_or_default();
        if !checkpoint.save(context, steps) {
            self.spare.push(checkpoint);
            self.stride = usize::MAX / 2;
            return;
        }
        self.stride = self.stride.max(STRIDE + checkpoint.bytes.len() / BYTES_FOR_A_STEP);
        self.kept.push(checkpoint);
        if self.kept.len() >= MOST {
            self.stride *= 2;
            let mut nth = 0;
            self.kept.retain(|_| {
                nth += 1;
                nth % 2 == 0
            });
        }
    }

    /// Goes back to the latest state of at most so many steps. How many they are is the answer; none if there is no such
    /// state.
    pub(crate) fn go_back(&mut self, context: &Context, steps: usize) -> Option<usize> {
        while self.kept.last().is_some_and(|last| last.steps > steps) {
            self.spare.extend(self.kept.pop());
        }
        let last = self.kept.last()?;
        last.load(context);
        Some(last.steps)
    }
}

impl Checkpoint {
    /// Copies the state. False if it is too large.
    fn save(&mut self, context: &Context, steps: usize) -> bool {
        self.steps = steps;
        self.slots.clear();
        self.heaps.clear();
        self.ranges.clear();
        self.ranges.push(context.image().globals.clone());
        for thread in (0..context.thread_count() as u32).map(ThreadId) {
            self.save_thread(context, thread);
        }
        if self.ranges.iter().map(Range::len).sum::<usize>() > LARGEST {
            return false;
        }
        self.bytes.clear();
        for range in &self.ranges {
            // SAFETY: memory of the program or of its heaps' states, which is mapped.
            let bytes = unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) };
            self.bytes.extend_from_slice(bytes);
        }
        self.world.copy_from(context.world());
        context.syncs.save(&mut self.mets);
        self.live_blocks = context.heaps.live();
        self.keys.clone_from(&context.keys.borrow());
        self.at_exit.clone_from(&context.at_exit.borrow());
        (self.concurrent, self.cut, self.exited) = (context.concurrent.get(), context.cut.get(), context.exited.get());
        true
    }

    fn save_thread(&mut self, context: &Context, thread: ThreadId) {
        let slot = context.slot(thread);
        if !slot.used.get() {
            return;
        }
        let mut saved = SavedSlot::default();
        slot.save(&mut saved);
        self.slots.push((thread, saved));
        let locals = context.locals_of(thread);
        self.ranges.extend(not_empty(context.image().locals_at(locals)));
        if slot.is_live() {
            self.ranges.push(slot.stack_pointer.get()..locals);
        }
        let used = context.heaps.used(thread);
        self.heaps.push((thread, used));
        let start = layout::heap_of(thread).start;
        self.ranges.extend(not_empty(start..start + used));
        self.ranges.extend(not_empty(context.heaps.states_at(thread, used)));
    }

    fn load(&self, context: &Context) {
        for thread in (0..context.thread_count() as u32).map(ThreadId) {
            match self.slots.iter().find(|(of, _)| *of == thread) {
                Some((_, saved)) => context.slot(thread).load(saved),
                None => context.slot(thread).reset(),
            }
            let used = self.heaps.iter().find(|(of, _)| *of == thread).map_or(0, |&(_, used)| used);
            context.heaps.cut(thread, used);
        }
        let mut bytes = &self.bytes[..];
        for range in &self.ranges {
            let (these, rest) = bytes.split_at(range.len());
            // SAFETY: where they were copied from; the fibers that are there do not run.
            unsafe { std::ptr::copy_nonoverlapping(these.as_ptr(), range.start as *mut u8, these.len()) };
            bytes = rest;
        }
        context.world().copy_from(&self.world);
        context.syncs.load(&self.mets);
        context.heaps.set_live(self.live_blocks);
        context.keys.borrow_mut().clone_from(&self.keys);
        context.at_exit.borrow_mut().clone_from(&self.at_exit);
        context.concurrent.set(self.concurrent);
        context.cut.set(self.cut);
        context.exited.set(self.exited);
    }
}

fn not_empty(range: Range<usize>) -> Option<Range<usize>> {
    (!range.is_empty()).then_some(range)
}
