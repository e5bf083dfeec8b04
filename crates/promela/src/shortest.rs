//! The search for a shortest counterexample, breadth first: of all runs to an assertion that fails or to an invalid end state,
//! none has fewer steps than the one that is found.

use crate::machine::{Alone, Machine, Shape, Step};
use crate::model::Model;
use crate::outcome::{Finding, Limits, Outcome, Progress, TrailStep, Wrong};
use crate::store::Store;
use std::time::Instant;

/// Searches the states of a model in the order of their distances from the start, until something is wrong.
pub fn search_shortest(model: &Model, limits: &Limits, progress: &Progress) -> Outcome {
    let mut search = Search {
        machine: Machine::new(model),
        limits,
        progress,
        store: Store::new(),
        hidden: Vec::new(),
        parents: Vec::new(),
        state: Vec::new(),
        shape: Shape::default(),
        outcome: Outcome::new(model),
        started: Instant::now(),
    };
    // Over: the reason is in the outcome.
    let _ = search.explore();
    search.outcome.memory = search.memory() as u64;
    search.outcome
}

/// The search is over; the reason is in the outcome.
struct Over;

struct Search<'m> {
    machine: Machine<'m>,
    limits: &'m Limits,
    progress: &'m Progress,
    /// States, in the order in which they were met. Behind the bytes of each stands who is in the middle of an `atomic`
    /// and goes on alone: a pid from 1, or 0.
    store: Store,
    /// The hidden variables of each state.
    hidden: Vec<u8>,
    /// For each state but the first, the one before it and the step between them.
    parents: Vec<(u32, Step, bool)>,
    state: Vec<u8>,
    shape: Shape,
    outcome: Outcome,
    started: Instant,
}

impl Search<'_> {
    fn explore(&mut self) -> Result<(), Over> {
        match self.machine.initial() {
            Ok(state) => self.state = state,
            Err(fault) => return self.found(Wrong::Fault(fault), None, None),
        }
        self.machine.shape(&self.state, &mut self.shape);
        self.meet(Alone::Nobody, None)?;
        let mut number = 0;
        while number < self.store.len() {
            self.expand(number)?;
            number += 1;
        }
        Ok(())
    }

    /// Makes a state the present one; the answer is who goes on alone.
    fn load(&mut self, number: usize) -> Option<u8> {
        let hidden = self.machine.model.hidden as usize;
        let (bytes, alone) = self.store.get(number).split_at(self.store.get(number).len() - 1);
        self.state.clear();
        self.state.extend_from_slice(&self.hidden[number * hidden..(number + 1) * hidden]);
        self.state.extend_from_slice(bytes);
        let alone = alone[0].checked_sub(1);
        self.machine.shape(&self.state, &mut self.shape);
        alone
    }

    fn expand(&mut self, number: usize) -> Result<(), Over> {
        let alone = self.load(number);
        self.outcome.note_all(&self.state, &self.shape);
        let mut steps = Vec::new();
        let mut timeout = false;
        if let Some(process) = alone {
            self.steps_of(number, process, false, &mut steps)?;
        } else {
            self.all_steps(number, false, &mut steps)?;
            if steps.is_empty() && self.machine.model.has_timeout {
                timeout = true;
                self.all_steps(number, true, &mut steps)?;
            }
            if steps.is_empty() && !self.limits.ignore_end_states && !self.machine.may_end(&self.state, &self.shape) {
                self.found(Wrong::EndState, Some(number), None)?;
            }
        }
        for step in steps {
            self.load(number);
            self.outcome.transitions += 1;
            let taken = TrailStep::Step { step, timeout };
            let done = self.machine.take(&mut self.state, &mut self.shape, step, timeout);
            match done.and_then(|alone| self.machine.noted.take().first().map_or(Ok(alone), |fault| Err(*fault))) {
                Ok(alone) => self.meet(alone, Some((number as u32, step, timeout)))?,
                Err(fault) => self.found(Wrong::Fault(fault), Some(number), Some(taken))?,
            }
        }
        Ok(())
    }

    /// Keeps the present state, if it is new.
    fn meet(&mut self, alone: Alone, parent: Option<(u32, Step, bool)>) -> Result<(), Over> {
        let mut goes_on = 0;
        if let Alone::Process(process) = alone {
            let mut steps = Vec::new();
            // What fails here fails again when the state is gone on from.
            let is_possible = self.machine.steps_of(&self.state, &self.shape, process, false, &mut steps);
            goes_on = if is_possible.is_err() || !steps.is_empty() { process + 1 } else { 0 };
        }
        let hidden = self.machine.model.hidden as usize;
        self.state.push(goes_on);
        let (_, is_new) = self.store.insert(&self.state[hidden..]);
        if !is_new {
            return Ok(());
        }
        self.hidden.extend_from_slice(&self.state[..hidden]);
        self.parents.extend(parent);
        self.outcome.states += u64::from(goes_on == 0);
        self.outcome.limit =
            self.limits.met(self.outcome.states, self.store.len() as u64, self.memory() as u64, self.started);
        if self.store.len() & 0xfff == 0 {
            self.progress.states.store(self.outcome.states, std::sync::atomic::Ordering::Relaxed);
            self.progress.note(0, self.memory() as u64);
        }
        if self.outcome.limit.is_some() { Err(Over) } else { Ok(()) }
    }

    fn memory(&self) -> usize {
        self.store.memory() + self.hidden.capacity() + self.parents.capacity() * size_of::<(u32, Step, bool)>()
    }

    fn all_steps(&mut self, number: usize, timeout: bool, steps: &mut Vec<Step>) -> Result<(), Over> {
        (0..self.shape.processes.len() as u8)
            .rev()
            .try_for_each(|process| self.steps_of(number, process, timeout, steps))
    }

    fn steps_of(&mut self, number: usize, process: u8, timeout: bool, steps: &mut Vec<Step>) -> Result<(), Over> {
        match self.machine.steps_of(&self.state, &self.shape, process, timeout, steps) {
            Ok(()) => Ok(()),
            Err(fault) => self.found(Wrong::Fault(fault), Some(number), None),
        }
    }

    /// Something is wrong in a state, or with a step from it. Nothing that is found later has a shorter way.
    fn found(&mut self, wrong: Wrong, state: Option<usize>, last: Option<TrailStep>) -> Result<(), Over> {
        let mut steps: Vec<TrailStep> = last.into_iter().collect();
        let mut here = state.unwrap_or(0);
        while here > 0 {
            let (parent, step, timeout) = self.parents[here - 1];
            steps.push(TrailStep::Step { step, timeout });
            here = parent as usize;
        }
        steps.reverse();
        self.outcome.errors += 1;
        self.outcome.depth = steps.len() as u64;
        self.outcome.finding = Some(Finding { wrong, steps, cycle: None });
        Err(Over)
    }
}
