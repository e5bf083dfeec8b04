//! What every object of the program carries.

use fiber::{Answer, Described, Identity, Target};
use model::{ObjectId, OpKind, Order, Orders};
use std::panic::Location;

/// An object's identity, and where it comes from. All zeros are an object of which nothing is known: what the program makes by
/// `mem::zeroed` is one.
#[derive(Debug)]
pub(crate) struct Object {
    identity: Identity,
    created: Option<&'static Location<'static>>,
    given: Option<&'static str>,
    type_name: Option<&'static str>,
    show: Option<fn(u64) -> String>,
}

impl Object {
    #[track_caller]
    pub(crate) const fn new(type_name: &'static str) -> Self {
        Object::of(type_name, Location::caller())
    }

    /// Created there.
    pub(crate) const fn of(type_name: &'static str, created: &'static Location<'static>) -> Self {
        let identity = Identity::new();
        Object { identity, created: Some(created), given: None, type_name: Some(type_name), show: None }
    }

    /// With a name for reports.
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.given = Some(name);
        self
    }

    /// With values shown like this.
    pub(crate) const fn shown(mut self, show: fn(u64) -> String) -> Self {
        self.show = Some(show);
        self
    }

    /// What is told of the object.
    #[cold]
    pub(crate) fn description(&self) -> Described {
        let type_name = self.type_name.unwrap_or("object");
        Described {
            type_name,
            created: self.place(),
            given: self.given,
            show: self.show.unwrap_or(|word| word.to_string()),
            // An atomic is no more than its word, which each run has of its own.
            is_word: self.type_name.is_none_or(|name| name.starts_with("Atomic")),
        }
    }

    /// Where it was created, if that is known.
    fn place(&self) -> &'static Location<'static> {
        self.created.unwrap_or_else(|| Location::caller())
    }

    /// The object in this run, with this word if it has not been used yet.
    #[inline]
    pub(crate) fn id(&self, initial: impl FnOnce() -> u64) -> ObjectId {
        fiber::object(&self.identity, || self.description(), initial)
    }

    /// An operation on the object, whose word is 0 before its first.
    #[inline(always)]
    pub(crate) fn perform(&self, kind: OpKind, location: &'static Location<'static>) -> Answer {
        fiber::perform_on(self, kind, location)
    }

    /// The word, if the object has been used in this run. Its only owner sees it so, which is an operation: some algorithms take
    /// executions for the same in which nobody looked.
    pub(crate) fn word(&self) -> Option<u64> {
        self.look(OpKind::Read).map(|done| done.before())
    }

    /// An operation of the only owner on an object that has been used in this run.
    pub(crate) fn look(&self, kind: OpKind) -> Option<Answer> {
        let plain = Orders::of(Order::Plain);
        fiber::known(&self.identity).map(|object| fiber::perform_ordered(kind, object, self.place(), plain))
    }

    /// Which one it is.
    #[inline(always)]
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The next use is the first.
    pub(crate) fn forget(&mut self) {
        self.identity.forget();
    }
}

impl Target for Object {
    #[inline(always)]
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn describe(&self) -> Described {
        self.description()
    }

    fn initial(&self) -> u64 {
        0
    }
}

/// An object that is a part of a front end's own, which knows its first word.
macro_rules! target {
    ($($name:ident $(<$parameter:ident>)?, $self:ident => $initial:expr;)*) => { $(
        impl $(<$parameter>)? fiber::Target for $name $(<$parameter>)? {
            #[inline(always)]
            fn identity(&self) -> &fiber::Identity {
                self.object.identity()
            }

            fn describe(&self) -> fiber::Described {
                self.object.description()
            }

            fn initial(&$self) -> u64 {
                $initial
            }
        }
    )* };
}

pub(crate) use target;
