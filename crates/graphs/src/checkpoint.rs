//! Searches that outlive their process: what is left to do, counted, found and learnt, in a file.

use crate::check::Settings;
use crate::findings::Findings;
use crate::loops::Known;
use crate::models::ModelInfo;
use crate::replay::replay;
use crate::run::Error;
use crate::schedule::schedule;
use crate::search::{SoFar, Start};
use crate::task::Task;
use explore::{Bundle, CheckpointError, CheckpointProblem, Checkpoints, Processes};
use model::Program;
use serde::{Deserialize, Serialize};

/// A search with the file that it is kept in.
pub(crate) struct Kept<'p> {
    pub(crate) checkpoints: &'p Checkpoints,
    pub(crate) program: &'p dyn Program,
    pub(crate) model: &'static ModelInfo,
    pub(crate) settings: &'p Settings,
    /// For programs of which there can be one run in a process.
    pub(crate) processes: Option<&'p dyn Processes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Work {
    /// A bundle.
    tasks: Vec<u8>,
    /// What is known of the program's loops.
    known: String,
    /// What runs have shown of a program of which there can be one run in a process.
    #[serde(default)]
    discoveries: String,
}

impl Kept<'_> {
    fn settings(&self) -> [(&'static str, String); 2] {
        [("search", format!("graphs under {}", self.model.name)), ("limit of steps", self.settings.events.to_string())]
    }

    fn problem(&self, problem: CheckpointProblem) -> Error {
        let path = self.checkpoints.resume.as_ref().unwrap_or(&self.checkpoints.path).clone();
        Error::Checkpoint(CheckpointError { path, problem })
    }

    /// Where the search starts.
    pub(crate) fn start(&self) -> Result<Start, Error> {
        let begun = self.checkpoints.begin::<Work>(self.program.names(), &self.settings());
        let Some(stored) = begun.map_err(Error::Checkpoint)? else { return Ok(Start::anew(Known::default())) };
        let damaged = || self.problem(CheckpointProblem::Damaged);
        let bundle = Bundle::<Task>::decode(&stored.work.tasks).map_err(|_| damaged())?;
        if let Some(processes) = self.processes {
            let unfit = |problem| self.problem(CheckpointProblem::DoesNotFit(problem));
            processes.recall(&stored.work.discoveries).map_err(unfit)?;
        }
        let mut findings = Findings::default();
        for text in &stored.findings {
            let unfit = |error: crate::ReplayError| self.problem(CheckpointProblem::DoesNotFit(error.to_string()));
            findings.add(&replay(self.program, text).map_err(unfit)?);
        }
        Ok(Start {
            tasks: bundle.into_tasks(),
            tally: stored.tally,
            findings,
            known: Known::from_text(&stored.work.known).ok_or_else(damaged)?,
            elapsed: stored.elapsed,
        })
    }

    /// Writes the file.
    pub(crate) fn write(&self, so_far: &SoFar<'_>) -> Result<(), Error> {
        let &SoFar { tasks, tally, findings, known, elapsed } = so_far;
        let names = self.program.names();
        let schedules = findings.iter().map(|finding| schedule(&finding.graph, self.model, names)).collect();
        let discoveries = self.processes.map_or(Ok(String::new()), |processes| processes.discoveries());
        let discoveries = discoveries.map_err(|problem| Error::Worker(explore::Error::InWorker(problem)))?;
        let tasks = Bundle::new(tasks.to_vec(), tally.runs()).encode();
        let work = Work { tasks, known: known.to_text(), discoveries };
        let put = self.checkpoints.put(names, &self.settings(), (elapsed, tally, schedules), work);
        put.map_err(Error::Checkpoint)
    }
}
