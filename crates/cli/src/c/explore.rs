//! The search of a program in C, in the process that was started for it.

use super::tell::{Told, tell};
use super::{CheckArgs, ProgramArgs, weak};
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::reports::Watchers;
use crate::search::status;
use crate::target::{Target, quoted};
use ::c::CProgram;
use ::c::processes::is_told_to_end;
use ::explore::{Checkpoints, Report, Settings};
use c_check::check_until;
use model::Program;
use report::progress::ProgressLine;
use report::sinks::Several;
use std::num::NonZeroUsize;
use std::path::Path;
use trace::Sink;

/// Explores, and prints counts and findings.
pub(super) fn explore(args: &CheckArgs, built: &Path) -> Result<Status, Problem> {
    let program = load(&args.program, &args.inputs, built, false)?;
    let checkpoints = checkpoints(args, program, built)?;
    if let Some(model) = args.memory.chosen() {
        return weak::explore(args, program, model, checkpoints);
    }
    let info = args.search.algorithm();
    let title = format!("{} by {}", args.inputs.join(" "), info.name);
    let mut watchers = args.reports.watchers(program.names());
    let report = search(args, program, &title, &mut watchers, checkpoints)?;
    let was_interrupted = args.checkpoints.path().is_some() && report.stopped && is_told_to_end();
    let because = was_interrupted.then(|| "it was interrupted".to_owned());
    tell_user(args, program, report, because, watchers)
}

/// Prints the counts and findings of a search that others have done.
#[cfg(feature = "cluster")]
pub(super) fn report_to_user(
    args: &CheckArgs,
    program: &'static CProgram,
    report: Report,
    because: Option<String>,
) -> Result<Status, Problem> {
    let watchers = args.reports.watchers(program.names());
    tell_user(args, program, report, because, watchers)
}

fn tell_user(
    args: &CheckArgs,
    program: &'static CProgram,
    mut report: Report,
    because: Option<String>,
    mut watchers: Watchers<'static>,
) -> Result<Status, Problem> {
    let info = args.search.algorithm();
    let title = format!("{} by {}", args.inputs.join(" "), info.name);
    let target = Target::named(args.inputs.join(" "), Box::new(program));
    let mut summary = args.search.summary(&target, info, &report);
    summary.not_exhaustive_because = because.or(summary.not_exhaustive_because);
    if let Some(reason) = program.not_a_proof_because() {
        report.exhaustive = false;
        summary.exhaustive = false;
        let others = summary.not_exhaustive_because.take().map_or(String::new(), |others| format!("; {others}"));
        summary.not_exhaustive_because = Some(reason + &others);
    }
    let mut pages = args.reports.pages(&title);
    let commands = |schedule: &str| commands(&args.inputs, &args.program, schedule, "");
    let told: Vec<Told> =
        report.findings.iter().map(|found| tell(program, found, layout(args.full), commands, &mut pages)).collect();
    for (finding, told) in summary.findings.iter_mut().zip(&told) {
        *finding = told.summary.clone();
    }
    let weak = match summary.exhaustive && report.findings.is_empty() {
        true => weak::follow(args, program, report.elapsed, &mut summary, (&mut pages, &mut watchers))?,
        false => Vec::new(),
    };
    if !args.reports.print(&summary)? {
        print(&format!("{title}\n\n{}", summary.to_text()))?;
        print_findings(&told)?;
        weak::print_all(&weak)?;
    }
    args.reports.write(&summary, pages, watchers, program.names())?;
    if report.stopped
        && let Some(hint) = args.checkpoints.hint(&again(args, "check"), &(args.search.meaning() + &flags(args)))
    {
        eprint!("\n{hint}");
    }
    if args.memory.suggests() && !weak.is_empty() {
        weak::suggest_for(args, program)?;
    }
    Ok(status(!summary.findings.is_empty(), report.exhaustive))
}

/// Loads a program that was built.
pub(super) fn load(
    args: &ProgramArgs,
    inputs: &[String],
    built: &Path,
    output: bool,
) -> Result<&'static CProgram, Problem> {
    let program = CProgram::load(built, args.options(inputs, output)).map_err(Problem::input)?;
    // There is one in a process, and it stays until the process ends.
    Ok(Box::leak(Box::new(program)))
}

/// Where the search is written to, if it is.
fn checkpoints(args: &CheckArgs, program: &CProgram, built: &Path) -> Result<Option<Checkpoints>, Problem> {
    if args.checkpoints.path().is_none() {
        return Ok(None);
    }
    program
        .keep_discoveries()
        .map_err(|error| Problem::Input(format!("no memory for what is found out about the program: {error}")))?;
    let digest = ::c::digest(built).map_err(Problem::input)?;
    let words = args.inputs.iter().chain(&args.program.words()).map(|word| quoted(word)).collect::<Vec<_>>();
    let identity = || format!("{}\n{digest:032x} {}", args.inputs.join(" "), words.join(" "));
    Ok(args.checkpoints.checkpoints(identity))
}

fn search(
    args: &CheckArgs,
    program: &CProgram,
    title: &str,
    watchers: &mut Watchers<'_>,
    checkpoints: Option<Checkpoints>,
) -> Result<Report, Problem> {
    let is_told = if checkpoints.is_some() { is_told_to_end } else { || false };
    let mut settings = Settings { checkpoints, ..args.search.settings() };
    if args.reports.wants_tree() {
        settings.workers = NonZeroUsize::MIN;
    }
    let mut progress = ProgressLine::new(title.to_owned());
    let mut sink = Several::new([&mut progress as &mut dyn Sink].into_iter().chain(watchers.sinks()));
    let report = check_until(program, args.search.algorithm(), &settings, &mut sink, is_told);
    progress.clear();
    report.map_err(Problem::input)
}

fn print_findings(findings: &[Told]) -> Result<(), Problem> {
    let many = findings.len();
    for (i, told) in findings.iter().enumerate() {
        let number = if many == 1 { String::new() } else { format!("{} of {many}: ", i + 1) };
        print(&format!("\n{number}{}", told.text))?;
    }
    Ok(())
}

/// A subcommand on the same program, as it is written on the command line before further options.
pub(super) fn again(args: &CheckArgs, subcommand: &str) -> String {
    again_by(&args.inputs, &args.program, subcommand)
}

fn again_by(inputs: &[String], program: &ProgramArgs, subcommand: &str) -> String {
    let words = inputs.iter().chain(&program.words()).map(|word| quoted(word)).collect::<Vec<_>>();
    format!("{subcommand} {}", words.join(" "))
}

/// What comes last on the command line.
pub(super) fn flags(args: &CheckArgs) -> String {
    args.program.flags_behind()
}

impl ProgramArgs {
    fn flags_behind(&self) -> String {
        let flags: String = self.flags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
        if flags.is_empty() { flags } else { format!(" --{flags}") }
    }
}

/// What to do with a finding of this schedule on the command line, with this option.
pub(crate) fn commands(inputs: &[String], program: &ProgramArgs, schedule: &str, limit: &str) -> Vec<(String, String)> {
    let (command, flags) = (again_by(inputs, program, "replay"), program.flags_behind());
    let again = |option: &str| format!("mazurka {command} --schedule '{schedule}'{limit}{option}{flags}");
    [
        ("replay it, with the program's output:", ""),
        ("replay it in gdb, which stops where it fails:", " --gdb"),
        ("the same in lldb:", " --lldb"),
        ("what the launch.json of an editor needs:", " --launch-json"),
    ]
    .map(|(what, option)| (what.to_owned(), again(option)))
    .to_vec()
}
