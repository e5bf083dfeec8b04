//! Which rounds are erasable: leaving one out gives an execution with the same other events and the same end state.

use super::knowledge::Knowledge;
use super::visits::{Done, Visit};
use model::{ObjectId, OpKind, State, Update};
use trace::dependence::Mode;

/// What steps that are to be left out do to one object.
pub(super) struct Changes {
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
    let is_taken_first = |changes: &Changes| !gives_back(log[changes.first as usize].op.kind);
    changes(log, steps).iter().all(|changes| is_taken_first(changes) && changes.can_be_left_out(log, known))
}

/// What these steps, in their order, do to each object.
pub(super) fn changes(log: &[Done], steps: impl Iterator<Item = u32>) -> Vec<Changes> {
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
            None => changed.push(Changes { object: done.op.object, first: step, last: step, mode }),
        }
    }
    changed
}

/// Whether the operation gives back what threads wait for.
fn gives_back(kind: OpKind) -> bool {
    kind.nature().holding.gives() || kind == OpKind::Release
}

impl Changes {
    /// Whether everybody else does the same without them, and the object's word is the same after the last of them.
    fn can_be_left_out(&self, log: &[Done], known: &[&Knowledge]) -> bool {
        let own = log[self.first as usize].thread;
        let mut others = self.between(log).filter(|&step| log[step as usize].thread != own);
        let word = others.try_fold(self.word_before(log), |word, step| log[step as usize].with(word, known));
        word == Some(self.word_after(log))
    }

    /// The steps between the first and the last change that have to do with the object: what is independent of the changes may
    /// as well be elsewhere; additions count, for they are part of the word.
    pub(super) fn between<'l>(&'l self, log: &'l [Done]) -> impl Iterator<Item = u32> + 'l {
        let has_to_do = |mode: Mode| mode == Mode::Add || mode.conflicts(self.mode);
        (self.first..self.last).filter(move |&step| {
            let done = &log[step as usize];
            done.op.object == self.object && done.mode().is_some_and(has_to_do)
        })
    }

    /// The object's word before the first change.
    pub(super) fn word_before(&self, log: &[Done]) -> State {
        log[self.first as usize].before
    }

    /// The object's word after the last one.
    pub(super) fn word_after(&self, log: &[Done]) -> State {
        log[self.last as usize].after
    }
}

impl Done {
    /// The object's word after this step if it were `word` before it, provided that the thread then came to the same local
    /// state. None if it would not, or that is not known.
    pub(super) fn with(&self, word: State, known: &[&Knowledge]) -> Option<State> {
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
