//! PCT: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010, Section 3;
//! restated in docs/algorithms/pct.md).
//!
//! Random schedules with few switches. Threads have random priorities, and the highest enabled one runs; at d - 1 random
//! steps, the thread that has just run falls below all that have not fallen. Every bug of depth d (one that shows as soon
//! as d pairs of steps are ordered in the right way) is found by each execution with a chance of at least
//! `1 / (n · k^(d-1))`, where n is the number of threads and k that of steps.
//!
//! | paper | here |
//! |---|---|
//! | d | [`crate::Settings::pct_depth`] |
//! | priority change points `k1 … k(d-1)` | [`Pct::change_points`] |
//! | "schedule the enabled thread with the highest priority" | [`Pct::highest`] |
//! | "change the priority of that thread to i" | [`Pct::lower`] |
//!
//! Departures:
//! - k is not given: it is the length of the longest execution so far. The first execution has no change points.
//! - n is not given: a thread draws its priority when it is first seen.
//! - A thread that yields falls below all others, so that a loop which waits for another thread by yielding ends.
//! - Alternatives of a step are equally likely.

use crate::Algorithm;
use crate::explorer::{Explorer, Stop};
use model::{OpKind, Pending};

/// See the head of this file.
#[derive(Default)]
pub(crate) struct Pct {
    /// For each thread that has been seen, the larger the more important. Those that have fallen are negative.
    priorities: Vec<Option<i64>>,
    /// After how many steps a thread falls. The later in this list, the less far.
    change_points: Vec<usize>,
    /// How many times some thread has yielded.
    yields: i64,
    /// Steps of the longest execution so far.
    longest: usize,
    /// Reused: who can take a step.
    enabled: Vec<Pending>,
}

impl Algorithm for Pct {
    fn forget(&mut self) {
        *self = Pct::default();
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        let depth = e.settings().pct_depth.get();
        loop {
            self.execute(e, depth, |_| false)?;
            if e.trace().is_empty() {
                // A program without steps has one execution, and there is nothing to repeat.
                return Ok(());
            }
            e.cut(0);
        }
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}

impl Pct {
    /// One execution, which looks for bugs of this depth. What `goes_first` says does so, whatever its priority.
    pub(crate) fn execute(
        &mut self,
        e: &mut Explorer<'_>,
        depth: u32,
        goes_first: impl Fn(&Pending) -> bool,
    ) -> Result<(), Stop> {
        self.begin(e, depth);
        let mut enabled = std::mem::take(&mut self.enabled);
        loop {
            e.enabled(&mut enabled)?;
            let highest = self.highest(e, &enabled);
            let first = enabled.iter().copied().find(|pending| goes_first(pending));
            let Some(pending) = first.or(highest) else { break };
            let alternative = e.random().u32(0..pending.alternatives);
            e.step(pending.choice_of(alternative))?;
            self.lower(e, &pending);
        }
        self.enabled = enabled;
        self.longest = self.longest.max(e.trace().len());
        e.finish(|| None)
    }

    /// A new execution: draws its change points.
    fn begin(&mut self, e: &mut Explorer<'_>, depth: u32) {
        self.priorities.clear();
        self.change_points.clear();
        self.yields = 0;
        if self.longest > 0 {
            self.change_points.extend((1..depth).map(|_| e.random().usize(1..=self.longest)));
        }
    }

    /// The thread of the highest priority. Who is seen for the first time draws one, all alike: any order of n threads is
    /// as likely as any other.
    fn highest(&mut self, e: &mut Explorer<'_>, enabled: &[Pending]) -> Option<Pending> {
        for pending in enabled {
            let thread = pending.thread.index();
            if self.priorities.len() <= thread {
                self.priorities.resize(thread + 1, None);
            }
            self.priorities[thread].get_or_insert_with(|| e.random().i64(0..));
        }
        enabled.iter().copied().max_by_key(|pending| self.priorities[pending.thread.index()])
    }

    /// The thread that has just taken a step falls, if a change point says so or if it yielded.
    fn lower(&mut self, e: &Explorer<'_>, taken: &Pending) {
        let len = e.trace().len();
        let points = self.change_points.len() as i64;
        let lowered = if taken.op.kind == OpKind::Yield {
            self.yields += 1;
            Some(-points - self.yields)
        } else {
            let point = self.change_points.iter().position(|&point| point == len);
            point.map(|i| i as i64 - points)
        };
        if lowered.is_some() {
            self.priorities[taken.thread.index()] = lowered;
        }
    }
}
