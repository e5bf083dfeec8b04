//! The failures and deadlocks of a search.

use model::{Choice, Names, Schedule, ScheduledStep};
use trace::{Execution, Finding, Trace};

/// How many findings of different sorts are kept in full; the tally counts all.
const MAX_FINDINGS: usize = 16;

/// One execution of each sort, the shortest: which it is does not depend on the order in which they are found, and so not
/// on who found them.
#[derive(Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    /// Keeps an execution, unless one of the same sort is kept that is as good.
    pub(crate) fn keep(&mut self, execution: &Execution<'_>, names: &dyn Names) {
        if self.makes_room_for(execution) {
            self.0.push(Finding::new(execution, schedule_of(execution.trace, names)));
        }
    }

    /// Keeps what another worker found, in the same way.
    pub(crate) fn merge(&mut self, others: Findings) {
        for finding in others.0 {
            self.keep_finding(finding);
        }
    }

    /// Keeps a finding, unless one of the same sort is kept that is as good.
    pub(crate) fn keep_finding(&mut self, finding: Finding) {
        if self.makes_room_for(&finding.execution()) {
            self.0.push(finding);
        }
    }

    /// The schedules of all of them.
    pub(crate) fn schedules(&self) -> Vec<Schedule> {
        self.0.iter().map(|finding| finding.schedule.clone()).collect()
    }

    /// All of them, the shortest first.
    pub(crate) fn into_sorted(mut self) -> Vec<Finding> {
        self.0.sort_by(|a, b| compare(&a.trace, &b.trace));
        self.0
    }

    /// Takes out what an execution is better than, if it is to be kept.
    fn makes_room_for(&mut self, execution: &Execution<'_>) -> bool {
        let is_shorter = |than: &Finding| compare(execution.trace, &than.trace).is_lt();
        let known = self.0.iter().position(|finding| finding.is_of_sort(execution));
        let longest = || (0..self.0.len()).max_by(|&a, &b| compare(&self.0[a].trace, &self.0[b].trace));
        let in_the_way = known.or_else(|| longest().filter(|_| self.0.len() >= MAX_FINDINGS));
        let Some(place) = in_the_way else { return true };
        let better = is_shorter(&self.0[place]);
        if better {
            self.0.swap_remove(place);
        }
        better
    }
}

/// The shorter execution first; of two of the same length, the one that takes the earlier threads.
fn compare(a: &Trace, b: &Trace) -> std::cmp::Ordering {
    let choices = |trace: &Trace| trace.events().iter().map(|event| event.choice).collect::<Vec<_>>();
    a.len().cmp(&b.len()).then_with(|| choices(a).cmp(&choices(b)))
}

/// The steps of an execution, as text. A load that was one event with what commits it is two steps of the program.
pub fn schedule_of(trace: &Trace, names: &dyn Names) -> Schedule {
    let step = |event: &trace::Event| ScheduledStep {
        thread: names.path(event.thread()),
        alternative: event.choice.alternative,
    };
    let steps = |event: &trace::Event| {
        let first = step(event);
        let second = event.is_merged().then(|| ScheduledStep { alternative: 0, ..first.clone() });
        std::iter::once(first).chain(second)
    };
    Schedule { steps: trace.events().iter().flat_map(steps).collect() }
}

/// Choices that are no execution yet, as text.
pub(crate) fn schedule_of_choices(choices: impl Iterator<Item = Choice>, names: &dyn Names) -> Schedule {
    let step = |choice: Choice| ScheduledStep { thread: names.path(choice.thread), alternative: choice.alternative };
    Schedule { steps: choices.map(step).collect() }
}
