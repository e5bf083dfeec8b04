//! Rounds of several threads that can be left out together, and not one by one.
//!
//! A thread that takes one lock, fails at another one, gives the first one back and begins with the other (`std::lock`) has come
//! round when it has done so with each of them. If two threads do that in opposite orders, each fails because of the other: it
//! sees the middle of the other's round, so that neither round can be left out alone. Without both of them everybody else does the
//! same, each of the two goes on from where it was, and all words are what they are: the execution is no shortest way to anywhere.
//!
//! Here a round may begin with giving back what it ends with holding: an execution with such rounds never counts as one in which
//! threads are stuck for ever, so that nobody is said to wait for what a thread holds that was stopped.
//!
//! Whether a step comes after such rounds, one of them of its own thread, is given by its causal past: the rounds are in it, and so is
//! whatever touches an object between two changes of theirs. So the thread is stopped there, as it is after a round of its own.

use super::rounds::{changes, steps_of};
use super::visits::{Closed, Visit};
use super::watched::{MOST_ROUNDS, Watched};
use model::{Site, ThreadId};
use std::collections::BTreeMap;
use trace::dependence::Footprint;

/// A round of a thread, between two of its visits.
#[derive(Clone, Copy)]
struct Round {
    thread: ThreadId,
    from: u32,
    to: u32,
}

/// What it would take to leave rounds out.
enum Obstacle {
    /// Nothing more.
    None,
    /// That this thread came round, too, with these steps and all between them.
    Steps { thread: ThreadId, first: u32, last: u32 },
    /// It cannot be done.
    Lasting,
}

/// So far back, in steps of its thread, a round may have ended: that the others came round, too, may be seen later.
const RECENT: u32 = 8;

/// So many visits with the same local state are tried as the start of such a round.
const MOST_STARTS: usize = 2;

/// No more threads come round together.
const MOST_TOGETHER: usize = 4;

impl Watched<'_> {
    /// Whether a thread that has taken step `by` had come round before, together with others.
    pub(super) fn closing_together(&mut self, thread: ThreadId, by: u32) -> Option<Closed> {
        let rounds = self.rounds_before(thread, by)?;
        let sites: Vec<Site> =
            rounds.iter().flat_map(|round| self.visits_of(round)).map(|visit| visit.op.site).collect();
        sites.into_iter().for_each(|site| self.note_fruitful(site));
        Some(Closed::Together)
    }

    /// Rounds in the causal past of step `by` that can be left out together, one of them of its thread, if there are any.
    fn rounds_before(&self, thread: ThreadId, by: u32) -> Option<Vec<Round>> {
        let visits = self.threads.get(thread.index())?;
        let count = visits.all().len() as u32;
        let recent = (count.saturating_sub(RECENT).max(visits.floor())..count).rev();
        let own = recent.flat_map(|to| visits.before(to).take(MOST_STARTS).map(move |from| Round { thread, from, to }));
        own.into_iter().find_map(|round| {
            let mut rounds = vec![round];
            let Obstacle::Steps { .. } = self.obstacle(&rounds) else { return None };
            let since = visits.all()[round.from as usize + 1].via?;
            self.completes(&mut rounds, &self.last_in_past(by, since)).then_some(rounds)
        })
    }

    /// Adds rounds of others until nobody notices when all are left out. Says whether that can be.
    fn completes(&self, rounds: &mut Vec<Round>, past: &[Option<u32>]) -> bool {
        let (thread, first, last) = match self.obstacle(rounds) {
            Obstacle::None => return true,
            Obstacle::Lasting => return false,
            Obstacle::Steps { thread, first, last } => (thread, first, last),
        };
        if rounds.len() == MOST_TOGETHER || rounds.iter().any(|round| round.thread == thread) {
            return false;
        }
        let Some(end) = past[thread.index()].filter(|&end| end >= last) else { return false };
        for round in self.rounds_around(thread, first, last, end) {
            rounds.push(round);
            if self.completes(rounds, past) {
                return true;
            }
            rounds.pop();
        }
        false
    }

    /// The rounds of a thread with these steps of it, which end with step `end` at the latest.
    fn rounds_around(&self, thread: ThreadId, first: u32, last: u32, end: u32) -> Vec<Round> {
        let visits = &self.threads[thread.index()];
        let all = visits.all();
        let after = |step: u32| all.partition_point(|visit| visit.via.is_none_or(|via| via < step)) as u32;
        let ends = after(last)..after(end + 1);
        let to = |to: u32| visits.before(to).filter(move |&from| from < after(first)).map(move |from| (from, to));
        ends.flat_map(to).take(MOST_ROUNDS).map(|(from, to)| Round { thread, from, to }).collect()
    }

    /// What keeps these rounds from being left out.
    fn obstacle(&self, rounds: &[Round]) -> Obstacle {
        let mut own: Vec<u32> = rounds.iter().flat_map(|round| steps_of(self.visits_of(round))).collect();
        own.sort_unstable();
        // By whom, from which step to which.
        let mut seen: BTreeMap<ThreadId, (u32, u32)> = BTreeMap::new();
        let mut is_restored = true;
        for changes in &changes(&self.log, own.iter().copied()) {
            let mut word = changes.word_before(&self.log);
            for step in changes.between(&self.log).filter(|step| own.binary_search(step).is_err()) {
                let done = &self.log[step as usize];
                match done.with(word, &[&self.known]) {
                    Some(after) => word = after,
                    None => {
                        let (first, last) = seen.entry(done.thread).or_insert((step, step));
                        (*first, *last) = ((*first).min(step), (*last).max(step));
                    }
                }
            }
            is_restored &= word == changes.word_after(&self.log);
        }
        // The first of them in an order that all linearisations have.
        match seen.first_key_value() {
            Some((&thread, &(first, last))) => Obstacle::Steps { thread, first, last },
            None if is_restored => Obstacle::None,
            None => Obstacle::Lasting,
        }
    }

    /// The visits that a round comes to.
    fn visits_of(&self, round: &Round) -> &[Visit] {
        &self.threads[round.thread.index()].all()[round.from as usize + 1..=round.to as usize]
    }

    /// The last step of each thread, from step `since` on, that comes before step `by` in every equivalent order, as far as objects
    /// tell. (The end of a thread, or its creation, may put more of them there: then a round is not found that could be left out.)
    fn last_in_past(&self, by: u32, since: u32) -> Vec<Option<u32>> {
        let mut last: Vec<Option<u32>> = vec![None; self.threads.len()];
        let mut later: Vec<Footprint> = Vec::new();
        for step in (since..=by).rev() {
            let done = &self.log[step as usize];
            let footprint = done.footprint();
            let of_thread = &mut last[done.thread.index()];
            if step == by || of_thread.is_some() || later.iter().any(|later| later.depends(&footprint)) {
                of_thread.get_or_insert(step);
                if footprint.touches() && !later.contains(&footprint) {
                    later.push(footprint);
                }
            }
        }
        last
    }
}
