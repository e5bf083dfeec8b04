//! Which threads can take the next step, within the bounds of the search.

use super::{Explorer, FAIR, Stop, transitions};
use crate::search::bounds::{Spending, is_time_out};
use crate::{Bounds, SchedulingOrder};
use model::{OpKind, Pending, Run, ThreadId};
use trace::{Event, Trace};

impl<'a> Explorer<'a> {
    /// The first enabled thread, in the scheduling order, of which `accept` approves. None when E is maximal, when none is
    /// approved of or within the bounds, or when the run is too long.
    pub fn first_enabled(&mut self, mut accept: impl FnMut(&Trace, &Pending) -> bool) -> Result<Option<Pending>, Stop> {
        if self.is_too_long()? {
            return Ok(None);
        }
        if self.settings.bounds.any() {
            return Ok(self.first_within_bounds(accept));
        }
        let last = self.trace.events().last().map(Event::thread);
        let mut found = None;
        self.ended.clear();
        let order = if self.in_a_row < FAIR { self.settings.order } else { SchedulingOrder::RoundRobin };
        for thread in order.of(self.live.threads(&self.run), last, &mut self.random) {
            match self.run.pending(thread) {
                Some(pending) if pending.enabled && accept(&self.trace, &pending) => {
                    found = Some(pending);
                    break;
                }
                Some(pending) if self.has_siblings && pending.is_of_several => {
                    let mut others = transitions(&self.run, thread).skip(1);
                    found = others.find(|pending| pending.enabled && accept(&self.trace, pending));
                    if found.is_some() {
                        break;
                    }
                }
                // One that took no step may be one that will be created.
                None if self.trace.last_of(thread).is_some() => self.ended.push(thread),
                _ => {}
            }
        }
        for &thread in &self.ended {
            self.live.leave_out(thread);
        }
        Ok(found)
    }

    /// The same where there are bounds. They come with an order of their own.
    fn first_within_bounds(&mut self, mut accept: impl FnMut(&Trace, &Pending) -> bool) -> Option<Pending> {
        let mut enabled = Vec::new();
        self.enabled_in_order(&mut enabled);
        enabled.retain(|pending| accept(&self.trace, pending));
        let price = self.spending.price(&self.settings.bounds, &self.trace, &self.run);
        let within = enabled.iter().copied().find(|pending| price.allows(pending.thread));
        self.out_of_bounds = within.is_none() && !enabled.is_empty();
        within
    }

    /// All enabled threads, in the order of the bounds if there are some.
    fn enabled_in_order(&mut self, found: &mut Vec<Pending>) {
        let enabled = |thread| transitions(&self.run, thread).filter(|pending| pending.enabled);
        if self.settings.bounds.schedules() {
            found.extend(Spending::order(&self.trace, self.run.threads()).flat_map(enabled));
            if found.iter().any(|pending| pending.op.kind == OpKind::StopWaiting) {
                found.sort_by_key(|pending| is_time_out(&self.trace, &self.run, pending));
            }
            return;
        }
        let last = self.trace.events().last().map(Event::thread);
        let threads = self.settings.order.of(self.live.threads(&self.run), last, &mut self.random);
        if self.has_siblings {
            found.extend(threads.flat_map(enabled));
        } else {
            found.extend(threads.filter_map(|thread| self.run.pending(thread)).filter(|pending| pending.enabled));
        }
    }

    /// The bounds of the search.
    pub fn bounds(&self) -> &'a Bounds {
        &self.settings.bounds
    }

    /// What E costs.
    pub(crate) fn preemptions(&self) -> u32 {
        self.spending.preemptions()
    }

    /// Whether E stays within the bounds when `thread`, which is enabled after it, takes a step.
    pub fn is_within_bounds(&self, thread: ThreadId) -> bool {
        self.spending.price(&self.settings.bounds, &self.trace, &self.run).allows(thread)
    }

    /// Whether some enabled thread would leave the bounds.
    pub(super) fn is_something_out_of_bounds(&mut self) -> bool {
        let mut enabled = Vec::new();
        self.enabled_in_order(&mut enabled);
        let price = self.spending.price(&self.settings.bounds, &self.trace, &self.run);
        enabled.iter().any(|pending| !price.allows(pending.thread))
    }

    /// How much was left out so far because it is beyond a bound.
    pub fn left_out(&self) -> u64 {
        self.tally.pruned + self.tally.out_of_bounds
    }

    /// Notes that so many branches are not explored because they are beyond a bound.
    pub fn note_out_of_bounds(&mut self, branches: usize) {
        self.tally.pruned += branches as u64;
    }

    /// All enabled threads that are within the bounds, in the scheduling order; none when the run is too long. Says
    /// how many more are enabled, but beyond the bounds.
    pub fn enabled(&mut self, found: &mut Vec<Pending>) -> Result<usize, Stop> {
        found.clear();
        if self.is_too_long()? {
            return Ok(0);
        }
        Ok(self.enabled_now(found))
    }

    /// As [`Explorer::enabled`]; says only whether more are enabled.
    pub(crate) fn enabled_or_more(&mut self, found: &mut Vec<Pending>) -> Result<bool, Stop> {
        found.clear();
        if self.is_too_long()? {
            return Ok(false);
        }
        // Most steps of a bounded search are taken when nothing is left of the bound.
        let only = self.spending.only_one(&self.settings.bounds, &self.trace, &self.run);
        if let Some(only) = only.filter(|only| !only.is_of_several) {
            found.push(only);
            self.out_of_bounds = false;
            let mut others = (0..self.run.threads() as u32).map(ThreadId).filter(|&other| other != only.thread);
            return Ok(others.any(|other| transitions(&self.run, other).any(|pending| pending.enabled)));
        }
        Ok(self.enabled_now(found) > 0)
    }

    /// Brings the run to the end of E. Whether that is as long as it may be.
    #[inline]
    fn is_too_long(&mut self) -> Result<bool, Stop> {
        self.catch_up()?;
        self.look_at_needs()?;
        let is_too_long = self.trace.len() >= self.settings.limits.steps;
        self.too_long |= is_too_long;
        Ok(is_too_long)
    }

    fn enabled_now(&mut self, found: &mut Vec<Pending>) -> usize {
        self.enabled_in_order(found);
        if !self.settings.bounds.any() {
            return 0;
        }
        let all = found.len();
        let Explorer { spending, settings, trace, run, .. } = self;
        let price = spending.price(&settings.bounds, trace, run);
        found.retain(|pending| price.allows(pending.thread));
        self.out_of_bounds = found.is_empty() && all > 0;
        all - found.len()
    }
}
