//! `mazurka run --memory`: explore a program under a memory model.

use crate::checkpoint::CheckpointArgs;
use crate::cluster::ClusterArgs;
use crate::memory;
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::reports::{Plots, ReportArgs, Watchers};
use crate::search::{SearchArgs, status};
use crate::suggest;
use crate::target::Target;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use graphs::{Complete, MODELS, ModelInfo, Report, Settings, Watcher};
use litmus::sketch::ObjectKind;
use report::graph::GraphStory;
use report::page::GraphExhibit;
use report::progress::ProgressLine;
use report::summary::{Counts, SCHEMA_VERSION, Summary};
use std::ops::ControlFlow;
use std::time::Instant;
use trace::{Ending, Progress, Sink, Tally};

/// Under which memory model.
#[derive(Args, Clone)]
pub(crate) struct MemoryArgs {
    /// The memory model [default: sc; then rc11 for programs with weaker memory orders]
    #[arg(long, value_name = "MODEL", env = "MAZURKA_MEMORY", value_parser = model_parser())]
    memory: Option<&'static ModelInfo>,
    /// Where a program fails under its memory model, look for stronger memory orders with which it does not
    #[arg(long)]
    suggest_orders: bool,
}

/// A memory model by name.
pub(crate) fn model_parser() -> impl TypedValueParser<Value = &'static ModelInfo> {
    let values = MODELS.iter().map(|info| PossibleValue::new(info.name).help(info.summary));
    PossibleValuesParser::new(values).map(|name| graphs::model(&name).expect("one of the possible values"))
}

/// The model of programs whose accesses are not all seq_cst: that of C, C++ and Rust.
pub(crate) fn language_model() -> &'static ModelInfo {
    graphs::model("rc11").expect("it is one of the models")
}

impl MemoryArgs {
    /// The model that was chosen.
    pub(crate) fn chosen(&self) -> Option<&'static ModelInfo> {
        self.memory
    }

    /// Whether stronger memory orders are to be looked for.
    pub(crate) fn suggests(&self) -> bool {
        self.suggest_orders
    }

    /// The model to go on with after a search under sequential consistency that found nothing: that proves what the
    /// language's model says only of programs without weaker memory orders.
    pub(crate) fn to_follow(&self, target: &Target, search: &SearchArgs) -> Option<&'static ModelInfo> {
        (self.leaves_open(target, search) && !has_messages(target)).then(language_model)
    }

    /// Why a search under sequential consistency is not followed by one under the language's model, although it leaves that open.
    pub(crate) fn remark(&self, target: &Target, search: &SearchArgs) -> Option<String> {
        let is_alone = self.leaves_open(target, search) && has_messages(target);
        is_alone.then(|| "sc only, because messages are explored as sequentially consistent".to_owned())
    }

    fn leaves_open(&self, target: &Target, search: &SearchArgs) -> bool {
        let is_open = self.memory.is_none() && search.chosen().is_none() && !search.is_bounded();
        is_open && target.sketch().is_some_and(|sketch| !sketch.is_seq_cst())
    }
}

/// Whether a program has messages, which graphs do not know.
fn has_messages(target: &Target) -> bool {
    target.sketch().is_some_and(|sketch| sketch.objects.iter().any(|object| object.kind == ObjectKind::Mailbox))
}

/// A search under a memory model, and how it is told.
pub(crate) struct Job<'j> {
    pub(crate) target: &'j Target,
    pub(crate) model: &'static ModelInfo,
    pub(crate) args: &'j MemoryArgs,
    pub(crate) search: &'j SearchArgs,
    pub(crate) reports: &'j ReportArgs,
    /// Whether every step of an execution is shown.
    pub(crate) full: bool,
}

impl<'j> Job<'j> {
    fn title(&self) -> String {
        format!("{} by graphs under {}", self.target.title(), self.model.name)
    }

    /// Explores, and prints counts and findings. `watchers` are those of a search of interleavings that came before, if one did: what
    /// is written to a file is that one then, which somebody asked for, and not this one, which follows.
    pub(crate) fn run(&self, checkpoints: &CheckpointArgs, watchers: Option<Watchers<'j>>) -> Result<Status, Problem> {
        check_options(self.search)?;
        let (target, settings) = (self.target, settings(self.search));
        let follows = watchers.is_some();
        let mut watchers = watchers.unwrap_or_else(|| self.reports.watchers(target.program.names()));
        let mut line = ProgressLine::new(self.title());
        let kept = checkpoints.checkpoints(|| target.identity()).filter(|_| !follows);
        if kept.is_some() && self.reports.wants_tree() {
            let problem = "--tree draws a search that is not gone on with: leave out --checkpoint and --resume";
            return Err(Problem::input(problem));
        }
        let mut sink = checkpoints.interruptible(&mut line)?;
        let mut watcher = watchers.of_graphs(target.program.names(), self.model, Plots::New);
        let started = Instant::now();
        let mut watched = Watched { watcher: &mut watcher, sink: &mut sink, started, was_told_to_stop: false };
        let program = &*target.program;
        let report = match &kept {
            Some(kept) => graphs::check_kept(program, self.model, &settings, kept, &mut watched),
            None => graphs::check_watched(program, self.model, &settings, &mut watched),
        };
        let was_interrupted = watched.was_told_to_stop;
        line.clear();
        let report = report.map_err(Problem::input)?;
        let because = (was_interrupted && !report.exhaustive).then(|| "it was interrupted".to_owned());
        let status = self.tell(&report, because, watchers)?;
        if !report.exhaustive
            && kept.is_some()
            && let Some(hint) = checkpoints.hint(&self.command(), &self.search.meaning())
        {
            eprint!("\n{hint}");
        }
        Ok(status)
    }

    /// The same on a cluster, which this process works on together with others.
    pub(crate) fn run_on_cluster(&self, cluster: &ClusterArgs) -> Result<Status, Problem> {
        check_options(self.search)?;
        let mut line = ProgressLine::new(self.title());
        let (report, because) = cluster.explore_under(self.model, self.target, self.search, &mut line)?;
        line.clear();
        self.tell(&report, because, self.reports.watchers(self.target.program.names()))
    }

    /// As it is given again.
    fn command(&self) -> String {
        format!("run {} --memory {}", self.target.command(), self.model.name)
    }

    fn tell(&self, report: &Report, because: Option<String>, watchers: Watchers<'j>) -> Result<Status, Problem> {
        let (target, title) = (self.target, self.title());
        let mut summary = summary(target, self.search, report);
        summary.not_exhaustive_because = because.or(summary.not_exhaustive_because);
        if !self.reports.print(&summary)? {
            print(&format!("{title}\n\n{}", summary.to_text()))?;
            print_findings(target, report, self.full)?;
        }
        let mut pages = self.reports.pages(&title);
        if pages.are_wanted() {
            report.findings.iter().for_each(|finding| pages.graph_exhibit(exhibit(target, report, finding)));
        }
        self.reports.write(&summary, pages, watchers, target.program.names())?;
        if self.args.suggest_orders && !report.findings.is_empty() {
            print(&suggest::text(target, self.model, &settings(self.search))?)?;
        }
        Ok(status(!report.findings.is_empty(), report.exhaustive))
    }
}

/// Tells a sink how far a search is, which may end it.
struct Watched<'w> {
    watcher: &'w mut dyn Watcher,
    sink: &'w mut dyn Sink,
    started: Instant,
    was_told_to_stop: bool,
}

impl Watcher for Watched<'_> {
    fn wants(&self, ending: Ending) -> bool {
        self.watcher.wants(ending)
    }

    fn complete(&mut self, complete: &Complete<'_>) -> ControlFlow<()> {
        self.watcher.complete(complete)
    }

    fn given_up(&mut self, given_up: &Complete<'_>) {
        self.watcher.given_up(given_up);
    }

    fn anew(&mut self) {
        self.watcher.anew();
    }

    fn progress(&mut self, tally: &Tally, tasks: usize) -> ControlFlow<()> {
        let (elapsed, many) = (self.started.elapsed(), Some(tasks as u64));
        let progress = Progress { tally: *tally, elapsed, depth: 0, share: None, tasks: many };
        self.was_told_to_stop = self.sink.progress(&progress).is_break();
        if self.was_told_to_stop {
            return ControlFlow::Break(());
        }
        self.watcher.progress(tally, tasks)
    }
}

/// Refuses options that have no meaning under a memory model.
pub(crate) fn check_options(search: &SearchArgs) -> Result<(), Problem> {
    if search.chosen().is_some() || search.is_bounded() {
        let options = "--algorithm, --preemption-bound, --delay-bound and --depth-bound";
        return Err(Problem::Input(format!("{options} are for searches without --memory")));
    }
    Ok(())
}

/// The limits of a search.
pub(crate) fn settings(search: &SearchArgs) -> Settings {
    (&search.settings()).into()
}

fn story<'a>(target: &'a Target, report: &'a Report, finding: &'a graphs::Finding) -> GraphStory<'a> {
    GraphStory { finding, model: report.model, names: target.program.names() }
}

fn exhibit<'a>(target: &'a Target, report: &'a Report, finding: &'a graphs::Finding) -> GraphExhibit<'a> {
    let name = report.model.name;
    let again = format!("mazurka run {} --memory {name}", target.command());
    GraphExhibit {
        story: story(target, report, finding),
        headline: None,
        schedule: graphs::schedule(&finding.graph, report.model, target.program.names()),
        commands: vec![(format!("Search again under {name}:"), again)],
    }
}

fn print_findings(target: &Target, report: &Report, full: bool) -> Result<(), Problem> {
    let many = report.findings.len();
    for (i, finding) in report.findings.iter().enumerate() {
        let number = if many == 1 { String::new() } else { format!("{} of {many}: ", i + 1) };
        print(&format!("\n{number}{}", story(target, report, finding).print(layout(full))))?;
    }
    Ok(())
}

pub(crate) fn summary(target: &Target, search: &SearchArgs, report: &Report) -> Summary {
    let counts = Counts::from(&report.tally);
    let seconds = report.elapsed.as_secs_f64();
    let reason = match &report.limit {
        _ if report.exhaustive => None,
        Some(limit) => Some(limit.to_string()),
        None => Some("it stopped at the first finding; --keep-going goes on".to_owned()),
    };
    Summary {
        schema_version: SCHEMA_VERSION,
        program: target.name.clone(),
        arguments: target.arguments.clone(),
        algorithm: "graphs".to_owned(),
        memory: Some(report.model.name.to_owned()),
        memory_remark: None,
        order: search.order_name().to_owned(),
        seed: 0,
        counts,
        seconds,
        executions_per_second: counts.rate(seconds),
        peak_memory_bytes: memory::peak(),
        exhaustive: report.exhaustive,
        not_exhaustive_because: reason,
        expected_executions: None,
        agrees: None,
        findings: report
            .findings
            .iter()
            .map(|finding| {
                let schedule = graphs::schedule(&finding.graph, report.model, target.program.names());
                story(target, report, finding).summary(schedule)
            })
            .collect(),
    }
}
