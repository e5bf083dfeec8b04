//! Tasks, as they are written.

use crate::workers::task::{Execution, Schedule, Task};
use model::{Cell, Choice, Pattern, Tag, ThreadId, Touch};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use trace::EventId;
use trace::dependence::Mode;

/// What is left to do. Tasks of the same execution have it in common, in the file as in memory.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTasks {
    /// The executions that tasks were found in, as far as tasks start with them.
    parents: Vec<StoredExecution>,
    tasks: Vec<StoredTask>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct StoredTask {
    /// Which of the parents.
    parent: usize,
    prefix: usize,
    #[serde(default)]
    seen: u64,
    schedule: Vec<StoredChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    over: Option<StoredMode>,
    own_from: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_before: Vec<EventId>,
    share: f64,
}

/// An [`Execution`].
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct StoredExecution {
    choices: Vec<StoredChoice>,
    schedules: Vec<StoredSchedule>,
}

/// A [`Schedule`].
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct StoredSchedule {
    start: EventId,
    head: EventId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    over: Option<StoredMode>,
}

/// A [`Choice`]: the thread, or the thread and the alternative where that is not the first.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(untagged)]
enum StoredChoice {
    First(u32),
    Other(u32, u32),
}

/// A [`Mode`].
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
enum StoredMode {
    Peek,
    Read,
    Add,
    Write,
    Send { kind: u8, key: u32 },
    Take { kinds: Vec<u8>, key: Option<u32> },
    Unseen,
    TimeOut { kinds: Vec<u8>, key: Option<u32> },
    Step { reads: Vec<Cell>, writes: Vec<Cell> },
}

impl StoredTasks {
    pub(crate) fn new(tasks: &[Task]) -> Self {
        let mut places: HashMap<*const Execution, usize> = HashMap::new();
        let mut parents: Vec<(&Execution, usize)> = Vec::new();
        let mut stored = Vec::new();
        for task in tasks {
            let place = *places.entry(Arc::as_ptr(&task.parent)).or_insert(parents.len());
            match parents.get_mut(place) {
                Some((_, longest)) => *longest = task.prefix.max(*longest),
                None => parents.push((&*task.parent, task.prefix)),
            }
            stored.push(StoredTask {
                parent: place,
                prefix: task.prefix,
                seen: task.seen,
                schedule: task.schedule.iter().map(StoredChoice::from).collect(),
                over: task.over.map(StoredMode::from),
                own_from: task.own_from,
                not_before: task.not_before.clone(),
                share: task.share,
            });
        }
        let parents = parents.into_iter().map(|(parent, len)| StoredExecution::new(parent, len)).collect();
        StoredTasks { parents, tasks: stored }
    }

    /// The tasks of another process of the same search, unless something in them cannot be. Which threads there are, each
    /// process finds out by itself.
    pub(crate) fn restore_all(&self) -> Option<Vec<Task>> {
        self.restore(usize::MAX)
    }

    /// The one task that this is, if it is one. Which threads there are, each process finds out by itself.
    pub(crate) fn restore_one(&self) -> Option<Task> {
        let [task] = <[Task; 1]>::try_from(self.restore_all()?).ok()?;
        Some(task)
    }

    /// The tasks, unless something in them cannot be.
    pub(super) fn restore(&self, threads: usize) -> Option<Vec<Task>> {
        let parent = |parent: &StoredExecution| parent.restore(threads).map(Arc::new);
        let parents: Vec<Arc<Execution>> = self.parents.iter().map(parent).collect::<Option<_>>()?;
        let task = |stored: &StoredTask| {
            let parent = Arc::clone(parents.get(stored.parent)?);
            let schedule = restore_choices(&stored.schedule, threads)?;
            let over = restore_over(stored.over.as_ref())?;
            let is_possible =
                stored.prefix <= parent.choices.len() && stored.own_from <= stored.prefix + schedule.len();
            let StoredTask { prefix, seen, own_from, ref not_before, share, .. } = *stored;
            let not_before = not_before.clone();
            is_possible.then_some(Task { parent, prefix, seen, schedule, over, own_from, not_before, share })
        };
        self.tasks.iter().map(task).collect()
    }
}

impl StoredExecution {
    /// The first `len` steps of an execution.
    fn new(execution: &Execution, len: usize) -> Self {
        let schedule = |schedule: &Schedule| StoredSchedule {
            start: schedule.start,
            head: schedule.head,
            over: schedule.over.map(StoredMode::from),
        };
        StoredExecution {
            choices: execution.choices[..len].iter().map(StoredChoice::from).collect(),
            schedules: execution.schedules_in(len).iter().map(schedule).collect(),
        }
    }

    fn restore(&self, threads: usize) -> Option<Execution> {
        let choices = restore_choices(&self.choices, threads)?;
        let mut schedules = Vec::new();
        let mut end = 0;
        for &StoredSchedule { start, head, ref over } in &self.schedules {
            if start < end || head < start || head as usize >= choices.len() {
                return None;
            }
            end = head + 1;
            schedules.push(Schedule { start, head, over: restore_over(over.as_ref())? });
        }
        Some(Execution { choices, schedules, seen: Vec::new() })
    }
}

impl From<&Choice> for StoredChoice {
    fn from(choice: &Choice) -> Self {
        match choice.alternative {
            0 => StoredChoice::First(choice.thread.0),
            alternative => StoredChoice::Other(choice.thread.0, alternative),
        }
    }
}

fn restore_choices(choices: &[StoredChoice], threads: usize) -> Option<Vec<Choice>> {
    let restore = |&choice: &StoredChoice| {
        let (thread, alternative) = match choice {
            StoredChoice::First(thread) => (ThreadId(thread), 0),
            StoredChoice::Other(thread, alternative) => (ThreadId(thread), alternative),
        };
        (thread.index() < threads).then_some(Choice { thread, alternative })
    };
    choices.iter().map(restore).collect()
}

/// `None` when it cannot be.
fn restore_over(over: Option<&StoredMode>) -> Option<Option<Mode>> {
    match over {
        None => Some(None),
        Some(mode) => mode.restore().map(Some),
    }
}

impl From<Mode> for StoredMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Peek => StoredMode::Peek,
            Mode::Read => StoredMode::Read,
            Mode::Add => StoredMode::Add,
            Mode::Write => StoredMode::Write,
            Mode::Send(tag) => StoredMode::Send { kind: tag.kind(), key: tag.key() },
            Mode::Take(pattern) => StoredMode::Take { kinds: pattern.kinds().collect(), key: pattern.key() },
            Mode::TimeOut(pattern) => StoredMode::TimeOut { kinds: pattern.kinds().collect(), key: pattern.key() },
            Mode::Unseen => StoredMode::Unseen,
            Mode::Step(touch) => StoredMode::Step { reads: touch.reads().to_vec(), writes: touch.writes().to_vec() },
        }
    }
}

impl StoredMode {
    fn restore(&self) -> Option<Mode> {
        Some(match self {
            StoredMode::Peek => Mode::Peek,
            StoredMode::Read => Mode::Read,
            StoredMode::Add => Mode::Add,
            StoredMode::Write => Mode::Write,
            &StoredMode::Send { kind, key } => Mode::Send(Tag::new(kind, key)?),
            StoredMode::Take { kinds, key } => Mode::Take(restore_pattern(kinds, *key)),
            StoredMode::TimeOut { kinds, key } => Mode::TimeOut(restore_pattern(kinds, *key)),
            StoredMode::Unseen => Mode::Unseen,
            StoredMode::Step { reads, writes } => Mode::Step(Touch::new(&mut reads.clone(), &mut writes.clone())),
        })
    }
}

fn restore_pattern(kinds: &[u8], key: Option<u32>) -> Pattern {
    let pattern = Pattern::of_kinds(kinds.iter().copied());
    key.map_or(pattern, |key| pattern.with_key(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::arbitrary::{THREADS, content, siblings};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tasks_are_read_as_they_were_written(families in prop::collection::vec(siblings(), 0..4)) {
            let tasks: Vec<Task> = families.concat();
            let text = serde_json::to_string(&StoredTasks::new(&tasks)).unwrap();
            let stored: StoredTasks = serde_json::from_str(&text).unwrap();
            prop_assert!(stored.parents.len() <= families.len());
            let again = stored.restore(THREADS as usize).unwrap();
            prop_assert_eq!(again.iter().map(content).collect::<Vec<_>>(), tasks.iter().map(content).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let task = |text: &str| serde_json::from_str::<StoredTasks>(text).unwrap().restore(1);
        let good = r#"{"parents":[{"choices":[0],"schedules":[{"start":0,"head":0}]}],
            "tasks":[{"parent":0,"prefix":1,"schedule":[[0,1]],"over":"write","own_from":2,"share":1.0}]}"#;
        assert!(task(good).is_some());
        for (from, to) in [
            (r#""parent":0"#, r#""parent":1"#),
            (r#""prefix":1"#, r#""prefix":2"#),
            (r#""choices":[0]"#, r#""choices":[1]"#),
            ("[[0,1]]", "[[1,1]]"),
            (r#""own_from":2"#, r#""own_from":3"#),
            (r#""start":0"#, r#""start":1"#),
            (r#""head":0"#, r#""head":1"#),
            (r#""write""#, r#"{"send":{"kind":32,"key":0}}"#),
        ] {
            assert!(good.contains(from), "{from}");
            assert!(task(&good.replace(from, to)).is_none(), "{to}");
        }
    }
}
