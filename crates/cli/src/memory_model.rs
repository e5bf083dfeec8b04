//! `mazurka run --memory`: explore a program under a memory model.

use crate::memory;
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::reports::{Plots, ReportArgs, Watchers};
use crate::search::{SearchArgs, status};
use crate::suggest;
use crate::target::Target;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use graphs::{MODELS, ModelInfo, Report, Settings};
use report::graph::GraphStory;
use report::page::GraphExhibit;
use report::summary::{Counts, SCHEMA_VERSION, Summary};

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

fn model_parser() -> impl TypedValueParser<Value = &'static ModelInfo> {
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
        let is_left_open = self.memory.is_none() && search.chosen().is_none() && !search.is_bounded();
        let is_weak = || target.sketch().is_some_and(|sketch| !sketch.is_seq_cst());
        (is_left_open && is_weak()).then(language_model)
    }
}

/// Explores under a model, and prints counts and findings.
///
/// `watchers` are those of a search of interleavings that came before, if one did.
pub(crate) fn run<'t>(
    target: &'t Target,
    model: &'static ModelInfo,
    args: &MemoryArgs,
    search: &SearchArgs,
    reports: &ReportArgs,
    full: bool,
    watchers: Option<Watchers<'t>>,
) -> Result<Status, Problem> {
    check_options(search)?;
    let settings = settings(search);
    let mut watchers = watchers.unwrap_or_else(|| reports.watchers(target.program.names()));
    let mut watcher = watchers.of_graphs(target.program.names(), model, Plots::New);
    let report = graphs::check_watched(&*target.program, model, &settings, &mut watcher).map_err(Problem::input)?;
    let summary = summary(target, search, &report);
    let title = format!("{} by graphs under {}", target.title(), model.name);
    if !reports.print(&summary)? {
        print(&format!("{title}\n\n{}", summary.to_text()))?;
        print_findings(target, &report, full)?;
    }
    let mut pages = reports.pages(&title);
    if pages.are_wanted() {
        report.findings.iter().for_each(|finding| pages.graph_exhibit(exhibit(target, &report, finding)));
    }
    reports.write(&summary, pages, watchers, target.program.names())?;
    if args.suggest_orders && !report.findings.is_empty() {
        print(&suggest::text(target, model, &settings)?)?;
    }
    Ok(status(!report.findings.is_empty(), report.exhaustive))
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
    let given = search.settings();
    Settings {
        keep_going: given.keep_going,
        executions: given.limits.executions,
        events: given.limits.steps,
        time: given.limits.time,
        workers: given.workers,
    }
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
