//! One worker of a search: it goes through states depth first, with a stack of frames.

use crate::analysis::Present;
use crate::jobs::{Job, Path};
use crate::machine::{Alone, Machine, Shape, Step, control};
use crate::outcome::{Finding, Outcome, TrailStep, Wrong};
use crate::reduction::sleep::{self, Sleeping};
use crate::reduction::{Chosen, Reducer, Reduction};
use crate::reuse::{self, Reuse};
use crate::search::Shared;
use crate::tree::Namer;
use crate::visited::{Keeping, hash};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, PoisonError};

/// A state on the stack.
struct Frame {
    /// Where its bytes and the numbers of its tree begin.
    state: usize,
    tree: usize,
    tree_end: usize,
    /// The frame, this or one below, whose tree the names of its successors are made from.
    base: usize,
    /// Where its steps begin, and which is next.
    steps: usize,
    next: usize,
    /// Where those that are explored end, and where all do: the others are taken only where a cycle needs them.
    chosen: usize,
    all: usize,
    /// Those that are explored are a persistent set, and all of them lead to states on the stack so far.
    is_persistent: bool,
    is_caught: bool,
    /// Among the shapes that the worker knows.
    shape: usize,
    timeout: bool,
    /// The steps are all that the state has, in the order in which they are found.
    is_whole: bool,
    /// How many steps into an `atomic`.
    inner: u32,
    /// The name of its state; none within an `atomic`.
    name: Option<u64>,
    /// Steps that sleep.
    asleep: Vec<Step>,
}

/// A list of processes that some state has.
struct KnownShape {
    shape: Shape,
    reuse: Reuse,
}

/// An `atomic` with more steps than this may be one that never ends.
pub(crate) const LONG_ATOMIC: u32 = 64;

/// How many states on its stack a worker shares at once, and how many it looks at for that.
const SHARED_FRAMES: usize = 64;
const SEEN_FRAMES: usize = 4_096;

/// After how many steps a worker looks whether another one waits for work.
const LISTENING: u64 = 64;

pub(crate) struct Worker<'m> {
    shared: &'m Shared<'m>,
    machine: Machine<'m>,
    namer: Namer<'m>,
    shapes: Vec<KnownShape>,
    shapes_by_list: FxHashMap<Box<[u8]>, usize>,
    frames: Vec<Frame>,
    /// The bytes, the trees and the steps of all frames.
    states: Vec<u8>,
    trees: Vec<u32>,
    steps: Vec<Step>,
    /// The present state.
    state: Vec<u8>,
    tree: Vec<u32>,
    shape: Shape,
    shape_number: usize,
    /// What is not as in the state of the base, where both have the same shape.
    changed: Option<u64>,
    /// The steps to the lowest frame.
    path: Arc<Path>,
    pub(crate) outcome: Outcome,
    /// New states that the others do not know of yet, and how many times something was looked at.
    fresh: u64,
    ticks: u64,
    /// It stops when so many states were met.
    pause: u64,
    reducer: Option<Reducer<'m>>,
    /// States on the stack; only where a reduction has to know.
    on_stack: FxHashSet<u64>,
    /// Cycles are looked after. Only a test does without, to show that it is needed.
    closes_cycles: bool,
    sleeping: Option<Sleeping>,
    /// What sleeps in the present state.
    asleep: Vec<Step>,
}

/// A search that ends here.
struct Over;

impl<'m> Worker<'m> {
    pub(crate) fn new(shared: &'m Shared<'m>) -> Self {
        let reduction = shared.limits.reduction;
        Worker {
            shared,
            machine: Machine::new(shared.model),
            namer: Namer::new(&shared.exact),
            shapes: Vec::new(),
            shapes_by_list: FxHashMap::default(),
            frames: Vec::new(),
            states: Vec::new(),
            trees: Vec::new(),
            steps: Vec::new(),
            state: Vec::new(),
            tree: Vec::new(),
            shape: Shape::default(),
            shape_number: 0,
            changed: None,
            path: Arc::default(),
            outcome: Outcome::new(shared.model),
            fresh: 0,
            ticks: 0,
            pause: u64::MAX,
            reducer: Reducer::new(shared.model, reduction),
            on_stack: FxHashSet::default(),
            closes_cycles: true,
            sleeping: (reduction == Reduction::Sleep).then(Sleeping::default),
            asleep: Vec::new(),
        }
    }

    /// Searches all there is.
    pub(crate) fn run(&mut self) {
        // Over: the reason is in the outcome.
        let _ = self.begin().and_then(|()| self.explore());
        self.flush();
    }

    /// Begins the search; says whether it is over, or else paused after so many states.
    pub(crate) fn run_until(&mut self, states: u64) -> bool {
        self.pause = states;
        let is_over = self.begin().and_then(|()| self.explore()).is_err() || self.frames.is_empty();
        self.pause = u64::MAX;
        self.flush();
        is_over
    }

    /// Goes on with what it has, and then with what others leave to it.
    pub(crate) fn help(&mut self) {
        loop {
            if self.explore().is_err() {
                self.shared.jobs.end();
            }
            self.flush();
            self.namer.tables().rest();
            match self.shared.jobs.take() {
                Some(job) => self.start(job),
                None => break,
            }
        }
    }

    fn begin(&mut self) -> Result<(), Over> {
        match self.machine.initial() {
            Ok(state) => self.state = state,
            Err(fault) => return self.found(Wrong::Fault(fault)),
        }
        self.machine.shape(&self.state, &mut self.shape);
        self.learn_shape();
        self.enter(Alone::Nobody)
    }

    /// Puts the work of another worker on the empty stack.
    fn start(&mut self, job: Job) {
        self.path = job.path;
        self.state = job.state;
        self.machine.shape(&self.state, &mut self.shape);
        self.learn_shape();
        if self.shared.limits.keeping == Keeping::Exact {
            let hidden = self.machine.model.hidden as usize;
            self.namer.name(&self.state[hidden..], &mut self.tree);
        }
        self.steps = job.steps;
        self.push(0, job.timeout, job.inner, true);
    }

    fn explore(&mut self) -> Result<(), Over> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.chosen {
                if frame.is_caught && frame.chosen < frame.all {
                    self.choose_more();
                } else {
                    self.leave();
                }
                continue;
            }
            let step = self.steps[frame.next];
            frame.next += 1;
            let timeout = frame.timeout;
            self.come_back();
            self.outcome.note_reached(&self.state, &self.shape, step);
            self.outcome.transitions += 1;
            if self.sleeping.is_some() {
                self.put_to_sleep(step);
            }
            let processes = self.shape.processes.len();
            match self.machine.take(&mut self.state, &mut self.shape, step, timeout) {
                Ok(alone) => {
                    if self.shape.processes.len() != processes {
                        self.learn_shape();
                    }
                    self.outcome.note_reached(&self.state, &self.shape, step);
                    for fault in self.machine.noted.take() {
                        self.found(Wrong::Fault(fault))?;
                    }
                    self.enter(alone)?;
                }
                Err(fault) => {
                    // It may have changed before it failed.
                    self.shape_number = usize::MAX;
                    self.found(Wrong::Fault(fault))?;
                }
            }
            if self.outcome.transitions.is_multiple_of(LISTENING) && self.shared.jobs.is_calling() {
                self.answer()?;
            }
            self.namer.tables().listen();
            if self.ticks >= self.pause {
                self.namer.tables().rest();
                return Ok(());
            }
        }
        Ok(())
    }

    /// The topmost state is the present one.
    fn come_back(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        self.state.clear();
        self.state.extend_from_slice(&self.states[frame.state..]);
        if self.shape_number != frame.shape {
            self.shape_number = frame.shape;
            self.shape.clone_from(&self.shapes[frame.shape].shape);
        }
    }

    /// All steps that were explored from the topmost state lead to states on the stack: another persistent set is explored too.
    fn choose_more(&mut self) {
        self.come_back();
        let (Some(frame), Some(reducer)) = (self.frames.last_mut(), &mut self.reducer) else { return };
        let present = Present { machine: &self.machine, state: &self.state, shape: &self.shape };
        let explored = frame.chosen - frame.steps;
        frame.chosen += reducer.choose_more(&present, &mut self.steps[frame.steps..frame.all], explored);
    }

    /// The present state has processes that those before it had not, or lacks some.
    fn learn_shape(&mut self) {
        self.outcome.note_all(&self.state, &self.shape);
        let list: Box<[u8]> = self.shape.processes.iter().map(|frame| self.state[*frame as usize]).collect();
        if let Some(known) = self.shapes_by_list.get(&list) {
            self.shape_number = *known;
            return;
        }
        self.shape_number = self.shapes.len();
        let reuse = Reuse::new(self.machine.model, &self.shape, &list);
        self.shapes.push(KnownShape { shape: self.shape.clone(), reuse });
        self.shapes_by_list.insert(list, self.shape_number);
    }

    /// The name of the present state, made from that of the state below it where that has as many processes.
    fn name(&mut self) -> u64 {
        let hidden = self.machine.model.hidden as usize;
        let state = &self.state[hidden..];
        let base = self.frames.last().map(|frame| &self.frames[frame.base]);
        let base = base.filter(|base| base.shape == self.shape_number);
        self.changed = base.map(|base| {
            let at = base.state + hidden;
            reuse::changed(&self.states[at..at + state.len()], state)
        });
        if self.shared.visited.is_some() {
            return hash(state);
        }
        match (base, self.changed) {
            (Some(base), Some(changed)) => {
                self.tree.clear();
                self.tree.extend_from_slice(&self.trees[base.tree..base.tree_end]);
                self.namer.rename(changed, state, &mut self.tree)
            }
            _ => self.namer.name(state, &mut self.tree),
        }
    }

    /// Goes on from the present state, if it is new.
    fn enter(&mut self, alone: Alone) -> Result<(), Over> {
        let first = self.steps.len();
        if let Alone::Process(process) = alone {
            // In the middle of an `atomic`: no state to be kept, as long as its process can go on.
            self.steps_of(process, false)?;
            if self.steps.len() > first {
                self.check_limits()?;
                if self.was_here() {
                    // It may be one that never ends, which others must not be put off for.
                    self.explore_all();
                    self.steps.truncate(first);
                } else {
                    let inner = self.frames.last().map_or(0, |frame| frame.inner) + 1;
                    self.push(first, false, inner, false);
                }
                return Ok(());
            }
        }
        let name = self.name();
        let is_new = match &self.shared.visited {
            None => self.namer.tables().insert(name),
            Some(visited) => visited.insert(name),
        };
        if !is_new {
            self.meet(name);
            return Ok(());
        }
        self.fresh += 1;
        self.check_limits()?;
        self.get_away();
        let errors = self.outcome.errors;
        let mut timeout = false;
        self.steps_as_before()?;
        if self.steps.len() == first && self.machine.model.has_timeout {
            timeout = true;
            self.all_steps(timeout)?;
        }
        if self.steps.len() == first {
            if !self.shared.limits.ignore_end_states && !self.machine.may_end(&self.state, &self.shape) {
                self.found(Wrong::EndState)?;
            }
            return Ok(());
        }
        let chosen = self.choose(name, first, timeout);
        self.push(first, timeout, 0, true);
        let frame = self.frames.last_mut().expect("it was pushed a moment ago");
        frame.chosen = first + chosen.count;
        frame.is_persistent = chosen.is_persistent;
        frame.is_caught = chosen.is_persistent && self.closes_cycles;
        frame.name = Some(name);
        frame.is_whole = !timeout && self.reducer.is_none() && self.outcome.errors == errors;
        if self.reducer.is_some() {
            self.on_stack.insert(name);
        }
        Ok(())
    }

    /// Brings the steps to the front that are explored, and says how many they are. Who waits for a time-out waits for
    /// nothing else, so that there is nothing to choose.
    fn choose(&mut self, name: u64, first: usize, timeout: bool) -> Chosen {
        let all = |count: usize| Chosen { count, is_persistent: true };
        let Some(reducer) = &mut self.reducer else { return all(self.steps.len() - first) };
        if let Some(sleeping) = &mut self.sleeping {
            if timeout {
                self.asleep.clear();
            }
            sleeping.begin(name, &self.asleep, &mut self.steps, first);
        }
        if timeout || self.steps.len() < first + 2 {
            return all(self.steps.len() - first);
        }
        let present = Present { machine: &self.machine, state: &self.state, shape: &self.shape };
        reducer.choose(&present, &mut self.steps[first..])
    }

    /// The present state was met before. Where it is on the stack, a cycle is closed. No step may be put off for ever: all steps of
    /// the state before it are explored then. Where a persistent set is explored, that is so once all of its steps have closed
    /// cycles: any one of them would do, and one that leads to a state which is done with before this one gets away.
    fn meet(&mut self, name: u64) {
        if let Some(sleeping) = &mut self.sleeping {
            let first = self.steps.len();
            sleeping.again(name, &mut self.asleep, &mut self.steps);
            if self.steps.len() > first {
                self.push(first, false, 0, true);
                self.frames.last_mut().expect("it was pushed a moment ago").name = Some(name);
            }
        } else if self.reducer.is_some() {
            if !self.on_stack.contains(&name) {
                self.get_away();
            } else if self.closes_cycles {
                self.close_cycle();
            }
        }
    }

    /// A step of the last state that has a name leads to one that is not on the stack.
    fn get_away(&mut self) {
        if self.reducer.is_some()
            && let Some(last) = self.frames.iter_mut().rev().find(|frame| frame.name.is_some())
        {
            last.is_caught = false;
        }
    }

    /// A step of the last state that has a name leads to one on the stack.
    fn close_cycle(&mut self) {
        if let Some(last) = self.frames.iter_mut().rev().find(|frame| frame.name.is_some())
            && !last.is_persistent
        {
            last.chosen = last.all;
        }
    }

    /// All steps of the last state that has a name are explored.
    fn explore_all(&mut self) {
        if let Some(last) = self.frames.iter_mut().rev().find(|frame| frame.name.is_some()) {
            last.chosen = last.all;
        }
    }

    /// A step is about to be taken from the topmost state: what sleeps after it.
    fn put_to_sleep(&mut self, step: Step) {
        let (Some(reducer), Some(frame)) = (&self.reducer, self.frames.last_mut()) else { return };
        if frame.name.is_none() {
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
        is_long && !self.shared.inner.lock().unwrap_or_else(PoisonError::into_inner).insert(&self.state).1
    }

    /// Puts the present state on the stack; `tree` is that of this state, where it has one of its own.
    fn push(&mut self, first: usize, timeout: bool, inner: u32, has_tree: bool) {
        let all = self.steps.len();
        let here = self.frames.len();
        let base = if has_tree { here } else { self.frames.last().map_or(here, |frame| frame.base) };
        let tree = self.trees.len();
        self.frames.push(Frame {
            state: self.states.len(),
            tree,
            tree_end: if has_tree { tree + self.tree.len() } else { tree },
            base,
            steps: first,
            next: first,
            chosen: all,
            all,
            is_persistent: false,
            is_caught: false,
            shape: self.shape_number,
            timeout,
            is_whole: false,
            inner,
            name: None,
            asleep: self.asleep.clone(),
        });
        self.states.extend_from_slice(&self.state);
        if has_tree {
            self.trees.extend_from_slice(&self.tree);
        }
        self.outcome.depth = self.outcome.depth.max(self.frames.len() as u64);
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.trees.truncate(frame.tree);
            self.steps.truncate(frame.steps);
            if let Some(name) = frame.name.filter(|_| self.reducer.is_some()) {
                self.on_stack.remove(&name);
            }
        }
    }

    /// All steps of the present state; those of the base are taken from it where they are the same.
    fn steps_as_before(&mut self) -> Result<(), Over> {
        let base = self.frames.last().map(|frame| frame.base).filter(|base| self.frames[*base].is_whole);
        let (Some(base), Some(changed)) = (base, self.changed) else { return self.all_steps(false) };
        let end = self.frames.get(base + 1).map_or(self.steps.len(), |next| next.steps);
        let mut at = self.frames[base].steps;
        for process in (0..self.shape.processes.len() as u8).rev() {
            let first = at;
            while at < end && self.steps[at].process == process {
                at += 1;
            }
            let control = control(&self.state, self.shape.processes[usize::from(process)]);
            if self.shapes[self.shape_number].reuse.is_as_before(process, control, changed) {
                self.steps.extend_from_within(first..at);
            } else {
                self.steps_of(process, false)?;
            }
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
        let result = self.machine.steps_of(&self.state, &self.shape, process, timeout, &mut self.steps);
        match result {
            Ok(()) => Ok(()),
            Err(fault) => self.found(Wrong::Fault(fault)),
        }
    }

    /// The steps that were taken from the frames.
    fn taken(&self) -> Vec<TrailStep> {
        let taken = self.frames.iter().filter(|frame| frame.next > frame.steps);
        taken.map(|frame| TrailStep::Step { step: self.steps[frame.next - 1], timeout: frame.timeout }).collect()
    }

    fn found(&mut self, wrong: Wrong) -> Result<(), Over> {
        self.outcome.errors += 1;
        if self.outcome.finding.is_none() {
            let mut steps = self.path.steps();
            steps.extend(self.taken());
            self.outcome.finding = Some(Finding { wrong, steps, cycle: None });
        }
        if self.shared.limits.keep_going { Ok(()) } else { Err(Over) }
    }

    fn flush(&mut self) -> u64 {
        self.shared.note_states(std::mem::take(&mut self.fresh))
    }

    fn check_limits(&mut self) -> Result<(), Over> {
        self.ticks += 1;
        let limits = self.shared.limits;
        if self.fresh < 128 && limits.states.is_none() && self.ticks & 0xfff != 0 {
            return Ok(());
        }
        let states = self.flush();
        if self.ticks & 0xfff == 0 {
            let inner = self.shared.inner.lock().unwrap_or_else(PoisonError::into_inner).memory();
            let stack = self.states.capacity()
                + self.trees.capacity() * 4
                + self.steps.capacity() * size_of::<Step>()
                + self.frames.capacity() * size_of::<Frame>();
            let memory = (self.shared.memory() + inner + stack) as u64;
            self.shared.progress.note(self.frames.len(), memory);
            self.outcome.limit = limits.met(states, 0, memory, self.shared.started);
        } else {
            self.outcome.limit = limits.met(states, 1, 0, self.shared.started);
        }
        if self.outcome.limit.is_some() { Err(Over) } else { Ok(()) }
    }

    /// Somebody waits for work, or everybody is to stop.
    fn answer(&mut self) -> Result<(), Over> {
        if self.shared.jobs.is_over() {
            return Err(Over);
        }
        let lowest = self.frames.len().saturating_sub(SEEN_FRAMES);
        let is_open = |place: &usize| self.frames[*place].next < self.frames[*place].chosen;
        // Every other one is kept.
        let open = (lowest..self.frames.len()).rev().filter(is_open).skip(1).step_by(2);
        let places: Vec<usize> = open.take(SHARED_FRAMES).collect();
        if places.is_empty() {
            return Ok(());
        }
        let steps = Arc::new(self.taken());
        let jobs = places.into_iter().map(|place| self.job(place, &steps)).collect();
        self.shared.jobs.add(jobs);
        Ok(())
    }

    /// Takes the steps that are left from a frame.
    fn job(&mut self, place: usize, taken: &Arc<Vec<TrailStep>>) -> Job {
        let end = self.frames.get(place + 1).map_or(self.states.len(), |next| next.state);
        let frame = &mut self.frames[place];
        let steps = self.steps[frame.next..frame.chosen].to_vec();
        (frame.chosen, frame.all) = (frame.next, frame.next);
        let state = self.states[frame.state..end].to_vec();
        Job { state, steps, timeout: frame.timeout, inner: frame.inner, path: self.path.then(taken, place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::outcome::{Limits, Progress};
    use crate::search::search;

    /// The second condition of Theorem 2: with source sets alone, a process that goes round by itself is all that is ever
    /// explored, and what another one does wrong is never met.
    #[test]
    fn without_a_look_at_cycles_a_step_is_put_off_for_ever() {
        let text = "bit x, y; active proctype Wrong() { y = 1; assert(y == 0) } active proctype Round() { do :: x = 1 - x od }";
        let model = Model::parse("model.pml", text, &[]).expect("a model");
        for reduction in [Reduction::Persistent, Reduction::Source] {
            let limits = Limits { reduction, ..Limits::default() };
            let progress = Progress::default();
            let shared = Shared::new(&model, &limits, &progress);
            let mut careless = Worker::new(&shared);
            careless.closes_cycles = false;
            careless.run();
            assert_eq!((careless.outcome.errors, progress.states()), (0, 2), "{reduction:?}");
            let outcome = search(&model, &limits);
            assert_eq!(outcome.finding.map(|finding| finding.wrong), Some(Wrong::Fault(crate::Fault::Assertion)));
        }
    }
}
