//! The operations that loops become.

use super::{Look, MOST_OBJECTS, QUIET_STEPS, Visit};
use crate::context::Context;
use crate::discoveries::Discovery;
use crate::slot::{Slot, Status};
use model::{ObjectId, Op, OpKind, Site, State, Test, ThreadId};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A thread that was at the same place so often without changing anything may be in a loop.
const SUSPICIOUS: u32 = 3;

/// The thread was suspended at its next operation: if it is in a loop that waits, that becomes a wait.
#[inline]
pub(crate) fn arrive(context: &Context, thread: ThreadId, slot: &Slot) {
    if slot.spin.is_watched(&context.loops) {
        look_for_loop(context, thread, slot);
    }
}

fn look_for_loop(context: &Context, thread: ThreadId, slot: &Slot) {
    if !context.call.is_made() {
        // In the middle of a call, such as one that copies bytes, a thread is not where it was at the call's beginning.
        return;
    }
    let op = slot.op.get();
    let mut visits = slot.spin.visits.borrow_mut();
    let looks = slot.spin.looks.borrow().len();
    let is_loop = context.loops.contains(op.site);
    if !is_loop && slot.spin.quiet.get() < QUIET_STEPS {
        return;
    }
    let Some(visit) = visits.iter_mut().find(|visit| visit.site == op.site) else {
        let state = is_loop.then(|| state_of(context, thread, slot));
        visits.push(Visit { site: op.site, times: 1, state, looks });
        return;
    };
    visit.times += 1;
    if !is_loop && visit.times < SUSPICIOUS {
        return;
    }
    let state = state_of(context, thread, slot);
    if visit.state.replace(state) != Some(state) {
        visit.looks = looks;
        return;
    }
    let since = visit.looks;
    drop(visits);
    // From the next search on, it waits from the second time on.
    context.know_loop(op.site);
    wait(slot, op, since);
}

impl Context {
    /// This place is in a loop.
    pub(crate) fn know_loop(&self, site: Site) {
        if self.loops.know(site) {
            self.shadow.discoveries.note(Discovery::Loop(site));
            self.shadow.refine();
        }
    }
}

/// What the thread's future depends on, besides memory that others can see, too.
fn state_of(context: &Context, thread: ThreadId, slot: &Slot) -> (u64, i32) {
    let mut hasher = FxHasher::default();
    context.call.hash(context.locals_of(thread), &mut hasher);
    (hasher.finish(), slot.spin.depth.get())
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

/// Whether some thread waits for a change that does not come, while something else that it looked at has changed.
pub(crate) fn is_cut(context: &Context, word: impl Fn(ObjectId) -> State) -> bool {
    (0..context.thread_count() as u32).map(|thread| context.slot(ThreadId(thread))).any(|slot| {
        let op = slot.op.get();
        is_waiting(slot)
            && matches!(op.kind, OpKind::Await(Test::NotEqual(value)) if word(op.object) == value)
            && slot.spin.alternatives.borrow().iter().any(|&(object, value)| word(object) != value)
    })
}
