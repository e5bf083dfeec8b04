//! What must hold of every algorithm on every program.
//!
//! `naive` runs every interleaving and groups them by happens-before: the oracle. The laws (docs/architecture.md):
//! 1. every exhaustive algorithm reaches exactly the oracle's classes, each with the same ending;
//! 2. no algorithm completes a class twice, and an optimal one is never blocked by sleep sets (pop: at most once for each
//!    class, and only if the program has adds, docs/algorithms/pop.md);
//! 3. replaying the schedule of an execution gives the same class and the same ending;
//! 4. two operations called independent commute (tests/laws/commute.rs, on `objects` alone);
//! 5. none of this depends on the scheduling order;
//! 6. by `unfolding` with cutoffs, every reachable state is that of a configuration within an explored one ([`check_cutoffs`]);
//! 7. a search of states meets those of a plain search, and finds what executions find ([`check_states`],
//!    [`check_states_by_executions`]);
//! 8. within bounds ([`bounded`]), what an algorithm promises there.
//!
//! Where there are too many interleavings to be run, the algorithms are compared with each other.
//!
//! [`check`] tries them on one program, [`campaign`] on any number of arbitrary ones.

mod bounded;
mod campaign;
mod classes;
mod cutoffs;
mod loops;
mod states;

pub use bounded::check_within;
pub use campaign::{Campaign, Mismatch, Plan, campaign};
pub use classes::{Classes, Outcome};
pub use cutoffs::{check_cutoffs, looping};
pub use loops::check_loops;
pub use states::{check_states, check_states_by_executions};

use explore::{
    ALGORITHMS, AlgorithmInfo, Bounds, Equivalence, Error, Guarantee, Limit, LoopRules, Preference, Report,
    SchedulingOrder, Settings, UnfoldingSettings,
};
use model::Program;
use std::fmt;
use std::num::NonZeroU32;

/// The algorithm that the others are compared with.
const ORACLE: &str = "naive";

/// The same where the oracle does not end.
const STAND_IN: &str = "optimal";

/// So many interleavings take the oracle as long as one class takes all algorithms together, about.
const INTERLEAVINGS_OF_CLASS: u64 = 40;

/// A law that did not hold.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The algorithm that broke it.
    pub algorithm: &'static str,
    /// The scheduling order it ran with.
    pub order: SchedulingOrder,
    /// What is wrong.
    pub problem: String,
}

impl Violation {
    fn with(mut self, more: String) -> Self {
        self.problem += &more;
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (scheduling order {:?}): {}", self.algorithm, self.order, self.problem)
    }
}

/// What a check that found no violation did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The laws hold; the program has so many classes.
    Holds {
        /// Classes of the oracle.
        classes: usize,
    },
    /// There are more interleavings than the oracle may run, and more classes than the algorithms may.
    TooLarge,
}

/// Tries the laws on `program` with every exhaustive algorithm and these scheduling orders. The oracle may run so many
/// interleavings.
pub fn check(program: &dyn Program, orders: &[SchedulingOrder], interleavings: u64) -> Result<Checked, Box<Violation>> {
    let Some(oracle) = oracle(program, Bounds::default(), interleavings)? else {
        return check_each_other(program, orders, interleavings / INTERLEAVINGS_OF_CLASS);
    };
    // Every round of a loop is run: those that can be left out have laws of their own.
    let mut settings = Settings { keep_going: true, loops: LoopRules::NONE, ..Settings::default() };
    check_replays(program, &oracle, &settings)?;
    settings.limits.executions = Some(4 * interleavings.max(1000));
    for algorithm in
        ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive() && algorithm.name != ORACLE)
    {
        for &order in orders {
            settings.order = order;
            check_algorithm(program, algorithm, &settings, &oracle)?;
        }
    }
    check_partial_alternatives(program, &settings, &oracle)?;
    Ok(Checked::Holds { classes: oracle.len() })
}

/// Tries the laws on `program` with what `optimal` finds in place of the oracle's classes, if there are no more than so many.
fn check_each_other(
    program: &dyn Program,
    orders: &[SchedulingOrder],
    classes: u64,
) -> Result<Checked, Box<Violation>> {
    let mut settings = Settings { keep_going: true, loops: LoopRules::NONE, ..Settings::default() };
    settings.limits.executions = Some(classes);
    let stand_in = explore::algorithm(STAND_IN).expect("it is one of them");
    let Some(found) = run(program, stand_in, &settings)?.filter(|found| found.report.exhaustive) else {
        return Ok(Checked::TooLarge);
    };
    check_replays(program, &found.classes, &settings)?;
    settings.limits.executions = Some(4 * classes.max(1000));
    settings.order = orders.last().copied().unwrap_or_default();
    let others = ALGORITHMS.iter().filter(|algorithm| algorithm.guarantee.is_exhaustive() && algorithm.name != ORACLE);
    for algorithm in others {
        let Some(other) = run(program, algorithm, &settings)? else { continue };
        // One that is not optimal may take any number of executions.
        if other.report.exhaustive || algorithm.guarantee.is_optimal() {
            compare(program, algorithm, &settings, &other, &found.classes)?;
        }
    }
    Ok(Checked::Holds { classes: found.classes.len() })
}

/// Law 1 for `unfolding` with k-partial alternatives, which may be blocked: every preference in turn.
fn check_partial_alternatives(
    program: &dyn Program,
    settings: &Settings,
    oracle: &Classes,
) -> Result<(), Box<Violation>> {
    let unfolding = explore::algorithm("unfolding").expect("it is one of them");
    use Preference::{Newest, Oldest, Shortest};
    for (k, preference) in [(1, Newest), (2, Oldest), (3, Shortest)] {
        let options = UnfoldingSettings { k: NonZeroU32::new(k), preference, ..settings.unfolding };
        let settings = Settings { unfolding: options, ..settings.clone() };
        check_algorithm(program, &AlgorithmInfo { guarantee: Guarantee::Exhaustive, ..*unfolding }, &settings, oracle)
            .map_err(|violation| Box::new(violation.with(format!(" (k = {k}, {preference:?} first)"))))?;
    }
    Ok(())
}

/// The classes of a program, by running every interleaving within bounds; `None` if there are more than so many.
fn oracle(program: &dyn Program, bounds: Bounds, interleavings: u64) -> Result<Option<Classes>, Box<Violation>> {
    let mut settings = Settings { keep_going: true, bounds, loops: LoopRules::NONE, ..Settings::default() };
    settings.limits.executions = Some(interleavings);
    let naive = explore::algorithm(ORACLE).expect("the oracle is an algorithm");
    let explored = run(program, naive, &settings)?.expect("the oracle refuses nothing");
    let stopped = matches!(explored.report.limit, Some(Limit::Executions(_)));
    Ok((!stopped).then_some(explored.classes))
}

struct Explored {
    report: Report,
    classes: Classes,
}

/// What an algorithm explores; nothing when it refuses an operation of the program.
fn run(
    program: &dyn Program,
    algorithm: &AlgorithmInfo,
    settings: &Settings,
) -> Result<Option<Explored>, Box<Violation>> {
    let mut classes = Classes::new(algorithm.equivalence);
    match explore::check_with(program, &mut *(algorithm.make)(), settings, &mut classes) {
        Ok(report) => Ok(Some(Explored { report, classes })),
        Err(Error::Unsupported { .. }) => Ok(None),
        Err(error) => Err(violation(algorithm, settings, error.to_string())),
    }
}

fn violation(algorithm: &AlgorithmInfo, settings: &Settings, problem: String) -> Box<Violation> {
    Box::new(Violation { algorithm: algorithm.name, order: settings.order, problem })
}

/// Laws 1 and 2, for one algorithm and scheduling order.
fn check_algorithm(
    program: &dyn Program,
    algorithm: &AlgorithmInfo,
    settings: &Settings,
    oracle: &Classes,
) -> Result<(), Box<Violation>> {
    match run(program, algorithm, settings)? {
        Some(found) => compare(program, algorithm, settings, &found, oracle),
        None => Ok(()),
    }
}

/// The same for what it found.
fn compare(
    program: &dyn Program,
    algorithm: &AlgorithmInfo,
    settings: &Settings,
    found: &Explored,
    oracle: &Classes,
) -> Result<(), Box<Violation>> {
    let wrong = |problem: String| Err(violation(algorithm, settings, problem));
    let oracle = match oracle.by(algorithm.equivalence, program.names()) {
        Ok(oracle) => oracle,
        Err(problem) => return wrong(problem),
    };
    if !found.report.exhaustive {
        return wrong(format!("did not end: {:?}", found.report.limit));
    }
    if let Some(difference) = oracle.difference(&found.classes, program.names()) {
        return wrong(difference);
    }
    if found.classes.repeated() > 0 {
        return wrong(format!("{} executions of classes that were explored before", found.classes.repeated()));
    }
    blocked_too_often(algorithm, &found.report, &oracle).map_or(Ok(()), wrong)
}

/// How an algorithm was blocked by sleep sets more often than it promises, in words.
fn blocked_too_often(algorithm: &AlgorithmInfo, report: &Report, oracle: &Classes) -> Option<String> {
    let blocked = report.tally.sleep_set_blocked;
    let most = algorithm.guarantee.most_blocked(oracle.len() as u64, oracle.has_adds(), oracle.has_siblings())?;
    (blocked > most).then(|| format!("blocked by sleep sets {blocked} times, in a program of {} classes", oracle.len()))
}

/// Law 3, for one execution of every class.
fn check_replays(program: &dyn Program, oracle: &Classes, settings: &Settings) -> Result<(), Box<Violation>> {
    for (class, outcome) in oracle.iter() {
        let schedule = outcome.schedule(program.names());
        let text = schedule.to_string();
        let problem = match text.parse() {
            Ok(schedule) => {
                let mut again = Classes::new(Equivalence::Traces);
                match explore::replay(program, &schedule, settings, &mut again) {
                    Ok(_) if again.ending_of(class) == Some(outcome.ending) => continue,
                    Ok(_) => format!("replaying {text} gives another execution"),
                    Err(error) => format!("replaying {text}: {error}"),
                }
            }
            Err(error) => format!("{text} cannot be read: {error}"),
        };
        return Err(Box::new(Violation { algorithm: "replay", order: settings.order, problem }));
    }
    Ok(())
}
