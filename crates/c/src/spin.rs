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

mod loops;
mod saved;
mod wait;

pub(crate) use loops::Loops;
pub(crate) use saved::SavedSpin;
pub(crate) use wait::{arrive, is_cut, is_waiting, step};

use crate::slot::NO_OP;
use model::{ObjectId, Op, OpKind, Outcome, Site, State};
use std::cell::{Cell, RefCell};

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

    /// The thread has waited: it begins anew.
    fn clear_wait(&self) {
        self.alternatives.borrow_mut().clear();
        self.quiet.set(1);
        self.changed();
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
        self.quiet.get() >= QUIET_STEPS || loops.is_any()
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
