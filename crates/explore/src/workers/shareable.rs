//! Searches that are done in slices, on any machine: what goes from one to another is bytes and text.
//!
//! Whoever shares a search out, such as a cluster, knows no more of it than this.

use crate::checkpoint::StoredTally;
use crate::workers::bundle::{NoBundle, Parcel};
use crate::{Error, Processes};
use model::{Names, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use trace::{Sink, Tally};

/// A search that can be shared out.
pub trait Shareable: Sync {
    /// How many workers of this machine a slice has.
    fn cores(&self) -> usize;

    /// The whole search, as a bundle.
    fn whole(&self) -> Vec<u8>;

    /// What it knows when it begins.
    fn first_lessons(&self) -> String;

    /// Explores tasks until the sink says that it is enough.
    fn slice(
        &self,
        program: &dyn Program,
        processes: Option<&dyn Processes>,
        sink: &mut dyn Sink,
        slice: Slice<'_>,
    ) -> Sliced;

    /// Deals the tasks of a bundle to at most so many, none of them empty.
    fn split(&self, bundle: &[u8], most: usize) -> Result<Vec<Parcel>, NoBundle>;

    /// The beginnings of executions that the tasks of a bundle are, as schedules.
    fn schedules(&self, bundle: &[u8], names: &dyn Names) -> Vec<String>;

    /// What was learnt in two slices.
    fn together(&self, one: &str, other: &str) -> String;

    /// What is known after slices have learnt this; none if what was known cannot be read.
    fn after(&self, lessons: &str, learnt: &[String]) -> Option<String>;

    /// Whether what slices have learnt together says that something was taken for granted that is not so.
    fn are_refuted(&self, learnt: &[String]) -> bool;

    /// What is known when local states were not what they seemed; none if what was known cannot be read.
    fn weaker(&self, lessons: &str) -> Option<String>;
}

/// What is to be done.
pub struct Slice<'a> {
    /// The tasks.
    pub bundle: &'a [u8],
    /// What is known.
    pub lessons: &'a str,
    /// How often the search has begun anew.
    pub restarts: u32,
    /// So many executions at the most, by one worker.
    pub most: Option<u64>,
}

/// What came of a slice.
#[derive(Debug)]
pub struct Sliced {
    /// What was counted.
    pub tally: Tally,
    /// The schedules of what was found, one of each sort.
    pub findings: Vec<String>,
    /// The schedule of an execution that had too many steps.
    pub too_long: Option<String>,
    /// What is left to do.
    pub left: Vec<u8>,
    /// What was learnt of loops, as text; none if nothing was.
    pub learnt: Option<String>,
    /// Why it ended.
    pub end: SliceEnd,
}

/// Why a slice ended.
#[derive(Clone, PartialEq, Debug)]
pub enum SliceEnd {
    /// The sink said so, or nothing is left.
    Over,
    /// Something was found, and the settings say to stop there.
    Found,
    /// What was learnt makes the search begin anew: nothing else of the slice counts.
    Learnt,
    /// The program behaved differently because of its local states: the search begins anew with weaker rules.
    Unsteady,
    /// The search cannot go on.
    Failed(Error),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSliced {
    #[serde(with = "StoredTally")]
    tally: Tally,
    findings: Vec<String>,
    too_long: Option<String>,
    left: Vec<u8>,
    learnt: Option<String>,
    end: StoredEnd,
}

#[derive(Serialize, Deserialize)]
enum StoredEnd {
    Over,
    Found,
    Learnt,
    Unsteady,
    Lost(String),
    Failed(String),
}

impl Sliced {
    /// A slice of which nothing was done.
    pub fn failed(bundle: &[u8], error: Error) -> Self {
        Sliced::undone(bundle, SliceEnd::Failed(error))
    }

    /// The same, for this reason.
    pub fn undone(bundle: &[u8], end: SliceEnd) -> Self {
        let left = bundle.to_vec();
        Sliced { tally: Tally::default(), findings: Vec::new(), too_long: None, left, learnt: None, end }
    }

    /// As text, for another process.
    pub fn to_text(&self) -> String {
        let end = match &self.end {
            SliceEnd::Over => StoredEnd::Over,
            SliceEnd::Found => StoredEnd::Found,
            SliceEnd::Learnt => StoredEnd::Learnt,
            SliceEnd::Unsteady => StoredEnd::Unsteady,
            SliceEnd::Failed(Error::WorkerLost(how)) => StoredEnd::Lost(how.clone()),
            SliceEnd::Failed(error) => StoredEnd::Failed(error.to_string()),
        };
        let stored = StoredSliced {
            tally: self.tally,
            findings: self.findings.clone(),
            too_long: self.too_long.clone(),
            left: self.left.clone(),
            learnt: self.learnt.clone(),
            end,
        };
        serde_json::to_string(&stored).expect("it has no maps")
    }

    /// From text; none if it is something else.
    pub fn from_text(text: &str) -> Option<Self> {
        let stored: StoredSliced = serde_json::from_str(text).ok()?;
        let end = match stored.end {
            StoredEnd::Over => SliceEnd::Over,
            StoredEnd::Found => SliceEnd::Found,
            StoredEnd::Learnt => SliceEnd::Learnt,
            StoredEnd::Unsteady => SliceEnd::Unsteady,
            StoredEnd::Lost(how) => SliceEnd::Failed(Error::WorkerLost(how)),
            StoredEnd::Failed(message) => SliceEnd::Failed(Error::InWorker(message)),
        };
        Some(Sliced {
            tally: stored.tally,
            findings: stored.findings,
            too_long: stored.too_long,
            left: stored.left,
            learnt: stored.learnt,
            end,
        })
    }
}

/// All slices of a search together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Total {
    /// What was counted.
    pub tally: Tally,
    /// The schedules of what was found.
    pub findings: Vec<String>,
    /// The schedule of an execution that had too many steps.
    pub too_long: Option<String>,
    /// Whether nothing is left to do.
    pub is_complete: bool,
    /// How long it took.
    pub elapsed: Duration,
}
