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
//! - A race whose second event lies in the part of E that an earlier execution shared is not inserted again while its
//!   *witness* holds: the step that made v redundant, or that starts the branch of v, is still a weak initial of the new
//!   v. The proof of SRC Theorem 6.? needs no more than such a step in the final `sleep(E')`. Without this, every execution
//!   would look at all its races, with it, at those of its new part.
//! - A step with alternatives gives one sequence for each of them. No race leads from one alternative to another, so
//!   where the new part of E has such a step, every race of E is looked at.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::Choice;
use trace::{Event, EventId, NodeId, Race, Reversal, SleepSets, Sleeper, Trace, WakeupTrees, Witness};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Optimal {
    trees: WakeupTrees,
    /// The root of `wut(E')` for every prefix E' of E.
    wut: Vec<NodeId>,
    sleep: SleepSets,
    v: Reversal,
    /// For each race of E that has been looked at: why it needs no further look.
    witnesses: Vec<Option<Witness>>,
    /// How many steps of E were there in the execution before.
    kept: usize,
    largest_tree: usize,
}

impl Algorithm for Optimal {
    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let root = self.trees.root();
        self.wut.push(root);
        loop {
            while let Some(p) = self.first_child(e)? {
                self.descend(e, p)?;
            }
            let len = e.trace().len();
            e.finish(|| Some(self.share(len)))?;
            self.reverse_races(e);
            if !self.go_back(e) {
                return Ok(());
            }
        }
    }
}

impl Optimal {
    /// The first child of `wut(E)`, which becomes one arbitrary enabled thread if it is empty; none if E is maximal.
    fn first_child(&mut self, e: &mut Explorer<'_>) -> Result<Option<NodeId>, Stop> {
        let root = self.wut[self.wut.len() - 1];
        if self.trees.first_child(root).is_none() {
            let Some(p) = e.first_enabled(|_| true)? else { return Ok(None) };
            debug_assert!(self.sleep.top().is_empty(), "optimal-DPOR is never blocked by sleep sets");
            for alternative in 0..p.alternatives {
                self.trees.append(root, Choice { thread: p.thread, alternative });
            }
        }
        Ok(self.trees.first_child(root))
    }

    /// `Explore(E.p, {q ∈ sleep(E) | E ⊢ p♢q}, subtree(wut(E), p))` begins.
    fn descend(&mut self, e: &mut Explorer<'_>, p: NodeId) -> Result<(), Stop> {
        let root = self.wut[self.wut.len() - 1];
        let event = e.step(self.trees.choice(p))?;
        self.sleep.grow(event);
        self.trees.execute_first(root, event);
        self.wut.push(p);
        Ok(())
    }

    /// Every race of the maximal execution E, and every operation that a thread still waits for.
    fn reverse_races(&mut self, e: &mut Explorer<'_>) {
        let trace = e.trace();
        if trace.events()[self.kept..].iter().any(Event::has_alternatives) {
            self.witnesses.clear();
        }
        for (i, race) in trace.races().iter().enumerate() {
            let known = self.witnesses.get(i).copied().flatten();
            if known.is_some_and(|witness| witness.survives(trace, race.first, self.kept)) {
                continue;
            }
            self.v.of(trace, race);
            let witness = self.provide_for(trace, race);
            match self.witnesses.get_mut(i) {
                Some(place) => *place = witness,
                None => self.witnesses.push(witness),
            }
        }
        for pending in e.waiting().iter().filter(|pending| pending.op.kind.may_block()) {
            let races = trace.races_of_pending(pending);
            for race in races.all() {
                self.v.of_pending(trace, &races, race);
                self.provide_for(trace, race);
            }
        }
        e.note_tree(self.largest_tree);
    }

    /// `if sleep(E') ∩ WI[E'](v) = ∅: wut(E') := insert[E'](v, wut(E'))`, by every alternative of the last step of v. The
    /// witness that v needs no further look; none for a step with several alternatives.
    fn provide_for(&mut self, trace: &Trace, race: &Race) -> Option<Witness> {
        if race.alternatives == 1 {
            return Some(self.provide_for_v(trace, race.first));
        }
        let v = self.v.clone();
        for alternative in 0..race.alternatives {
            self.v.clone_from(&v);
            self.v.choose(alternative);
            self.provide_for_v(trace, race.first);
        }
        None
    }

    fn provide_for_v(&mut self, trace: &Trace, first: EventId) -> Witness {
        let redundant = self.sleep.at(first as usize).iter().find_map(|q| self.v.weak_initial(trace, q));
        redundant.unwrap_or_else(|| {
            let inserted = self.trees.insert(self.wut[first as usize], trace, &mut self.v);
            self.largest_tree = self.largest_tree.max(inserted.size);
            inserted.witness
        })
    }

    /// Removes explored branches and puts them to sleep, up to the longest prefix that has a branch left. False when no
    /// prefix has.
    fn go_back(&mut self, e: &mut Explorer<'_>) -> bool {
        self.wut.pop();
        while let Some(&root) = self.wut.last() {
            let len = self.wut.len() - 1;
            let explored = Sleeper::of(&e.trace().events()[len]);
            self.trees.remove_first(root);
            e.cut(len);
            self.sleep.cut(len);
            self.sleep.add(explored);
            if self.trees.first_child(root).is_some() {
                self.kept = len;
                self.witnesses.truncate(e.trace().races().len());
                return true;
            }
            self.wut.pop();
        }
        false
    }

    /// The share of the known branches that lies behind the current path. A guess from the branches known now.
    fn share(&self, len: usize) -> f64 {
        let mut done = 0.0;
        let mut width = 1.0;
        for (len, &root) in self.wut[..len].iter().enumerate() {
            let explored = self.sleep.at(len).len() as f64;
            let all = explored + self.trees.children(root) as f64;
            width /= all;
            done += width * explored;
        }
        done
    }
}
