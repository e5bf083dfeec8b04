//! Checkpoints: a search that outlives its process.
//!
//! POP's tasks depend on nothing but the program, so a search is what is left of its stack, what it has counted and what
//! it has found. All three go into a file at one moment between two runs, and a later process goes on from there. A run
//! that was under way when a process was killed is in the file as the task that it came from: nothing is lost, and
//! nothing is counted twice.
//!
//! Threads are ordered by their ids (`trace::sleep_expression`), which are given as threads are first met. So the file
//! has the paths of all threads in that order, and they are given the same ids again before the search goes on. Of a
//! finding only its schedule is kept; it is run again.

#[cfg(test)]
pub(crate) mod arbitrary;
mod error;
mod file;
mod stored;
mod tasks;

pub use error::{CheckpointError, CheckpointProblem};
pub(crate) use stored::StoredTally;
pub(crate) use tasks::StoredTasks;

use crate::findings::Findings;
use crate::shared::Shared;
use crate::task::Task;
use crate::{Algorithm, Error, Knowledge, LoopRules, Processes, Settings, replay};
use model::{Program, ThreadId, ThreadPath};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use stored::Stored;
use trace::Tally;

/// Where a search is written to, every so often and at its end, and where it goes on from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoints {
    /// The file. It is replaced as a whole, so that at every moment it is there in full.
    pub path: PathBuf,
    /// How long to wait after a checkpoint before the next.
    pub every: Duration,
    /// The checkpoint that the search goes on from; none when it starts anew.
    pub resume: Option<PathBuf>,
    /// Whether the file is of the same search, which has begun anew: then it is replaced.
    pub is_anew: bool,
    /// What tells the program from every other: its name in the first line, then its text, arguments and whatever else
    /// decides what it does.
    pub program: String,
}

/// Where a search starts.
#[derive(Default)]
pub(crate) struct Start {
    /// What is left to do; `None` when that is all.
    pub(crate) tasks: Option<Vec<Task>>,
    pub(crate) tally: Tally,
    /// How many runs of the search were made elsewhere, which the tally does not count.
    pub(crate) runs_before: u64,
    pub(crate) findings: Findings,
    /// What the search has taken so far.
    pub(crate) elapsed: Duration,
    /// What is known of the program's loops, if the search goes on, and what it has learnt since.
    pub(crate) known: Option<Arc<Knowledge>>,
    pub(crate) learnt: Knowledge,
    /// The rules on loops that it follows, if it goes on.
    pub(crate) loops: Option<LoopRules>,
}

impl Start {
    /// The share of the search that is done.
    pub(crate) fn share(&self) -> Option<f64> {
        let tasks = self.tasks.as_ref()?;
        Some(1.0 - tasks.iter().map(|task| task.share).sum::<f64>())
    }
}

impl Checkpoints {
    /// Where the search starts, once it is clear that it can be done, and that nothing is lost when it is written.
    pub(crate) fn open(
        &self,
        program: &dyn Program,
        algorithm: &dyn Algorithm,
        settings: &Settings,
        processes: Option<&dyn Processes>,
    ) -> Result<Start, Error> {
        if !algorithm.has_checkpoints() {
            return Err(self.problem(CheckpointProblem::OtherAlgorithm));
        }
        let resumes_here = self.resume.as_deref().is_some_and(|resume| is_same_file(resume, &self.path));
        if !resumes_here && !self.is_anew && self.path.exists() {
            return Err(self.problem(CheckpointProblem::Exists));
        }
        match &self.resume {
            Some(path) => self
                .read(path, program, settings, processes)
                .map_err(|problem| Error::Checkpoint(CheckpointError { path: path.clone(), problem })),
            None => Ok(Start::default()),
        }
    }

    fn read(
        &self,
        path: &Path,
        program: &dyn Program,
        settings: &Settings,
        processes: Option<&dyn Processes>,
    ) -> Result<Start, CheckpointProblem> {
        let stored: Stored = serde_json::from_str(&file::read(path)?).map_err(|_| CheckpointProblem::Damaged)?;
        stored.fits(&self.program, settings)?;
        let tasks = stored.tasks()?;
        let (known, learnt) = stored.knowledge()?;
        make_known(program, &stored.thread_paths()?)?;
        if let Some(processes) = processes {
            processes.recall(stored.discoveries()).map_err(CheckpointProblem::DoesNotFit)?;
        }
        let findings =
            replay::run_again(program, settings, &stored.schedules()?).map_err(CheckpointProblem::DoesNotFit)?;
        Ok(Start {
            tasks: Some(tasks),
            tally: stored.tally,
            runs_before: 0,
            findings,
            elapsed: stored.elapsed,
            known: Some(Arc::new(known)),
            learnt,
            loops: Some(stored.loops()),
        })
    }

    /// Writes what is left to do of a search, and all that was counted and found in doing the rest. A search that begins anew
    /// has nothing that another process could go on with.
    pub(crate) fn write(&self, shared: &Shared<'_>, tasks: &[Task]) -> Result<(), Error> {
        if shared.processes.is_some_and(|processes| processes.begins_anew()) {
            return Ok(());
        }
        let Some(registry) = shared.program.names().registry() else {
            return Err(self.problem(CheckpointProblem::OtherFrontEnd));
        };
        let discoveries = shared.processes.map_or(Ok(String::new()), Processes::discoveries);
        let discoveries = discoveries.map_err(|problem| self.problem(CheckpointProblem::CannotWrite(problem)))?;
        let stored = Stored::new(self, shared.settings, &registry.paths(), shared.done(), tasks, discoveries);
        let text = serde_json::to_string(&stored).map_err(|error| CheckpointProblem::CannotWrite(error.to_string()));
        text.and_then(|text| file::write(&self.path, &text)).map_err(|problem| self.problem(problem))
    }

    fn problem(&self, problem: CheckpointProblem) -> Error {
        Error::Checkpoint(CheckpointError { path: self.path.clone(), problem })
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().ok();
    one == other || full(one).is_some_and(|one| full(other) == Some(one))
}

/// Gives threads the ids that they had.
pub(crate) fn make_known(program: &dyn Program, paths: &[ThreadPath]) -> Result<(), CheckpointProblem> {
    let registry = program.names().registry().ok_or(CheckpointProblem::OtherFrontEnd)?;
    for (id, path) in paths.iter().enumerate() {
        if registry.intern_path(path) != Some(ThreadId(id as u32)) {
            return Err(CheckpointProblem::DoesNotFit(format!("thread {path} is another one now")));
        }
    }
    Ok(())
}
