//! Loops that wait by looking again.
//!
//! A thread that has changed nothing since it last paused, and pauses again ([`crate::spin`]), would do the same once more
//! unless something that it looked at has changed. So it waits for that: its next operation is an await of another
//! value than the one it saw. Having looked at several objects, it first chooses which change it waits for; the
//! alternatives that choose an object that stays the same while another one changes are cut, for the alternative that chose
//! the other one goes on.
//!
//! Loops that do not pause are recognised by looking at the same objects more often than [`crate::Options::spin_limit`]
//! says without changing anything.

use crate::context::{Context, Status};
use crate::perform::Done;
use crate::perform::announce;
use model::{ObjectId, Op, OpKind, Site, Test, ThreadId};

/// What a thread looked at since it last changed something.
#[derive(Default)]
pub(crate) struct Spin {
    seen: Vec<(ObjectId, u64)>,
    /// How often it looked.
    looks: u32,
    /// The others that it could have waited for.
    alternatives: Vec<(ObjectId, u64)>,
}

/// More objects than this are not looked at by a loop that waits.
const MOST_OBJECTS: usize = 16;

impl Spin {
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
        self.alternatives.clear();
        self.looks = 0;
    }

    /// Notes an operation that was performed.
    #[inline]
    pub(crate) fn note(&mut self, op: &Op, done: &Done) {
        if done.before != done.after || op.object == ObjectId::NONE {
            self.seen.clear();
            self.looks = 0;
            return;
        }
        self.looks += 1;
        match self.seen.iter_mut().find(|(object, _)| *object == op.object) {
            Some((_, value)) => *value = done.after,
            None => self.seen.push((op.object, done.after)),
        }
    }

    /// Whether the thread has looked at few things so often that it must be waiting.
    #[inline]
    pub(crate) fn is_stuck(&self, op: &Op, limit: u32) -> bool {
        self.looks > limit
            && self.seen.len() <= MOST_OBJECTS
            && self.looks as usize > self.seen.len() * limit as usize
            && self.seen.iter().any(|(object, _)| *object == op.object)
    }
}

/// The thread says that it spins.
pub(crate) fn pause(context: &Context, site: Site) {
    let idle = !context.slot(context.current()).spin.borrow().seen.is_empty();
    if idle {
        wait(context, site);
    }
}

/// The thread waits for a change of something that it looked at.
pub(crate) fn wait(context: &Context, site: Site) {
    let spin = &context.slot(context.current()).spin;
    let seen = std::mem::take(&mut spin.borrow_mut().seen);
    let chosen = match seen.len() {
        1 => 0,
        several => {
            let op = Op { kind: OpKind::Choose(several as u32), object: ObjectId::NONE, site };
            announce(context, op).alternative as usize
        }
    };
    let (object, value) = seen[chosen];
    spin.borrow_mut().alternatives = seen;
    announce(context, Op { kind: OpKind::Await(Test::NotEqual(value)), object, site });
    spin.borrow_mut().clear();
}

/// Whether some thread waits for a change that does not come, while something else that it looked at has changed.
pub(crate) fn is_cut(context: &Context) -> bool {
    let world = context.world.borrow();
    (0..context.threads() as u32).map(ThreadId).any(|thread| {
        let slot = context.slot(thread);
        let op = slot.op.get();
        slot.status.get() == Status::Live
            && matches!(op.kind, OpKind::Await(_))
            && !world.enabled(thread, &op)
            && slot.spin.borrow().alternatives.iter().any(|&(object, value)| world.word(object) != value)
    })
}
