//! What an algorithm is, and all of them by name.

pub(crate) mod bounded_search;
pub(crate) mod classic;
pub(crate) mod committed;
pub(crate) mod explored;
pub(crate) mod naive;
pub(crate) mod observers;
pub(crate) mod optimal;
pub(crate) mod order;
pub(crate) mod pct;
pub(crate) mod pop;
pub(crate) mod random;
pub(crate) mod replay;
pub(crate) mod source;
pub(crate) mod source_search;
pub(crate) mod unfolding;

use crate::algorithms::classic::Classic;
use crate::algorithms::naive::Naive;
use crate::algorithms::observers::Observers;
use crate::algorithms::optimal::Optimal;
use crate::algorithms::pct::Pct;
use crate::algorithms::pop::Pop;
use crate::algorithms::random::Random;
use crate::algorithms::source::Source;
use crate::algorithms::unfolding::Unfolding;
use crate::explorer::{Explorer, Stop};
use crate::{Bounds, LoopRules, Settings};

/// A way to search.
pub trait Algorithm {
    /// Drives the explorer until nothing is left to explore, or something stops it.
    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop>;

    /// Becomes what it was when it was made: the search begins anew, because something was learnt of the program.
    fn forget(&mut self);

    /// The rules on loops that it follows, of those that the settings ask for.
    fn loop_rules(&self, settings: &Settings) -> LoopRules {
        settings.loops
    }

    /// Whether what is learnt of loops makes it begin anew. Not for one that follows a schedule: what that means was given
    /// by what was known.
    fn learns(&self) -> bool {
        true
    }

    /// Whether threads that have several transitions are to choose theirs in steps of their own, because to this algorithm
    /// each has one.
    fn commits(&self) -> bool {
        false
    }

    /// Whether an exploration that was not stopped has seen every class.
    fn is_exhaustive(&self) -> bool {
        true
    }

    /// Whether it would never come to an end where executions do not: not if it takes one at a time, each by itself.
    fn needs_ends(&self) -> bool {
        self.is_exhaustive()
    }

    /// Whether it writes [checkpoints](crate::Checkpoints), and goes on from them.
    fn has_checkpoints(&self) -> bool {
        false
    }
}

/// Which executions an algorithm takes for the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Equivalence {
    /// Mazurkiewicz traces: those that differ only in the order of independent steps.
    Traces,
    /// Also those that differ in the order of steps that nobody observes.
    Observations,
}

/// What an algorithm promises of a search that comes to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guarantee {
    /// Nothing: it tries some schedules.
    Samples,
    /// Every class, and where the search is bounded, every class that has an execution within the bounds. It may be blocked by
    /// sleep sets any number of times.
    Exhaustive,
    /// Every class once, and never blocked by sleep sets. Within bounds, some classes.
    Optimal,
    /// The same, but it may be blocked where operations wait for adds to come together, at most once for each class; and where
    /// threads wait for the first of several operations, by each that does not come.
    OptimalButForAdds,
}

impl Guarantee {
    /// Whether a search ends only when every class is explored.
    pub fn is_exhaustive(self) -> bool {
        self != Guarantee::Samples
    }

    /// The same of classes that have an execution within the bounds, where there are bounds.
    pub fn is_exhaustive_within_bounds(self) -> bool {
        self == Guarantee::Exhaustive
    }

    /// Whether no class is explored twice, and blocked executions are bounded.
    pub fn is_optimal(self) -> bool {
        self.most_blocked(0, false, false).is_some()
    }

    /// How many executions may be blocked by sleep sets in a program with so many classes, which has adds or has none, and in which
    /// threads have several transitions or have not; any number if there is no bound.
    pub fn most_blocked(self, classes: u64, has_adds: bool, has_siblings: bool) -> Option<u64> {
        match self {
            Guarantee::OptimalButForAdds if has_siblings => None,
            Guarantee::Samples | Guarantee::Exhaustive => None,
            Guarantee::Optimal => Some(0),
            Guarantee::OptimalButForAdds => Some(if has_adds { classes } else { 0 }),
        }
    }
}

/// An algorithm that users can choose.
#[derive(Clone, Copy)]
pub struct AlgorithmInfo {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What a class is to it.
    pub equivalence: Equivalence,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Makes one.
    pub make: fn() -> Box<dyn Algorithm>,
}

/// The algorithm that is used when none is chosen, but for messages: see `automatic.rs`.
const DEFAULT: &str = "pop";

/// The algorithm that is used within bounds when none is chosen: the best one that explores all there is within them.
const WITHIN_BOUNDS: &str = "source";

/// All algorithms, from the simplest to the best.
pub const ALGORITHMS: &[AlgorithmInfo] = &[
    AlgorithmInfo {
        name: "naive",
        summary: "every interleaving, no reduction: what the others are measured against",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Exhaustive,
        make: || Box::new(Naive),
    },
    AlgorithmInfo {
        name: "classic",
        summary: "Flanagan-Godefroid DPOR with sleep sets (persistent sets)",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Exhaustive,
        make: || Box::new(Classic),
    },
    AlgorithmInfo {
        name: "source",
        summary: "source-DPOR: source sets with sleep sets",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Exhaustive,
        make: || Box::new(Source),
    },
    AlgorithmInfo {
        name: "optimal",
        summary: "optimal-DPOR: wakeup trees, one execution for each class",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Optimal,
        make: || Box::<Optimal>::default(),
    },
    AlgorithmInfo {
        name: "unfolding",
        summary: "quasi-optimal exploration by unfoldings: events that executions share; optimal, or less so with --k",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Optimal,
        make: || Box::<Unfolding>::default(),
    },
    AlgorithmInfo {
        name: "pop",
        summary: "parsimonious-optimal DPOR: one execution for each class, in polynomial memory",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::OptimalButForAdds,
        make: || Box::<Pop>::default(),
    },
    AlgorithmInfo {
        name: "observers",
        summary: "optimal-DPOR with observers: writes and sends count as ordered only where somebody could tell",
        equivalence: Equivalence::Observations,
        guarantee: Guarantee::Optimal,
        make: || Box::<Observers>::default(),
    },
    AlgorithmInfo {
        name: "random",
        summary: "random schedules by a seed, as many as the limits allow; never a proof",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Samples,
        make: || Box::new(Random),
    },
    AlgorithmInfo {
        name: "pct",
        summary: "random priorities with a few changes, which find bugs of small depth with a known chance; never a proof",
        equivalence: Equivalence::Traces,
        guarantee: Guarantee::Samples,
        make: || Box::<Pct>::default(),
    },
];

/// The algorithm of a name.
pub fn algorithm(name: &str) -> Option<&'static AlgorithmInfo> {
    ALGORITHMS.iter().find(|info| info.name == name)
}

/// The algorithm for a search with these bounds, when none is chosen and there are no messages.
pub fn default_algorithm(bounds: &Bounds) -> &'static AlgorithmInfo {
    let name = if bounds.any() { WITHIN_BOUNDS } else { DEFAULT };
    algorithm(name).expect("it is one of them")
}
