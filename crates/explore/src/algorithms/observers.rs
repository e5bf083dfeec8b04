//! Optimal-DPOR with observers (Aronis, Jonsson, Lång, Sagonas, TACAS 2018, Algorithm 1; restated with its symbols in
//! docs/algorithms/observers.md).
//!
//! | paper | here |
//! |---|---|
//! | `Explore(E, WuT)` | [`Observers::explore`], without recursion |
//! | `wut(E')` | [`Observers::wut`], one tree for each prefix, all in one arena |
//! | `done(E')`, `v ∈ redundant(E', done)` | [`DoneSets`], [`Sequence::is_redundant`] |
//! | `→E` with observers, `e ≲E e'` | [`Trace::observe`], [`trace::Race`] |
//! | line 8, `v = notdep(e,E).ê'.ê.(notobs(e,e',E) \ ê').ô`; line 10 | [`Sequence`] |
//! | `insert[E'](v, wut(E'))` | [`WakeupTrees::insert_by`] |
//!
//! Departures:
//! - Where no two events of an execution need an observer, its trace is its trace with observers, and is not analysed again.
//! - The lines for operations that block (SRC Algorithms 4 and 6), which the paper leaves out.
//! - An await of a variable that several threads write without reading it is refused: which of the writes came last decides
//!   whether it is enabled, although nobody has seen it.
//! - A program with accesses that only the order of unseen writes or messages would order is refused: whether that is a data race
//!   differs within a class, and the execution that stands for the class may not show it.

use crate::explorer::{Explorer, Stop};
use crate::search::data_race;
use crate::{Algorithm, Error, LoopRules, Settings};
use model::{Choice, ObjectId, OpKind};
use trace::{DoneSets, EventId, Race, Sequence, Sleeper, Trace, WakeupTree, WakeupTrees};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Observers {
    trees: WakeupTrees,
    /// `wut(E')` for every prefix E' of E, without the step that E takes there.
    wut: Vec<WakeupTree>,
    done: DoneSets,
    v: Sequence,
    /// E with observers.
    seen: Trace,
    largest_tree: usize,
}

impl Algorithm for Observers {
    fn forget(&mut self) {
        *self = Observers::default();
    }

    /// Its classes leave open in which order nobody looks, and whether an operation waits because of what was learnt may
    /// depend on that order.
    fn loop_rules(&self, settings: &Settings) -> LoopRules {
        if settings.loops.rounds { LoopRules::ROUNDS } else { LoopRules::NONE }
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if e.has_siblings() {
            return Err(Stop::Error(Error::siblings("observers")));
        }
        self.wut.push(WakeupTree::EMPTY);
        loop {
            while self.descend(e)? {}
            let len = e.trace().len();
            e.finish(|| Some(self.trees.share(&self.wut[..len], |len| self.done.len_at(len))))?;
            self.reverse_races(e)?;
            if !self.go_back(e) {
                return Ok(());
            }
        }
    }
}

impl Observers {
    /// `Explore(E.p, subtree(wut(E), p))` begins, with the first p of `wut(E)`. False if E is maximal.
    fn descend(&mut self, e: &mut Explorer<'_>) -> Result<bool, Stop> {
        let len = self.wut.len() - 1;
        let wut = &mut self.wut[len];
        let (p, subtree) = if !wut.is_empty() {
            self.trees.take_first(wut)
        } else if let Some(p) = e.first_enabled(|_, _| true)? {
            for alternative in 1..p.alternatives {
                self.trees.append(wut, Choice { thread: p.thread, alternative });
            }
            (Choice { thread: p.thread, alternative: 0 }, WakeupTree::EMPTY)
        } else {
            return Ok(false);
        };
        let event = e.step(p)?;
        self.trees.learn(wut, event);
        self.done.grow(e.trace());
        self.wut.push(subtree);
        Ok(true)
    }

    /// Every race of the maximal execution E, and every operation that a thread still waits for.
    fn reverse_races(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let mut seen = std::mem::take(&mut self.seen);
        let trace = e.trace();
        let is_conditional = trace.conditional().next().is_some();
        if is_conditional {
            refuse_awaits(e)?;
            trace.observe(&mut seen);
            refuse_data_races(&seen)?;
        }
        let trace = if is_conditional { &seen } else { trace };
        for race in trace.races() {
            self.v.of(trace, race);
            if self.provide_for(trace, race) {
                e.note_reversal(race);
            }
        }
        for pending in e.waiting().iter().filter(|pending| pending.op.kind.may_block()) {
            let races = trace.races_of_pending(pending);
            for race in races.all() {
                self.v.of_pending(trace, &races, race);
                if self.provide_for(trace, race) {
                    e.note_reversal(race);
                }
            }
        }
        self.seen = seen;
        e.note_tree(self.largest_tree);
        Ok(())
    }

    /// `if v ∉ redundant(E', done): wut(E') := insert[E'](v, wut(E'))`, by every alternative of the last step of v.
    /// Says whether that was so.
    fn provide_for(&mut self, trace: &Trace, race: &Race) -> bool {
        let prefix = race.first as usize;
        let mut is_new = false;
        for alternative in 0..race.alternatives {
            if race.alternatives > 1 {
                self.v.choose(alternative);
            }
            if !self.v.is_redundant(trace, &self.done, prefix) {
                self.v.begin(trace, prefix);
                let size = self.trees.insert_by(&mut self.wut[prefix], &mut self.v);
                self.largest_tree = self.largest_tree.max(size);
                is_new = true;
            }
        }
        is_new
    }

    /// Cuts E back to the longest prefix that has a branch left, and notes that the step that was explored there is done.
    /// False when no prefix has.
    fn go_back(&mut self, e: &mut Explorer<'_>) -> bool {
        while self.wut.last().is_some_and(WakeupTree::is_empty) {
            self.wut.pop();
        }
        if self.wut.is_empty() {
            return false;
        }
        let len = self.wut.len() - 1;
        let explored = &e.trace().events()[len];
        let explored = Sleeper { choice: explored.choice, footprint: explored.unobserved() };
        e.cut(len);
        self.done.cut(len);
        self.done.add(explored);
        true
    }
}

/// See the last of the departures at the head of this file.
fn refuse_data_races(seen: &Trace) -> Result<(), Stop> {
    let is_race = |event: EventId| data_race::first_of_race(seen, event).is_some();
    if !seen.events().iter().any(|event| data_race::is_plain(event.op.kind)) || !(0..seen.len() as EventId).any(is_race)
    {
        return Ok(());
    }
    Err(Stop::Error(Error::Unsupported {
        algorithm: "observers",
        operation: "access that is not atomic",
        reason: "only the order of writes or messages that nobody sees keeps it from being a data race",
    }))
}

/// See the last but one of the departures at the head of this file.
fn refuse_awaits(e: &Explorer<'_>) -> Result<(), Stop> {
    let trace = e.trace();
    let awaited = |object: ObjectId| {
        let is_await = |kind: OpKind| matches!(kind, OpKind::Await(_) | OpKind::Drained);
        trace.history(object).any(|event| is_await(trace.event(event).op.kind))
            || e.waiting().iter().any(|pending| pending.op.object == object && is_await(pending.op.kind))
    };
    match trace.conditional().find(|&object| awaited(object)) {
        None => Ok(()),
        Some(_) => Err(Stop::Error(Error::Unsupported {
            algorithm: "observers",
            operation: "await",
            reason: "which of several unseen writes came last decides whether it is enabled",
        })),
    }
}
