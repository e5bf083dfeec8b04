//! What is in a checkpoint, as it is written.

use super::error::this_version;
use super::tasks::StoredTasks;
use super::{CheckpointProblem, Checkpoints};
use crate::loops::StoredKnowledge;
use crate::search::shared::Done;
use crate::workers::task::Task;
use crate::{Knowledge, LoopRules, SchedulingOrder, Settings};
use model::{Schedule, ThreadPath};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use trace::Tally;

/// What is written of a search, of whichever sort: all that there is to go on with.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Stored<W> {
    /// The version that wrote it.
    mazurka: String,
    program: String,
    /// Those settings that may not change from one process to the next, with their names.
    settings: Vec<(String, String)>,
    /// The paths of all threads, in the order of their ids.
    threads: Vec<String>,
    /// What the search has taken so far.
    pub elapsed: Duration,
    /// What it has counted.
    #[serde(with = "StoredTally")]
    pub tally: Tally,
    /// The schedules of what it has found.
    pub findings: Vec<String>,
    /// What it has left to do, and what it knows.
    pub work: W,
}

/// The rest of a search of interleavings.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Work {
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

impl<W> Stored<W> {
    pub(super) fn new(
        checkpoints: &Checkpoints,
        settings: &[(&str, String)],
        threads: &[ThreadPath],
        done: (Duration, Tally, Vec<String>),
        work: W,
    ) -> Self {
        let (elapsed, tally, findings) = done;
        Stored {
            mazurka: this_version(),
            program: checkpoints.program.clone(),
            settings: settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            threads: threads.iter().map(ThreadPath::to_string).collect(),
            elapsed,
            tally,
            findings,
            work,
        }
    }

    pub(super) fn thread_paths(&self) -> Result<Vec<ThreadPath>, CheckpointProblem> {
        let path = |text: &String| text.parse().map_err(|_| CheckpointProblem::Damaged);
        self.threads.iter().map(path).collect()
    }
}

/// Of a search of any sort.
pub(super) type Head = Stored<IgnoredAny>;

impl Head {
    /// Whether it is of this program, and of a search that is done in the same way.
    pub(super) fn fits(&self, program: &str, settings: &[(&str, String)]) -> Result<(), CheckpointProblem> {
        if self.mazurka != this_version() {
            return Err(CheckpointProblem::OtherVersion(self.mazurka.clone()));
        }
        if self.program != program {
            let name = self.program.lines().next().unwrap_or_default();
            return Err(CheckpointProblem::OtherProgram(name.to_owned()));
        }
        for (name, now) in settings {
            let then = self.settings.iter().find(|(then, _)| then == name).map(|(_, value)| value);
            let then = then.ok_or(CheckpointProblem::Damaged)?;
            if then != now {
                let (name, then, now) = ((*name).to_owned(), then.clone(), now.clone());
                return Err(CheckpointProblem::OtherSetting { name, then, now });
            }
        }
        Ok(())
    }
}

impl Work {
    pub(super) fn new(done: &Done, tasks: &[Task], loops: LoopRules, discoveries: String) -> Self {
        Work {
            pending: StoredTasks::new(tasks),
            known: StoredKnowledge::from(&*done.known),
            learnt: StoredKnowledge::from(&done.learnt),
            loops,
            discoveries,
        }
    }
}

impl Stored<Work> {
    pub(super) fn schedules(&self) -> Result<Vec<Schedule>, CheckpointProblem> {
        let schedule = |text: &String| text.parse().map_err(|_| CheckpointProblem::Damaged);
        self.findings.iter().map(schedule).collect()
    }

    /// What the search knows of the program's loops, and what it has learnt since.
    pub(super) fn knowledge(&self) -> Result<(Knowledge, Knowledge), CheckpointProblem> {
        let restored = |stored: &StoredKnowledge| stored.restore().ok_or(CheckpointProblem::Damaged);
        Ok((restored(&self.work.known)?, restored(&self.work.learnt)?))
    }

    /// The rules on loops that the search follows.
    pub(super) fn loops(&self) -> LoopRules {
        self.work.loops
    }

    /// What the front end found out about the program.
    pub(super) fn discoveries(&self) -> &str {
        &self.work.discoveries
    }

    pub(super) fn tasks(&self) -> Result<Vec<Task>, CheckpointProblem> {
        self.work.pending.restore(self.threads.len()).ok_or(CheckpointProblem::Damaged)
    }
}

/// What may not change between the processes of a search of interleavings: first of all, that it is one.
pub(super) fn settings_of(settings: &Settings) -> Vec<(&'static str, String)> {
    let order = SchedulingOrder::ALL.iter().find(|(_, order)| *order == settings.order);
    let bounds = if settings.bounds.any() { settings.bounds.to_string() } else { "none".to_owned() };
    vec![
        ("search", "pop".to_owned()),
        ("limit of steps", settings.limits.steps.to_string()),
        ("scheduling order", order.map_or("", |(name, _)| name).to_owned()),
        ("bound", bounds),
    ]
}
