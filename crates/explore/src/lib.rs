//! The search: the explorer, and the algorithms of the papers, one a file.
//!
//! ```text
//! check ─▶ Algorithm::explore ─▶ Explorer (grow, look back, cut) ─▶ Run
//!                │                    └─▶ Trace
//!                └─ races, reversals, sleep sets, wakeup trees: crate `trace`
//! ```
//! An algorithm drives the [`Explorer`], which is the papers' `E`: it grows by a step, and is cut back to a prefix. That
//! the program has to be run again from its start after a cut is the explorer's own affair.

mod algorithms;
pub mod bytes;
mod checkpoint;
mod explorer;
mod loops;
mod search;
mod states;
mod workers;

pub use algorithms::order::SchedulingOrder;
pub use algorithms::replay::{replay, rerun};
pub use algorithms::unfolding::unfold;
pub use algorithms::{ALGORITHMS, Algorithm, AlgorithmInfo, Equivalence, Guarantee, algorithm, default_algorithm};
pub use checkpoint::{CheckpointError, CheckpointProblem, Checkpoints, Stored};
pub use explorer::{Explorer, Stop};
pub use loops::{Knowledge, LoopRules};
pub use search::automatic::check_by;
pub use search::bounds::Bounds;
pub use search::bug_first::check_first;
pub use search::check::{Report, check, check_with};
pub use search::data_race::first_of_race;
pub use search::error::{Divergence, Error};
pub use search::estimate::{Estimate, Samples, Sampling, Tree, estimate};
pub use search::findings::schedule_of;
pub use search::learning::{AlwaysMore, Learner, Learnt, search_until_known};
pub use search::settings::{Limit, Limits, Settings, UnfoldingSettings, cores};
pub use search::too_long::TooLong;
pub use states::{StateCounts, StateLimit, StateLimits, StateReport, search_states, search_states_while};
pub use trace::Finding;
pub use trace::unfolding::{Preference, Structure, StructureEvent};
pub use workers::bundle::{Bundle, NoBundle, Parcel, Portable};
pub use workers::processes::{Copied, Link, NUMBERS, Processes, WorkerProcess};
pub use workers::shareable::{Shareable, Slice, SliceEnd, Sliced, Total};
pub use workers::slice::{Interleavings, report_of};
pub use workers::task::Task;
pub use workers::team;
pub use workers::{receive as receive_message, send as send_message};
