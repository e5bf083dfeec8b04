//! The classes that a search reached.

use model::{Choice, Names, Schedule, ScheduledStep};
use std::collections::HashMap;
use std::ops::ControlFlow;
use trace::dependence::Mode;
use trace::{Class, Ending, Execution, Sink};

/// A sink that keeps one execution of every class.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    outcomes: HashMap<Class, Outcome>,
    repeated: u64,
    has_adds: bool,
}

/// How the executions of a class end, and one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How they end.
    pub ending: Ending,
    /// The steps of one.
    pub steps: Vec<Choice>,
}

impl Outcome {
    /// The steps as a schedule.
    pub fn schedule(&self, names: &dyn Names) -> Schedule {
        let step = |step: &Choice| ScheduledStep { thread: names.path(step.thread), alternative: step.alternative };
        Schedule { steps: self.steps.iter().map(step).collect() }
    }
}

impl Sink for Classes {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        let outcome = Outcome {
            ending: execution.ending,
            steps: execution.trace.events().iter().map(|event| event.choice).collect(),
        };
        self.has_adds |= execution.trace.events().iter().any(|event| event.footprint.mode == Mode::Add);
        if self.outcomes.insert(execution.trace.class(), outcome).is_some() {
            self.repeated += 1;
        }
        ControlFlow::Continue(())
    }
}

impl Classes {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// How many executions were of a class that was there already.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Whether an execution has operations that commute although they change an object.
    pub fn has_adds(&self) -> bool {
        self.has_adds
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (Class, &Outcome)> {
        self.outcomes.iter().map(|(&class, outcome)| (class, outcome))
    }

    /// How the executions of a class end.
    pub fn ending_of(&self, class: Class) -> Option<Ending> {
        self.outcomes.get(&class).map(|outcome| outcome.ending)
    }

    /// What `found` has too little or too much, or ends otherwise, in words.
    pub fn difference(&self, found: &Classes, names: &dyn Names) -> Option<String> {
        let missed: Vec<&Outcome> =
            self.iter().filter(|(class, _)| !found.outcomes.contains_key(class)).map(|(_, outcome)| outcome).collect();
        let extra: Vec<&Outcome> =
            found.iter().filter(|(class, _)| !self.outcomes.contains_key(class)).map(|(_, outcome)| outcome).collect();
        if let Some(first) = missed.first() {
            let (count, of) = (missed.len(), self.len());
            return Some(format!("missed {count} of {of} classes, such as {}", first.schedule(names)));
        }
        if let Some(first) = extra.first() {
            return Some(format!("{} classes that do not exist, such as {}", extra.len(), first.schedule(names)));
        }
        let differs = |&(class, outcome): &(Class, &Outcome)| found.ending_of(class) != Some(outcome.ending);
        let (class, outcome) = self.iter().find(differs)?;
        let other = found.ending_of(class)?;
        Some(format!("{} ends as {other:?}, not {:?}", outcome.schedule(names), outcome.ending))
    }
}
