//! Which rounds are erasable: leaving one out gives an execution with the same other events and the same end state.

use super::visits::{Done, Visit};
use model::{ObjectId, OpKind};
use trace::dependence::Mode;

/// What a round does to one object.
struct Changes {
    object: ObjectId,
    /// The steps that changed it first and last.
    first: u32,
    last: u32,
    /// Whether all changes commute with changes of their kind.
    are_adds: bool,
    /// What they add up to, then.
    sum: u64,
}

/// The steps that led to these visits.
pub(super) fn steps_of(visits: &[Visit]) -> impl Iterator<Item = u32> + '_ {
    visits.iter().filter_map(|visit| visit.via)
}

/// Whether the round of these steps, all of one thread and none of them lasting, is erasable. What it changes it puts back,
/// and nobody else has anything to do with the object in between. If it is something that threads wait for, it was
/// taken first and given back then: otherwise the thread would end the round holding what it gave back in it.
pub(super) fn is_erasable(log: &[Done], steps: impl Iterator<Item = u32>) -> bool {
    let mut changed: Vec<Changes> = Vec::new();
    for step in steps {
        let done = &log[step as usize];
        if done.is_silent() {
            continue;
        }
        let (is_add, by) = (done.mode() == Some(Mode::Add), done.after.wrapping_sub(done.before));
        match changed.iter_mut().find(|changes| changes.object == done.op.object) {
            Some(changes) => {
                changes.last = step;
                changes.are_adds &= is_add;
                changes.sum = changes.sum.wrapping_add(by);
            }
            None if gives_back(done.op.kind) => return false,
            None => {
                changed.push(Changes { object: done.op.object, first: step, last: step, are_adds: is_add, sum: by })
            }
        }
    }
    changed.iter().all(|changes| changes.are_put_back(log) && changes.are_undisturbed(log))
}

/// Whether the operation gives back what threads wait for.
fn gives_back(kind: OpKind) -> bool {
    kind.nature().holding.gives() || kind == OpKind::Release
}

impl Changes {
    fn are_put_back(&self, log: &[Done]) -> bool {
        if self.are_adds { self.sum == 0 } else { log[self.first as usize].before == log[self.last as usize].after }
    }

    /// Whether no event of another thread on the object conflicts with these and lies between them.
    fn are_undisturbed(&self, log: &[Done]) -> bool {
        let own = log[self.first as usize].thread;
        let mode = if self.are_adds { Mode::Add } else { Mode::Write };
        let between = &log[self.first as usize..self.last as usize];
        !between.iter().any(|done| {
            done.thread != own
                && done.op.object == self.object
                && done.mode().is_some_and(|other| other.conflicts(mode))
        })
    }
}
