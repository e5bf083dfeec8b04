//! A latch: threads wait until it has been counted down.

use crate::object::Object;
use model::OpKind;
use std::panic::Location;

/// A latch that opens when it has been counted down to 0, and stays open. `std` has none; those of other languages and
/// libraries can be written as this one, which takes fewer executions than a counter with a condition variable: threads that
/// count it down do not see each other.
///
/// ```
/// use mazurka::{sync::Latch, thread};
///
/// let report = mazurka::Checker::new().check(|| {
///     let ready = Latch::new(2);
///     thread::scope(|scope| {
///         scope.spawn(|| ready.count_down());
///         scope.spawn(|| ready.count_down());
///         ready.wait();
///     });
/// });
/// assert!(report.is_proof());
/// assert_eq!(report.executions(), 1);
/// ```
#[derive(Debug)]
pub struct Latch {
    object: Object,
    count: u64,
}

impl Latch {
    /// A latch that opens when it has been counted down so many times.
    #[track_caller]
    pub const fn new(count: usize) -> Self {
        Latch { object: Object::new("Latch"), count: count as u64 }
    }

    /// A latch with a name for reports.
    #[track_caller]
    pub const fn named(name: &'static str, count: usize) -> Self {
        let latch = Latch::new(count);
        Latch { object: latch.object.named(name), count: latch.count }
    }

    fn perform(&self, kind: OpKind, location: &'static Location<'static>) -> fiber::Answer {
        fiber::perform(kind, self.object.id(|| self.count), location)
    }

    /// Counts the latch down by one. One that is open stays open.
    #[track_caller]
    pub fn count_down(&self) {
        self.perform(OpKind::CountDown, Location::caller());
    }

    /// Waits until the latch is open.
    #[track_caller]
    pub fn wait(&self) {
        self.perform(OpKind::PassLatch, Location::caller());
    }

    /// Whether the latch is open.
    #[track_caller]
    pub fn is_open(&self) -> bool {
        self.perform(OpKind::Read, Location::caller()).before() == 0
    }
}
