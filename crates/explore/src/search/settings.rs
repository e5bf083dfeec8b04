//! How a search is to be done, and where it is to stop.

use crate::{Bounds, Checkpoints, Knowledge, LoopRules, SchedulingOrder};
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;
use trace::unfolding::Preference;

/// What a user can choose about a search, whichever algorithm runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which thread goes first where the algorithm leaves it open. A bound on schedules has an order of its own.
    pub order: SchedulingOrder,
    /// When to give up.
    pub limits: Limits,
    /// Which schedules are looked at.
    pub bounds: Bounds,
    /// Go on after the first failure or deadlock.
    pub keep_going: bool,
    /// How many threads of the operating system, or [processes](crate::Processes), search at the same time, where the
    /// algorithm can make use of them. What is counted and found does not depend on it.
    pub workers: NonZeroUsize,
    /// So many executions, but at least one, are run before other workers are called: most searches are smaller.
    pub runs_alone: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// The depth of the bugs that `pct` looks for: one more than the changes of priority in an execution.
    pub pct_depth: NonZeroU32,
    /// How `unfolding` looks for alternatives.
    pub unfolding: UnfoldingSettings,
    /// Before a search for proof that is not a small one, a short one samples: see `bug_first.rs`.
    pub bug_first: bool,
    /// Findings are shown by simpler executions, where there are some: see `shrink.rs`.
    pub shrink: bool,
    /// Where the search is written to, so that another process can go on with it; nowhere if none.
    pub checkpoints: Option<Checkpoints>,
    /// Stop if the first execution has messages: another algorithm may explore less then ([`crate::check_by`]).
    pub stop_at_messages: bool,
    /// The rules on loops that wait or retry.
    pub loops: LoopRules,
    /// What is known of the program's loops to begin with.
    pub known: Arc<Knowledge>,
}

/// How `unfolding` looks for alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfoldingSettings {
    /// How many of the events that are done with an alternative must be in conflict with; all, which is optimal, if none.
    pub k: Option<NonZeroU32>,
    /// Which of them come first.
    pub preference: Preference,
    /// So many candidates are tried at most for one alternative; then what was found has to do, which may lead to
    /// executions that are blocked.
    pub budget: u64,
    /// Make the choices that Dpu, the tool of the paper, makes; nothing is forgotten.
    pub as_dpu: bool,
    /// Leave out events that lead to a state which fewer events lead to: then every state that can be reached is explored, not
    /// every class, and programs without an end can be explored. For programs whose states can be compared.
    pub cutoffs: bool,
}

/// More than any program of the papers needs by far.
const BUDGET: u64 = 1_000_000;

impl Default for UnfoldingSettings {
    fn default() -> Self {
        UnfoldingSettings { k: None, preference: Preference::default(), budget: BUDGET, as_dpu: false, cutoffs: false }
    }
}

/// Most bugs that were studied have depth 1 or 2.
const PCT_DEPTH: NonZeroU32 = NonZeroU32::new(3).expect("more than 0");

const RUNS_ALONE: usize = 256;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            order: SchedulingOrder::default(),
            limits: Limits::default(),
            bounds: Bounds::default(),
            keep_going: false,
            workers: NonZeroUsize::MIN,
            runs_alone: RUNS_ALONE,
            seed: 0,
            pct_depth: PCT_DEPTH,
            unfolding: UnfoldingSettings::default(),
            bug_first: false,
            shrink: false,
            checkpoints: None,
            stop_at_messages: false,
            loops: LoopRules::ALL,
            known: Arc::default(),
        }
    }
}

/// How many cores the machine has: how many workers make sense.
pub fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// When to give up. A search that goes on from a checkpoint has all of its executions and time ahead of it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Runs in all, those that are given up included. A search that begins anew counts anew.
    pub executions: Option<u64>,
    /// Steps of one run.
    pub steps: usize,
    /// Time for the whole search.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { executions: None, steps: 1_000_000, time: None }
    }
}

/// The limit that ended a search, or a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// So many executions were run.
    Executions(u64),
    /// Some run was given up after so many steps.
    Steps(usize),
    /// So much time passed.
    Time(Duration),
    /// Something was left out because it is beyond a bound.
    Bounds(Bounds),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Executions(n) => write!(f, "the limit of {n} executions was reached"),
            Limit::Steps(n) => write!(f, "some run reached the limit of {n} steps and was given up"),
            Limit::Time(time) => write!(f, "the time limit of {time:?} was reached"),
            Limit::Bounds(bounds) => write!(f, "bounded to {bounds}, which is not a proof"),
        }
    }
}
