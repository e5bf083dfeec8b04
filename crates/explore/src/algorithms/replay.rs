//! One execution, by a given schedule.

use crate::explorer::{Explorer, Stop};
use crate::search::check::search;
use crate::search::findings::Findings;
use crate::{Algorithm, Bounds, Error, Limits, LoopRules, Report, Settings, check_with};
use model::{Choice, Pending, Program, Schedule, ScheduledStep};
use trace::Sink;

struct Replay<'s> {
    schedule: &'s Schedule,
}

/// Runs `program` by `schedule`. Where the schedule ends before the program does, the rest is run in the scheduling order
/// of the settings. Bounds do not apply, and nothing is written.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{Settings, replay};
///
/// let program = LitmusProgram::new("var x; x = 1 | r = x; assert r == 1, \"too early\"".parse()?)?;
/// let report = replay(&program, &"mzk1:1,0".parse()?, &Settings::default(), &mut ())?;
/// assert_eq!(report.findings[0].failures[0].1.message, "too early");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(
    program: &dyn Program,
    schedule: &Schedule,
    settings: &Settings,
    sink: &mut dyn Sink,
) -> Result<Report, Error> {
    check_with(program, &mut Replay { schedule }, &for_replay(settings), sink)
}

/// Runs `program` by `schedule` once more, for what the program itself keeps of its last run.
pub fn rerun(program: &dyn Program, schedule: &Schedule, settings: &Settings) -> Result<(), Error> {
    search_by(program, schedule, settings).map(|_| ())
}

/// The same without a look at what a finding comes from.
pub(crate) fn search_by(program: &dyn Program, schedule: &Schedule, settings: &Settings) -> Result<Report, Error> {
    search(program, &mut Replay { schedule }, &for_replay(settings), &mut (), None)
}

/// The executions of these schedules, which were findings once and are to be so again. Says how they are not.
pub(crate) fn run_again(
    program: &dyn Program,
    settings: &Settings,
    schedules: &[Schedule],
) -> Result<Findings, String> {
    let limits = Limits { executions: None, time: None, ..settings.limits };
    let settings = Settings { limits, keep_going: true, ..settings.clone() };
    let mut findings = Findings::default();
    for schedule in schedules {
        let again = search_by(program, schedule, &settings).map_err(|error| error.to_string())?;
        let [finding] = <[_; 1]>::try_from(again.findings)
            .map_err(|_| format!("nothing is found by the schedule {schedule} any more"))?;
        findings.keep_finding(finding);
    }
    Ok(findings)
}

fn for_replay(settings: &Settings) -> Settings {
    // What a schedule means does not depend on what was learnt, unless that comes with it.
    let loops = if settings.known.is_empty() && settings.loops.rounds { LoopRules::ROUNDS } else { settings.loops };
    Settings { bounds: Bounds::default(), checkpoints: None, shrink: false, loops, ..settings.clone() }
}

impl Algorithm for Replay<'_> {
    fn forget(&mut self) {}

    fn learns(&self) -> bool {
        false
    }

    fn explore(&mut self, e: &mut Explorer<'_>) -> Result<(), Stop> {
        if e.settings().known.is_empty() {
            e.begin_schedule();
        }
        for (i, step) in self.schedule.steps.iter().enumerate() {
            let choice = resolve(e, step)?.map_err(|problem| {
                Stop::Error(Error::ScheduleDoesNotFit { step: i + 1, wanted: step.clone(), problem })
            })?;
            e.step(choice)?;
        }
        e.end_schedule();
        while let Some(p) = e.first_enabled(|_, _| true)? {
            e.step(p.choice())?;
        }
        e.finish(|| None)
    }

    fn is_exhaustive(&self) -> bool {
        false
    }
}

/// The choice that a step of a schedule means, or why it cannot be taken.
fn resolve(e: &mut Explorer<'_>, step: &ScheduledStep) -> Result<Result<Choice, String>, Stop> {
    let Some(thread) = e.names().at_path(&step.thread) else {
        return Ok(Err("there is no such thread at this point".to_owned()));
    };
    let name = e.names().thread(thread);
    let choice = Choice { thread, alternative: step.alternative };
    let problem = match e.transition_of(choice)? {
        None if e.pending_of(thread)?.is_some() => format!("{name} has no alternative {} there", step.alternative),
        None => format!("{name} has not been created yet, or has ended"),
        Some(Pending { enabled: false, op, .. }) => format!("{name} cannot go on: it waits at {}", op.kind),
        Some(Pending { alternatives, .. }) if choice.alternative_of_transition() >= alternatives => {
            format!(
                "{name} has {alternatives} alternative(s) there, numbered from 0, and not number {}",
                step.alternative
            )
        }
        Some(_) => return Ok(Ok(choice)),
    };
    Ok(Err(problem))
}
