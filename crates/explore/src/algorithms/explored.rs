//! What a search within a bound on preemptions has explored: prefixes by their classes, so that it need not explore the same again.
//!
//! Prefixes of one class lead to one state. If they also end with a step of the same thread, what comes after them costs the same; if not,
//! at most one preemption more or less. So a prefix need not be followed if one of its class was followed to all its ends that had cost no
//! more, and where nothing slept that does not sleep now. What the executions behind it show of the events of the prefix (which of them others
//! have to do with) is noted, so that prefixes are opened as if they were explored again. docs/algorithms/bounds.md has the argument.

use crate::explorer::Explorer;
use model::ThreadId;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use trace::{SleepSets, Sleeper, Trace};

/// So many prefixes are remembered.
const MOST: usize = 1 << 17;

/// A set of places in an execution.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places(Vec<u64>);

impl Places {
    pub(crate) fn add(&mut self, place: usize) {
        if self.0.len() <= place / 64 {
            self.0.resize(place / 64 + 1, 0);
        }
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(crate) fn has(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    /// Adds those of the others that are less than `end`.
    pub(crate) fn add_all(&mut self, mut others: Places, end: usize) {
        others.0.truncate(end.div_ceil(64));
        if let Some(last) = others.0.get_mut(end / 64) {
            *last &= (1 << (end % 64)) - 1;
        }
        if self.0.len() < others.0.len() {
            std::mem::swap(self, &mut others);
        }
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits =
            |(at, &word): (usize, &u64)| (0..64).filter(move |bit| word & 1 << bit != 0).map(move |bit| at * 64 + bit);
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// What the executions behind a prefix show of it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Shown {
    /// Its events that others have to do with.
    pub(crate) shared: Places,
    /// Whether others have to do with an event after it with which its last thread goes on.
    pub(crate) opens_block: bool,
    /// Whether something was left out.
    pub(crate) is_cut: bool,
}

/// A prefix that was explored.
struct Known {
    preemptions: u32,
    shown: Shown,
    /// Whose its events are.
    threads: Rc<[ThreadId]>,
    /// What slept when it was entered.
    sleeping: Box<[Sleeper]>,
}

/// All that were.
#[derive(Default)]
pub(crate) struct Explored {
    known: FxHashMap<(u128, ThreadId), Known>,
    /// The class of each prefix of E, as far as it was asked for: the sum of what its events add to it.
    classes: Vec<u128>,
    /// Reused.
    bytes: Vec<u8>,
    /// Whose the events of the execution are that was followed last.
    threads: Option<Rc<[ThreadId]>>,
}

impl Explored {
    /// Whether a search is one whose prefixes are remembered.
    pub(crate) fn fits(e: &Explorer<'_>) -> bool {
        let bounds = e.bounds();
        bounds.preemptions.is_some() && bounds.delays.is_none() && bounds.depth.is_none() && !e.trace().is_of_steps()
    }

    /// E has grown.
    pub(crate) fn grow(&mut self) {
        self.threads = None;
    }

    /// E was cut back to its first `len` steps.
    pub(crate) fn cut(&mut self, len: usize) {
        self.classes.truncate(len);
    }

    fn key(&mut self, trace: &Trace) -> Option<(u128, ThreadId)> {
        let last = trace.events().last()?.thread();
        for place in self.classes.len()..trace.len() {
            let before = place.checked_sub(1).map_or(0, |before| self.classes[before]);
            self.classes.push(before.wrapping_add(trace.part_of_class(place, &mut self.bytes)));
        }
        Some((self.classes[trace.len() - 1], last))
    }

    /// What is known of E, if it need not be followed: by the places of its own events.
    pub(crate) fn find(&mut self, e: &Explorer<'_>, sleep: [&SleepSets; 2]) -> Option<Shown> {
        let trace = e.trace();
        let known = self.key(trace).and_then(|key| self.known.get(&key))?;
        let sleeps = |sleeper: &Sleeper| sleep.iter().any(|sleep| sleep.top().contains(sleeper));
        if known.preemptions > e.preemptions() || !known.sleeping.iter().all(sleeps) {
            return None;
        }
        let mut shown = Shown { shared: Places::default(), ..known.shown };
        let (mut places, mut counts) = (FxHashMap::default(), FxHashMap::default());
        for (place, event) in trace.events().iter().enumerate() {
            places.insert((event.thread(), event.index), place);
        }
        let mut here = known.shown.shared.iter().peekable();
        for (place, &thread) in known.threads[..trace.len()].iter().enumerate() {
            let index: &mut u32 = counts.entry(thread).or_default();
            *index += 1;
            if here.next_if_eq(&place).is_some() {
                shown.shared.add(places[&(thread, *index)]);
            }
        }
        Some(shown)
    }

    /// E was explored, and what is behind it shows this.
    pub(crate) fn note(&mut self, e: &Explorer<'_>, shown: &Shown, sleeping: impl Iterator<Item = Sleeper>) {
        let trace = e.trace();
        let Some(key) = self.key(trace).filter(|key| self.known.len() < MOST || self.known.contains_key(key)) else {
            return;
        };
        if self.threads.as_ref().is_none_or(|threads| threads.len() < trace.len()) {
            self.threads = Some(trace.events().iter().map(|event| event.thread()).collect());
        }
        if let Some(threads) = self.threads.clone() {
            let known =
                Known { preemptions: e.preemptions(), shown: shown.clone(), threads, sleeping: sleeping.collect() };
            self.known.insert(key, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    fn places(of: &[usize]) -> Places {
        let mut places = Places::default();
        of.iter().for_each(|&place| places.add(place));
        places
    }

    #[test]
    fn places_are_added_up_to_an_end() {
        let others = [0, 5, 63, 64, 65, 127, 128, 200];
        for (end, expected) in [(0, 0), (5, 1), (6, 2), (64, 3), (65, 4), (66, 5), (128, 6), (129, 7), (300, 8)] {
            for mine in [&[][..], &[1, 250]] {
                let mut sum = places(mine);
                sum.add_all(places(&others), end);
                let mut wanted = [mine, &others[..expected]].concat();
                wanted.sort_unstable();
                assert_eq!(sum.iter().collect::<Vec<_>>(), wanted, "{end}");
                assert!(wanted.iter().all(|&place| sum.has(place)) && !sum.has(201) && !sum.has(10_000));
            }
        }
    }
}
