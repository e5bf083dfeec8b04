//! Weak memory: exploration over execution graphs, and the memory models.
//!
//! Threads ask, and the explorer says what a read returns ([`model::Threads`]). An execution is a [`Graph`]: which write each
//! read takes, and in which order the writes of each object are. [`Graphs`] visits every graph that a memory model allows, each
//! once; [`MODELS`] are those that there are; [`naive`] finds the same graphs by trying everything, for tests.

mod access;
mod branch;
mod check;
mod checkpoint;
mod clocks;
mod code;
mod crew;
mod estimate;
mod findings;
mod graph;
mod graphs;
mod hb;
mod lives;
mod loops;
mod models;
pub mod naive;
mod relation;
mod replay;
mod run;
mod schedule;
mod search;
mod sequential;
mod slice;
mod stronger;
mod task;
mod views;
mod why;

pub use access::Unsupported;
pub use branch::{Branch, How, Place as EventPlace};
pub use check::{Limit, Report, Settings, check, check_in_processes, check_kept, check_stronger, check_watched};
pub use estimate::estimate;
pub use findings::Finding;
pub use graph::{Event, EventId, FRESH, Graph, Label, NONE};
pub use graphs::{Complete, Graphs};
pub use models::{MODELS, ModelInfo, model};
pub use replay::{ReplayError, execute, is_graph, model_of, replay};
pub use run::Error;
pub use schedule::schedule;
pub use search::Watcher;
pub use slice::{UnderModel, report_of};
pub use stronger::{Change, Place, Stronger, minimal};
pub use why::{Stale, Why};
