//! Parts of the program that are one step: what is between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end`.
//!
//! Nobody else goes on within a section: its accesses are not announced. Where a section begins, nobody can say what it will touch.
//! So all memory that the sections of one place in the program touch counts as one object, a *region*, whoever touches it from
//! wherever, and regions that have memory in common are one. A section writes its region, so that it is ordered with every access from
//! outside that could tell where it comes; sections of different regions commute. Which memory a region has is found out by
//! running, as it is with shared memory: when a section touches more, the search is done anew.

use crate::context::{Context, Table};
use crate::discoveries::Discovery;
use crate::run;
use crate::shadow::{Extent, Shadow};
use crate::slot::{Done, Effect};
use model::{ObjectId, Op, OpKind, Outcome, Site, State, ThreadId};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::{Cell, RefCell};
use std::hash::Hasher;

/// What is known of the sections of a program.
#[derive(Default)]
pub(crate) struct Sections {
    regions: RefCell<Regions>,
    /// Whether the program has sections.
    used: Cell<bool>,
    /// Where the section begins that the thread that runs is in, and how many are open, as they may be nested.
    open: Cell<Option<(Site, u32)>>,
}

/// Which region sections and memory are of. Regions that were joined have one root.
#[derive(Default)]
struct Regions {
    of_site: FxHashMap<Site, Region>,
    of_member: FxHashMap<ObjectId, Region>,
    of_object: FxHashMap<ObjectId, Region>,
    all: Vec<Entry>,
}

/// The number of a region.
type Region = usize;

struct Entry {
    /// The region that this one was joined to; itself, if it is a root.
    joined: Region,
    /// Stands for all memory of the region.
    object: ObjectId,
    /// The first place whose sections are of the region.
    first: Site,
}

impl Regions {
    fn root(&self, mut region: Region) -> Region {
        while self.all[region].joined != region {
            region = self.all[region].joined;
        }
        region
    }

    /// The region of the sections that begin there, which is made if it is new.
    fn of_site(&mut self, site: Site, shadow: &Shadow) -> Region {
        if let Some(&region) = self.of_site.get(&site) {
            return self.root(region);
        }
        let (region, object) = (self.all.len(), shadow.new_object());
        self.all.push(Entry { joined: region, object, first: site });
        self.of_site.insert(site, region);
        self.of_object.insert(object, region);
        region
    }

    /// Two regions are one. The older one gives the name.
    fn join(&mut self, one: Region, other: Region) {
        let (one, other) = (self.root(one), self.root(other));
        self.all[one.max(other)].joined = one.min(other);
    }

    /// The object that counts in place of this one, if it is memory of a region.
    fn stand_in(&self, member: ObjectId) -> Option<ObjectId> {
        let region = *self.of_member.get(&member)?;
        Some(self.all[self.root(region)].object)
    }
}

impl Sections {
    /// See [`crate::context::Table`].
    pub(crate) fn table(&self) -> &dyn Table {
        &self.regions
    }

    /// Whether the program has sections.
    #[inline]
    pub(crate) fn are_used(&self) -> bool {
        self.used.get()
    }

    /// Whether this object stands for a region.
    #[inline]
    pub(crate) fn is_object(&self, object: ObjectId) -> bool {
        self.are_used() && self.regions.borrow().of_object.contains_key(&object)
    }

    /// There are sections that begin there. Says whether that is new.
    fn know_site(&self, shadow: &Shadow, site: Site) -> bool {
        self.used.set(true);
        let mut regions = self.regions.borrow_mut();
        let is_new = !regions.of_site.contains_key(&site);
        regions.of_site(site, shadow);
        is_new
    }

    /// A section that begins there touches an object. Says whether that is new.
    pub(crate) fn know(&self, shadow: &Shadow, site: Site, member: ObjectId) -> bool {
        self.used.set(true);
        let mut regions = self.regions.borrow_mut();
        let region = regions.of_site(site, shadow);
        let before = regions.of_member.insert(member, region);
        let is_new = before.is_none_or(|before| regions.root(before) != region);
        before.into_iter().for_each(|before| regions.join(before, region));
        is_new
    }

    /// Sections that begin there are of the region of those that begin at the other place.
    pub(crate) fn join(&self, shadow: &Shadow, site: Site, other: Site) {
        self.used.set(true);
        let mut regions = self.regions.borrow_mut();
        let (one, other) = (regions.of_site(other, shadow), regions.of_site(site, shadow));
        regions.join(one, other);
    }

    /// Every place where sections begin, with the first one whose sections are of the same region.
    pub(crate) fn sites(&self) -> Vec<(Site, Site)> {
        let regions = self.regions.borrow();
        let first = |(&site, &region): (&Site, &Region)| (site, regions.all[regions.root(region)].first);
        let mut sites: Vec<(Site, Site)> = regions.of_site.iter().map(first).collect();
        sites.sort_unstable();
        sites
    }

    /// The first place whose sections touch this object.
    pub(crate) fn first_site(&self, member: ObjectId) -> Option<Site> {
        let regions = self.regions.borrow();
        let region = *regions.of_member.get(&member)?;
        Some(regions.all[regions.root(region)].first)
    }

    /// The memory of a region, in the order of addresses.
    pub(crate) fn members(&self, shadow: &Shadow, object: ObjectId) -> Vec<Extent> {
        let regions = self.regions.borrow();
        let Some(region) = regions.of_object.get(&object).map(|&region| regions.root(region)) else {
            return Vec::new();
        };
        let is_in_use = |id: ObjectId| shadow.find(id).filter(|extent| shadow.object_at(extent.address) == Some(id));
        let of_region = regions.of_member.iter().filter(|&(_, &other)| regions.root(other) == region);
        let mut members: Vec<Extent> = of_region.filter_map(|(&id, _)| is_in_use(id)).collect();
        members.sort_unstable_by_key(|extent| extent.address);
        members
    }

    /// The contents of a region, or, where that is more than one variable, a number that stands for them.
    pub(crate) fn word(&self, shadow: &Shadow, object: ObjectId) -> State {
        let members = self.members(shadow, object);
        if let [extent] = members[..] {
            return run::word(&extent);
        }
        let mut hasher = FxHasher::default();
        members.iter().for_each(|extent| hasher.write_u64(run::word(extent)));
        hasher.finish()
    }

    /// The thread that runs is in no section any more.
    pub(crate) fn close(&self) {
        self.open.set(None);
    }

    /// The operation that this one counts as: one on a region, if it is on memory of it.
    fn stand_in(&self, op: Op) -> Op {
        match self.regions.borrow().stand_in(op.object) {
            Some(object) => Op { kind: coarse(op.kind), object, ..op },
            None => op,
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
        let open = match self.sections.open.get() {
            Some((outermost, depth)) => (outermost, depth + 1),
            None => {
                if self.concurrent.get() {
                    let region = self.region_of_sections(site);
                    self.announce(OpKind::Atomic, region, site, Effect::Native);
                }
                (site, 1)
            }
        };
        self.sections.open.set(Some(open));
    }

    /// A section ends.
    pub(crate) fn end_section(&self) {
        let open = self.sections.open.get().filter(|&(_, depth)| depth > 1);
        self.sections.open.set(open.map(|(outermost, depth)| (outermost, depth - 1)));
    }

    /// The object that stands for what sections touch that begin there. When there were no sections yet, operations mean what they
    /// are so far.
    pub(crate) fn region_of_sections(&self, site: Site) -> ObjectId {
        if !self.sections.are_used() {
            for slot in (0..self.thread_count() as u32).map(|thread| self.slot(ThreadId(thread))) {
                slot.meant.set(slot.op.get());
            }
        }
        if self.sections.know_site(&self.shadow, site) {
            self.shadow.discoveries.note(Discovery::Sections(site));
            self.shadow.refine();
        }
        let mut regions = self.sections.regions.borrow_mut();
        let region = regions.of_site(site, &self.shadow);
        regions.all[region].object
    }

    /// A section that begins there touches an object.
    pub(crate) fn know_in_sections(&self, site: Site, object: ObjectId) {
        if self.sections.know(&self.shadow, site, object) {
            let address = self.shadow.find(object).map(|extent| extent.address);
            address.into_iter().for_each(|address| self.shadow.discoveries.note(Discovery::Section { site, address }));
            self.shadow.refine();
        }
    }

    /// An operation of a program with sections: within one, it is part of the section's step.
    pub(crate) fn before_announcement(&self, op: Op, effect: Effect) -> Result<Op, Done> {
        let Some((begins, _)) = self.sections.open.get() else {
            self.here().meant.set(op);
            return Ok(self.sections.stand_in(op));
        };
        let mut done = Done { outcome: Outcome::Done, before: 0, alternative: 0, misused: false };
        match self.shadow.find(op.object) {
            Some(extent) => {
                self.know_in_sections(begins, op.object);
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
