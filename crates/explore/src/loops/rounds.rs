//! Which rounds are erasable: leaving one out gives an execution with the same other events and the same end state.

use super::knowledge::Knowledge;
use super::visits::{Done, Visit};
use model::{ObjectId, OpKind, State, Update};
use trace::dependence::Mode;

/// What a round does to one object.
struct Changes {
    object: ObjectId,
    /// The steps that changed it first and last.
    first: u32,
    last: u32,
    /// How it is touched by all of them together.
    mode: Mode,
}

/// The steps that led to these visits.
pub(super) fn steps_of(visits: &[Visit]) -> impl Iterator<Item = u32> + '_ {
    visits.iter().filter_map(|visit| visit.via)
}

/// Whether the round of these steps, all of one thread and none of them lasting, is erasable. Without it, whoever has to do with
/// an object while the round has changed it goes the same way, as far as is known, and the object has the same word in the end.
/// If it is something that threads wait for, it was taken first and given back then: otherwise the thread would end the
/// round holding what it gave back in it.
pub(super) fn is_erasable(log: &[Done], known: &[&Knowledge], steps: impl Iterator<Item = u32>) -> bool {
    let mut changed: Vec<Changes> = Vec::new();
    for step in steps {
        let done = &log[step as usize];
        if done.is_silent() {
            continue;
        }
        let mode = if done.mode() == Some(Mode::Add) { Mode::Add } else { Mode::Write };
        match changed.iter_mut().find(|changes| changes.object == done.op.object) {
            Some(changes) => {
                changes.last = step;
                changes.mode = if mode == Mode::Write { mode } else { changes.mode };
            }
            None if gives_back(done.op.kind) => return false,
            None => changed.push(Changes { object: done.op.object, first: step, last: step, mode }),
        }
    }
    changed.iter().all(|changes| changes.can_be_left_out(log, known))
}

/// Whether the operation gives back what threads wait for.
fn gives_back(kind: OpKind) -> bool {
    kind.nature().holding.gives() || kind == OpKind::Release
}

impl Changes {
    /// Whether everybody else does the same without them, and the object's word is the same after the last of them.
    fn can_be_left_out(&self, log: &[Done], known: &[&Knowledge]) -> bool {
        let own = log[self.first as usize].thread;
        // What is independent of the changes may as well be elsewhere; additions count, for they are part of the word.
        let has_to_do = |mode: Mode| mode == Mode::Add || mode.conflicts(self.mode);
        let mut between = log[self.first as usize..self.last as usize]
            .iter()
            .filter(|done| done.op.object == self.object && done.thread != own && done.mode().is_some_and(has_to_do));
        let word = between.try_fold(log[self.first as usize].before, |word, done| done.with(word, known));
        word == Some(log[self.last as usize].after)
    }
}

impl Done {
    /// The object's word after this step if it were `word` before it, provided that the thread then came to the same local
    /// state. None if it would not, or that is not known.
    fn with(&self, word: State, known: &[&Knowledge]) -> Option<State> {
        if word == self.before {
            return Some(self.after);
        }
        let kind = self.op.kind;
        let after = objects::apply(kind, objects::outcome(kind, word), word, self.thread);
        match kind {
            OpKind::Add(_) | OpKind::AddIn { .. } => Some(after),
            // Readers do not see each other.
            OpKind::ReadLock | OpKind::ReadUnlock if objects::rwlock_writer(word).is_none() => Some(after),
            OpKind::Read | OpKind::ReadModifyWrite(_) | OpKind::CompareExchange { .. }
                if kind != OpKind::ReadModifyWrite(Update::Native) =>
            {
                let (from, to) = (self.from?, self.to?);
                let leads_to = |known: &&Knowledge| {
                    if after == word { known.fact(from, word) } else { known.turn(from, word) }
                };
                (known.iter().find_map(leads_to) == Some(to)).then_some(after)
            }
            _ => None,
        }
    }
}
