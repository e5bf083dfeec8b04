//! What stands for the state of a run, for searches that meet every state once.
//!
//! It is made of all that is copied when a run is kept to go back to, so that two runs with the same state go on in the same ways.
//! What has a part in neither is left out: what a thread saw on its way, and the time, where the program never looks at a clock.

use super::state::for_memory;
use crate::context::Context;
use model::{Fingerprint, ThreadId};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Stands for the state of the run at hand, in which no fiber runs.
pub(crate) fn whole_state(context: &Context) -> u128 {
    let mut places: Vec<Range<usize>> = Vec::new();
    for_memory(context, |place| places.push(place));
    // SAFETY: memory of the program and of its heaps' states, which is mapped; no fiber runs.
    let piece = |place: &Range<usize>| unsafe { std::slice::from_raw_parts(place.start as *const u8, place.len()) };
    let memory = Fingerprint::of_pieces(places.iter().map(piece));
    memory.and(&Tables { context, places: &places }).0
}

/// What of a state is not memory of the program.
struct Tables<'c> {
    context: &'c Context,
    /// Where its memory is.
    places: &'c [Range<usize>],
}

impl Hash for Tables<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let context = self.context;
        self.places.hash(hasher);
        for thread in (0..context.thread_count() as u32).map(ThreadId) {
            let slot = context.slot(thread);
            if slot.used.get() {
                thread.hash(hasher);
                slot.hash_state(context.image().looks_at_clock, hasher);
            }
        }
        context.world().hash_state(|_| false, hasher);
        context.syncs.hash_state(hasher);
        context.keys.borrow().hash(hasher);
        context.at_exit.borrow().hash(hasher);
        (context.concurrent.get(), context.cut.get(), context.exited.get()).hash(hasher);
    }
}
