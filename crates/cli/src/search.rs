//! The options of a search, and what its report means.

use crate::bounds::BoundsArgs;
use crate::memory;
use crate::problem::{Problem, Status};
use crate::target::Target;
use crate::unfolding::UnfoldingArgs;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use explore::{
    ALGORITHMS, AlgorithmInfo, Error, Limits, LoopRules, Report, SchedulingOrder, Settings, UnfoldingSettings,
    algorithm, check_by, default_algorithm,
};
use model::Program;
use report::finding::Named;
use report::summary::{Counts, FindingSummary, SCHEMA_VERSION, Summary};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;
use trace::Sink;

/// How many executions an algorithm runs that would never end by itself, unless told otherwise.
const DEFAULT_SAMPLES: u64 = 10_000;

/// How to search.
#[derive(Args, Clone)]
pub(crate) struct SearchArgs {
    /// How to explore [default: pop; observers where there are messages; source within bounds]
    #[arg(long, short, value_parser = algorithm_parser())]
    algorithm: Option<&'static AlgorithmInfo>,
    /// Which thread goes first where the algorithm leaves it open
    #[arg(long, value_parser = order_parser(), default_value = "first", conflicts_with_all = ["preemption_bound", "delay_bound"])]
    order: &'static (&'static str, SchedulingOrder),
    /// Seed of everything random
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Stop after so many executions
    #[arg(long, value_name = "NUMBER")]
    max_executions: Option<u64>,
    /// Give up an execution after so many steps
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().steps)]
    max_steps: usize,
    /// Stop after so much time, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    max_time: Option<Duration>,
    /// Go on after the first failure or deadlock
    #[arg(long)]
    keep_going: bool,
    /// With pop: how many threads of the operating system, or processes for C and C++, search at the same time [default: one
    /// for each core]
    #[arg(long, value_name = "NUMBER")]
    workers: Option<NonZeroUsize>,
    /// How many executions are run before other workers are called
    #[arg(long, hide = true, value_name = "NUMBER", default_value_t = Settings::default().runs_alone)]
    runs_alone: usize,
    /// With pct: the depth of the bugs looked for, one more than the changes of priority in an execution
    #[arg(long, value_name = "NUMBER", default_value_t = Settings::default().pct_depth)]
    pct_depth: NonZeroU32,
    /// Do not look for bugs by some hundred samples before a search that is not over at once
    #[arg(long)]
    no_bug_first: bool,
    /// Show executions as they were found, and not simpler ones with the same bug
    #[arg(long)]
    no_shrink: bool,
    /// Run every round of every loop, also those in which a thread only waits or tries again
    #[arg(long)]
    every_round: bool,
    #[command(flatten)]
    unfolding: UnfoldingArgs,
    #[command(flatten)]
    bounds: BoundsArgs,
}

/// An algorithm by name, with all of them in the help.
pub(crate) fn algorithm_parser() -> impl TypedValueParser<Value = &'static AlgorithmInfo> {
    let values = ALGORITHMS.iter().map(|info| PossibleValue::new(info.name).help(info.summary));
    PossibleValuesParser::new(values).map(|name| algorithm(&name).expect("one of the possible values"))
}

/// A scheduling order by name.
pub(crate) fn order_parser() -> impl TypedValueParser<Value = &'static (&'static str, SchedulingOrder)> {
    let orders: &'static [(&str, SchedulingOrder)] = &SchedulingOrder::ALL;
    PossibleValuesParser::new(orders.iter().map(|&(name, _)| name))
        .map(|name| orders.iter().find(|order| order.0 == name).expect("one of the possible values"))
}

impl SearchArgs {
    /// Explores a program by the algorithm that was chosen, or the one that explores least. Says which it was.
    pub(crate) fn explore(
        &self,
        program: &dyn Program,
        settings: &Settings,
        sink: &mut dyn Sink,
    ) -> Result<(&'static AlgorithmInfo, Report), Error> {
        check_by(self.algorithm, program, settings, sink)
    }

    /// The algorithm that was chosen, if one was.
    pub(crate) fn chosen(&self) -> Option<&'static AlgorithmInfo> {
        self.algorithm
    }

    /// Whether the search is within bounds.
    pub(crate) fn is_bounded(&self) -> bool {
        self.bounds.bounds().any()
    }

    /// The name of the scheduling order.
    pub(crate) fn order_name(&self) -> &'static str {
        self.order.0
    }

    /// The algorithm that was chosen, or the one that fits the bounds.
    pub(crate) fn algorithm(&self) -> &'static AlgorithmInfo {
        self.algorithm.unwrap_or_else(|| default_algorithm(&self.bounds.bounds()))
    }

    pub(crate) fn settings(&self) -> Settings {
        let limits = Limits {
            executions: self.max_executions.or(self.is_unlimited_sampling().then_some(DEFAULT_SAMPLES)),
            steps: self.max_steps,
            time: self.max_time,
        };
        Settings {
            order: self.order.1,
            limits,
            bounds: self.bounds.bounds(),
            keep_going: self.keep_going,
            workers: self.workers.unwrap_or_else(explore::cores),
            runs_alone: self.runs_alone,
            seed: self.seed,
            pct_depth: self.pct_depth,
            unfolding: self.unfolding.settings(),
            bug_first: !self.no_bug_first,
            shrink: !self.no_shrink,
            loops: if self.every_round { LoopRules::NONE } else { LoopRules::ALL },
            ..Settings::default()
        }
    }

    /// An error if there is a limit that only one machine can keep.
    #[cfg(feature = "cluster")]
    pub(crate) fn check_for_cluster(&self) -> Result<(), Problem> {
        if self.max_executions.is_some() {
            return Err(Problem::Input(
                "--max-executions is for one machine: give --max-time, or leave out --cluster".to_owned(),
            ));
        }
        if self.is_as_dpu() {
            return Err(Problem::Input("--dpu is for one machine: leave it out, or --cluster".to_owned()));
        }
        Ok(())
    }

    /// Whether the program is to be framed as Dpu does it.
    pub(crate) fn is_as_dpu(&self) -> bool {
        self.unfolding.settings().as_dpu
    }

    /// An error if options of `unfolding` that mean nothing to another algorithm are given to one.
    pub(crate) fn check_unfolding(&self) -> Result<(), Problem> {
        let given = self.unfolding.settings();
        if given != UnfoldingSettings::default() && self.algorithm().name != "unfolding" {
            let options = "--k, --alternatives, --budget, --cutoffs and --dpu";
            return Err(Problem::Input(format!("{options} go with --algorithm unfolding")));
        }
        Ok(())
    }

    /// The options that a search must be given again to go on, each after a space.
    pub(crate) fn meaning(&self) -> String {
        let mut words = self.bounds.words();
        if self.order.1 != SchedulingOrder::default() {
            words.extend(["--order".to_owned(), self.order.0.to_owned()]);
        }
        if self.max_steps != Limits::default().steps {
            words.extend(["--max-steps".to_owned(), self.max_steps.to_string()]);
        }
        if self.keep_going {
            words.push("--keep-going".to_owned());
        }
        words.iter().map(|word| format!(" {word}")).collect()
    }

    fn is_unlimited_sampling(&self) -> bool {
        let is_sampling = self.algorithm.is_some_and(|algorithm| !algorithm.guarantee.is_exhaustive());
        is_sampling && self.max_executions.is_none() && self.max_time.is_none()
    }

    /// Why a search with these options was not exhaustive.
    fn reason(&self, algorithm: &AlgorithmInfo, report: &Report) -> Option<String> {
        if report.exhaustive {
            return None;
        }
        let reason = match &report.limit {
            _ if self.is_unlimited_sampling() && report.limit.is_some() => format!(
                "{} schedules prove nothing, and stop after {DEFAULT_SAMPLES} executions unless --max-executions or \
                 --max-time says otherwise",
                algorithm.name
            ),
            Some(limit) => limit.to_string(),
            None if report.is_sampled() => "a sample found this before the search; --no-bug-first searches".to_owned(),
            None if !report.findings.is_empty() && !self.keep_going => {
                "it stopped at the first finding; --keep-going goes on".to_owned()
            }
            None => "the search was stopped".to_owned(),
        };
        Some(reason)
    }

    /// Everything about a finished search.
    pub(crate) fn summary(&self, target: &Target, algorithm: &AlgorithmInfo, report: &Report) -> Summary {
        let counts = Counts { sampled: report.sampled.runs(), ..Counts::from(&report.tally) };
        let expected = target.expected(algorithm).filter(|_| !self.unfolding.settings().cutoffs);
        let agrees = expected.filter(|_| report.exhaustive).and_then(|classes| {
            // An algorithm that is not optimal may explore a class again, but must not miss one.
            (algorithm.guarantee.is_optimal() || counts.executions < classes).then_some(counts.executions == classes)
        });
        let names = target.program.names();
        let findings = report.findings.iter();
        Summary {
            schema_version: SCHEMA_VERSION,
            program: target.name.clone(),
            arguments: target.arguments.clone(),
            algorithm: algorithm.name.to_owned(),
            memory: None,
            memory_remark: None,
            order: self.order.0.to_owned(),
            seed: self.seed,
            counts,
            seconds: report.elapsed.as_secs_f64(),
            executions_per_second: counts.rate(report.elapsed.as_secs_f64()),
            peak_memory_bytes: memory::peak(),
            exhaustive: report.exhaustive,
            not_exhaustive_because: self.reason(algorithm, report),
            expected_executions: expected,
            agrees,
            findings: findings
                .map(|found| FindingSummary::new(&Named::of(found, names), found.schedule.to_string()))
                .collect(),
        }
    }
}

/// The exit status that a search deserves.
pub(crate) fn status(found: bool, exhaustive: bool) -> Status {
    match (found, exhaustive) {
        (true, _) => Status::Found,
        (false, true) => Status::Proved,
        (false, false) => Status::NotExhaustive,
    }
}
