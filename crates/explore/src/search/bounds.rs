//! Bounds: a search that looks only at the schedules that deviate little from a simple one, or at the first steps of each.
//!
//! The simple schedule runs a thread as long as it is enabled, then the next enabled one in the order of creation, round
//! and round. A *preemption* (Musuvathi and Qadeer, PLDI 2007) takes a step of another thread while the last one could go
//! on; a *delay* (Emmi, Qadeer and Rakamarić, POPL 2011) passes over one enabled thread. A thread that has just yielded
//! is passed over for nothing. One that waits for a notify or until its time is up is not *ready* before the notify: the simple
//! schedule lets its time be up when no thread is ready any more, and to do so sooner is a preemption, or as many delays as there
//! are ready threads. (Otherwise a loop around such a wait has executions of any length that cost nothing.)
//!
//! What of the program a bounded search still covers depends on the algorithm: docs/algorithms/bounds.md.

use model::{Op, OpKind, Outcome, Pending, Run, ThreadId};
use std::fmt;
use trace::{Event, Trace};

/// How far schedules may deviate, and how far they are followed. None: as far as they go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Steps taken by another thread while the last one was enabled.
    pub preemptions: Option<u32>,
    /// Enabled threads passed over by a round robin that runs each as long as it can.
    pub delays: Option<u32>,
    /// Steps of an execution.
    pub depth: Option<usize>,
}

impl Bounds {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.schedules() || self.depth.is_some()
    }

    /// Whether schedules may not deviate at will.
    pub fn schedules(&self) -> bool {
        self.preemptions.is_some() || self.delays.is_some()
    }

    fn allow(&self, cost: Cost) -> bool {
        self.preemptions.is_none_or(|bound| cost.preemptions <= bound)
            && self.delays.is_none_or(|bound| cost.delays <= bound)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |bound: Option<u64>, one: &str, many: &str| {
            bound.map(|bound| format!("{bound} {}", if bound == 1 { one } else { many }))
        };
        let parts = [
            count(self.preemptions.map(u64::from), "preemption", "preemptions"),
            count(self.delays.map(u64::from), "delay", "delays"),
            count(self.depth.map(|depth| depth as u64), "step", "steps"),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// How far a schedule deviates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cost {
    preemptions: u32,
    delays: u32,
}

/// What every prefix of E costs, but the empty one, which costs nothing. Kept only where a bound asks for it.
#[derive(Debug, Default)]
pub(crate) struct Spending(Vec<Cost>);

impl Spending {
    /// The threads in the order in which the simple schedule tries them, but for those whose time may be up, which come last.
    pub(crate) fn order(trace: &Trace, count: usize) -> impl Iterator<Item = ThreadId> + use<> {
        round(trace.events().last().map_or(0, first_in_round), count)
    }

    /// What the next step costs, by whose it is.
    pub(crate) fn price<'a>(&self, bounds: &'a Bounds, trace: &'a Trace, run: &'a dyn Run) -> Price<'a> {
        let last = trace.events().last().filter(|last| bounds.schedules() && !has_yielded(last)).map(Event::thread);
        let start = trace.events().last().map_or(0, first_in_round);
        let so_far = self.0.last().copied().unwrap_or_default();
        let is_deep = bounds.depth.is_some_and(|depth| trace.len() >= depth);
        Price { bounds, trace, run, so_far, goes_on: last.filter(|&last| is_ready(trace, run, last)), start, is_deep }
    }

    /// What E costs.
    pub(crate) fn preemptions(&self) -> u32 {
        self.0.last().map_or(0, |cost| cost.preemptions)
    }

    /// What the thread does next that took the last step, if it is ready to and nobody else is within the bounds.
    pub(crate) fn only_one(&self, bounds: &Bounds, trace: &Trace, run: &dyn Run) -> Option<Pending> {
        let so_far = self.0.last()?;
        let is_deep = bounds.depth.is_some_and(|depth| trace.len() >= depth);
        let last = trace.events().last().filter(|last| !has_yielded(last))?;
        if is_deep || bounds.delays.is_some() || bounds.preemptions.is_none_or(|bound| so_far.preemptions < bound) {
            return None;
        }
        run.pending(last.thread()).filter(|pending| pending.enabled && !is_time_out(trace, run, pending))
    }

    /// Notes that `thread` is about to take a step.
    pub(crate) fn grow(&mut self, bounds: &Bounds, trace: &Trace, run: &dyn Run, thread: ThreadId) {
        let goes_on = trace.events().last().is_some_and(|last| last.thread() == thread && !has_yielded(last));
        let cost = match self.0.last() {
            // Whoever goes on costs nothing, unless it is because its time is up.
            Some(&so_far) if goes_on && bounds.delays.is_none() && !is_time_up(trace, run, thread) => so_far,
            _ => self.price(bounds, trace, run).of(thread),
        };
        self.0.push(cost);
    }

    /// E is cut back to its first `len` steps.
    pub(crate) fn cut(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// What the next step after E costs.
pub(crate) struct Price<'a> {
    bounds: &'a Bounds,
    trace: &'a Trace,
    run: &'a dyn Run,
    so_far: Cost,
    /// The thread that took the last step, if to leave it is a preemption.
    goes_on: Option<ThreadId>,
    /// The thread with which the round begins.
    start: u32,
    /// Whether E has as many steps as it may have.
    is_deep: bool,
}

impl Price<'_> {
    /// Whether E is within the bounds, and stays so when `thread`, which is enabled, takes a step.
    pub(crate) fn allows(&self, thread: ThreadId) -> bool {
        !self.is_deep && (!self.bounds.schedules() || self.bounds.allow(self.of(thread)))
    }

    /// What E costs when `thread` takes the next step.
    fn of(&self, thread: ThreadId) -> Cost {
        let is_preempted = self.goes_on.is_some_and(|last| last != thread) || self.is_early(thread);
        let preemptions = self.so_far.preemptions + u32::from(is_preempted);
        let delays = self.so_far.delays + if self.bounds.delays.is_some() { self.passed_over(thread) } else { 0 };
        Cost { preemptions, delays }
    }

    /// Whether the time of this thread would be up while another one is ready.
    fn is_early(&self, thread: ThreadId) -> bool {
        is_time_up(self.trace, self.run, thread) && self.ready().next().is_some()
    }

    fn ready(&self) -> impl Iterator<Item = ThreadId> {
        round(self.start, self.run.threads()).filter(|&thread| is_ready(self.trace, self.run, thread))
    }

    /// How many threads come before this one that could go on.
    fn passed_over(&self, thread: ThreadId) -> u32 {
        if !is_time_up(self.trace, self.run, thread) {
            return self.ready().take_while(|&other| other != thread).count() as u32;
        }
        let before = round(self.start, self.run.threads()).take_while(|&other| other != thread);
        let of_those_that_wait = before.filter(|&other| is_time_up(self.trace, self.run, other));
        (self.ready().count() + of_those_that_wait.count()) as u32
    }
}

/// Whether a thread is enabled, and not only because its time may be up.
fn is_ready(trace: &Trace, run: &dyn Run, thread: ThreadId) -> bool {
    run.pending(thread).is_some_and(|pending| pending.enabled && !is_time_out(trace, run, &pending))
}

/// Whether a thread is enabled because its time may be up.
fn is_time_up(trace: &Trace, run: &dyn Run, thread: ThreadId) -> bool {
    run.pending(thread).is_some_and(|pending| is_time_out(trace, run, &pending))
}

/// Whether the next step of a thread is the end of a wait without a notify.
pub(crate) fn is_time_out(trace: &Trace, run: &dyn Run, &Pending { thread, op, .. }: &Pending) -> bool {
    let Op { kind: OpKind::StopWaiting, object, .. } = op else { return false };
    if run.word(object) == 0 {
        return false;
    }
    let since = trace.events().iter().rev().take_while(|event| event.thread() != thread || event.op.object != object);
    !since.filter(|event| event.op.object == object).any(|event| match event.op.kind {
        OpKind::NotifyAll => true,
        _ => event.outcome == Outcome::Woke(thread),
    })
}

/// All threads, from `start` on.
fn round(start: u32, count: usize) -> impl Iterator<Item = ThreadId> + use<> {
    let count = count as u32;
    (0..count).map(move |i| ThreadId((start + i) % count))
}

/// The thread with which the round begins after this step.
fn first_in_round(last: &Event) -> u32 {
    last.thread().0 + u32::from(has_yielded(last))
}

fn has_yielded(last: &Event) -> bool {
    last.op.kind == OpKind::Yield
}
