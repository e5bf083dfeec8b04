//! The mathematics of the papers: events, happens-before, races and how to reverse them, initials, wakeup trees.
//!
//! An algorithm file of the crate `explore` is written in the words of this crate. Nothing here runs or chooses
//! anything.
//!
//! | paper | here |
//! |---|---|
//! | `E` | [`Trace`] |
//! | dependence | [`dependence`] |
//! | `e →E e'` | [`Trace::happens_before`] |
//! | `e ≲E e'`, and threads that stay blocked | [`Race`], [`Trace::races`], [`Trace::races_of_pending`] |
//! | `notdep(e,E).e'` | [`Reversal`] |
//! | `I[E](v)`, `p ∈ WI[E](v)` | [`Reversal::initials`], [`Reversal::weak_initial`] |
//! | what a thread with several transitions could have taken instead | [`Sibling`], [`Without`] |
//! | sleep set | [`SleepSets`] |
//! | wakeup tree, `insert[E](v,B)` | [`WakeupTrees`] |
//! | schedule `e'↓w` | [`Reversal::keep_causes`] |
//! | `SSChar`, `UpdSeq` | [`SleepExpressions`] |
//! | the class of E under `≃` | [`Trace::class`], [`Trace::class_by_observers`] |
//! | happens-before with observers | [`observe`], [`Trace::observe`] |
//! | `redundant(E', done)` | [`DoneSets`] |
//! | `notdep(e,E).ê'.ê.notobs(e,e',E).ô` | [`Sequence`] |

mod class;
mod clock;
pub mod dependence;
mod done;
mod finding;
pub mod guard;
mod history;
mod mailbox;
pub mod observe;
mod preview;
mod race;
mod removal;
mod rest;
mod results;
mod reversal;
mod sequence;
mod siblings;
mod sleep;
mod sleep_expression;
mod steps;
mod trace;
pub mod unfolding;
mod wakeup;

pub use class::Class;
pub use dependence::Footprint;
pub use done::DoneSets;
pub use finding::Finding;
pub use race::{PendingRaces, Race};
pub use results::{Ending, Execution, Progress, Sink, Tally};
pub use reversal::{Initial, Reversal, Witness};
pub use sequence::Sequence;
pub use siblings::{Sibling, SiblingRace, Without};
pub use sleep::{SleepSets, Sleeper};
pub use sleep_expression::{Name, Next, SleepExpressions};
pub use trace::{Event, EventId, Trace};
pub use wakeup::{Going, Guide, WakeupTree, WakeupTrees};
