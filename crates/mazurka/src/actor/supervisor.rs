//! Supervision: actors that start others, and start them again when they end.

use super::address::Address;
use super::life::{ActorId, Exit, Process, Reason};
use super::me::Me;
use super::message::Message;
use std::panic::Location;

/// Which ends of a child are followed by another start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// All.
    Permanent,
    /// All but [`Reason::Normal`] and [`Reason::Shutdown`].
    Transient,
    /// None.
    Temporary,
}

impl Restart {
    fn follows(self, reason: &Reason) -> bool {
        match self {
            Restart::Permanent => true,
            Restart::Transient => !matches!(reason, Reason::Normal | Reason::Shutdown),
            Restart::Temporary => false,
        }
    }
}

/// What a supervisor can be sent.
#[derive(Debug)]
pub enum Supervision {
    /// A child has ended: the supervisor traps exits.
    Exited(Exit),
    /// End all children, then yourself.
    Stop,
}

impl Message for Supervision {
    const KINDS: &'static [&'static str] = &["Exited", "Stop"];
    fn kind(&self) -> u8 {
        match self {
            Supervision::Exited(_) => 0,
            Supervision::Stop => 1,
        }
    }
}

/// An actor that a supervisor starts.
pub struct Child {
    restart: Restart,
    start: Start,
}

/// Starts a child, linked to its supervisor.
type Start = Box<dyn FnMut(&Me<Supervision>) -> Started + Send>;

/// A child that runs.
struct Started {
    id: ActorId,
    end: Box<dyn Fn()>,
}

impl Child {
    /// An actor that runs a copy of `body` each time that it is started.
    #[track_caller]
    pub fn new<M: Message>(name: &str, restart: Restart, body: impl Fn(&Me<M>) + Clone + Send + 'static) -> Child {
        let name = name.to_owned();
        let start = move |supervisor: &Me<Supervision>| {
            let child = supervisor.spawn_link(&name, body.clone());
            Started { id: child.id(), end: Box::new(move || child.exit(Reason::Shutdown)) }
        };
        Child { restart, start: Box::new(start) }
    }
}

/// Creates a supervisor: it starts its children in order, and a child that ends again, alone (one for one), as its
/// [`Restart`] says; but all of them together at most `most_restarts` times. Then it gives up: it ends all children and
/// itself. It ends by itself when it has no child any more.
///
/// ```
/// use mazurka::actor::{self, Child, Reason, Restart};
/// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use mazurka::sync::Arc;
///
/// mazurka::check(|| {
///     let starts = Arc::new(AtomicU32::new(0));
///     let theirs = starts.clone();
///     let flaky = Child::new("flaky", Restart::Transient, move |me: &actor::Me<()>| {
///         if theirs.fetch_add(1, SeqCst) == 0 {
///             me.exit(Reason::Error("the first time".to_owned()));
///         }
///     });
///     let me = actor::here("main");
///     let supervisor = actor::supervise("supervisor", 1, [flaky]);
///     me.monitor(&supervisor, |down| down.reason);
///     me.receive(); // it has ended, because it has no child any more
///     assert_eq!(starts.load(SeqCst), 2);
/// });
/// ```
#[track_caller]
pub fn supervise(name: &str, most_restarts: u32, children: impl IntoIterator<Item = Child>) -> Address<Supervision> {
    let location = Location::caller();
    fiber::learn(fiber::Lesson::Signals);
    super::process::checkpoint(location);
    let children = children.into_iter().collect();
    let body = move |me: &Me<Supervision>| Supervisor { me, children, running: Vec::new() }.run(most_restarts);
    super::start(super::process::Core::new(name, location), body, location)
}

struct Supervisor<'a> {
    me: &'a Me<Supervision>,
    children: Vec<Child>,
    /// The children that run, by their place in the list.
    running: Vec<(usize, Started)>,
}

impl Supervisor<'_> {
    fn run(mut self, most_restarts: u32) {
        self.me.trap_exits(Supervision::Exited);
        (0..self.children.len()).for_each(|child| self.start(child));
        let mut restarts = 0;
        while !self.running.is_empty() {
            let Supervision::Exited(exit) = self.me.receive() else { return self.stop() };
            let Some(place) = self.running.iter().position(|(_, started)| started.id == exit.from) else { continue };
            let (child, ended) = self.running.remove(place);
            self.me.core.life().unlink_own(&ended.id);
            if !self.children[child].restart.follows(&exit.reason) {
                continue;
            }
            if restarts == most_restarts {
                self.stop();
                self.me.exit(Reason::Shutdown);
            }
            restarts += 1;
            self.start(child);
        }
    }

    fn start(&mut self, child: usize) {
        let started = (self.children[child].start)(self.me);
        self.running.push((child, started));
        self.running.sort_by_key(|(child, _)| *child);
    }

    /// Ends the children that run, the last one first, and waits until each has ended.
    fn stop(&mut self) {
        while let Some((_, started)) = self.running.pop() {
            (started.end)();
            crate::receive!(self.me, {
                Supervision::Exited(exit) if exit.from == started.id => drop(exit),
            });
            self.me.core.life().unlink_own(&started.id);
        }
    }
}

impl std::fmt::Debug for Child {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Child").field("restart", &self.restart).finish_non_exhaustive()
    }
}
