//! Threads as fibers: how they are made, resumed and suspended.

use super::Context;
use crate::discoveries::Discovery;
use crate::floating;
use crate::layout::{self, LOCALS_SIZE, MAX_THREADS, RESERVE, STACK_SIZE};
use crate::slot::{Done, Effect, Slot, Status};
use crate::switch::{self, Body};
use model::{Fingerprint, ObjectId, Op, OpKind, Site, ThreadId};
use std::hash::Hash;
use std::io;

impl Context {
    /// Makes room for a thread.
    pub(super) fn admit(&self, thread: ThreadId) -> io::Result<()> {
        while self.thread_count() <= thread.index() {
            let next = self.thread_count();
            let guard = layout::stack_of(ThreadId(next as u32)).start;
            let size = self.guard_size();
            layout::protect(guard..guard + size, libc::PROT_NONE)?;
            // SAFETY: one OS thread; no reference to the list itself is kept.
            unsafe { (*self.slots.get()).push(Box::new(Slot::new())) };
        }
        Ok(())
    }

    /// Bytes below each stack that cannot be accessed.
    pub(super) fn guard_size(&self) -> usize {
        STACK_SIZE - LOCALS_SIZE - self.options.stack_size - RESERVE
    }

    /// The next child of the thread that runs, if there may be one more thread.
    pub(crate) fn next_child(&self) -> Option<ThreadId> {
        let parent = self.here();
        let nth = parent.spawned.get();
        let known = parent.children.borrow().get(nth as usize).copied();
        let child = match known {
            Some(child) => child,
            None => {
                let before = self.threads.len();
                let child = self.threads.intern(Some(self.current()), nth);
                if child.index() >= before && self.shadow.discoveries.are_of_copy() {
                    // Other processes may give its id to another thread.
                    self.shadow.discoveries.note(Discovery::Thread(child));
                    self.shadow.refine();
                }
                if child.index() >= MAX_THREADS || self.admit(child).is_err() {
                    return None;
                }
                parent.children.borrow_mut().push(child);
                child
            }
        };
        parent.spawned.set(nth + 1);
        Some(child)
    }

    /// Gives a thread a fiber that will run `body`.
    pub(crate) fn create_fiber(&self, thread: ThreadId, body: &Body) {
        let region = layout::stack_of(thread);
        self.image().start_locals(region.end - LOCALS_SIZE);
        // SAFETY: the stack is mapped, and nobody runs on it.
        let stack_pointer = unsafe { switch::prepare(region.end - LOCALS_SIZE, body) };
        let slot = self.slot(thread);
        slot.used.set(true);
        slot.stack_pointer.set(stack_pointer);
        slot.status.set(Status::Live);
    }

    /// Where a thread's thread-local variables are.
    pub(crate) fn locals_of(&self, thread: ThreadId) -> usize {
        layout::stack_of(thread).end - LOCALS_SIZE
    }

    /// Where a thread's stack ends, if it grows that far down.
    pub(crate) fn stack_end(&self, thread: ThreadId) -> usize {
        self.locals_of(thread) - self.options.stack_size
    }

    /// Where a thread's thread-local variables end, and with them its stack.
    pub(crate) fn end_of_locals(&self, thread: ThreadId) -> usize {
        self.image().locals_at(self.locals_of(thread)).end.next_multiple_of(size_of::<usize>())
    }

    /// The thread that runs does not only read.
    pub(crate) fn restart_patience(&self) {
        self.reads_left.set(self.here().patience.get());
        self.suspicion.set(None);
    }

    /// Runs a thread to its next operation or its end.
    #[inline(always)]
    pub(crate) fn resume(&self, thread: ThreadId) {
        let slot = self.slot(thread);
        self.current.set(thread);
        self.running.set(true);
        self.pulse.set(self.pulse.get() + 1);
        self.reads_left.set(slot.patience.get());
        self.suspicion.set(None);
        self.private_atomics.set(0);
        self.call.begin(self.stack_end(thread));
        self.call.wipe_below(slot.stack_pointer.get());
        // SAFETY: the address of errno is this OS thread's.
        unsafe { *self.errno = slot.errno.get() };
        let uses_fenv = self.image().uses_fenv;
        floating::enter(&slot.floating, uses_fenv);
        // SAFETY: a fiber that was suspended, or has just been created, and its stack is as it was.
        unsafe { switch::switch(self.scheduler.as_ptr(), slot.stack_pointer.get()) };
        floating::leave(&slot.floating, uses_fenv);
        // SAFETY: as above.
        slot.errno.set(unsafe { *self.errno });
        self.running.set(false);
    }

    /// Announces an operation, and waits to be chosen.
    #[inline(always)]
    pub(crate) fn announce(&self, kind: OpKind, object: ObjectId, site: Site, effect: Effect) -> Done {
        let needs_care = self.sections.are_used() || self.recorder.is_on() || self.apart.is_on();
        if needs_care || self.options.unroll.is_some() {
            return self.announce_with_care(Op { kind, object, site }, effect);
        }
        self.suspend(Op { kind, object, site }, effect)
    }

    /// Announces an operation with operands that its kind does not have: they are part of the thread's local state.
    pub(crate) fn announce_with(
        &self,
        operands: &(impl Hash + ?Sized),
        kind: OpKind,
        object: ObjectId,
        site: Site,
        effect: Effect,
    ) -> Done {
        let slot = self.here();
        slot.operands.set(Fingerprint(0).and(operands).0);
        let done = self.announce(kind, object, site, effect);
        slot.operands.set(0);
        done
    }

    /// Announces an operation of a program that has atomic sections, whose calls are recorded, whose loops are bounded, or whose
    /// threads are apart from memory.
    #[cold]
    #[inline(never)]
    fn announce_with_care(&self, mut op: Op, effect: Effect) -> Done {
        if let Some(most) = self.options.unroll {
            self.bound_rounds(op.site, most);
        }
        if self.apart.is_on()
            && let Some(done) = self.announce_apart(op, effect)
        {
            return done;
        }
        if self.sections.are_used() {
            match self.before_announcement(op, effect) {
                Ok(counts_as) => op = counts_as,
                Err(done) => return done,
            }
        }
        if self.recorder.is_on() {
            self.record_announcement();
        }
        self.suspend(op, effect)
    }

    /// Waits until this operation is chosen.
    #[inline(always)]
    pub(crate) fn suspend(&self, op: Op, effect: Effect) -> Done {
        debug_assert!(self.tables_are_free(), "a table is borrowed by a thread that is suspended");
        let slot = self.here();
        slot.op.set(op);
        slot.effect.set(effect);
        // SAFETY: the scheduler is suspended in `resume`.
        unsafe { switch::switch(slot.stack_pointer.as_ptr(), self.scheduler.get()) };
        slot.done.get()
    }

    /// Announces an operation that the runtime performs.
    #[inline(always)]
    pub(crate) fn perform(&self, kind: OpKind, object: ObjectId, site: Site) -> Done {
        let done = self.announce(kind, object, site, Effect::Performed);
        if done.misused {
            self.fail_as_told(site);
        }
        done
    }

    /// The constructors have run. If that was to find out in which state runs begin, this is the state.
    pub(crate) fn end_construction(&self) {
        if self.constructing.replace(false) {
            self.suspend(Op::NONE, Effect::Native);
        }
    }

    /// The thread that runs takes no further step.
    pub(crate) fn leave(&self, status: Status) -> ! {
        if self.apart.is_on() {
            self.settle();
        }
        debug_assert!(self.tables_are_free(), "a table is borrowed by a thread that takes no further step");
        let slot = self.here();
        slot.status.set(status);
        self.sections.close();
        // SAFETY: as in `announce`; nobody resumes this fiber.
        unsafe { switch::switch(slot.stack_pointer.as_ptr(), self.scheduler.get()) };
        unreachable!("a fiber that left was resumed")
    }
}
