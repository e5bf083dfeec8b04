//! A barrier that can be used again and again. Its word is the number of arrivals since the start, so that the
//! `parties` arrivals from `generation * parties` on form one meeting.

use model::State;

/// Whether everybody of this meeting has arrived.
#[inline]
pub(crate) fn complete(arrivals: State, parties: u32, generation: u32) -> bool {
    arrivals >= (u64::from(generation) + 1) * u64::from(parties)
}

/// The meeting that the next arrival belongs to.
#[inline]
pub(crate) fn next_generation(arrivals: State, parties: u32) -> u32 {
    (arrivals / u64::from(parties.max(1))) as u32
}
