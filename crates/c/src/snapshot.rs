//! The state of a run at some of its steps, so that it can go back there without running the program from its start.
//!
//! Everything that a run can change is copied: the program's variables, the used parts of heaps and stacks, and what the
//! runtime knows of threads and objects. All of it is at the same addresses when it comes back.

mod memory;
mod state;
mod whole;

use crate::context::Context;
pub(crate) use state::State;
pub(crate) use whole::whole_state;

/// So many steps are between two states, and one more for so many bytes of the last one.
const STRIDE: usize = 8;
const BYTES_FOR_A_STEP: usize = 512;
/// Where a search comes back to, it comes back again: such a state is kept, too, if it is so many steps after the last one.
const NEAR: usize = 3;
/// So many times more while only one thread is left.
const ALONE: usize = 8;
/// When there are so many, every other one is given up.
const MOST: usize = 1 << 12;
/// The same in bytes, where states are compared, for runs are long then.
const MOST_BYTES: usize = 128 << 20;
/// Where states are compared, the last ones stay: this part of all.
const LAST: usize = 4;

/// Copies a list. Most are empty.
#[inline]
pub(crate) fn copy_list<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    if !(to.is_empty() && from.is_empty()) {
        to.clear();
        to.extend_from_slice(from);
    }
}

/// The states of a run that it can go back to, the latest last.
#[derive(Default)]
pub(crate) struct Snapshots {
    kept: Vec<Snapshot>,
    /// Given up, to be used again.
    spare: Vec<Snapshot>,
    stride: usize,
    /// After so many steps, it is time for the next one.
    next: usize,
}

/// The state of a run after its first so many steps.
#[derive(Default)]
struct Snapshot {
    steps: usize,
    state: State,
}

impl Snapshots {
    /// Nothing can be gone back to.
    pub(crate) fn clear(&mut self) {
        self.stride = STRIDE;
        self.next = STRIDE;
        self.spare.append(&mut self.kept);
    }

    /// Keeps the state after so many steps, if enough of them were taken since the last one.
    #[inline]
    pub(crate) fn pass(&mut self, context: &Context, steps: usize) {
        if steps >= self.next {
            self.keep(context, steps);
        }
    }

    #[cold]
    fn keep(&mut self, context: &Context, steps: usize) {
        let last = self.kept.last().map_or(0, |last| last.steps);
        if !context.has_several_live() && steps < last + ALONE * self.stride {
            // As long as nobody else could go on, a search hardly comes back.
            self.next = steps + self.stride;
            return;
        }
        let mut snapshot = self.spare.pop().unwrap_or_default();
        snapshot.steps = steps;
        if !snapshot.state.save_unless_large(context) {
            self.spare.push(snapshot);
            self.stride = usize::MAX / 2;
            self.next = self.stride;
            return;
        }
        self.stride = self.stride.max(STRIDE + snapshot.state.size() / BYTES_FOR_A_STEP);
        self.kept.push(snapshot);
        if context.compares_states() {
            if self.kept.len() >= MOST.min(MOST_BYTES / self.last_size()).max(LAST) {
                // A search of states goes back from the end of a long run step by step.
                self.thin_out(self.kept.len() - self.kept.len() / LAST);
            }
        } else if self.kept.len() >= MOST {
            self.stride *= 2;
            self.thin_out(MOST);
        }
        self.next = steps + self.stride;
    }

    /// The bytes of the last one.
    fn last_size(&self) -> usize {
        self.kept.last().map_or(1, |last| last.state.size().max(1))
    }

    /// Gives every other one of the first so many states up.
    fn thin_out(&mut self, first: usize) {
        let mut nth = 0;
        self.spare.extend(self.kept.extract_if(..first, |_| {
            nth += 1;
            nth % 2 == 1
        }));
    }

    /// Goes back to the latest state of at most so many steps. How many they are is the answer; none if there is no such
    /// state.
    pub(crate) fn go_back(&mut self, context: &Context, steps: usize) -> Option<usize> {
        while self.kept.last().is_some_and(|last| last.steps > steps) {
            self.spare.extend(self.kept.pop());
        }
        let last = self.kept.last()?;
        last.state.load(context);
        self.next = if steps - last.steps >= NEAR { steps } else { last.steps + self.stride };
        Some(last.steps)
    }
}
