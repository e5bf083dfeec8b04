//! How a search is done, and what it comes to.

use crate::machine::{Fault, Shape, Step};
use crate::model::Model;
use crate::reduction::Reduction;
use crate::visited::Keeping;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How a search is done, and when it ends early.
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
    /// Fewer steps than all, where they are enough.
    pub reduction: Reduction,
    /// How states are kept.
    pub keeping: Keeping,
    /// How many threads search, once there are many states; 0 is 1. Reductions and searches for cycles use one.
    pub workers: usize,
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

/// How far a search is, for those who watch it from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    pub(crate) states: AtomicU64,
    pub(crate) depth: AtomicU64,
    pub(crate) memory: AtomicU64,
}

impl Progress {
    /// States that were met, about.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// How deep the search is now.
    pub fn depth(&self) -> u64 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Bytes of the states.
    pub fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// What another search has to show.
    pub fn show(&self, states: u64, depth: u64, memory: u64) {
        self.states.store(states, Ordering::Relaxed);
        self.note(depth as usize, memory);
    }

    pub(crate) fn note(&self, depth: usize, memory: u64) {
        self.depth.store(depth as u64, Ordering::Relaxed);
        self.memory.store(memory, Ordering::Relaxed);
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
    /// The part of all states that is expected to have been met; less than 1 where states are not kept exactly.
    pub coverage: f64,
    /// For each proctype and control state, whether a process came there.
    pub(crate) reached: Vec<Vec<bool>>,
}

impl Outcome {
    pub(crate) fn new(model: &Model) -> Self {
        Outcome {
            states: 0,
            transitions: 0,
            depth: 0,
            errors: 0,
            finding: None,
            limit: None,
            memory: 0,
            coverage: 1.0,
            reached: model.proctypes.iter().map(|proctype| vec![false; proctype.states.len()]).collect(),
        }
    }

    /// Adds what another worker came to.
    pub(crate) fn add(&mut self, other: Outcome) {
        self.transitions += other.transitions;
        self.depth = self.depth.max(other.depth);
        self.errors += other.errors;
        self.finding = self.finding.take().or(other.finding);
        self.limit = self.limit.or(other.limit);
        for (reached, more) in self.reached.iter_mut().flatten().zip(other.reached.into_iter().flatten()) {
            *reached |= more;
        }
    }

    /// Notes where all processes stand.
    pub(crate) fn note_all(&mut self, state: &[u8], shape: &Shape) {
        for frame in &shape.processes {
            self.reached[usize::from(state[*frame as usize])][crate::machine::control(state, *frame) as usize] = true;
        }
    }

    /// Notes where the processes of a step stand, before or after it.
    pub(crate) fn note_reached(&mut self, state: &[u8], shape: &Shape, step: Step) {
        let Step { process, partner, .. } = step;
        for process in [Some(process), partner.map(|(partner, _)| partner)].into_iter().flatten() {
            // A process that died stands nowhere.
            let Some(frame) = shape.processes.get(usize::from(process)).copied() else { continue };
            let proctype = usize::from(state[frame as usize]);
            self.reached[proctype][crate::machine::control(state, frame) as usize] = true;
        }
    }

    /// Every state was met and nothing is wrong.
    pub fn is_proof(&self) -> bool {
        self.errors == 0 && self.limit.is_none() && self.coverage == 1.0
    }
}
