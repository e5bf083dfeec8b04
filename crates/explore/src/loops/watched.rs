//! A run as a search sees it: without the steps that close rounds.

use super::knowledge::Knowledge;
use super::rounds::{is_erasable, steps_of};
use super::rules::LoopRules;
use super::scout::Scout;
use super::situations::Situations;
use super::visits::{Closed, Done, Visit, Visits};
use model::{
    Choice, Failure, Fingerprint, Guard, ObjectId, Op, Outcome, Pending, Run, Site, State, Stepped, Steps, ThreadId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use trace::guard::Guards;

/// A run of the program of which rounds without effect are no part.
pub(crate) struct Watched<'a> {
    pub(super) run: Box<dyn Run + 'a>,
    pub(super) rules: LoopRules,
    /// What was known when the search began.
    pub(super) known: Arc<Knowledge>,
    /// What was learnt since.
    pub(super) new: Knowledge,
    pub(super) lesson: Lesson,
    pub(super) guards: Guards,
    pub(super) threads: Vec<Visits>,
    /// Every step of the program since the start.
    pub(super) log: Vec<Done>,
    /// How many steps of the program came before each step of the search: one that was merged is two.
    starts: Vec<u32>,
    /// Facts that are not known, and that would make a step that was taken close by a shortcut.
    pub(super) wishes: FxHashSet<(Fingerprint, State, Fingerprint)>,
    /// What known sections look at, each with its mutex.
    pub(super) looked_at: Vec<(ObjectId, ObjectId)>,
    /// Whether rounds are looked for. If not, it is only watched whether there are loops at all.
    pub(super) watches: bool,
    pub(super) scout: Scout,
    /// How many steps of an execution it does not look at.
    pub(super) scouts_from: u32,
    /// How many steps were taken, then.
    pub(super) steps: u32,
    /// How often the run was taken back.
    pub(super) rewinds: u32,
    /// How often threads came to places again.
    pub(super) revisits: FxHashMap<Site, u32>,
    /// Whether local states are asked for everywhere, because nothing is known of loops and nothing will be learnt.
    looks_everywhere: bool,
    /// Whether a thread that came round goes on nevertheless.
    lets_go_on: bool,
    /// What was found out of situations in which threads see the middles of each other's rounds.
    pub(super) situations: Situations,
}

/// Longer rounds are not looked for, nor more than so many that end at the same step: a thread that changes something in
/// every round would have to be looked at for ever.
const LONGEST_ROUND: usize = 1024;
pub(super) const MOST_ROUNDS: usize = 8;

/// Shortcuts for longer ways are not looked for: a thread that only looks, and counts, would be looked at for ever.
pub(super) const LONGEST_SHORTCUT: usize = 16;

/// What a search is to do about what was learnt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Lesson {
    /// Nothing.
    #[default]
    None,
    /// It would explore less if it began anew.
    Useful,
    /// It must begin anew: something that it took for granted is not so.
    Needed,
}

impl<'a> Watched<'a> {
    /// Of a search that begins anew when something is learnt, or of one that does not.
    ///
    /// The rules are on threads that have one operation at each local state: those with several transitions are let go round.
    pub(crate) fn new(run: Box<dyn Run + 'a>, rules: LoopRules, known: Arc<Knowledge>, learns: bool) -> Self {
        let rules = if run.has_siblings() { LoopRules::NONE } else { rules };
        let watches = rules.rounds && (!learns || known.has_places());
        let scout = Scout::new(known.barren.iter().copied());
        let mut watched = Watched {
            run,
            rules,
            known,
            new: Knowledge::default(),
            lesson: Lesson::None,
            guards: Guards::default(),
            threads: Vec::new(),
            log: Vec::new(),
            starts: Vec::new(),
            wishes: FxHashSet::default(),
            looked_at: Vec::new(),
            watches,
            scout,
            scouts_from: 0,
            steps: 0,
            rewinds: 0,
            revisits: FxHashMap::default(),
            looks_everywhere: false,
            lets_go_on: false,
            situations: Situations::default(),
        };
        watched.run.expect_local_states(watches);
        let looked_at = watched.known.all_sections();
        watched.looked_at =
            looked_at.flat_map(|looks| looks.seen.iter().map(|&(seen, _)| (seen, looks.mutex))).collect();
        watched.looked_at.sort_unstable();
        watched.looked_at.dedup();
        watched.new.threads = watched.run.threads() as u32;
        watched.arrive_at_start();
        watched
    }

    /// From now on, a schedule is followed that may be of a search that knew less: threads that came round go on.
    pub(crate) fn begin_schedule(&mut self) {
        self.watches = self.rules.rounds;
        self.run.expect_local_states(self.watches);
        self.looks_everywhere = true;
        self.lets_go_on = true;
        self.arrive_at_start();
    }

    /// The schedule is over: threads that have come round are stopped.
    pub(crate) fn end_schedule(&mut self) {
        self.lets_go_on = false;
    }

    /// The table that guards are numbers of.
    #[inline]
    pub(crate) fn guards(&self) -> &Guards {
        &self.guards
    }

    /// What is known of a thread's pending operation.
    #[inline]
    pub(crate) fn guard(&self, thread: ThreadId) -> Guard {
        self.threads.get(thread.index()).and_then(Visits::last).map_or(Guard::NONE, |visit| visit.guard)
    }

    /// What was learnt since this was last asked for, and what to do about it.
    pub(crate) fn take_lesson(&mut self) -> Option<(Lesson, Knowledge)> {
        let lesson = std::mem::take(&mut self.lesson);
        (lesson != Lesson::None).then(|| (lesson, self.new.clone()))
    }

    /// Whether the search must begin anew.
    #[inline]
    pub(crate) fn needs_lesson(&self) -> bool {
        self.lesson == Lesson::Needed
    }

    /// All that was learnt.
    pub(crate) fn learnt(&self) -> &Knowledge {
        &self.new
    }

    pub(super) fn teach(&mut self, lesson: Lesson) {
        self.lesson = self.lesson.max(lesson);
    }

    /// Whether a thread came round, and takes no further step.
    #[inline]
    fn is_stopped(&self, thread: ThreadId) -> bool {
        !self.lets_go_on
            && self.threads.get(thread.index()).and_then(Visits::last).is_some_and(|visit| visit.closed.is_some())
    }

    /// Whether the local state of a thread at this place is asked for at once.
    fn has_place(&self, site: Site) -> bool {
        self.looks_everywhere || self.known.has_place(site)
    }

    /// Whether a thread waits for its object to have another word, or for what its section looks at.
    pub(super) fn is_held_back(&self, guard: Guard, op: &Op) -> bool {
        guard != Guard::NONE && {
            let known = self.guards.get(guard);
            known.is_bad(self.run.word(op.object)) || known.is_idle_section(|object| self.run.word(object))
        }
    }

    fn arrive_at_start(&mut self) {
        if self.watches {
            for thread in (0..self.run.threads() as u32).map(ThreadId) {
                self.begin(thread, None);
            }
        }
    }

    /// A thread is there, at its first operation.
    fn begin(&mut self, thread: ThreadId, since: Option<u32>) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Visits::default);
        }
        let Some(pending) = self.run.pending(thread) else { return self.threads[thread.index()].clear() };
        let state = self.has_place(pending.op.site).then(|| self.run.local_state(thread)).flatten();
        self.threads[thread.index()].begin(since, pending.op, state);
        self.set_guard(thread);
    }

    /// A thread is created. Of one that was not known, it was not noted which words objects had while it did not change
    /// them, although it might have been created before.
    fn note_thread(&mut self, child: ThreadId) {
        self.new.threads = self.new.threads.max(child.0 + 1);
        if child.0 >= self.known.threads && self.known.follows_some() {
            self.teach(Lesson::Needed);
        }
    }

    /// A step of a thread was taken, its last in the log: it arrives at its next operation.
    fn arrive(&mut self, thread: ThreadId) {
        let via = self.log.len() as u32 - 1;
        let done = self.log[via as usize];
        if let Outcome::Spawned(child) = done.outcome {
            self.note_thread(child);
            self.begin(child, Some(via));
        }
        let Some(pending) = self.run.pending(thread) else { return };
        if self.threads.len() <= thread.index() {
            // It was created without a step that says so.
            self.threads.resize_with(thread.index() + 1, Visits::default);
        }
        let site = pending.op.site;
        let is_lasting = done.is_lasting();
        let is_known = self.has_place(site);
        let is_looked_at =
            is_known || !is_lasting && !self.known.is_barren(site) && self.threads[thread.index()].has_been_at(site);
        let state = is_looked_at.then(|| self.run.local_state(thread)).flatten();
        self.log[via as usize].to = state;
        if !is_known && state.is_some() {
            self.note_places(thread, &pending.op);
        }
        if is_known && self.threads[thread.index()].has_been_at(site) {
            self.note_revisit(site);
        }
        let closed = match state {
            Some(state) if !is_lasting => self.closing(thread, state, Some(via)),
            _ => None,
        };
        if let Some(state) = state {
            self.note(thread, &done, state, &pending.op, closed);
            if closed.is_none() && !is_lasting {
                self.look_for_round(thread, state, via);
            }
        }
        let closed = closed.or_else(|| if is_lasting { None } else { self.closing_together(thread, via) });
        let visits = &mut self.threads[thread.index()];
        visits.push(via, pending.op, state, is_lasting);
        match closed {
            Some(_) => visits.last_mut().expect("it was pushed").closed = closed,
            None => self.set_guard(thread),
        }
    }

    /// How a thread that comes to this local state comes round, if it does: by a step that it has taken, or by a silent one
    /// that it could take.
    pub(super) fn closing(&self, thread: ThreadId, to: Fingerprint, by: Option<u32>) -> Option<Closed> {
        if let Some(from) = self.round(&[&self.known], thread, to, by) {
            return Some(Closed::Round(from));
        }
        let done = &self.log[by? as usize];
        (done.is_silent() && self.is_shortcut(&[&self.known], thread, done.op.object, done.before, to))
            .then_some(Closed::Shortcut)
    }

    /// Where the erasable round began that a thread completes when it comes to this local state, if it completes one.
    fn round(&self, known: &[&Knowledge], thread: ThreadId, to: Fingerprint, by: Option<u32>) -> Option<u32> {
        let visits = &self.threads[thread.index()];
        let known = if self.rules.awaits { known } else { &[] };
        let is_round = |&from: &u32| {
            let before = steps_of(&visits.all()[from as usize + 1..]);
            is_erasable(&self.log, known, before.chain(by))
        };
        let first = visits.all().len().saturating_sub(LONGEST_ROUND) as u32;
        let near = visits.with(to).take(MOST_ROUNDS).take_while(|&from| from >= first);
        near.into_iter().find(is_round)
    }

    /// A step led to this local state, and closed nothing: if it would have, had more been known of what others do, that is worth
    /// to begin anew.
    fn look_for_round(&mut self, thread: ThreadId, to: Fingerprint, by: u32) {
        if self.rules.awaits && self.round(&[&self.known, &self.new], thread, to, Some(by)).is_some() {
            self.note_fruitful(self.log[by as usize].op.site);
            self.teach(Lesson::Useful);
        }
    }

    /// Whether a thread that came silently from an earlier local state, and comes to `to` by a silent step that finds this
    /// word, could have come there by the operation that it had then.
    pub(super) fn is_shortcut(
        &self,
        known: &[&Knowledge],
        thread: ThreadId,
        object: ObjectId,
        word: State,
        to: Fingerprint,
    ) -> bool {
        self.starts_of_shortcuts(thread, object).any(|state| leads_to(known, state, word, to))
    }

    /// The earlier local states of a thread that it has come from silently, and from which an operation on this object may
    /// lead, silently too, to where another one leads now.
    pub(super) fn starts_of_shortcuts(
        &self,
        thread: ThreadId,
        object: ObjectId,
    ) -> impl Iterator<Item = Fingerprint> + '_ {
        let visits = &self.threads[thread.index()];
        let is_asked = self.rules.shortcuts && object != ObjectId::NONE;
        let all = if is_asked { &visits.all()[visits.floor() as usize..] } else { &[] };
        let silently = |place: &usize| all[place + 1].via.is_some_and(|via| self.log[via as usize].is_silent());
        let earlier = (0..all.len().saturating_sub(1)).rev().take(LONGEST_SHORTCUT).take_while(silently);
        let earlier = earlier.map(|place| &all[place]);
        earlier.filter_map(move |visit| state_of_look(visit, object))
    }

    /// Keeps watch over what merges and sections rest on.
    #[inline]
    fn watch(&mut self, done: &Done) {
        if self.known.is_followed(done.op.object) {
            self.watch_words(done);
        }
        if !self.looked_at.is_empty() {
            self.watch_sections(done);
        }
    }

    /// Takes a step of the search: one of the program, or two that are merged.
    fn watched_step(&mut self, choice: Choice) -> Option<Stepped> {
        if self.is_stopped(choice.thread) {
            return None;
        }
        let guard = self.guard(choice.thread);
        if guard != Guard::NONE && !self.pending(choice.thread)?.enabled {
            return None;
        }
        let is_merged = guard != Guard::NONE && self.is_merged(choice.thread);
        self.starts.push(self.log.len() as u32);
        let Some(stepped) = self.step_program(choice) else {
            self.starts.pop();
            return None;
        };
        if !is_merged || stepped.failure.is_some() {
            return Some(stepped);
        }
        let Stepped { after, failure, .. } = self.step_program(Choice { alternative: 0, ..choice })?;
        Some(Stepped { after, failure, ..stepped })
    }

    /// Takes a step of the program.
    fn step_program(&mut self, choice: Choice) -> Option<Stepped> {
        let stepped = self.run.step(choice)?;
        let mut done = Done::new(choice.thread, &stepped);
        done.alternative = choice.alternative;
        done.from = self.threads.get(choice.thread.index()).and_then(Visits::last).and_then(|visit| visit.state);
        self.log.push(done);
        self.watch(&done);
        self.arrive(choice.thread);
        Some(stepped)
    }

    /// A load that finds such a word is one event with the next operation of its thread.
    #[inline]
    fn is_merged(&self, thread: ThreadId) -> bool {
        let guard = self.guard(thread);
        guard != Guard::NONE && {
            let known = self.guards.get(guard);
            !known.commits.is_empty()
                && self.run.pending(thread).is_some_and(|pending| known.commits(self.run.word(pending.op.object)))
        }
    }
}

/// Whether an operation at this local state leads silently to another one, if it finds this word.
pub(super) fn leads_to(known: &[&Knowledge], from: Fingerprint, word: State, to: Fingerprint) -> bool {
    known.iter().any(|known| known.fact(from, word) == Some(to))
}

/// The local state of a visit, if its operation is one on this object that may look silently at it.
pub(super) fn state_of_look(visit: &Visit, object: ObjectId) -> Option<Fingerprint> {
    visit.state.filter(|_| visit.op.object == object && visit.op.kind.nature().waits_by_word)
}

impl Run for Watched<'_> {
    fn restart(&mut self) {
        self.rewind(0);
    }

    fn objects_have_lives(&self) -> bool {
        self.run.objects_have_lives()
    }

    fn rewind(&mut self, steps: usize) -> usize {
        let target = self.starts.get(steps).map_or(self.log.len(), |&start| start as usize);
        if !self.watches {
            let kept = self.run.rewind(steps);
            self.steps = kept as u32;
            self.rewinds = self.rewinds.saturating_add(1);
            self.scout.cut(self.steps);
            return kept;
        }
        let kept = self.run.rewind(target);
        self.log.truncate(kept);
        for visits in &mut self.threads {
            visits.cut(kept as u32);
        }
        if kept == 0 {
            self.starts.clear();
            self.arrive_at_start();
            return 0;
        }
        let steps = self.starts.partition_point(|&start| (start as usize) < kept);
        self.starts.truncate(steps);
        // Only half of a merged step may have been kept.
        let last = self.log[kept - 1].thread;
        let is_half = self.starts.last().is_some_and(|&start| start as usize == kept - 1) && {
            let visits = &self.threads[last.index()];
            let before = visits.all().len().checked_sub(2).map(|place| &visits.all()[place]);
            before.is_some_and(|visit| self.guards.get(visit.guard).commits(self.log[kept - 1].before))
        };
        if is_half {
            self.step_program(Choice { thread: last, alternative: 0 });
        }
        steps
    }

    fn threads(&self) -> usize {
        self.run.threads()
    }

    #[inline]
    fn pending(&self, thread: ThreadId) -> Option<Pending> {
        let pending = self.run.pending(thread)?;
        match self.threads.get(thread.index()).and_then(Visits::last) {
            Some(visit) if visit.closed.is_some() && !self.lets_go_on => None,
            Some(visit) if visit.guard != Guard::NONE => {
                let enabled = pending.enabled && !self.is_held_back(visit.guard, &pending.op);
                Some(Pending { enabled, guard: visit.guard, ..pending })
            }
            _ => Some(pending),
        }
    }

    fn has_siblings(&self) -> bool {
        self.run.has_siblings()
    }

    fn steps(&self) -> Option<Arc<dyn Steps>> {
        self.run.steps()
    }

    fn transitions(&self, thread: ThreadId) -> u16 {
        self.run.transitions(thread)
    }

    fn transition(&self, thread: ThreadId, number: u16) -> Option<Pending> {
        if number == 0 { self.pending(thread) } else { self.run.transition(thread, number) }
    }

    #[inline]
    fn step(&mut self, choice: Choice) -> Option<Stepped> {
        if self.watches {
            return self.watched_step(choice);
        }
        let stepped = self.run.step(choice);
        if let (true, Some(stepped)) = (self.rules.rounds, &stepped) {
            self.scout(choice.thread, stepped);
        }
        stepped
    }

    fn is_cut(&self) -> bool {
        self.run.is_cut()
    }

    fn word(&self, object: ObjectId) -> State {
        self.run.word(object)
    }

    fn is_as_told(&self, object: ObjectId) -> bool {
        self.run.is_as_told(object)
    }

    fn local_state(&self, thread: ThreadId) -> Option<Fingerprint> {
        self.run.local_state(thread)
    }

    fn whole_state(&self) -> Option<u128> {
        self.run.whole_state()
    }

    fn came_back(&mut self) -> Option<usize> {
        self.run.came_back()
    }

    fn is_forgiven(&self, thread: ThreadId) -> bool {
        self.run.is_forgiven(thread)
    }

    fn has_exited(&self) -> bool {
        self.run.has_exited()
    }

    fn is_astray(&self) -> bool {
        self.run.is_astray()
    }

    fn is_interrupted(&self) -> bool {
        self.run.is_interrupted()
    }

    fn left_behind(&self) -> Option<Failure> {
        self.run.left_behind()
    }
}
