//! Arbitrary tasks, for tests of how they are written.

use crate::workers::task::{Execution, Schedule, Task};
use model::{Choice, Pattern, Tag, ThreadId};
use proptest::prelude::*;
use std::sync::Arc;
use trace::EventId;
use trace::dependence::Mode;

pub(crate) const THREADS: u32 = 4;

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

fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    let choice = (0..THREADS, 0..3u32).prop_map(|(id, alternative)| Choice { thread: ThreadId(id), alternative });
    prop::collection::vec(choice, 0..most)
}

/// Every second step or so is the head of a schedule.
fn executions() -> impl Strategy<Value = Execution> {
    (choices(8), prop::collection::vec((any::<bool>(), prop::option::of(modes())), 8)).prop_map(|(choices, heads)| {
        let mut schedules = Vec::new();
        let mut start = 0;
        for (head, (is_head, over)) in (0..choices.len() as EventId).zip(heads) {
            if is_head {
                schedules.push(Schedule { start, head, over });
                start = head + 1;
            }
        }
        Execution { choices, schedules, seen: Vec::new() }
    })
}

/// Tasks of one execution, none of which starts within a schedule.
pub(crate) fn siblings() -> impl Strategy<Value = Vec<Task>> {
    let index = any::<prop::sample::Index>;
    let task = (index(), choices(4), prop::option::of(modes()), index(), 0.0..1.0f64);
    (executions(), prop::collection::vec(task, 1..4)).prop_map(|(parent, tasks)| {
        let parent = Arc::new(parent);
        let task = |(prefix, schedule, over, own_from, share): (
            prop::sample::Index,
            Vec<Choice>,
            _,
            prop::sample::Index,
            f64,
        )| {
            let prefix = prefix.index(parent.choices.len() + 1);
            let own_from = own_from.index(prefix + schedule.len() + 1);
            Task {
                parent: Arc::clone(&parent),
                prefix,
                seen: prefix as u64,
                schedule,
                over,
                own_from,
                not_before: (0..prefix as EventId).step_by(2).collect(),
                share,
            }
        };
        tasks.into_iter().map(task).collect()
    })
}

pub(crate) type Content = (Vec<Choice>, Vec<Schedule>, usize, u64, usize, Vec<EventId>, u64);

pub(crate) fn content(task: &Task) -> Content {
    let (choices, schedules) = (task.choices().collect(), task.schedules().collect());
    // All fields: what a task has besides must be read as it was written, too.
    let Task { parent: _, prefix, seen, schedule: _, over: _, own_from, ref not_before, share } = *task;
    (choices, schedules, prefix, seen, own_from, not_before.clone(), share.to_bits())
}
