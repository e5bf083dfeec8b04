//! `mazurka replay`: one execution, by the schedule that a finding came with.

use crate::c;
use crate::output::{layout, print, print_json};
use crate::problem::{Problem, Status};
use crate::reports::PageArgs;
use crate::target::{Target, TargetArgs};
use clap::Args;
use explore::{Limits, Settings};
use model::Schedule;
use report::finding::Named;
use report::graph::GraphStory;
use report::page::{Exhibit, GraphExhibit};
use report::summary::{FindingSummary, StackSummary, stacks_text};
use std::io::Read;
use std::ops::ControlFlow;
use trace::{Ending, Execution, Finding, Sink};

const EXAMPLES: &str = "\
Examples:
  mazurka replay lost_update 2 --schedule 'mzk1:0,1,0x2,1x2'
  mazurka replay queue.c --schedule 'mzk1:0x2,0.0,0;g4010:4'
  mazurka replay flags.pml --schedule 'mzp1:1.0,0.0'
  mazurka replay mp.litmus --schedule 'mzg1:rc11:0w0,0w0,1r1,1ri'
  mazurka run lost_update 2 --json | jq -r .findings[0].schedule | mazurka replay lost_update 2 --schedule -

Where the schedule ends before the program does, the rest is run with the thread created first going first.

Exit status: 0 the execution ends well, 1 it fails or deadlocks, 2 bad usage or input, such as a schedule that does \
not fit the program, 3 it was given up at --max-steps.";

/// The arguments of `mazurka replay`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// A built-in program and its arguments, the path of a file in litmus notation, sources in C or C++, a program that
    /// `mazurka cc` linked, or a Promela model
    #[arg(value_name = "PROGRAM", required = true, allow_negative_numbers = true)]
    pub(crate) program: Vec<String>,
    /// The schedule, as a report prints it; '-' reads it from the standard input
    #[arg(long, short, value_name = "SCHEDULE")]
    schedule: String,
    /// Define a macro of a Promela model: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Give the execution up after so many steps
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().steps)]
    max_steps: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Show every step, however many
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) pages: PageArgs,
    /// Run a program in C or C++ under the debugger gdb, which stops where a thread fails
    #[arg(long)]
    pub(crate) gdb: bool,
    /// The same under the debugger lldb
    #[arg(long, conflicts_with = "gdb")]
    pub(crate) lldb: bool,
    /// Print what the launch.json of an editor needs to replay a program in C or C++ in its debugger; run nothing
    #[arg(long)]
    pub(crate) launch_json: bool,
    /// This process becomes the one that runs the program, as debuggers like it. What was compiled is not removed
    #[arg(long, hide = true)]
    pub(crate) in_place: bool,
    #[command(flatten)]
    pub(crate) c: c::ProgramArgs,
}

/// Runs the schedule and shows the execution.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Status, Problem> {
    let is_c = c::is_c(&args.program);
    if (args.gdb || args.lldb || args.launch_json) && !is_c {
        return Err(Problem::input(
            "only programs in C and C++ run in a debugger: leave out --gdb, --lldb and --launch-json",
        ));
    }
    let is_model = crate::verify::is_model(&args.program);
    if is_model && promela::is_schedule(&args.schedule_text()?) {
        return crate::verify::replay(args, &args.defines, &args.schedule_text()?);
    }
    if !args.defines.is_empty() && !is_model {
        return Err(Problem::input("-D is for Promela models"));
    }
    if is_c {
        return c::replay(args);
    }
    let target = args.target()?.load()?;
    let text = args.schedule_text()?;
    if graphs::is_graph(&text) {
        return run_graph(args, &target, &text, |_| Vec::new());
    }
    run(args, &target, &text, |_, _| Vec::new())
}

/// Runs the execution graph of a schedule of a program, as [`run`].
pub(crate) fn run_graph(
    args: &ReplayArgs,
    target: &Target,
    schedule: &str,
    stacks: impl FnOnce(&graphs::Finding) -> Vec<StackSummary>,
) -> Result<Status, Problem> {
    let model = graphs::model_of(schedule).map_err(Problem::input)?;
    let finding = graphs::replay(&*target.program, schedule).map_err(Problem::input)?;
    let stacks = stacks(&finding);
    let story = GraphStory { finding: &finding, model, names: target.program.names() };
    let mut pages = args.pages.begin(&format!("{}, replayed", target.title()));
    if pages.are_wanted() {
        let schedule = schedule.to_owned();
        pages.graph_exhibit(GraphExhibit { story, headline: None, schedule, commands: Vec::new() });
    }
    pages.write()?;
    if args.json {
        print_json(&FindingSummary { stacks, ..story.summary(schedule.to_owned()) })?;
    } else {
        let text = story.print(layout(args.full)) + &stacks_text(&stacks);
        print(&format!("{}, under {}: {text}", target.title(), model.name))?;
    }
    Ok(match finding.ending {
        Ending::Completed | Ending::Cut => Status::Proved,
        Ending::Failed | Ending::Deadlocked => Status::Found,
        _ => Status::NotExhaustive,
    })
}

/// Runs the schedule of a program; `stacks` are the calls that led to what matters in the execution.
pub(crate) fn run(
    args: &ReplayArgs,
    target: &Target,
    schedule: &str,
    stacks: impl FnOnce(&Named<'_>, &Schedule) -> Vec<StackSummary>,
) -> Result<Status, Problem> {
    let schedule: Schedule = schedule.parse().map_err(Problem::input)?;
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.limits.steps = args.max_steps;
    let mut kept = Kept { schedule: &schedule, finding: None };
    let report = explore::replay(&*target.program, &schedule, &settings, &mut kept)?;
    let Some(finding) = kept.finding else {
        return Err(Problem::input("the execution did not come to an end; give a larger --max-steps"));
    };
    let pivot = report.findings.first().and_then(|found| found.pivot);
    let story = Named { pivot, ..Named::of(&finding, target.program.names()) };
    let stacks = stacks(&story, &schedule);
    let mut pages = args.pages.begin(&format!("{}, replayed", target.title()));
    if pages.are_wanted() {
        let (stacks, schedule) = (stacks.clone(), schedule.to_string());
        pages.exhibit(Exhibit { story, headline: None, stacks, schedule, commands: Vec::new() });
    }
    pages.write()?;
    if args.json {
        print_json(&FindingSummary { stacks, ..FindingSummary::new(&story, schedule.to_string()) })?;
    } else {
        let text = story.print(layout(args.full)) + &stacks_text(&stacks);
        print(&format!("{}: {text}", target.title()))?;
    }
    Ok(match finding.ending {
        Ending::Completed | Ending::Cut => Status::Proved,
        Ending::Failed | Ending::Deadlocked => Status::Found,
        Ending::SleepSetBlocked | Ending::TooLong | Ending::OutOfBounds | Ending::CutOff => Status::NotExhaustive,
    })
}

impl ReplayArgs {
    /// A program of the library, or in litmus notation.
    fn target(&self) -> Result<TargetArgs, Problem> {
        TargetArgs::of_words(&self.program, &self.defines)
    }

    /// The schedule, as it was given.
    pub(crate) fn schedule_text(&self) -> Result<String, Problem> {
        let mut text = self.schedule.clone();
        if text == "-" {
            text.clear();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Problem::Input(format!("cannot read the schedule from the standard input: {error}")))?;
        }
        Ok(text.trim().to_owned())
    }
}

/// Keeps the execution, however it ends.
struct Kept<'s> {
    schedule: &'s Schedule,
    finding: Option<Finding>,
}

impl Sink for Kept<'_> {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.finding = Some(Finding::new(execution, self.schedule.clone()));
        ControlFlow::Continue(())
    }
}
