//! `mazurka verify` of programs whose states can be compared: those in litmus notation and those of the library. Others are refused by
//! name.

use super::{Check, Verified, VerifyArgs, live, machines, measures, verdict};
use crate::output::{layout, print, print_json};
use crate::problem::{Problem, Status};
use crate::reports::Format;
use crate::target::{Target, TargetArgs};
use explore::{Finding, StateCounts, StateLimit, StateLimits, StateReport, search_states};
use litmus::library;
use promela::{Progress, Reduction};
use report::finding::Story;
use report::page::Exhibit;
use report::summary::FindingSummary;
use std::path::Path;
use trace::Ending;

/// Whether no model is meant: whatever else is a file is read as one, for SPIN has no rule for names.
pub(super) fn is_program(args: &VerifyArgs) -> bool {
    let path = &args.model;
    let is_file = path.exists();
    let is_litmus = path.extension().is_some_and(|end| end == "litmus");
    let is_built_in = !is_file && path.to_str().is_some_and(|name| library::find(name).is_some());
    is_litmus || is_built_in || !args.arguments.is_empty() || is_rust(path) || (is_file && is_c(path))
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "rs") || path.ends_with("Cargo.toml") || path.join("Cargo.toml").exists()
}

fn is_c(path: &Path) -> bool {
    crate::c::is_c(&[path.display().to_string()])
}

/// Searches the states of a program, and prints what was found.
pub(super) fn verify(args: &VerifyArgs) -> Result<Status, Problem> {
    let name = args.model.display().to_string();
    refuse_languages(&args.model)?;
    args.refuse_options_of_models()?;
    let target = TargetArgs { name, arguments: args.arguments.clone(), defines: args.defines.clone() }.load()?;
    let limits = StateLimits {
        states: args.max_states,
        time: args.max_time,
        memory: Some(args.max_memory.saturating_mul(1_000_000)),
        keep_going: args.keep_going,
        ignore_end_states: args.ignore_end_states,
    };
    let program = &*target.program;
    let report = live::watched(|progress: &Progress| {
        let mut watch = |counts: &StateCounts| progress.show(counts.states, counts.depth, counts.memory);
        search_states(program, &limits, &mut watch)
    })?;
    let report =
        report.ok_or_else(|| Problem::Input(format!("the states of '{}' cannot be compared", target.title())))?;
    tell(args, &target, &report)
}

/// Programs in other languages, with the reason.
fn refuse_languages(path: &Path) -> Result<(), Problem> {
    let shown = path.display();
    if is_rust(path) {
        return Err(Problem::Input(format!(
            "{shown} is Rust: the states of programs in Rust cannot be saved and compared, for what their threads hold is on stacks \
             and in memory that only the compiler knows; `mazurka::check` explores their executions"
        )));
    }
    if is_c(path) {
        return Err(Problem::Input(format!(
            "{shown} is C or C++: what a run changes can be saved there, but two such states are not compared yet, for the same \
             objects may lie at other addresses; `mazurka check {shown}` explores its executions, and leaves out rounds of loops \
             that change nothing"
        )));
    }
    Ok(())
}

impl VerifyArgs {
    /// An error if there is an option that means something to models only.
    fn refuse_options_of_models(&self) -> Result<(), Problem> {
        let given = [
            (self.claim.is_some(), "--claim"),
            (self.non_progress, "--non-progress"),
            (self.acceptance, "--acceptance"),
            (self.fair, "--fair"),
            (self.reduction != Reduction::Full, "--reduction"),
            (self.shortest, "--shortest"),
            (self.compact, "--compact"),
            (self.bitstate.is_some(), "--bitstate"),
            (self.unreached, "--unreached"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(Problem::Input(format!("{option} is for Promela models; leave it out"))),
            None => Ok(()),
        }
    }
}

fn tell(args: &VerifyArgs, target: &Target, report: &StateReport) -> Result<Status, Problem> {
    let names = target.program.names();
    let shown: Vec<(Story<'_>, &Finding)> =
        report.findings.iter().map(|finding| (Story::of(finding, names), finding)).collect();
    let summaries: Vec<FindingSummary> =
        shown.iter().map(|(story, finding)| FindingSummary::new(story, finding.schedule.to_string())).collect();
    let check = checked(report, shown.first().map(|(story, _)| story));
    let mut pages = args.pages.begin(&target.title());
    pages.fact(&check.what, &format!("{}; {}", verdict(&check), measures(&check)));
    for (story, finding) in &shown {
        if pages.are_wanted() {
            pages.exhibit(exhibit(target, *story, finding));
        }
    }
    pages.write()?;
    let checks = [check];
    let results = machines::results(&target.title(), &checks, &summaries);
    args.results.write(&results, |_| None)?;
    let [check] = checks;
    let status = match (check.errors > 0, check.proved) {
        (true, _) => Status::Found,
        (false, true) => Status::Proved,
        (false, false) => Status::NotExhaustive,
    };
    match args.results.format() {
        Format::Text => print(&text(target, &check, &shown))?,
        Format::Json => {
            let findings = Some(summaries);
            print_json(&Verified { schema_version: 1, model: target.title(), checks: vec![check], findings })?;
        }
        Format::Github => print(&report::github::to_text(&results))?,
    }
    Ok(status)
}

fn checked(report: &StateReport, first: Option<&Story<'_>>) -> Check {
    Check {
        what: "failures, data races and deadlocks".to_owned(),
        reduction: Reduction::Full.name(),
        states: report.counts.states,
        transitions: report.counts.transitions,
        depth: report.counts.depth,
        errors: report.counts.errors,
        proved: report.limit.is_none() && report.counts.errors == 0,
        expected_coverage: None,
        stopped_by: report.limit.map(|limit| match limit {
            StateLimit::States => "--max-states",
            StateLimit::Time => "--max-time",
            StateLimit::Memory => "--max-memory",
        }),
        wrong: first.map(Story::headline),
        steps: Vec::new(),
        schedule: report.findings.first().map(|finding| finding.schedule.to_string()),
        repeats_from: None,
        memory_bytes: report.counts.memory,
        seconds: report.elapsed.as_secs_f64(),
    }
}

fn text(target: &Target, check: &Check, shown: &[(Story<'_>, &Finding)]) -> String {
    let mut text = format!("{}\n  {}\n  {}\n", check.what, verdict(check), measures(check));
    for (story, finding) in shown {
        let again = replay_command(target, finding);
        text += &format!("\n{}\nreplay it with:\n  {again}\n", story.print(layout(false)));
    }
    text
}

/// What comes behind a failure may have no end.
fn replay_command(target: &Target, finding: &Finding) -> String {
    let (command, schedule) = (target.command(), &finding.schedule);
    let limit = match finding.ending {
        Ending::Failed => format!(" --max-steps {}", finding.trace.len()),
        _ => String::new(),
    };
    format!("mazurka replay {command} --schedule '{schedule}'{limit}")
}

fn exhibit<'a>(target: &'a Target, story: Story<'a>, finding: &'a Finding) -> Exhibit<'a> {
    Exhibit {
        story,
        headline: None,
        stacks: Vec::new(),
        schedule: finding.schedule.to_string(),
        commands: vec![("Run this execution again:".to_owned(), replay_command(target, finding))],
    }
}
