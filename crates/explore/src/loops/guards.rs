//! What is known of the operation that a thread has come to: with which words it closes, which it commits.

use super::knowledge::Knowledge;
use super::visits::Done;
use super::watched::{Lesson, Watched, leads_to, state_of_look};
use model::{Fingerprint, Guard, ObjectId, Op, OpKind, State, ThreadId};
use trace::dependence::Mode;
use trace::guard::Known;

/// At most so many steps that touch no object are followed.
const MOST_TRANSITS: usize = 16;

impl Watched<'_> {
    /// Works out the guard of a thread's pending operation. It depends on the thread's past alone, so that it stays the
    /// same until the thread goes on.
    pub(super) fn set_guard(&mut self, thread: ThreadId) {
        if !self.rules.awaits {
            return;
        }
        let visit = self.threads[thread.index()].last();
        let Some((op, state)) = visit.and_then(|visit| Some((visit.op, visit.state?))) else { return };
        let known = self.known_of(thread, &op, state);
        if !known.is_empty() && !self.is_fruitful(op.site) {
            self.note_fruitful_way(thread);
        }
        let guard = if known.is_empty() { Guard::NONE } else { self.guards.intern(known) };
        if let Some(visit) = self.threads[thread.index()].last_mut() {
            visit.guard = guard;
        }
    }

    fn known_of(&mut self, thread: ThreadId, op: &Op, state: Fingerprint) -> Known {
        let mut found = Known::default();
        if op.kind == OpKind::Lock && self.rules.sections {
            found.sections = self.idle_sections(op.object, state);
        }
        if !op.kind.nature().waits_by_word {
            return found;
        }
        let known = self.known.clone();
        for &(word, to) in known.facts(state) {
            if self.would_close(thread, op.object, word, to) {
                found.bad.push(word);
            } else if self.rules.merges
                && op.kind == OpKind::Read
                && self.is_committed(&[&known], thread, op.object, word, to)
            {
                found.commits.push(word);
            }
        }
        if !found.commits.is_empty() {
            self.new.note_merged(op.object);
        }
        found.bad.sort_unstable();
        found.commits.sort_unstable();
        found
    }

    /// Whether a silent step of the thread that finds this word, and leads to this local state, closes: by itself, or with
    /// steps after it that touch no object.
    fn would_close(&self, thread: ThreadId, object: ObjectId, word: State, to: Fingerprint) -> bool {
        self.comes_round(&[&self.known], thread, to) || self.is_shortcut(&[&self.known], thread, object, word, to)
    }

    /// Whether a thread that comes silently to this local state has completed a round, then or after steps that touch no
    /// object.
    fn comes_round(&self, known: &[&Knowledge], thread: ThreadId, to: Fingerprint) -> bool {
        let mut at = to;
        for _ in 0..MOST_TRANSITS {
            if self.closing(thread, at, None).is_some() {
                return true;
            }
            match known.iter().find_map(|known| known.transit(at)) {
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }

    /// Whether a load that finds `word`, and leads to `to`, is one event with the operation there: it changes the object if
    /// it finds the word again; with every other word that the object ever has after this one, the thread has come
    /// round to the load or before it, or could have come there by a shorter way.
    fn is_committed(
        &self,
        known: &[&Knowledge],
        thread: ThreadId,
        object: ObjectId,
        word: State,
        to: Fingerprint,
    ) -> bool {
        let Some(op) = known.iter().find_map(|known| known.op(to)) else { return false };
        if op.object != object || !op.kind.nature().commits || known.iter().any(|known| known.is_unmerged(object)) {
            return false;
        }
        let outcome = objects::outcome(op.kind, word);
        if objects::apply(op.kind, outcome, word, thread) == word {
            return false;
        }
        let mut others = known.iter().flat_map(|known| known.words_after(object, thread, word)).peekable();
        others.peek().is_some()
            && others.filter(|&other| other != word).all(|other| {
                let then = known.iter().find_map(|known| known.fact(to, other));
                then.is_some_and(|then| {
                    self.comes_round(known, thread, then)
                        || self.was_shorter(known, thread, object, other, then)
                        || self.next_was_shorter(known, thread, object, other, then)
                })
            })
    }

    /// The same of what it does next, if that is to load the object again, whatever it finds then. A place at which the thread has been
    /// before is another local state where a dead register still has the value that was loaded first.
    fn next_was_shorter(
        &self,
        known: &[&Knowledge],
        thread: ThreadId,
        object: ObjectId,
        word: State,
        at: Fingerprint,
    ) -> bool {
        let op = known.iter().find_map(|known| known.op(at));
        let loads_again = op.is_some_and(|op| op.kind == OpKind::Read && op.object == object);
        let words = || known.iter().flat_map(|known| known.words_after(object, thread, word));
        loads_again
            && std::iter::once(word).chain(words()).all(|next| {
                let to = known.iter().find_map(|known| known.fact(at, next));
                to.is_some_and(|to| self.was_shorter(known, thread, object, next, to))
            })
    }

    /// Whether a thread that loads, and then finds another word and comes to this local state, could have come there by that
    /// load, or by what it did silently before it.
    fn was_shorter(
        &self,
        known: &[&Knowledge],
        thread: ThreadId,
        object: ObjectId,
        word: State,
        to: Fingerprint,
    ) -> bool {
        self.rules.shortcuts
            && (self.threads[thread.index()]
                .last()
                .and_then(|visit| state_of_look(visit, object))
                .is_some_and(|state| leads_to(known, state, word, to))
                || self.is_shortcut(known, thread, object, word, to))
    }

    /// A load was an event of its own: if it would not be now, that is worth to begin anew.
    pub(super) fn look_for_merge(&mut self, thread: ThreadId, done: &Done, to: Fingerprint, next: &Op) {
        let object = done.op.object;
        if next.object != object || !next.kind.nature().commits {
            return;
        }
        if !self.known.is_followed(object) {
            self.new.follow(object);
        }
        let known = self.known.clone();
        if self.is_committed(&[&known, &self.new], thread, object, done.before, to)
            && !self.is_committed(&[&known], thread, object, done.before, to)
        {
            self.note_fruitful(done.op.site);
            self.note_fruitful(next.site);
            self.teach(Lesson::Useful);
        }
    }

    /// Notes which words an object that is loaded and committed has after which.
    #[cold]
    pub(super) fn watch_words(&mut self, done: &Done) {
        let object = done.op.object;
        if done.mode() == Some(Mode::Add) && !self.known.is_unmerged(object) {
            // Adds commute, so that not every word that the object can have is seen.
            self.new.never_merge(object);
            self.teach(Lesson::Useful);
        }
        if done.is_silent() {
            return;
        }
        let is_new = self.note_successions(done);
        if (is_new || self.new.is_unmerged(object)) && self.new.is_merged(object) {
            self.teach(Lesson::Needed);
        }
    }

    /// The change that is the last of the log: which words came before it, and for which threads, because they did not
    /// change the object since. A thread that has ended had its last look at the object before this change, in every
    /// order of the steps that is equivalent to this one. Says whether some of that is new.
    fn note_successions(&mut self, done: &Done) -> bool {
        let (object, word) = (done.op.object, done.after);
        let threads = (0..self.known.threads.max(self.new.threads)).map(ThreadId);
        let mut still: Vec<ThreadId> = threads.filter(|&thread| !self.has_ended(thread)).collect();
        let mut is_new = false;
        for earlier in self.log.iter().rev().filter(|earlier| earlier.op.object == object && !earlier.is_silent()) {
            still.retain(|&thread| thread != earlier.thread);
            if still.is_empty() {
                break;
            }
            let pair = (earlier.before, word);
            for &thread in still.iter().filter(|_| pair.0 != pair.1) {
                if !self.known.has_succession(object, thread, pair) {
                    self.new.add_succession(object, thread, pair);
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// Whether a thread was there and takes no further step of the program.
    fn has_ended(&self, thread: ThreadId) -> bool {
        let has_begun = self.threads.get(thread.index()).is_some_and(|visits| visits.last().is_some());
        has_begun && self.run.pending(thread).is_none()
    }

    /// The ways in which the section that begins here comes round, as far as what it looks at is changed under its lock only.
    fn idle_sections(&mut self, mutex: ObjectId, state: Fingerprint) -> Vec<Vec<(ObjectId, State)>> {
        let known = self.known.clone();
        let is_protected = |&(object, _): &(ObjectId, State)| known.is_protected(object, mutex);
        let mut found = Vec::new();
        for looks in known.sections(state) {
            if looks.mutex == mutex && looks.seen.iter().all(is_protected) {
                looks.seen.iter().for_each(|&(object, _)| self.new.note_awaited(object, mutex));
                // That nobody tries the mutex matters to a section that looks at nothing, too.
                self.new.note_awaited(mutex, mutex);
                found.push(looks.seen.clone());
            }
        }
        found
    }

    /// Whether all that sections look at is changed under their locks only, which nobody tries.
    #[cold]
    pub(super) fn watch_sections(&mut self, done: &Done) {
        let is_tried = done.op.kind == OpKind::TryLock;
        let is_changed = !done.is_silent() || matches!(done.op.kind, OpKind::PlainWrite(_));
        for place in 0..self.looked_at.len() {
            let (object, mutex) = self.looked_at[place];
            if is_tried && done.op.object == mutex && self.known.is_protected(mutex, mutex) {
                self.new.note_tried(mutex);
                self.teach(Lesson::Needed);
            }
            let owner = || objects::mutex_owner(self.run.word(mutex));
            if is_changed
                && object != mutex
                && done.op.object == object
                && self.known.is_protected(object, mutex)
                && owner() != Some(done.thread)
            {
                self.new.note_unprotected(object, mutex);
                self.teach(Lesson::Needed);
            }
        }
    }
}
