//! The search of all states, depth first.
//!
//! What is a state to be kept, and what is between two of them, is as in SPIN: the steps of an `atomic`, as long as its
//! process can go on, and the two halves of a rendezvous have nothing in between.

use crate::analysis::Present;
use crate::machine::{Alone, Fault, Machine, Shape, Step};
use crate::model::Model;
use crate::outcome::{Finding, Limits, Outcome, TrailStep, Wrong};
use crate::reduction::sleep::{self, Sleeping};
use crate::reduction::{Reducer, Reduction};
use crate::store::Store;
use std::time::Instant;

/// A state on the stack.
struct Frame {
    /// Where its bytes begin.
    state: usize,
    /// Where its steps begin, and which is next.
    steps: usize,
    next: usize,
    /// Where those that are explored end, and where all do: the others are taken only where a cycle needs them.
    chosen: usize,
    all: usize,
    timeout: bool,
    /// How many steps into an `atomic`.
    inner: u32,
    /// Its number in the store; none within an `atomic`.
    stored: Option<usize>,
    /// Steps that sleep.
    asleep: Vec<Step>,
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
    reducer: Option<Reducer<'m>>,
    /// For each state, whether it is on the stack; only where a reduction has to know.
    on_stack: Vec<bool>,
    /// Cycles are looked after. Only a test does without, to show that it is needed.
    closes_cycles: bool,
    sleeping: Option<Sleeping>,
    /// What sleeps in the present state.
    asleep: Vec<Step>,
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
            reducer: Reducer::new(model, limits.reduction),
            on_stack: Vec::new(),
            closes_cycles: true,
            sleeping: (limits.reduction == Reduction::Sleep).then(Sleeping::default),
            asleep: Vec::new(),
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
            if frame.next == frame.chosen {
                self.leave();
                continue;
            }
            let step = self.steps[frame.next];
            frame.next += 1;
            let (from, timeout) = (frame.state, frame.timeout);
            self.state.clear();
            self.state.extend_from_slice(&self.states[from..]);
            self.machine.shape(&self.state, &mut self.shape);
            self.outcome.note_reached(&self.state, &self.shape, step);
            self.outcome.transitions += 1;
            if self.sleeping.is_some() {
                self.put_to_sleep(step);
            }
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
                    // It may be one that never ends, which others must not be put off for.
                    self.explore_all();
                    self.steps.truncate(first);
                } else {
                    let inner = self.frames.last().map_or(0, |frame| frame.inner) + 1;
                    self.push(first, false, inner);
                }
                return Ok(());
            }
        }
        let hidden = self.machine.model.hidden as usize;
        let (number, is_new) = self.store.insert(&self.state[hidden..]);
        if !is_new {
            self.meet(number);
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
        let chosen = self.choose(number, first, timeout);
        self.push(first, timeout, 0);
        let frame = self.frames.last_mut().expect("it was pushed a moment ago");
        frame.chosen = first + chosen;
        frame.stored = Some(number);
        if let Some(is_there) = self.on_stack.get_mut(number) {
            *is_there = true;
        }
        Ok(())
    }

    /// Brings the steps to the front that are explored, and says how many they are. Who waits for a time-out waits for
    /// nothing else, so that there is nothing to choose.
    fn choose(&mut self, number: usize, first: usize, timeout: bool) -> usize {
        let Some(reducer) = &mut self.reducer else { return self.steps.len() - first };
        if let Some(sleeping) = &mut self.sleeping {
            if timeout {
                self.asleep.clear();
            }
            sleeping.begin(number, &self.asleep, &mut self.steps, first);
        }
        self.on_stack.resize(self.store.len(), false);
        if timeout || self.steps.len() < first + 2 {
            return self.steps.len() - first;
        }
        let present = Present { machine: &self.machine, state: &self.state, shape: &self.shape };
        reducer.choose(&present, &mut self.steps[first..])
    }

    /// The present state was met before. Where it is on the stack, a cycle is closed: all steps of the state before it
    /// are explored then, so that every cycle has a state with all of them, and no step can be put off for ever.
    fn meet(&mut self, number: usize) {
        if let Some(sleeping) = &mut self.sleeping {
            let first = self.steps.len();
            sleeping.again(number, &mut self.asleep, &mut self.steps);
            if self.steps.len() > first {
                self.push(first, false, 0);
                self.frames.last_mut().expect("it was pushed a moment ago").stored = Some(number);
            }
        } else if self.closes_cycles && self.on_stack.get(number).is_some_and(|is_there| *is_there) {
            self.explore_all();
        }
    }

    /// All steps of the last state of the store are explored.
    fn explore_all(&mut self) {
        if let Some(last) = self.frames.iter_mut().rev().find(|frame| frame.stored.is_some()) {
            last.chosen = last.all;
        }
    }

    /// A step is about to be taken from the topmost state: what sleeps after it.
    fn put_to_sleep(&mut self, step: Step) {
        let (Some(reducer), Some(frame)) = (&self.reducer, self.frames.last_mut()) else { return };
        if frame.stored.is_none() {
            // In the middle of an `atomic`, which is one step to others.
            self.asleep.clone_from(&frame.asleep);
            return;
        }
        let present = Present { machine: &self.machine, state: &self.state, shape: &self.shape };
        self.asleep = sleep::still(&reducer.analysis, &present, &frame.asleep, step);
        if frame.timeout {
            self.asleep.clear();
        } else {
            frame.asleep.push(step);
        }
    }

    /// Whether an `atomic` has come to where it, or another, was before. States within it are no states of the model, but
    /// one that never ends would be followed for ever.
    fn was_here(&mut self) -> bool {
        let is_long = self.frames.last().is_some_and(|frame| frame.inner >= LONG_ATOMIC);
        is_long && !self.inner.insert(&self.state).1
    }

    fn push(&mut self, first: usize, timeout: bool, inner: u32) {
        let all = self.steps.len();
        let asleep = self.asleep.clone();
        let state = self.states.len();
        self.frames.push(Frame {
            state,
            steps: first,
            next: first,
            chosen: all,
            all,
            timeout,
            inner,
            stored: None,
            asleep,
        });
        self.states.extend_from_slice(&self.state);
        self.outcome.depth = self.outcome.depth.max(self.frames.len() as u64);
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.steps.truncate(frame.steps);
            if let Some(is_there) = frame.stored.and_then(|number| self.on_stack.get_mut(number)) {
                *is_there = false;
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The second condition of Theorem 2: with source sets alone, a process that goes round by itself is all that is ever
    /// explored, and what another one does wrong is never met.
    #[test]
    fn without_a_look_at_cycles_a_step_is_put_off_for_ever() {
        let text = "bit x, y; active proctype Round() { do :: x = 1 - x od } active proctype Wrong() { y = 1; assert(y == 0) }";
        let model = Model::parse("model.pml", text, &[]).expect("a model");
        for reduction in [Reduction::Persistent, Reduction::Source] {
            let limits = Limits { reduction, ..Limits::default() };
            let mut careless = Search::new(&model, &limits);
            careless.closes_cycles = false;
            let outcome = careless.run();
            assert_eq!((outcome.errors, outcome.states), (0, 2), "{reduction:?}");
            let outcome = search(&model, &limits);
            assert_eq!(outcome.finding.map(|finding| finding.wrong), Some(Wrong::Fault(Fault::Assertion)));
        }
    }
}
