//! Names that actors are known by.

use super::address::Address;
use super::life::{Process, Tells};
use super::message::Message;
use super::table::Table;
use model::OpKind;
use std::fmt;
use std::panic::Location;

/// A register of names for actors with messages of type `M`. Erlang's `register/2` and `whereis/1`. An actor's names are
/// given up when it ends, before anybody else is told of its end.
///
/// ```
/// use mazurka::actor::{self, Names};
///
/// mazurka::check(|| {
///     let names = Names::new();
///     let server = actor::spawn("server", |me| assert_eq!(me.receive(), 7));
///     names.register("doubler", &server).unwrap();
///     names.whereis("doubler").expect("it waits for a message").send(7);
/// });
/// ```
pub struct Names<M: Message> {
    table: Table<String, Address<M>>,
}

/// Why an actor did not get a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterError {
    /// Another actor has the name.
    Taken,
    /// The actor has ended.
    Ended,
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RegisterError::Taken => "another actor has the name",
            RegisterError::Ended => "the actor has ended",
        })
    }
}

impl std::error::Error for RegisterError {}

impl<M: Message> Names<M> {
    /// No names.
    #[track_caller]
    #[allow(clippy::new_without_default, reason = "there is one, with the caller's location")]
    pub fn new() -> Self {
        Names { table: Table::new("names") }
    }

    /// Gives an actor a name, until it ends.
    ///
    /// # Errors
    /// If the name is taken, or the actor has ended.
    #[track_caller]
    pub fn register(&self, name: &str, actor: &Address<M>) -> Result<(), RegisterError> {
        let location = Location::caller();
        let holder = word_of(actor);
        let take = OpKind::CompareExchange { expected: NOBODY, new: holder };
        let (slot, is_taken) = self.table.perform(name, take, location);
        if !is_taken {
            return Err(RegisterError::Taken);
        }
        self.table.put(slot, name.to_owned(), actor.clone());
        let (names, owned) = (self.clone(), name.to_owned());
        let tidy = Box::new(move |_| names.give_up(&owned, holder, location));
        match actor.core.life().watch(Tells::Nobody, tidy, location) {
            Ok(()) => Ok(()),
            Err(_) => {
                self.give_up(name, holder, location);
                Err(RegisterError::Ended)
            }
        }
    }

    /// The actor of a name.
    #[track_caller]
    pub fn whereis(&self, name: &str) -> Option<Address<M>> {
        let (slot, _) = self.table.perform(name, OpKind::Read, Location::caller());
        self.table.copy(slot)
    }

    /// Gives a name up. Says whether an actor had it.
    #[track_caller]
    pub fn unregister(&self, name: &str) -> bool {
        let (slot, _) = self.table.perform(name, OpKind::Write(NOBODY), Location::caller());
        self.table.take(slot).is_some()
    }

    /// Gives a name up if it is still that of `holder`.
    fn give_up(&self, name: &str, holder: u64, location: &'static Location<'static>) {
        let kind = OpKind::CompareExchange { expected: holder, new: NOBODY };
        let (slot, is_done) = self.table.perform(name, kind, location);
        if is_done {
            drop(self.table.take(slot));
        }
    }
}

/// The word of a name that no actor has.
const NOBODY: u64 = 0;

/// The word of a name that this actor has.
fn word_of<M: Message>(actor: &Address<M>) -> u64 {
    u64::from(actor.id().mailbox.0) + 1
}

impl<M: Message> Clone for Names<M> {
    fn clone(&self) -> Self {
        Names { table: self.table.clone() }
    }
}

impl<M: Message> Default for Names<M> {
    #[track_caller]
    fn default() -> Self {
        Names::new()
    }
}

impl<M: Message> fmt::Debug for Names<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}
