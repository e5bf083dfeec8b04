//! Whether what a program does depends on memory that it never initialised.

use super::tell::up_to_the_end_of;
use crate::problem::Problem;
use ::c::CProgram;
use ::explore::{Error, Finding, Settings, replay, rerun};
use model::Schedule;

/// Runs executions that read such memory once more, with other bytes in it. The first that is another one then is a finding.
pub(super) fn find(program: &CProgram) -> Result<Option<Finding>, Problem> {
    for schedule in program.uninitialised() {
        let schedule: Schedule = schedule.parse().map_err(Problem::input)?;
        // With other bytes, it may be unable to follow the schedule: then it has gone another way before.
        let settings = up_to_the_end_of(&schedule);
        let run = || drop(rerun(&program, &schedule, &settings));
        let is_decided = program
            .is_decided_by_uninitialised(run)
            .map_err(|error| Problem::Input(format!("no memory for the accesses of an execution: {error}")))?;
        if is_decided {
            return shown(program, schedule, &settings);
        }
    }
    Ok(None)
}

/// The execution of a schedule, in which a thread fails now. It is followed as far as that lets it.
fn shown(program: &CProgram, mut schedule: Schedule, settings: &Settings) -> Result<Option<Finding>, Problem> {
    loop {
        match replay(&program, &schedule, settings, &mut ()) {
            Err(Error::ScheduleDoesNotFit { step, .. }) if step > 0 => schedule.steps.truncate(step - 1),
            // No order of steps makes the difference.
            report => return Ok(report?.findings.into_iter().next().map(|finding| Finding { pivot: None, ..finding })),
        }
    }
}
