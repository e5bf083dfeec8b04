//! `mazurka estimate`: how many executions a search would run, without running them all.

use crate::c;
use crate::memory_model::model_parser;
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::search::order_parser;
use crate::target::{Target, TargetArgs};
use clap::Args;
use explore::{Estimate, Limits, Sampling, SchedulingOrder, Settings, estimate};
use graphs::ModelInfo;
use report::progress::ProgressLine;
use report::summary::{SCHEMA_VERSION, time};
use report::table::thousands;
use serde::Serialize;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use trace::{Progress, Sink, Tally};

const EXAMPLES: &str = "\
Examples:
  mazurka estimate lastzero 15                     about how many executions an optimal search runs
  mazurka estimate lastzero 25 --samples 500       with a smaller error
  mazurka estimate my_program.litmus --width 100   for trees that are uneven
  mazurka estimate my_program.litmus --memory rc11 how many executions the memory model allows
  mazurka estimate queue.c --arg 3                 of a program in C or C++

A sample goes through the tree of pop's executions level by level and keeps --width of each, chosen by chance. The mean of the \
samples is an unbiased estimate; samples that are rare and large can make it too small when there are few of them.

Exit status: 0 an estimate was made, 2 bad usage or input, 3 not one sample was finished.";

/// The arguments of `mazurka estimate`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EstimateArgs {
    /// A built-in program (see `mazurka programs`) and its arguments, the path of a file in litmus notation or of a Promela model,
    /// sources in C or C++, or a program that `mazurka cc` linked
    #[arg(value_name = "PROGRAM", required = true, allow_negative_numbers = true)]
    program: Vec<String>,
    /// Define a macro of a Promela model: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// How many independent samples
    #[arg(long, value_name = "NUMBER", default_value_t = Sampling::default().samples)]
    samples: NonZeroU32,
    /// How many executions of each level a sample keeps
    #[arg(long, value_name = "NUMBER", default_value_t = Sampling::default().width)]
    width: NonZeroUsize,
    /// Which thread goes first where the algorithm leaves it open
    #[arg(long, value_parser = order_parser(), default_value = "first")]
    order: &'static (&'static str, SchedulingOrder),
    /// Seed of everything random
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Give up an execution after so many steps
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().steps)]
    max_steps: usize,
    /// Stop after so much time, such as 500ms, 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "60s")]
    max_time: Duration,
    /// Estimate how many execution graphs this memory model allows [default: how many classes of interleavings there are]
    #[arg(long, value_name = "MODEL", value_parser = model_parser(), conflicts_with = "order")]
    memory: Option<&'static ModelInfo>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    c: c::ProgramArgs,
}

#[derive(Serialize)]
struct Output<'a> {
    schema_version: u32,
    program: &'a str,
    arguments: &'a [i64],
    seed: u64,
    /// The estimate.
    executions: f64,
    standard_error: Option<f64>,
    /// In about 95 of 100 cases, the true number lies in here.
    interval: Option<(f64, f64)>,
    at_least: u64,
    exact: bool,
    samples: u64,
    executions_run: u64,
    seconds: f64,
    expected_executions: Option<u64>,
    memory: Option<&'a str>,
}

impl EstimateArgs {
    fn settings(&self) -> Settings {
        let limits = Limits { executions: None, steps: self.max_steps, time: Some(self.max_time) };
        Settings { order: self.order.1, limits, seed: self.seed, ..Settings::default() }
    }

    fn sampling(&self) -> Sampling {
        Sampling { samples: self.samples, width: self.width }
    }
}

fn title(args: &EstimateArgs, target: &Target) -> String {
    let under = args.memory.map_or(String::new(), |model| format!(" under {}", model.name));
    target.title() + &under
}

/// The corpus knows classes of interleavings.
fn expected(args: &EstimateArgs, target: &Target) -> Option<u64> {
    target.classes.filter(|_| args.memory.is_none())
}

/// Samples, and prints the estimate.
pub(crate) fn run_estimate(args: &EstimateArgs) -> Result<Status, Problem> {
    if c::is_c(&args.program) {
        return estimate_c(args);
    }
    args.c.check_for_others()?;
    let target = TargetArgs::of_words(&args.program, &args.defines)?.load()?;
    let (settings, sampling) = (args.settings(), args.sampling());
    tell(args, &target, |sink| match args.memory {
        None => Ok(estimate(&*target.program, &settings, sampling, sink)?),
        Some(model) => {
            let program = &*target.program;
            let (settings, sampling) = ((&settings).into(), (sampling, args.seed));
            under(sink, |progress| graphs::estimate(program, model, &settings, sampling, progress))
        }
    })
}

/// The same of a program in C or C++.
fn estimate_c(args: &EstimateArgs) -> Result<Status, Problem> {
    if let Some(define) = args.defines.first() {
        return Err(Problem::Input(format!(
            "-D is for Promela models: give flags for the compiler behind --, as in -- -D{define}"
        )));
    }
    c::in_process(&args.c, &args.program, |program| {
        let target = Target::named(args.program.join(" "), Box::new(program));
        let (settings, sampling) = (args.settings(), args.sampling());
        tell(args, &target, |sink| match args.memory {
            None => c_check::estimate(program, &settings, sampling, sink).map_err(Problem::input),
            Some(model) => {
                let (settings, sampling) = ((&settings).into(), (sampling, args.seed));
                under(sink, |progress| c_check::estimate_model(program, model, &settings, sampling, progress))
            }
        })
    })
}

/// Makes an estimate, and prints it.
fn tell(
    args: &EstimateArgs,
    target: &Target,
    make: impl FnOnce(&mut dyn Sink) -> Result<Option<Estimate>, Problem>,
) -> Result<Status, Problem> {
    let mut progress = ProgressLine::new(format!("estimate of {}", title(args, target)));
    let found = make(&mut progress);
    progress.clear();
    let Some(estimate) = found? else {
        print(&format!(
            "{}: not one sample was finished in {}; give it more --max-time or less --width\n",
            target.title(),
            humantime::format_duration(args.max_time)
        ))?;
        return Ok(Status::NotExhaustive);
    };
    if args.json {
        print_json(&output(args, target, &estimate))?;
    } else {
        print(&text(args, target, &estimate))?;
    }
    Ok(Status::Proved)
}

/// Makes an estimate under a memory model, of which the sink is told how far it is.
fn under<E: std::fmt::Display>(
    sink: &mut dyn Sink,
    make: impl FnOnce(&mut dyn FnMut(&Tally) -> ControlFlow<()>) -> Result<Option<Estimate>, E>,
) -> Result<Option<Estimate>, Problem> {
    let started = Instant::now();
    let mut progress = |tally: &Tally| {
        let elapsed = started.elapsed();
        sink.progress(&Progress { tally: *tally, elapsed, depth: 0, share: None, tasks: None })
    };
    make(&mut progress).map_err(Problem::input)
}

fn output<'a>(args: &EstimateArgs, target: &'a Target, estimate: &Estimate) -> Output<'a> {
    Output {
        schema_version: SCHEMA_VERSION,
        program: &target.name,
        arguments: &target.arguments,
        seed: args.seed,
        executions: estimate.executions,
        standard_error: estimate.standard_error,
        interval: estimate.interval(),
        at_least: estimate.at_least,
        exact: estimate.exact,
        samples: estimate.samples,
        executions_run: estimate.executions_run,
        seconds: estimate.elapsed.as_secs_f64(),
        expected_executions: expected(args, target),
        memory: args.memory.map(|model| model.name),
    }
}

fn text(args: &EstimateArgs, target: &Target, estimate: &Estimate) -> String {
    let number = |x: f64| thousands(x.round() as u64);
    let mut rows = vec![("executions", number(estimate.executions))];
    if estimate.exact {
        rows[0].1 += ", exactly: all of them were run";
    } else {
        let error = estimate.standard_error;
        rows.push(("standard error", error.map_or("unknown: one sample only".to_owned(), number)));
        if let Some((low, high)) = estimate.interval() {
            rows.push(("95% interval", format!("{} to {}", number(low), number(high))));
        }
        rows.push(("at least", thousands(estimate.at_least)));
        rows.push(("samples", thousands(estimate.samples)));
    }
    rows.push(("executions run", thousands(estimate.executions_run)));
    rows.push(("time", time(estimate.elapsed.as_secs_f64())));
    if let Some(expected) = expected(args, target) {
        rows.push(("known executions", thousands(expected)));
    }
    let lines: Vec<String> = rows.iter().map(|(label, value)| format!("{label:<16}  {value}\n")).collect();
    format!("estimate of {}\n\n{}", title(args, target), lines.concat())
}
