//! What the steps of a run teach of its loops: facts, places, sections, and what can be merged.

use super::knowledge::{Knowledge, Looks};
use super::rounds::steps_of;
use super::visits::{Closed, Done};
use super::watched::{Lesson, Watched};
use model::{Fingerprint, ObjectId, Op, OpKind, Site, ThreadId};

impl Watched<'_> {
    /// What a step of a thread with a known local state before or after it teaches.
    pub(super) fn note(&mut self, thread: ThreadId, done: &Done, to: Fingerprint, next: &Op, closed: Option<Closed>) {
        let from = self.threads[thread.index()].last().and_then(|visit| visit.state);
        if let Some(Closed::Round(first)) = closed {
            let round = &self.threads[thread.index()].all()[first as usize..];
            let sites: Vec<_> = round.iter().map(|visit| visit.op.site).collect();
            sites.iter().for_each(|&site| self.note_fruitful(site));
            self.add_places(sites);
        }
        if closed == Some(Closed::Shortcut) {
            self.note_fruitful_way(thread);
            self.note_fruitful(next.site);
        }
        let Some(from) = from else { return };
        if done.op.object == ObjectId::NONE {
            let is_new = done.op.kind == OpKind::Yield && self.known.transit(from).is_none();
            if is_new && self.new.add_transit(from, to) && closed.is_some() {
                self.teach(Lesson::Useful);
            }
        } else if done.is_silent() && done.op.kind.nature().waits_by_word {
            self.note_fact(thread, from, done, to, next, closed);
        } else if done.op.kind.nature().commits && !done.is_silent() {
            if self.known.turn(from, done.before).is_none() {
                self.new.add_turn(from, done.before, to);
            }
        } else if let (Some(Closed::Round(first)), OpKind::Unlock) = (closed, done.op.kind) {
            self.note_section(thread, first, done.op.object);
        }
    }

    fn note_fact(
        &mut self,
        thread: ThreadId,
        from: Fingerprint,
        done: &Done,
        to: Fingerprint,
        next: &Op,
        closed: Option<Closed>,
    ) {
        let (object, word) = (done.op.object, done.before);
        let is_known = self.known.fact(from, word).is_some();
        if !is_known {
            if !self.new.add_fact(from, word, to) {
                return;
            }
            if self.wishes.remove(&(from, word, to)) {
                self.teach(Lesson::Useful);
            }
            let loads_again = done.op.kind.nature().commits && next.kind == OpKind::Read && next.object == object;
            if next.kind.nature().commits || loads_again {
                self.new.add_op(to, *next);
            }
        }
        let is_shortcut = |known: &[&Knowledge]| self.is_shortcut(known, thread, object, word, to);
        let is_useful = closed.is_some() && !is_known
            || closed.is_none() && is_shortcut(&[&self.known, &self.new]) && !(is_known && is_shortcut(&[&self.known]));
        if self.rules.awaits && is_useful {
            self.note_fruitful_way(thread);
            self.note_fruitful(next.site);
            self.teach(Lesson::Useful);
        } else if self.rules.awaits && closed.is_none() {
            let starts = self.starts_of_shortcuts(thread, object);
            let wished: Vec<_> = starts.map(|state| (state, word, to)).collect();
            self.wishes.extend(wished.into_iter().filter(|&(state, ..)| self.known.fact(state, word).is_none()));
        }
        if self.rules.merges && closed.is_none() && done.op.kind == OpKind::Read {
            self.look_for_merge(thread, done, to, next);
        }
    }

    /// A thread comes to a place where it was before: it, and all places in between, are part of a loop. The place before
    /// the loop is looked at as well: what is done there may be what the loop does again (`fetch_update`).
    pub(super) fn note_places(&mut self, thread: ThreadId, next: &Op) {
        let visits = self.threads[thread.index()].all();
        let first = visits.iter().rposition(|visit| visit.op.site == next.site).unwrap_or(0);
        let sites: Vec<_> = visits[first.saturating_sub(1)..].iter().map(|visit| visit.op.site).collect();
        self.add_places(sites);
    }

    fn add_places(&mut self, sites: Vec<Site>) {
        for site in sites {
            if !self.known.has_place(site) && !self.known.is_barren(site) && self.new.add_place(site) {
                self.teach(Lesson::Useful);
            }
        }
    }

    /// A round ended with an unlock: if it is a section that only looks, that is to be known.
    fn note_section(&mut self, thread: ThreadId, first: u32, mutex: ObjectId) {
        if !self.rules.sections {
            return;
        }
        let visits = &self.threads[thread.index()].all()[first as usize..];
        let (Some(from), OpKind::Lock) = (visits[0].state, visits[0].op.kind) else { return };
        if visits[0].op.object != mutex {
            return;
        }
        // What it guards is a look, if it has a number.
        let found = visits[1].via.map_or(0, |lock| self.log[lock as usize].before);
        let mut seen = Vec::from_iter((objects::data_of(found) != 0).then_some((mutex, found)));
        for step in steps_of(&visits[2..]) {
            let done = &self.log[step as usize];
            if !matches!(done.op.kind, OpKind::Read | OpKind::PlainRead) {
                return;
            }
            seen.push((done.op.object, done.before));
        }
        seen.sort_unstable();
        seen.dedup();
        let looks = Looks { mutex, seen };
        if !self.known.sections(from).contains(&looks) && self.new.add_section(from, looks) {
            self.teach(Lesson::Useful);
        }
    }
}
