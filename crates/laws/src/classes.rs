//! The classes that a search reached.

use explore::Equivalence;
use model::{Choice, Names, Schedule, ScheduledStep};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use trace::dependence::Mode;
use trace::{Class, Ending, Execution, Sink};

/// A sink that keeps one execution of every class.
#[derive(Clone, Debug)]
pub struct Classes {
    equivalence: Equivalence,
    outcomes: HashMap<Class, Outcome>,
    repeated: u64,
    has_adds: bool,
    has_siblings: bool,
}

/// How the executions of a class end, and one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How they end.
    pub ending: Ending,
    /// Their class by observers.
    observed: Class,
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
        let trace = execution.trace;
        self.has_adds |= trace.events().iter().any(|event| event.footprint.mode == Mode::Add);
        self.has_siblings |= trace.has_siblings() || execution.waiting.iter().any(|p| p.is_of_several);
        let class = match self.equivalence {
            Equivalence::Traces => trace.class(),
            Equivalence::Observations => trace.class_by_observers(),
        };
        match self.outcomes.entry(class) {
            Entry::Occupied(_) => self.repeated += 1,
            Entry::Vacant(place) => {
                let steps = trace.events().iter().map(|event| event.choice).collect();
                place.insert(Outcome { ending: execution.ending, observed: trace.class_by_observers(), steps });
            }
        }
        ControlFlow::Continue(())
    }

    fn anew(&mut self) {
        *self = Classes::new(self.equivalence);
    }
}

impl Classes {
    /// None yet.
    pub fn new(equivalence: Equivalence) -> Self {
        Classes { equivalence, outcomes: HashMap::new(), repeated: 0, has_adds: false, has_siblings: false }
    }

    /// The classes of this equivalence, of which each is one of these or some of them together. An error if some of one
    /// class do not end in the same way.
    pub fn by(&self, equivalence: Equivalence, names: &dyn Names) -> Result<Cow<'_, Classes>, String> {
        if equivalence == self.equivalence {
            return Ok(Cow::Borrowed(self));
        }
        let mut classes =
            Classes { has_adds: self.has_adds, has_siblings: self.has_siblings, ..Classes::new(equivalence) };
        for (_, outcome) in self.iter() {
            let known = classes.outcomes.entry(outcome.observed).or_insert_with(|| outcome.clone());
            if known.ending != outcome.ending {
                let [one, other] = [known.schedule(names), outcome.schedule(names)];
                return Err(format!("{one} and {other} are of one class, but do not end in the same way"));
            }
        }
        Ok(Cow::Owned(classes))
    }

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

    /// Whether a thread had several transitions where it took one, or waits for one of several.
    pub fn has_siblings(&self) -> bool {
        self.has_siblings
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
