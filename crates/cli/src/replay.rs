//! `mazurka replay`: one execution, by the schedule that a finding came with.

use crate::output::{layout, print, print_json};
use crate::problem::{Problem, Status};
use crate::target::TargetArgs;
use clap::Args;
use explore::{Limits, Settings};
use model::{Failure, Pending, Schedule, ThreadId};
use report::finding::Story;
use report::summary::FindingSummary;
use std::io::Read;
use std::ops::ControlFlow;
use trace::{Ending, Execution, Sink, Trace};

const EXAMPLES: &str = "\
Examples:
  mazurka replay lost_update 2 --schedule 'mzk1:0,1,0x2,1x2'
  mazurka run lost_update 2 --json | jq -r .findings[0].schedule | mazurka replay lost_update 2 --schedule -

Where the schedule ends before the program does, the rest is run with the thread created first going first.

Exit status: 0 the execution ends well, 1 it fails or deadlocks, 2 bad usage or input, such as a schedule that does \
not fit the program, 3 it was given up at --max-steps.";

/// The arguments of `mazurka replay`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// The schedule, as a report prints it; '-' reads it from the standard input
    #[arg(long, short, value_name = "SCHEDULE")]
    schedule: String,
    /// Give the execution up after so many steps
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().steps)]
    max_steps: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show every step, however many
    #[arg(long)]
    full: bool,
}

/// Runs the schedule and shows the execution.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Status, Problem> {
    let target = args.target.load()?;
    let schedule = args.schedule()?;
    let mut settings = Settings { keep_going: true, ..Settings::default() };
    settings.limits.steps = args.max_steps;
    let mut kept = Kept::default();
    let report = explore::replay(&*target.program, &schedule, &settings, &mut kept)?;
    let Some(ending) = kept.ending else {
        return Err(Problem::input("the execution did not come to an end; give a larger --max-steps"));
    };
    let story = Story {
        ending,
        trace: &kept.trace,
        failures: &kept.failures,
        waiting: &kept.waiting,
        pivot: report.findings.first().and_then(|finding| finding.pivot),
        names: target.program.names(),
    };
    if args.json {
        print_json(&FindingSummary::new(&story, schedule.to_string()))?;
    } else {
        print(&format!("{}: {}", target.title(), story.print(layout(args.full))))?;
    }
    Ok(match ending {
        Ending::Completed | Ending::Cut => Status::Proved,
        Ending::Failed | Ending::Deadlocked => Status::Found,
        Ending::SleepSetBlocked | Ending::TooLong | Ending::OutOfBounds => Status::NotExhaustive,
    })
}

impl ReplayArgs {
    fn schedule(&self) -> Result<Schedule, Problem> {
        let mut text = self.schedule.clone();
        if text == "-" {
            text.clear();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Problem::Input(format!("cannot read the schedule from the standard input: {error}")))?;
        }
        text.parse().map_err(Problem::input)
    }
}

/// Keeps the execution, however it ends.
#[derive(Default)]
struct Kept {
    ending: Option<Ending>,
    trace: Trace,
    failures: Vec<(ThreadId, Failure)>,
    waiting: Vec<Pending>,
}

impl Sink for Kept {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.ending = Some(execution.ending);
        self.trace = execution.trace.clone();
        self.failures = execution.failures.to_vec();
        self.waiting = execution.waiting.to_vec();
        ControlFlow::Continue(())
    }
}
