//! Loops that wait by looking again.
//!
//! When a thread comes back to the same place with the same stack and registers, has changed nothing meanwhile, and
//! nothing that it looked at has changed either, it will come back there for ever, unless something that it looked at
//! changes. So it waits for that: its next operation is an await of another value than the one it saw. Having looked at
//! several objects, it first chooses which change it waits for; executions in which the one it chose stays the same
//! while another one changes are cut, for the alternative that chose the other one goes on.
//!
//! Stacks are compared only at places that are known to be in such loops. A new one is found when a thread has been at
//! the same place often, and the search is done anew with that knowledge.

use crate::context::Context;
use crate::slot::{NO_OP, Slot, Status};
use model::{ObjectId, Op, OpKind, Outcome, Site, State, Test, ThreadId};
use rustc_hash::{FxHashSet, FxHasher};
use std::cell::{Cell, RefCell};
use std::hash::Hasher;

/// A thread that was at the same place so often without changing anything may be in a loop.
const SUSPICIOUS: u32 = 3;
/// More objects than this are not looked at by a loop that waits.
const MOST_OBJECTS: usize = 32;

/// An object, and what it looked like.
type Look = (ObjectId, State);

/// So many steps without a change are not looked at closely, unless the program is known to have loops that wait.
const QUIET_STEPS: u32 = 8;

/// What a thread did since it last changed something.
pub(crate) struct Spin {
    /// How many steps that was.
    quiet: Cell<u32>,
    looks: RefCell<Vec<Look>>,
    visits: RefCell<Vec<Visit>>,
    /// Locks taken minus locks given back.
    depth: Cell<i32>,
    /// The memory that only this thread uses has changed.
    pub(crate) wrote: Cell<bool>,
    /// What the thread will do when it has waited, if it waits.
    waits: Cell<bool>,
    then: Cell<Op>,
    /// What it could wait for.
    alternatives: RefCell<Vec<Look>>,
}

/// A copy of a [`Spin`].
#[derive(Clone, Debug)]
pub(crate) struct SavedSpin {
    quiet: u32,
    looks: Vec<Look>,
    visits: Vec<Visit>,
    depth: i32,
    waits: bool,
    then: Op,
    alternatives: Vec<Look>,
}

impl Default for SavedSpin {
    fn default() -> Self {
        SavedSpin {
            quiet: 0,
            looks: Vec::new(),
            visits: Vec::new(),
            depth: 0,
            waits: false,
            then: NO_OP,
            alternatives: Vec::new(),
        }
    }
}

/// That a thread was about to do something somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Visit {
    site: Site,
    times: u32,
    /// Stack, registers and locks.
    state: Option<(u64, i32)>,
    /// How many looks came before.
    looks: usize,
}

/// What is known of loops, in all runs.
#[derive(Default)]
pub(crate) struct Loops {
    sites: RefCell<FxHashSet<Site>>,
    /// Whether there are any.
    any: Cell<bool>,
}

impl Loops {
    /// The places in loops, in their order.
    pub(crate) fn sites(&self) -> Vec<Site> {
        let mut sites: Vec<Site> = self.sites.borrow().iter().copied().collect();
        sites.sort_unstable();
        sites
    }

    /// This place is in a loop. Says whether that is new.
    pub(crate) fn know(&self, site: Site) -> bool {
        self.any.set(true);
        self.sites.borrow_mut().insert(site)
    }

    fn contains(&self, site: Site) -> bool {
        self.any.get() && self.sites.borrow().contains(&site)
    }
}

impl Default for Spin {
    fn default() -> Self {
        Spin {
            quiet: Cell::new(0),
            looks: RefCell::default(),
            visits: RefCell::default(),
            depth: Cell::new(0),
            wrote: Cell::new(false),
            waits: Cell::new(false),
            then: Cell::new(NO_OP),
            alternatives: RefCell::default(),
        }
    }
}

impl Spin {
    pub(crate) fn clear(&self) {
        self.quiet.set(1);
        self.changed();
        self.depth.set(0);
        self.wrote.set(false);
        self.waits.set(false);
        self.alternatives.borrow_mut().clear();
    }

    #[inline]
    fn changed(&self) {
        if self.quiet.replace(0) > 0 {
            self.looks.borrow_mut().clear();
            self.visits.borrow_mut().clear();
        }
    }

    /// Notes a step.
    #[inline]
    pub(crate) fn note(&self, loops: &Loops, op: &Op, outcome: Outcome, before: State, after: State) {
        use OpKind::*;
        let wrote = self.wrote.replace(false);
        match op.kind {
            Lock | TryLock | ReadLock | TryReadLock | WriteLock | TryWriteLock if outcome != Outcome::Refused => {
                self.depth.set(self.depth.get() + 1);
            }
            Unlock | ReadUnlock | WriteUnlock => self.depth.set(self.depth.get() - 1),
            Yield => {}
            _ if before != after || op.object == ObjectId::NONE || op.kind.changes_unseen() => return self.changed(),
            _ if self.is_watched(loops) => self.look(op.object, after),
            _ => {}
        }
        self.quiet.set(self.quiet.get() + 1);
        if wrote {
            self.changed();
        }
    }

    /// Whether the thread may be in a loop that waits.
    #[inline]
    fn is_watched(&self, loops: &Loops) -> bool {
        self.quiet.get() >= QUIET_STEPS || loops.any.get()
    }

    fn look(&self, object: ObjectId, value: State) {
        let mut looks = self.looks.borrow_mut();
        if looks.len() <= MOST_OBJECTS {
            looks.push((object, value));
        }
    }
}

/// Whether an operation changes more than its object's word.
trait ChangesUnseen {
    fn changes_unseen(self) -> bool;
}

impl ChangesUnseen for OpKind {
    fn changes_unseen(self) -> bool {
        matches!(self, OpKind::Wait { .. } | OpKind::Relock { .. } | OpKind::StopWaiting | OpKind::Choose(_))
    }
}

/// The thread was suspended at its next operation: if it is in a loop that waits, that becomes a wait.
#[inline]
pub(crate) fn arrive(context: &Context, thread: ThreadId, slot: &Slot) {
    if slot.spin.is_watched(&context.loops) {
        look_for_loop(context, thread, slot);
    }
}

fn look_for_loop(context: &Context, thread: ThreadId, slot: &Slot) {
    let op = slot.op.get();
    let mut visits = slot.spin.visits.borrow_mut();
    let looks = slot.spin.looks.borrow().len();
    let is_loop = context.loops.contains(op.site);
    if !is_loop && slot.spin.quiet.get() < QUIET_STEPS {
        return;
    }
    let Some(visit) = visits.iter_mut().find(|visit| visit.site == op.site) else {
        let state = is_loop.then(|| (stack_of(context, thread), slot.spin.depth.get()));
        visits.push(Visit { site: op.site, times: 1, state, looks });
        return;
    };
    visit.times += 1;
    if !is_loop && visit.times < SUSPICIOUS {
        return;
    }
    let state = (stack_of(context, thread), slot.spin.depth.get());
    if visit.state.replace(state) != Some(state) {
        visit.looks = looks;
        return;
    }
    let since = visit.looks;
    drop(visits);
    if context.loops.know(op.site) {
        // From the next search on, it waits from the second time on.
        context.shadow.refine();
    }
    wait(slot, op, since);
}

/// What the thread's future depends on: its stack, with the registers that were saved there.
fn stack_of(context: &Context, thread: ThreadId) -> u64 {
    let (from, to) = (context.slot(thread).stack_pointer.get(), context.locals_of(thread));
    // SAFETY: the stack of a suspended fiber, between its stack pointer and its top; both are multiples of 8.
    let words = unsafe { std::slice::from_raw_parts(from as *const u64, (to - from) / 8) };
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

/// Puts a wait before the thread's operation.
fn wait(slot: &Slot, op: Op, since: usize) {
    let mut looks: Vec<Look> = slot.spin.looks.borrow()[since..].to_vec();
    looks.sort_unstable();
    looks.dedup();
    let differs = looks.windows(2).any(|pair| pair[0].0 == pair[1].0);
    if differs || looks.len() > MOST_OBJECTS {
        return;
    }
    slot.spin.waits.set(true);
    slot.spin.then.set(op);
    slot.spin.alternatives.borrow_mut().clone_from(&looks);
    let kind = match looks[..] {
        [] => OpKind::Await(Test::NotEqual(0)),
        [(_, value)] => OpKind::Await(Test::NotEqual(value)),
        _ => OpKind::Choose(looks.len() as u32),
    };
    let object = if looks.len() == 1 { looks[0].0 } else { ObjectId::NONE };
    slot.op.set(Op { kind, object, site: op.site });
}

/// Whether the thread is about to wait in a loop, and not in the program's own operation.
#[inline]
pub(crate) fn is_waiting(slot: &Slot) -> bool {
    slot.spin.waits.get() && slot.status.get() == Status::Live
}

/// A step of a wait: the thread has chosen what to wait for, or has waited.
pub(crate) fn step(slot: &Slot, op: &Op, alternative: u32) {
    if let OpKind::Choose(_) = op.kind {
        let (object, value) = slot.spin.alternatives.borrow()[alternative as usize];
        slot.op.set(Op { kind: OpKind::Await(Test::NotEqual(value)), object, site: op.site });
    } else {
        slot.spin.waits.set(false);
        slot.spin.clear_wait();
        slot.op.set(slot.spin.then.get());
    }
}

impl Spin {
    /// Copies it. Between steps, nothing was written unnoticed.
    pub(crate) fn save(&self, saved: &mut SavedSpin) {
        saved.quiet = self.quiet.get();
        saved.looks.clone_from(&self.looks.borrow());
        saved.visits.clone_from(&self.visits.borrow());
        saved.depth = self.depth.get();
        saved.waits = self.waits.get();
        saved.then = self.then.get();
        saved.alternatives.clone_from(&self.alternatives.borrow());
    }

    /// Becomes what it was when it was copied.
    pub(crate) fn load(&self, saved: &SavedSpin) {
        self.quiet.set(saved.quiet);
        self.looks.borrow_mut().clone_from(&saved.looks);
        self.visits.borrow_mut().clone_from(&saved.visits);
        self.depth.set(saved.depth);
        self.wrote.set(false);
        self.waits.set(saved.waits);
        self.then.set(saved.then);
        self.alternatives.borrow_mut().clone_from(&saved.alternatives);
    }

    fn clear_wait(&self) {
        self.alternatives.borrow_mut().clear();
        self.quiet.set(1);
        self.changed();
    }
}

/// Whether some thread waits for a change that does not come, while something else that it looked at has changed.
pub(crate) fn is_cut(context: &Context, word: impl Fn(ObjectId) -> State) -> bool {
    (0..context.thread_count() as u32).map(|thread| context.slot(ThreadId(thread))).any(|slot| {
        let op = slot.op.get();
        is_waiting(slot)
            && matches!(op.kind, OpKind::Await(Test::NotEqual(value)) if word(op.object) == value)
            && slot.spin.alternatives.borrow().iter().any(|&(object, value)| word(object) != value)
    })
}
