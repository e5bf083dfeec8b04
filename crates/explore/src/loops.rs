//! Loops that wait or retry: rounds without an effect are no part of a class (docs/algorithms/loops.md).
//!
//! A thread that comes back to the same local state, having changed nothing that others could see, has done nothing. The
//! step that would complete such a round *closes* it. What is explored is the program without closing steps:
//!
//! - a closing step that is itself silent is not enabled: its operation waits for a word with which it does not close
//!   ([`trace::guard`]);
//! - after any other closing step, and after one of which it was not known, the thread is *stopped*.
//!
//! Which words are bad at which local state is found by running: a *fact* says that a silent step leads from one local
//! state, by one word, to another. What a search knows does not change while it runs; one that learnt something begins
//! anew.
//!
//! | docs/algorithms/loops.md | here |
//! |---|---|
//! | a round is erasable | `rounds.rs` |
//! | facts | `knowledge.rs` |
//! | a step that closes is not enabled (B), shortcuts (E), the commit merge (D), polled sections (S) | `guards.rs` |
//! | stopped (A), and the run as the search sees it | `watched.rs` |
//! | rounds that can be left out together | `together.rs` |
//! | stuck for ever (T4) | `stuck.rs` |
//! | what a step teaches | `lessons.rs` |
//! | where loops are looked for | `scout.rs` |

mod guards;
mod knowledge;
mod lessons;
mod rounds;
mod rules;
mod scout;
mod situations;
mod stored;
mod stuck;
mod together;
mod visits;
mod watched;

pub use knowledge::Knowledge;
pub use rules::LoopRules;
pub(crate) use stored::StoredKnowledge;
pub(crate) use stuck::Verdict;
pub(crate) use watched::{Lesson, Watched};
