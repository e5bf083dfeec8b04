//! What is told of a finding in a program in C: the execution, and the calls that led to what matters in it.

use crate::reports::Pages;
use ::c::CProgram;
use ::explore::{Finding, first_of_race, rerun};
use c_check::up_to_the_end_of;
use model::{FailureKind, Program, Schedule, ThreadId};
use report::finding::Named;
use report::lanes::Layout;
use report::page::Exhibit;
use report::summary::{FindingSummary, StackSummary, stacks_text};
use trace::Ending;

/// A finding, for machines and for people.
pub(crate) struct Told {
    pub(crate) summary: FindingSummary,
    pub(crate) text: String,
}

/// Runs an execution once more, up to the end of its schedule: names and calls are those of the program's last run.
pub(super) fn run_again(program: &CProgram, schedule: &Schedule) {
    program.keep_calls(true);
    // If it is not the same again, there is less to be told.
    let _ = rerun(&program, schedule, &up_to_the_end_of(schedule));
    program.keep_calls(false);
}

/// Tells of a finding.
pub(crate) fn tell(
    program: &CProgram,
    finding: &Finding,
    layout: Layout,
    commands: impl FnOnce(&str) -> Vec<(String, String)>,
    pages: &mut Pages<'_>,
) -> Told {
    run_again(program, &finding.schedule);
    let story = Named::of(finding, program.names());
    let mut summary = FindingSummary::new(&story, format!("{};{}", finding.schedule, program.known()));
    summary.stacks = stacks(program, &story);
    let commands = commands(&summary.schedule);
    let mut text = story.print(layout) + &stacks_text(&summary.stacks);
    for (what, line) in &commands {
        text += &format!("\n{what}\n  {line}\n");
    }
    if pages.are_wanted() {
        let (stacks, schedule) = (summary.stacks.clone(), summary.schedule.clone());
        pages.exhibit(Exhibit { story, headline: None, stacks, schedule, commands });
    }
    Told { summary, text }
}

/// The calls that led to failures, to both accesses of data races, and to waits.
pub(super) fn stacks(program: &CProgram, story: &Named<'_>) -> Vec<StackSummary> {
    let mut stacks = Vec::new();
    let mut add = |thread: ThreadId, what: String, step: Option<u32>, calls: Vec<String>| {
        if !calls.is_empty() {
            let step = step.map(|step| step + 1);
            stacks.push(StackSummary { thread: program.names().thread(thread), what, step, calls });
        }
    };
    for (thread, failure) in story.execution.failures {
        match story.step_of(*thread, failure).filter(|_| failure.kind == FailureKind::DataRace) {
            None => add(*thread, "failed".to_owned(), None, program.stack(*thread, failure.site)),
            Some(second) => {
                for step in first_of_race(story.execution.trace, second).into_iter().chain([second]) {
                    let event = story.execution.trace.event(step);
                    let what = format!("did the {} of step {}", event.op.kind, step + 1);
                    add(event.thread(), what, Some(step), program.calls_of_step(step as usize));
                }
            }
        }
    }
    if story.execution.ending == Ending::Deadlocked {
        for pending in story.execution.waiting {
            add(pending.thread, "waits".to_owned(), None, program.calls_of_thread(pending.thread));
        }
    }
    stacks
}
