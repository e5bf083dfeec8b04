//! What leaders and workers in other processes send to each other: lines of JSON would do, but for what comes after a
//! worker was killed in the middle of one. So each message is its length in 8 bytes, and then JSON.

use crate::checkpoint::{StoredTally, StoredTasks};
use crate::loops::StoredKnowledge;
use crate::{Error, Limit, Settings, Stop};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use trace::Tally;

/// What is wrong when a task cannot be read.
pub(super) const NO_TASK: &str = "a task is not what was sent";

/// What a worker says.
#[derive(Serialize, Deserialize)]
pub(super) enum FromWorker {
    /// It has nothing to do.
    Idle,
    /// It gives away a task.
    Gives(StoredTasks),
    /// How far it is.
    Progress(SoFar),
    /// It does nothing more.
    Ended(Box<Ended>),
}

/// What a worker is told.
#[derive(Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// A task to do, with all that comes of it.
    Do(StoredTasks),
    /// The search is over.
    Over,
}

/// How far a worker is, since it began.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub(super) struct SoFar {
    #[serde(with = "StoredTally")]
    pub(super) tally: Tally,
    /// The share of the search that it has done.
    pub(super) share: Option<f64>,
    /// The length of its execution.
    pub(super) depth: usize,
}

/// The end of a worker.
#[derive(Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) reason: Reason,
    #[serde(with = "StoredTally")]
    pub(super) tally: Tally,
    /// Schedules of its findings.
    pub(super) findings: Vec<String>,
    pub(super) discoveries: String,
    /// What it learnt of loops.
    pub(super) learnt: StoredKnowledge,
    /// What it has not done.
    pub(super) left: StoredTasks,
}

/// Why a worker ended.
#[derive(Serialize, Deserialize)]
pub(super) enum Reason {
    NothingLeft,
    Limit(WhichLimit),
    Found,
    Messages,
    Told,
    Elsewhere,
    Learnt,
    Error(String),
}

/// A limit; how much it is is in the settings.
#[derive(Serialize, Deserialize)]
pub(super) enum WhichLimit {
    Executions(u64),
    Steps,
    Time,
    Bounds,
}

impl From<Result<(), Stop>> for Reason {
    fn from(result: Result<(), Stop>) -> Self {
        match result {
            Ok(()) => Reason::NothingLeft,
            Err(Stop::Limit(limit)) => Reason::Limit(match limit {
                Limit::Executions(most) => WhichLimit::Executions(most),
                Limit::Steps(_) => WhichLimit::Steps,
                Limit::Time(_) => WhichLimit::Time,
                Limit::Bounds(_) => WhichLimit::Bounds,
            }),
            Err(Stop::Found) => Reason::Found,
            Err(Stop::Messages) => Reason::Messages,
            Err(Stop::Told) => Reason::Told,
            Err(Stop::Elsewhere) => Reason::Elsewhere,
            Err(Stop::Learnt) => Reason::Learnt,
            Err(Stop::Error(error)) => Reason::Error(error.to_string()),
        }
    }
}

impl Reason {
    /// What the worker's search came to.
    pub(super) fn into_result(self, settings: &Settings) -> Result<(), Stop> {
        let limits = &settings.limits;
        Err(match self {
            Reason::NothingLeft => return Ok(()),
            Reason::Limit(WhichLimit::Executions(most)) => Stop::Limit(Limit::Executions(most)),
            Reason::Limit(WhichLimit::Steps) => Stop::Limit(Limit::Steps(limits.steps)),
            Reason::Limit(WhichLimit::Time) => Stop::Limit(Limit::Time(limits.time.unwrap_or_default())),
            Reason::Limit(WhichLimit::Bounds) => Stop::Limit(Limit::Bounds(settings.bounds)),
            Reason::Found => Stop::Found,
            Reason::Messages => Stop::Messages,
            Reason::Told => Stop::Told,
            Reason::Elsewhere => Stop::Elsewhere,
            Reason::Learnt => Stop::Learnt,
            Reason::Error(message) => Stop::Error(Error::InWorker(message)),
        })
    }
}

/// Sends a message to another process: its length, and JSON.
pub fn send(to: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let mut bytes = vec![0; size_of::<u64>()];
    serde_json::to_writer(&mut bytes, message)?;
    let length = (bytes.len() - size_of::<u64>()) as u64;
    bytes[..size_of::<u64>()].copy_from_slice(&length.to_le_bytes());
    to.write_all(&bytes)
}

/// The next message. An error when the other side has ended.
pub fn receive<M: DeserializeOwned>(from: &mut dyn Read) -> io::Result<M> {
    let mut length = [0; size_of::<u64>()];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let mut bytes = Vec::new();
    if from.take(length).read_to_end(&mut bytes)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(message: &impl Serialize) -> Vec<u8> {
        let mut bytes = Vec::new();
        send(&mut bytes, message).unwrap();
        bytes
    }

    #[test]
    fn messages_come_one_after_the_other() {
        let tally = Tally { completed: 7, longest: 3, ..Tally::default() };
        let so_far = SoFar { tally, share: Some(0.1), depth: 5 };
        let bytes = [sent(&FromWorker::Progress(so_far)), sent(&FromWorker::Idle)].concat();
        let mut from = bytes.as_slice();
        let Ok(FromWorker::Progress(again)) = receive(&mut from) else { panic!("another one") };
        assert_eq!(again, so_far);
        assert!(matches!(receive(&mut from), Ok(FromWorker::Idle)));
        assert!(receive::<FromWorker>(&mut from).is_err());
    }

    #[test]
    fn what_is_cut_short_is_no_message() {
        let whole = sent(&ToWorker::Over);
        for length in 0..whole.len() {
            assert!(receive::<ToWorker>(&mut &whole[..length]).is_err(), "the first {length} bytes");
        }
    }

    #[test]
    fn reasons_mean_the_same_to_the_leader() {
        let mut settings = Settings::default();
        settings.limits.time = Some(std::time::Duration::from_secs(3));
        for result in [
            Ok(()),
            Err(Stop::Limit(Limit::Executions(9))),
            Err(Stop::Limit(Limit::Steps(settings.limits.steps))),
            Err(Stop::Limit(Limit::Time(std::time::Duration::from_secs(3)))),
            Err(Stop::Limit(Limit::Bounds(settings.bounds))),
            Err(Stop::Found),
            Err(Stop::Told),
            Err(Stop::Elsewhere),
            Err(Stop::Learnt),
            Err(Stop::Error(Error::InWorker("a message".to_owned()))),
        ] {
            let text = serde_json::to_string(&Reason::from(result.clone())).unwrap();
            let again: Reason = serde_json::from_str(&text).unwrap();
            assert_eq!(again.into_result(&settings), result);
        }
    }
}
