//! Tasks, as they are written.

use crate::pop::{Mark, Step, Task};
use model::{Choice, Pattern, Tag, ThreadId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use trace::dependence::Mode;

/// What is left to do. Tasks of the same execution have it in common, in the file as in memory.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTasks {
    /// The executions that tasks were found in, as far as tasks start with them.
    parents: Vec<Vec<StoredStep>>,
    tasks: Vec<StoredTask>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct StoredTask {
    /// Which of the parents.
    parent: usize,
    prefix: usize,
    schedule: Vec<StoredStep>,
    own_from: usize,
    share: f64,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct StoredStep {
    thread: u32,
    #[serde(default, skip_serializing_if = "is_first")]
    alternative: u32,
    #[serde(default, skip_serializing_if = "StoredMark::is_free")]
    mark: StoredMark,
}

fn is_first(alternative: &u32) -> bool {
    *alternative == 0
}

/// A [`Mark`].
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
#[serde(rename_all = "snake_case")]
enum StoredMark {
    #[default]
    Free,
    Inside,
    Head(Option<StoredMode>),
}

impl StoredMark {
    fn is_free(&self) -> bool {
        matches!(self, StoredMark::Free)
    }
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
}

impl StoredTasks {
    pub(crate) fn new(tasks: &[Task]) -> Self {
        let mut places: HashMap<*const Step, usize> = HashMap::new();
        let mut parents: Vec<&[Step]> = Vec::new();
        let mut stored = Vec::new();
        for task in tasks {
            let place = *places.entry(task.parent.as_ptr()).or_insert(parents.len());
            let steps = &task.parent[..task.prefix];
            match parents.get_mut(place) {
                Some(longest) if longest.len() < steps.len() => *longest = steps,
                Some(_) => {}
                None => parents.push(steps),
            }
            stored.push(StoredTask {
                parent: place,
                prefix: task.prefix,
                schedule: task.schedule.iter().map(StoredStep::from).collect(),
                own_from: task.own_from,
                share: task.share,
            });
        }
        let parents = parents.iter().map(|steps| steps.iter().map(StoredStep::from).collect()).collect();
        StoredTasks { parents, tasks: stored }
    }

    /// The tasks, unless something in them cannot be.
    pub(crate) fn restore(&self, threads: usize) -> Option<Vec<Task>> {
        let steps =
            |steps: &[StoredStep]| steps.iter().map(|step| step.restore(threads)).collect::<Option<Vec<Step>>>();
        let parent = |parent: &Vec<StoredStep>| steps(parent).map(Arc::from);
        let parents: Vec<Arc<[Step]>> = self.parents.iter().map(parent).collect::<Option<_>>()?;
        let task = |stored: &StoredTask| {
            let parent = Arc::clone(parents.get(stored.parent)?);
            let schedule = steps(&stored.schedule)?;
            let is_possible = stored.prefix <= parent.len() && stored.own_from <= stored.prefix + schedule.len();
            let StoredTask { prefix, own_from, share, .. } = *stored;
            is_possible.then_some(Task { parent, prefix, schedule, own_from, share })
        };
        self.tasks.iter().map(task).collect()
    }
}

impl From<&Step> for StoredStep {
    fn from(step: &Step) -> Self {
        let mark = match step.mark {
            Mark::Free => StoredMark::Free,
            Mark::Inside => StoredMark::Inside,
            Mark::Head(over) => StoredMark::Head(over.map(StoredMode::from)),
        };
        StoredStep { thread: step.choice.thread.0, alternative: step.choice.alternative, mark }
    }
}

impl StoredStep {
    fn restore(&self, threads: usize) -> Option<Step> {
        let mark = match &self.mark {
            StoredMark::Free => Mark::Free,
            StoredMark::Inside => Mark::Inside,
            StoredMark::Head(None) => Mark::Head(None),
            StoredMark::Head(Some(over)) => Mark::Head(Some(over.restore()?)),
        };
        let choice = Choice { thread: ThreadId(self.thread), alternative: self.alternative };
        (choice.thread.index() < threads).then_some(Step { choice, mark })
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
    use proptest::prelude::*;

    const THREADS: u32 = 4;

    fn modes() -> impl Strategy<Value = Mode> {
        let tag = (0..model::KINDS, any::<u32>()).prop_map(|(kind, key)| Tag::new(kind, key).expect("a kind"));
        let kinds = prop::collection::vec(0..model::KINDS, 0..5);
        let pattern = (kinds, any::<Option<u32>>()).prop_map(|(kinds, key)| {
            let pattern = Pattern::of_kinds(kinds);
            key.map_or(pattern, |key| pattern.with_key(key))
        });
        prop_oneof![
            prop::sample::select(Mode::ALL.to_vec()),
            Just(Mode::Unseen),
            tag.prop_map(Mode::Send),
            pattern.clone().prop_map(Mode::Take),
            pattern.prop_map(Mode::TimeOut),
        ]
    }

    fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
        let mark = prop_oneof![
            Just(Mark::Free),
            Just(Mark::Inside),
            Just(Mark::Head(None)),
            modes().prop_map(|m| Mark::Head(Some(m)))
        ];
        let choice = (0..THREADS, 0..3u32).prop_map(|(id, alternative)| Choice { thread: ThreadId(id), alternative });
        prop::collection::vec((choice, mark).prop_map(|(choice, mark)| Step { choice, mark }), 0..most)
    }

    /// Tasks of one execution.
    fn siblings() -> impl Strategy<Value = Vec<Task>> {
        let task = (any::<prop::sample::Index>(), steps(4), any::<prop::sample::Index>(), 0.0..1.0f64);
        (steps(8), prop::collection::vec(task, 1..4)).prop_map(|(parent, tasks)| {
            let parent: Arc<[Step]> = parent.into();
            let task =
                |(prefix, schedule, own_from, share): (prop::sample::Index, Vec<Step>, prop::sample::Index, f64)| {
                    let prefix = prefix.index(parent.len() + 1);
                    let own_from = own_from.index(prefix + schedule.len() + 1);
                    Task { parent: Arc::clone(&parent), prefix, schedule, own_from, share }
                };
            tasks.into_iter().map(task).collect()
        })
    }

    type Content = (Vec<Step>, usize, usize, u64);

    fn content(task: &Task) -> Content {
        (task.steps().collect(), task.prefix, task.own_from, task.share.to_bits())
    }

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
        let parents = r#""parents":[[{"thread":0}]]"#;
        let with = |task: &str| format!(r#"{{{parents},"tasks":[{task}]}}"#);
        let good = r#"{"parent":0,"prefix":1,"schedule":[{"thread":0,"mark":"inside"}],"own_from":2,"share":1.0}"#;
        assert!(task(&with(good)).is_some());
        for (from, to) in [
            (r#""parent":0"#, r#""parent":1"#),
            (r#""prefix":1"#, r#""prefix":2"#),
            (r#""thread":0"#, r#""thread":1"#),
            (r#""own_from":2"#, r#""own_from":3"#),
            (r#""inside""#, r#"{"head":{"send":{"kind":32,"key":0}}}"#),
        ] {
            assert!(task(&with(&good.replace(from, to))).is_none(), "{to}");
        }
    }
}
