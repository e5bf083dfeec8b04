//! Sleep sets of all prefixes of E, one above the other on a stack.

use crate::dependence::Footprint;
use crate::trace::Event;
use model::Choice;

/// A step that was explored after a prefix and need not be explored again until something dependent happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sleeper {
    /// Whose step, by which alternative.
    pub choice: Choice,
    /// What the step touches.
    pub footprint: Footprint,
}

impl Sleeper {
    /// The step that an event was.
    pub fn of(event: &Event) -> Self {
        Sleeper { choice: event.choice, footprint: event.footprint }
    }

    /// Whether this step goes on sleeping while `event` is taken: `E ⊢ p♢q`.
    #[inline]
    fn sleeps_through(&self, event: &Event) -> bool {
        self.choice.thread != event.thread() && !self.footprint.depends(&event.footprint)
    }
}

/// `sleep(E')` for every prefix E' of E.
#[derive(Clone, Debug)]
pub struct SleepSets {
    sleepers: Vec<Sleeper>,
    /// Where the set of each prefix starts; it ends where the next one starts.
    starts: Vec<u32>,
}

impl Default for SleepSets {
    fn default() -> Self {
        SleepSets { sleepers: Vec::new(), starts: vec![0] }
    }
}

impl SleepSets {
    /// The sleep set after the first `len` steps.
    #[inline]
    pub fn at(&self, len: usize) -> &[Sleeper] {
        let start = self.starts[len] as usize;
        let end = self.starts.get(len + 1).map_or(self.sleepers.len(), |&end| end as usize);
        &self.sleepers[start..end]
    }

    /// The sleep set of the longest prefix.
    #[inline]
    pub fn top(&self) -> &[Sleeper] {
        self.at(self.starts.len() - 1)
    }

    /// Whether this step sleeps after the longest prefix.
    #[inline]
    pub fn is_asleep(&self, choice: Choice) -> bool {
        self.top().iter().any(|sleeper| sleeper.choice == choice)
    }

    /// E grows by `event`: `{q ∈ sleep(E) | E ⊢ p♢q}`.
    #[inline]
    pub fn grow(&mut self, event: &Event) {
        let range = self.starts[self.starts.len() - 1] as usize..self.sleepers.len();
        self.starts.push(self.sleepers.len() as u32);
        for i in range {
            let sleeper = self.sleepers[i];
            if sleeper.sleeps_through(event) {
                self.sleepers.push(sleeper);
            }
        }
    }

    /// E is cut back to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        if let Some(&end) = self.starts.get(len + 1) {
            self.sleepers.truncate(end as usize);
            self.starts.truncate(len + 1);
        }
    }

    /// A step explored after the longest prefix goes to sleep.
    pub fn add(&mut self, sleeper: Sleeper) {
        self.sleepers.push(sleeper);
    }
}
