//! Parts of the program that are one step: what is between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end`.
//!
//! Nobody else goes on within a section: its accesses are not announced. All memory that some section touches counts as one
//! object, whoever touches it from wherever; a section writes that object, so that it is ordered with every access from
//! outside that could tell where it comes. Which memory that is is found out by running, as it is with shared memory: when
//! a section touches more, the search is done anew.

use crate::context::{Context, Table};
use crate::discoveries::Discovery;
use crate::run;
use crate::shadow::{Extent, Shadow};
use crate::slot::{Done, Effect};
use model::{ObjectId, Op, OpKind, Outcome, Site, State, ThreadId};
use rustc_hash::{FxHashSet, FxHasher};
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::Hasher;

/// What is known of the sections of a program.
#[derive(Default)]
pub(crate) struct Sections {
    /// Stands for all memory that sections touch; there is none as long as the program has no sections.
    object: OnceCell<ObjectId>,
    members: RefCell<FxHashSet<ObjectId>>,
    /// How many sections the thread that runs is in.
    depth: Cell<u32>,
}

impl Sections {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.members
    }

    /// Whether the program has sections.
    #[inline]
    pub(crate) fn are_used(&self) -> bool {
        self.object.get().is_some()
    }

    /// Whether this object stands for what sections touch.
    #[inline]
    pub(crate) fn is_object(&self, object: ObjectId) -> bool {
        self.object.get() == Some(&object)
    }

    /// A section touches an object. Says whether that is new.
    pub(crate) fn know(&self, shadow: &Shadow, member: ObjectId) -> bool {
        self.object.get_or_init(|| shadow.new_object());
        self.members.borrow_mut().insert(member)
    }

    /// What sections touch, in the order of addresses.
    pub(crate) fn members(&self, shadow: &Shadow) -> Vec<Extent> {
        let is_in_use = |id: ObjectId| shadow.find(id).filter(|extent| shadow.object_at(extent.address) == Some(id));
        let mut members: Vec<Extent> = self.members.borrow().iter().copied().filter_map(is_in_use).collect();
        members.sort_unstable_by_key(|extent| extent.address);
        members
    }

    /// The contents of what sections touch, or, where that is more than one variable, a number that stands for them.
    pub(crate) fn word(&self, shadow: &Shadow) -> State {
        let members = self.members(shadow);
        if let [extent] = members[..] {
            return run::word(&extent);
        }
        let mut hasher = FxHasher::default();
        members.iter().for_each(|extent| hasher.write_u64(run::word(extent)));
        hasher.finish()
    }

    /// The thread that runs is in no section any more.
    pub(crate) fn close(&self) {
        self.depth.set(0);
    }

    /// The operation that this one counts as: one on what sections touch, if it is on memory that they do.
    fn stand_in(&self, op: Op) -> Op {
        match self.object.get() {
            Some(&object) if self.members.borrow().contains(&op.object) => Op { kind: coarse(op.kind), object, ..op },
            _ => op,
        }
    }
}

/// The operation on all of the memory that an operation on a part of it is: what comes of it is not to be told from the
/// state of the whole.
fn coarse(kind: OpKind) -> OpKind {
    match kind {
        OpKind::Read | OpKind::PlainRead => OpKind::Read,
        OpKind::Write(_) | OpKind::PlainWrite(_) => OpKind::Write(0),
        OpKind::Free => OpKind::Free,
        _ => OpKind::Atomic,
    }
}

impl Context {
    /// A section begins.
    pub(crate) fn begin_section(&self, site: Site) {
        if self.apart.is_on() {
            self.refuse("memory models cannot explore atomic sections", site);
        }
        let depth = self.sections.depth.get();
        if depth == 0 && self.concurrent.get() {
            let object = self.object_of_sections();
            self.announce(OpKind::Atomic, object, site, Effect::Native);
        }
        self.sections.depth.set(depth + 1);
    }

    /// A section ends.
    pub(crate) fn end_section(&self) {
        self.sections.depth.set(self.sections.depth.get().saturating_sub(1));
    }

    /// The object that stands for what sections touch. When it is new, operations mean what they are so far.
    pub(crate) fn object_of_sections(&self) -> ObjectId {
        *self.sections.object.get_or_init(|| {
            for slot in (0..self.thread_count() as u32).map(|thread| self.slot(ThreadId(thread))) {
                slot.meant.set(slot.op.get());
            }
            self.shadow.discoveries.note(Discovery::Sections);
            self.shadow.refine();
            self.shadow.new_object()
        })
    }

    /// A section touches an object.
    pub(crate) fn know_in_sections(&self, object: ObjectId) {
        if self.sections.know(&self.shadow, object) {
            let address = self.shadow.find(object).map(|extent| extent.address);
            address.into_iter().for_each(|address| self.shadow.discoveries.note(Discovery::Section(address)));
            self.shadow.refine();
        }
    }

    /// An operation of a program with sections: within one, it is part of the section's step.
    pub(crate) fn before_announcement(&self, op: Op, effect: Effect) -> Result<Op, Done> {
        if self.sections.depth.get() == 0 {
            self.here().meant.set(op);
            return Ok(self.sections.stand_in(op));
        }
        let mut done = Done { outcome: Outcome::Done, before: 0, alternative: 0, misused: false };
        match self.shadow.find(op.object) {
            Some(extent) => {
                self.know_in_sections(op.object);
                if effect == Effect::Performed {
                    let performed = run::perform_on(&extent, effect, &op, self.current());
                    (done.outcome, done.before) = (performed.outcome, performed.before);
                }
            }
            None if op.kind == OpKind::Yield => {}
            None => self.refuse(
                format!(
                    "the operation '{}' between __VERIFIER_atomic_begin and __VERIFIER_atomic_end is not supported",
                    op.kind
                ),
                op.site,
            ),
        }
        Err(done)
    }
}
