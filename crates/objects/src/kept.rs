//! States that a run has passed through, so that it need not go back to the start.
//!
//! A search goes back a few steps as a rule, and a step costs about as much as copying ten words. So a state is kept after
//! every few steps, the fewer the smaller it is. When there are many of them, every second one is dropped: what is left are
//! states that are close to one another at the end of the run, and ever farther apart towards its start.

use crate::World;
use model::Snapshots;

/// So many states are kept at the most.
const MOST: usize = 32;

/// After so many steps at the least the next one is kept.
const STEPS: usize = 8;

/// For so many words of a state one step more.
const WORDS_FOR_STEP: usize = 64;

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Kept<S> {
    /// Each with the number of steps before it, ascending. Those from `len` on are of no use but for their allocations.
    states: Vec<(usize, S, World)>,
    len: usize,
    /// How many steps the run has taken.
    steps: usize,
    /// After how many steps the next state is kept; never, until the run is asked to go back.
    next: usize,
}

const NEVER: usize = usize::MAX;

impl<S: Default> Kept<S> {
    pub(crate) const NONE: Kept<S> = Kept { states: Vec::new(), len: 0, steps: 0, next: NEVER };

    /// A step is about to be taken in this state.
    #[inline]
    pub(crate) fn note_step(&mut self, threads: &impl Snapshots<Saved = S>, world: &World) {
        if self.steps == self.next {
            self.keep(threads, world);
        }
        self.steps += 1;
    }

    #[inline(never)]
    fn keep(&mut self, threads: &impl Snapshots<Saved = S>, world: &World) {
        if self.len == MOST {
            for i in 0..MOST / 2 {
                self.states.swap(i, 2 * i + 1);
            }
            self.len = MOST / 2;
        }
        if self.states.len() == self.len {
            self.states.push((0, S::default(), World::default()));
        }
        let (steps, saved, objects) = &mut self.states[self.len];
        *steps = self.steps;
        threads.save(saved);
        objects.copy_from(world);
        self.len += 1;
        self.next = self.steps + distance(threads, world);
    }

    /// The run begins anew.
    pub(crate) fn forget(&mut self) {
        (self.len, self.steps, self.next) = (0, 0, NEVER);
    }

    /// The run goes back to the last state after at most so many steps, whose number is answered; none for the start, to which it does not go by itself.
    /// What comes after it is forgotten.
    pub(crate) fn go_back(
        &mut self,
        steps: usize,
        threads: &mut impl Snapshots<Saved = S>,
        world: &mut World,
    ) -> Option<usize> {
        while self.len > 0 && self.states[self.len - 1].0 > steps {
            self.len -= 1;
        }
        let last = self.len.checked_sub(1).map(|last| &self.states[last]);
        self.steps = last.map_or(0, |(steps, ..)| *steps);
        // A run that starts anew each time would keep states for nothing.
        self.next = if steps > 0 { self.steps + distance(threads, world) } else { NEVER };
        let (steps, saved, objects) = last?;
        threads.load(saved);
        world.copy_from(objects);
        Some(*steps)
    }
}

/// How many steps apart states like this one are kept.
fn distance(threads: &impl Snapshots, world: &World) -> usize {
    STEPS + (threads.words() + world.objects()) / WORDS_FOR_STEP
}
