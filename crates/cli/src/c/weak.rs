//! Searches of a program in C or C++ under memory models.
//!
//! Without `--memory`, the search of interleavings comes first. Where no atomic operation on shared memory is weaker than seq_cst,
//! what it proves holds under the language's model too. Otherwise a search over execution graphs follows, for a while: what it
//! cannot do, or does not come to the end of, is said.

use super::CheckArgs;
use super::explore::{again, flags};
use crate::memory_model::{self, language_model};
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::reports::{Pages, Plots, Watchers};
use crate::search::status;
use crate::target::Target;
use ::c::CProgram;
use ::c::processes::is_told_to_end;
use ::explore::Checkpoints;
use c_check::{CheckError, check_model_until, stronger_orders};
use graphs::{EventId, Finding, Graph, Label, ModelInfo, Report, Settings};
use model::{FailureKind, Program};
use report::graph::GraphStory;
use report::lanes::Layout;
use report::page::GraphExhibit;
use report::summary::{FindingSummary, StackSummary, Summary, stacks_text};
use report::table::thousands;
use std::fmt::Write;
use std::time::Duration;
use trace::Ending;

/// A search that follows another by itself takes no longer than that one, or than this.
const A_WHILE: Duration = Duration::from_secs(3);
/// Its executions have no more events.
const FEW_EVENTS: usize = 2_000;

/// Explores under a model that was chosen, and prints counts and findings.
pub(super) fn explore(
    args: &CheckArgs,
    program: &'static CProgram,
    model: &'static ModelInfo,
    checkpoints: Option<Checkpoints>,
) -> Result<Status, Problem> {
    check_options(args)?;
    let is_kept = checkpoints.is_some();
    if is_kept && args.reports.wants_tree() {
        let problem = "--tree draws a search that is not gone on with: leave out --checkpoint and --resume";
        return Err(Problem::Input(problem.to_owned()));
    }
    let mut watchers = args.reports.watchers(program.names());
    let how = How { checkpoints, plots: Plots::New };
    let report = search(program, model, &memory_model::settings(&args.search), &mut watchers, how);
    let report = report.map_err(Problem::input)?;
    let is_interrupted = is_kept && !report.exhaustive && is_told_to_end();
    let because = is_interrupted.then(|| "it was interrupted".to_owned());
    let status = tell_user(args, program, &report, because, watchers)?;
    let options = format!(" --memory {}{}{}", model.name, args.search.meaning(), flags(args));
    if !report.exhaustive
        && let Some(hint) = args.checkpoints.hint(&again(args, "check"), &options)
    {
        eprint!("\n{hint}");
    }
    Ok(status)
}

/// Refuses what is for interleavings.
pub(super) fn check_options(args: &CheckArgs) -> Result<(), Problem> {
    memory_model::check_options(&args.search)?;
    match args.program.paranoid {
        true => Err(Problem::Input("--paranoid is for searches without --memory".to_owned())),
        false => Ok(()),
    }
}

/// Prints counts and findings, and why a search is not exhaustive where its report would not say so.
pub(super) fn tell_user(
    args: &CheckArgs,
    program: &'static CProgram,
    report: &Report,
    because: Option<String>,
    watchers: Watchers<'static>,
) -> Result<Status, Problem> {
    let target = Target::named(args.inputs.join(" "), Box::new(program));
    let mut summary = memory_model::summary(&target, &args.search, report);
    summary.not_exhaustive_because = because.or(summary.not_exhaustive_because);
    let mut is_exhaustive = report.exhaustive;
    if let Some(reason) = program.not_a_proof_because() {
        is_exhaustive = false;
        summary.exhaustive = false;
        summary.not_exhaustive_because.get_or_insert(reason);
    }
    let title = format!("{} by graphs under {}", target.name, report.model.name);
    let mut pages = args.reports.pages(&title);
    let told = tell_all(args, program, report, &mut summary.findings, &mut pages);
    if !args.reports.print(&summary)? {
        print(&format!("{title}\n\n{}", summary.to_text()))?;
        print_all(&told)?;
    }
    args.reports.write(&summary, pages, watchers, program.names())?;
    suggest(args, program, report, &memory_model::settings(&args.search))?;
    Ok(status(!report.findings.is_empty(), is_exhaustive))
}

/// A search of interleavings found nothing and was exhaustive: what that says under the language's model goes into its summary,
/// and so does what a search under that model finds. The answer is the text of these findings.
pub(super) fn follow(
    args: &CheckArgs,
    program: &'static CProgram,
    elapsed: Duration,
    summary: &mut Summary,
    (pages, watchers): (&mut Pages<'_>, &mut Watchers<'static>),
) -> Result<Vec<String>, Problem> {
    let info = language_model();
    let no_proof = |reason: &str| Some(format!("sc only, because {reason}"));
    if !program.reports_races() {
        summary.memory_remark = no_proof("data races are no failures here, and a program that has one has no meaning");
        return Ok(Vec::new());
    }
    if !program.has_weak_orders() {
        let name = info.name;
        summary.memory_remark =
            Some(format!("{name}: no atomic operation is weaker than seq_cst, so that sc is enough"));
        return Ok(Vec::new());
    }
    let wants_interleavings = args.program.paranoid || args.search.chosen().is_some() || args.search.is_bounded();
    if wants_interleavings {
        let reason = "an algorithm, a bound or --paranoid was asked for, which are for interleavings";
        summary.memory_remark = no_proof(reason);
        return Ok(Vec::new());
    }
    let given = memory_model::settings(&args.search);
    let settings = Settings {
        events: given.events.min(FEW_EVENTS),
        time: Some(elapsed.max(A_WHILE).min(given.time.unwrap_or(Duration::MAX))),
        ..given
    };
    let how = How { checkpoints: None, plots: Plots::Before };
    let report = match search(program, info, &settings, watchers, how) {
        Err(error) => {
            let reason = if let CheckError::Refused(refusal) = error { refusal } else { error.to_string() };
            summary.memory_remark = no_proof(&reason);
            return Ok(Vec::new());
        }
        Ok(report) => report,
    };
    let executions = thousands(report.tally.executions());
    let mut remark = format!("{}: {executions} executions by graphs", info.name);
    if report.findings.is_empty() {
        watchers.forget_graphs();
    }
    if !report.findings.is_empty() {
        summary.memory = Some(info.name.to_owned());
        summary.exhaustive = false;
        summary.not_exhaustive_because = Some("it stopped at the first finding; --keep-going goes on".to_owned());
    } else if report.exhaustive {
        summary.memory = Some(info.name.to_owned());
        remark += ", and there are no others";
    } else {
        let reason = report.limit.map_or_else(|| "it was stopped".to_owned(), |limit| limit.to_string());
        let name = info.name;
        remark = format!("sc only, because {reason} under {name}; --memory {name} has no limits of its own");
    }
    summary.memory_remark = Some(remark);
    Ok(tell_all(args, program, &report, &mut summary.findings, pages))
}

/// Prints which stronger memory orders make the program pass, if that is wanted.
pub(super) fn suggest_for(args: &CheckArgs, program: &'static CProgram) -> Result<(), Problem> {
    let settings = memory_model::settings(&args.search);
    print(&suggestion(program, language_model(), &settings)?)
}

fn suggest(args: &CheckArgs, program: &'static CProgram, report: &Report, settings: &Settings) -> Result<(), Problem> {
    if args.memory.suggests() && !report.findings.is_empty() {
        print(&suggestion(program, report.model, settings)?)?;
    }
    Ok(())
}

fn suggestion(program: &CProgram, model: &'static ModelInfo, settings: &Settings) -> Result<String, Problem> {
    let changes = stronger_orders(program, model, settings).map_err(Problem::input)?;
    Ok(report::graph::suggestion(changes.as_deref(), program.names()))
}

/// How a search is done.
struct How {
    /// Where it is kept.
    checkpoints: Option<Checkpoints>,
    plots: Plots,
}

/// Searches under a model.
fn search(
    program: &'static CProgram,
    model: &'static ModelInfo,
    settings: &Settings,
    watchers: &mut Watchers<'static>,
    How { checkpoints, plots }: How,
) -> Result<Report, CheckError> {
    let is_told = if checkpoints.is_some() { is_told_to_end } else { || false };
    let mut watcher = watchers.of_graphs(program.names(), model, plots);
    check_model_until(program, model, settings, checkpoints, &mut watcher, is_told)
}

pub(super) fn print_all(told: &[String]) -> Result<(), Problem> {
    for (i, text) in told.iter().enumerate() {
        let number = if told.len() == 1 { String::new() } else { format!("{} of {}: ", i + 1, told.len()) };
        print(&format!("\n{number}{text}"))?;
    }
    Ok(())
}

/// The findings in words. Their summaries are put at the end of `summaries`, or in place of those of the same report.
fn tell_all(
    args: &CheckArgs,
    program: &'static CProgram,
    report: &Report,
    summaries: &mut Vec<FindingSummary>,
    pages: &mut Pages<'_>,
) -> Vec<String> {
    summaries.clear();
    let mut texts = Vec::new();
    for finding in &report.findings {
        let (text, summary) = tell(args, program, report.model, finding, layout(args.full));
        if pages.are_wanted() {
            let story = GraphStory { finding, model: report.model, names: program.names() };
            let schedule = summary.schedule.clone();
            pages.graph_exhibit(GraphExhibit { story, headline: None, schedule, commands: Vec::new() });
        }
        texts.push(text);
        summaries.push(summary);
    }
    texts
}

/// Runs an execution once more, for the calls that led to what matters in it, and tells of it.
fn tell(
    args: &CheckArgs,
    program: &CProgram,
    model: &'static ModelInfo,
    finding: &Finding,
    layout: Layout,
) -> (String, FindingSummary) {
    program.keep_calls(true);
    // If it is not the same again, there is less to be told.
    let _ = graphs::execute(&program, model, &finding.graph);
    program.keep_calls(false);
    let story = GraphStory { finding, model, names: program.names() };
    let schedule = format!("{};{}", graphs::schedule(&finding.graph, model, program.names()), program.known());
    let mut summary = story.summary(schedule);
    summary.stacks = stacks(program, finding);
    let mut text = format!("{}, under {}\n\n{}", story.headline(), model.name, story.print_with_sites(layout));
    if finding.why.is_weak {
        let _ = writeln!(text, "\nNo interleaving does this: memory orders weaker than seq_cst allow it.");
    }
    text += &stacks_text(&summary.stacks);
    let _ = writeln!(
        text,
        "\nrun it again, or look for memory orders with which it passes:\n  mazurka {} --schedule '{}'{}\n  mazurka {} --memory {} \
         --suggest-orders{}",
        again(args, "replay"),
        summary.schedule,
        flags(args),
        again(args, "check"),
        model.name,
        flags(args)
    );
    (text, summary)
}

/// The calls that led to failures, to both accesses of data races, and to waits.
pub(super) fn stacks(program: &CProgram, finding: &Finding) -> Vec<StackSummary> {
    let g = &finding.graph;
    let mut stacks = Vec::new();
    let mut add = |thread: model::ThreadId, what: String, calls: Vec<String>| {
        if !calls.is_empty() {
            stacks.push(StackSummary { thread: program.names().thread(thread), what, step: None, calls });
        }
    };
    for (thread, failure) in finding.failures.iter().filter(|(_, failure)| failure.kind != FailureKind::DataRace) {
        add(*thread, "failed".to_owned(), program.stack(*thread, failure.site));
    }
    for &(first, second) in &finding.races {
        for e in [first, second] {
            let event = g.event(e);
            // The run ends with the second access, before that is done.
            let calls = match e == second {
                true => program.calls_of_thread(event.thread),
                false => program.calls_of_step(steps_before(g, e)),
            };
            add(event.thread, format!("did the {}", event.op.kind), calls);
        }
    }
    if finding.ending == Ending::Deadlocked {
        for (thread, _) in &finding.waiting {
            add(*thread, "waits".to_owned(), program.calls_of_thread(*thread));
        }
    }
    stacks
}

/// How many times threads have gone on before an event: the read and the write of an update are one step.
fn steps_before(g: &Graph, e: EventId) -> usize {
    let is_step = |&event: &EventId| {
        let event = g.event(event);
        event.label != Label::Ghost && !(event.is_read() && event.update)
    };
    (0..e).filter(is_step).count()
}
