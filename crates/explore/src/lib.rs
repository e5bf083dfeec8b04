//! The search: the explorer, and the algorithms of the papers, one a file.
//!
//! ```text
//! check ─▶ Algorithm::explore ─▶ Explorer (grow, look back, cut) ─▶ Run
//!                │                    └─▶ Trace
//!                └─ races, reversals, sleep sets, wakeup trees: crate `trace`
//! ```
//! An algorithm drives the [`Explorer`], which is the papers' `E`: it grows by a step, and is cut back to a prefix. That
//! the program has to be run again from its start after a cut is the explorer's own affair.

mod algorithm;
mod automatic;
mod bounded_search;
mod bounds;
mod bug_first;
mod bundle;
pub mod bytes;
mod check;
mod checkpoint;
mod classic;
mod committed;
mod data_race;
mod error;
mod estimate;
mod explored;
mod explorer;
mod findings;
mod learning;
mod loops;
mod naive;
mod observers;
mod optimal;
mod order;
mod pct;
mod pivot;
mod pop;
mod processes;
mod random;
mod replay;
mod settings;
mod shareable;
mod shared;
mod shrink;
mod slice;
mod source;
mod source_search;
mod states;
mod task;
pub mod team;
mod too_long;
mod unfolding;
mod workers;

pub use algorithm::{ALGORITHMS, Algorithm, AlgorithmInfo, Equivalence, Guarantee, algorithm, default_algorithm};
pub use automatic::check_by;
pub use bounds::Bounds;
pub use bug_first::check_first;
pub use bundle::{Bundle, NoBundle, Parcel, Portable};
pub use check::{Report, check, check_with};
pub use checkpoint::{CheckpointError, CheckpointProblem, Checkpoints, Stored};
pub use data_race::first_of_race;
pub use error::{Divergence, Error};
pub use estimate::{Estimate, Samples, Sampling, Tree, estimate};
pub use explorer::{Explorer, Stop};
pub use findings::schedule_of;
pub use learning::{AlwaysMore, Learner, Learnt, search_until_known};
pub use loops::{Knowledge, LoopRules};
pub use order::SchedulingOrder;
pub use processes::{Copied, Link, NUMBERS, Processes, WorkerProcess};
pub use replay::{replay, rerun};
pub use settings::{Limit, Limits, Settings, UnfoldingSettings, cores};
pub use shareable::{Shareable, Slice, SliceEnd, Sliced, Total};
pub use slice::{Interleavings, report_of};
pub use states::{StateCounts, StateLimit, StateLimits, StateReport, search_states};
pub use task::Task;
pub use too_long::TooLong;
pub use trace::Finding;
pub use trace::unfolding::{Preference, Structure, StructureEvent};
pub use unfolding::unfold;
pub use workers::{receive as receive_message, send as send_message};
