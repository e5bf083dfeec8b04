//! The program's own synchronisation objects: which object of the model each is, and what this run knows of it.
//!
//! An object is where it is: whoever uses the same address means the same object.

use crate::context::Table;
use crate::shadow::Shadow;
use model::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum SyncKind {
    Mutex,
    RwLock,
    Condvar,
    Semaphore,
    Barrier,
    Once,
    Spin,
    /// What makes a look at a futex and the wait on it one step.
    Futex,
}

impl SyncKind {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            SyncKind::Mutex => "mutex",
            SyncKind::RwLock => "reader-writer lock",
            SyncKind::Condvar => "condition variable",
            SyncKind::Semaphore => "semaphore",
            SyncKind::Barrier => "barrier",
            SyncKind::Once => "once",
            SyncKind::Spin => "spin lock",
            SyncKind::Futex => "futex",
        }
    }

    /// Whether its life can begin without a call.
    pub(crate) fn begins_unseen(self) -> bool {
        !matches!(self, SyncKind::Semaphore | SyncKind::Barrier)
    }

    /// What it is while it cannot be destroyed.
    pub(crate) fn in_use(self) -> &'static str {
        match self {
            SyncKind::Mutex | SyncKind::RwLock | SyncKind::Spin => "held",
            _ => "waited for",
        }
    }
}

/// What a run knows of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Met {
    pub(crate) id: ObjectId,
    /// Whether the run at hand has met it.
    pub(crate) is_met: bool,
    /// A mutex: its type. A barrier: how many meet.
    pub(crate) setting: u32,
    /// A recursive mutex: how often its owner holds it more than once.
    pub(crate) depth: u32,
}

/// All objects.
#[derive(Default)]
pub(crate) struct Syncs {
    places: RefCell<FxHashMap<(usize, SyncKind), usize>>,
    /// The same, in the order of addresses.
    in_order: RefCell<Vec<(usize, SyncKind, usize)>>,
    /// What the run knows, by the place in this list.
    mets: RefCell<Vec<Met>>,
    /// The threads that came to each barrier, in any run.
    came: RefCell<FxHashMap<ObjectId, Vec<ThreadId>>>,
    /// Whether more of them came to some barrier than meet there: the order of arrivals matters then.
    crowded: Cell<bool>,
}

impl Syncs {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 4] {
        [&self.places, &self.in_order, &self.mets, &self.came]
    }

    /// The object at an address, and whether this run meets it for the first time.
    pub(crate) fn meet(&self, shadow: &Shadow, address: usize, kind: SyncKind) -> (Met, bool) {
        let mut mets = self.mets.borrow_mut();
        let place = *self.places.borrow_mut().entry((address, kind)).or_insert_with(|| {
            mets.push(Met { id: shadow.new_object(), is_met: false, setting: 0, depth: 0 });
            let mut in_order = self.in_order.borrow_mut();
            let before = in_order.partition_point(|&(at, of, _)| (at, of) < (address, kind));
            in_order.insert(before, (address, kind, mets.len() - 1));
            mets.len() - 1
        });
        let met = &mut mets[place];
        let first = !met.is_met;
        if first {
            *met = Met { id: met.id, is_met: true, setting: 0, depth: 0 };
        }
        (*met, first)
    }

    /// Changes what the run knows of an object that it met.
    pub(crate) fn set(&self, address: usize, kind: SyncKind, met: Met) {
        if let Some(&place) = self.places.borrow().get(&(address, kind)) {
            self.mets.borrow_mut()[place] = met;
        }
    }

    /// The next object in this memory, behind the object `last`, that the run has met. One at a time: a list on a fiber's
    /// stack would be lost, or freed twice, when the run goes back (see `crate::switch`).
    pub(crate) fn next_met_within(
        &self,
        memory: &Range<usize>,
        last: Option<(usize, SyncKind)>,
    ) -> Option<(usize, SyncKind, ObjectId)> {
        let (in_order, mets) = (self.in_order.borrow(), self.mets.borrow());
        let start = match last {
            Some(last) => in_order.partition_point(|&(at, kind, _)| (at, kind) <= last),
            None => in_order.partition_point(|&(at, ..)| at < memory.start),
        };
        let within = in_order[start..].iter().take_while(|(at, ..)| *at < memory.end);
        let mut met = within.filter(|&&(_, _, place)| mets[place].is_met);
        met.next().map(|&(at, kind, place)| (at, kind, mets[place].id))
    }

    /// A thread comes to a barrier. Says whether more threads do than meet there, which was not known.
    pub(crate) fn crowds(&self, barrier: ObjectId, parties: u32, thread: ThreadId) -> bool {
        if self.crowded.get() {
            return false;
        }
        let mut came = self.came.borrow_mut();
        let came = came.entry(barrier).or_default();
        if !came.contains(&thread) {
            came.push(thread);
        }
        came.len() > parties as usize
    }

    /// Whether the order of arrivals at barriers matters.
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded.get()
    }

    /// From now on, it does. Says whether that is new.
    pub(crate) fn set_crowded(&self) -> bool {
        !self.crowded.replace(true)
    }

    /// Where the object is, and what.
    pub(crate) fn find(&self, id: ObjectId) -> Option<(usize, SyncKind)> {
        let place = self.mets.borrow().iter().position(|met| met.id == id)?;
        self.places.borrow().iter().find(|&(_, &of)| of == place).map(|(&object, _)| object)
    }

    /// Hashes what the run knows.
    pub(crate) fn hash_state(&self, hasher: &mut impl Hasher) {
        let mets = self.mets.borrow();
        for (place, met) in mets.iter().enumerate().filter(|(_, met)| met.is_met) {
            (place, met.setting, met.depth).hash(hasher);
        }
    }

    /// The run has not met any object in this memory. Says which it had.
    pub(crate) fn forget_within(&self, memory: &Range<usize>) -> Vec<ObjectId> {
        let (in_order, mut mets) = (self.in_order.borrow(), self.mets.borrow_mut());
        let start = in_order.partition_point(|&(at, ..)| at < memory.start);
        let within = in_order[start..].iter().take_while(|(at, ..)| *at < memory.end);
        let met = within.filter_map(|&(_, _, place)| {
            let was_met = std::mem::replace(&mut mets[place].is_met, false);
            was_met.then_some(mets[place].id)
        });
        met.collect()
    }

    /// Copies what the run knows.
    pub(crate) fn save(&self, mets: &mut Vec<Met>) {
        mets.clone_from(&self.mets.borrow());
    }

    /// The run knows what it knew when this was copied. Objects that it met later are not met yet.
    pub(crate) fn load(&self, saved: &[Met]) {
        let mut mets = self.mets.borrow_mut();
        mets[..saved.len()].copy_from_slice(saved);
        mets[saved.len()..].iter_mut().for_each(|met| met.is_met = false);
    }
}
