//! Tasks on their way to another machine: a bundle of them is explored by one process, and is one string of bytes.
//!
//! Tasks that were found in the same execution have it in common there, and executions that begin in the same way have
//! their beginning in common (`bundle/code.rs`).

mod code;

use crate::bytes::{Reader, Writer};
use crate::search::findings::schedule_of_choices;
use crate::workers::task::Task;
use model::{Names, Schedule};

/// A part of a search that another process can do.
pub trait Portable: Clone + Send {
    /// The form of the bytes, which is the first of them.
    const FORM: u8;

    /// The whole search.
    fn whole() -> Self;

    /// Its share of the whole search.
    fn share(&self) -> f64;

    /// Tasks as bytes.
    fn write(tasks: &[Self], out: &mut Writer);

    /// As they were written, unless something in the bytes cannot be.
    fn read(from: &mut Reader<'_>) -> Option<Vec<Self>>;
}

/// Some of the tasks of a search.
#[derive(Clone, Debug)]
pub struct Bundle<T = Task> {
    tasks: Vec<T>,
    /// How many runs of the search came before these tasks, in the slices that they come from.
    runs_before: u64,
}

/// A bundle as it is sent, with what there is to know of it besides.
#[derive(Clone, PartialEq, Debug)]
pub struct Parcel {
    /// The bundle.
    pub bytes: Vec<u8>,
    /// How many tasks it has.
    pub tasks: usize,
    /// Their share of the whole search.
    pub share: f64,
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

impl<T: Portable> Bundle<T> {
    /// The whole search.
    pub fn whole() -> Self {
        Bundle::new(vec![T::whole()], 0)
    }

    /// These tasks, after so many runs.
    pub fn new(tasks: Vec<T>, runs_before: u64) -> Self {
        Bundle { tasks, runs_before }
    }

    /// How many runs of the search came before.
    pub fn runs_before(&self) -> u64 {
        self.runs_before
    }

    /// The tasks.
    pub fn into_tasks(self) -> Vec<T> {
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
        self.tasks.iter().map(T::share).sum()
    }

    /// Deals the tasks to at most so many bundles, none of them empty. Older tasks are larger, so that each bundle gets some of
    /// every age.
    pub fn split(self, most: usize) -> Vec<Self> {
        let parts = most.clamp(1, self.tasks.len().max(1));
        let mut bundles = vec![Bundle::new(Vec::new(), self.runs_before); parts];
        for (place, task) in self.tasks.into_iter().enumerate() {
            bundles[place % parts].tasks.push(task);
        }
        bundles.retain(|bundle| !bundle.is_empty());
        bundles
    }

    /// The bundles of [`Bundle::split`], as they are sent.
    pub fn parcels(self, most: usize) -> Vec<Parcel> {
        let parcel = |part: Self| Parcel { bytes: part.encode(), tasks: part.len(), share: part.share() };
        self.split(most).into_iter().map(parcel).collect()
    }

    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(T::FORM);
        out.number(self.runs_before);
        T::write(&self.tasks, &mut out);
        out.into_bytes()
    }

    /// From bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, NoBundle> {
        let decoded = || {
            let (_, bytes) = bytes.split_first().filter(|(form, _)| **form == T::FORM)?;
            let mut from = Reader::new(bytes);
            let runs_before = from.number()?;
            let tasks = T::read(&mut from).filter(|_| from.is_empty())?;
            Some(Bundle::new(tasks, runs_before))
        };
        decoded().ok_or(NoBundle)
    }
}

impl Bundle {
    /// The beginnings of the executions that the tasks are, as `replay` takes them. Tasks with threads that this process does
    /// not know are left out.
    pub fn schedules(&self, names: &dyn Names) -> Vec<Schedule> {
        let known = names.registry().map_or(usize::MAX, |registry| registry.len());
        let is_known = |task: &&Task| task.choices().all(|choice| choice.thread.index() < known);
        self.tasks.iter().filter(is_known).map(|task| schedule_of_choices(task.choices(), names)).collect()
    }
}
