//! Classic DPOR: Flanagan and Godefroid's persistent sets, with sleep sets (SRC end of Section 5.1).
//!
//! Source-DPOR with a stronger test: it is not enough that *some* initial of v is explored after E'; it must be one whose
//! step happens before the race's second event, or is it.
//!
//! | paper | here |
//! |---|---|
//! | the set E of threads "that perform an event which happens-before next(p), or p" | [`Initial::leads_to_last`] |

use crate::Algorithm;
use crate::algorithms::source_search::{self, BacktrackRule};
use crate::explorer::{Explorer, Stop};
use model::{Choice, ThreadId};
use trace::Initial;

/// See the head of this file.
pub(crate) struct Classic;

impl Algorithm for Classic {
    fn forget(&mut self) {}

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        source_search::explore(e, &BacktrackRule { covers, choose })
    }
}

/// Whether an initial that leads to the second event will be explored after E' anyway.
fn covers(backtrack: &[Choice], initials: &[Initial]) -> bool {
    initials.iter().any(|initial| initial.leads_to_last && backtrack.contains(&initial.choice()))
}

/// An initial that leads to the second event: its own thread, where it is one.
fn choose(initials: &[Initial], second: ThreadId) -> Choice {
    let mut leading = initials.iter().filter(|initial| initial.leads_to_last);
    let own = leading.clone().find(|initial| initial.thread == second);
    own.or_else(|| leading.next()).expect("something in v leads to its last event").choice()
}
