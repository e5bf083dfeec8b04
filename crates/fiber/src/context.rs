//! The state of a run, and the one thread-local cell through which user code reaches it.
//!
//! Everything here is used by one OS thread, in turn by the explorer (between steps) and by the fiber that it resumed.
//! Fields that both change are cells. Where a list may grow while a fiber runs, its elements are boxed and never removed,
//! so that a reference to one stays good.

use crate::allocator::Blocks;
use crate::guarded::Copies;
use crate::lesson::Lessons;
use crate::place::{self, Described, Identity, Place};
use crate::program::Options;
use crate::registry::Registry;
use crate::slot::{Fiber, NO_OP, Slot, Status};
use crate::watchdog::Pulse;
use corosensei::stack::{DefaultStack, Stack};
use model::{ObjectId, Op, Site, ThreadId};
use objects::{Performed, World};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::Location;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// The run whose fiber this OS thread executes now.
    static CURRENT: Cell<*const Context> = const { Cell::new(ptr::null()) };
}

/// Numbers runs; unique in the process, so that an object can tell whether it was met in this very run.
static NEXT_STAMPS: AtomicU64 = AtomicU64::new(1);
/// How many are taken at a time.
const STAMPS: u64 = 1 << 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Operations are announced and performed in steps.
    Running,
    /// The run is given up: the fiber that is resumed is to unwind.
    Abandoning,
    /// What is left of the run is dropped: operations happen at once and never block.
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
    pub(crate) cut: Cell<bool>,
    /// Whether a thread was stopped because something was learnt of its loop: the run is to be done again.
    pub(crate) learnt: Cell<bool>,
    /// Whether allocations are noted: only in user code.
    recording: Cell<bool>,
    /// What was known of the program when the run began.
    pub(crate) lessons: Cell<Lessons>,
    pub(crate) pulse: Arc<Pulse>,
    stamp: Cell<u64>,
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
    /// Words of the pointers that were operands of atomic operations.
    pub(crate) tokens: RefCell<FxHashMap<usize, u64>>,
}

/// The objects met at one place.
#[derive(Default)]
struct Met {
    ids: Vec<ObjectId>,
    /// How many of them in which run.
    in_run: (u64, u32),
}

const SITES: usize = 256;

impl Context {
    pub(crate) fn new(registry: Arc<Registry>, options: Options, pulse: Arc<Pulse>) -> Self {
        let context = Context {
            registry,
            options,
            mode: Cell::new(Mode::Running),
            world: RefCell::new(World::default()),
            blocks: Blocks::default(),
            copies: Copies::default(),
            cut: Cell::new(false),
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
            tokens: RefCell::new(FxHashMap::default()),
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
        self.cut.set(false);
        self.learnt.set(false);
        self.lessons.set(self.registry.lessons());
        self.tokens.borrow_mut().clear();
        self.taken.borrow_mut().clear();
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

    /// Makes room for a thread.
    fn admit(&self, thread: ThreadId) {
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

    /// Performs an operation of `thread`, if it is enabled and has this alternative.
    #[inline]
    pub(crate) fn perform(&self, thread: ThreadId, op: &Op, alternative: u32) -> Option<Performed> {
        let mut world = self.world.borrow_mut();
        let is_disabled = op.kind.may_block() && !world.enabled(thread, op);
        if is_disabled || (alternative > 0 && alternative >= world.alternatives(op)) {
            return None;
        }
        if crate::spin::takes(op.kind) {
            self.take(op.object);
        }
        Some(world.perform(thread, op, alternative))
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

    /// A stack of at least so many bytes, and not fewer than the options say, from the pool or a new one.
    pub(crate) fn take_stack(&self, wanted: usize) -> DefaultStack {
        let mut stacks = self.stacks.borrow_mut();
        let is_large = |stack: &DefaultStack| {
            let (lowest, top) = range_of(stack);
            top - lowest > wanted
        };
        if let Some(place) = stacks.iter().rposition(is_large) {
            return stacks.swap_remove(place);
        }
        quietly(|| {
            let stack = DefaultStack::new(wanted.max(self.options.stack_size));
            stack.unwrap_or_else(|error| panic!("no memory for the stack of one more thread: {error}"))
        })
    }

    pub(crate) fn give_stack(&self, stack: DefaultStack) {
        self.stacks.borrow_mut().push(stack);
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
        if ended && let Some(ended) = fiber.take() {
            self.give_stack(ended.into_stack());
            slot.status.set(Status::Gone);
            slot.stack.set((0, 0));
        }
        CURRENT.set(before.0);
        self.recording.set(before.1);
        self.current.set(before.2);
        self.running.set(before.3);
        ended
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
        slot.stack.set(stack);
        slot.status.set(Status::Live);
        slot.op.set(NO_OP);
    }

    /// Which fiber's stack `address` is in, and how far from its top.
    pub(crate) fn on_stack(&self, address: usize) -> Option<(ThreadId, usize)> {
        let within = |thread: ThreadId| {
            let (lowest, top) = self.slot(thread).stack.get();
            (lowest..top).contains(&address).then(|| (thread, top - address))
        };
        within(self.current()).or_else(|| (0..self.threads() as u32).find_map(|thread| within(ThreadId(thread))))
    }

    /// The id of the object at `address`; `initial` is its word if it has not been met in this run.
    #[inline]
    pub(crate) fn object(
        &self,
        identity: &Identity,
        describe: impl FnOnce() -> Described,
        initial: impl FnOnce() -> u64,
    ) -> ObjectId {
        match identity.id(self.stamp.get()) {
            Some(id) => id,
            None => quietly(|| self.meet(identity, &describe(), initial())),
        }
    }

    #[cold]
    #[inline(never)]
    fn meet(&self, identity: &Identity, described: &Described, initial: u64) -> ObjectId {
        let place = place::locate(self, ptr::from_ref(identity) as usize);
        let known = if matches!(place, Place::Fixed { .. }) { self.fixed_at(place) } else { None };
        let id = known.unwrap_or_else(|| {
            let id = self.id_at(place, described);
            self.world.borrow_mut().set_word(id, initial);
            id
        });
        identity.set(self.stamp.get(), id);
        id
    }

    /// The only object at `place`, if this run has met it. (Of a static, a check in another OS thread may have changed the
    /// identity since.)
    fn fixed_at(&self, place: Place) -> Option<ObjectId> {
        let places = self.places.borrow();
        let met = places.get(&place).filter(|met| met.in_run.0 == self.stamp.get())?;
        met.ids.first().copied()
    }

    fn id_at(&self, place: Place, described: &Described) -> ObjectId {
        let mut places = self.places.borrow_mut();
        let met = places.entry(place).or_default();
        let nth = if met.in_run.0 == self.stamp.get() { met.in_run.1 } else { 0 };
        met.in_run = (self.stamp.get(), nth + 1);
        if let Some(&id) = met.ids.get(nth as usize) {
            return id;
        }
        let id = self.registry.object(place, nth, described);
        met.ids.push(id);
        id
    }

    /// The id of an object that this run has met.
    pub(crate) fn known(&self, identity: &Identity) -> Option<ObjectId> {
        identity.id(self.stamp.get())
    }

    /// The part of `whole` under a key, which has the word 0 when it is met.
    pub(crate) fn part(&self, whole: ObjectId, key: u64, described: &Described) -> ObjectId {
        let place = Place::Part { whole, key };
        self.fixed_at(place).unwrap_or_else(|| {
            let id = self.id_at(place, described);
            self.world.borrow_mut().set_word(id, 0);
            id
        })
    }

    /// The token by which `thread` is unparked.
    pub(crate) fn parker(&self, thread: ThreadId) -> ObjectId {
        self.part_of(&self.slot(thread).parker, Place::Parker { thread }, "park token")
    }

    /// What says whether `thread` has ended.
    pub(crate) fn end_of(&self, thread: ThreadId) -> ObjectId {
        self.part_of(&self.slot(thread).end, Place::End { thread }, "end of thread")
    }

    fn part_of(&self, part: &Cell<(u64, ObjectId)>, place: Place, name: &'static str) -> ObjectId {
        let (stamp, id) = part.get();
        if stamp == self.stamp.get() {
            return id;
        }
        quietly(|| {
            let show = |word: u64| word.to_string();
            let described = Described { type_name: name, created: Location::caller(), given: Some(name), show };
            let id = self.id_at(place, &described);
            self.world.borrow_mut().set_word(id, 0);
            part.set((self.stamp.get(), id));
            id
        })
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

    /// Does `f` as if a thread of this run did it, on the stack at hand.
    pub(crate) fn within<T>(&self, f: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(self);
        let result = f();
        CURRENT.set(before);
        result
    }

    /// Does `f` with allocations noted.
    pub(crate) fn record(&self, f: impl FnOnce()) {
        self.within(|| {
            let before = self.recording.replace(true);
            f();
            self.recording.set(before);
        });
    }
}

/// The lowest address and the top of a stack.
pub(crate) fn range_of(stack: &DefaultStack) -> (usize, usize) {
    (stack.limit().get(), stack.base().get())
}

/// The run whose fiber this OS thread executes now.
#[inline]
pub(crate) fn current<'a>() -> Option<&'a Context> {
    // SAFETY: set by `resume` and `within` to a context that outlives their call, and set back at their end; user code
    // gets no reference that outlives a call of this crate.
    unsafe { CURRENT.get().as_ref() }
}

/// The run, if allocations are to be noted.
#[inline]
pub(crate) fn recording<'a>() -> Option<&'a Context> {
    // The cell is gone when an OS thread ends; what is allocated then is of no check.
    let context = CURRENT.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: as in `current`.
    unsafe { context.as_ref() }.filter(|context| context.recording.get())
}

/// Does `f` without noting what it allocates.
#[inline]
pub(crate) fn quietly<T>(f: impl FnOnce() -> T) -> T {
    let Some(context) = current() else { return f() };
    let before = context.recording.replace(false);
    let result = f();
    context.recording.set(before);
    result
}
