//! How many executions a search would run, from a sample of them.
//!
//! POP's executions are the nodes of a tree: the children of an execution are the tasks that come of it, and all of them
//! are known as soon as it has been run. So its size can be estimated without exploring it, after Knuth (*Estimating the
//! efficiency of backtrack programs*, 1975).
//!
//! One sample goes down level by level, with many nodes of each level. Every node has a weight: how many it stands for. Of the
//! children at hand some are kept by chance, and the weight of one that is kept grows as its chance was small, so that on
//! average it is what it was. Then the sum of all weights is on average the size of the tree, whatever the chances are.
//! They are chosen so that nodes with large subtrees, which are rare, are not missed: nodes are sorted into strata by what
//! is left to be reversed in them (after Chen, *Heuristic sampling*, 1992). Independent samples tell how far off the
//! estimate may be. (docs/algorithms/estimate.md)

use crate::explorer::{Explorer, Stop};
use crate::pop::Pop;
use crate::task::{Task, Tasks};
use crate::{Algorithm, Error, Settings, check_with};
use model::Program;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;
use trace::{EventId, Sink};

/// How an estimate is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// How many independent samples.
    pub samples: NonZeroU32,
    /// How many executions of each level a sample keeps, about. Knuth's method is 1.
    pub width: NonZeroUsize,
}

impl Default for Sampling {
    fn default() -> Self {
        const SAMPLES: NonZeroU32 = NonZeroU32::new(40).expect("more than 0");
        const WIDTH: NonZeroUsize = NonZeroUsize::new(200).expect("more than 0");
        Sampling { samples: SAMPLES, width: WIDTH }
    }
}

/// How many executions there are, about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean of the samples.
    pub executions: f64,
    /// The standard error of that mean; none when there is one sample only, and it is not exact.
    pub standard_error: Option<f64>,
    /// There are at least so many, for so many were run in one sample, all of different classes.
    pub at_least: u64,
    /// Whether every execution was run, so that the number is exact.
    pub exact: bool,
    /// How many samples were finished.
    pub samples: u64,
    /// How many executions were run for that.
    pub executions_run: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Estimate {
    /// An interval that holds the true number in about 95 of 100 cases, if the samples are many enough for their mean to be
    /// nearly normal.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let margin = 1.96 * self.standard_error?;
        Some(((self.executions - margin).max(self.at_least as f64), self.executions + margin))
    }
}

/// Estimates how many executions an optimal search of `program` runs: how many classes it has.
///
/// Of the settings, the seed, the scheduling order and the limits count: where a limit ends it, the samples that are
/// finished make the estimate, and there may be none.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{Sampling, Settings, estimate};
///
/// let program = LitmusProgram::new("var x; x = 1 | r = x | s = x".parse()?)?;
/// let estimate = estimate(&program, &Settings::default(), Sampling::default(), &mut ())?.expect("no limit");
/// assert!(estimate.exact && estimate.executions == 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate(
    program: &dyn Program,
    settings: &Settings,
    sampling: Sampling,
    sink: &mut dyn Sink,
) -> Result<Option<Estimate>, Error> {
    let mut sampler = Sampler::new(sampling);
    // Findings are not looked for, and none ends the estimate.
    let settings = Settings { keep_going: true, ..settings.clone() };
    let report = check_with(program, &mut sampler, &settings, sink)?;
    Ok(sampler.estimate(report.tally.executions(), report.elapsed))
}

struct Sampler {
    sampling: Sampling,
    tasks: Box<dyn Tasks>,
    /// The estimate of each finished sample.
    found: Vec<f64>,
    at_least: u64,
    exact: bool,
}

impl Algorithm for Sampler {
    fn commits(&self) -> bool {
        true
    }

    fn forget(&mut self) {
        *self = Sampler::new(self.sampling);
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        while self.found.len() < self.sampling.samples.get() as usize && !self.exact {
            self.sample(e)?;
        }
        Ok(())
    }

    fn is_exhaustive(&self) -> bool {
        self.exact
    }

    fn needs_ends(&self) -> bool {
        true
    }
}

impl Sampler {
    fn new(sampling: Sampling) -> Self {
        Sampler { sampling, tasks: Box::new(Pop::default()), found: Vec::new(), at_least: 0, exact: false }
    }

    /// One way down the tree.
    fn sample(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        // All samples together are what is to be done.
        let share = 1.0 / f64::from(self.sampling.samples.get());
        let mut level = vec![Node { task: Task { share, ..Task::whole() }, weight: 1.0 }];
        let (mut estimate, mut seen, mut exact) = (0.0, 0, true);
        while !level.is_empty() {
            let mut children = Vec::new();
            for Node { task, weight } in level {
                let before = e.tally().executions();
                children.extend(self.tasks.run(e, &task)?.tasks()?.map(|task| Node { task, weight }));
                // Blocked executions are nodes, but not counted.
                let counted = e.tally().executions() - before;
                estimate += weight * counted as f64;
                seen += counted;
            }
            let width = self.sampling.width.get();
            exact &= children.len() <= width;
            level = thinned(children, width, e.random());
        }
        self.found.push(estimate);
        self.at_least = self.at_least.max(seen);
        self.exact = exact;
        Ok(())
    }

    fn estimate(&self, executions_run: u64, elapsed: Duration) -> Option<Estimate> {
        // One sample in which nothing was left out is worth more than any number of others.
        let counted = if self.exact { &self.found[self.found.len() - 1..] } else { &self.found };
        let n = counted.len() as f64;
        let mean = counted.iter().sum::<f64>() / n;
        let squares: f64 = counted.iter().map(|x| (x - mean).powi(2)).sum();
        let standard_error = match counted.len() {
            0 => return None,
            1 => self.exact.then_some(0.0),
            _ => Some((squares / (n - 1.0) / n).sqrt()),
        };
        Some(Estimate {
            executions: mean,
            standard_error,
            at_least: self.at_least,
            exact: self.exact,
            samples: self.found.len() as u64,
            executions_run,
            elapsed,
        })
    }
}

/// A task that stands for others.
struct Node {
    task: Task,
    weight: f64,
}

impl Node {
    /// Nodes with the same number of free steps before their schedule, and with the same number of steps up to its end, are
    /// taken to be of similar size: the former can still be first in a race, the steps behind the latter second.
    fn stratum(&self) -> (usize, usize) {
        let Task { parent, prefix, own_from, .. } = &self.task;
        let scheduled: EventId = parent.schedules_in(*prefix).iter().map(|s| s.head + 1 - s.start).sum();
        (prefix - scheduled as usize, *own_from)
    }
}

/// About `width` of the nodes, chosen by chance; all, if there are not more. Half of the places are given by weight, the
/// other half to all strata alike.
fn thinned(mut nodes: Vec<Node>, width: usize, random: &mut fastrand::Rng) -> Vec<Node> {
    if nodes.len() <= width {
        return nodes;
    }
    nodes.sort_by_cached_key(Node::stratum);
    let strata = || nodes.chunk_by(|a, b| a.stratum() == b.stratum());
    let (total, count) = (weight(&nodes), strata().count() as f64);
    let half = width as f64 / 2.0;
    let places: Vec<f64> = strata()
        .flat_map(|stratum| {
            let places_by_weight = half / total + half / count / weight(stratum);
            stratum.iter().map(move |node| node.weight * places_by_weight)
        })
        .collect();
    systematic(nodes, &places, random)
}

fn weight(nodes: &[Node]) -> f64 {
    nodes.iter().map(|node| node.weight).sum()
}

/// Systematic sampling: the nodes lie one after the other on a line, each as long as its places, and those are kept on
/// which a point falls, of points that are one apart and begin by chance. Neighbours are seldom kept together.
fn systematic(nodes: Vec<Node>, places: &[f64], random: &mut fastrand::Rng) -> Vec<Node> {
    let mut point = random.f64();
    let mut end = 0.0;
    let mut kept = Vec::new();
    for (mut node, &places) in nodes.into_iter().zip(places) {
        end += places;
        let points = (end - point).ceil().max(0.0);
        if points > 0.0 {
            point += points;
            node.weight *= points / places;
            kept.push(node);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(weights: &[f64]) -> Vec<Node> {
        weights.iter().map(|&weight| Node { task: Task::whole(), weight }).collect()
    }

    /// On average, every node has the weight that it had.
    #[test]
    fn thinning_keeps_weights_on_average() {
        let weights = [1.0, 5.0, 0.25, 2.0, 2.0, 9.0];
        let mut random = fastrand::Rng::with_seed(3);
        let rounds = 40_000;
        let mut sums = [0.0; 6];
        for _ in 0..rounds {
            let mut marked = nodes(&weights);
            for (i, node) in marked.iter_mut().enumerate() {
                node.task.prefix = 0;
                node.task.own_from = i % 3;
                node.task.share = i as f64;
            }
            for node in thinned(marked, 3, &mut random) {
                sums[node.task.share as usize] += node.weight;
            }
        }
        for (sum, weight) in sums.into_iter().zip(weights) {
            let mean = sum / f64::from(rounds);
            assert!((mean - weight).abs() < 0.05 * weight, "{mean} and not {weight}");
        }
    }

    #[test]
    fn as_many_are_kept_as_there_are_places() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..100 {
            assert_eq!(thinned(nodes(&[1.0; 50]), 10, &mut random).len(), 10);
        }
        assert_eq!(thinned(nodes(&[1.0, 7.0]), 2, &mut random).len(), 2);
    }
}
