//! How many graphs there are, about: the executions are the nodes of a tree, whose size is estimated as that of pop's.

use crate::check::{Settings, make};
use crate::graphs::{Complete, Graphs, Visitor};
use crate::loops::Known;
use crate::models::ModelInfo;
use crate::run::Error;
use crate::task::Task;
use explore::{Estimate, Samples, Sampling, Tree};
use model::Program;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::Tally;

/// Estimates how many executions a search under a memory model has. None if the limits left no time for one sample. `progress` is told
/// how many were run, and may end it.
pub fn estimate(
    program: &dyn Program,
    model: &'static ModelInfo,
    settings: &Settings,
    (sampling, seed): (Sampling, u64),
    progress: &mut dyn FnMut(&Tally) -> ControlFlow<()>,
) -> Result<Option<Estimate>, Error> {
    let started = Instant::now();
    let mut graphs = make(program, model, settings, None).ok_or(Error::NoThreads)?;
    let mut known = Known::default();
    loop {
        graphs.begin(&known);
        let random = fastrand::Rng::with_seed(seed);
        let mut tree = OfGraphs { graphs: &mut graphs, settings, started, random, progress };
        let mut samples = Samples::new(sampling);
        match samples.take(&mut tree) {
            Ok(()) | Err(Stop::Over) => return Ok(samples.estimate(graphs.tally.executions(), started.elapsed())),
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Learnt) => known.clone_from(&graphs.run.loops.known),
        }
    }
}

struct OfGraphs<'e, 't> {
    graphs: &'e mut Graphs<'t>,
    settings: &'e Settings,
    started: Instant,
    random: fastrand::Rng,
    progress: &'e mut dyn FnMut(&Tally) -> ControlFlow<()>,
}

enum Stop {
    /// There is no more time.
    Over,
    /// Something was learnt of the program's loops, so that the tree is another one.
    Learnt,
    Error(Error),
}

/// Nobody is told of graphs.
struct Nobody;

impl Visitor for Nobody {
    fn complete(&mut self, _: &Complete<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn given_up(&mut self, _: &Complete<'_>) {}
}

impl OfGraphs<'_, '_> {
    fn is_over(&mut self) -> bool {
        let is_late = |time: Duration| self.started.elapsed() >= time;
        let runs = self.graphs.tally.executions();
        self.settings.time.is_some_and(is_late)
            || self.settings.executions.is_some_and(|most| runs >= most)
            || runs.is_multiple_of(64) && (self.progress)(&self.graphs.tally).is_break()
    }
}

impl Tree for OfGraphs<'_, '_> {
    type Node = Task;
    type Stop = Stop;

    fn root(&self, share: f64) -> Task {
        Task { share, ..Task::whole() }
    }

    fn visit(&mut self, task: Task, children: &mut Vec<Task>) -> Result<u64, Stop> {
        if self.is_over() {
            return Err(Stop::Over);
        }
        let before = self.graphs.tally.executions();
        let visited = self.graphs.visit(&task, &mut Nobody).map_err(Stop::Error)?;
        if std::mem::take(&mut self.graphs.run.loops.has_learnt) {
            return Err(Stop::Learnt);
        }
        if visited.is_none() {
            return Err(Stop::Over);
        }
        children.append(&mut self.graphs.tasks);
        self.graphs.spare.push(task);
        Ok(self.graphs.tally.executions() - before)
    }

    /// By how long it is, and how much of it was chosen: what comes later can still be revisited.
    fn stratum(task: &Task) -> (usize, usize) {
        (task.steps.len(), task.steps.iter().filter(|step| !step.maximal).count())
    }

    fn random(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }
}
