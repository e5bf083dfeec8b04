//! Schedules as text: what a report prints and `mazurka replay` takes.
//!
//! `mzk1:0x3,2.0,1=2` reads: format 1; thread 0 takes three steps, then the first child of thread 2 takes one, then
//! thread 1 takes one by its alternative 2.

use crate::{ThreadPath, ThreadPathError};
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "mzk1:";

/// One step of a [`Schedule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledStep {
    /// Who takes the step.
    pub thread: ThreadPath,
    /// By which alternative.
    pub alternative: u32,
}

/// A sequence of steps that outlives the process that found it.
///
/// ```
/// # use mazurka_model::Schedule;
/// let schedule: Schedule = "mzk1:0x2,1=2".parse()?;
/// assert_eq!(schedule.steps.len(), 3);
/// assert_eq!(schedule.to_string(), "mzk1:0x2,1=2");
/// # Ok::<(), mazurka_model::ScheduleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The steps, in order.
    pub steps: Vec<ScheduledStep>,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        for (i, same) in self.steps.chunk_by(|a, b| a == b).enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{}", same[0].thread)?;
            if same[0].alternative > 0 {
                write!(f, "={}", same[0].alternative)?;
            }
            if same.len() > 1 {
                write!(f, "x{}", same.len())?;
            }
        }
        Ok(())
    }
}

/// A text that is no [`Schedule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// It does not start as a schedule does.
    NoPrefix,
    /// It is of a format that this version does not know.
    OtherVersion(String),
    /// A part of it, counted from 1, cannot be read.
    BadStep {
        /// Which part.
        position: usize,
        /// Its text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleError::NoPrefix => {
                write!(f, "a schedule starts with '{PREFIX}'; copy it whole from the report, such as mzk1:0x3,1,2.0=1")
            }
            ScheduleError::OtherVersion(version) => write!(
                f,
                "this schedule is of format '{version}', and this version of mazurka reads 'mzk1'; \
                 replay it with the version that printed it"
            ),
            ScheduleError::BadStep { position, text, problem } => {
                write!(f, "step group {position} of the schedule, '{text}': {problem}")
            }
        }
    }
}

impl std::error::Error for ScheduleError {}

/// The most steps that one `xN` may stand for: more is a typing error, not a schedule.
const MAX_REPEAT: u32 = 1_000_000;

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let text = text.trim();
        let Some(body) = text.strip_prefix(PREFIX) else {
            return Err(match text.split_once(':') {
                Some((version, _)) if version.starts_with("mzk") => ScheduleError::OtherVersion(version.to_owned()),
                _ => ScheduleError::NoPrefix,
            });
        };
        let mut steps = Vec::new();
        if body.is_empty() {
            return Ok(Schedule { steps });
        }
        for (i, group) in body.split(',').enumerate() {
            let (step, times) = parse_group(group).map_err(|problem| ScheduleError::BadStep {
                position: i + 1,
                text: group.to_owned(),
                problem,
            })?;
            steps.extend(std::iter::repeat_n(step, times));
        }
        Ok(Schedule { steps })
    }
}

fn parse_group(group: &str) -> Result<(ScheduledStep, usize), String> {
    let (rest, times) = match group.split_once('x') {
        Some((rest, times)) => (rest, parse_number(times, "the number of steps after 'x'")?),
        None => (group, 1),
    };
    if times == 0 || times > MAX_REPEAT {
        return Err(format!("the number of steps after 'x' must be from 1 to {MAX_REPEAT}"));
    }
    let (path, alternative) = match rest.split_once('=') {
        Some((path, alternative)) => (path, parse_number(alternative, "the alternative after '='")?),
        None => (rest, 0),
    };
    let thread = path.parse().map_err(|e: ThreadPathError| e.to_string())?;
    Ok((ScheduledStep { thread, alternative }, times as usize))
}

fn parse_number(text: &str, what: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{what} is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for text in ["mzk1:", "mzk1:0", "mzk1:0x3,2.0,1=2", "mzk1:0=1x4,0.0.7"] {
            assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_texts_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Schedule>().unwrap_err().to_string();
        assert!(message("").contains("starts with 'mzk1:'"));
        assert!(message("0,1").contains("starts with 'mzk1:'"));
        assert!(message("mzk9:0").contains("format 'mzk9'"));
        assert!(message("mzk1:0,,1").contains("step group 2"));
        assert!(message("mzk1:0x").contains("number of steps"));
        assert!(message("mzk1:0x0").contains("from 1 to"));
        assert!(message("mzk1:a.b").contains("not a thread"));
        assert!(message("mzk1:1=z").contains("alternative"));
    }
}
