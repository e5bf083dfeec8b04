//! Tasks on their way to another machine: a bundle of them is explored by one process, and is one string of bytes.
//!
//! Tasks that were found in the same execution have it in common there, and executions that begin in the same way have
//! their beginning in common (`bundle/code.rs`).

mod code;

use crate::findings::schedule_of_choices;
use crate::task::Task;
use model::{Names, Schedule};

/// Some of the tasks of a search.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    tasks: Vec<Task>,
    /// How many runs of the search came before these tasks, in the slices that they come from.
    runs_before: u64,
}

/// Bytes that are no bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoBundle;

impl std::fmt::Display for NoBundle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a bundle of tasks is damaged")
    }
}

impl std::error::Error for NoBundle {}

impl Bundle {
    /// The whole search.
    pub fn whole() -> Self {
        Bundle::new(vec![Task::whole()], 0)
    }

    pub(crate) fn new(tasks: Vec<Task>, runs_before: u64) -> Self {
        Bundle { tasks, runs_before }
    }

    pub(crate) fn runs_before(&self) -> u64 {
        self.runs_before
    }

    pub(crate) fn into_tasks(self) -> Vec<Task> {
        self.tasks
    }

    /// How many tasks it has.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Its share of the whole search.
    pub fn share(&self) -> f64 {
        self.tasks.iter().map(|task| task.share).sum()
    }

    /// Deals the tasks to at most so many bundles, none of them empty. Older tasks are larger, so that each bundle gets some of
    /// every age.
    pub fn split(self, most: usize) -> Vec<Bundle> {
        let parts = most.clamp(1, self.tasks.len().max(1));
        let mut bundles = vec![Bundle::new(Vec::new(), self.runs_before); parts];
        for (place, task) in self.tasks.into_iter().enumerate() {
            bundles[place % parts].tasks.push(task);
        }
        bundles.retain(|bundle| !bundle.is_empty());
        bundles
    }

    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        code::encode(&self.tasks, self.runs_before)
    }

    /// From bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, NoBundle> {
        code::decode(bytes).map(|(tasks, runs_before)| Bundle::new(tasks, runs_before)).ok_or(NoBundle)
    }

    /// The beginnings of the executions that the tasks are, as `replay` takes them. Tasks with threads that this process does
    /// not know are left out.
    pub fn schedules(&self, names: &dyn Names) -> Vec<Schedule> {
        let known = names.registry().map_or(usize::MAX, |registry| registry.len());
        let is_known = |task: &&Task| task.choices().all(|choice| choice.thread.index() < known);
        self.tasks.iter().filter(is_known).map(|task| schedule_of_choices(task.choices(), names)).collect()
    }
}
