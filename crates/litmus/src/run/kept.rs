//! States that a run has passed through, so that it need not go back to the start.
//!
//! A search goes back a few steps as a rule, and a step costs about as much as copying ten words. So a state is kept after
//! every few steps, the fewer the smaller it is. When there are many of them, every second one is dropped: what is left are
//! states that are close to one another at the end of the run, and ever farther apart towards its start.

use super::State;

/// So many states are kept at the most.
const MOST: usize = 32;

/// After so many steps at the least the next one is kept.
const STEPS: usize = 8;

/// For so many words of a state one step more.
const WORDS_FOR_STEP: usize = 64;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct Kept {
    /// Each with the number of steps before it, ascending. Those from `len` on are of no use but for their allocations.
    states: Vec<(usize, State)>,
    len: usize,
    /// How many steps the run has taken.
    steps: usize,
    /// After how many steps the next state is kept; never, until the run is asked to go back.
    next: usize,
}

const NEVER: usize = usize::MAX;

impl Kept {
    pub(super) const NONE: Kept = Kept { states: Vec::new(), len: 0, steps: 0, next: NEVER };

    /// A step is about to be taken in this state.
    #[inline]
    pub(super) fn note_step(&mut self, now: &State) {
        if self.steps == self.next {
            self.keep(now);
        }
        self.steps += 1;
    }

    #[inline(never)]
    fn keep(&mut self, now: &State) {
        if self.len == MOST {
            for i in 0..MOST / 2 {
                self.states.swap(i, 2 * i + 1);
            }
            self.len = MOST / 2;
        }
        if self.states.len() == self.len {
            self.states.push((0, State::default()));
        }
        let (steps, state) = &mut self.states[self.len];
        *steps = self.steps;
        state.copy_from(now);
        self.len += 1;
        self.next = self.steps + distance(now);
    }

    /// The run begins anew.
    pub(super) fn forget(&mut self) {
        (self.len, self.steps, self.next) = (0, 0, NEVER);
    }

    /// The last state after at most so many steps, and their number; none for the start. What comes after it is forgotten.
    pub(super) fn go_back(&mut self, steps: usize, start: &State) -> (usize, Option<&State>) {
        while self.len > 0 && self.states[self.len - 1].0 > steps {
            self.len -= 1;
        }
        let last = self.len.checked_sub(1).map(|last| &self.states[last]);
        self.steps = last.map_or(0, |(steps, _)| *steps);
        // A run that starts anew each time would keep states for nothing.
        self.next = if steps > 0 { self.steps + distance(start) } else { NEVER };
        (self.steps, last.map(|(_, state)| state))
    }
}

/// How many steps apart states like this one are kept.
fn distance(state: &State) -> usize {
    STEPS + state.words() / WORDS_FOR_STEP
}
