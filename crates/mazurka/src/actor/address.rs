//! Where an actor can be reached.

use super::ask::{self, NoReply, ReplyTo};
use super::life::{ActorId, Exit, Process, Reason};
use super::message::Message;
use super::process::{Core, checkpoint, current};
use fiber::Lesson;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

/// Where an actor for messages of type `M` can be reached. Erlang's process identifier.
pub struct Address<M: Message> {
    pub(super) core: Arc<Core<M>>,
}

impl<M: Message> Address<M> {
    /// Which actor it is.
    pub fn id(&self) -> ActorId {
        self.core.actor_id()
    }

    /// Sends a message, and goes on. Messages of one thread arrive in the order in which they were sent. If the actor has
    /// ended, the message is lost.
    #[track_caller]
    pub fn send(&self, message: M) {
        let location = Location::caller();
        checkpoint(location);
        self.core.deliver(message, location);
    }

    /// Sends a request and waits for the reply: `make` puts the address of the reply into the message. Erlang's
    /// `gen_server:call`, with a typed reply.
    ///
    /// ```
    /// use mazurka::actor::{self, Message, ReplyTo};
    ///
    /// #[derive(Debug, Message)]
    /// enum Request {
    ///     Double(u32, ReplyTo<u32>),
    /// }
    ///
    /// mazurka::check(|| {
    ///     let server = actor::spawn("server", |me| {
    ///         let Request::Double(number, reply) = me.receive();
    ///         reply.send(2 * number);
    ///     });
    ///     assert_eq!(server.ask(|reply| Request::Double(21, reply)), Ok(42));
    /// });
    /// ```
    ///
    /// # Errors
    /// If the actor ends, or drops the request, without a reply.
    #[track_caller]
    pub fn ask<R: fmt::Debug + Send + 'static>(&self, make: impl FnOnce(ReplyTo<R>) -> M) -> Result<R, NoReply> {
        let location = Location::caller();
        checkpoint(location);
        ask::request(&self.core, make, location).wait(location)
    }

    /// As [`Address::ask`], but the time may be up at any time before there is a reply.
    ///
    /// # Errors
    /// As [`Address::ask`], or [`NoReply::TimedOut`]. A reply that comes later is lost.
    #[track_caller]
    pub fn ask_timeout<R: fmt::Debug + Send + 'static>(
        &self,
        _: Duration,
        make: impl FnOnce(ReplyTo<R>) -> M,
    ) -> Result<R, NoReply> {
        let location = Location::caller();
        checkpoint(location);
        ask::request(&self.core, make, location).look(location)
    }

    /// Sends the actor an exit signal, as if one that it is linked to had ended: it ends too, unless it
    /// [traps exits](super::Me::trap_exits) or the reason is [`Reason::Normal`]. Erlang's `exit/2`.
    #[track_caller]
    pub fn exit(&self, reason: Reason) {
        self.signal(reason, false, Location::caller());
    }

    /// Ends the actor, whether it traps exits or not.
    #[track_caller]
    pub fn kill(&self) {
        self.signal(Reason::Killed, true, Location::caller());
    }

    fn signal(&self, reason: Reason, forced: bool, location: &'static Location<'static>) {
        fiber::learn(Lesson::Signals);
        checkpoint(location);
        let from = current().map_or_else(|| self.id(), |process| process.id());
        self.core.signal(Exit { from, reason }, forced, location);
    }
}

impl<M: Message> Clone for Address<M> {
    fn clone(&self) -> Self {
        Address { core: self.core.clone() }
    }
}

impl<M: Message> PartialEq for Address<M> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.core, &other.core)
    }
}

impl<M: Message> Eq for Address<M> {}

impl<M: Message> fmt::Debug for Address<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.id(), f)
    }
}
