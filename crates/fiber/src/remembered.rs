//! Local states along the steps that a run has in common with the one before it.
//!
//! A search takes most steps again: an execution differs from the last one in a few steps at its end. A program does the same
//! again, so what its threads were along the common steps is known, and so is what they changed there. To find it out costs
//! many times what a step does.
//!
//! Of each step it is looked at whether it is the same indeed. From the first one on that is not, nothing is known.

use crate::lesson::Lessons;
use crate::unwritten::{Half, Hole, undecided};
use model::{Choice, Fingerprint, Op, State, ThreadId};
use rustc_hash::FxHashMap;

/// What was found out along the steps of a run.
#[derive(Default)]
pub(crate) struct Remembered {
    /// What must be the same in both runs, or nothing is known of the next one; none where states are not asked for.
    given: Option<Given>,
    steps: Vec<Step>,
    /// The local states that were asked for, each with how many steps had been taken then, in this order.
    states: Vec<(u32, ThreadId, Known)>,
    /// What was half written in their frames then.
    halves: FxHashMap<(u32, ThreadId), Vec<Half>>,
    /// How many steps the run has taken.
    at: u32,
    /// How many of the states are of earlier steps.
    past: usize,
}

/// What decides, besides the program, what its threads do: what was learnt of it, and how many other things.
pub(crate) type Given = (Lessons, u32);

/// What is known of a thread's local state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) state: Option<Fingerprint>,
    /// Whether it will not be known any more.
    pub(crate) is_lost: bool,
    /// Whether it was found twice. What a program does for the first time leaves other traces in registers and frames than later.
    pub(crate) is_sure: bool,
}

/// What a thread did that its memory does not show, as far as that is found out by comparing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Watch {
    pub(crate) is_asked: bool,
    pub(crate) is_lost: bool,
    pub(crate) writes: u32,
    pub(crate) changes: u32,
}

/// A step, as it must be again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) choice: Choice,
    pub(crate) op: Op,
    pub(crate) before: State,
    pub(crate) after: State,
    /// What was known of its thread.
    pub(crate) watch: Watch,
}

struct Step {
    seen: Seen,
    /// What was known of its thread afterwards.
    then: Watch,
}

/// Of longer executions, no more is remembered.
const MOST_STEPS: u32 = 1 << 14;

impl Remembered {
    /// A run begins.
    pub(crate) fn begin(&mut self, given: Option<Given>) {
        if self.given != given || given.is_none() {
            self.given = given;
            self.steps.clear();
            self.states.clear();
            self.halves.clear();
        }
        (self.at, self.past) = (0, 0);
    }

    /// A step is about to be taken. What its thread is afterwards, if the run before took the same one.
    pub(crate) fn take_step(&mut self, seen: &Seen) -> Option<Watch> {
        let known = self.steps.get(self.at as usize);
        if let Some(step) = known.filter(|step| step.seen == *seen) {
            let then = step.then;
            self.go_on();
            return Some(then);
        }
        if known.is_some() {
            self.forget();
        }
        None
    }

    /// A step was taken that the run before did not take.
    pub(crate) fn add_step(&mut self, seen: Seen, then: Watch) {
        if self.given.is_none() {
            return;
        }
        if self.at < MOST_STEPS {
            self.steps.push(Step { seen, then });
        }
        self.go_on();
    }

    /// Of what comes after the steps taken so far, nothing is known.
    fn forget(&mut self) {
        self.steps.truncate(self.at as usize);
        let kept = self.past + self.here().len();
        self.states.truncate(kept);
    }

    fn go_on(&mut self) {
        self.past += self.here().len();
        self.at += 1;
    }

    /// What was asked for after just so many steps.
    fn here(&self) -> &[(u32, ThreadId, Known)] {
        let rest = &self.states[self.past..];
        let number = rest.iter().take_while(|&&(at, ..)| at == self.at).count();
        &rest[..number]
    }

    /// The local state of a thread that has a pending operation, if it is known.
    pub(crate) fn state(&self, thread: ThreadId) -> Option<Known> {
        self.here().iter().find(|&&(_, of, _)| of == thread).map(|&(.., known)| known)
    }

    /// The local state of a thread was found, for the first time or again, with what is half written in its frames. Says what of that is not
    /// decided by the program: it was another time, after the same steps.
    pub(crate) fn add_state(
        &mut self,
        thread: ThreadId,
        state: Option<Fingerprint>,
        is_lost: bool,
        halves: Vec<Half>,
    ) -> Vec<Hole> {
        let mut known = Known { state, is_lost, is_sure: false };
        let number = self.here().len();
        let here = &mut self.states[self.past..][..number];
        if let Some((.., earlier)) = here.iter_mut().find(|&&mut (_, of, _)| of == thread) {
            known.is_sure = (state, is_lost) == (earlier.state, earlier.is_lost);
            *earlier = known;
            let before = self.halves.insert((self.at, thread), halves).unwrap_or_default();
            let now = &self.halves[&(self.at, thread)];
            return if known.is_sure { Vec::new() } else { undecided(&before, now) };
        }
        if self.given.is_some() && self.at <= MOST_STEPS {
            let place = self.past + number;
            self.states.insert(place, (self.at, thread, known));
            self.halves.insert((self.at, thread), halves);
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(thread: u32) -> Seen {
        let choice = Choice { thread: ThreadId(thread), alternative: 0 };
        Seen { choice, op: Op::NONE, before: 0, after: 0, watch: Watch::default() }
    }

    fn known(state: u128) -> Known {
        Known { state: Some(Fingerprint(state)), is_lost: false, is_sure: false }
    }

    fn given(things: u32) -> Option<Given> {
        Some((Lessons::default(), things))
    }

    const A: ThreadId = ThreadId(0);
    const B: ThreadId = ThreadId(1);

    /// Two steps, with states before, between and after them.
    fn two_steps() -> Remembered {
        let mut run = Remembered::default();
        run.begin(given(0));
        run.add_state(A, known(1).state, false, Vec::new());
        for (number, thread) in (0..).zip([A, B]) {
            assert_eq!(run.take_step(&seen(thread.0)), None);
            run.add_step(seen(thread.0), Watch { writes: number, ..Watch::default() });
            run.add_state(thread, known(u128::from(number) + 2).state, false, Vec::new());
        }
        run.begin(given(0));
        run
    }

    #[test]
    fn what_was_found_is_known_along_the_same_steps() {
        let mut run = two_steps();
        assert_eq!((run.state(A), run.state(B)), (Some(known(1)), None));
        run.add_state(B, known(9).state, false, Vec::new());
        assert_eq!(run.take_step(&seen(0)), Some(Watch::default()));
        assert_eq!((run.state(A), run.state(B)), (Some(known(2)), None));
        assert_eq!(run.take_step(&seen(1)).map(|watch| watch.writes), Some(1));
        assert_eq!((run.state(A), run.state(B)), (None, Some(known(3))));
        run.begin(given(0));
        assert_eq!((run.state(A), run.state(B)), (Some(known(1)), Some(known(9))));
    }

    #[test]
    fn what_was_found_twice_is_sure() {
        let mut run = two_steps();
        let is_sure = |run: &Remembered| run.state(A).map(|known| (known.state, known.is_sure));
        run.add_state(A, Some(Fingerprint(7)), false, Vec::new());
        assert_eq!(is_sure(&run), Some((Some(Fingerprint(7)), false)));
        run.add_state(A, Some(Fingerprint(7)), false, Vec::new());
        assert_eq!(is_sure(&run), Some((Some(Fingerprint(7)), true)));
        run.take_step(&seen(0));
        assert_eq!(is_sure(&run), Some((Some(Fingerprint(2)), false)));
    }

    #[test]
    fn nothing_is_known_after_another_step() {
        let mut run = two_steps();
        run.take_step(&seen(0));
        assert_eq!(run.take_step(&Seen { after: 1, ..seen(1) }), None);
        assert_eq!(run.state(A), Some(known(2)));
        run.add_step(Seen { after: 1, ..seen(1) }, Watch::default());
        assert_eq!((run.state(A), run.state(B)), (None, None));
        run.begin(given(0));
        run.take_step(&seen(0));
        assert_eq!(run.take_step(&seen(1)), None);
    }

    #[test]
    fn nothing_is_known_where_more_is_known_of_the_program() {
        let mut run = two_steps();
        run.begin(given(1));
        assert_eq!((run.state(A), run.take_step(&seen(0))), (None, None));
        let mut run = two_steps();
        run.begin(None);
        run.add_state(A, known(1).state, false, Vec::new());
        run.add_step(seen(0), Watch::default());
        assert_eq!(run.state(A), None);
    }
}
