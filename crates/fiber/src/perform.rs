//! Operations: what front ends call from within the threads of a checked program.

use crate::address::integer_of_word;
use crate::context::{self, Context, Mode};
use crate::hook::Abandoned;
use crate::lesson::Lesson;
use crate::overflow;
use crate::place::{Described, Identity};
use crate::registers::{Registers, note_and_suspend, wipe_below};
use crate::slot::Slot;
use crate::unwinding::{self, is_panicking, stop};
use model::{Function, ObjectId, Op, OpKind, Order, Orders, Outcome, Site, Update};
use std::marker::PhantomData;
use std::panic::{Location, resume_unwind};
use std::ptr;

/// What came of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// What came of it.
    pub outcome: Outcome,
    /// The object's word before.
    pub before: u64,
    /// The object's word after.
    pub after: u64,
    /// By which alternative.
    pub alternative: u32,
}

/// What came of the last operation of the thread that asks. It is looked up when it is asked for: what is copied to the program's stack
/// stays there for a while, and would make the thread another one ([`crate::local_state`]), and a reference could outlive the run.
#[derive(Clone, Copy)]
pub struct Answer(PhantomData<*const ()>);

/// See [`Answer`].
const ANSWER: Answer = Answer(PhantomData);

impl Answer {
    #[inline(always)]
    fn done(self) -> Done {
        here().running().done.get()
    }

    /// What came of it.
    #[inline]
    pub fn outcome(self) -> Outcome {
        self.done().outcome
    }

    /// The object's word before.
    #[inline]
    pub fn before(self) -> u64 {
        self.done().before
    }

    /// The object's word after.
    #[inline]
    pub fn after(self) -> u64 {
        self.done().after
    }

    /// By which alternative.
    #[inline]
    pub fn alternative(self) -> u32 {
        self.done().alternative
    }

    /// Whether it did what it is named for.
    #[inline]
    pub fn is_done(self) -> bool {
        self.outcome() != Outcome::Refused
    }
}

/// Whether the caller is a thread of a checked program.
#[inline]
pub fn is_checked() -> bool {
    context::current().is_some()
}

/// Whether the run that the caller belongs to was given up, so that operations have no meaning any more.
pub fn abandoned() -> bool {
    context::current().is_none_or(|context| context.mode.get() != Mode::Running)
}

#[inline(always)]
pub(crate) fn here() -> &'static Context {
    match context::current() {
        Some(context) => context,
        None => outside(),
    }
}

#[cold]
#[track_caller]
fn outside() -> ! {
    panic!(
        "this operation was used outside of a check: objects of mazurka work only within mazurka::check, \
         mazurka::model or #[mazurka::test]"
    )
}

/// The site of a place in the program's text.
#[inline]
pub fn site(location: &'static Location<'static>) -> Site {
    here().site(location)
}

/// The orders of operations for which the program gives none: those of its objects that are not atomics.
const SYNCHRONISES: Orders = Orders::of(Order::AcqRel);

/// An object of a front end.
pub trait Target {
    /// Which one it is.
    fn identity(&self) -> &Identity;
    /// What is told of it when it is met.
    fn describe(&self) -> Described;
    /// The word that it has then.
    fn initial(&self) -> u64;
}

/// What a thread asks for that does not know yet which object and place these are.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    target: *const (),
    identity: *const Identity,
    /// What is told of the target, and the word that it begins with.
    tell: unsafe fn(*const ()) -> (Described, u64),
    location: &'static Location<'static>,
    /// Whether all that the caller gets of it is what the call returns.
    is_update: bool,
}

impl Asked {
    fn new<T: Target>(target: &T, location: &'static Location<'static>, is_update: bool) -> Self {
        unsafe fn tell<T: Target>(target: *const ()) -> (Described, u64) {
            // SAFETY: promised by the caller: it is a `T` that is there.
            let target = unsafe { &*target.cast::<T>() };
            (target.describe(), target.initial())
        }
        let identity = ptr::from_ref(target.identity());
        Asked { target: ptr::from_ref(target).cast(), identity, tell: tell::<T>, location, is_update }
    }
}

/// Announces an operation, waits to be chosen, and says what came of it.
// Always inlined, down to the switch: a return to a caller from before the switch is one that the processor cannot
// predict. And the operation is put together where it is announced, and only what the caller asks for is read of what came of
// it: copies of what was written a moment before are slow.
#[inline(always)]
pub fn perform(kind: OpKind, object: ObjectId, location: &'static Location<'static>) -> Answer {
    perform_ordered(kind, object, location, SYNCHRONISES)
}

/// As [`perform`], with these memory orders.
#[inline(always)]
pub fn perform_ordered(kind: OpKind, object: ObjectId, location: &'static Location<'static>, orders: Orders) -> Answer {
    let context = here();
    let slot = context.running();
    slot.op.set(Op { kind, object, site: context.site(location) });
    slot.orders.set(orders);
    perform_set(context, slot)
}

/// As [`perform`], on an object that the run need not have met.
#[inline(always)]
pub fn perform_on<T: Target>(target: &T, kind: OpKind, location: &'static Location<'static>) -> Answer {
    perform_ordered_on(target, kind, location, SYNCHRONISES)
}

/// As [`perform_on`], with these memory orders.
// Where local states are asked for, all that need not be done the next time is done in a frame of its own, after the registers
// were noted: in the program's frame it would leave other values in the first round of a loop than in the next.
#[inline(always)]
pub fn perform_ordered_on<T: Target>(
    target: &T,
    kind: OpKind,
    location: &'static Location<'static>,
    orders: Orders,
) -> Answer {
    let context = here();
    let slot = context.running();
    slot.orders.set(orders);
    if slot.unseen.is_watched() {
        slot.op.set(Op { kind, object: ObjectId::NONE, site: Site::UNKNOWN });
        slot.asked.set(Some(Asked::new(target, location, false)));
        // SAFETY: the slot is that of the thread that runs.
        unsafe { note_and_suspend(slot.registers.as_ptr()) };
        return ANSWER;
    }
    let object = context.object(target.identity(), || target.describe(), || target.initial());
    slot.op.set(Op { kind, object, site: context.site(location) });
    perform_set(context, slot)
}

/// As [`perform_ordered_on`], with orders that the program chose: that some are weaker than seq_cst is noted.
#[inline(always)]
pub fn perform_atomic_on<T: Target>(
    target: &T,
    kind: OpKind,
    location: &'static Location<'static>,
    orders: Orders,
) -> Answer {
    if !orders.are_seq_cst() {
        here().note_weak_order();
    }
    perform_ordered_on(target, kind, location, orders)
}

/// As [`perform_atomic_on`], of an addition or a subtraction. Gives back the word before, as the integer that it stands for if it has 64
/// bits. If the caller does not look at it, which its code says ([`crate::code`]), it is an addition that commutes with others.
#[inline(always)]
pub fn perform_update_on<T: Target>(
    target: &T,
    update: Update,
    location: &'static Location<'static>,
    orders: Orders,
) -> u64 {
    let context = here();
    if !orders.are_seq_cst() {
        context.note_weak_order();
    }
    let slot = context.running();
    slot.orders.set(orders);
    slot.op.set(Op { kind: OpKind::ReadModifyWrite(update), object: ObjectId::NONE, site: Site::UNKNOWN });
    slot.asked.set(Some(Asked::new(target, location, true)));
    // SAFETY: the slot is that of the thread that runs.
    unsafe { note_and_suspend(slot.registers.as_ptr()) }
}

/// The addition that is this update, if nobody looks at what it found.
fn addition(kind: OpKind) -> Option<OpKind> {
    let OpKind::ReadModifyWrite(update) = kind else { return None };
    let (width, by) = match update {
        Update::FetchAdd(by) => return Some(OpKind::Add(by)),
        Update::Fetch { function: Function::Add, width, operand } => (width, operand),
        Update::Fetch { function: Function::Sub, width, operand } => (width, width.extend(operand.wrapping_neg())),
        _ => return None,
    };
    Some(if width.bits == 64 { OpKind::Add(by) } else { OpKind::AddIn { width, by } })
}

/// A fence of this order. Where memory is sequentially consistent, it is nothing.
#[inline]
pub fn fence(order: Order, location: &'static Location<'static>) {
    if is_apart() {
        perform_ordered(OpKind::Fence, ObjectId::NONE, location, Orders::of(order));
    }
}

/// Whether the calling thread is one whose reads somebody else decides on: memory need not be sequentially consistent.
#[inline]
pub fn is_apart() -> bool {
    context::current().is_some_and(|context| context.apart.get() && context.mode.get() == Mode::Running)
}

/// As [`perform`], at a site that is known.
pub fn perform_at(kind: OpKind, object: ObjectId, site: Site) -> Answer {
    let context = here();
    let slot = context.running();
    slot.op.set(Op { kind, object, site });
    slot.orders.set(SYNCHRONISES);
    perform_set(context, slot)
}

/// The site of the calling thread's last operation, if there was one.
pub fn last_site() -> Option<Site> {
    let site = here().running().op.get().site;
    (site != Site::UNKNOWN).then_some(site)
}

/// Performs the operation that was put into the slot.
#[inline(always)]
fn perform_set(context: &Context, slot: &Slot) -> Answer {
    if context.mode.get() == Mode::Running && !slot.spin.is_weary(context.options.spin_limit) {
        wait_to_be_chosen(context, slot);
    } else {
        perform_otherwise(context, slot);
    }
    ANSWER
}

/// Performs the operation of a thread that is abandoned, or may be in a loop.
#[cold]
#[inline(never)]
fn perform_otherwise(context: &Context, slot: &Slot) {
    overflow::need_stack(context);
    if is_to_be_announced(context, slot) {
        wait_to_be_chosen(context, slot);
    }
}

/// Whether the operation of a thread that is abandoned, or may be in a loop, is still to be announced. If not, it was performed.
fn is_to_be_announced(context: &Context, slot: &Slot) -> bool {
    let (op, orders) = (slot.op.get(), slot.orders.get());
    if context.mode.get() != Mode::Running {
        slot.done.set(at_once(context, &op));
        return false;
    }
    let done = crate::spin::weary(context, slot, &op);
    if let Some(done) = done {
        slot.done.set(done);
    }
    slot.op.set(op);
    slot.orders.set(orders);
    done.is_none()
}

/// As [`perform_ordered`], for a thread that may be in a loop.
pub(crate) fn announce(context: &Context, slot: &Slot, op: Op, orders: Orders) -> Done {
    slot.op.set(op);
    slot.orders.set(orders);
    wait_to_be_chosen(context, slot);
    slot.done.get()
}

/// Suspends the thread until its operation has been performed, and does what there is to do then. If its local state may be asked
/// for, what is in its registers is noted.
#[inline(always)]
fn wait_to_be_chosen(context: &Context, slot: &Slot) {
    if slot.unseen.is_watched() {
        // SAFETY: the slot is that of the thread that runs.
        unsafe { note_and_suspend(slot.registers.as_ptr()) };
    } else {
        switch(slot);
        settle(context, slot);
    }
}

/// What follows when a thread's registers were noted, in a frame of its own, which is no part of the local state. It holds no more
/// than it must: what is in it stays on the stack for a while.
///
/// # Safety
/// To be called by [`note_and_suspend`] only.
pub(crate) unsafe extern "C-unwind" fn suspend(_: *mut Registers) -> u64 {
    let slot = here().running();
    if is_ready(slot) {
        switch(slot);
        settle(here(), slot);
    }
    let found = found(slot);
    if slot.unseen.is_watched() {
        // SAFETY: operations need more of the stack than that.
        unsafe { wipe_below() };
    }
    found
}

/// What an update found that has been performed.
#[inline(never)]
fn found(slot: &Slot) -> u64 {
    let word = slot.done.get().before;
    match slot.op().kind {
        OpKind::ReadModifyWrite(Update::FetchAdd(_)) => integer_of_word(word),
        OpKind::ReadModifyWrite(Update::Fetch { width, .. }) if width.bits == 64 => integer_of_word(word),
        _ => word,
    }
}

/// Finds out which operation the thread asks for, if it does not say. Whether it is to be announced then.
#[inline(never)]
fn is_ready(slot: &Slot) -> bool {
    let context = here();
    overflow::need_stack(context);
    let Some(Asked { target, identity, tell, location, is_update }) = slot.asked.take() else { return true };
    // SAFETY: the thread has the target borrowed until it has its answer.
    let (identity, tell) = unsafe { (&*identity, || tell(target)) };
    let Op { mut kind, .. } = slot.op.get();
    if is_update && !context.apart.get() && context.code.ignores_result(&slot.registers.get(), slot.own_stack_end()) {
        kind = addition(kind).unwrap_or(kind);
    }
    let (object, is_new) = context.object_told(identity, tell);
    if let Some(region) = slot.guards.take() {
        context.note_region(object, region, is_new);
    }
    slot.op.set(Op { kind, object, site: context.site(location) });
    if context.mode.get() == Mode::Running && !slot.spin.is_weary(context.options.spin_limit) {
        return true;
    }
    let registers = slot.registers.get();
    let is_ready = is_to_be_announced(context, slot);
    slot.registers.set(registers);
    is_ready
}

/// Leaves nothing on the stack of the thread that runs of calls that are over, if local states are asked for.
#[inline(always)]
pub(crate) fn wipe_if_watched(context: &Context) {
    if context.running().unseen.is_watched() {
        // SAFETY: operations need more of the stack than that.
        unsafe { wipe_below() };
    }
}

/// Suspends the thread until its operation has been performed.
#[inline(always)]
pub(crate) fn switch(slot: &Slot) {
    // SAFETY: set at the start of this fiber to its yielder, which lives as long as the fiber.
    unsafe { (*slot.yielder.get()).suspend(()) };
}

/// What there is to do when a thread goes on after an operation.
#[inline(never)]
fn settle(context: &Context, slot: &Slot) {
    if context.mode.get() == Mode::Abandoning && !is_panicking() {
        overflow::need_stack(context);
        resume_unwind(Box::new(Abandoned));
    }
    slot.spin.note(slot.op.get(), slot.done.get());
}

/// So many operations of destructors are performed for one thread of a run that is being given up. One that comes to more
/// waits in a loop.
const MOST_OF_DESTRUCTORS: u32 = 10_000;

/// The run is being given up: destructors go on as in any execution, everything else unwinds. A thread that cannot go on, or
/// goes on for ever, is left where it is.
#[cold]
fn at_once(context: &Context, op: &Op) -> Done {
    let slot = context.running();
    let so_far = slot.destructing.replace(slot.destructing.get() + 1);
    if so_far >= MOST_OF_DESTRUCTORS {
        unwinding::leave_for_good(context);
    }
    if context.mode.get() == Mode::Abandoning && !std::thread::panicking() {
        resume_unwind(Box::new(Abandoned));
    }
    let thread = context.current();
    let is_enabled = context.world.borrow().enabled(thread, op);
    if !is_enabled {
        unwinding::leave_for_good(context);
    }
    let performed = context::quietly(|| context.world.borrow_mut().perform(thread, op, 0));
    Done { outcome: performed.outcome, before: performed.before, after: performed.after, alternative: 0 }
}

/// The thread waits by looking again: it goes on when something that it has looked at since its last change of anything
/// has changed.
pub fn spin(location: &'static Location<'static>) {
    let context = here();
    if context.mode.get() == Mode::Running {
        let site = context.site(location);
        crate::spin::pause(context, site);
    }
}

/// Notes that the calling thread changed something that is no object: it does not spin.
#[inline]
pub fn changed() {
    if let Some(context) = context::current() {
        let slot = context.running();
        if slot.spin.probe.get().is_some() {
            stop(context, slot);
        }
        slot.spin.changed();
    }
}

/// Notes that the program does this. Says whether that was known; if not when the run began, the run is of no use.
pub fn learn(lesson: Lesson) -> bool {
    here().registry.learn_of_program(lesson)
}

/// Whether it was known when the run began that the program does this.
#[inline]
pub fn has_learnt(lesson: Lesson) -> bool {
    here().lessons.get().contains(lesson)
}

/// Whether the order of arrivals matters to a wait at a barrier: more threads come than meet, or its answer is looked at.
pub fn orders_arrivals(wait: &'static Location<'static>) -> bool {
    let context = here();
    has_learnt(Lesson::Crowds) || context::quietly(|| context.registry.is_asked(context.site(wait)))
}

/// Notes that the answer of a wait at a barrier is looked at.
pub fn asks_who_was_last(wait: &'static Location<'static>) {
    if let Some(context) = context::current() {
        context::quietly(|| context.registry.ask(context.site(wait)));
    }
}

/// Notes that the calling thread has come to a barrier of so many parties.
pub fn comes_to_barrier(barrier: ObjectId, parties: u32) {
    let context = here();
    context::quietly(|| {
        let (thread, mut came) = (context.current(), context.came.borrow_mut());
        let came = came.entry(barrier).or_default();
        if !came.contains(&thread) {
            came.push(thread);
        }
        if came.len() > parties as usize {
            learn(Lesson::Crowds);
        }
    });
}
