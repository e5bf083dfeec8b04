//! Every extension of a configuration that is in conflict with it, not only those that the races ask for: an operation
//! after each set of the events of its object that it can come after.
//!
//! A search that takes every event finds them all by and by, from one execution to the next. One that leaves events out,
//! because of cutoffs, must look for them itself. There are as many as there are such sets: up to two to the power of the
//! number of concurrent reads.

use super::arena::{Node, Unfolding};
use super::naming::Step;
use crate::dependence::{Footprint, Mode};
use crate::history::NO_EVENT;
use crate::race::Second;
use crate::removal::is_covered;
use crate::trace::{EventId, Trace};
use model::{Op, OpKind, Pending, State};
use std::collections::HashSet;

impl Unfolding {
    /// All of `cex(C)` in which events from `kept` on, or operations that threads wait for, come earlier. The latest first.
    pub fn extend_fully(&mut self, trace: &Trace, nodes: &[Node], kept: usize, waiting: &[Pending]) {
        for event in (kept..trace.len()).rev() {
            self.extend_by_all_of(trace, nodes, event as EventId);
        }
        for pending in waiting.iter().filter(|pending| pending.op.kind.may_block() && !pending.enabled) {
            if let Some(second) = trace.second_of_pending(pending) {
                let index = trace.last_of(pending.thread).map_or(0, |last| trace.event(last).index) + 1;
                let latest = trace.heads_of(pending.op.object).any;
                self.extend_by_all(trace, nodes, &Asked { second, op: pending.op, index, latest });
            }
        }
    }

    /// The same for the last event of a trace, which need not be in C.
    pub fn extend_by_all_of_last(&mut self, trace: &Trace, nodes: &[Node]) {
        self.extend_by_all_of(trace, nodes, trace.len() as EventId - 1);
    }

    fn extend_by_all_of(&mut self, trace: &Trace, nodes: &[Node], id: EventId) {
        let event = trace.event(id);
        if event.footprint.touches() {
            let (second, latest) = (Second::of(event, id), event.found.any);
            self.extend_by_all(trace, nodes, &Asked { second, op: event.op, index: event.index, latest });
        }
    }

    fn extend_by_all(&mut self, trace: &Trace, nodes: &[Node], asked: &Asked) {
        let Second { thread, causes, .. } = asked.second;
        let mut base = Vec::new();
        trace.start_clock(thread, &mut base);
        for cause in causes.into_iter().filter(|&cause| cause != NO_EVENT) {
            trace.clocks.join_into(&mut base, cause as usize);
        }
        let touched: Vec<EventId> = trace.history_from(asked.latest).collect();
        let is_fixed = |event: EventId| is_covered(&base, trace.event(event));
        let free: Vec<EventId> = touched.iter().copied().filter(|&event| !is_fixed(event)).collect();
        let mut seen = HashSet::from([free.clone()]);
        let mut sets = if free.is_empty() { Vec::new() } else { vec![free] };
        while let Some(set) = sets.pop() {
            let kept: Vec<EventId> =
                touched.iter().copied().filter(|event| is_fixed(*event) || set.contains(event)).collect();
            if let Some(step) = asked.after(trace, &kept, touched.last().copied()) {
                let alternatives = step.alternatives;
                self.draft.fill(trace, nodes, &step, |event| !kept.contains(&event));
                for alternative in 0..alternatives {
                    self.intern(alternative);
                }
            }
            for &event in &set {
                if set.iter().any(|&other| trace.happens_before(event, other)) {
                    continue;
                }
                let smaller: Vec<EventId> = set.iter().copied().filter(|&other| other != event).collect();
                if seen.insert(smaller.clone()) {
                    sets.push(smaller);
                }
            }
        }
    }
}

/// An operation that may come earlier.
struct Asked {
    second: Second,
    op: Op,
    index: u32,
    /// The latest event of its object that it may come after.
    latest: EventId,
}

impl Asked {
    /// The step that it is after these events of its object, which are given latest first, if it is enabled there. `first`
    /// is the first event of the object in the trace.
    fn after(&self, trace: &Trace, kept: &[EventId], first: Option<EventId>) -> Option<Step> {
        let Second { thread, kind, footprint, mut causes, .. } = self.second;
        let (footprint, alternatives) = match kind {
            OpKind::Receive(pattern) | OpKind::TryReceive(pattern) => {
                let taken = trace.taken_after(kept.to_vec(), pattern);
                causes[1] = taken.unwrap_or(NO_EVENT);
                let mode = match taken {
                    Some(_) => Mode::Take(pattern),
                    None if kind.may_block() => return None,
                    None => Mode::TimeOut(pattern),
                };
                (Footprint { mode, ..footprint }, 1)
            }
            _ => {
                let start = first.map_or(0, |first| trace.event(first).before);
                let word = kept.iter().rev().fold(start, |word, &event| applied(trace, event, word));
                if !objects::enabled(kind, word) {
                    return None;
                }
                (self.second.footprint_unguarded(word), objects::alternatives(kind, word))
            }
        };
        let Asked { op, index, latest, .. } = *self;
        Some(Step { thread, index, op, footprint, alternatives, causes, latest })
    }
}

fn applied(trace: &Trace, event: EventId, word: State) -> State {
    let event = trace.event(event);
    objects::apply(event.op.kind, event.outcome, word, event.thread())
}
