//! `mazurka verify`: the states of a Promela model, or of a program whose states can be compared.

mod exhibit;
mod live;
mod machines;
mod programs;
mod replay;

pub(crate) use replay::{is_model, replay};

use crate::model_text::macros;
use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::reports::{Format, PageArgs, ResultArgs};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use exhibit::Shown;
use promela::{
    Finding, Keeping, Limit, Limits, Model, Outcome, Property, Reduction, search_cycles_watched, search_shortest,
    search_watched, trail, unreached,
};
use report::summary::FindingSummary;
use report::table::{Align, Table, thousands};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  mazurka verify model.pml                  assertions, end states, and every claim of the model
  mazurka verify model.pml --claim live     one formula or never claim
  mazurka verify model.pml --non-progress   runs that go round for ever without progress
  mazurka verify model.pml --fair           only runs on which no process waits for ever that could move
  mazurka verify model.pml -D N=4 --json | jq .checks
  mazurka verify model.pml --shortest       a counterexample with as few steps as there can be
  mazurka verify loops.litmus               failures, data races and deadlocks of a program that need not end
  mazurka verify philosophers 3             the same of a built-in program
  mazurka verify server.c                   the same of a program in C or C++
  mazurka verify model.pml --bitstate 33    three bits for each state, in a field of 1 GB: no proof, for the largest models

Exit status: 0 nothing found and all states met, 1 something was found, 2 bad usage or input, \
3 nothing found but a limit was met.";

/// The arguments of `mazurka verify`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    cluster: crate::cluster::NoClusterArgs,
    /// A model in Promela, the path of a file in litmus notation, sources in C or C++, a program that `mazurka cc` linked, or a
    /// built-in program (see `mazurka programs`)
    model: PathBuf,
    /// Further sources, or the arguments of a program: those of a built-in one are its defaults when there are none
    #[arg(value_name = "ARGS", allow_negative_numbers = true)]
    rest: Vec<String>,
    /// Define a macro, as in C: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Check this formula or never claim only
    #[arg(long, value_name = "NAME", conflicts_with_all = ["non_progress", "acceptance", "safety"])]
    claim: Option<String>,
    /// Check assertions and end states only
    #[arg(long)]
    safety: bool,
    /// Look for runs that go round for ever without progress
    #[arg(long, conflicts_with_all = ["acceptance", "safety"])]
    non_progress: bool,
    /// Look for runs that are at an accept label again and again
    #[arg(long, conflicts_with = "safety")]
    acceptance: bool,
    /// Only runs on which every process that can go on does so (weak fairness)
    #[arg(long)]
    fair: bool,
    /// How many steps are explored, for assertions and end states; formulas and cycles are always searched in full
    #[arg(long, value_name = "NAME", default_value = "full", value_parser = reduction_parser())]
    reduction: Reduction,
    /// Find a counterexample with as few steps as there can be, for assertions and end states
    #[arg(long, conflicts_with_all = ["compact", "bitstate", "keep_going", "claim", "non_progress", "acceptance"])]
    shortest: bool,
    /// Keep 48 bits of a hash of each state, in four bytes, for assertions and end states. The result is not a proof
    #[arg(long, conflicts_with = "bitstate")]
    compact: bool,
    /// Keep three bits of each state, in a field of 2 to the power of BITS of them, for assertions and end states. The result
    /// is not a proof
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(10..=42))]
    bitstate: Option<u8>,
    /// How many threads search for assertions and end states, once there are many states; all cores if it is not given.
    /// Reductions use one
    #[arg(long, value_name = "NUMBER")]
    workers: Option<std::num::NonZeroUsize>,
    /// Do not report states in which nothing can go on
    #[arg(long)]
    ignore_end_states: bool,
    /// Go on after the first error, and count them all
    #[arg(long)]
    keep_going: bool,
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Stop after so long, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    max_time: Option<Duration>,
    /// Stop when the states take so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 4_000)]
    max_memory: u64,
    /// List the statements that no process reached
    #[arg(long)]
    unreached: bool,
    #[command(flatten)]
    pages: PageArgs,
    #[command(flatten)]
    results: ResultArgs,
    #[command(flatten)]
    c: crate::c::ProgramArgs,
}

/// A reduction by name.
fn reduction_parser() -> impl TypedValueParser<Value = Reduction> {
    PossibleValuesParser::new(Reduction::ALL.map(Reduction::name))
        .map(|name| Reduction::named(&name).expect("one of the possible values"))
}

/// One check and what it came to.
#[derive(Serialize)]
struct Check {
    what: String,
    reduction: &'static str,
    states: u64,
    transitions: u64,
    depth: u64,
    errors: u64,
    proved: bool,
    /// The part of all states that is expected to have been met, where they are not kept exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_coverage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<&'static str>,
    /// Why it is no proof, if it found nothing and met all states.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_a_proof_because: Option<String>,
    /// What it does not say of the program's memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_remark: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<JsonStep>,
    /// For `mazurka replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats_from: Option<usize>,
    memory_bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonStep {
    process: Option<String>,
    line: String,
    text: String,
    changes: Vec<String>,
}

#[derive(Serialize)]
struct Verified {
    schema_version: u32,
    model: String,
    checks: Vec<Check>,
    /// Of a program, one execution for each sort of finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<FindingSummary>>,
}

/// Searches the states of a model or of a program, and prints what was found.
pub(crate) fn verify(args: &VerifyArgs) -> Result<Status, Problem> {
    args.cluster.refuse("Promela models, whose searches keep all states in one memory and have no tasks,")?;
    if programs::is_c(args) {
        return programs::verify_c(args);
    }
    args.c.check_for_others()?;
    if programs::is_program(args) {
        return programs::verify(args);
    }
    let model = read(&args.model, &args.defines)?;
    let limits = Limits {
        states: args.max_states,
        time: args.max_time,
        memory: Some(args.max_memory.saturating_mul(1_000_000)),
        keep_going: args.keep_going,
        ignore_end_states: args.ignore_end_states,
        reduction: args.reduction,
        keeping: match args.bitstate {
            Some(bits) => Keeping::Bits(bits),
            None if args.compact => Keeping::Compact,
            None => Keeping::Exact,
        },
        workers: args.workers.unwrap_or_else(explore::cores).get(),
    };
    args.check_memory()?;
    let (mut checks, mut findings) = (Vec::new(), Vec::new());
    let mut pages = args.pages.begin(&args.model.display().to_string());
    for property in properties(args, &model) {
        let started = Instant::now();
        let outcome = live::watched(|progress| match &property {
            None if args.shortest => Ok(search_shortest(&model, &limits, progress)),
            None => Ok(search_watched(&model, &limits, progress)),
            Some(property) => search_cycles_watched(&model, property, args.fair, &limits, progress),
        })
        .map_err(Problem::input)?;
        let check = checked(&model, property.as_ref(), args.fair, args.reduction, &outcome, started.elapsed());
        pages.fact(&check.what, &format!("{}; {}", verdict(&check), measures(&check)));
        if let Some(finding) = &outcome.finding {
            let shown = Shown::new(&model, finding);
            findings.push(shown.summary());
            if pages.are_wanted() {
                pages.exhibit(shown.exhibit(replay_command(&args.model, &args.defines, &finding.schedule())));
            }
        }
        if args.results.format() == Format::Text {
            print(&shown(&model, &check, &outcome))?;
            print(&replay_text(args, &check))?;
            if args.unreached && property.is_none() {
                print(&unreached_text(&model, &outcome))?;
            }
        }
        checks.push(check);
        if outcome.errors > 0 && !args.keep_going {
            break;
        }
    }
    let status = if checks.iter().any(|check| check.errors > 0) {
        Status::Found
    } else if checks.iter().all(|check| check.proved) {
        Status::Proved
    } else {
        Status::NotExhaustive
    };
    pages.write()?;
    let title = args.model.display().to_string();
    let results = machines::results(&title, &checks, &findings);
    args.results.write(&results, |_| None)?;
    match args.results.format() {
        Format::Text => {}
        Format::Json => print_json(&Verified { schema_version: 1, model: title, checks, findings: None })?,
        Format::Github => print(&report::github::to_text(&results))?,
    }
    Ok(status)
}

/// Reads a model, with macros as they are given on the command line.
pub(crate) fn read(path: &std::path::Path, defines: &[String]) -> Result<Model, Problem> {
    Model::read(path, &macros(defines)).map_err(Problem::input)
}

impl VerifyArgs {
    /// A field of bits must fit into the memory that may be used.
    fn check_memory(&self) -> Result<(), Problem> {
        let Some(bits) = self.bitstate else { return Ok(()) };
        let megabytes = (1u64 << bits) / 8_000_000;
        if megabytes > self.max_memory {
            return Err(Problem::Input(format!(
                "--bitstate {bits} takes {megabytes} MB, more than the {} of --max-memory: give fewer bits, or more memory",
                self.max_memory
            )));
        }
        Ok(())
    }
}

/// How to see a counterexample again.
fn replay_text(args: &VerifyArgs, check: &Check) -> String {
    let command = |schedule: &String| replay_command(&args.model, &args.defines, schedule);
    check.schedule.as_ref().map_or(String::new(), |schedule| format!("replay: {}\n", command(schedule)))
}

fn replay_command(model: &std::path::Path, defines: &[String], schedule: &str) -> String {
    let defines: String = defines.iter().map(|define| format!(" -D '{define}'")).collect();
    format!("mazurka replay {}{defines} --schedule '{schedule}'", model.display())
}

/// What is to be checked: none stands for assertions and end states.
fn properties(args: &VerifyArgs, model: &Model) -> Vec<Option<Property>> {
    if let Some(name) = &args.claim {
        vec![Some(Property::Claim(name.clone()))]
    } else if args.non_progress {
        vec![Some(Property::NonProgress)]
    } else if args.acceptance {
        vec![Some(Property::Acceptance)]
    } else {
        // Neither is for runs that go round.
        let is_safety = args.safety || args.shortest || args.compact || args.bitstate.is_some();
        let claims = model.claims().filter(|_| !is_safety).map(|name| Some(Property::Claim(name.to_owned())));
        std::iter::once(None).chain(claims).collect()
    }
}

fn checked(
    model: &Model,
    property: Option<&Property>,
    fair: bool,
    reduction: Reduction,
    outcome: &Outcome,
    took: Duration,
) -> Check {
    let what = match property {
        None => "assertions and end states".to_owned(),
        Some(Property::Claim(name)) => format!("claim {name}"),
        Some(Property::Acceptance) => "acceptance cycles".to_owned(),
        Some(Property::NonProgress) => "non-progress cycles".to_owned(),
    };
    let fairly = if fair && property.is_some() { ", with weak fairness" } else { "" };
    let (steps, repeats_from) = match &outcome.finding {
        Some(finding) => json_steps(model, finding),
        None => (Vec::new(), None),
    };
    Check {
        what: what + fairly,
        reduction: if property.is_none() { reduction.name() } else { Reduction::Full.name() },
        states: outcome.states,
        transitions: outcome.transitions,
        depth: outcome.depth,
        errors: outcome.errors,
        proved: outcome.is_proof(),
        expected_coverage: (outcome.coverage < 1.0).then_some(outcome.coverage),
        stopped_by: outcome.limit.map(|limit| match limit {
            Limit::States => "--max-states",
            Limit::Time => "--max-time",
            Limit::Memory => "--max-memory",
        }),
        not_a_proof_because: None,
        memory_remark: None,
        schedule: outcome.finding.as_ref().map(Finding::schedule),
        wrong: outcome.finding.as_ref().map(|finding| finding.wrong.text().to_owned()),
        steps,
        repeats_from,
        memory_bytes: outcome.memory,
        seconds: took.as_secs_f64(),
    }
}

fn json_steps(model: &Model, finding: &Finding) -> (Vec<JsonStep>, Option<usize>) {
    let trail = trail(model, finding);
    let step = |row: &promela::Row| JsonStep {
        process: row.process.map(|process| trail.processes[process].clone()),
        line: row.line.clone(),
        text: row.text.clone(),
        changes: row.changes.iter().map(ToString::to_string).collect(),
    };
    (trail.rows.iter().map(step).collect(), trail.cycle)
}

fn verdict(check: &Check) -> String {
    if let (None, None, Some(coverage)) = (&check.wrong, check.stopped_by, check.expected_coverage) {
        let percent = (coverage * 1e8).floor() / 1e6;
        return format!(
            "nothing found, but this is not a proof: {percent} % of all states are expected to have been met"
        );
    }
    match (&check.wrong, check.stopped_by) {
        (Some(wrong), _) => format!("error: {wrong}"),
        (None, Some(limit)) => format!("nothing found, but not all states were met: {limit} stopped the search"),
        (None, None) if check.not_a_proof_because.is_some() => {
            let because = check.not_a_proof_because.as_deref().unwrap_or_default();
            format!("nothing found; {because}")
        }
        (None, None) if check.reduction == Reduction::Full.name() => "holds: every state was met".to_owned(),
        (None, None) => format!("holds: every state was met that {} needs", check.reduction),
    }
}

/// How many states there were, and what they took.
fn measures(check: &Check) -> String {
    format!(
        "states {}, transitions {}, depth {}, errors {}, {:.1} MB, {:.3} s",
        thousands(check.states),
        thousands(check.transitions),
        thousands(check.depth),
        thousands(check.errors),
        check.memory_bytes as f64 / 1e6,
        check.seconds,
    )
}

fn shown(model: &Model, check: &Check, outcome: &Outcome) -> String {
    let mut text = format!("{}\n  {}\n  {}\n", check.what, verdict(check), measures(check));
    if let Some(finding) = &outcome.finding {
        text += &format!("\n{}      ✗ {}\n", lanes(model, finding), finding.wrong.text());
    }
    text
}

/// A counterexample with a lane for each process.
fn lanes(model: &Model, finding: &Finding) -> String {
    let trail = trail(model, finding);
    let mut columns = vec![("step", Align::Right)];
    columns.extend(trail.processes.iter().map(|name| (name.as_str(), Align::Left)));
    columns.push(("line", Align::Left));
    columns.push(("changes", Align::Left));
    let mut table = Table::new(&columns);
    let width = columns.len();
    let remark = |table: &mut Table, text: &str| {
        let mut cells = vec![String::new(); width];
        cells[1.min(width - 1)] = text.to_owned();
        table.row(cells);
    };
    for (number, row) in trail.rows.iter().enumerate() {
        if trail.cycle == Some(number) {
            remark(&mut table, "<<<<< from here on, everything repeats");
        }
        let mut cells = vec![String::new(); width];
        cells[0] = (number + 1).to_string();
        cells[row.process.map_or(1, |process| process + 1).min(width - 3)] = row.text.clone();
        cells[width - 2] = row.line.clone();
        cells[width - 1] = row.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if let Some(printed) = &row.printed {
            cells[width - 1] += &format!("prints {printed:?}");
        }
        table.row(cells);
    }
    table.to_string()
}

fn unreached_text(model: &Model, outcome: &Outcome) -> String {
    let found = unreached(model, outcome);
    if found.is_empty() {
        return "  every statement was reached\n".to_owned();
    }
    let mut text = "  not reached:\n".to_owned();
    for state in found {
        text += &format!("    {} {}: {}\n", state.proctype, state.line, state.text);
    }
    text
}
