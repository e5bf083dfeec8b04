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
    #[inline]
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
///
/// A step that wakes nobody leaves the set as it is, so prefixes share what they can: each has a range of one stack.
#[derive(Clone, Debug)]
pub struct SleepSets {
    sleepers: Vec<Sleeper>,
    /// Where the set of each prefix starts and ends. No end is before that of a shorter prefix.
    ranges: Vec<(u32, u32)>,
}

impl Default for SleepSets {
    fn default() -> Self {
        SleepSets { sleepers: Vec::new(), ranges: vec![(0, 0)] }
    }
}

impl SleepSets {
    /// The sleep set after the first `len` steps.
    #[inline]
    pub fn at(&self, len: usize) -> &[Sleeper] {
        let (start, end) = self.ranges[len];
        &self.sleepers[start as usize..end as usize]
    }

    /// The sleep set of the longest prefix.
    #[inline]
    pub fn top(&self) -> &[Sleeper] {
        self.at(self.ranges.len() - 1)
    }

    /// Whether this step sleeps after the longest prefix.
    #[inline]
    pub fn is_asleep(&self, choice: Choice) -> bool {
        self.top().iter().any(|sleeper| sleeper.choice == choice)
    }

    /// E grows by `event`: `{q ∈ sleep(E) | E ⊢ p♢q}`.
    #[inline]
    pub fn grow(&mut self, event: &Event) {
        let (start, end) = self.ranges[self.ranges.len() - 1];
        if self.top().iter().all(|sleeper| sleeper.sleeps_through(event)) {
            self.ranges.push((start, end));
            return;
        }
        for i in start..end {
            let sleeper = self.sleepers[i as usize];
            if sleeper.sleeps_through(event) {
                self.sleepers.push(sleeper);
            }
        }
        self.ranges.push((end, self.sleepers.len() as u32));
    }

    /// E is cut back to its first `len` steps.
    pub fn cut(&mut self, len: usize) {
        self.ranges.truncate(len + 1);
        self.sleepers.truncate(self.ranges[len].1 as usize);
    }

    /// After the longest prefix, some of those that sleep wake up.
    pub fn wake(&mut self, wakes: impl Fn(&Sleeper) -> bool) {
        if !self.top().iter().any(&wakes) {
            return;
        }
        let (start, end) = self.ranges[self.ranges.len() - 1];
        for i in start..end {
            let sleeper = self.sleepers[i as usize];
            if !wakes(&sleeper) {
                self.sleepers.push(sleeper);
            }
        }
        let len = self.sleepers.len() as u32;
        if let Some(range) = self.ranges.last_mut() {
            *range = (end, len);
        }
    }

    /// A step explored after the longest prefix goes to sleep.
    pub fn add(&mut self, sleeper: Sleeper) {
        self.sleepers.push(sleeper);
        if let Some((_, end)) = self.ranges.last_mut() {
            *end += 1;
        }
    }
}
