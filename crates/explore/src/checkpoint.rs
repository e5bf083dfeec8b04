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
pub use stored::Stored;
pub(crate) use stored::StoredTally;
pub(crate) use tasks::StoredTasks;

use crate::search::findings::Findings;
use crate::search::shared::Shared;
use crate::workers::task::Task;
use crate::{Algorithm, Error, Knowledge, LoopRules, Processes, Settings};
use model::{Names, Program, Schedule, ThreadId, ThreadPath};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use stored::{Head, Work, settings_of};
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
        let Some(stored) = self.begin(program.names(), &settings_of(settings)).map_err(Error::Checkpoint)? else {
            return Ok(Start::default());
        };
        self.start(stored, program, settings, processes)
            .map_err(|problem| Error::Checkpoint(CheckpointError { path: self.path_to_read().to_owned(), problem }))
    }

    /// What the search goes on with, if it does not begin, once it is clear that nothing is lost when the file is written. Threads
    /// have the ids that they had. `settings` are those that may not have changed.
    pub fn begin<W: DeserializeOwned>(
        &self,
        names: &dyn Names,
        settings: &[(&str, String)],
    ) -> Result<Option<Stored<W>>, CheckpointError> {
        let resumes_here = self.resume.as_deref().is_some_and(|resume| is_same_file(resume, &self.path));
        if !resumes_here && !self.is_anew && self.path.exists() {
            return Err(CheckpointError { path: self.path.clone(), problem: CheckpointProblem::Exists });
        }
        let Some(path) = &self.resume else { return Ok(None) };
        let read = || {
            let text = file::read(path)?;
            let damaged = |_| CheckpointProblem::Damaged;
            serde_json::from_str::<Head>(&text).map_err(damaged)?.fits(&self.program, settings)?;
            let stored: Stored<W> = serde_json::from_str(&text).map_err(damaged)?;
            make_known(names, &stored.thread_paths()?)?;
            Ok(stored)
        };
        read().map(Some).map_err(|problem| CheckpointError { path: path.clone(), problem })
    }

    fn path_to_read(&self) -> &Path {
        self.resume.as_deref().unwrap_or(&self.path)
    }

    fn start(
        &self,
        stored: Stored<Work>,
        program: &dyn Program,
        settings: &Settings,
        processes: Option<&dyn Processes>,
    ) -> Result<Start, CheckpointProblem> {
        let tasks = stored.tasks()?;
        let (known, learnt) = stored.knowledge()?;
        if let Some(processes) = processes {
            processes.recall(stored.discoveries()).map_err(CheckpointProblem::DoesNotFit)?;
        }
        let findings = crate::algorithms::replay::run_again(program, settings, &stored.schedules()?)
            .map_err(CheckpointProblem::DoesNotFit)?;
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
        let discoveries = shared.processes.map_or(Ok(String::new()), Processes::discoveries);
        let discoveries = discoveries.map_err(|problem| self.problem(CheckpointProblem::CannotWrite(problem)))?;
        let done = shared.done();
        let work = Work::new(&done, tasks, shared.settings.loops, discoveries);
        let findings = done.schedules.iter().map(Schedule::to_string).collect();
        let so_far = (done.elapsed, done.tally, findings);
        self.put(shared.program.names(), &settings_of(shared.settings), so_far, work).map_err(Error::Checkpoint)
    }

    /// Writes a search: how long it took, what it has counted and the schedules of what it has found, and what is left to do.
    pub fn put<W: Serialize>(
        &self,
        names: &dyn Names,
        settings: &[(&str, String)],
        so_far: (Duration, Tally, Vec<String>),
        work: W,
    ) -> Result<(), CheckpointError> {
        let write = || {
            let registry = names.registry().ok_or(CheckpointProblem::OtherFrontEnd)?;
            let stored = Stored::new(self, settings, &registry.paths(), so_far, work);
            let text =
                serde_json::to_string(&stored).map_err(|error| CheckpointProblem::CannotWrite(error.to_string()))?;
            file::write(&self.path, &text)
        };
        write().map_err(|problem| CheckpointError { path: self.path.clone(), problem })
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
fn make_known(names: &dyn Names, paths: &[ThreadPath]) -> Result<(), CheckpointProblem> {
    let registry = names.registry().ok_or(CheckpointProblem::OtherFrontEnd)?;
    for (id, path) in paths.iter().enumerate() {
        if registry.intern_path(path) != Some(ThreadId(id as u32)) {
            return Err(CheckpointProblem::DoesNotFit(format!("thread {path} is another one now")));
        }
    }
    Ok(())
}
