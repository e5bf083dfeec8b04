//! Source-DPOR (SRC Algorithms 1, 3 and 5; restated with its symbols in docs/algorithms/source.md).
//!
//! | paper | here |
//! |---|---|
//! | `Explore(E, Sleep)` | [`crate::algorithms::source_search::explore`], without recursion |
//! | `I[E'](v) ∩ backtrack(E') = ∅` | [`covers`] |
//! | "add some q ∈ `I[E'](v)`" | [`choose`] |
//!
//! Departures from the printed algorithm: none in what is explored. The lines for locks (Algorithm 3) and for general
//! blocking (Algorithm 5) are one call, [`trace::Trace::races_of_pending`]; a step with alternatives is explored by all of them.

use crate::Algorithm;
use crate::algorithms::source_search::{self, BacktrackRule};
use crate::explorer::{Explorer, Stop};
use model::{Choice, ThreadId};
use trace::Initial;

/// See the head of this file.
pub(crate) struct Source;

impl Algorithm for Source {
    fn forget(&mut self) {}

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        source_search::explore(e, &BacktrackRule { covers, choose })
    }
}

/// Whether some initial of v will be explored after E' anyway.
fn covers(backtrack: &[Choice], initials: &[Initial]) -> bool {
    initials.iter().any(|initial| backtrack.contains(&initial.choice()))
}

/// Any initial serves; the thread of the race's second event, where it is one, gets there fastest.
fn choose(initials: &[Initial], second: ThreadId) -> Choice {
    let own = initials.iter().find(|initial| initial.thread == second);
    own.unwrap_or(&initials[0]).choice()
}
