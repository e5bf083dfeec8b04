//! The order in which threads are tried where an algorithm leaves it open. It changes which executions stand for their
//! classes and in what order they are found, never which classes are found.

use model::ThreadId;

/// Which thread goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SchedulingOrder {
    /// The one created first.
    #[default]
    FirstCreated,
    /// The one created last.
    LastCreated,
    /// The next one after the thread that took the last step.
    RoundRobin,
    /// A random one, by the seed of the settings.
    Random,
}

impl SchedulingOrder {
    /// All orders, with the names by which users choose them.
    pub const ALL: [(&'static str, SchedulingOrder); 4] = [
        ("first", SchedulingOrder::FirstCreated),
        ("last", SchedulingOrder::LastCreated),
        ("round-robin", SchedulingOrder::RoundRobin),
        ("random", SchedulingOrder::Random),
    ];

    /// These threads, which are given as they were created, in this order. `last` took the last step.
    pub(crate) fn of<'t>(
        self,
        threads: &'t [ThreadId],
        last: Option<ThreadId>,
        random: &mut fastrand::Rng,
    ) -> impl Iterator<Item = ThreadId> + use<'t> {
        let count = threads.len();
        let after_last = || last.map_or(0, |last| threads.partition_point(|&thread| thread <= last));
        let (start, backwards) = match self {
            SchedulingOrder::FirstCreated => (0, false),
            SchedulingOrder::LastCreated => (count.saturating_sub(1), true),
            SchedulingOrder::RoundRobin => (after_last(), false),
            SchedulingOrder::Random => (random.usize(0..count.max(1)), random.bool()),
        };
        // No remainder of a division: that would take longer than all else.
        (0..count).map(move |i| {
            let place = if backwards { start + count - i } else { start + i };
            threads[if place < count { place } else { place - count }]
        })
    }
}
