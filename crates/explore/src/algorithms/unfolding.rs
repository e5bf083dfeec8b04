//! Quasi-optimal exploration by unfoldings (Nguyen, Rodríguez, Sousa, Coti, Petrucci, CAV 2018, on the base of
//! Rodríguez, Sousa, Sharma, Kroening, CONCUR 2015; restated with errata in docs/algorithms/unfolding.md).
//!
//! | paper | here |
//! |---|---|
//! | `U`, a set of events | [`trace::unfolding::Unfolding`] |
//! | `C`, a configuration | [`Configuration`]: the events of E |
//! | `D`, events done with | [`Done`] |
//! | `Explore(C, D, A)`, "choose e from A or en(C)" | [`Search::run`] |
//! | cutoffs (C15 Section 6) | [`States`] |
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

mod cutoffs;

use crate::explorer::{Explorer, Stop};
use crate::{Algorithm, Error, LoopRules, Report, Settings, UnfoldingSettings, check_with};
use cutoffs::States;
use model::{Choice, Pending, Program};
use trace::Race;
use trace::dependence::Footprint;
use trace::unfolding::{Alternatives, Configuration, Done, Found, Node, Structure};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Unfolding {
    /// Whether the event structure is wanted, and then what it is.
    structure: Option<Structure>,
}

impl Algorithm for Unfolding {
    fn forget(&mut self) {
        let structure = self.structure.take().map(|_| Structure::default());
        *self = Unfolding { structure };
    }

    /// It knows nothing of operations that wait because of what was learnt. With cutoffs, it leaves out rounds by itself.
    fn loop_rules(&self, settings: &Settings) -> LoopRules {
        if settings.unfolding.cutoffs || !settings.loops.rounds { LoopRules::NONE } else { LoopRules::ROUNDS }
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if e.has_siblings() {
            return Err(Stop::Error(Error::siblings("unfolding")));
        }
        let UnfoldingSettings { k, preference, budget, as_dpu, cutoffs } = e.settings().unfolding;
        let forgets = self.structure.is_none() && !as_dpu;
        let mut u = trace::unfolding::Unfolding::new(forgets);
        let states = if cutoffs { Some(States::new(e, &mut u)?) } else { None };
        let mut search = Search {
            u,
            c: Configuration::default(),
            d: Done::default(),
            alternatives: Alternatives::new(preference, k.map(u32::from), budget),
            as_dpu,
            names_late: forgets && !cutoffs,
            path: Vec::new(),
            dropped: Vec::new(),
            kept: 0,
            over_budget: 0,
            states,
            cut_off: Vec::new(),
            maximal: self.structure.is_some().then(Vec::new),
        };
        let result = search.explore(e);
        search.tell(e);
        if let (Some(structure), Some(maximal)) = (&mut self.structure, &search.maximal) {
            *structure = search.u.structure(maximal);
        }
        result
    }
}

/// Explores `program` by `unfolding`, and says what its event structure is, as far as it was explored.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{Settings, unfold};
///
/// // The write comes after each of the four sets of reads; a read comes before every write, or after one of the two
/// // whose past does not hold that read: 4 + 3 + 3 events.
/// let program = LitmusProgram::new("var x; x = 1 | r = x | s = x".parse()?)?;
/// let (structure, _) = unfold(&program, &Settings::default())?;
/// assert_eq!((structure.events.len(), structure.configurations.len()), (10, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unfold(program: &dyn Program, settings: &Settings) -> Result<(Structure, Report), Error> {
    let mut algorithm = Unfolding { structure: Some(Structure::default()) };
    let report = check_with(program, &mut algorithm, settings, &mut ())?;
    Ok((algorithm.structure.unwrap_or_default(), report))
}

/// A search at work.
struct Search<'a> {
    u: trace::unfolding::Unfolding,
    c: Configuration,
    d: Done,
    alternatives: Alternatives,
    as_dpu: bool,
    /// Whether steps are named at the end of an execution, and only up to the last one that matters: an execution often ends
    /// with many of which nobody will ever ask. Then C is shorter than E.
    names_late: bool,
    /// A: the events that the next execution goes on by.
    path: Vec<Node>,
    dropped: Vec<Node>,
    /// How many steps of E were there in the execution before.
    kept: usize,
    /// How many alternatives were given up at the budget.
    over_budget: u64,
    /// If cutoffs are left out: the states that events lead to.
    states: Option<States<'a>>,
    /// The cutoffs that could come next.
    cut_off: Vec<(Choice, Footprint)>,
    /// The maximal configurations, if they are wanted.
    maximal: Option<Vec<Vec<Node>>>,
}

impl<'a> Search<'a> {
    fn explore(&mut self, e: &mut Explorer<'a>) -> Result<(), Stop> {
        loop {
            self.run(e)?;
            self.extend(e)?;
            self.u.release_unneeded();
            self.tell(e);
            if !self.go_back(e) {
                return Ok(());
            }
        }
    }

    /// E grows by A, and then by steps that are not in D until it is maximal.
    fn run(&mut self, e: &mut Explorer<'a>) -> Result<(), Stop> {
        for i in 0..self.path.len() {
            let node = self.path[i];
            let event = e.step(self.u.choice(node))?;
            if event.footprint != self.u.footprint(node) {
                return Err(e.behaves_differently());
            }
            self.push(node);
        }
        self.cut_off.clear();
        while let Some(choice) = self.first_not_done(e)? {
            let footprint = e.step(choice)?.footprint;
            if self.names_late {
                self.d.grow(choice, footprint, e.trace().len() - 1);
                continue;
            }
            let node = self.u.step_of(e.trace(), self.c.nodes());
            if self.is_cut_off(node) {
                self.cut_off.push((choice, footprint));
                e.cut(self.c.len());
            } else {
                self.push(node);
            }
        }
        self.end(e)
    }

    /// Steps up to this length of E are named and come into C. D knows them already.
    fn name(&mut self, e: &Explorer<'a>, len: usize) {
        while self.c.len() < len {
            let node = self.u.step_of(e.trace(), self.c.nodes());
            self.u.enter(node, self.c.len());
            self.c.push(&self.u, node);
        }
    }

    /// Names all steps up to the last one for which there may be an alternative.
    fn name_rivals(&mut self, e: &Explorer<'a>) {
        for place in self.c.len()..e.trace().len() {
            let write = trace::unfolding::Unfolding::write_before(e.trace(), place);
            self.name(e, write);
            if self.u.may_have_rivals(e.trace(), self.c.nodes(), place) {
                self.name(e, place + 1);
            }
        }
    }

    /// The execution is counted: it is maximal, or only what is in D, or cut off, could come next.
    fn end(&mut self, e: &mut Explorer<'a>) -> Result<(), Stop> {
        let is_open = |pending: &Pending| choices(pending).any(|choice| !self.is_before_cutoff(choice));
        if !self.d.open().is_empty() && e.first_enabled(|_, pending| is_open(pending))?.is_some() {
            return e.sleep_set_blocked(|| None);
        }
        if let Some(maximal) = &mut self.maximal {
            maximal.push(self.c.nodes().to_vec());
        }
        if self.cut_off.is_empty() { e.finish(|| None) } else { e.finish_before_cutoffs(|| None) }
    }

    /// The next event of the first enabled thread whose next event is not in D, and no cutoff.
    fn first_not_done(&self, e: &mut Explorer<'a>) -> Result<Option<Choice>, Stop> {
        let next =
            |pending: &Pending| choices(pending).find(|&choice| !self.d.has(choice) && !self.is_before_cutoff(choice));
        let pending = e.first_enabled(|_, pending| next(pending).is_some())?;
        Ok(pending.as_ref().and_then(next))
    }

    /// C grows by an event.
    fn push(&mut self, node: Node) {
        self.u.enter(node, self.c.len());
        self.d.grow(self.u.choice(node), self.u.footprint(node), self.c.len());
        self.c.push(&self.u, node);
        if !self.cut_off.is_empty() {
            let (thread, footprint) = (self.u.choice(node).thread, self.u.footprint(node));
            self.cut_off.retain(|(choice, other)| choice.thread != thread && !footprint.depends(other));
        }
    }

    fn is_before_cutoff(&self, choice: Choice) -> bool {
        self.cut_off.iter().any(|&(cut_off, _)| cut_off == choice)
    }

    fn is_cut_off(&mut self, node: Node) -> bool {
        let Some(states) = &mut self.states else { return false };
        states.tell(&mut self.u);
        self.u.is_cut_off(node)
    }

    /// Who draws the search is told of the races that the extensions reverse.
    fn tell_reversals(&self, e: &Explorer<'a>) {
        let is_new = |race: &&Race| race.second.is_some_and(|second| second as usize >= self.kept);
        e.trace().races().iter().filter(is_new).for_each(|race| e.note_reversal(race));
        for pending in e.waiting().iter().filter(|pending| pending.op.kind.may_block() && !pending.enabled) {
            e.trace().races_of_pending(pending).all().iter().for_each(|race| e.note_reversal(race));
        }
    }

    /// `U := U ∪ ex(C)`. With cutoffs all of it is needed, also what would come in place of a cutoff.
    fn extend(&mut self, e: &mut Explorer<'a>) -> Result<(), Stop> {
        if e.wants_branches() {
            self.tell_reversals(e);
        }
        if !self.as_dpu && self.states.is_none() {
            // What waits would be named by what comes before it, whatever that is.
            let all = if e.waiting().is_empty() { 0 } else { e.trace().len() };
            self.name(e, all.max(self.u.names_needed(e.trace(), self.kept)));
            self.u.extend(e.trace(), self.c.nodes(), self.kept, e.waiting());
            self.name_rivals(e);
            return Ok(());
        }
        self.u.extend_fully(e.trace(), self.c.nodes(), self.kept, e.waiting());
        for i in 0..self.cut_off.len() {
            e.step(self.cut_off[i].0)?;
            self.u.extend_by_all_of_last(e.trace(), self.c.nodes());
            e.cut(self.c.len());
        }
        if let Some(states) = &mut self.states {
            states.tell(&mut self.u);
        }
        Ok(())
    }

    /// Cuts C back to the longest prefix after which there is an alternative to D and the event that was taken there. False
    /// when there is none.
    fn go_back(&mut self, e: &mut Explorer<'a>) -> bool {
        while let Some(node) = self.c.pop(&self.u) {
            let len = self.c.len();
            self.u.leave(node);
            self.dropped.clear();
            self.d.cut(&mut self.u, len, &mut self.dropped);
            if self.u.has_candidate(node) {
                self.d.add(&mut self.u, node, len);
                if self.find_alternative() {
                    self.kept = len;
                    self.forget_dropped();
                    e.cut(len);
                    return true;
                }
                self.d.take_back(&mut self.u);
            }
            self.u.give_back(node);
            self.dropped.push(node);
            self.forget_dropped();
        }
        false
    }

    /// `A := Alt(C, D)`, if there is one.
    fn find_alternative(&mut self) -> bool {
        let Search { u, c, d, alternatives, .. } = self;
        let found = if self.as_dpu { alternatives.find_as_dpu(u, c, d) } else { alternatives.find(u, c, d) };
        if found == Found::Nothing {
            return false;
        }
        self.over_budget += u64::from(found == Found::WithinBudget);
        self.path.clear();
        self.path.extend_from_slice(self.alternatives.path());
        true
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

/// The alternatives of a step.
fn choices(pending: &Pending) -> impl Iterator<Item = Choice> + use<> {
    let thread = pending.thread;
    (0..pending.alternatives).map(move |alternative| Choice { thread, alternative })
}
