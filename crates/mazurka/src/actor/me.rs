//! An actor from within.

use super::address::Address;
use super::life::{ActorId, Down, Exit, Process, Reason, Tells};
use super::message::{Kinds, Message};
use super::process::{Core, Leave, checkpoint};
use super::search::{Search, Stash};
use super::timer::Timer;
use fiber::Lesson;
use std::cell::RefCell;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

/// The actor that the code with this value runs as. Erlang's `self()`.
pub struct Me<M: Message> {
    pub(super) core: Arc<Core<M>>,
    pub(super) stash: RefCell<Stash<M>>,
}

impl<M: Message> Me<M> {
    pub(super) fn new(core: Arc<Core<M>>) -> Self {
        Me { core, stash: RefCell::default() }
    }

    /// Where this actor can be reached.
    pub fn address(&self) -> Address<M> {
        Address { core: self.core.clone() }
    }

    /// Which actor this is.
    pub fn id(&self) -> ActorId {
        self.core.actor_id()
    }

    /// Waits for a message, and takes the oldest. To select some, there is [`receive!`](crate::receive).
    #[track_caller]
    pub fn receive(&self) -> M {
        let next = self.search(Kinds::ALL).next_waiting();
        next.unwrap_or_else(|| fiber::leave_with(Leave(Reason::Killed)))
    }

    /// The oldest message; `None` when the time is up, which may be at any time as long as there is none.
    #[track_caller]
    pub fn receive_timeout(&self, _: Duration) -> Option<M> {
        self.search(Kinds::ALL).next_at_once()
    }

    /// The messages of some kinds, oldest first, to select among them: what [`receive!`](crate::receive) is made of.
    #[track_caller]
    pub fn search(&self, kinds: Kinds) -> Search<'_, M> {
        let location = Location::caller();
        checkpoint(location);
        Search::new(self, kinds, location)
    }

    /// The kinds of these names.
    ///
    /// # Panics
    /// If the messages of this actor have no kind of a name.
    #[track_caller]
    pub fn kinds(&self, names: &[&str]) -> Kinds {
        Kinds::named::<M>(names)
    }

    /// Ends this actor. Those who are linked to it are sent the reason. Erlang's `exit/1`.
    pub fn exit(&self, reason: Reason) -> ! {
        fiber::leave_with(Leave(reason))
    }

    /// Asks for a message when the other actor ends: `make` makes it. If it has ended already, the message comes at once.
    #[track_caller]
    pub fn monitor<N: Message>(&self, other: &Address<N>, make: impl FnOnce(Down) -> M + Send + 'static) {
        let location = Location::caller();
        checkpoint(location);
        let mine = self.core.clone();
        let watcher = Box::new(move |down| mine.deliver(make(down), location));
        if let Err(watcher) = other.core.life().watch(Tells::Somebody, watcher, location) {
            watcher(Down { actor: other.id(), reason: Reason::NoActor });
        }
    }

    /// Links this actor and another: when one of them ends, the other one is sent an exit signal, by which it ends too unless
    /// it [traps exits](Me::trap_exits) or the reason is [`Reason::Normal`].
    #[track_caller]
    pub fn link<N: Message>(&self, other: &Address<N>) {
        let location = Location::caller();
        fiber::learn(Lesson::Signals);
        checkpoint(location);
        self.core.life().link_own(other.core.clone());
        if !other.core.life().link(self.core.clone(), location) {
            self.core.life().unlink_own(&other.id());
            self.core.signal(Exit { from: other.id(), reason: Reason::NoActor }, false, location);
        }
    }

    /// Ends the link with another actor.
    #[track_caller]
    pub fn unlink<N: Message>(&self, other: &Address<N>) {
        let location = Location::caller();
        checkpoint(location);
        self.core.life().unlink_own(&other.id());
        other.core.life().unlink(&self.id(), location);
    }

    /// From now on, exit signals are messages, which `make` makes of them.
    #[track_caller]
    pub fn trap_exits(&self, make: impl Fn(Exit) -> M + Send + 'static) {
        self.core.trap_exits(Some(Box::new(make)), Location::caller());
    }

    /// From now on, exit signals end this actor.
    #[track_caller]
    pub fn stop_trapping_exits(&self) {
        self.core.trap_exits(None, Location::caller());
    }

    /// Creates an actor that is linked to this one before either can end.
    #[track_caller]
    pub fn spawn_link<N: Message>(&self, name: &str, body: impl FnOnce(&Me<N>) + Send + 'static) -> Address<N> {
        let location = Location::caller();
        fiber::learn(Lesson::Signals);
        checkpoint(location);
        let core = Core::new(name, location);
        self.core.life().link_own(core.clone());
        core.life().link_own(self.core.clone());
        super::start(core, body, location)
    }

    /// Sends this actor a message when the time has come, which may be at any time.
    #[track_caller]
    pub fn send_after(&self, _: Duration, message: M) -> Timer {
        let location = Location::caller();
        checkpoint(location);
        Timer::start(self.core.clone(), message, location)
    }
}

impl<M: Message> fmt::Debug for Me<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Me").field(&self.id()).finish()
    }
}
