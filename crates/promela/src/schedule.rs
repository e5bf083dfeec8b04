//! Counterexamples as one line of text, and back: `mzp1:0.0,1.2,2.0+3.1,0.1t,_;from 3`.
//!
//! A step is a pid and the number of its transition; a rendezvous has two of them, `t` says that it is a time-out, `_` that
//! the model stands still. `from` is the number of steps before those that repeat.

use crate::machine::{Machine, Shape, Step};
use crate::model::Model;
use crate::outcome::{Finding, TrailStep, Wrong};

const PREFIX: &str = "mzp1:";

impl Finding {
    /// The steps as one line, for [`replay`].
    pub fn schedule(&self) -> String {
        let step = |step: &TrailStep| match step {
            TrailStep::Stutter => "_".to_owned(),
            TrailStep::Step { step, timeout } => {
                let partner = step.partner.map_or(String::new(), |(pid, way)| format!("+{pid}.{way}"));
                format!("{}.{}{partner}{}", step.process, step.transition, if *timeout { "t" } else { "" })
            }
        };
        let steps: Vec<String> = self.steps.iter().map(step).collect();
        let kind = match self.wrong {
            Wrong::AcceptanceCycle => ";accepted",
            Wrong::NonProgressCycle => ";no progress",
            Wrong::ClaimEnded => ";claim ended",
            Wrong::Fault(_) | Wrong::EndState => "",
        };
        let cycle = self.cycle.map_or(String::new(), |from| format!(";from {from}"));
        format!("{PREFIX}{}{cycle}{kind}", steps.join(","))
    }
}

/// Whether a text is a schedule of `mazurka verify`, not one of an execution.
pub fn is_schedule(text: &str) -> bool {
    text.trim().starts_with(PREFIX)
}

/// What a schedule leads to in a model: what is wrong at its end, with its steps, or nothing.
///
/// # Errors
/// The text is no schedule, or does not fit the model: a step is not possible where it is to be taken, or what is to repeat
/// does not come back to where it began.
pub fn replay(model: &Model, schedule: &str) -> Result<(Finding, bool), String> {
    let (steps, cycle, kind) = parse(schedule)?;
    let machine = Machine::new(model);
    let mut state = machine.initial().map_err(|fault| format!("the model does not begin: {}", fault.text()))?;
    let mut shape = Shape::default();
    let mut failed = None;
    let mut round = None;
    for (number, step) in steps.iter().enumerate() {
        if cycle == Some(number) {
            round = Some(state[model.hidden as usize..].to_vec());
        }
        if failed.is_some() {
            return Err(format!("the schedule goes on after step {number}, which fails"));
        }
        machine.shape(&state, &mut shape);
        let TrailStep::Step { step, timeout } = *step else { continue };
        if !is_possible(&machine, &state, &shape, step, timeout) {
            return Err(format!("step {} of the schedule is not possible: it is one of another model", number + 1));
        }
        match machine.take(&mut state, &mut shape, step, timeout) {
            Ok(_) => failed = machine.noted.take().first().copied(),
            Err(fault) => failed = Some(fault),
        }
    }
    machine.shape(&state, &mut shape);
    if let Some(began) = round
        && began != state[model.hidden as usize..]
    {
        return Err("the steps that repeat do not come back to where they began".to_owned());
    }
    let wrong = failed.map(Wrong::Fault).or(kind).or_else(|| at_end(&machine, &state, &shape));
    let is_wrong = wrong.is_some();
    Ok((Finding { wrong: wrong.unwrap_or(Wrong::EndState), steps, cycle }, is_wrong))
}

/// What is wrong in the last state by itself.
fn at_end(machine: &Machine<'_>, state: &[u8], shape: &Shape) -> Option<Wrong> {
    let mut steps = Vec::new();
    for timeout in [false, true] {
        for process in 0..shape.processes.len() as u8 {
            if let Err(fault) = machine.steps_of(state, shape, process, timeout, &mut steps) {
                return Some(Wrong::Fault(fault));
            }
        }
    }
    (steps.is_empty() && !machine.may_end(state, shape)).then_some(Wrong::EndState)
}

fn is_possible(machine: &Machine<'_>, state: &[u8], shape: &Shape, step: Step, timeout: bool) -> bool {
    let is_there = |process: u8| usize::from(process) < shape.processes.len();
    let mut steps = Vec::new();
    is_there(step.process)
        && machine.steps_of(state, shape, step.process, timeout, &mut steps).is_ok()
        && steps.contains(&step)
}

type Parsed = (Vec<TrailStep>, Option<usize>, Option<Wrong>);

fn parse(text: &str) -> Result<Parsed, String> {
    let no_schedule = || format!("'{text}' is no schedule of a model, which begins with {PREFIX}");
    let mut parts = text.trim().strip_prefix(PREFIX).ok_or_else(no_schedule)?.split(';');
    let steps = parts.next().unwrap_or("").split(',').filter(|step| !step.is_empty());
    let steps = steps.map(|step| parse_step(step).ok_or_else(|| format!("'{step}' is no step of a schedule")));
    let steps: Vec<TrailStep> = steps.collect::<Result<_, _>>()?;
    let (mut cycle, mut kind) = (None, None);
    for part in parts {
        match (part, part.strip_prefix("from ").and_then(|from| from.parse::<usize>().ok())) {
            ("accepted", _) => kind = Some(Wrong::AcceptanceCycle),
            ("no progress", _) => kind = Some(Wrong::NonProgressCycle),
            ("claim ended", _) => kind = Some(Wrong::ClaimEnded),
            (_, Some(from)) if from <= steps.len() => cycle = Some(from),
            _ => return Err(format!("'{part}' is no part of a schedule")),
        }
    }
    Ok((steps, cycle, kind))
}

fn parse_step(text: &str) -> Option<TrailStep> {
    if text == "_" {
        return Some(TrailStep::Stutter);
    }
    let timeout = text.ends_with('t');
    let (first, second) = match text.trim_end_matches('t').split_once('+') {
        Some((first, second)) => (first, Some(second)),
        None => (text.trim_end_matches('t'), None),
    };
    let side = |text: &str| -> Option<(u8, u16)> {
        let (pid, way) = text.split_once('.')?;
        Some((pid.parse().ok()?, way.parse().ok()?))
    };
    let (process, transition) = side(first)?;
    let partner = match second {
        Some(second) => Some(side(second)?),
        None => None,
    };
    Some(TrailStep::Step { step: Step { process, transition, partner }, timeout })
}
