//! The search of a program in C, in the process that was started for it.

use super::CheckArgs;
use crate::output::{layout, print};
use crate::problem::{Problem, Status};
use crate::search::{status, story};
use crate::target::Target;
use ::c::{CProgram, Options};
use ::explore::{Error, Report, Settings, check_with};
use report::progress::ProgressLine;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use trace::{Execution, Progress, Sink};

/// Explores, and prints counts and findings.
pub(super) fn explore(args: &CheckArgs, built: &Path) -> Result<Status, Problem> {
    let program = load(args, built)?;
    let info = args.search.algorithm();
    let title = format!("{} by {}", args.inputs.join(" "), info.name);
    let report = search(args, program, &title)?;
    if let Some(refusal) = program.refusal() {
        return Err(Problem::Input(format!("the program cannot be checked: {refusal}")));
    }
    let target =
        Target { name: args.inputs.join(" "), arguments: Vec::new(), program: Box::new(program), classes: None };
    let summary = args.search.summary(&target, &report);
    if args.json {
        print(&(summary.to_json() + "\n"))?;
    } else {
        print(&format!("{title}\n\n{}", summary.to_text()))?;
        print_findings(&target, &report, args.full)?;
    }
    Ok(status(report.tally.failed + report.tally.deadlocked > 0, report.exhaustive))
}

fn load(args: &CheckArgs, built: &Path) -> Result<&'static CProgram, Problem> {
    let mut options = Options::default();
    options.arguments = args.program_arguments();
    options.races = !args.no_races;
    let program = CProgram::load(built, options).map_err(Problem::input)?;
    // There is one in a process, and it stays until the process ends.
    Ok(Box::leak(Box::new(program)))
}

/// Searches, and again as long as a search shows that more memory is shared than was believed.
fn search(args: &CheckArgs, program: &CProgram, title: &str) -> Result<Report, Problem> {
    // There is one program in a process, and one thread that runs it.
    let settings = Settings { workers: NonZeroUsize::MIN, ..args.search.settings() };
    loop {
        program.begin_search();
        let mut algorithm = (args.search.algorithm().make)();
        let mut sink = Told { program, progress: ProgressLine::new(title.to_owned()), in_vain: false };
        let result = check_with(&program, &mut *algorithm, &settings, &mut sink);
        sink.progress.clear();
        match result {
            Ok(_) if sink.in_vain => {}
            Err(Error::Diverged(_)) if program.is_refined() => {}
            result => return Ok(result?),
        }
    }
}

/// Ends a search that was begun with a wrong belief about what is shared.
struct Told<'p> {
    program: &'p CProgram,
    progress: ProgressLine,
    in_vain: bool,
}

impl Sink for Told<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.in_vain = self.program.is_refined();
        if self.in_vain || self.program.refusal().is_some() {
            return ControlFlow::Break(());
        }
        self.progress.execution(execution)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.progress.progress(progress)
    }
}

fn print_findings(target: &Target, report: &Report, full: bool) -> Result<(), Problem> {
    let many = report.findings.len();
    for (i, finding) in report.findings.iter().enumerate() {
        let number = if many == 1 { String::new() } else { format!("{} of {many}: ", i + 1) };
        let story = story(finding, target.program.names()).print(layout(full));
        print(&format!("\n{number}{story}\nschedule: {}\n", finding.schedule))?;
    }
    Ok(())
}
