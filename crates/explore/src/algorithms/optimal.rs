//! Optimal-DPOR (SRC Algorithms 2, 4 and 6; restated with its symbols in docs/algorithms/optimal.md).
//!
//! | paper | here |
//! |---|---|
//! | `Explore(E, Sleep, WuT)` | [`Optimal::explore`], without recursion |
//! | `wut(E')` | [`Optimal::wut`], one tree for each prefix, all in one arena |
//! | `sleep(E')` | [`SleepSets`] |
//! | `e ≲E e'`, and Algorithm 6's "p that e disables" | [`trace::Race`] |
//! | `v = notdep(e,E).e'` | [`Reversal`] |
//! | `sleep(E') ∩ WI[E'](v) = ∅` | [`Reversal::weak_initial`] |
//! | `insert[E'](v, wut(E'))` | [`WakeupTrees::insert`] |
//!
//! Departures:
//! - A race whose second event lies in the part of E that an earlier execution shared, and whose v was redundant then, is
//!   not built again while its *witness* holds: the sleeping step that is a weak initial of v. (The same short cut for
//!   sequences that were inserted, "their first step will be explored anyway", loses executions: seed 579265.)
//! - A step with alternatives gives one sequence for each of them.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::Pending;
use trace::{Race, Reversal, SleepSets, Sleeper, WakeupTree, WakeupTrees, Without, Witness};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Optimal {
    trees: WakeupTrees,
    /// `wut(E')` for every prefix E' of E, without the step that E takes there.
    wut: Vec<WakeupTree>,
    sleep: SleepSets,
    v: Reversal,
    without: Without,
    /// For each race of E that has been looked at: why its v is redundant, if it is.
    witnesses: Vec<Option<Witness>>,
    /// How many steps of E were there in the execution before.
    kept: usize,
    largest_tree: usize,
}

impl Algorithm for Optimal {
    fn forget(&mut self) {
        *self = Optimal::default();
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.wut.push(WakeupTree::EMPTY);
        loop {
            while self.descend(e)? {}
            let len = e.trace().len();
            // What sleeps after a maximal execution is not enabled. If something is, a theorem or this file is wrong, or
            // the program behaves differently from run to run: the tally shows it.
            let share = || Some(self.trees.share(&self.wut[..len], |len| self.sleep.at(len).len()));
            if self.sleep.top().is_empty() || e.first_enabled(|_, _| true)?.is_none() {
                e.finish(share)?;
                self.reverse_races(e);
            } else {
                e.sleep_set_blocked(share)?;
            }
            if !self.go_back(e) {
                return Ok(());
            }
        }
    }
}

impl Optimal {
    /// `Explore(E.p, {q ∈ sleep(E) | E ⊢ p♢q}, subtree(wut(E), p))` begins, with the first p of `wut(E)`. False if E is
    /// maximal.
    fn descend(&mut self, e: &mut Explorer<'_>) -> Result<bool, Stop> {
        let len = self.wut.len() - 1;
        let wut = &mut self.wut[len];
        let (p, subtree) = if !wut.is_empty() {
            self.trees.take_first(wut)
        } else if let Some(p) = first_awake(e, &self.sleep)? {
            for alternative in 1..p.alternatives {
                self.trees.append(wut, p.choice_of(alternative));
            }
            (p.choice(), WakeupTree::EMPTY)
        } else {
            return Ok(false);
        };
        let event = e.step(p)?;
        self.trees.learn(wut, event);
        self.sleep.grow(event);
        self.wut.push(subtree);
        Ok(true)
    }

    /// Every race of the maximal execution E, and every operation that a thread still waits for.
    fn reverse_races(&mut self, e: &mut Explorer<'_>) {
        let trace = e.trace();
        for (i, race) in trace.races().iter().enumerate() {
            let known = self.witnesses.get(i).copied().flatten();
            if known.is_some_and(|witness| witness.survives(trace, race.first, self.kept)) {
                continue;
            }
            self.v.of(trace, race);
            let witness = self.provide_for(e, race);
            match self.witnesses.get_mut(i) {
                Some(place) => *place = witness,
                None => self.witnesses.push(witness),
            }
        }
        for pending in e.waiting().iter().filter(|pending| pending.may_block()) {
            let races = trace.races_of_pending(pending);
            for race in races.all() {
                self.v.of_pending(trace, &races, race);
                self.provide_for(e, race);
            }
        }
        self.take_siblings(e);
        e.note_tree(self.largest_tree);
    }

    /// Every transition that a thread could have taken in place of an event.
    fn take_siblings(&mut self, e: &Explorer<'_>) {
        let trace = e.trace();
        if !trace.has_siblings() {
            return;
        }
        let mut without = std::mem::take(&mut self.without);
        without.each_race(trace, |sibling| {
            self.v.of_sibling(trace, sibling);
            self.provide_for(e, &sibling.race);
        });
        self.without = without;
    }

    /// `if sleep(E') ∩ WI[E'](v) = ∅: wut(E') := insert[E'](v, wut(E'))`, by every alternative of the last step of v. The
    /// witness that v is redundant, if it is; none for a step with several alternatives.
    fn provide_for(&mut self, e: &Explorer<'_>, race: &Race) -> Option<Witness> {
        if race.alternatives == 1 {
            return self.provide_for_v(e, race);
        }
        let v = self.v.clone();
        for alternative in 0..race.alternatives {
            self.v.clone_from(&v);
            self.v.choose(alternative);
            self.provide_for_v(e, race);
        }
        None
    }

    fn provide_for_v(&mut self, e: &Explorer<'_>, race: &Race) -> Option<Witness> {
        let (trace, prefix) = (e.trace(), race.first as usize);
        let redundant = self.sleep.at(prefix).iter().find_map(|q| self.v.weak_initial(trace, q));
        if redundant.is_none() {
            let size = self.trees.insert(&mut self.wut[prefix], trace, &self.v);
            self.largest_tree = self.largest_tree.max(size);
            e.note_reversal(race);
        }
        redundant
    }

    /// Cuts E back to the longest prefix that has a branch left, and puts the step that was explored there to sleep.
    /// False when no prefix has.
    fn go_back(&mut self, e: &mut Explorer<'_>) -> bool {
        while self.wut.last().is_some_and(WakeupTree::is_empty) {
            self.wut.pop();
        }
        if self.wut.is_empty() {
            return false;
        }
        let len = self.wut.len() - 1;
        let explored = Sleeper::of(&e.trace().events()[len]);
        e.cut(len);
        self.sleep.cut(len);
        self.sleep.add(explored);
        self.kept = len;
        self.witnesses.truncate(e.trace().races().len());
        true
    }
}

/// One arbitrary enabled thread that does not sleep. (With an empty wakeup tree, none of them does.)
fn first_awake(e: &mut Explorer<'_>, sleep: &SleepSets) -> Result<Option<Pending>, Stop> {
    e.first_enabled(|_, p| !sleep.is_asleep(p.choice()))
}
