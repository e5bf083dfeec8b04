//! The state of a run.
//!
//! Everything here is used by one OS thread, in turn by the explorer (between steps) and by the fiber that it resumed.
//! Fields that both change are cells. Where a list may grow while a fiber runs, its elements are boxed and never removed,
//! so that a reference to one stays good.

mod cell;
mod fibers;
mod met;
mod tables;

pub(crate) use cell::{allocating, cell_of_os_thread, current, present, quietly, recording};
pub(crate) use fibers::range_of;
pub(crate) use tables::Table;

use crate::allocator::Blocks;
use crate::code::Code;
use crate::guarded::Copies;
use crate::guards::Guards;
use crate::lesson::Lessons;
use crate::local_state::Origin;
use crate::place::{Creator, Place};
use crate::program::Options;
use crate::reach::Buffers;
use crate::references::Counts;
use crate::registry::Registry;
use crate::slot::{Created, Slot};
use crate::token::Tokens;
use crate::watchdog::Pulse;
use corosensei::stack::DefaultStack;
use met::Met;
use model::{ObjectId, Op, Site, State, ThreadId};
use objects::{Performed, World};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::Location;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers runs; unique in the process, so that an object can tell whether it was met in this very run. They are large, so
/// that an identity is no number that a program uses ([`crate::place::Identity`]).
static NEXT_STAMPS: AtomicU64 = AtomicU64::new(1 << 27);
/// How many are taken at a time.
const STAMPS: u64 = 1 << 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Operations are announced and performed in steps.
    Running,
    /// The run is given up: the fiber that is resumed is to unwind.
    Abandoning,
    /// What is left of the run is dropped: operations happen at once.
    TearingDown,
}

/// A run's state.
pub(crate) struct Context {
    pub(crate) registry: Arc<Registry>,
    pub(crate) options: Options,
    pub(crate) mode: Cell<Mode>,
    pub(crate) world: RefCell<World>,
    pub(crate) blocks: Blocks,
    pub(crate) copies: Copies,
    pub(crate) guards: Guards,
    pub(crate) counts: Counts,
    /// What the thread that creates another one is.
    pub(crate) origin: Cell<Option<Origin>>,
    pub(crate) code: Code,
    /// What the last walk through memory left.
    pub(crate) buffers: Cell<Buffers>,
    /// How often threads were given stacks, and these were taken back.
    pub(crate) stacks_given: Cell<u32>,
    /// How often a thread asked which one it is.
    pub(crate) asked: Cell<u32>,
    pub(crate) cut: Cell<bool>,
    /// Whether somebody else decides on what reads return ([`crate::apart`]).
    pub(crate) apart: Cell<bool>,
    /// Whether it is known that the program has weaker memory orders than seq_cst.
    weak_orders: Cell<bool>,
    /// The objects of this run that nobody was told of yet, with their words, where threads are apart from memory.
    pub(crate) met: RefCell<Vec<(ObjectId, State)>>,
    /// Whether a thread was stopped because something was learnt of its loop: the run is to be done again.
    pub(crate) learnt: Cell<bool>,
    /// Whether allocations are noted: only in user code.
    recording: Cell<bool>,
    /// What was known of the program when the run began.
    pub(crate) lessons: Cell<Lessons>,
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) stamp: Cell<u64>,
    current: Cell<ThreadId>,
    /// The slot of `current`.
    running: Cell<*const Slot>,
    #[allow(clippy::vec_box, reason = "references to slots are kept while the list grows")]
    slots: UnsafeCell<Vec<Box<Slot>>>,
    stacks: RefCell<Vec<DefaultStack>>,
    places: RefCell<FxHashMap<Place, Met>>,
    sites: Box<[Cell<(usize, Site)>; SITES]>,
    /// How often each lock was taken.
    pub(crate) taken: RefCell<Vec<u32>>,
    /// The threads that came to each barrier, in any run.
    pub(crate) came: RefCell<FxHashMap<ObjectId, Vec<ThreadId>>>,
    pub(crate) tokens: Tokens,
    /// What objects have created that were initialised.
    created: RefCell<FxHashMap<ObjectId, Created>>,
}

/// Places of the program's text that are found at once: more than most programs have.
const SITES: usize = 2048;

impl Context {
    pub(crate) fn new(registry: Arc<Registry>, options: Options, pulse: Arc<Pulse>) -> Self {
        let context = Context {
            registry,
            options,
            mode: Cell::new(Mode::Running),
            world: RefCell::new(World::default()),
            blocks: Blocks::default(),
            copies: Copies::default(),
            guards: Guards::default(),
            counts: Counts::default(),
            origin: Cell::new(None),
            code: Code::default(),
            buffers: Cell::default(),
            stacks_given: Cell::new(0),
            asked: Cell::new(0),
            cut: Cell::new(false),
            apart: Cell::new(false),
            weak_orders: Cell::new(false),
            met: RefCell::new(Vec::new()),
            learnt: Cell::new(false),
            recording: Cell::new(false),
            lessons: Cell::default(),
            pulse,
            stamp: Cell::new(0),
            current: Cell::new(ThreadId(0)),
            running: Cell::new(ptr::null()),
            slots: UnsafeCell::new(Vec::new()),
            stacks: RefCell::new(Vec::new()),
            places: RefCell::new(FxHashMap::default()),
            sites: Box::new([const { Cell::new((0, Site::UNKNOWN)) }; SITES]),
            taken: RefCell::new(Vec::new()),
            came: RefCell::new(FxHashMap::default()),
            tokens: Tokens::default(),
            created: RefCell::new(FxHashMap::default()),
        };
        context.admit(context.registry.threads.intern(None, 0));
        context.set_current(ThreadId(0));
        crate::allocator::probe(&context);
        context
    }

    /// Everything that a run leaves is cleared; a new run begins.
    pub(crate) fn reset(&self) {
        self.world.borrow_mut().reset(&[]);
        self.blocks.clear();
        self.guards.clear();
        self.cut.set(false);
        self.learnt.set(false);
        self.lessons.set(self.registry.lessons());
        self.counts.reset(self.registry.version(), self.registry.knows_references());
        self.tokens.clear();
        if !self.created.borrow().is_empty() {
            self.created.borrow_mut().clear();
        }
        self.taken.borrow_mut().clear();
        self.met.borrow_mut().clear();
        let stamp = self.stamp.get() + 1;
        let is_taken = !stamp.is_multiple_of(STAMPS) && stamp > 1;
        self.stamp.set(if is_taken { stamp } else { NEXT_STAMPS.fetch_add(1, Ordering::Relaxed) * STAMPS });
        for thread in 0..self.threads() {
            self.slot(ThreadId(thread as u32)).reset();
        }
    }

    #[inline]
    pub(crate) fn threads(&self) -> usize {
        // SAFETY: one OS thread; no reference to the list itself is kept.
        unsafe { (*self.slots.get()).len() }
    }

    #[inline]
    pub(crate) fn slot(&self, thread: ThreadId) -> &Slot {
        // SAFETY: one OS thread; slots are boxed and live as long as the context, so the reference stays good when the
        // list grows.
        unsafe {
            let slots: &Vec<Box<Slot>> = &*self.slots.get();
            &*ptr::from_ref::<Slot>(&slots[thread.index()])
        }
    }

    #[inline]
    pub(crate) fn current(&self) -> ThreadId {
        self.current.get()
    }

    /// The thread that runs.
    #[inline]
    pub(crate) fn running(&self) -> &Slot {
        // SAFETY: set by `resume` and `set_current` to one of the slots, which are boxed and live as long as the context.
        unsafe { &*self.running.get() }
    }

    #[inline]
    pub(crate) fn set_current(&self, thread: ThreadId) {
        self.current.set(thread);
        self.running.set(self.slot(thread));
    }

    /// Who creates what is created now: what the thread that runs is initialising, or else the thread.
    #[inline]
    pub(crate) fn creator(&self) -> Creator {
        match self.running().initialising.get() {
            ObjectId::NONE => Creator::Thread(self.current()),
            object => Creator::Object(object),
        }
    }

    /// Counts something that is created now.
    #[inline]
    pub(crate) fn count_created(&self, count: impl FnOnce(&Created) -> u32) -> (Creator, u32) {
        let creator = self.creator();
        let nth = match creator {
            Creator::Thread(_) => count(&self.running().created),
            Creator::Object(object) => quietly(|| count(self.created.borrow_mut().entry(object).or_default())),
        };
        (creator, nth)
    }

    /// Whether an address is that of the run itself, or of one of its threads.
    pub(crate) fn owns(&self, address: usize) -> bool {
        fn is_in<T>(part: &T, address: usize) -> bool {
            (address.wrapping_sub(ptr::from_ref(part) as usize)) < size_of::<T>()
        }
        let is_of_slot = |thread| is_in(self.slot(ThreadId(thread)), address);
        is_in(self, address) || (0..self.threads() as u32).any(is_of_slot)
    }

    /// What changes when a thread does anything that can be seen: operations, blocks of memory, questions who it is.
    pub(crate) fn traces_of_code(&self) -> (u64, usize, u32) {
        (self.pulse.beats(), self.blocks.len(), self.asked.get())
    }

    /// Performs an operation of `thread`, if it is enabled and has this alternative.
    #[inline]
    pub(crate) fn perform(&self, thread: ThreadId, op: &Op, alternative: u32) -> Option<Performed> {
        let mut world = self.world.borrow_mut();
        let is_disabled = op.kind.may_block() && !world.enabled(thread, op);
        if is_disabled || (alternative > 0 && alternative >= world.alternatives(op)) {
            return None;
        }
        if op.kind.nature().holding.takes() {
            self.take(op.object);
        }
        Some(world.perform(thread, op, alternative))
    }

    /// The program has a weaker memory order than seq_cst.
    #[inline]
    pub(crate) fn note_weak_order(&self) {
        if !self.weak_orders.replace(true) {
            self.registry.note_weak_order();
        }
    }

    /// How often the lock was taken.
    pub(crate) fn times_taken(&self, lock: ObjectId) -> u32 {
        self.taken.borrow().get(lock.index()).copied().unwrap_or(0)
    }

    /// Notes that a lock was taken.
    #[cold]
    pub(crate) fn take(&self, lock: ObjectId) {
        let mut taken = self.taken.borrow_mut();
        if taken.len() <= lock.index() {
            taken.resize(lock.index() + 1, 0);
        }
        taken[lock.index()] += 1;
    }

    /// A place in the program's text.
    #[inline(always)]
    pub(crate) fn site(&self, location: &'static Location<'static>) -> Site {
        let address = ptr::from_ref(location) as usize;
        let (at, site) = self.sites[(address >> 3) % SITES].get();
        if at == address { site } else { self.new_site(location) }
    }

    #[cold]
    #[inline(never)]
    fn new_site(&self, location: &'static Location<'static>) -> Site {
        let address = ptr::from_ref(location) as usize;
        let site = quietly(|| self.registry.site(location.file(), location.line(), location.column()));
        self.sites[(address >> 3) % SITES].set((address, site));
        site
    }
}
