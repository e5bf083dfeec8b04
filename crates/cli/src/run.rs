//! `mazurka run`: explore a program.

use crate::checkpoint::CheckpointArgs;
use crate::cluster::ClusterArgs;
use crate::memory_model::{Job, MemoryArgs};
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::reports::{ReportArgs, Watchers};
use crate::search::{SearchArgs, status};
use crate::target::{Target, TargetArgs};
use clap::Args;
use explore::{AlgorithmInfo, Error, Finding, Report, Settings};
use graphs::ModelInfo;
use report::finding::Named;
use report::page::Exhibit;
use report::progress::ProgressLine;
use report::sinks::Several;
use report::summary::SCHEMA_VERSION;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use trace::Sink;

const EXAMPLES: &str = "\
Examples:
  mazurka run lastzero 10                          one execution for each class
  mazurka run lastzero 10 --algorithm source       the same classes by another algorithm
  mazurka run philosophers 3 --keep-going          count every class, whatever is found
  mazurka run lost_update 3 --algorithm random --seed 7 --max-time 5s
  mazurka run lost_update 3 --algorithm pct --pct-depth 2 --max-executions 1000
  mazurka run lastzero 10 --algorithm source --preemption-bound 1
  mazurka run examples/queue.litmus --max-steps 1000
  mazurka run disp 5 3 --algorithm unfolding --k 2
  mazurka run spinlock.litmus --algorithm unfolding --cutoffs
  mazurka run lastzero 20 --checkpoint search.mzk  stop it with Ctrl-C, and later
  mazurka run lastzero 20 --resume search.mzk      go on, after a crash as well
  mazurka run lastzero 10 --json | jq .counts
  mazurka run mp.litmus --memory rc11              under the memory model of C, C++ and Rust
  mazurka run mp.litmus --suggest-orders           which stronger memory orders make it pass
  mazurka run lost_update 2 --html page.html       look at the failure in a browser
  mazurka run lastzero 3 --tree tree.html          look at the search

Exit status: 0 nothing found and exhaustive, 1 a failure or deadlock was found, 2 bad usage or input, \
3 nothing found but not exhaustive.";

/// The arguments of `mazurka run`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    reports: ReportArgs,
    /// Show every step of an execution, however long
    #[arg(long)]
    full: bool,
}

/// Explores, and prints counts and findings.
pub(crate) fn run(args: &RunArgs) -> Result<Status, Problem> {
    if args.cluster.is_given() {
        return run_on_cluster(args);
    }
    let mut target = args.target.load()?;
    args.search.check_unfolding()?;
    if let Some(model) = args.memory.chosen() {
        return args.job(&target, model).run(&args.checkpoints, None);
    }
    if args.search.is_as_dpu() {
        target = target.framed()?;
    }
    let mut progress = ProgressLine::new(title(&target, args.search.algorithm()));
    let mut settings =
        Settings { checkpoints: args.checkpoints.checkpoints(|| target.identity()), ..args.search.settings() };
    if args.reports.wants_tree() {
        settings.workers = NonZeroUsize::MIN;
    }
    let mut watchers = args.reports.watchers(target.program.names());
    let mut all = Several::new(std::iter::once(&mut progress as &mut dyn Sink).chain(watchers.sinks()));
    let mut sink = args.checkpoints.interruptible(&mut all)?;
    let (info, report) = match args.search.explore(&*target.program, &settings, &mut sink) {
        Err(error @ (Error::Unsupported { .. } | Error::ComesBack { .. }))
            if args
                .reports
                .print_refusal(&Refusal { schema_version: SCHEMA_VERSION, refused: error.to_string() })? =>
        {
            return Ok(Status::BadInput);
        }
        result => result?,
    };
    let was_interrupted = sink.was_interrupted() && report.stopped;
    progress.clear();
    if let Some(model) = args.memory.to_follow(&target, &args.search)
        && report.exhaustive
        && report.findings.is_empty()
    {
        return args.job(&target, model).run(&args.checkpoints, Some(watchers));
    }
    let because = was_interrupted.then(|| "it was interrupted".to_owned());
    tell(args, &target, info, &report, because, watchers)?;
    print_hint(args, &target, &report);
    Ok(status(!report.findings.is_empty(), report.exhaustive))
}

impl RunArgs {
    fn job<'j>(&'j self, target: &'j Target, model: &'static ModelInfo) -> Job<'j> {
        let RunArgs { memory, search, reports, full, .. } = self;
        Job { target, model, args: memory, search, reports, full: *full }
    }
}

/// The same on a cluster, which this process works on together with others.
fn run_on_cluster(args: &RunArgs) -> Result<Status, Problem> {
    let target = args.target.load()?;
    if args.checkpoints.path().is_some() || args.reports.wants_tree() {
        return Err(Problem::Input(
            "a cluster keeps the search itself, and draws none: leave out --checkpoint, --resume and \
                                   --tree, or --cluster"
                .to_owned(),
        ));
    }
    if let Some(model) = args.memory.chosen() {
        return args.job(&target, model).run_on_cluster(&args.cluster);
    }
    let mut progress = ProgressLine::new(title(&target, args.search.algorithm()));
    let (info, report, because) = args.cluster.explore(&target, &args.search, &mut progress)?;
    progress.clear();
    if let Some(model) = args.memory.to_follow(&target, &args.search)
        && report.exhaustive
        && report.findings.is_empty()
    {
        return args.job(&target, model).run_on_cluster(&args.cluster);
    }
    let watchers = args.reports.watchers(target.program.names());
    tell(args, &target, info, &report, because, watchers)?;
    Ok(status(!report.findings.is_empty(), report.exhaustive))
}

/// Prints counts and findings, and writes what is to be written.
fn tell(
    args: &RunArgs,
    target: &Target,
    info: &AlgorithmInfo,
    report: &Report,
    because: Option<String>,
    watchers: Watchers<'_>,
) -> Result<(), Problem> {
    let mut summary = args.search.summary(target, info, report);
    summary.memory = args.memory.to_follow(target, &args.search).map(|_| "sc".to_owned());
    summary.memory_remark = args.memory.remark(target, &args.search);
    summary.not_exhaustive_because = because.or(summary.not_exhaustive_because);
    if !args.reports.print(&summary)? {
        print(&format!("{}\n\n{}", title(target, info), summary.to_text()))?;
        print_findings(target, report, args.full)?;
    }
    let mut pages = args.reports.pages(&title(target, info));
    if pages.are_wanted() {
        report.findings.iter().for_each(|finding| pages.exhibit(exhibit(target, finding)));
    }
    args.reports.write(&summary, pages, watchers, target.program.names())
}

/// Says how to go on, not on the standard output: that is about the program.
fn print_hint(args: &RunArgs, target: &Target, report: &Report) {
    if report.stopped
        && let Some(hint) = args.checkpoints.hint(&format!("run {}", target.command()), &args.search.meaning())
    {
        eprint!("\n{hint}");
    }
}

/// A finding, as it is shown.
fn exhibit<'a>(target: &'a Target, finding: &'a Finding) -> Exhibit<'a> {
    let schedule = finding.schedule.to_string();
    let again = format!("mazurka replay {} --schedule '{schedule}'", target.command());
    Exhibit {
        story: Named::of(finding, target.program.names()),
        headline: None,
        stacks: Vec::new(),
        schedule,
        commands: vec![("Run this execution again:".to_owned(), again)],
    }
}

fn title(target: &Target, info: &AlgorithmInfo) -> String {
    format!("{} by {}", target.title(), info.name)
}

/// What is printed as JSON when the program is not for the algorithm: it does not know an operation, or executions need not end.
#[derive(Serialize, Deserialize)]
pub(crate) struct Refusal {
    schema_version: u32,
    /// Why.
    pub(crate) refused: String,
}

fn print_findings(target: &Target, report: &Report, full: bool) -> Result<(), Problem> {
    let many = report.findings.len();
    for (i, finding) in report.findings.iter().enumerate() {
        let number = if many == 1 { String::new() } else { format!("{} of {many}: ", i + 1) };
        let story = Named::of(finding, target.program.names()).print(layout(full));
        let schedule = &finding.schedule;
        print(&format!(
            "\n{number}{story}\nreplay it with:\n  mazurka replay {} --schedule '{schedule}'\n",
            target.command()
        ))?;
    }
    Ok(())
}
