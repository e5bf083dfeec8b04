//! One search on many machines, over PostgreSQL.
//!
//! ```text
//!                 mazurka_run ◀── Store: lease, commit, finish ◀── work (one for each process)
//!                 mazurka_task                                       │
//!   PostgreSQL    mazurka_tally       beat (a thread, a connection)──┤
//!                 mazurka_finding     threads (ids of threads) ──────┤
//!                 mazurka_lesson                                     ▼
//!                 mazurka_thread                            Slicer ──▶ explore::explore_slice
//! ```
//! A row of `mazurka_task` is a bundle of tasks. A process *leases* one, explores it for a while with all its cores, and
//! *commits*: one statement removes the row, adds what was counted and found, and inserts what is left to do. All of it
//! hangs on the removal, which succeeds once. So a lease is a hint only, and whoever dies, sleeps or comes late changes
//! no count. docs/cluster.md is the user's page.

mod address;
mod beat;
mod commit;
mod config;
mod finish;
mod local;
mod problem;
mod run;
mod schema;
mod status;
mod store;
mod tally;
mod threads;
mod version;
mod work;

pub use config::Config;
pub use finish::Verdict;
pub use local::{FrontEnd, Local};
pub use problem::Problem;
pub use run::{NewRun, Run, RunState, digest};
pub use schema::SCHEMA;
pub use status::{RunStatus, WorkerStatus, status};
pub use store::{Owner, Store};
pub use version::Version;
pub use work::{Moment, Options, Slicer, Worked, work};
