//! An actor's mailbox and life, shared by all who know it; and which actor the calling thread is.

use super::life::{ActorId, Exit, Life, Process, Reason};
use super::message::{Message, SIGNAL};
use crate::mailbox::{Mailbox, Taken};
use crate::object::Object;
use crate::thread::LocalKey;
use fiber::{Guarded, Lesson};
use model::{OpKind, Pattern, Tag};
use std::any::Any;
use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

/// What an actor's thread unwinds with when it ends before its code does.
pub(super) struct Leave(pub(super) Reason);

/// What is in a mailbox.
pub(super) enum Letter<M> {
    Message(M),
    Signal(Exit),
}

type Trap<M> = Box<dyn Fn(Exit) -> M + Send>;

/// An actor, as far as others see it.
pub(super) struct Core<M: Message> {
    name: Arc<str>,
    life: Life,
    mailbox: Mailbox<Letter<M>>,
    /// Whether it traps exits: written by itself, read by those who send it signals.
    traps: Object,
    trap: Guarded<Option<Trap<M>>>,
}

static CURRENT: LocalKey<RefCell<Option<Arc<dyn Process>>>> = LocalKey::new(|| RefCell::new(None));

/// Messages that nobody took, until the run ends: to drop one can be an operation, and who drops an actor's last address is
/// nobody's decision.
static UNDELIVERED: Guarded<Vec<Box<dyn Any + Send>>> = Guarded::new(Vec::new());

/// The actor that the calling thread is, if it is one.
pub(super) fn current() -> Option<Arc<dyn Process>> {
    CURRENT.try_with(|current| current.borrow().clone()).ok().flatten()
}

pub(super) fn set_current(process: Option<Arc<dyn Process>>) {
    let before = CURRENT.try_with(|current| current.replace(process));
    drop(before);
}

/// Where an actor can be killed: before each of its operations, if there are exit signals at all.
pub(super) fn checkpoint(location: &'static Location<'static>) {
    if fiber::has_learnt(Lesson::Signals)
        && !fiber::is_panicking()
        && let Some(process) = current()
    {
        process.die_if_told(location);
    }
}

impl<M: Message> Core<M> {
    pub(super) fn new(name: &str, created: &'static Location<'static>) -> Arc<Self> {
        let core = Arc::new(Core {
            name: Arc::from(name),
            life: Life::new(created),
            mailbox: Mailbox::new("mailbox", created),
            traps: Object::of("traps exits", created),
            trap: Guarded::new(None),
        });
        let mailbox = core.mailbox.id();
        fiber::name_object(mailbox, &format!("mailbox of {name}"));
        fiber::name_kinds(mailbox, M::KINDS, "exit signal");
        core.life.name_after(name);
        fiber::name_object(core.traps.id(|| 0), &format!("trap of {name}"));
        core
    }

    pub(super) fn actor_id(&self) -> ActorId {
        ActorId { mailbox: self.mailbox.id(), name: self.name.clone() }
    }

    /// Puts a message into the mailbox.
    pub(super) fn deliver(&self, message: M, location: &'static Location<'static>) {
        let tag = Tag::new(message.kind(), 0).filter(|tag| tag.kind() < SIGNAL);
        let Some(tag) = tag else { panic!("{message:?} has kind {}, which is too high", message.kind()) };
        self.post(tag, &format!("{message:?}"), Letter::Message(message), location);
    }

    fn post(&self, tag: Tag, text: &str, letter: Letter<M>, location: &'static Location<'static>) {
        // Given back only when the run is being given up.
        let _ = self.mailbox.send(tag, fiber::number_of(text), letter, location);
    }

    /// Waits for a message that matches; `None` only when the run is being given up.
    pub(super) fn take(&self, pattern: Pattern, location: &'static Location<'static>) -> Option<Taken<Letter<M>>> {
        self.mailbox.receive(pattern, location)
    }

    /// A message that matches, if there is one.
    pub(super) fn try_take(&self, pattern: Pattern, location: &'static Location<'static>) -> Option<Taken<Letter<M>>> {
        self.mailbox.try_receive(pattern, location)
    }

    pub(super) fn trap_exits(&self, trap: Option<Trap<M>>, location: &'static Location<'static>) {
        self.traps.perform(OpKind::Write(u64::from(trap.is_some())), location);
        let before = std::mem::replace(&mut *self.trap.write(), trap);
        drop(before);
    }

    /// The message that a trapped exit is.
    fn trapped(&self, exit: &Exit, location: &'static Location<'static>) -> Option<M> {
        self.traps.perform(OpKind::Read, location);
        let trap = self.trap.read();
        trap.as_ref().map(|trap| trap(exit.clone()))
    }

    pub(super) fn end(&self, reason: &Reason, location: &'static Location<'static>) {
        self.life.end(&self.actor_id(), reason, location);
    }
}

/// The calling actor ends because of a signal.
pub(super) fn die(exit: Exit) -> ! {
    fiber::leave_with(Leave(exit.reason))
}

impl<M: Message> Process for Core<M> {
    fn id(&self) -> ActorId {
        self.actor_id()
    }

    fn life(&self) -> &Life {
        &self.life
    }

    fn signal(&self, exit: Exit, forced: bool, location: &'static Location<'static>) {
        if !forced {
            if let Some(message) = self.trapped(&exit, location) {
                return self.deliver(message, location);
            }
            if exit.reason.is_normal() {
                return;
            }
        }
        let tag = Tag::new(SIGNAL, 0).expect("the last kind");
        let text = format!("exit of {}: {:?}", exit.from, exit.reason);
        self.post(tag, &text, Letter::Signal(exit), location);
    }

    fn die_if_told(&self, location: &'static Location<'static>) {
        let taken = self.try_take(Pattern::of_kinds([SIGNAL]), location);
        if let Some(Taken { letter: Some(Letter::Signal(exit)), .. }) = taken {
            die(exit);
        }
    }
}

impl<M: Message> Drop for Core<M> {
    fn drop(&mut self) {
        let letters = self.mailbox.take_rest();
        if fiber::is_checked() && !fiber::abandoned() && !letters.is_empty() {
            UNDELIVERED.write().push(Box::new(letters));
        }
    }
}
