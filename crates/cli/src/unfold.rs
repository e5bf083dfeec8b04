//! `mazurka unfold`: the event structure of a program.

use crate::output::{print, print_json};
use crate::problem::{Problem, Status};
use crate::target::TargetArgs;
use clap::Args;
use explore::{Report, Settings, unfold};
use report::structure::Described;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  mazurka unfold readers 2                      events, causes and conflicts, as text
  mazurka unfold readers 2 --dot readers.dot    as a picture: dot -Tsvg readers.dot > readers.svg
  mazurka unfold readers 2 --json

An event is a step of a thread with all that happened before it: executions share the events that they have in common. The \
search stops after --max-executions; what was found until then is shown.

Exit status: 0 the structure is whole, 2 bad usage or input, 3 the search was stopped.";

/// The arguments of `mazurka unfold`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UnfoldArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Write a picture for Graphviz to this file; - prints it, and nothing else
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Stop after so many executions
    #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
    max_executions: u64,
    /// Leave out what leads to a state that less leads to, so that programs without an end can be shown
    #[arg(long)]
    cutoffs: bool,
}

/// Unfolds, and shows.
pub(crate) fn show(args: &UnfoldArgs) -> Result<Status, Problem> {
    let target = args.target.load()?;
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.limits.executions = Some(args.max_executions);
    settings.unfolding.cutoffs = args.cutoffs;
    let (structure, report) = unfold(&*target.program, &settings)?;
    let described = Described::new(&target.title(), &structure, target.program.names(), report.exhaustive);
    let is_printed = args.dot.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if is_printed && args.json {
        return Err(Problem::Input("'--dot -' prints the picture and '--json' the text: give one of them".to_owned()));
    }
    if is_printed {
        print(&described.to_dot())?;
        return Ok(status_of(&report));
    }
    if let Some(path) = &args.dot {
        std::fs::write(path, described.to_dot())
            .map_err(|error| Problem::Input(format!("cannot write '{}': {error}", path.display())))?;
    }
    if args.json {
        print_json(&described)?;
    } else {
        print(&described.to_text())?;
    }
    Ok(status_of(&report))
}

fn status_of(report: &Report) -> Status {
    if report.exhaustive { Status::Proved } else { Status::NotExhaustive }
}
