//! What every object of the program carries.

use fiber::{Described, Done, Identity};
use model::{ObjectId, OpKind};
use std::panic::Location;

/// An object's identity, and where it comes from.
#[derive(Debug)]
pub(crate) struct Object {
    identity: Identity,
    created: &'static Location<'static>,
    given: Option<&'static str>,
    type_name: &'static str,
    show: fn(u64) -> String,
}

impl Object {
    #[track_caller]
    pub(crate) const fn new(type_name: &'static str) -> Self {
        Object::of(type_name, Location::caller())
    }

    /// Created there.
    pub(crate) const fn of(type_name: &'static str, created: &'static Location<'static>) -> Self {
        Object { identity: Identity::new(), created, given: None, type_name, show: |word| word.to_string() }
    }

    /// With a name for reports.
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.given = Some(name);
        self
    }

    /// With values shown like this.
    pub(crate) const fn shown(mut self, show: fn(u64) -> String) -> Self {
        self.show = show;
        self
    }

    /// The object in this run, with this word if it has not been used yet.
    #[inline]
    pub(crate) fn id(&self, initial: impl FnOnce() -> u64) -> ObjectId {
        let describe =
            || Described { type_name: self.type_name, created: self.created, given: self.given, show: self.show };
        fiber::object(&self.identity, describe, initial)
    }

    /// An operation on the object, whose word is 0 before its first.
    #[inline(always)]
    pub(crate) fn perform(&self, kind: OpKind, location: &'static Location<'static>) -> Done {
        fiber::perform(kind, self.id(|| 0), location)
    }

    /// The word, if the object has been used in this run. No operation: for its only owner.
    pub(crate) fn word(&self) -> Option<u64> {
        fiber::known(&self.identity).map(fiber::word)
    }

    /// The next use is the first.
    pub(crate) fn forget(&mut self) {
        self.identity.forget();
    }
}
