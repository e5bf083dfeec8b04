//! Loops that wait by looking again.
//!
//! A thread that comes round to a pause ([`crate::spin`]) at the same place again, has changed nothing meanwhile, and has
//! seen the same in both rounds, may be in a loop that it leaves only when something that it looked at changes. Whether
//! it is, `patience` finds out. If so, it waits for that: its next operation is an await of another value than the one it
//! saw. Having looked at several objects, it first chooses which change it waits for; the alternatives that choose an
//! object that stays the same while another one changes are cut, for the alternative that chose the other one goes on.
//!
//! A loop may take a lock to look at what it protects (see [`neutral_word`]): then it waits until somebody else holds the lock.
//! An execution in which somebody did, but the thread was not chosen meanwhile, is cut.
//!
//! Loops that do not pause are recognised by looking at the same objects more often than [`crate::Options::spin_limit`]
//! says without changing anything.

use crate::context::{self, Context, Table};
use crate::lesson::Lesson;
use crate::patience::{self, Advice, Loop, Probe};
use crate::perform::{Done, announce};
use crate::slot::{Slot, Status};
use model::{
    Cause, Fingerprint, Hidden, Holding, Nature, ObjectId, Op, OpKind, Order, Orders, Outcome, Site, Test, ThreadId,
};
use std::cell::{Cell, RefCell};

/// More objects than this are not looked at by a loop that waits.
const MOST_OBJECTS: usize = 16;

/// The orders of a wait: what it looks at is looked at again.
const RELAXED: Orders = Orders::of(Order::Relaxed);

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
    /// The rounds of its loop, if it has paused; changes clear it.
    rounds: Cell<Option<Rounds>>,
    /// While it is found out whether its loop has an end.
    pub(crate) probe: Cell<Option<Probe>>,
    /// How often it looked into mailboxes in vain.
    polls: Cell<u32>,
    /// The others that it could have waited for.
    alternatives: RefCell<Vec<Alternative>>,
}

/// An object, and the word that it had.
#[derive(Clone, Copy, Default)]
struct Look(u32, u64);

/// Rounds of a loop: from one pause at some place to the next one at the same place.
#[derive(Clone, Copy)]
struct Rounds {
    /// The place, and what was seen in the last round.
    of: Loop,
    /// How many rounds were the same in a row.
    same: u32,
    /// Pauses at other places since that place was chosen, and how many of them make it give way to another: a loop may
    /// have several pauses, and the first one met need not be part of it. Doubled each time, so that every loop is found.
    elsewhere: u32,
    most_elsewhere: u32,
}

/// What a thread could wait for: a look, and how often the object was taken by then, if it is a lock.
type Alternative = (Look, u32);

impl Spin {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.alternatives
    }

    pub(crate) fn clear(&self) {
        self.changed();
        self.probe.set(None);
        self.alternatives.borrow_mut().clear();
    }

    fn seen(&self) -> &[Cell<Look>] {
        &self.seen[..self.objects.get().min(MOST_OBJECTS)]
    }

    /// Notes an operation that was performed.
    #[inline]
    pub(crate) fn note(&self, op: Op, done: Done) {
        if let OpKind::Receive(_) | OpKind::TryReceive(_) = op.kind {
            return self.note_receive(done.outcome);
        }
        if op.kind == OpKind::Fence {
            return;
        }
        let (look, count) = match neutral_word(op.kind, &done) {
            Some(word) => (Look(op.object.0, word), 0),
            None if done.before != done.after
                || op.object == ObjectId::NONE
                || op.kind.nature().hidden == Hidden::Change =>
            {
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

    /// A receive that takes a message changes the mailbox. One that does not is no look: nobody can wait for a mailbox to
    /// change. If the program polls, the count of arrivals was looked at before.
    fn note_receive(&self, outcome: Outcome) {
        match outcome {
            Outcome::Refused => self.polls.set(self.polls.get() + 1),
            _ => self.changed(),
        }
    }

    /// The thread changed something.
    #[inline]
    pub(crate) fn changed(&self) {
        self.polls.set(0);
        self.rounds.set(None);
        self.forget();
    }

    /// A new round begins.
    #[inline]
    fn forget(&self) {
        self.looks.set(0);
        self.objects.set(0);
        self.unsteady.set(false);
    }

    /// What was seen in this round, added up in a way that does not depend on the order. Each look is hashed by itself: a sum of
    /// numbers would be the same for x = 2, y = 1 and for x = 0, y = 3.
    fn sum(&self) -> u128 {
        let hash = |Look(object, value): Look| Fingerprint::of([u64::from(object), value].into_iter()).0;
        context::quietly(|| self.seen().iter().map(|seen| hash(seen.get())).fold(0, u128::wrapping_add))
    }

    /// Whether the thread looked at an object in this round.
    pub(crate) fn has_seen(&self, object: ObjectId) -> bool {
        self.seen().iter().any(|seen| seen.get().0 == object.0)
    }

    /// So many looks more count as one look at everything that the loop looks at, for `times` rounds.
    pub(crate) fn looks_of(&self, times: u32) -> u32 {
        times.saturating_mul(self.objects.get() as u32)
    }

    /// Whether the thread may have looked at few things so often that it must be waiting.
    #[inline]
    pub(crate) fn is_weary(&self, limit: u32) -> bool {
        self.looks.get().max(self.polls.get()) > limit
    }

    fn has_looked_enough(&self, op: &Op, limit: u32) -> bool {
        if self.unsteady.get() {
            self.changed();
            return false;
        }
        self.objects.get() <= MOST_OBJECTS && self.looks.get() > self.looks_of(limit) && self.has_seen(op.object)
    }

    /// From now on every operation of the thread comes to [`weary`].
    pub(crate) fn begin_probe(&self, context: &Context, probe: Probe) {
        if context.apart.get() {
            // Memory has what was written last, which the thread need not have seen. The run is of no use afterwards.
            let mut world = context.world.borrow_mut();
            self.seen().iter().map(Cell::get).for_each(|Look(object, word)| world.set_word(ObjectId(object), word));
        }
        self.probe.set(Some(probe));
        self.looks.set(u32::MAX);
    }
}

/// A thread that has looked often is about to perform `op`. Says what came of it if that is known already.
#[cold]
pub(crate) fn weary(context: &Context, slot: &Slot, op: &Op) -> Option<Done> {
    let spin = &slot.spin;
    learn_of_polls(context, slot);
    let limit = context.options.spin_limit;
    if spin.probe.get().is_some() {
        return Some(patience::answer(context, slot, op));
    }
    if spin.has_looked_enough(op, limit) {
        let of = Loop { site: op.site, seen: spin.sum() };
        match patience::advice(context, of, spin.looks.get()) {
            Advice::GoOn => {}
            Advice::Wait => wait(context, op.site),
            Advice::Probe => {
                patience::probe(context, slot, of, spin.looks.get());
                return Some(patience::answer(context, slot, op));
            }
        }
    }
    None
}

/// A thread that goes round a loop and looks into mailboxes can be made to wait only if arrivals are counted.
fn learn_of_polls(context: &Context, slot: &Slot) {
    if slot.spin.polls.get() > 0 && !context.lessons.get().contains(Lesson::Polls) {
        crate::perform::learn(Lesson::Polls);
        context.cut.set(true);
        crate::unwinding::stop(context, slot);
    }
}

/// The word of an object between operations of a thread that undo each other.
///
/// To take a lock and to give it back changes nothing, as long as what it protects stays the same; the word of the lock is that
/// while the thread does not hold it. Whoever changes what it protects holds it for a while, and then it has another word. To wait
/// on a condition variable until the time is up changes nothing either; its word is that while the thread waits.
#[inline]
fn neutral_word(kind: OpKind, done: &Done) -> Option<u64> {
    let Nature { holding, cause, .. } = kind.nature();
    match (holding, kind) {
        // A relock comes after a wait, which is neutral by itself.
        (Holding::Takes(_), _) if cause == Cause::None => Some(done.before),
        (Holding::Gives(_), _) | (_, OpKind::Wait { .. }) => Some(done.after),
        (_, OpKind::StopWaiting) if done.outcome == Outcome::Done => Some(done.before),
        _ => None,
    }
}

/// The thread says that it spins.
pub(crate) fn pause(context: &Context, site: Site) {
    let slot = context.running();
    let spin = &slot.spin;
    learn_of_polls(context, slot);
    if spin.objects.get() == 0 || spin.probe.get().is_some() {
        return;
    }
    let holds = slot.held.borrow().iter().any(|&lock| spin.has_seen(lock));
    if holds || spin.unsteady.get() || spin.objects.get() > MOST_OBJECTS {
        return spin.changed();
    }
    let of = Loop { site, seen: spin.sum() };
    let rounds = match spin.rounds.get() {
        None => Rounds { of, same: 1, elsewhere: 0, most_elsewhere: 1 },
        Some(rounds) if rounds.of == of => Rounds { same: rounds.same.saturating_add(1), elsewhere: 0, ..rounds },
        Some(rounds) if rounds.of.site == site => Rounds { of, same: 1, elsewhere: 0, ..rounds },
        Some(rounds) if rounds.elsewhere < rounds.most_elsewhere => {
            // Somewhere within the round.
            return spin.rounds.set(Some(Rounds { elsewhere: rounds.elsewhere + 1, ..rounds }));
        }
        Some(rounds) => Rounds { of, same: 1, elsewhere: 0, most_elsewhere: rounds.most_elsewhere.saturating_mul(2) },
    };
    spin.rounds.set(Some(rounds));
    if rounds.same > 1 {
        match patience::advice(context, of, rounds.same) {
            Advice::GoOn => {}
            Advice::Wait => return wait(context, site),
            Advice::Probe => return patience::probe(context, slot, of, rounds.same),
        }
    }
    spin.forget();
}

/// The thread waits for a change of something that it looked at.
pub(crate) fn wait(context: &Context, site: Site) {
    let slot = context.running();
    // A list of its own would be lost with a fiber that is forgotten in the middle of it.
    let count = slot.spin.seen().len();
    let looks: [Look; MOST_OBJECTS] = slot.spin.seen.each_ref().map(Cell::get);
    let chosen = match count {
        1 => 0,
        several => {
            let op = Op { kind: OpKind::Choose(several as u32), object: ObjectId::NONE, site };
            announce(context, slot, op, RELAXED).alternative as usize
        }
    };
    let Look(object, value) = looks[chosen];
    let alternative = |&look: &Look| (look, context.times_taken(ObjectId(look.0)));
    context::quietly(|| slot.spin.alternatives.borrow_mut().extend(looks[..count].iter().map(alternative)));
    let kind = OpKind::Await(Test::NotEqual(value));
    announce(context, slot, Op { kind, object: ObjectId(object), site }, RELAXED);
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
