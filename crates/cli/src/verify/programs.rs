//! `mazurka verify` of programs whose states can be compared: those in litmus notation, those of the library, and those in C and C++.
//! Others are refused by name.

use super::{Check, Verified, VerifyArgs, live, machines, measures, verdict};
use crate::c::{self, Told};
use crate::output::{layout, print, print_json};
use crate::problem::{Problem, Status};
use crate::reports::{Format, Pages};
use crate::target::{Target, TargetArgs};
use ::c::CProgram;
use c_check::check_states;
use explore::{Finding, StateCounts, StateLimit, StateLimits, StateReport, search_states};
use litmus::library;
use promela::{Progress, Reduction};
use report::finding::Named;
use report::page::Exhibit;
use report::summary::FindingSummary;
use std::path::Path;
use trace::Ending;

/// What is said of a program in C that has memory orders weaker than seq_cst.
const WEAK_ORDERS: &str = "under sc: operations with weaker memory orders are taken for seq_cst; mazurka check explores what else they allow, \
                           where the program ends";

/// Whether no model is meant: whatever else is a file is read as one, for SPIN has no rule for names.
pub(super) fn is_program(args: &VerifyArgs) -> bool {
    let path = &args.model;
    let is_litmus = path.extension().is_some_and(|end| end == "litmus");
    let is_built_in = !path.exists() && path.to_str().is_some_and(|name| library::find(name).is_some());
    is_litmus || is_built_in || !args.rest.is_empty() || is_rust(path)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "rs") || path.ends_with("Cargo.toml") || path.join("Cargo.toml").exists()
}

/// Whether a program in C or C++ is meant.
pub(super) fn is_c(args: &VerifyArgs) -> bool {
    args.model.is_file() && c::is_c(&[args.model.display().to_string()])
}

/// Searches the states of a program, and prints what was found.
pub(super) fn verify(args: &VerifyArgs) -> Result<Status, Problem> {
    let name = args.model.display().to_string();
    refuse_rust(&args.model)?;
    args.refuse_options_of_models()?;
    let target = TargetArgs { name, arguments: args.numbers()?, defines: args.defines.clone() }.load()?;
    let program = &*target.program;
    let report = live::watched(|progress: &Progress| {
        let mut watch = |counts: &StateCounts| progress.show(counts.states, counts.depth, counts.memory);
        search_states(program, &args.state_limits(), &mut watch)
    })?;
    let report =
        report.ok_or_else(|| Problem::Input(format!("the states of '{}' cannot be compared", target.title())))?;
    let mut pages = args.pages.begin(&target.title());
    let told: Vec<Told> = report.findings.iter().map(|finding| tell(&target, finding, &mut pages)).collect();
    conclude(args, &target.title(), checked(&report, told.first()), told, pages)
}

/// The same of a program in C or C++.
pub(super) fn verify_c(args: &VerifyArgs) -> Result<Status, Problem> {
    args.refuse_options_of_models()?;
    args.c.check_for_states()?;
    if let Some(define) = args.defines.first() {
        return Err(Problem::Input(format!(
            "-D is for Promela models: give flags for the compiler behind --, as in -- -D{define}"
        )));
    }
    let inputs: Vec<String> = [args.model.display().to_string()].into_iter().chain(args.rest.iter().cloned()).collect();
    c::in_process(&args.c, &inputs, |program| {
        program.compare_states();
        let report =
            live::watched_here(|watch| check_states(program, &args.state_limits(), watch)).map_err(Problem::input)?;
        let title = inputs.join(" ");
        let mut pages = args.pages.begin(&title);
        let mut tell = |finding| tell_of_c(args, &inputs, program, finding, &mut pages);
        let told: Vec<Told> = report.findings.iter().map(&mut tell).collect();
        let mut check = checked(&report, told.first());
        check.not_a_proof_because = program.not_a_proof_because();
        check.proved &= check.not_a_proof_because.is_none();
        check.memory_remark = program.has_weak_orders().then_some(WEAK_ORDERS);
        conclude(args, &title, check, told, pages)
    })
}

/// Programs in Rust, with the reason.
fn refuse_rust(path: &Path) -> Result<(), Problem> {
    if !is_rust(path) {
        return Ok(());
    }
    Err(Problem::Input(format!(
        "{} is Rust: the states of programs in Rust cannot be saved and compared, for what their threads hold is on stacks \
         and in memory that only the compiler knows; `mazurka::check` explores their executions",
        path.display()
    )))
}

impl VerifyArgs {
    fn state_limits(&self) -> StateLimits {
        StateLimits {
            states: self.max_states,
            time: self.max_time,
            memory: Some(self.max_memory.saturating_mul(1_000_000)),
            keep_going: self.keep_going,
            ignore_end_states: self.ignore_end_states,
        }
    }

    /// The arguments of a program in litmus notation or of the library.
    fn numbers(&self) -> Result<Vec<i64>, Problem> {
        let number = |word: &String| {
            word.parse().map_err(|_| {
                Problem::Input(format!(
                    "'{word}' is no number, as which arguments of '{}' are given",
                    self.model.display()
                ))
            })
        };
        self.rest.iter().map(number).collect()
    }

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

/// A finding in a program that is no C.
fn tell(target: &Target, finding: &Finding, pages: &mut Pages<'_>) -> Told {
    let story = Named::of(finding, target.program.names());
    let summary = FindingSummary::new(&story, finding.schedule.to_string());
    let command = format!("mazurka replay {} --schedule '{}'{}", target.command(), finding.schedule, limit(finding));
    let text = format!("{}\nreplay it with:\n  {command}\n", story.print(layout(false)));
    if pages.are_wanted() {
        let (stacks, schedule) = (Vec::new(), finding.schedule.to_string());
        let commands = vec![("Run this execution again:".to_owned(), command)];
        pages.exhibit(Exhibit { story, headline: None, stacks, schedule, commands });
    }
    Told { summary, text }
}

fn tell_of_c(
    args: &VerifyArgs,
    inputs: &[String],
    program: &CProgram,
    finding: &Finding,
    pages: &mut Pages<'_>,
) -> Told {
    let commands = |schedule: &str| c::commands(inputs, &args.c, schedule, &limit(finding));
    c::tell(program, finding, layout(false), commands, pages)
}

/// What comes behind a failure may have no end.
fn limit(finding: &Finding) -> String {
    match finding.ending {
        Ending::Failed => format!(" --max-steps {}", finding.trace.len()),
        _ => String::new(),
    }
}

/// Prints what a search came to.
fn conclude(
    args: &VerifyArgs,
    title: &str,
    check: Check,
    told: Vec<Told>,
    mut pages: Pages<'_>,
) -> Result<Status, Problem> {
    let (summaries, texts): (Vec<FindingSummary>, Vec<String>) =
        told.into_iter().map(|told| (told.summary, told.text)).unzip();
    pages.fact(&check.what, &format!("{}; {}", verdict(&check), measures(&check)));
    pages.write()?;
    let checks = [check];
    let results = machines::results(title, &checks, &summaries);
    args.results.write(&results, |_| None)?;
    let [check] = checks;
    let status = match (check.errors > 0, check.proved) {
        (true, _) => Status::Found,
        (false, true) => Status::Proved,
        (false, false) => Status::NotExhaustive,
    };
    match args.results.format() {
        Format::Text => {
            let findings: String = texts.iter().map(|text| format!("\n{text}")).collect();
            let remark = check.memory_remark.map_or(String::new(), |remark| format!("  {remark}\n"));
            print(&format!("{}\n  {}\n  {}\n{remark}{findings}", check.what, verdict(&check), measures(&check)))?;
        }
        Format::Json => {
            let (model, findings) = (title.to_owned(), Some(summaries));
            print_json(&Verified { schema_version: 1, model, checks: vec![check], findings })?;
        }
        Format::Github => print(&report::github::to_text(&results))?,
    }
    Ok(status)
}

fn checked(report: &StateReport, first: Option<&Told>) -> Check {
    let first = first.map(|told| &told.summary);
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
        not_a_proof_because: None,
        memory_remark: None,
        wrong: first.map(|finding| finding.headline.clone()),
        steps: Vec::new(),
        schedule: first.map(|finding| finding.schedule.clone()),
        repeats_from: None,
        memory_bytes: report.counts.memory,
        seconds: report.elapsed.as_secs_f64(),
    }
}
