//! What is in a checkpoint, as it is written.

use super::error::this_version;
use super::tasks::StoredTasks;
use super::{CheckpointProblem, Checkpoints};
use crate::loops::StoredKnowledge;
use crate::shared::Done;
use crate::task::Task;
use crate::{Knowledge, LoopRules, SchedulingOrder, Settings};
use model::{Schedule, ThreadPath};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use trace::Tally;

/// Everything that a search goes on with.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    /// The version that wrote it.
    mazurka: String,
    program: String,
    settings: StoredSettings,
    /// The paths of all threads, in the order of their ids.
    threads: Vec<String>,
    pub(super) elapsed: Duration,
    #[serde(with = "StoredTally")]
    pub(super) tally: Tally,
    /// Schedules.
    findings: Vec<String>,
    pending: StoredTasks,
    /// What the search knows of the program's loops, and what it has learnt since.
    known: StoredKnowledge,
    learnt: StoredKnowledge,
    #[serde(with = "StoredRules")]
    loops: LoopRules,
    /// What the front end found out about the program.
    discoveries: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LoopRules", deny_unknown_fields)]
struct StoredRules {
    rounds: bool,
    awaits: bool,
    shortcuts: bool,
    merges: bool,
    sections: bool,
}

/// Those settings that may not change from one process to the next.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct StoredSettings {
    order: String,
    bounds: String,
    max_steps: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Tally", deny_unknown_fields)]
pub(crate) struct StoredTally {
    completed: u64,
    deadlocked: u64,
    failed: u64,
    cut: u64,
    sleep_set_blocked: u64,
    too_long: u64,
    out_of_bounds: u64,
    #[serde(default)]
    cut_off: u64,
    pruned: u64,
    steps: u64,
    replayed: u64,
    longest: u64,
    largest_tree: u64,
    #[serde(default)]
    events_made: u64,
    #[serde(default)]
    events_live: u64,
    #[serde(default)]
    over_budget: u64,
}

impl Stored {
    pub(super) fn new(
        checkpoints: &Checkpoints,
        settings: &Settings,
        threads: &[ThreadPath],
        done: Done,
        tasks: &[Task],
        discoveries: String,
    ) -> Self {
        Stored {
            mazurka: this_version(),
            program: checkpoints.program.clone(),
            settings: StoredSettings::new(settings),
            threads: threads.iter().map(ThreadPath::to_string).collect(),
            elapsed: done.elapsed,
            tally: done.tally,
            findings: done.schedules.iter().map(Schedule::to_string).collect(),
            pending: StoredTasks::new(tasks),
            known: StoredKnowledge::from(&*done.known),
            learnt: StoredKnowledge::from(&done.learnt),
            loops: settings.loops,
            discoveries,
        }
    }

    /// Whether it is of this program, and of a search that is done in the same way.
    pub(super) fn fits(&self, program: &str, settings: &Settings) -> Result<(), CheckpointProblem> {
        if self.mazurka != this_version() {
            return Err(CheckpointProblem::OtherVersion(self.mazurka.clone()));
        }
        if self.program != program {
            let name = self.program.lines().next().unwrap_or_default();
            return Err(CheckpointProblem::OtherProgram(name.to_owned()));
        }
        self.settings.fit(&StoredSettings::new(settings))
    }

    pub(super) fn thread_paths(&self) -> Result<Vec<ThreadPath>, CheckpointProblem> {
        let path = |text: &String| text.parse().map_err(|_| CheckpointProblem::Damaged);
        self.threads.iter().map(path).collect()
    }

    pub(super) fn schedules(&self) -> Result<Vec<Schedule>, CheckpointProblem> {
        let schedule = |text: &String| text.parse().map_err(|_| CheckpointProblem::Damaged);
        self.findings.iter().map(schedule).collect()
    }

    /// What the search knows of the program's loops, and what it has learnt since.
    pub(super) fn knowledge(&self) -> Result<(Knowledge, Knowledge), CheckpointProblem> {
        let restored = |stored: &StoredKnowledge| stored.restore().ok_or(CheckpointProblem::Damaged);
        Ok((restored(&self.known)?, restored(&self.learnt)?))
    }

    /// The rules on loops that the search follows.
    pub(super) fn loops(&self) -> LoopRules {
        self.loops
    }

    /// What the front end found out about the program.
    pub(super) fn discoveries(&self) -> &str {
        &self.discoveries
    }

    pub(super) fn tasks(&self) -> Result<Vec<Task>, CheckpointProblem> {
        self.pending.restore(self.threads.len()).ok_or(CheckpointProblem::Damaged)
    }
}

impl StoredSettings {
    fn new(settings: &Settings) -> Self {
        let order = SchedulingOrder::ALL.iter().find(|(_, order)| *order == settings.order);
        let bounds = if settings.bounds.any() { settings.bounds.to_string() } else { "none".to_owned() };
        StoredSettings {
            order: order.map_or("", |(name, _)| name).to_owned(),
            bounds,
            max_steps: settings.limits.steps,
        }
    }

    fn fit(&self, now: &StoredSettings) -> Result<(), CheckpointProblem> {
        let settings = [
            ("scheduling order", self.order.clone(), now.order.clone()),
            ("bound", self.bounds.clone(), now.bounds.clone()),
            ("limit of steps", self.max_steps.to_string(), now.max_steps.to_string()),
        ];
        match settings.into_iter().find(|(_, then, now)| then != now) {
            Some((name, then, now)) => Err(CheckpointProblem::OtherSetting { name, then, now }),
            None => Ok(()),
        }
    }
}
