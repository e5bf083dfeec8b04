//! Mirror of `shuttle::current`: what a task knows of itself. Labels are kept for each task of a run; they are not handed on to
//! tasks that it creates.

use crate::run;
use std::any::{Any, TypeId};
use std::fmt;

/// Mirror of `shuttle::current::TaskId`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(usize);

impl From<usize> for TaskId {
    fn from(id: usize) -> Self {
        TaskId(id)
    }
}

impl From<TaskId> for usize {
    fn from(id: TaskId) -> Self {
        id.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Mirror of `shuttle::current::TaskName`.
#[derive(Clone, PartialEq, Eq)]
pub struct TaskName(String);

impl From<String> for TaskName {
    fn from(name: String) -> Self {
        TaskName(name)
    }
}

impl From<&str> for TaskName {
    fn from(name: &str) -> Self {
        TaskName(name.to_owned())
    }
}

impl From<TaskName> for String {
    fn from(name: TaskName) -> Self {
        name.0
    }
}

impl fmt::Debug for TaskName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Mirror of `shuttle::current::Labels`: at most one value of each type.
#[derive(Default)]
pub struct Labels(Vec<(TypeId, Box<dyn Any + Send>)>);

/// A value that only threads of one run use, which are in one thread of the operating system.
struct OfRun<T>(T);
#[allow(unsafe_code, reason = "a run stays in its thread of the operating system")]
// SAFETY: labels are kept in a static of the run, which no other thread of the operating system reaches.
unsafe impl<T> Send for OfRun<T> {}

impl Labels {
    /// No labels.
    pub fn new() -> Labels {
        Labels::default()
    }

    fn place<T: 'static>(&self) -> Option<usize> {
        self.0.iter().position(|(of, _)| *of == TypeId::of::<T>())
    }

    /// Sets the label of this type, and gives back what it was.
    pub fn insert<T: Clone + 'static>(&mut self, value: T) -> Option<T> {
        let old = self.remove::<T>();
        self.0.push((TypeId::of::<T>(), Box::new(OfRun(value))));
        old
    }

    /// The label of this type.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0[self.place::<T>()?].1.downcast_ref::<OfRun<T>>().map(|value| &value.0)
    }

    /// The label of this type, to be changed.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        let place = self.place::<T>()?;
        self.0[place].1.downcast_mut::<OfRun<T>>().map(|value| &mut value.0)
    }

    /// Takes the label of this type away.
    pub fn remove<T: 'static>(&mut self) -> Option<T> {
        let place = self.place::<T>()?;
        self.0.remove(place).1.downcast::<OfRun<T>>().ok().map(|value| value.0)
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Labels").finish_non_exhaustive()
    }
}

/// The task that calls.
pub fn me() -> TaskId {
    TaskId(fiber::current().0 as usize)
}

/// The task that calls.
pub fn get_current_task() -> Option<TaskId> {
    fiber::is_checked().then(me)
}

/// The task that calls, if it is in a check.
pub fn try_get_current_task() -> Option<TaskId> {
    get_current_task()
}

/// Gives `f` the labels of a task.
pub fn with_labels_for_task<F: FnOnce(&mut Labels) -> T, T>(task: TaskId, f: F) -> T {
    run::with(|run| {
        let place = run.labels.iter().position(|(of, _)| *of == task).unwrap_or_else(|| {
            run.labels.push((task, Labels::new()));
            run.labels.len() - 1
        });
        f(&mut run.labels[place].1)
    })
}

/// The label of this type that a task has.
pub fn get_label_for_task<T: Clone + fmt::Debug + 'static>(task: TaskId) -> Option<T> {
    with_labels_for_task(task, |labels| labels.get::<T>().cloned())
}

/// Sets the label of this type of a task, and gives back what it was.
pub fn set_label_for_task<T: Clone + fmt::Debug + 'static>(task: TaskId, value: T) -> Option<T> {
    with_labels_for_task(task, |labels| labels.insert(value))
}

/// Takes the label of this type of a task away.
pub fn remove_label_for_task<T: Clone + fmt::Debug + 'static>(task: TaskId) -> Option<T> {
    with_labels_for_task(task, Labels::remove::<T>)
}

/// The name of a task, as it was set.
pub fn get_name_for_task(task: TaskId) -> Option<TaskName> {
    get_label_for_task(task)
}

/// Names a task, in reports too, and gives back what its name was.
pub fn set_name_for_task(task: TaskId, name: impl Into<TaskName>) -> Option<TaskName> {
    let name = name.into();
    fiber::name_thread_number(task.0 as u32, &name.0);
    set_label_for_task(task, name)
}

/// Steps are counted from the start of each execution: no effect.
pub fn reset_step_count() {}
