//! An actor's life: how it ends, and who is told.

use crate::object::Object;
use fiber::Guarded;
use model::{ObjectId, OpKind, ThreadId};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::sync::Arc;

/// Why an actor ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// It came to its end.
    Normal,
    /// It was asked to end, by its supervisor for instance.
    Shutdown,
    /// It was killed.
    Killed,
    /// It panicked, which is also a finding.
    Panicked,
    /// It gave up, and said why.
    Error(String),
    /// It had ended before anybody asked.
    NoActor,
}

impl Reason {
    /// Whether nobody who is linked has to care.
    pub fn is_normal(&self) -> bool {
        *self == Reason::Normal
    }
}

/// Which actor it is. Shown by its name.
#[derive(Clone)]
pub struct ActorId {
    pub(super) mailbox: ObjectId,
    pub(super) name: Arc<str>,
}

impl PartialEq for ActorId {
    fn eq(&self, other: &ActorId) -> bool {
        self.mailbox == other.mailbox
    }
}

impl Eq for ActorId {}

impl Hash for ActorId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mailbox.hash(state);
    }
}

impl fmt::Debug for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An exit signal: an actor that this one is linked to has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// Who.
    pub from: ActorId,
    /// Why.
    pub reason: Reason,
}

/// An actor that this one monitors has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Down {
    /// Who.
    pub actor: ActorId,
    /// Why.
    pub reason: Reason,
}

/// What others see of an actor, whatever its messages are.
pub(super) trait Process: Send + Sync {
    fn id(&self) -> ActorId;
    fn life(&self) -> &Life;
    /// Sends an exit signal; one that is forced cannot be trapped.
    fn signal(&self, exit: Exit, forced: bool, location: &'static Location<'static>);
    /// Ends the calling actor, which this is, if it was sent an exit signal.
    fn die_if_told(&self, location: &'static Location<'static>);
}

/// Told when an actor ends.
pub(super) type Watcher = Box<dyn FnOnce(Down) + Send>;

/// In which order watchers are told: those who tidy up first. The rest makes the order the same, whoever came first, so that
/// monitors of different threads commute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    tells: Tells,
    thread: ThreadId,
    nth: u32,
}

/// What a watcher does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Tells {
    /// Tidies up, such as a name.
    Nobody,
    /// Sends a message.
    Somebody,
}

/// Whether an actor has ended, and who is to be told when it does.
pub(super) struct Life {
    /// Its end writes it; monitors and links, which commute, add to it.
    object: Object,
    state: Guarded<State>,
}

/// The word of an actor that has ended; before, it is the number of monitors and links.
const ENDED: u64 = u64::MAX;

#[derive(Default)]
struct State {
    ended: bool,
    watchers: BTreeMap<Place, Watcher>,
    links: BTreeMap<ObjectId, Arc<dyn Process>>,
}

impl Life {
    pub(super) fn new(created: &'static Location<'static>) -> Self {
        let shown = |word| if word == ENDED { "ended".to_owned() } else { "alive".to_owned() };
        Life { object: Object::of("life", created).shown(shown), state: Guarded::new(State::default()) }
    }

    pub(super) fn name_after(&self, actor: &str) {
        fiber::name_object(self.object.id(|| 0), &format!("life of {actor}"));
    }

    /// Tells `watcher` when the actor ends. Gives it back if it has ended already.
    pub(super) fn watch(
        &self,
        tells: Tells,
        watcher: Watcher,
        location: &'static Location<'static>,
    ) -> Result<(), Watcher> {
        self.object.perform(OpKind::Add(1), location);
        let mut state = self.state.write();
        if state.ended {
            return Err(watcher);
        }
        let first = Place { tells, thread: fiber::current(), nth: 0 };
        let last = state.watchers.range(first..=Place { nth: u32::MAX, ..first }).next_back();
        let place = last.map_or(first, |(last, _)| Place { nth: last.nth + 1, ..first });
        state.watchers.insert(place, watcher);
        Ok(())
    }

    /// Another actor links itself to this one. Says whether this one has not ended.
    pub(super) fn link(&self, other: Arc<dyn Process>, location: &'static Location<'static>) -> bool {
        self.object.perform(OpKind::Add(1), location);
        let is_alive = !self.state.read().ended;
        if is_alive {
            self.link_own(other);
        }
        is_alive
    }

    /// The actor itself, or who has just made it, links it to another: no operation, for nobody but the actor looks at its
    /// links, when it ends.
    pub(super) fn link_own(&self, other: Arc<dyn Process>) {
        self.state.write().links.insert(other.id().mailbox, other);
    }

    /// Another actor unlinks itself from this one.
    pub(super) fn unlink(&self, other: &ActorId, location: &'static Location<'static>) {
        self.object.perform(OpKind::Add(1), location);
        self.unlink_own(other);
    }

    /// As [`Life::link_own`].
    pub(super) fn unlink_own(&self, other: &ActorId) {
        let link = self.state.write().links.remove(&other.mailbox);
        drop(link);
    }

    /// The actor ends: all are told.
    pub(super) fn end(&self, actor: &ActorId, reason: &Reason, location: &'static Location<'static>) {
        self.object.perform(OpKind::Write(ENDED), location);
        let (watchers, links) = {
            let mut state = self.state.write();
            state.ended = true;
            (std::mem::take(&mut state.watchers), std::mem::take(&mut state.links))
        };
        for watcher in watchers.into_values() {
            watcher(Down { actor: actor.clone(), reason: reason.clone() });
        }
        for linked in links.into_values() {
            linked.signal(Exit { from: actor.clone(), reason: reason.clone() }, false, location);
        }
    }
}
