//! Whether what a program does depends on memory that it never initialised.

use crate::CheckError;
use c::CProgram;
use explore::{Error, Finding, Settings, replay, rerun};
use model::Schedule;

/// What was found out in the time that there was.
pub(crate) struct Looked {
    pub(crate) finding: Option<Finding>,
    pub(crate) is_whole: bool,
}

/// Runs executions that read such memory once more, with other bytes in it. The first that is another one then is a finding. One that
/// was given up because the time is over says nothing.
pub(crate) fn find(program: &CProgram) -> Result<Looked, CheckError> {
    for schedule in program.uninitialised() {
        let schedule: Schedule = schedule.parse().expect("the search has written it");
        // With other bytes, it may be unable to follow the schedule: then it has gone another way before.
        let settings = up_to_the_end_of(&schedule);
        let run = || drop(rerun(&program, &schedule, &settings));
        let is_decided = program.is_decided_by_uninitialised(run).map_err(CheckError::NoMemory)?;
        if program.is_out_of_time() {
            return Ok(Looked { finding: None, is_whole: false });
        }
        if is_decided {
            program.limit_time(None);
            return Ok(Looked { finding: shown(program, schedule, &settings)?, is_whole: true });
        }
    }
    Ok(Looked { finding: None, is_whole: true })
}

/// The execution of a schedule, in which a thread fails now. It is followed as far as that lets it.
fn shown(program: &CProgram, mut schedule: Schedule, settings: &Settings) -> Result<Option<Finding>, CheckError> {
    loop {
        match replay(&program, &schedule, settings, &mut ()) {
            Err(Error::ScheduleDoesNotFit { step, .. }) if step > 0 => schedule.steps.truncate(step - 1),
            // No order of steps makes the difference.
            report => return Ok(report?.findings.into_iter().next().map(|finding| Finding { pivot: None, ..finding })),
        }
    }
}

/// Settings for an execution of which only the schedule matters: a thread that loops would go on for long behind it.
pub fn up_to_the_end_of(schedule: &Schedule) -> Settings {
    let mut settings = Settings { keep_going: true, shrink: false, ..Settings::default() };
    settings.limits.steps = schedule.steps.len().max(1);
    settings
}
