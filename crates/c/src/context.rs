//! The state of the one run of this process, and the one cell through which the program's code reaches it.
//!
//! Everything is used by one OS thread, in turn by the explorer (between steps) and by the fiber that it resumed. So
//! fields are cells. No borrow is kept while fibers are switched.

mod failure;
mod fibers;
mod tables;

pub(crate) use tables::Table;

use crate::apart::Apart;
use crate::calls::call::Call;
use crate::foreign::Foreign;
use crate::heap::Heaps;
use crate::image::{self, Image};
use crate::layout::{self, MAX_THREADS, STACK_SIZE};
use crate::names::Lines;
use crate::origin::Origin;
use crate::paranoid::Paranoid;
use crate::program::Options;
use crate::recorder::Recorder;
use crate::sections::Sections;
use crate::shadow::Shadow;
use crate::signals::{Timer, Trouble};
use crate::slot::{FIRST_PATIENCE, Slot};
use crate::snapshot::State;
use crate::sync::Syncs;
use crate::uninitialised::Uninitialised;
use crate::unroll::Rounds;
use model::{Fingerprint, Site, ThreadId, ThreadRegistry};
use objects::World;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::ffi::c_char;
use std::io;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

/// The context of this process. Set once, before the program is loaded.
pub(crate) static CONTEXT: AtomicPtr<Context> = AtomicPtr::new(ptr::null_mut());

pub(crate) const MAIN: ThreadId = ThreadId(0);

/// Why a program cannot be checked: what, where in its text, and at which address.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    pub(crate) site: Site,
    pub(crate) address: Option<usize>,
}

/// The state of the run.
pub(crate) struct Context {
    pub(crate) options: Options,
    pub(crate) threads: ThreadRegistry,
    pub(crate) shadow: Shadow,
    pub(crate) heaps: Heaps,
    pub(crate) foreign: Foreign,
    pub(crate) image: OnceCell<Image>,
    pub(crate) lines: OnceCell<Lines>,
    pub(crate) world: UnsafeCell<World>,
    pub(crate) syncs: Syncs,
    /// The last call of the runtime by the thread that runs, or ran last.
    pub(crate) call: Call,
    pub(crate) sections: Sections,
    pub(crate) recorder: Recorder,
    pub(crate) paranoid: Paranoid,
    pub(crate) uninitialised: Uninitialised,
    /// Whether more is to be done with every access than to explore it.
    pub(crate) is_watched: Cell<bool>,
    pub(crate) rounds: Rounds,
    pub(crate) apart: Apart,
    /// Destructors of the values of keys, by key.
    pub(crate) keys: RefCell<Vec<Option<usize>>>,
    /// Functions that the end of the program calls, the last one first: function, argument.
    pub(crate) at_exit: RefCell<Vec<(usize, usize)>>,
    /// What the program's constructors left, in which every run begins.
    pub(crate) origin: OnceCell<Origin>,
    /// Whether the constructors are being run to find that out.
    pub(crate) constructing: Cell<bool>,
    /// Whether a fiber runs.
    running: Cell<bool>,
    /// How many runs there were.
    runs: Cell<u64>,
    /// Whether this run has created a second thread: before that, memory is everybody's own.
    pub(crate) concurrent: Cell<bool>,
    pub(crate) cut: Cell<bool>,
    /// Whether the program has ended, by the end of its main function or by `exit`.
    pub(crate) exited: Cell<bool>,
    /// What the program asked for that cannot be.
    pub(crate) refusal: RefCell<Option<Refusal>>,
    current: Cell<ThreadId>,
    scheduler: Cell<usize>,
    #[allow(clippy::vec_box, reason = "references to slots are kept while the list grows")]
    slots: UnsafeCell<Vec<Box<Slot>>>,
    /// Where the thread of the operating system that everything happens in has its last error.
    pub(crate) errno: *mut i32,
    /// The runtime's own code.
    pub(crate) own_text: Range<usize>,
    /// The top of the stack on which a thread is given up after a signal, and what the signal was.
    pub(crate) emergency: Cell<usize>,
    pub(crate) trouble: Cell<Option<Trouble>>,
    /// See [`crate::guarded`]: 0 where no such work is done.
    pub(crate) guarded_at: Cell<usize>,
    /// When runs are given up, and whether one was.
    pub(crate) deadline: Cell<Option<Instant>>,
    pub(crate) interrupted: Cell<bool>,
    /// Whether a timer saw that the time for runs is over.
    pub(crate) is_out_of_time: Cell<bool>,
    pub(crate) timer: Cell<Option<Timer>>,
    /// How often it looks.
    pub(crate) look_every: Cell<Duration>,
    /// What this process had computed when a timer first looked and `pulse` was what it is.
    pub(crate) computed_before: Cell<Duration>,
    /// What `pulse` was when a timer looked, and how often in a row.
    pub(crate) last_look: Cell<(u64, u32)>,
    /// After so many more reads in a row of memory that only this thread touches, without a write but to its stack, it looks as if it
    /// waits.
    pub(crate) reads_left: Cell<u32>,
    /// Where it was and what it had on its stack when they were over, and how many of its next reads are compared with that.
    pub(crate) suspicion: Cell<Option<(Fingerprint, u32)>>,
    /// Atomic operations on memory that only this thread uses, in a row.
    pub(crate) private_atomics: Cell<u32>,
    /// The calls that led to failures.
    pub(crate) stacks: RefCell<FxHashMap<(ThreadId, Site), Vec<Site>>>,
    /// Names that the program gave to places in memory.
    pub(crate) given_names: RefCell<FxHashMap<usize, String>>,
    /// Where the list is that the main function gets, with a null at its end.
    pub(crate) arguments: Cell<usize>,
    /// Counts operations and switches: stands still only in a loop without any.
    pub(crate) pulse: Cell<u64>,
}

/// The context, if there is one.
#[inline]
pub(crate) fn get() -> Option<&'static Context> {
    let context = CONTEXT.load(Ordering::Relaxed);
    // SAFETY: set once, to a context that is never freed.
    unsafe { context.as_ref() }
}

/// The context, if the caller is a fiber of the program.
#[inline]
pub(crate) fn running() -> Option<&'static Context> {
    get().filter(|context| context.running.get())
}

/// Makes the context of this process.
pub(crate) fn create(options: Options) -> io::Result<&'static Context> {
    let context = Box::leak(Box::new(Context::new(options)?));
    CONTEXT.store(context, Ordering::Relaxed);
    Ok(context)
}

impl Context {
    fn new(options: Options) -> io::Result<Self> {
        layout::reserve(MAX_THREADS * STACK_SIZE, Some(layout::STACKS))?;
        let context = Context {
            options,
            arguments: Cell::new(0),
            threads: ThreadRegistry::default(),
            shadow: Shadow::new()?,
            heaps: Heaps::new()?,
            foreign: Foreign::default(),
            image: OnceCell::new(),
            lines: OnceCell::new(),
            world: UnsafeCell::new(World::with_lives()),
            syncs: Syncs::default(),
            call: Call::default(),
            sections: Sections::default(),
            recorder: Recorder::default(),
            paranoid: Paranoid::default(),
            uninitialised: Uninitialised::default(),
            is_watched: Cell::new(false),
            rounds: Rounds::default(),
            apart: Apart::default(),
            keys: RefCell::default(),
            at_exit: RefCell::default(),
            origin: OnceCell::new(),
            constructing: Cell::new(false),
            running: Cell::new(false),
            runs: Cell::new(0),
            concurrent: Cell::new(false),
            cut: Cell::new(false),
            exited: Cell::new(false),
            refusal: RefCell::new(None),
            current: Cell::new(MAIN),
            scheduler: Cell::new(0),
            slots: UnsafeCell::new(Vec::new()),
            // SAFETY: the address is this OS thread's for as long as it lives.
            errno: unsafe { libc::__errno_location() },
            own_text: image::text_with(create as *const () as usize),
            emergency: Cell::new(0),
            trouble: Cell::new(None),
            guarded_at: Cell::new(0),
            deadline: Cell::new(None),
            interrupted: Cell::new(false),
            is_out_of_time: Cell::new(false),
            timer: Cell::new(None),
            look_every: Cell::new(Duration::ZERO),
            computed_before: Cell::new(Duration::ZERO),
            last_look: Cell::new((0, 0)),
            reads_left: Cell::new(FIRST_PATIENCE),
            suspicion: Cell::new(None),
            private_atomics: Cell::new(0),
            stacks: RefCell::default(),
            given_names: RefCell::default(),
            pulse: Cell::new(0),
        };
        context.shadow.guard.set(context.guard_size());
        context.admit(context.threads.intern(None, 0))?;
        if context.options.paranoid {
            context.paranoid.turn_on();
        }
        context.watch();
        Ok(context)
    }

    /// What the main function gets, with a null at the end.
    pub(crate) fn arguments(&self) -> &[*mut c_char] {
        let list = self.arguments.get() as *const *mut c_char;
        // SAFETY: the list is in the main thread's memory, at the place where `Image::add_arguments` put it.
        unsafe { std::slice::from_raw_parts(list, self.options.arguments.len() + 1) }
    }

    /// The program in memory.
    pub(crate) fn image(&self) -> &Image {
        self.image.get().expect("the program is loaded before it is run")
    }

    #[inline]
    #[allow(clippy::mut_from_ref, reason = "one OS thread, and no reference is kept")]
    pub(crate) fn world(&self) -> &mut World {
        // SAFETY: one OS thread; callers keep no reference over a switch or a call that asks for another one.
        unsafe { &mut *self.world.get() }
    }

    #[inline]
    pub(crate) fn thread_count(&self) -> usize {
        // SAFETY: one OS thread; no reference to the list itself is kept.
        unsafe { (*self.slots.get()).len() }
    }

    #[inline]
    pub(crate) fn slot(&self, thread: ThreadId) -> &Slot {
        // SAFETY: one OS thread; slots are boxed and never removed, so the reference stays good when the list grows.
        unsafe {
            let slots: &Vec<Box<Slot>> = &*self.slots.get();
            &*ptr::from_ref::<Slot>(&slots[thread.index()])
        }
    }

    #[inline]
    pub(crate) fn current(&self) -> ThreadId {
        self.current.get()
    }

    /// Whether the caller is in the thread of the operating system that everything happens in. (Its number would be another one in a copy
    /// of the process.)
    pub(crate) fn is_on_its_thread(&self) -> bool {
        // SAFETY: the address of a variable of the calling thread.
        unsafe { libc::__errno_location() == self.errno }
    }

    /// The slot of the thread that runs.
    #[inline]
    pub(crate) fn here(&self) -> &Slot {
        self.slot(self.current())
    }

    /// Whether the program's output is shown: that of the first run, if at all.
    pub(crate) fn shows_output(&self) -> bool {
        self.options.output && self.runs.get() <= 1
    }

    /// A run begins, in the state that all runs begin in.
    pub(crate) fn begin_run(&self, origin: &State) {
        self.runs.set(self.runs.get() + 1);
        // The explorer does not look at a clock after every run, and some runs compute for long in few steps.
        if self.is_out_of_time.get() {
            self.interrupted.set(true);
        }
        self.recorder.begin_run();
        origin.load(self);
        self.rounds.begin_run();
        self.uninitialised.begin_run();
    }

    /// States of runs are to be compared.
    pub(crate) fn compare_states(&self) {
        self.heaps.reuse();
        self.call.wipe();
    }

    /// Whether they are.
    #[inline]
    pub(crate) fn compares_states(&self) -> bool {
        self.heaps.reuses()
    }

    /// Looks at whether accesses are watched.
    pub(crate) fn watch(&self) {
        self.is_watched.set(self.paranoid.is_on() || self.uninitialised.is_wanted());
    }

    /// Whether more than one thread can take steps, now or later.
    pub(crate) fn has_several_live(&self) -> bool {
        (0..self.thread_count() as u32).filter(|&thread| self.slot(ThreadId(thread)).is_live()).nth(1).is_some()
    }

    /// The site of a return address.
    #[inline]
    pub(crate) fn site(&self, return_address: usize) -> Site {
        match self.image.get() {
            Some(image) => Site(return_address.wrapping_sub(image.base) as u32),
            None => Site::UNKNOWN,
        }
    }
}
