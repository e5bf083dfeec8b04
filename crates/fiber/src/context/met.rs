//! Which objects a run has met, and where.

use super::Context;
use super::cell::quietly;
use crate::place::{self, Described, Identity, Place};
use model::{ObjectId, ThreadId};
use std::cell::Cell;
use std::panic::Location;
use std::ptr;

/// The objects met at one place.
#[derive(Default)]
pub(super) struct Met {
    ids: Vec<ObjectId>,
    /// How many of them in which run.
    in_run: (u64, u32),
}

impl Context {
    /// The id of the object at `address`; `initial` is its word if it has not been met in this run.
    #[inline]
    pub(crate) fn object(
        &self,
        identity: &Identity,
        describe: impl FnOnce() -> Described,
        initial: impl FnOnce() -> u64,
    ) -> ObjectId {
        match identity.id(self.stamp.get()) {
            Some(id) => id,
            None => self.meet_quietly(identity, describe, initial),
        }
    }

    /// The same of an object that both is told of at once; and whether it was met just now.
    pub(crate) fn object_told(&self, identity: &Identity, tell: impl FnOnce() -> (Described, u64)) -> (ObjectId, bool) {
        let known = identity.id(self.stamp.get());
        let meet = || {
            let (described, initial) = tell();
            self.meet(identity, &described, initial)
        };
        (known.unwrap_or_else(|| quietly(meet)), known.is_none())
    }

    /// Never inlined: what is made here is not to be left on the program's stack.
    #[cold]
    #[inline(never)]
    fn meet_quietly(
        &self,
        identity: &Identity,
        describe: impl FnOnce() -> Described,
        initial: impl FnOnce() -> u64,
    ) -> ObjectId {
        let id = quietly(|| self.meet(identity, &describe(), initial()));
        crate::perform::wipe_if_watched(self);
        id
    }

    #[cold]
    #[inline(never)]
    fn meet(&self, identity: &Identity, described: &Described, initial: u64) -> ObjectId {
        let place = place::locate(self, ptr::from_ref(identity) as usize);
        if let Place::Fixed { address } = place
            && !described.is_word
            && !place::is_static(address)
        {
            refuse(described);
        }
        let known = if matches!(place, Place::Fixed { .. }) { self.fixed_at(place) } else { None };
        let id = known.unwrap_or_else(|| {
            let id = self.id_at(place, described);
            self.begin_word(id, initial);
            id
        });
        identity.set(self.stamp.get(), id);
        id
    }

    /// An object of this run begins with this word.
    fn begin_word(&self, id: ObjectId, word: u64) {
        self.world.borrow_mut().set_word(id, word);
        if self.apart.get() {
            self.met.borrow_mut().push((id, word));
        }
    }

    /// The only object at `place`, if this run has met it. (Of a static, a check in another OS thread may have changed the
    /// identity since.)
    fn fixed_at(&self, place: Place) -> Option<ObjectId> {
        let places = self.places.borrow();
        let met = places.get(&place).filter(|met| met.in_run.0 == self.stamp.get())?;
        met.ids.first().copied()
    }

    fn id_at(&self, place: Place, described: &Described) -> ObjectId {
        let mut places = self.places.borrow_mut();
        let met = places.entry(place).or_default();
        let nth = if met.in_run.0 == self.stamp.get() { met.in_run.1 } else { 0 };
        met.in_run = (self.stamp.get(), nth + 1);
        if let Some(&id) = met.ids.get(nth as usize) {
            return id;
        }
        let id = self.registry.object(place, nth, described);
        met.ids.push(id);
        id
    }

    /// The id of an object that this run has met.
    pub(crate) fn known(&self, identity: &Identity) -> Option<ObjectId> {
        identity.id(self.stamp.get())
    }

    /// The part of `whole` under a key, which has the word 0 when it is met.
    pub(crate) fn part(&self, whole: ObjectId, key: u64, described: &Described) -> ObjectId {
        let place = Place::Part { whole, key };
        self.fixed_at(place).unwrap_or_else(|| {
            let id = self.id_at(place, described);
            self.begin_word(id, 0);
            id
        })
    }

    /// The count of references at `place`, which has this word when it is met.
    pub(crate) fn count_at(&self, place: Place, origin: &'static Location<'static>, word: u64) -> ObjectId {
        self.fixed_at(place).unwrap_or_else(|| {
            let described =
                Described { type_name: "Arc", created: origin, given: None, show: show_count, is_word: true };
            let id = self.id_at(place, &described);
            self.begin_word(id, word);
            id
        })
    }

    /// The token by which `thread` is unparked.
    pub(crate) fn parker(&self, thread: ThreadId) -> ObjectId {
        self.part_of(&self.slot(thread).parker, Place::Parker { thread }, crate::object::PARK_TOKEN)
    }

    /// What says whether `thread` has ended.
    pub(crate) fn end_of(&self, thread: ThreadId) -> ObjectId {
        self.part_of(&self.slot(thread).end, Place::End { thread }, "end of thread")
    }

    fn part_of(&self, part: &Cell<(u64, ObjectId)>, place: Place, name: &'static str) -> ObjectId {
        let (stamp, id) = part.get();
        if stamp == self.stamp.get() {
            return id;
        }
        quietly(|| {
            let show = |word: u64| word.to_string();
            let described =
                Described { type_name: name, created: Location::caller(), given: Some(name), show, is_word: true };
            let id = self.id_at(place, &described);
            self.begin_word(id, 0);
            part.set((self.stamp.get(), id));
            id
        })
    }
}

fn show_count(word: u64) -> String {
    match objects::weak(word) {
        0 => objects::strong(word).to_string(),
        weak => format!("{} and {weak} weak", objects::strong(word)),
    }
}

/// An object with data that runs would share, and the OS threads that they are in.
#[cold]
fn refuse(described: &Described) -> ! {
    panic!(
        "{} was made outside of the check, and runs would share its data: make it in the body of the check, or as a static",
        described.name()
    )
}
