//! The search for runs that an automaton accepts, on the fly: Couvreur's algorithm (FM 1999) over the product of the
//! model and the automaton.
//!
//! The strongly connected components of the part that was met are kept as a stack of roots, each with the marks of the
//! steps within its component. When a component has all marks, a run can go round in it and meet each again and again.
//! With weak fairness, each process has a mark: a step has it that the process takes part in, or before which the
//! process could not move.
//!
//! An automaton moves first, looking at the state, then the model; where the model cannot go on, the automaton goes on
//! alone (stuttering), as in SPIN.

mod around;

use crate::claim::{Move, Property, Watcher};
use crate::code::State;
use crate::machine::{Alone, Machine, Shape, Step, View};
use crate::model::Model;
use crate::outcome::{Finding, Limits, Outcome, Progress, TrailStep, Wrong};
use crate::store::Store;
use crate::worker::LONG_ATOMIC;
use std::time::Instant;

/// Searches for a run that a property calls wrong.
///
/// # Errors
/// The model has no such claim, or the claim does what claims cannot.
pub fn search_cycles(model: &Model, property: &Property, fair: bool, limits: &Limits) -> Result<Outcome, String> {
    search_cycles_watched(model, property, fair, limits, &Progress::default())
}

/// The same, and says how far it is.
///
/// # Errors
/// As [`search_cycles`].
pub fn search_cycles_watched(
    model: &Model,
    property: &Property,
    fair: bool,
    limits: &Limits,
    progress: &Progress,
) -> Result<Outcome, String> {
    let watcher = Watcher::new(model, property)?;
    if watcher.marks() > 32 {
        return Err("the formula has more than 32 eventualities".to_owned());
    }
    let wrong = match property {
        Property::NonProgress => Wrong::NonProgressCycle,
        Property::Claim(_) | Property::Acceptance => Wrong::AcceptanceCycle,
    };
    let processes = if fair { 64 - watcher.marks() } else { 0 };
    let all = if fair { u64::MAX } else { (1u64 << watcher.marks()) - 1 };
    let search = Search {
        machine: Machine::new(model),
        first_process: watcher.marks(),
        watcher,
        processes,
        all,
        wrong,
        limits,
        progress,
        store: Store::new(),
        inner: Store::new(),
        numbers: Vec::new(),
        active: Vec::new(),
        roots: Vec::new(),
        frames: Vec::new(),
        states: Vec::new(),
        steps: Vec::new(),
        moves: Vec::new(),
        shape: Shape::default(),
        state: Vec::new(),
        outcome: Outcome::new(model),
        started: Instant::now(),
    };
    Ok(search.run())
}

/// A component that is not complete.
struct Root {
    /// The first of its states that was met.
    number: u32,
    /// Marks of the step that led to it from the component before.
    entry: u64,
    /// Marks of the steps within it.
    marks: u64,
}

/// A state of the product on the stack, or one in the middle of an `atomic`.
struct Frame {
    /// In the store; none in the middle of an `atomic`.
    stored: Option<usize>,
    state: usize,
    /// The automaton's state after its move, in the middle of an `atomic`.
    claim: u32,
    moves: usize,
    next_move: usize,
    last_move: usize,
    steps: usize,
    next_step: usize,
    last_step: usize,
    /// Marks that every step from here has.
    marks: u64,
    timeout: bool,
    /// What led on from here.
    taken: Option<TrailStep>,
}

struct Search<'m> {
    machine: Machine<'m>,
    watcher: Watcher<'m>,
    first_process: u32,
    /// How many processes have a mark of their own.
    processes: u32,
    all: u64,
    wrong: Wrong,
    limits: &'m Limits,
    progress: &'m Progress,
    store: Store,
    /// States within long `atomic`s.
    inner: Store,
    /// For each state of the store, when it was met, from 1; 0 when its component is complete.
    numbers: Vec<u32>,
    /// States of components that are not complete, in the order in which they were met.
    active: Vec<usize>,
    roots: Vec<Root>,
    frames: Vec<Frame>,
    states: Vec<u8>,
    steps: Vec<Step>,
    moves: Vec<Move>,
    shape: Shape,
    state: Vec<u8>,
    outcome: Outcome,
    started: Instant,
}

/// The search is over; the reason is in the outcome.
struct Over;

impl Search<'_> {
    fn run(mut self) -> Outcome {
        let _ = self.explore();
        self.outcome.states = self.store.len() as u64;
        self.outcome.memory = (self.store.memory() + self.numbers.capacity() * 4) as u64;
        self.outcome
    }

    fn explore(&mut self) -> Result<(), Over> {
        match self.machine.initial() {
            Ok(state) => self.state = state,
            Err(fault) => return self.found(Wrong::Fault(fault)),
        }
        self.machine.shape(&self.state, &mut self.shape);
        self.enter(Alone::Nobody, self.watcher.initial(), 0)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next_step == frame.last_step && frame.last_step > frame.steps {
                frame.next_step = frame.steps;
                frame.next_move += 1;
            }
            if frame.next_move >= frame.last_move {
                self.leave();
                continue;
            }
            let from = frame.state;
            let (claim, mut marks) = match frame.stored {
                Some(_) => {
                    let made = self.moves[frame.next_move];
                    (made.to, made.marks | frame.marks)
                }
                None => (frame.claim, frame.marks),
            };
            self.state.clear();
            self.state.extend_from_slice(&self.states[from..]);
            if frame.last_step == frame.steps {
                // The model cannot go on.
                frame.next_move += 1;
                frame.taken = Some(TrailStep::Stutter);
                self.machine.shape(&self.state, &mut self.shape);
                self.enter(Alone::Nobody, claim, marks)?;
                continue;
            }
            let step = self.steps[frame.next_step];
            let timeout = frame.timeout;
            frame.next_step += 1;
            frame.taken = Some(TrailStep::Step { step, timeout });
            self.machine.shape(&self.state, &mut self.shape);
            self.outcome.note_reached(&self.state, &self.shape, step);
            self.outcome.transitions += 1;
            marks |= self.bit(step.process) | step.partner.map_or(0, |(partner, _)| self.bit(partner));
            match self.machine.take(&mut self.state, &mut self.shape, step, timeout) {
                Ok(alone) => {
                    self.outcome.note_reached(&self.state, &self.shape, step);
                    for fault in self.machine.noted.take() {
                        self.found(Wrong::Fault(fault))?;
                    }
                    self.enter(alone, claim, marks)?;
                }
                Err(fault) => self.found(Wrong::Fault(fault))?,
            }
        }
        Ok(())
    }

    /// The mark of a process.
    fn bit(&self, process: u8) -> u64 {
        if u32::from(process) < self.processes { 1 << (self.first_process + u32::from(process)) } else { 0 }
    }

    /// Marks of the processes that cannot move.
    fn blocked(&self, steps: &[Step]) -> u64 {
        let all_processes = self.all & !((1u64 << self.first_process) - 1);
        let partner = |step: &Step| step.partner.map_or(0, |(partner, _)| self.bit(partner));
        let able = steps.iter().fold(0, |able, step| able | self.bit(step.process) | partner(step));
        all_processes & !able
    }

    /// The state of the product as it is kept.
    fn key(&self, claim: u32) -> Vec<u8> {
        let mut key = self.state[self.machine.model.hidden as usize..].to_vec();
        key.extend_from_slice(&(claim as u16).to_le_bytes());
        key
    }

    /// Goes on from the present state, to which a step with these marks led.
    fn enter(&mut self, alone: Alone, claim: u32, marks: u64) -> Result<(), Over> {
        let first = self.steps.len();
        if let Alone::Process(process) = alone {
            self.steps_of(process, false)?;
            if self.steps.len() > first {
                self.check_limits(self.frames.len() as u64)?;
                if self.was_here(claim, marks) {
                    self.steps.truncate(first);
                } else {
                    let moves = self.moves.len();
                    self.push(None, claim, moves, moves + 1, first, marks, false);
                }
                return Ok(());
            }
        }
        let (stored, is_new) = self.store.insert(&self.key(claim));
        if !is_new {
            return self.meet(stored, marks);
        }
        self.numbers.push(self.store.len() as u32);
        self.active.push(stored);
        self.roots.push(Root { number: self.numbers[stored], entry: marks, marks: 0 });
        self.check_limits(self.store.len() as u64)?;
        if self.watcher.is_over(claim) {
            self.found(Wrong::ClaimEnded)?;
        }
        let mut timeout = false;
        self.all_steps(timeout)?;
        if self.steps.len() == first && self.machine.model.has_timeout {
            timeout = true;
            self.all_steps(timeout)?;
        }
        let moves = self.moves.len();
        let view = observer(&self.machine, &self.state, &self.shape, timeout);
        if let Err(fault) = self.watcher.moves(&view, claim, &mut self.moves) {
            self.found(Wrong::Fault(fault))?;
        }
        let blocked = self.blocked(&self.steps[first..]);
        let last = self.moves.len();
        self.push(Some(stored), claim, moves, last, first, blocked, timeout);
        Ok(())
    }

    /// Whether an `atomic` has come to where one was before, as in the search without automata. What marks the way to it had
    /// is part of that.
    fn was_here(&mut self, claim: u32, marks: u64) -> bool {
        let inner = self.frames.iter().rev().take_while(|frame| frame.stored.is_none());
        if inner.take(LONG_ATOMIC as usize).count() < LONG_ATOMIC as usize {
            return false;
        }
        let mut key = self.state.clone();
        key.extend_from_slice(&claim.to_le_bytes());
        key.extend_from_slice(&marks.to_le_bytes());
        !self.inner.insert(&key).1
    }

    #[allow(clippy::too_many_arguments, reason = "these are the parts of a frame")]
    fn push(
        &mut self,
        stored: Option<usize>,
        claim: u32,
        moves: usize,
        last_move: usize,
        steps: usize,
        marks: u64,
        timeout: bool,
    ) {
        self.frames.push(Frame {
            stored,
            state: self.states.len(),
            claim,
            moves,
            next_move: moves,
            last_move,
            steps,
            next_step: steps,
            last_step: self.steps.len(),
            marks,
            timeout,
            taken: None,
        });
        self.states.extend_from_slice(&self.state);
        self.outcome.depth = self.outcome.depth.max(self.frames.len() as u64);
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.states.truncate(frame.state);
        self.steps.truncate(frame.steps);
        self.moves.truncate(frame.moves);
        let Some(stored) = frame.stored else { return };
        if self.roots.last().is_some_and(|root| root.number == self.numbers[stored]) {
            self.roots.pop();
            while let Some(state) = self.active.pop() {
                self.numbers[state] = 0;
                if state == stored {
                    break;
                }
            }
        }
    }

    /// A step with these marks leads to a state that was met before.
    fn meet(&mut self, stored: usize, mut marks: u64) -> Result<(), Over> {
        let number = self.numbers[stored];
        if number == 0 {
            return Ok(());
        }
        while let Some(root) = self.roots.last()
            && root.number > number
        {
            marks |= root.entry | root.marks;
            self.roots.pop();
        }
        let root = self.roots.last_mut().expect("the state is in a component that is not complete");
        root.marks |= marks;
        if root.marks == self.all {
            let first = root.number;
            self.found_cycle(stored, first)?;
        }
        Ok(())
    }

    fn all_steps(&mut self, timeout: bool) -> Result<(), Over> {
        for process in (0..self.shape.processes.len() as u8).rev() {
            self.steps_of(process, timeout)?;
        }
        Ok(())
    }

    fn steps_of(&mut self, process: u8, timeout: bool) -> Result<(), Over> {
        match self.machine.steps_of(&self.state, &self.shape, process, timeout, &mut self.steps) {
            Ok(()) => Ok(()),
            Err(fault) => self.found(Wrong::Fault(fault)),
        }
    }

    fn path(&self) -> Vec<TrailStep> {
        self.frames.iter().filter_map(|frame| frame.taken).collect()
    }

    fn found(&mut self, wrong: Wrong) -> Result<(), Over> {
        self.outcome.errors += 1;
        if self.outcome.finding.is_none() {
            self.outcome.finding = Some(Finding { wrong, steps: self.path(), cycle: None });
        }
        if self.limits.keep_going { Ok(()) } else { Err(Over) }
    }

    fn found_cycle(&mut self, at: usize, first: u32) -> Result<(), Over> {
        self.outcome.errors += 1;
        if self.outcome.finding.is_none() {
            let mut steps = self.path();
            let cycle = Some(steps.len());
            steps.extend(self.cycle(at, first));
            self.outcome.finding = Some(Finding { wrong: self.wrong, steps, cycle });
        }
        // One cycle is enough to know: others of the same component are not told apart.
        Err(Over)
    }

    fn check_limits(&mut self, ticks: u64) -> Result<(), Over> {
        let memory = self.store.memory() + self.inner.memory() + self.states.capacity();
        if ticks & 0xfff == 0 {
            self.progress.states.store(self.store.len() as u64, std::sync::atomic::Ordering::Relaxed);
            self.progress.note(self.frames.len(), memory as u64);
        }
        self.outcome.limit = self.limits.met(self.store.len() as u64, ticks, memory as u64, self.started);
        if self.outcome.limit.is_some() { Err(Over) } else { Ok(()) }
    }
}

/// How an automaton sees a state.
fn observer<'s>(machine: &'s Machine<'_>, state: &'s [u8], shape: &'s Shape, timeout: bool) -> View<'s> {
    let mut view = machine.view(state, shape, u8::MAX, timeout);
    view.non_progress = !view.stands_at(|state: &State| state.is_progress);
    view
}
