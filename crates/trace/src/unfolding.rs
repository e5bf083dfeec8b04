//! The unfolding of a program, as far as a search needs it: events that many executions share.
//!
//! An event of an execution is named by its place there; a [`Node`] is the same event in every execution that has it. It
//! is a step of a thread together with all that happened before it: two steps with the same history are one node.
//!
//! | paper (QO, C15) | here |
//! |---|---|
//! | `U` | [`Unfolding`]: an arena in which equal events are one |
//! | `⌈e⌉` | never stored: the *causes* of a node, which are its maximal events, and their causes |
//! | the lock tree's children | the *followers* of a write: the nodes that found it as the last write of their object |
//! | `e #ᵢ f` | [`Unfolding::are_rivals`] |
//! | `C` | [`Configuration`] |
//! | `D`, with what of it is justified | [`Done`] |
//! | `cex(C)` | [`Unfolding::extend`], [`Unfolding::extend_fully`] |
//! | cutoffs | [`Unfolding::is_cut_off`] |
//! | `Alt(C, D)` | [`Alternatives::find`] |
//! | `U ∩ Q(C, D)` | [`Unfolding::forget`], [`Unfolding::release_unneeded`] |

mod alternative;
mod arena;
mod causes;
mod clocks;
mod configuration;
mod cutoff;
mod done;
mod dpu;
mod extensions;
mod followers;
mod hints;
mod keep;
mod naming;
mod slot;
mod structure;

pub use alternative::{Alternatives, Found, Preference};
pub use arena::{Node, Unfolding};
pub use configuration::Configuration;
pub use done::{Done, Open};
pub use structure::{Structure, StructureEvent};
