//! What a search found: one finding of each sort, the shortest, and of those the first in an order of all graphs.

use crate::graph::{Event, EventId, Graph, Label};
use crate::graphs::Complete;
use crate::why::Why;
use model::{Failure, Op, ThreadId};
use std::cmp::Ordering;
use trace::Ending;

/// How many findings of different sorts are kept in full; the tally counts all.
const MAX_FINDINGS: usize = 16;

/// A failure or a deadlock, with the graph that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// [`Ending::Failed`] or [`Ending::Deadlocked`].
    pub ending: Ending,
    /// The execution.
    pub graph: Graph,
    /// The failures, each with its thread.
    pub failures: Vec<(ThreadId, Failure)>,
    /// What the threads that are left wait for.
    pub waiting: Vec<(ThreadId, Op)>,
    /// The pairs of accesses that race.
    pub races: Vec<(EventId, EventId)>,
    /// What no interleaving explains.
    pub why: Why,
}

/// Whether an execution that ends so is a finding.
pub(crate) fn is_finding(ending: Ending) -> bool {
    matches!(ending, Ending::Failed | Ending::Deadlocked)
}

/// The findings so far.
#[derive(Clone, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.0.iter()
    }

    /// The shortest first.
    pub(crate) fn into_sorted(mut self) -> Vec<Finding> {
        self.0.sort_by(|a, b| order(&a.graph, &b.graph));
        self.0
    }

    /// Keeps an execution, unless there is a better one of its sort, or enough better ones of others. Which are kept does not depend on
    /// who found them when.
    pub(crate) fn keep(&mut self, complete: &Complete<'_>) {
        let is_same = |finding: &Finding| {
            finding.ending == complete.ending
                && match complete.ending {
                    Ending::Deadlocked => finding.waiting == complete.waiting,
                    _ => finding.failures == complete.failures,
                }
        };
        let known = self.0.iter().position(is_same);
        let longest = || (0..self.0.len()).max_by(|&a, &b| order(&self.0[a].graph, &self.0[b].graph));
        let in_the_way = known.or_else(|| longest().filter(|_| self.0.len() >= MAX_FINDINGS));
        if let Some(place) = in_the_way {
            if order(&self.0[place].graph, complete.graph) != Ordering::Greater {
                return;
            }
            self.0.swap_remove(place);
        }
        self.0.push(Finding {
            ending: complete.ending,
            graph: complete.graph.clone(),
            failures: complete.failures.to_vec(),
            waiting: complete.waiting.to_vec(),
            races: complete.races.to_vec(),
            why: Why::default(),
        });
    }

    /// Keeps what another search found.
    pub(crate) fn add(&mut self, found: &Finding) {
        let Finding { graph, ending, failures, waiting, races, .. } = found;
        self.keep(&Complete { graph, ending: *ending, failures, waiting, races, branch: None });
    }
}

/// Shorter ones first, then by what differs first.
fn order(one: &Graph, other: &Graph) -> Ordering {
    let what = |event: &Event| {
        let argument = match event.label {
            Label::Read | Label::Ghost => event.source,
            Label::Write => event.place,
            _ => 0,
        };
        (event.thread, argument, event.alternative)
    };
    let by_length = one.len().cmp(&other.len());
    by_length.then_with(|| one.events().iter().map(what).cmp(other.events().iter().map(what)))
}
