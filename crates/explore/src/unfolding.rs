//! Quasi-optimal exploration by unfoldings (Nguyen, Rodríguez, Sousa, Coti, Petrucci, CAV 2018, on the base of
//! Rodríguez, Sousa, Sharma, Kroening, CONCUR 2015; restated with errata in docs/algorithms/unfolding.md).
//!
//! | paper | here |
//! |---|---|
//! | `U`, a set of events | [`trace::unfolding::Unfolding`] |
//! | `C`, a configuration | [`Configuration`]: the events of E |
//! | `D`, events done with | [`Done`] |
//! | `Explore(C, D, A)`, "choose e from A or en(C)" | [`Search::run`] |
//! | `Extend(C)` | [`trace::unfolding::Unfolding::extend`] |
//! | `Alt(C, D ∪ {e})`, k-partial | [`Alternatives::find`] |
//! | `Remove(e, C, D)` | [`trace::unfolding::Unfolding::forget`] |
//!
//! Departures:
//! - No recursion: C is E, D and what is justified of it are stacks, and an execution is run once.
//! - Extensions in conflict are looked for at the end of an execution, also for operations that threads wait for: without
//!   those, executions are lost where threads block.
//! - An event is only forgotten when it is no cause of a candidate: the paper's set loses executions.
//! - "k events of D" are those that C is not in conflict with yet.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::{Choice, Pending};
use trace::unfolding::{Alternatives, Configuration, Done, Found, Node};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Unfolding;

impl Algorithm for Unfolding {
    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let settings = e.settings().unfolding;
        let mut search = Search {
            u: trace::unfolding::Unfolding::new(true),
            c: Configuration::default(),
            d: Done::default(),
            alternatives: Alternatives::new(settings.preference, settings.k.map(u32::from), settings.budget),
            path: Vec::new(),
            dropped: Vec::new(),
            kept: 0,
            over_budget: 0,
        };
        let result = search.explore(e);
        search.tell(e);
        result
    }
}

/// A search at work.
struct Search {
    u: trace::unfolding::Unfolding,
    c: Configuration,
    d: Done,
    alternatives: Alternatives,
    /// A: the events that the next execution goes on by.
    path: Vec<Node>,
    dropped: Vec<Node>,
    /// How many steps of E were there in the execution before.
    kept: usize,
    /// How many alternatives were given up at the budget.
    over_budget: u64,
}

impl Search {
    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        loop {
            self.run(e)?;
            self.u.extend(e.trace(), self.c.nodes(), self.kept, e.waiting());
            self.u.release_unneeded();
            self.tell(e);
            if !self.go_back(e) {
                return Ok(());
            }
        }
    }

    /// E grows by A, and then by steps that are not in D until it is maximal.
    fn run(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        for i in 0..self.path.len() {
            let node = self.path[i];
            let event = e.step(self.u.choice(node))?;
            if event.footprint != self.u.footprint(node) {
                return Err(e.behaves_differently());
            }
            self.push(node);
        }
        while let Some(choice) = self.first_not_done(e)? {
            e.step(choice)?;
            let node = self.u.last_of(e.trace(), self.c.nodes());
            self.push(node);
        }
        if self.d.open().is_empty() || e.first_enabled(|_, _| true)?.is_none() {
            e.finish(|| None)
        } else {
            e.sleep_set_blocked(|| None)
        }
    }

    /// The next event of the first enabled thread whose next event is not in D.
    fn first_not_done(&self, e: &mut Explorer<'_>) -> Result<Option<Choice>, Stop> {
        let next = |pending: &Pending| {
            let choices = (0..pending.alternatives).map(|alternative| Choice { thread: pending.thread, alternative });
            choices.into_iter().find(|&choice| !self.d.has(choice))
        };
        let pending = e.first_enabled(|_, pending| next(pending).is_some())?;
        Ok(pending.as_ref().and_then(next))
    }

    /// C grows by an event.
    fn push(&mut self, node: Node) {
        self.u.enter(node);
        self.d.grow(&self.u, node, self.c.len());
        self.c.push(&self.u, node);
    }

    /// Cuts C back to the longest prefix after which there is an alternative to D and the event that was taken there. False
    /// when there is none.
    fn go_back(&mut self, e: &mut Explorer<'_>) -> bool {
        while let Some(node) = self.c.pop(&self.u) {
            let len = self.c.len();
            self.u.leave(node);
            self.dropped.clear();
            self.d.cut(&mut self.u, len, &mut self.dropped);
            if self.u.has_rivals(node) {
                self.d.add(&mut self.u, node, len);
                let found = self.alternatives.find(&mut self.u, &mut self.c, &self.d);
                if found != Found::Nothing {
                    self.over_budget += u64::from(found == Found::WithinBudget);
                    self.kept = len;
                    self.path.clear();
                    self.path.extend_from_slice(self.alternatives.path());
                    self.forget_dropped();
                    e.cut(len);
                    return true;
                }
                self.d.take_back(&mut self.u);
            }
            self.dropped.push(node);
            self.forget_dropped();
        }
        false
    }

    fn forget_dropped(&mut self) {
        for node in self.dropped.drain(..) {
            self.u.forget(node);
        }
    }

    /// What it took, for the tally.
    fn tell(&self, e: &mut Explorer<'_>) {
        e.note_unfolding(self.u.made(), self.u.most_live() as u64, self.over_budget);
    }
}
