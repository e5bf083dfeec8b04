//! One thread of a run.

use crate::context::Table;
use crate::guards::Region;
use crate::local_state::Unseen;
use crate::perform::{Asked, Done};
use crate::reach::Walked;
use crate::registers::Registers;
use crate::spin::Spin;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};
use model::{Failure, ObjectId, Op, Orders, Outcome, Site, ThreadId};
use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ptr;
use std::rc::Rc;

pub(crate) type Fiber = Coroutine<(), (), (), DefaultStack>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Does not exist, has ended or failed.
    Gone,
    /// Has a pending operation.
    Live,
    /// Failed before its first operation, and will say so when it takes its first step.
    Stillborn,
    /// No fiber, but a fixed sequence of operations.
    Daemon,
}

/// A value of a thread by its key; `None` when it was destroyed.
pub(crate) type LocalValue = (usize, Option<Rc<dyn Any>>);

/// One thread of the run.
pub(crate) struct Slot {
    /// Whether this run has the thread.
    pub(crate) used: Cell<bool>,
    pub(crate) status: Cell<Status>,
    pub(crate) op: Cell<Op>,
    /// What the operation is on and where, until the thread finds it out.
    pub(crate) asked: Cell<Option<Asked>>,
    /// What its next operation's object guards.
    pub(crate) guards: Cell<Option<Region>>,
    /// The memory orders of the operation.
    pub(crate) orders: Cell<Orders>,
    /// What a daemon does after that.
    pub(crate) then: Cell<Option<Op>>,
    pub(crate) done: Cell<Done>,
    pub(crate) fiber: UnsafeCell<Option<Fiber>>,
    pub(crate) yielder: Cell<*const Yielder<(), ()>>,
    /// Where the thread's own part of its stack ends, or 0 if that is not known: above it are frames of the fiber itself.
    pub(crate) base: Cell<usize>,
    /// The fiber's stack, lowest address and top.
    pub(crate) stack: Cell<(usize, usize)>,
    pub(crate) failure: RefCell<Option<Failure>>,
    /// Message and site of the panic that began last.
    pub(crate) panic: RefCell<Option<(String, Site)>>,
    /// Whether a panic began in this thread.
    pub(crate) panicked: Cell<bool>,
    pub(crate) spin: Spin,
    /// Locks that the thread holds.
    pub(crate) held: RefCell<Vec<ObjectId>>,
    /// In which run the token by which it is unparked was met, and which object it is.
    pub(crate) parker: Cell<(u64, ObjectId)>,
    /// The same of what says whether it has ended.
    pub(crate) end: Cell<(u64, ObjectId)>,
    pub(crate) locals: RefCell<Vec<LocalValue>>,
    /// Operations of its destructors while the run is given up.
    pub(crate) destructing: Cell<u32>,
    /// Whether somebody took its panic as the answer of a join.
    pub(crate) forgiven: Cell<bool>,
    /// How often something may still happen to it without a reason.
    pub(crate) spurious: Cell<u32>,
    /// What the thread is initialising, one within the other: that is who creates what it creates.
    pub(crate) initialising: Cell<ObjectId>,
    pub(crate) children: RefCell<Vec<ThreadId>>,
    pub(crate) spawned: Cell<u32>,
    pub(crate) created: Created,
    unknown: Cell<u32>,
    /// As they were when the thread came to its operation.
    pub(crate) registers: Cell<Registers>,
    pub(crate) unseen: Unseen,
    /// What the last walk through its memory found.
    pub(crate) walked: Cell<Walked>,
}

/// How much was created.
#[derive(Default)]
pub(crate) struct Created {
    /// Blocks of memory, by size modulo.
    blocks: [Cell<u32>; 32],
    /// Counts of references.
    counts: Cell<u32>,
}

impl Created {
    /// The number of the next block of this size.
    pub(crate) fn block(&self, size: usize) -> u32 {
        let count = &self.blocks[(size >> 3) % self.blocks.len()];
        count.replace(count.get() + 1)
    }

    /// The number of the next count of references.
    pub(crate) fn count(&self) -> u32 {
        self.counts.replace(self.counts.get() + 1)
    }

    pub(crate) fn clear(&self) {
        self.blocks.iter().for_each(|count| count.set(0));
        self.counts.set(0);
    }
}

impl Slot {
    /// Where the thread's own part of its stack ends.
    pub(crate) fn own_stack_end(&self) -> usize {
        match self.base.get() {
            // The top of a fiber's stack belongs to who resumes it.
            0 => self.stack.get().1.saturating_sub(16),
            base => base,
        }
    }

    pub(crate) fn new() -> Self {
        Slot {
            used: Cell::new(false),
            status: Cell::new(Status::Gone),
            op: Cell::new(Op::NONE),
            asked: Cell::new(None),
            guards: Cell::new(None),
            orders: Cell::default(),
            then: Cell::new(None),
            done: Cell::new(Done { outcome: Outcome::Done, before: 0, after: 0, alternative: 0 }),
            fiber: UnsafeCell::new(None),
            yielder: Cell::new(ptr::null()),
            base: Cell::new(0),
            stack: Cell::new((0, 0)),
            failure: RefCell::new(None),
            panic: RefCell::new(None),
            panicked: Cell::new(false),
            spin: Spin::default(),
            held: RefCell::new(Vec::new()),
            parker: Cell::new((0, ObjectId::NONE)),
            end: Cell::new((0, ObjectId::NONE)),
            locals: RefCell::new(Vec::new()),
            destructing: Cell::new(0),
            forgiven: Cell::new(false),
            spurious: Cell::new(0),
            initialising: Cell::new(ObjectId::NONE),
            children: RefCell::new(Vec::new()),
            spawned: Cell::new(0),
            created: Created::default(),
            unknown: Cell::new(0),
            registers: Cell::default(),
            unseen: Unseen::default(),
            walked: Cell::default(),
        }
    }

    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 8] {
        let [begun, held_data] = self.unseen.tables();
        let alternatives = self.spin.table();
        [&self.failure, &self.panic, &self.held, &self.locals, &self.children, begun, held_data, alternatives]
    }

    /// Ready for a new run.
    pub(crate) fn reset(&self) {
        if !self.used.replace(false) {
            return;
        }
        self.status.set(Status::Gone);
        self.panicked.set(false);
        self.spin.clear();
        self.held.borrow_mut().clear();
        // Those of a thread that was unwound were dropped; those of others must not be, for that runs code of the program.
        self.locals.borrow_mut().drain(..).for_each(std::mem::forget);
        self.destructing.set(0);
        self.spurious.set(0);
        self.forgiven.set(false);
        self.initialising.set(ObjectId::NONE);
        *self.failure.borrow_mut() = None;
        self.spawned.set(0);
        self.unknown.set(0);
        self.created.clear();
        self.unseen.clear();
    }

    /// The pending operation, where it is: it was written a moment ago, and to copy that is slow.
    #[inline]
    pub(crate) fn op(&self) -> &Op {
        // SAFETY: one OS thread, and the thread is suspended: nobody writes it while the reference is used.
        unsafe { &*self.op.as_ptr() }
    }

    /// How the thread failed, once.
    #[inline]
    pub(crate) fn take_failure(&self) -> Option<Box<Failure>> {
        let mut failure = self.failure.borrow_mut();
        if failure.is_none() {
            return None;
        }
        failure.take().map(Box::new)
    }

    pub(crate) fn count_unknown(&self) -> u32 {
        self.unknown.replace(self.unknown.get() + 1)
    }
}
