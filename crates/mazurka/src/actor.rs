//! Actors, checked like everything else: what Concuerror gives to those who write Erlang.
//!
//! An actor is a thread with a mailbox. Others send it messages, which never blocks; it takes out the oldest message, or the
//! oldest that it selects ([`receive!`](crate::receive)). Every order of deliveries that can matter is explored.
//!
//! ```
//! use mazurka::actor::{self, Address, Message};
//! use mazurka::receive;
//!
//! #[derive(Debug, Message)]
//! enum Game {
//!     Ping { from: Address<Game> },
//!     Pong,
//!     Over,
//! }
//!
//! mazurka::check(|| {
//!     let me = actor::here("main");
//!     let player = actor::spawn("player", |me| loop {
//!         receive!(me, {
//!             Game::Ping { from } => from.send(Game::Pong),
//!             Game::Over => return,
//!         });
//!     });
//!     player.send(Game::Ping { from: me.address() });
//!     receive!(me, {
//!         Game::Pong => player.send(Game::Over),
//!     });
//! });
//! ```
//!
//! | here | Erlang |
//! |---|---|
//! | [`spawn`], [`here`], [`Address`], [`Me`] | `spawn`, `self()` |
//! | [`Address::send`] | `!` |
//! | [`receive!`](crate::receive), with `after` | `receive … after … end` |
//! | [`Address::ask`], [`ReplyTo`] | `gen_server:call`, `gen_server:reply` |
//! | [`serve`], [`Server`] | `gen_server` |
//! | [`Names`] | `register`, `whereis` |
//! | [`Me::link`], [`Me::spawn_link`], [`Me::trap_exits`], [`Me::exit`], [`Address::exit`] | `link`, `spawn_link`, `process_flag(trap_exit, true)`, `exit/1`, `exit/2` |
//! | [`Me::monitor`] | `monitor` |
//! | [`Me::send_after`], [`Timer`] | `erlang:send_after`, `cancel_timer` |
//! | [`supervise`], [`Child`] | `supervisor`, one for one |
//! | [`Table`] | a public `ets` table |
//!
//! An actor that panics is a finding. One that waits for ever is part of a deadlock, and the report shows what is in its
//! mailbox. An actor can be killed before each of its operations.

mod address;
mod ask;
mod life;
mod me;
mod message;
mod names;
mod process;
mod search;
mod server;
mod supervisor;
mod table;
mod timer;

pub use address::Address;
pub use ask::{NoReply, ReplyTo};
pub use life::{ActorId, Down, Exit, Reason};
pub use mazurka_macros::Message;
pub use me::Me;
pub use message::{Kinds, MOST_KINDS, Message};
pub use names::{Names, RegisterError};
pub use search::Search;
pub use server::{Server, serve};
pub use supervisor::{Child, Restart, Supervision, supervise};
pub use table::Table;
pub use timer::Timer;

use fiber::Wish;
use life::Process;
use process::{Core, Leave, set_current};
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;

/// Creates an actor that runs `body`, with a name for reports.
#[track_caller]
pub fn spawn<M: Message>(name: &str, body: impl FnOnce(&Me<M>) + Send + 'static) -> Address<M> {
    let location = Location::caller();
    process::checkpoint(location);
    start(Core::new(name, location), body, location)
}

/// Makes the calling thread, such as the main thread of a test, an actor, as long as the value is kept.
///
/// An exit signal that it does not trap is a panic.
#[track_caller]
pub fn here<M: Message>(name: &str) -> Here<M> {
    let location = Location::caller();
    let core = Core::new(name, location);
    set_current(Some(core.clone()));
    Here { me: Me::new(core.clone()), _ending: Ending { core, reason: Reason::Normal, location } }
}

/// A thread that was made an actor: see [`here`].
#[derive(Debug)]
pub struct Here<M: Message> {
    me: Me<M>,
    _ending: Ending<M>,
}

impl<M: Message> Deref for Here<M> {
    type Target = Me<M>;
    fn deref(&self) -> &Me<M> {
        &self.me
    }
}

/// Runs an actor in a thread of its own.
fn start<M: Message>(
    core: Arc<Core<M>>,
    body: impl FnOnce(&Me<M>) + Send + 'static,
    location: &'static Location<'static>,
) -> Address<M> {
    let address = Address { core: core.clone() };
    let name = core.id().name;
    let run = move || {
        set_current(Some(core.clone()));
        let mut ending = Ending { core: core.clone(), reason: Reason::Panicked, location };
        let me = Me::new(core);
        ending.reason = match fiber::catch_leave::<(), Leave>(|| body(&me)) {
            Ok(()) => Reason::Normal,
            Err(Leave(reason)) => reason,
        };
    };
    fiber::spawn_static(run, Wish { name: Some(&name), ..Wish::default() }, location);
    address
}

/// Tells everybody that an actor has ended, when it is dropped.
struct Ending<M: Message> {
    core: Arc<Core<M>>,
    reason: Reason,
    location: &'static Location<'static>,
}

impl<M: Message> Drop for Ending<M> {
    fn drop(&mut self) {
        if !fiber::abandoned() {
            set_current(None);
            self.core.end(&self.reason, self.location);
        }
    }
}

impl<M: Message> std::fmt::Debug for Ending<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ending").finish_non_exhaustive()
    }
}
