//! Loops that wait by looking again.
//!
//! A thread that pauses ([`crate::spin`]) twice at the same place, has changed nothing meanwhile, and has seen the same
//! both times, would do so again unless something that it looked at changes. So it waits for that: its next operation is an await of another
//! value than the one it saw. Having looked at several objects, it first chooses which change it waits for; the
//! alternatives that choose an object that stays the same while another one changes are cut, for the alternative that chose
//! the other one goes on.
//!
//! A loop may take a lock to look at what it protects (see [`lock_word`]): then it waits until somebody else holds the lock.
//! An execution in which somebody did, but the thread was not chosen meanwhile, is cut.
//!
//! Loops that do not pause are recognised by looking at the same objects more often than [`crate::Options::spin_limit`]
//! says without changing anything.

use crate::context::{self, Context};
use crate::perform::{Done, announce};
use crate::slot::Status;
use model::{ObjectId, Op, OpKind, Site, Test, ThreadId};
use std::cell::{Cell, RefCell};

/// More objects than this are not looked at by a loop that waits.
const MOST_OBJECTS: usize = 16;

/// What a thread looked at since it last changed something.
#[derive(Default)]
pub(crate) struct Spin {
    /// How often it looked.
    looks: Cell<u32>,
    /// How many objects it looked at: one more than the list has, when they are too many.
    objects: Cell<usize>,
    seen: [Cell<Look>; MOST_OBJECTS],
    /// Whether something changed while it looked, so that to look again would not be the same.
    unsteady: Cell<bool>,
    /// Where it paused last, and what it had seen by then, added up; changes clear it.
    paused: Cell<Option<(Site, u64)>>,
    /// The others that it could have waited for.
    alternatives: RefCell<Vec<Alternative>>,
}

/// An object, and the word that it had.
#[derive(Clone, Copy, Default)]
struct Look(u32, u64);

/// What a thread could wait for: a look, and how often the object was taken by then, if it is a lock.
type Alternative = (Look, u32);

impl Spin {
    pub(crate) fn clear(&self) {
        self.changed();
        self.alternatives.borrow_mut().clear();
    }

    fn seen(&self) -> &[Cell<Look>] {
        &self.seen[..self.objects.get().min(MOST_OBJECTS)]
    }

    /// Notes an operation that was performed.
    #[inline]
    pub(crate) fn note(&self, op: &Op, done: &Done) {
        let (look, count) = match lock_word(op.kind, done) {
            Some(free) => (Look(op.object.0, free), 0),
            None if done.before != done.after || op.object == ObjectId::NONE || op.kind == OpKind::CellWrite => {
                return self.changed();
            }
            None => (Look(op.object.0, done.after), 1),
        };
        self.looks.set(self.looks.get() + count);
        match self.seen().iter().find(|seen| seen.get().0 == look.0) {
            Some(seen) => {
                if seen.replace(look).1 != look.1 {
                    self.unsteady.set(true);
                }
            }
            None => {
                let objects = self.objects.get();
                if let Some(place) = self.seen.get(objects) {
                    place.set(look);
                }
                self.objects.set((objects + 1).min(MOST_OBJECTS + 1));
            }
        }
    }

    /// The thread changed something.
    #[inline]
    pub(crate) fn changed(&self) {
        self.paused.set(None);
        self.forget();
    }

    /// A new round begins.
    #[inline]
    fn forget(&self) {
        self.looks.set(0);
        self.objects.set(0);
        self.unsteady.set(false);
    }

    /// What was seen in this round, added up in a way that does not depend on the order.
    fn sum(&self) -> u64 {
        let mix = |Look(object, value): Look| (u64::from(object) << 32 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.seen().iter().map(|seen| mix(seen.get())).fold(0, u64::wrapping_add)
    }

    /// Whether the thread has looked at few things so often that it must be waiting.
    #[inline]
    pub(crate) fn is_stuck(&self, op: &Op, limit: u32) -> bool {
        self.looks.get() > limit && self.has_looked_enough(op, limit)
    }

    #[cold]
    fn has_looked_enough(&self, op: &Op, limit: u32) -> bool {
        if self.unsteady.get() {
            self.changed();
            return false;
        }
        let objects = self.objects.get();
        objects <= MOST_OBJECTS
            && self.looks.get() as usize > objects * limit as usize
            && self.seen().iter().any(|seen| seen.get().0 == op.object.0)
    }
}

/// Whether the operation takes a lock, if it can.
#[inline]
pub(crate) fn takes(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, Lock | TryLock | Relock { .. } | ReadLock | TryReadLock | WriteLock | TryWriteLock)
}

/// To take a lock and to give it back changes nothing, as long as what it protects stays the same; the word of the lock
/// while the thread does not hold it. Whoever changes what it protects holds it for a while, and then it has another word.
#[inline]
fn lock_word(kind: OpKind, done: &Done) -> Option<u64> {
    use OpKind::*;
    match kind {
        Lock | TryLock | ReadLock | TryReadLock | WriteLock | TryWriteLock => Some(done.before),
        Unlock | ReadUnlock | WriteUnlock => Some(done.after),
        _ => None,
    }
}

/// The thread says that it spins.
pub(crate) fn pause(context: &Context, site: Site) {
    let slot = context.slot(context.current());
    let spin = &slot.spin;
    let held = slot.held.borrow();
    let holds = spin.seen().iter().any(|seen| held.contains(&ObjectId(seen.get().0)));
    drop(held);
    if holds || spin.unsteady.get() || !(1..=MOST_OBJECTS).contains(&spin.objects.get()) {
        return spin.changed();
    }
    let round = (site, spin.sum());
    if spin.paused.replace(Some(round)) == Some(round) {
        wait(context, site);
    } else {
        spin.forget();
    }
}

/// The thread waits for a change of something that it looked at.
pub(crate) fn wait(context: &Context, site: Site) {
    let slot = context.slot(context.current());
    let looks: Vec<Look> = context::quietly(|| slot.spin.seen().iter().map(Cell::get).collect());
    let chosen = match looks.len() {
        1 => 0,
        several => {
            let op = Op { kind: OpKind::Choose(several as u32), object: ObjectId::NONE, site };
            announce(context, slot, op).alternative as usize
        }
    };
    let Look(object, value) = looks[chosen];
    let alternative = |&look: &Look| (look, context.times_taken(ObjectId(look.0)));
    context::quietly(|| slot.spin.alternatives.borrow_mut().extend(looks.iter().map(alternative)));
    let kind = OpKind::Await(Test::NotEqual(value));
    announce(context, slot, Op { kind, object: ObjectId(object), site });
    slot.spin.clear();
}

/// Whether some thread waits for a change that does not come, while something else that it looked at has changed.
pub(crate) fn is_cut(context: &Context) -> bool {
    let world = context.world.borrow();
    (0..context.threads() as u32).map(ThreadId).any(|thread| {
        let slot = context.slot(thread);
        let op = slot.op.get();
        slot.status.get() == Status::Live
            && matches!(op.kind, OpKind::Await(_))
            && !world.enabled(thread, &op)
            && slot.spin.alternatives.borrow().iter().any(|&(Look(object, value), taken)| {
                world.word(ObjectId(object)) != value || context.times_taken(ObjectId(object)) != taken
            })
    })
}
