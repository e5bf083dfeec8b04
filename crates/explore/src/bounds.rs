//! Bounds: a search that looks only at the schedules that deviate little from a simple one, or at the first steps of each.
//!
//! The simple schedule runs a thread as long as it is enabled, then the next enabled one in the order of creation, round
//! and round. A *preemption* (Musuvathi and Qadeer, PLDI 2007) takes a step of another thread while the last one could go
//! on; a *delay* (Emmi, Qadeer and Rakamarić, POPL 2011) passes over one enabled thread. A thread that has just yielded
//! is passed over for nothing.
//!
//! What of the program a bounded search still covers depends on the algorithm: docs/algorithms/bounds.md.

use model::{OpKind, Run, ThreadId};
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
    /// The threads in the order in which the simple schedule tries them.
    pub(crate) fn order(trace: &Trace, count: usize) -> impl Iterator<Item = ThreadId> + use<> {
        let start = match trace.events().last() {
            None => 0,
            Some(last) => last.thread().0 + u32::from(has_yielded(last)),
        };
        let count = count as u32;
        (0..count).map(move |i| ThreadId((start + i) % count))
    }

    /// Whether E is within the bounds, and stays so when `thread`, which is enabled, takes a step.
    pub(crate) fn allows(&self, bounds: &Bounds, trace: &Trace, run: &dyn Run, thread: ThreadId) -> bool {
        bounds.depth.is_none_or(|depth| trace.len() < depth)
            && (!bounds.schedules() || bounds.allow(self.after(trace, run, thread)))
    }

    /// Notes that `thread` is about to take a step.
    pub(crate) fn grow(&mut self, trace: &Trace, run: &dyn Run, thread: ThreadId) {
        self.0.push(self.after(trace, run, thread));
    }

    /// E is cut back to its first `len` steps.
    pub(crate) fn cut(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// What E costs when `thread` takes the next step.
    fn after(&self, trace: &Trace, run: &dyn Run, thread: ThreadId) -> Cost {
        let Cost { preemptions, delays } = self.0.last().copied().unwrap_or_default();
        let is_enabled = |thread: ThreadId| run.pending(thread).is_some_and(|pending| pending.enabled);
        let is_preempted = trace
            .events()
            .last()
            .is_some_and(|last| last.thread() != thread && !has_yielded(last) && is_enabled(last.thread()));
        let before = Spending::order(trace, run.threads()).take_while(|&other| other != thread);
        let passed_over = before.filter(|&other| is_enabled(other)).count() as u32;
        Cost { preemptions: preemptions + u32::from(is_preempted), delays: delays + passed_over }
    }
}

fn has_yielded(last: &Event) -> bool {
    last.op.kind == OpKind::Yield
}
