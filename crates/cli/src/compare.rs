//! `mazurka compare`: algorithms side by side, on one program or on the corpus of known counts.

mod corpus;
mod models;
mod side_by_side;

use crate::bounds::BoundsArgs;
use crate::problem::{Problem, Status};
use crate::search::algorithm_parser;
use crate::target::TargetArgs;
use clap::Args;
use explore::{ALGORITHMS, AlgorithmInfo, algorithm};
use std::num::NonZeroUsize;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  mazurka compare lastzero 7                           every exhaustive algorithm on one program
  mazurka compare fib_bench 4 --algorithms source,optimal
  mazurka compare lastzero 7 --preemption-bound 1      what each explores within a bound
  mazurka compare model.pml                            every reduction on a Promela model
  mazurka compare model.pml --algorithms pop,optimal   its executions by these algorithms
  mazurka compare --corpus                             the counts of every known program, by optimal
  mazurka compare --corpus lastzero --heavy            the large rows too, of one program
  mazurka compare --corpus readers --algorithms classic,source,optimal

On one program, each algorithm runs in a process of its own, so that its peak memory is its own. 'naive' stops after \
1,000,000 executions unless --max-executions says otherwise.

Exit status: 0 everything agrees and nothing was found, 1 a failure or deadlock was found or a count is not the known \
one, 2 bad usage or input, 3 no search was exhaustive (on the corpus: some search was not).";

/// The arguments of `mazurka compare`.
#[derive(Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("what").args(["name", "corpus"]).required(true))]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    target: Option<TargetArgs>,
    /// Check the corpus of known counts, or its rows with FILTER in their name
    #[arg(long, value_name = "FILTER", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["name", "preemption_bound", "delay_bound", "depth_bound"])]
    corpus: Option<String>,
    /// With --corpus: include the rows that take long
    #[arg(long, requires = "corpus")]
    heavy: bool,
    /// Which algorithms, separated by commas [default: all exhaustive ones; with --corpus: optimal]
    #[arg(long, value_delimiter = ',', value_parser = algorithm_parser())]
    algorithms: Vec<&'static AlgorithmInfo>,
    /// Time for each search, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s")]
    max_time: Duration,
    /// Executions for each search
    #[arg(long, value_name = "NUMBER")]
    max_executions: Option<u64>,
    /// With pop: how many threads of the operating system search at the same time [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    workers: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bounds: BoundsArgs,
}

/// Compares as asked.
pub(crate) fn compare(args: &CompareArgs) -> Result<Status, Problem> {
    match (&args.target, &args.corpus) {
        (_, Some(filter)) => corpus::compare(args, filter),
        (Some(target), None) if is_model(target) && args.algorithms.is_empty() => models::compare(args, target),
        (Some(target), None) => side_by_side::compare(args, target),
        (None, None) => Err(Problem::input("give a program, or --corpus")),
    }
}

/// Whether it is a model: then the reductions of its states are compared, unless algorithms are asked for by name.
fn is_model(target: &TargetArgs) -> bool {
    crate::verify::is_model(std::slice::from_ref(&target.name))
}

impl CompareArgs {
    fn algorithms(&self) -> Vec<&'static AlgorithmInfo> {
        if !self.algorithms.is_empty() {
            return self.algorithms.clone();
        }
        match self.corpus {
            Some(_) => vec![algorithm("optimal").expect("the best algorithm there is")],
            None => ALGORITHMS.iter().filter(|info| info.guarantee.is_exhaustive()).collect(),
        }
    }
}
