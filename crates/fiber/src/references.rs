//! Counts of references to values that threads share: who drops the last one, and who looks how many there are.
//!
//! References come and go without an operation as long as nobody can tell. There are three ways to tell: to look at the
//! number of strong references (an upgrade does), to look at the number of weak ones, and to drop the last reference to a
//! value whose destructor does something that others can see. A run that does so learns it of all references that were made
//! at the same place in the program's text ([`Sight`]), and the search is done anew with operations on their counts:
//! - a reference that comes or goes adds to the count; two of these commute,
//! - a look reads the count, and conflicts with every add,
//! - a drop that can be seen reads and changes the count, so that every order of such drops is explored, and the destructor
//!   happens after all of them.

use crate::context::{self, Context, Mode, Table};
use crate::perform::{here, perform, perform_ordered};
use crate::place::Place;
use crate::slot::{Created, Status};
use crate::unwinding::{is_panicking, stop};
use model::{Counting, Failure, FailureKind, ObjectId, OpKind, Order, Orders, ThreadId, Update};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::panic::Location;

/// A reference more orders nothing.
const RELAXED: Orders = Orders::of(Order::Relaxed);

/// One of the ways to tell how many references there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The number of strong references is looked at.
    Strong = 1,
    /// The number of weak references is looked at.
    Weak = 2,
    /// The destructor of the value does something that can be seen.
    Last = 4,
}

/// What is known of the references that were made at one place: a set of [`Sight`]s.
pub(crate) type Sights = u8;

/// The sorts of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// Keeps the value alive.
    Strong,
    /// Does not.
    Weak,
}

impl Reference {
    fn one(self) -> u64 {
        match self {
            Reference::Strong => 1,
            Reference::Weak => objects::WEAK,
        }
    }

    fn is_counted(self, sights: Sights) -> bool {
        let who = match self {
            Reference::Strong => Sight::Strong as u8 | Sight::Last as u8,
            Reference::Weak => Sight::Weak as u8,
        };
        sights & who != 0
    }
}

/// The references to one value.
#[derive(Clone, Copy, Debug)]
pub struct References {
    /// The value's address.
    pub address: usize,
    /// Where the first of them was made.
    pub origin: &'static Location<'static>,
}

/// What a run knows of counts.
#[derive(Default)]
pub(crate) struct Counts {
    /// How many things had been learnt of the program when `sights` was made.
    version: Cell<u32>,
    /// Whether anything is known of any references.
    any: Cell<bool>,
    /// By the address of the place.
    sights: RefCell<FxHashMap<usize, Sights>>,
    /// The counts of this run, by the address of the value.
    ids: RefCell<FxHashMap<usize, ObjectId>>,
    /// Where references were made whose address was given away, by that address.
    raw: RefCell<FxHashMap<usize, &'static Location<'static>>>,
    /// Values that have a strong reference, if leaks are looked for.
    alive: RefCell<FxHashMap<usize, &'static Location<'static>>>,
}

impl Counts {
    /// See [`crate::context::Table`].
    pub(crate) fn tables(&self) -> [&dyn Table; 4] {
        [&self.sights, &self.ids, &self.raw, &self.alive]
    }

    /// A new run begins.
    pub(crate) fn reset(&self, version: u32, any: bool) {
        if self.version.replace(version) != version {
            self.any.set(any);
            self.sights.borrow_mut().clear();
        }
        // A map without entries is not worth a look at its memory.
        if !self.ids.borrow().is_empty() {
            self.ids.borrow_mut().clear();
        }
        if !self.raw.borrow().is_empty() {
            self.raw.borrow_mut().clear();
        }
        if !self.alive.borrow().is_empty() {
            self.alive.borrow_mut().clear();
        }
    }

    /// A value that still has a strong reference: where that was made.
    pub(crate) fn leaked(&self) -> Option<&'static Location<'static>> {
        let alive = self.alive.borrow();
        alive.values().min_by_key(|place| (place.file(), place.line(), place.column())).copied()
    }
}

/// When all threads have ended, a value that still has a reference is a failure, if leaks are looked for.
#[inline]
pub(crate) fn leak(context: &Context) -> Option<Failure> {
    if !context.options.leaks || context.cut.get() {
        return None;
    }
    let has_ended = |thread| matches!(context.slot(ThreadId(thread)).status.get(), Status::Gone | Status::Daemon);
    let leaked = (0..context.threads() as u32).all(has_ended).then(|| context.counts.leaked())??;
    let message = format!(
        "a value was leaked: all threads have ended, and there is still a reference to what the Arc of {}:{} was made for",
        leaked.file(),
        leaked.line()
    );
    let site = context.within(|| context.site(leaked));
    Some(Failure { kind: FailureKind::Misuse, message, site })
}

/// The block of memory that this address is in, which was just allocated, begins with std's counts of references: others
/// change them unseen.
pub fn is_counted_by_std(address: *const ()) {
    if let Some(context) = context::current() {
        context.blocks.count(address as usize);
    }
}

impl References {
    #[inline]
    fn sights(self, context: &Context) -> Sights {
        if context.counts.any.get() && context.mode.get() == Mode::Running { self.sights_known(context) } else { 0 }
    }

    #[cold]
    fn sights_known(self, context: &Context) -> Sights {
        let key = std::ptr::from_ref(self.origin) as usize;
        context::quietly(|| {
            *context.counts.sights.borrow_mut().entry(key).or_insert_with(|| context.registry.sights(self.origin))
        })
    }

    /// There is a value with so many strong references.
    #[inline]
    pub fn begin(self, strong: u32) {
        let Some(context) = context::current() else { return };
        context.blocks.count(self.address);
        if context.options.leaks && strong > 0 {
            self.keep_alive(context);
        }
        if self.sights(context) != 0 {
            let (creator, nth) = context.count_created(Created::count);
            self.meet(context, Place::Count { creator, nth }, strong.into());
        }
    }

    #[cold]
    fn meet(self, context: &Context, place: Place, word: u64) -> ObjectId {
        context::quietly(|| {
            let id = context.count_at(place, self.origin, word);
            context.counts.ids.borrow_mut().insert(self.address, id);
            id
        })
    }

    #[cold]
    fn keep_alive(self, context: &Context) {
        // What a static keeps for the rest of the run is no leak.
        if !context.creator().is_lasting() {
            context::quietly(|| context.counts.alive.borrow_mut().insert(self.address, self.origin));
        }
    }

    /// The object that the count is. One that was made outside of the run has the number of references that `now` says.
    fn id(self, context: &Context, now: impl FnOnce() -> u64) -> ObjectId {
        let known = context.counts.ids.borrow().get(&self.address).copied();
        known.unwrap_or_else(|| self.meet(context, Place::Fixed { address: self.address }, now()))
    }

    /// One reference more, of a value that has `now` of them.
    #[inline]
    pub fn gain(self, what: Reference, now: impl FnOnce() -> u64, location: &'static Location<'static>) {
        if let Some(context) = context::current() {
            let sights = self.sights(context);
            if sights != 0 && what.is_counted(sights) {
                perform_ordered(OpKind::Add(what.one()), self.id(context, now), location, RELAXED);
            }
        }
    }

    /// One reference fewer, of a value that has `now` of them.
    #[inline]
    pub fn lose(self, what: Reference, now: impl FnOnce() -> u64, location: &'static Location<'static>) {
        let Some(context) = context::current() else { return };
        let sights = self.sights(context);
        if sights != 0 && what.is_counted(sights) {
            let by = what.one().wrapping_neg();
            let is_seen = what == Reference::Strong && sights & Sight::Last as u8 != 0;
            let kind = if is_seen { OpKind::ReadModifyWrite(Update::FetchAdd(by)) } else { OpKind::Add(by) };
            perform(kind, self.id(context, now), location);
        }
    }

    /// The last strong reference is gone, and the value is dropped while the answer is kept.
    #[inline]
    pub fn end(self) -> Option<Watch> {
        let context = context::current()?;
        if context.options.leaks {
            context.counts.alive.borrow_mut().remove(&self.address);
        }
        (self.sights(context) & Sight::Last as u8 == 0).then(|| Watch { of: self, before: context.traces_of_code() })
    }

    /// Looks at the count, by a read of this order: how many strong and weak references there are. `now` says how many, where no operation is needed.
    pub fn look(
        self,
        sights: &[Sight],
        order: Order,
        now: impl Fn() -> u64,
        location: &'static Location<'static>,
    ) -> u64 {
        let Some(context) = context::current() else { return now() };
        if !self.can_be_seen(context, sights) {
            return now();
        }
        perform_ordered(OpKind::Read, self.id(context, now), location, Orders::of(order)).before()
    }

    /// Changes the count depending on how many references there are. Says whether it did; `None` where no operation is
    /// needed.
    pub fn count(
        self,
        counting: Counting,
        now: impl Fn() -> u64,
        location: &'static Location<'static>,
    ) -> Option<bool> {
        let context = context::current()?;
        if !self.can_be_seen(context, &[Sight::Strong]) {
            return None;
        }
        Some(perform(OpKind::Count(counting), self.id(context, now), location).is_done())
    }

    /// One strong reference fewer, by somebody who asks whether it was the last. `None` where no operation is needed.
    pub fn lose_and_look(self, now: impl Fn() -> u64, location: &'static Location<'static>) -> Option<bool> {
        let context = context::current()?;
        if !self.can_be_seen(context, &[Sight::Strong]) {
            return None;
        }
        let kind = OpKind::ReadModifyWrite(Update::FetchAdd(1u64.wrapping_neg()));
        Some(objects::strong(perform(kind, self.id(context, now), location).after()) == 0)
    }

    /// Whether it was known when the run began that this can be seen. If not, the run is of no use: the thread stops.
    fn can_be_seen(self, context: &Context, sights: &[Sight]) -> bool {
        let known = self.sights(context);
        if sights.iter().all(|&sight| known & sight as u8 != 0) {
            return true;
        }
        if context.mode.get() == Mode::Running {
            sights.iter().for_each(|&sight| self.learn(context, sight));
            // What unwinds cannot be stopped.
            if !is_panicking() {
                context.cut.set(true);
                stop(context, context.running());
            }
        }
        false
    }

    #[cold]
    fn learn(self, context: &Context, sight: Sight) {
        context::quietly(|| context.registry.learn_of_references(self.origin, sight));
    }

    /// Gives the address away, for [`References::at`].
    pub fn give_away(self) {
        if let Some(context) = context::current() {
            context::quietly(|| context.counts.raw.borrow_mut().insert(self.address, self.origin));
        }
    }

    /// The references to the value at an address that was given away in this run.
    pub fn at(address: usize, otherwise: &'static Location<'static>) -> References {
        let known = context::current().and_then(|context| context.counts.raw.borrow().get(&address).copied());
        References { address, origin: known.unwrap_or(otherwise) }
    }
}

/// Watches a destructor: what it does can be seen if it comes to an operation, asks which thread it is in, allocates memory (which
/// numbers the blocks of its thread), or panics.
#[must_use = "the destructor is watched as long as this is kept"]
pub struct Watch {
    of: References,
    before: (u64, usize, u32),
}

impl Drop for Watch {
    #[inline]
    fn drop(&mut self) {
        let context = here();
        let is_seen = context.traces_of_code() != self.before || is_panicking();
        if is_seen && context.mode.get() == Mode::Running {
            self.of.learn(context, Sight::Last);
        }
    }
}

/// Notes that what the calling thread does next depends on which thread it is.
pub(crate) fn note_identity() {
    let context = here();
    context.asked.set(context.asked.get().wrapping_add(1));
}
