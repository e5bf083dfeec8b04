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
use crate::slot::{Slot, Status};
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

/// What a thread did since it last changed something.
#[derive(Default)]
pub(crate) struct Spin {
    looks: RefCell<Vec<Look>>,
    visits: RefCell<Vec<Visit>>,
    /// Locks taken minus locks given back.
    depth: Cell<i32>,
    /// The memory that only this thread uses has changed.
    pub(crate) wrote: Cell<bool>,
    /// What the thread will do when it has waited.
    then: Cell<Option<Op>>,
    /// What it could wait for.
    alternatives: RefCell<Vec<Look>>,
}

/// That a thread was about to do something somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
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
}

impl Loops {
    /// The places in loops, in their order.
    pub(crate) fn sites(&self) -> Vec<Site> {
        let mut sites: Vec<Site> = self.sites.borrow().iter().copied().collect();
        sites.sort_unstable();
        sites
    }

    /// This place is in a loop.
    pub(crate) fn know(&self, site: Site) {
        self.sites.borrow_mut().insert(site);
    }
}

impl Spin {
    pub(crate) fn clear(&self) {
        self.changed();
        self.depth.set(0);
        self.wrote.set(false);
        self.then.set(None);
        self.alternatives.borrow_mut().clear();
    }

    fn changed(&self) {
        self.looks.borrow_mut().clear();
        self.visits.borrow_mut().clear();
    }

    /// Notes a step.
    #[inline]
    pub(crate) fn note(&self, op: &Op, outcome: Outcome, before: State, after: State) {
        use OpKind::*;
        let wrote = self.wrote.replace(false);
        match op.kind {
            Lock | TryLock | ReadLock | TryReadLock | WriteLock | TryWriteLock if outcome != Outcome::Refused => {
                self.depth.set(self.depth.get() + 1);
            }
            Unlock | ReadUnlock | WriteUnlock => self.depth.set(self.depth.get() - 1),
            Yield => {}
            _ if before != after || op.object == ObjectId::NONE || op.kind.changes_unseen() => return self.changed(),
            _ => self.look(op.object, after),
        }
        if wrote {
            self.changed();
        }
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
    let op = slot.op.get();
    let mut visits = slot.spin.visits.borrow_mut();
    let looks = slot.spin.looks.borrow().len();
    let is_loop = context.loops.sites.borrow().contains(&op.site);
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
    if context.loops.sites.borrow_mut().insert(op.site) {
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
    slot.spin.then.set(Some(op));
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
    slot.status.get() == Status::Live && slot.spin.then.get().is_some()
}

/// A step of a wait: the thread has chosen what to wait for, or has waited.
pub(crate) fn step(slot: &Slot, op: &Op, alternative: u32) {
    if let OpKind::Choose(_) = op.kind {
        let (object, value) = slot.spin.alternatives.borrow()[alternative as usize];
        slot.op.set(Op { kind: OpKind::Await(Test::NotEqual(value)), object, site: op.site });
    } else if let Some(then) = slot.spin.then.take() {
        slot.spin.clear_wait();
        slot.op.set(then);
    }
}

impl Spin {
    fn clear_wait(&self) {
        self.alternatives.borrow_mut().clear();
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
