//! Threads as fibers: their stacks, and how they are resumed.

use super::Context;
use super::cell::{CURRENT, quietly};
use crate::overflow::RESERVE;
use crate::slot::{Fiber, Slot, Status};
use corosensei::stack::{DefaultStack, Stack};
use model::{Op, ThreadId};

/// The lowest address and the top of a stack.
pub(crate) fn range_of(stack: &DefaultStack) -> (usize, usize) {
    (stack.limit().get(), stack.base().get())
}

/// So much of a stack is used by calls from where a thread was at an operation, as a rule.
const BELOW: usize = 4 << 10;

/// The lowest part of a stack, which has the page that cannot be written.
const GUARD: usize = 64 << 10;

/// Compilers leave holes in stacks: what is in them is to be the same in every run.
fn wipe(stack: &DefaultStack, used_down_to: usize) {
    let (lowest, top) = range_of(stack);
    if (lowest + GUARD..top).contains(&used_down_to) {
        let from = used_down_to.saturating_sub(BELOW).max(lowest + GUARD);
        // SAFETY: the memory of a stack that no fiber uses.
        unsafe { std::ptr::write_bytes(from as *mut u8, 0, top - from) };
    }
}

impl Context {
    /// Makes room for a thread.
    pub(super) fn admit(&self, thread: ThreadId) {
        while self.threads() <= thread.index() {
            // SAFETY: one OS thread; no reference to the list itself is kept.
            unsafe { (*self.slots.get()).push(Box::new(Slot::new())) };
        }
    }

    /// The id of the next child of the thread that runs.
    pub(crate) fn next_child(&self) -> ThreadId {
        let parent = self.running();
        let nth = parent.spawned.replace(parent.spawned.get() + 1);
        if let Some(&child) = parent.children.borrow().get(nth as usize) {
            return child;
        }
        quietly(|| {
            let child = self.registry.threads.intern(Some(self.current()), nth);
            parent.children.borrow_mut().push(child);
            self.admit(child);
            child
        })
    }

    /// A stack of at least so many bytes, and not fewer than the options say, from the pool or a new one.
    pub(crate) fn take_stack(&self, wanted: usize) -> DefaultStack {
        let wanted = wanted.max(self.options.stack_size) + RESERVE;
        let is_large = |stack: &DefaultStack| {
            let (lowest, top) = range_of(stack);
            top - lowest > wanted
        };
        quietly(|| {
            let mut stacks = self.stacks.borrow_mut();
            if let Some(place) = stacks.iter().rposition(is_large) {
                return stacks.swap_remove(place);
            }
            let stack = DefaultStack::new(wanted);
            stack.unwrap_or_else(|error| panic!("no memory for the stack of one more thread: {error}"))
        })
    }

    /// The thread that had this stack, down to this address at its last operation, needs it no longer.
    pub(crate) fn give_stack(&self, stack: DefaultStack, used_down_to: usize) {
        if self.registry.watches_states() {
            wipe(&stack, used_down_to);
        }
        quietly(|| self.stacks.borrow_mut().push(stack));
    }

    /// Runs the fiber of `thread` to its next operation or its end. Says whether it ended.
    #[inline(always)]
    pub(crate) fn resume(&self, thread: ThreadId) -> bool {
        let slot = self.slot(thread);
        let before = (CURRENT.replace(self), self.recording.replace(true), self.current.get(), self.running.get());
        self.current.set(thread);
        self.running.set(slot);
        // SAFETY: the fiber itself does not touch this field, and nobody else runs meanwhile but fibers that it resumes
        // in turn, which are not this one.
        let fiber = unsafe { &mut *slot.fiber.get() };
        self.pulse.begin(thread);
        let ended = fiber.as_mut().is_some_and(|fiber| fiber.resume(()).as_return().is_some());
        self.pulse.end();
        CURRENT.set(before.0);
        self.recording.set(before.1);
        self.current.set(before.2);
        self.running.set(before.3);
        if ended && let Some(ended) = fiber.take() {
            slot.status.set(Status::Gone);
            self.set_stack(slot, (0, 0));
            self.give_stack(ended.into_stack(), slot.registers.get().stack_pointer);
        }
        ended
    }

    /// Leaves a suspended fiber as it is, for good, and takes its stack back.
    pub(crate) fn forget_fiber(&self, thread: ThreadId) {
        let slot = self.slot(thread);
        // SAFETY: no fiber runs.
        let fiber = unsafe { &mut *slot.fiber.get() };
        if let Some(mut fiber) = fiber.take() {
            if fiber.started() && !fiber.done() {
                // SAFETY: nothing of the run is used any more. What is on the stack is never dropped, so whatever it owns is
                // leaked; what borrows from the stack belongs to threads of the same run, which are gone or forgotten too.
                unsafe { fiber.force_reset() };
            }
            self.give_stack(fiber.into_stack(), slot.registers.get().stack_pointer);
        }
        slot.status.set(Status::Gone);
        self.set_stack(slot, (0, 0));
    }

    /// Makes `thread` a daemon that performs one operation after the other.
    pub(crate) fn set_daemon(&self, thread: ThreadId, first: Op, then: Op) {
        let slot = self.slot(thread);
        slot.used.set(true);
        slot.op.set(first);
        slot.then.set(Some(then));
        slot.status.set(Status::Daemon);
    }

    /// Whether `thread` has a fiber that did not end.
    pub(crate) fn has_fiber(&self, thread: ThreadId) -> bool {
        // SAFETY: no fiber runs, or it is not this one.
        unsafe { (*self.slot(thread).fiber.get()).is_some() }
    }

    pub(crate) fn set_fiber(&self, thread: ThreadId, fiber: Fiber, stack: (usize, usize)) {
        let slot = self.slot(thread);
        // SAFETY: this thread's fiber does not run: it did not exist.
        unsafe { *slot.fiber.get() = Some(fiber) };
        slot.used.set(true);
        self.set_stack(slot, stack);
        slot.status.set(Status::Live);
        slot.op.set(Op::NONE);
    }

    fn set_stack(&self, slot: &Slot, stack: (usize, usize)) {
        slot.stack.set(stack);
        self.stacks_given.set(self.stacks_given.get().wrapping_add(1));
    }

    /// Which fiber's stack `address` is in, and how far from its top.
    pub(crate) fn on_stack(&self, address: usize) -> Option<(ThreadId, usize)> {
        let within = |thread: ThreadId| {
            let (lowest, top) = self.slot(thread).stack.get();
            (lowest..top).contains(&address).then(|| (thread, top - address))
        };
        within(self.current()).or_else(|| (0..self.threads() as u32).find_map(|thread| within(ThreadId(thread))))
    }
}
