//! Mirror of [`std::sync::Barrier`].

use crate::object::Object;
use model::OpKind;
use std::fmt;
use std::panic::Location;

/// Mirror of [`std::sync::Barrier`].
#[derive(Debug)]
pub struct Barrier {
    object: Object,
    parties: u32,
}

/// Mirror of [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult {
    is_last: bool,
    /// Where the thread waited.
    wait: &'static Location<'static>,
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}

impl BarrierWaitResult {
    /// Whether this thread is the one of its meeting that is told so: the last to arrive.
    pub fn is_leader(&self) -> bool {
        // Until somebody asks, the order of arrivals does not matter.
        fiber::asks_who_was_last(self.wait);
        self.is_last
    }
}

impl Barrier {
    /// A barrier for so many threads.
    #[track_caller]
    pub const fn new(parties: usize) -> Self {
        // A barrier for nobody lets everybody pass, like one for a single thread.
        Barrier { object: Object::new("Barrier"), parties: if parties == 0 { 1 } else { parties as u32 } }
    }

    /// A barrier with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, parties: usize) -> Self {
        let barrier = Barrier::new(parties);
        Barrier { object: barrier.object.named(name), parties: barrier.parties }
    }

    /// Waits until all threads of the meeting have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let (parties, location) = (self.parties, Location::caller());
        let ordered = fiber::orders_arrivals(location);
        let before = self.object.perform(OpKind::Arrive { parties, ordered }, location).before();
        fiber::comes_to_barrier(self.object.id(|| 0), parties);
        let generation = (before / u64::from(parties)) as u32;
        self.object.perform(OpKind::Pass { parties, generation }, location);
        BarrierWaitResult { is_last: before % u64::from(parties) == u64::from(parties) - 1, wait: location }
    }
}
