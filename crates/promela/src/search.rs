//! The search of all states, depth first.
//!
//! What is a state to be kept, and what is between two of them, is as in SPIN: the steps of an `atomic`, as long as its
//! process can go on, and the two halves of a rendezvous have nothing in between.

use crate::machine::{Alone, Fault, Machine, Shape, Step};
use crate::model::Model;
use crate::store::Store;
use std::time::{Duration, Instant};

/// When a search ends early.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// After so many states.
    pub states: Option<u64>,
    /// After so much time.
    pub time: Option<Duration>,
    /// When the states take so many bytes.
    pub memory: Option<u64>,
    /// Goes on after a finding, and counts them all.
    pub keep_going: bool,
    /// States in which nothing can go on are no findings.
    pub ignore_end_states: bool,
}

impl Limits {
    /// The limit that is met. Time and memory are looked at now and then: when `ticks`, which counts on, is round.
    pub(crate) fn met(&self, states: u64, ticks: u64, memory: u64, started: Instant) -> Option<Limit> {
        if self.states.is_some_and(|most| states > most) {
            return Some(Limit::States);
        }
        if ticks & 0xfff != 0 {
            return None;
        }
        if self.time.is_some_and(|most| started.elapsed() > most) {
            Some(Limit::Time)
        } else {
            self.memory.filter(|most| memory > *most).map(|_| Limit::Memory)
        }
    }
}

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Of states.
    States,
    /// Of time.
    Time,
    /// Of memory.
    Memory,
}

/// What a model does that it must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A statement failed.
    Fault(Fault),
    /// Nothing can go on, and some process does not stand where it may end.
    EndState,
    /// A run that goes round for ever and is accepted.
    AcceptanceCycle,
    /// A run that goes round for ever without progress.
    NonProgressCycle,
    /// A `never` claim came to its end.
    ClaimEnded,
}

impl Wrong {
    /// What a report says.
    pub fn text(self) -> &'static str {
        match self {
            Wrong::Fault(fault) => fault.text(),
            Wrong::EndState => "invalid end state: nothing can go on, and not every process is where it may end",
            Wrong::AcceptanceCycle => "acceptance cycle",
            Wrong::NonProgressCycle => "non-progress cycle",
            Wrong::ClaimEnded => "the never claim came to its end",
        }
    }
}

/// A step of a counterexample.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TrailStep {
    Step {
        step: Step,
        timeout: bool,
    },
    /// The model cannot go on; only the claim does.
    Stutter,
}

/// A finding: what is wrong, and the steps that lead to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub wrong: Wrong,
    /// The steps from the start; the last one is the one that failed, if one did.
    pub(crate) steps: Vec<TrailStep>,
    /// Where the steps that repeat begin.
    pub(crate) cycle: Option<usize>,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Different states that were met.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// The most states from the start to another, in the order of the search.
    pub depth: u64,
    /// How many findings there were.
    pub errors: u64,
    /// The first finding.
    pub finding: Option<Finding>,
    /// Which limit was met, if one was.
    pub limit: Option<Limit>,
    /// Bytes of the states.
    pub memory: u64,
    /// For each proctype and control state, whether a process left it.
    pub(crate) reached: Vec<Vec<bool>>,
}

impl Outcome {
    pub(crate) fn new(reached: Vec<Vec<bool>>) -> Self {
        Outcome { states: 0, transitions: 0, depth: 0, errors: 0, finding: None, limit: None, memory: 0, reached }
    }

    /// Notes that the processes of a step left their control states.
    pub(crate) fn note_reached(&mut self, state: &[u8], shape: &Shape, step: Step) {
        let Step { process, partner, .. } = step;
        for process in [Some(process), partner.map(|(partner, _)| partner)].into_iter().flatten() {
            let frame = shape.processes[usize::from(process)];
            let proctype = usize::from(state[frame as usize]);
            self.reached[proctype][crate::machine::control(state, frame) as usize] = true;
        }
    }

    /// Every state was met and nothing is wrong.
    pub fn is_proof(&self) -> bool {
        self.errors == 0 && self.limit.is_none()
    }
}

/// A state on the stack.
struct Frame {
    /// Where its bytes begin.
    state: usize,
    /// Where its steps begin, and which is next.
    steps: usize,
    next: usize,
    timeout: bool,
    /// How many steps into an `atomic`.
    inner: u32,
}

/// An `atomic` with more steps than this may be one that never ends.
pub(crate) const LONG_ATOMIC: u32 = 64;

/// Searches all states of a model.
pub fn search(model: &Model, limits: &Limits) -> Outcome {
    Search::new(model, limits).run()
}

struct Search<'m> {
    machine: Machine<'m>,
    limits: &'m Limits,
    store: Store,
    /// States within long `atomic`s.
    inner: Store,
    frames: Vec<Frame>,
    /// The bytes of the states of all frames.
    states: Vec<u8>,
    /// The steps of all frames.
    steps: Vec<Step>,
    shape: Shape,
    state: Vec<u8>,
    outcome: Outcome,
    started: Instant,
}

/// A search that ends here.
struct Over;

impl<'m> Search<'m> {
    fn new(model: &'m Model, limits: &'m Limits) -> Self {
        let reached = model.proctypes.iter().map(|proctype| vec![false; proctype.states.len()]).collect();
        Search {
            machine: Machine::new(model),
            limits,
            store: Store::new(),
            inner: Store::new(),
            frames: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            shape: Shape::default(),
            state: Vec::new(),
            outcome: Outcome::new(reached),
            started: Instant::now(),
        }
    }

    fn run(mut self) -> Outcome {
        // Over: the reason is in the outcome.
        let _ = self.explore();
        self.outcome.states = self.store.len() as u64;
        self.outcome.memory = self.store.memory() as u64;
        self.outcome
    }

    fn explore(&mut self) -> Result<(), Over> {
        match self.machine.initial() {
            Ok(state) => self.state = state,
            Err(fault) => return self.found(Wrong::Fault(fault)),
        }
        self.machine.shape(&self.state, &mut self.shape);
        self.enter(Alone::Nobody)?;
        while let Some(frame) = self.frames.last_mut() {
            let Some(step) = self.steps.get(frame.next).copied() else {
                self.leave();
                continue;
            };
            frame.next += 1;
            let (from, timeout) = (frame.state, frame.timeout);
            self.state.clear();
            self.state.extend_from_slice(&self.states[from..]);
            self.machine.shape(&self.state, &mut self.shape);
            self.outcome.note_reached(&self.state, &self.shape, step);
            self.outcome.transitions += 1;
            match self.machine.take(&mut self.state, &mut self.shape, step, timeout) {
                Ok(alone) => {
                    if self.machine.failed.get() {
                        self.found(Wrong::Fault(Fault::Assertion))?;
                    }
                    self.enter(alone)?;
                }
                Err(fault) => self.found(Wrong::Fault(fault))?,
            }
        }
        Ok(())
    }

    /// Goes on from the present state, if it is new.
    fn enter(&mut self, alone: Alone) -> Result<(), Over> {
        let first = self.steps.len();
        if let Alone::Process(process) = alone {
            // In the middle of an `atomic`: no state to be kept, as long as its process can go on.
            self.steps_of(process, false)?;
            if self.steps.len() > first {
                self.check_limits(self.frames.len() as u64)?;
                if self.was_here() {
                    self.steps.truncate(first);
                } else {
                    let inner = self.frames.last().map_or(0, |frame| frame.inner) + 1;
                    self.push(first, false, inner);
                }
                return Ok(());
            }
        }
        let hidden = self.machine.model.hidden as usize;
        let (_, is_new) = self.store.insert(&self.state[hidden..]);
        if !is_new {
            return Ok(());
        }
        self.check_limits(self.store.len() as u64)?;
        let mut timeout = false;
        self.all_steps(timeout)?;
        if self.steps.len() == first && self.machine.model.has_timeout {
            timeout = true;
            self.all_steps(timeout)?;
        }
        if self.steps.len() == first {
            if !self.limits.ignore_end_states && !self.machine.may_end(&self.state, &self.shape) {
                self.found(Wrong::EndState)?;
            }
            return Ok(());
        }
        self.push(first, timeout, 0);
        Ok(())
    }

    /// Whether an `atomic` has come to where it, or another, was before. States within it are no states of the model, but
    /// one that never ends would be followed for ever.
    fn was_here(&mut self) -> bool {
        let is_long = self.frames.last().is_some_and(|frame| frame.inner >= LONG_ATOMIC);
        is_long && !self.inner.insert(&self.state).1
    }

    fn push(&mut self, first: usize, timeout: bool, inner: u32) {
        self.frames.push(Frame { state: self.states.len(), steps: first, next: first, timeout, inner });
        self.states.extend_from_slice(&self.state);
        self.outcome.depth = self.outcome.depth.max(self.frames.len() as u64);
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.steps.truncate(frame.steps);
        }
    }

    fn all_steps(&mut self, timeout: bool) -> Result<(), Over> {
        for process in (0..self.shape.processes.len() as u8).rev() {
            self.steps_of(process, timeout)?;
        }
        Ok(())
    }

    fn steps_of(&mut self, process: u8, timeout: bool) -> Result<(), Over> {
        let result = self.machine.steps_of(&self.state, &self.shape, process, timeout, &mut self.steps);
        match result {
            Ok(()) => Ok(()),
            Err(fault) => self.found(Wrong::Fault(fault)),
        }
    }

    fn found(&mut self, wrong: Wrong) -> Result<(), Over> {
        self.outcome.errors += 1;
        if self.outcome.finding.is_none() {
            let taken = self.frames.iter().filter(|frame| frame.next > frame.steps);
            let step = |frame: &Frame| TrailStep::Step { step: self.steps[frame.next - 1], timeout: frame.timeout };
            let steps = taken.map(step).collect();
            self.outcome.finding = Some(Finding { wrong, steps, cycle: None });
        }
        if self.limits.keep_going { Ok(()) } else { Err(Over) }
    }

    fn check_limits(&mut self, ticks: u64) -> Result<(), Over> {
        let memory = self.store.memory()
            + self.inner.memory()
            + self.states.capacity()
            + self.steps.capacity() * size_of::<Step>();
        self.outcome.limit = self.limits.met(self.store.len() as u64, ticks, memory as u64, self.started);
        if self.outcome.limit.is_some() { Err(Over) } else { Ok(()) }
    }
}
