//! Actors as a trait.

use super::address::Address;
use super::life::Reason;
use super::me::Me;
use super::message::Message;
use super::process::{Core, checkpoint};
use std::ops::ControlFlow;
use std::panic::Location;

/// An actor that handles one message after the other. Erlang's `gen_server`.
///
/// ```
/// use mazurka::actor::{self, Me, Message, Reason, ReplyTo, Server};
/// use std::ops::ControlFlow;
///
/// #[derive(Debug, Message)]
/// enum Request {
///     Add(u32),
///     Take(ReplyTo<u32>),
/// }
///
/// struct Sum(u32);
///
/// impl Server for Sum {
///     type Message = Request;
///     fn handle(&mut self, _: &Me<Request>, request: Request) -> ControlFlow<Reason> {
///         match request {
///             Request::Add(number) => self.0 += number,
///             Request::Take(reply) => {
///                 reply.send(self.0);
///                 return ControlFlow::Break(Reason::Normal);
///             }
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// mazurka::check(|| {
///     let sum = actor::serve("sum", Sum(0));
///     sum.send(Request::Add(3));
///     sum.send(Request::Add(4));
///     assert_eq!(sum.ask(Request::Take), Ok(7));
/// });
/// ```
pub trait Server: Send + 'static {
    /// What it can be sent.
    type Message: Message;

    /// What it does first.
    fn start(&mut self, me: &Me<Self::Message>) {
        let _ = me;
    }

    /// Handles a message; `Break` ends the actor.
    fn handle(&mut self, me: &Me<Self::Message>, message: Self::Message) -> ControlFlow<Reason>;
}

/// Creates an actor of a [`Server`].
#[track_caller]
pub fn serve<S: Server>(name: &str, mut server: S) -> Address<S::Message> {
    let location = Location::caller();
    checkpoint(location);
    let body = move |me: &Me<S::Message>| {
        server.start(me);
        loop {
            if let ControlFlow::Break(reason) = server.handle(me, me.receive()) {
                me.exit(reason);
            }
        }
    };
    super::start(Core::new(name, location), body, location)
}
