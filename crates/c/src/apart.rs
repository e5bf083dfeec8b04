//! Threads apart from memory: a search over execution graphs says what their reads return, and native code goes on with it.
//!
//! Operations are announced as ever. What comes of them is not asked of memory but given, in an order in which every read comes
//! after the write that it takes. Three things are different from a run of interleavings:
//!
//! - What an access that the program does itself will write must be known before it is a step. So the thread runs *ahead*: it does
//!   the access and goes on to its next operation, where what it wrote is noted and taken back. Only its own memory can
//!   have been touched meanwhile.
//! - Before a thread goes on with a read that it does itself, memory is made to hold what the read is to find.
//! - Otherwise memory holds, of every object, what its last write in coherence order left, for code that is not instrumented.
//!
//! Accesses that are not atomic need none of this where a race is an error: without one, the order is one in which memory
//! holds what they would find.

use crate::calls::life;
use crate::context::{Context, Table};
use crate::discoveries::Discovery;
use crate::run::{CRun, set_word, word};
use crate::shadow::Extent;
use crate::slot::{Done, Effect, Slot, Status};
use crate::sync::SyncKind;
use model::{
    After, Answer, Failure, FailureKind, Fingerprint, ObjectId, Op, OpKind, Order, Orders, Outcome, Request, Run,
    State, ThreadId, ThreadState, Threads, Update,
};
use std::cell::{Cell, RefCell};

const RELAXED: Orders = Orders::of(Order::Relaxed);
/// The orders of operations for which the program gives none: those of objects that synchronise.
const SYNCHRONISES: Orders = Orders::of(Order::AcqRel);
/// Objects with more bytes than a word has have no value.
const LARGEST: usize = size_of::<State>();

/// Whether, and how, the threads of this process are apart from memory.
#[derive(Default)]
pub(crate) struct Apart {
    is_on: Cell<bool>,
    /// Whether accesses that race are no error, so that every one of them reads what the search says.
    pub(crate) races_are_defined: Cell<bool>,
    /// Whether a thread met an atomic operation on shared memory that is weaker than seq_cst.
    pub(crate) has_weak_orders: Cell<bool>,
    /// The run at hand, counted from 1.
    run: Cell<u32>,
    /// The last run that met each object.
    met_in: RefCell<Vec<u32>>,
    /// Objects that were met and are still to be told of, with their words.
    met: RefCell<Vec<(ObjectId, State)>>,
}

impl Apart {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 2] {
        [&self.met_in, &self.met]
    }

    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    fn begin_run(&self) {
        self.run.set(self.run.get() + 1);
        self.met.borrow_mut().clear();
    }

    /// Whether the run meets an object for the first time.
    fn meets(&self, object: ObjectId) -> bool {
        let mut met_in = self.met_in.borrow_mut();
        if met_in.len() <= object.index() {
            met_in.resize(object.index() + 1, 0);
        }
        std::mem::replace(&mut met_in[object.index()], self.run.get()) != self.run.get()
    }
}

/// What a thread has written that is no step yet.
#[derive(Default)]
pub(crate) struct Ahead {
    write: Option<(Op, Extent)>,
    /// The bytes that were there; once the write is a step to come, those that it writes.
    bytes: Vec<u8>,
}

impl Ahead {
    pub(crate) fn clear(&mut self) {
        self.write = None;
    }

    fn begin(&mut self, op: Op, extent: Extent) {
        self.write = Some((op, extent));
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes_of(&extent));
    }

    /// Takes what was written out of memory.
    fn take_back(&mut self, extent: &Extent) {
        bytes_of(extent).swap_with_slice(&mut self.bytes);
    }
}

#[allow(clippy::mut_from_ref, reason = "memory of the program, of which no other reference is kept")]
fn bytes_of(extent: &Extent) -> &mut [u8] {
    // SAFETY: memory of the program, which stays mapped as long as the process lives; one OS thread.
    unsafe { std::slice::from_raw_parts_mut(extent.address as *mut u8, extent.size) }
}

impl Context {
    /// There are atomic operations that are weaker than seq_cst.
    #[cold]
    pub(crate) fn know_weak_orders(&self) {
        if !self.apart.has_weak_orders.replace(true) {
            self.shadow.discoveries.note(Discovery::WeakOrders);
        }
    }

    /// An operation of a thread that is apart from memory. Says what came of it if it need not be announced.
    #[cold]
    pub(crate) fn announce_apart(&self, op: Op, effect: Effect) -> Option<Done> {
        self.settle();
        let extent = self.shadow.find(op.object);
        if let Some(extent) = extent {
            self.refuse_apart(&op, effect, extent.size);
            if effect == Effect::Native && matches!(op.kind, OpKind::Write(_) | OpKind::PlainWrite(_)) {
                if self.recorder.is_on() {
                    self.record_announcement();
                }
                self.here().ahead.borrow_mut().begin(op, extent);
                return Some(Done { outcome: Outcome::Done, before: 0, alternative: 0, misused: false });
            }
        }
        self.meet_apart(op.object);
        None
    }

    /// Refuses what has no form in graphs.
    fn refuse_apart(&self, op: &Op, effect: Effect, size: usize) {
        let is_plain = matches!(op.kind, OpKind::PlainRead | OpKind::PlainWrite(_));
        if op.kind == OpKind::ReadModifyWrite(Update::Native) {
            self.refuse(
                "memory models cannot explore an atomic update of a part of an object, or of a kind without a name",
                op.site,
            );
        }
        let needs_value = op.kind != OpKind::Free && (!is_plain || self.apart.races_are_defined.get());
        if effect == Effect::Native && size > LARGEST && needs_value {
            self.refuse("memory models cannot explore an access of more than 8 bytes at once", op.site);
        }
    }

    fn meet_apart(&self, object: ObjectId) {
        if object != ObjectId::NONE && self.apart.meets(object) {
            let word = self.shadow.find(object).map_or_else(|| self.world().word(object), |extent| word(&extent));
            self.apart.met.borrow_mut().push((object, word));
        }
    }

    /// What the thread that runs has written ahead becomes its next step.
    pub(crate) fn settle(&self) {
        let slot = self.here();
        let Some((op, extent)) = slot.ahead.borrow_mut().write.take() else { return };
        let value = word(&extent);
        slot.ahead.borrow_mut().take_back(&extent);
        let kind = match op.kind {
            OpKind::Write(_) => OpKind::Write(value),
            _ => OpKind::PlainWrite(value),
        };
        self.meet_apart(op.object);
        // Those of the operation that the thread is about to announce.
        let orders = slot.orders.replace(RELAXED);
        self.suspend(Op { kind, ..op }, Effect::Performed);
        slot.orders.set(orders);
    }
}

/// The threads of a [`crate::CProgram`].
pub(crate) struct CThreads {
    run: CRun,
    context: &'static Context,
}

impl CThreads {
    pub(crate) fn new(context: &'static Context) -> Self {
        // What the constructors leave is found out by a run of interleavings.
        let run = CRun::new(context);
        context.apart.is_on.set(true);
        let mut threads = CThreads { run, context };
        threads.restart();
        threads
    }

    /// What is wrong with the life of the object that an operation uses.
    fn misuse(&self, op: &Op, thread: ThreadId, before: State) -> Option<Failure> {
        if matches!(op.kind, OpKind::Init(_) | OpKind::Free) {
            return self.misuse_of_held(op, thread, before);
        }
        let outcome = objects::outcome(op.kind, before);
        let is_misuse =
            outcome == Outcome::Lifeless || outcome == Outcome::Refused && matches!(op.kind, OpKind::Destroy(_));
        let message = "use of what is not initialised, or was destroyed".to_owned();
        let failure = || Failure { kind: FailureKind::Misuse, message, site: op.site };
        is_misuse.then(|| life::explain(self.context, op, before, failure()))
    }

    /// The release of a lock does not look at its word: so it is whoever initialises or frees what another thread holds that fails.
    fn misuse_of_held(&self, op: &Op, thread: ThreadId, before: State) -> Option<Failure> {
        let (_, kind) = self.context.syncs.find(op.object)?;
        let owner = match kind {
            SyncKind::Mutex | SyncKind::Spin | SyncKind::Futex => objects::mutex_owner(before),
            SyncKind::RwLock => objects::rwlock_writer(before),
            _ => return None,
        };
        if before == 0 || !objects::is_alive(before) || owner == Some(thread) {
            return None;
        }
        let what = if op.kind == OpKind::Free { "freed" } else { "initialised" };
        let message = format!("a {} was {what} while another thread held it", kind.name());
        Some(Failure { kind: FailureKind::Misuse, message, site: op.site })
    }

    /// Memory, and the objects that are none, get up to date before a thread goes on.
    fn note(&self, slot: &Slot, thread: ThreadId, op: &Op, extent: Option<&Extent>, answer: &Answer) {
        match extent {
            Some(_) if op.kind == OpKind::Free => {}
            Some(extent) if extent.size > LARGEST => {
                if matches!(op.kind, OpKind::PlainWrite(_)) {
                    bytes_of(extent).copy_from_slice(&slot.ahead.borrow().bytes);
                }
            }
            Some(extent) if slot.effect.get() == Effect::Performed => set_word(extent, answer.last),
            Some(extent) if op.kind != OpKind::PlainRead || self.context.apart.races_are_defined.get() => {
                set_word(extent, answer.before);
            }
            Some(_) => {}
            None => self.note_object(thread, op, answer),
        }
    }

    fn note_object(&self, thread: ThreadId, op: &Op, answer: &Answer) {
        use OpKind::*;
        if op.object == ObjectId::NONE {
            return;
        }
        let world = self.context.world();
        let is_done = answer.outcome == Outcome::Done;
        if is_done && matches!(op.kind, ReadLock | TryReadLock | ReadUnlock | Downgrade) {
            // Who reads is not in the word.
            world.set_word(op.object, answer.before);
            world.perform(thread, op, 0);
        }
        let is_condvar = matches!(op.kind, Wait { .. } | StopWaiting | NotifyOne | NotifyAll);
        let word = if is_condvar && objects::is_alive(answer.last) {
            // The search keeps the set of those who wait.
            answer.last.count_ones().into()
        } else {
            answer.last
        };
        world.set_word(op.object, word);
    }
}

impl Drop for CThreads {
    fn drop(&mut self) {
        self.context.apart.is_on.set(false);
    }
}

impl Threads for CThreads {
    fn restart(&mut self) {
        for thread in (0..self.context.thread_count() as u32).map(ThreadId) {
            self.context.slot(thread).ahead.borrow_mut().clear();
        }
        // Others that were made since may be gone again.
        self.context.apart.is_on.set(true);
        self.context.apart.begin_run();
        self.run.restart();
    }

    fn threads(&self) -> usize {
        self.context.thread_count()
    }

    fn state(&self, thread: ThreadId) -> ThreadState {
        let is_known = thread.index() < self.context.thread_count();
        match self.context.slot(thread).status.get() {
            Status::Live | Status::Stillborn if is_known => ThreadState::Asks,
            _ if self.context.world().has_ended(thread) => ThreadState::Ended,
            _ => ThreadState::Gone,
        }
    }

    fn request(&self, thread: ThreadId) -> Option<Request> {
        if thread.index() >= self.context.thread_count() {
            return None;
        }
        let slot = self.context.slot(thread);
        let op = slot.op.get();
        let orders = match slot.status.get() {
            Status::Gone | Status::Exited => return None,
            Status::Stillborn => RELAXED,
            Status::Live if op.kind == OpKind::Fence => slot.orders.get(),
            Status::Live if self.context.shadow.find(op.object).is_none() => {
                if op.kind == OpKind::Free {
                    RELAXED
                } else {
                    SYNCHRONISES
                }
            }
            Status::Live if op.kind == OpKind::Free => Orders::of(Order::Plain),
            Status::Live if slot.effect.get() == Effect::Native => RELAXED,
            Status::Live => slot.orders.get(),
        };
        Some(Request { op, orders })
    }

    fn resume(&mut self, thread: ThreadId, answer: Answer) -> After {
        let context = self.context;
        let slot = context.slot(thread);
        match slot.status.get() {
            Status::Live => {}
            Status::Gone | Status::Exited => return After::default(),
            Status::Stillborn => {
                slot.status.set(Status::Gone);
                return After { spawned: None, failure: slot.failure.take() };
            }
        }
        if context.recorder.is_on() {
            context.recorder.step(thread);
        }
        let op = slot.op.get();
        let extent = context.shadow.find(op.object);
        let Answer { before, mut outcome, alternative, .. } = answer;
        self.note(slot, thread, &op, extent.as_ref(), &answer);
        let misuse =
            if extent.is_none() && op.object != ObjectId::NONE { self.misuse(&op, thread, before) } else { None };
        if op.kind == OpKind::Spawn {
            outcome = self.run.spawn(slot);
        }
        let misused = misuse.is_some();
        if misused {
            slot.failure.set(misuse.map(Box::new));
        }
        let was_native = slot.effect.get() == Effect::Native;
        slot.tell(Done { outcome, before, alternative, misused });
        context.resume(thread);
        if let Some(extent) = extent
            && was_native
            && extent.size <= LARGEST
            && matches!(op.kind, OpKind::Read | OpKind::PlainRead)
            && (op.kind != OpKind::PlainRead || context.apart.races_are_defined.get())
        {
            set_word(&extent, answer.last);
        }
        let spawned = match outcome {
            Outcome::Spawned(child) => Some(child),
            _ => None,
        };
        After { spawned, failure: slot.failure.take() }
    }

    fn stop(&mut self, thread: ThreadId) {
        self.context.slot(thread).status.set(Status::Gone);
    }

    fn is_cut(&self) -> bool {
        self.context.cut.get()
    }

    fn initial(&self, object: ObjectId) -> State {
        self.run.word(object)
    }

    fn objects(&self) -> usize {
        0
    }

    fn met(&mut self) -> Option<(ObjectId, State)> {
        self.context.apart.met.borrow_mut().pop()
    }

    fn is_native(&self) -> bool {
        true
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        self.run.local_state(thread)
    }

    fn has_exited(&self) -> bool {
        self.context.exited.get()
    }

    fn left_behind(&self) -> Option<Failure> {
        self.run.left_behind()
    }

    fn is_of_no_use(&self) -> bool {
        self.context.shadow.is_refined() || self.context.refusal.borrow().is_some() || self.context.interrupted.get()
    }
}
