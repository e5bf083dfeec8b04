//! Whether threads that see the middles of each other's rounds go round for ever.
//!
//! What each of them sees depends on when it looks, so that no single round says it. All that they can do from here on is done, in every
//! order: if they come to finitely many situations, all of which lead back to this one, and nobody leaves its loop in any of them, nobody ever does.

use super::visits::{Done, is_lasting};
use super::watched::Watched;
use model::{Choice, Fingerprint, ObjectId, OpKind, State, ThreadId};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// What was found out so far.
#[derive(Default)]
pub(super) struct Situations {
    /// Whether nobody ever leaves, by a hash of the situation.
    known: FxHashMap<u64, bool>,
    /// How many steps were taken to find out.
    steps: usize,
}

/// The local states of the threads that go round, and the words of all objects.
type Situation = (Vec<Fingerprint>, Vec<State>);

/// More situations than that are not looked at, nor more steps taken for one, or in all.
const MOST_SITUATIONS: usize = 1 << 10;
const MOST_STEPS: usize = 1 << 14;
const MOST_STEPS_IN_ALL: usize = 1 << 18;

/// A way from where the execution has ended.
type Way = Vec<ThreadId>;

impl Watched<'_> {
    /// Whether none of these threads, which go round, ever leaves its loop, whatever they do. Not if that is not known.
    pub(super) fn never_leave(&mut self, going: &[ThreadId]) -> bool {
        if self.situations.steps > MOST_STEPS_IN_ALL || self.run.has_exited() {
            return false;
        }
        let mut objects: Vec<ObjectId> = self.log.iter().map(|done| done.op.object).collect();
        objects.sort_unstable();
        objects.dedup();
        let Some(here) = self.situation(going, &objects) else { return false };
        let hash = {
            let mut hasher = rustc_hash::FxHasher::default();
            (going, &here).hash(&mut hasher);
            hasher.finish()
        };
        if let Some(&known) = self.situations.known.get(&hash) {
            return known;
        }
        let never = self.try_all(going, &objects, here).is_some();
        self.go_along(&[], &objects);
        self.situations.known.insert(hash, never);
        never
    }

    /// Goes all ways. None if somebody leaves, or only comes through here on the way to where it goes round, or that is not known.
    fn try_all(&mut self, going: &[ThreadId], objects: &[ObjectId], here: Situation) -> Option<()> {
        let mut met = FxHashMap::from_iter([(here, 0)]);
        // Of each situation, those that lead to it.
        let mut sources: Vec<Vec<usize>> = vec![Vec::new()];
        let mut ways: Vec<(Way, usize)> = self.ways_on(going, &[])?.into_iter().map(|way| (way, 0)).collect();
        let mut at: Way = Vec::new();
        let first_step = self.situations.steps;
        while let Some((way, source)) = ways.pop() {
            let (&last, before) = way.split_last()?;
            if at != before {
                self.situations.steps += self.log.len() + before.len();
                self.go_along(before, objects)?;
            }
            self.situations.steps += 1;
            if self.situations.steps - first_step > MOST_STEPS || met.len() > MOST_SITUATIONS {
                return None;
            }
            self.step_aside(last, objects)?;
            let next = met.len();
            let number = *met.entry(self.situation(going, objects)?).or_insert(next);
            if number == next {
                sources.push(Vec::new());
                ways.extend(self.ways_on(going, &way)?.into_iter().map(|way| (way, number)));
            }
            sources[number].push(source);
            at = way;
        }
        all_lead_to_first(&sources).then_some(())
    }

    /// The ways that lead one step further. None if a thread can take one that does not go round, or has several.
    fn ways_on(&self, going: &[ThreadId], way: &[ThreadId]) -> Option<Vec<Way>> {
        let mut ways = Vec::new();
        for thread in (0..self.run.threads() as u32).map(ThreadId) {
            let Some(pending) = self.run.pending(thread).filter(|pending| pending.enabled) else { continue };
            let is_plain = going.contains(&thread) && pending.alternatives == 1;
            if !is_plain || matches!(pending.op.kind, OpKind::Choose(_)) {
                return None;
            }
            ways.push(way.iter().copied().chain([thread]).collect());
        }
        Some(ways)
    }

    /// A thread takes a step that is no part of the execution. None if it is one that lasts, or its last, or is on another object.
    fn step_aside(&mut self, thread: ThreadId, objects: &[ObjectId]) -> Option<()> {
        let stepped = self.run.step(Choice { thread, alternative: 0 })?;
        let is_known = objects.binary_search(&stepped.op.object).is_ok() || stepped.op.object == ObjectId::NONE;
        let goes_on = stepped.failure.is_none() && !is_lasting(&stepped.op, stepped.outcome) && !self.run.is_cut();
        (is_known && goes_on && self.run.pending(thread).is_some()).then_some(())
    }

    /// Takes all steps of the execution again, and then these.
    fn go_along(&mut self, way: &[ThreadId], objects: &[ObjectId]) -> Option<()> {
        self.run.restart();
        for place in 0..self.log.len() {
            let Done { thread, alternative, .. } = self.log[place];
            self.run.step(Choice { thread, alternative })?;
        }
        way.iter().try_for_each(|&thread| self.step_aside(thread, objects))
    }

    fn situation(&self, going: &[ThreadId], objects: &[ObjectId]) -> Option<Situation> {
        let states = going.iter().map(|&thread| self.run.local_state(thread)).collect::<Option<_>>()?;
        let is_object = |&&object: &&ObjectId| object != ObjectId::NONE;
        Some((states, objects.iter().filter(is_object).map(|&object| self.run.word(object)).collect()))
    }
}

/// Whether there is a way from everywhere to the first of these, of each of which it is said what leads to it.
fn all_lead_to_first(sources: &[Vec<usize>]) -> bool {
    let mut leads = vec![false; sources.len()];
    let mut left = vec![0];
    while let Some(number) = left.pop() {
        if !std::mem::replace(&mut leads[number], true) {
            left.extend(&sources[number]);
        }
    }
    leads.into_iter().all(|leads| leads)
}
