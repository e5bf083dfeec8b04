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

use crate::algorithms::pop::Pop;
use crate::explorer::{Explorer, Stop};
use crate::workers::task::{Task, Tasks};
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
    Ok(sampler.samples.estimate(report.tally.executions(), report.elapsed))
}

/// A search whose executions are the nodes of a tree: all that come of one are known as soon as it has been run.
pub trait Tree {
    /// An execution that is to be run.
    type Node;
    /// Why there is no more time.
    type Stop;

    /// The first execution, of a search that is so much of all that is to be done.
    fn root(&self, share: f64) -> Self::Node;

    /// Runs an execution, and finds those that come of it. Says how many it counts as: a blocked one is not counted.
    fn visit(&mut self, node: Self::Node, children: &mut Vec<Self::Node>) -> Result<u64, Self::Stop>;

    /// Executions with the same answer are taken to have subtrees of similar size.
    fn stratum(node: &Self::Node) -> (usize, usize);

    /// What chances are taken from.
    fn random(&mut self) -> &mut fastrand::Rng;
}

/// The samples of an estimate.
pub struct Samples {
    sampling: Sampling,
    /// The estimate of each finished sample.
    found: Vec<f64>,
    at_least: u64,
    exact: bool,
}

impl Samples {
    /// None so far.
    pub fn new(sampling: Sampling) -> Self {
        Samples { sampling, found: Vec::new(), at_least: 0, exact: false }
    }

    /// Takes as many as are wanted.
    pub fn take<T: Tree>(&mut self, tree: &mut T) -> Result<(), T::Stop> {
        while self.found.len() < self.sampling.samples.get() as usize && !self.exact {
            self.sample(tree)?;
        }
        Ok(())
    }

    /// One way down the tree.
    fn sample<T: Tree>(&mut self, tree: &mut T) -> Result<(), T::Stop> {
        // All samples together are what is to be done.
        let share = 1.0 / f64::from(self.sampling.samples.get());
        let mut level = vec![Node { node: tree.root(share), weight: 1.0 }];
        let (mut estimate, mut seen, mut exact) = (0.0, 0, true);
        let mut found = Vec::new();
        while !level.is_empty() {
            let mut children = Vec::new();
            for Node { node, weight } in level {
                // Blocked executions are nodes, but not counted.
                let counted = tree.visit(node, &mut found)?;
                children.extend(found.drain(..).map(|node| Node { node, weight }));
                estimate += weight * counted as f64;
                seen += counted;
            }
            let width = self.sampling.width.get();
            exact &= children.len() <= width;
            level = thinned(children, width, tree.random(), T::stratum);
        }
        self.found.push(estimate);
        self.at_least = self.at_least.max(seen);
        self.exact = exact;
        Ok(())
    }

    /// What they say, for which so many executions were run. None if there is not one.
    pub fn estimate(&self, executions_run: u64, elapsed: Duration) -> Option<Estimate> {
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

/// The executions of pop.
struct Sampler {
    samples: Samples,
    tasks: Box<dyn Tasks>,
}

impl Sampler {
    fn new(sampling: Sampling) -> Self {
        Sampler { samples: Samples::new(sampling), tasks: Box::new(Pop::default()) }
    }
}

impl Algorithm for Sampler {
    fn commits(&self) -> bool {
        true
    }

    fn forget(&mut self) {
        *self = Sampler::new(self.samples.sampling);
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        self.samples.take(&mut OfPop { e, tasks: &mut *self.tasks })
    }

    fn is_exhaustive(&self) -> bool {
        self.samples.exact
    }

    fn needs_ends(&self) -> bool {
        true
    }
}

struct OfPop<'s, 'a> {
    e: &'s mut Explorer<'a>,
    tasks: &'s mut dyn Tasks,
}

impl Tree for OfPop<'_, '_> {
    type Node = Task;
    type Stop = Stop;

    fn root(&self, share: f64) -> Task {
        Task { share, ..Task::whole() }
    }

    fn visit(&mut self, task: Task, children: &mut Vec<Task>) -> Result<u64, Stop> {
        let before = self.e.tally().executions();
        children.extend(self.tasks.run(self.e, &task)?.tasks()?);
        Ok(self.e.tally().executions() - before)
    }

    /// By the number of free steps before the schedule, and the number of steps up to its end: the former can still be first in
    /// a race, the steps behind the latter second.
    fn stratum(task: &Task) -> (usize, usize) {
        let Task { parent, prefix, own_from, .. } = task;
        let scheduled: EventId = parent.schedules_in(*prefix).iter().map(|s| s.head + 1 - s.start).sum();
        (prefix - scheduled as usize, *own_from)
    }

    fn random(&mut self) -> &mut fastrand::Rng {
        self.e.random()
    }
}

/// An execution that stands for others.
struct Node<T> {
    node: T,
    weight: f64,
}

/// About `width` of the nodes, chosen by chance; all, if there are not more. Half of the places are given by weight, the
/// other half to all strata alike.
fn thinned<T>(
    mut nodes: Vec<Node<T>>,
    width: usize,
    random: &mut fastrand::Rng,
    stratum: impl Fn(&T) -> (usize, usize),
) -> Vec<Node<T>> {
    if nodes.len() <= width {
        return nodes;
    }
    let of = |node: &Node<T>| stratum(&node.node);
    nodes.sort_by_cached_key(of);
    let strata = || nodes.chunk_by(|a, b| of(a) == of(b));
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

fn weight<T>(nodes: &[Node<T>]) -> f64 {
    nodes.iter().map(|node| node.weight).sum()
}

/// Systematic sampling: the nodes lie one after the other on a line, each as long as its places, and those are kept on
/// which a point falls, of points that are one apart and begin by chance. Neighbours are seldom kept together.
fn systematic<T>(nodes: Vec<Node<T>>, places: &[f64], random: &mut fastrand::Rng) -> Vec<Node<T>> {
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

    /// Every node is its number.
    fn nodes(weights: &[f64]) -> Vec<Node<usize>> {
        weights.iter().enumerate().map(|(node, &weight)| Node { node, weight }).collect()
    }

    /// On average, every node has the weight that it had.
    #[test]
    fn thinning_keeps_weights_on_average() {
        let weights = [1.0, 5.0, 0.25, 2.0, 2.0, 9.0];
        let mut random = fastrand::Rng::with_seed(3);
        let rounds = 40_000;
        let mut sums = [0.0; 6];
        for _ in 0..rounds {
            for node in thinned(nodes(&weights), 3, &mut random, |node| (0, node % 3)) {
                sums[node.node] += node.weight;
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
            assert_eq!(thinned(nodes(&[1.0; 50]), 10, &mut random, |_| (0, 0)).len(), 10);
        }
        assert_eq!(thinned(nodes(&[1.0, 7.0]), 2, &mut random, |_| (0, 0)).len(), 2);
    }
}
