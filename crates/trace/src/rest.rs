//! What is left of v while it is inserted into a wakeup tree: the steps that the path from the root has not taken yet.
//!
//! Insertion asks for the first step of a thread at every node, so the steps of each thread are linked: it takes time
//! linear in the path and in v, not in their product. Mostly the step asked for is the first of all.

use crate::dependence::Footprint;
use crate::history::NO_EVENT;
use crate::reversal::Reversal;
use crate::sleep::Sleeper;
use crate::trace::{EventId, Trace};
use model::Choice;

/// Where no step is.
const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Left {
    /// Touches nothing once it has been taken.
    step: Sleeper,
    /// Which event it was, and the how-manyth of its thread; none for the last step of v.
    event: EventId,
    index: u32,
    /// The next step of the same thread.
    next: u32,
    taken: bool,
}

/// See the head of this file. Reused from insertion to insertion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// In reverse: the first step of v is at the end, and has not been taken.
    steps: Vec<Left>,
    /// The first step of each thread that is left.
    heads: Vec<u32>,
    /// How many are left.
    len: u32,
    /// The causes of the last step of v.
    causes: [EventId; 2],
    /// Which objects v touches, by their last six bits.
    objects: u64,
}

#[inline]
fn bit(footprint: &Footprint) -> u64 {
    1 << (footprint.object.0 % 64)
}

/// What [`Rest::take`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    /// The step was the thread's and a first step of what is left; it is taken now.
    Yes,
    /// The thread has steps left, but its next is not a first step or is by another alternative.
    NotFirst,
    /// The thread has no step left.
    Absent,
}

impl Rest {
    /// All of v is left.
    #[inline(never)]
    pub(crate) fn fill(&mut self, trace: &Trace, v: &Reversal) {
        self.heads.clear();
        // The last step of v may be the very first of a thread that the trace knows nothing of.
        let threads = v.last().map_or(0, |last| last.choice.thread.index() + 1);
        self.heads.resize(trace.clocks.width().max(threads), NOWHERE);
        self.len = v.len();
        self.steps.clear();
        let heads = &mut self.heads;
        let mut place = 0;
        let mut objects = 0;
        let mut left = |step: Sleeper, event: EventId, index: u32| {
            let next = std::mem::replace(&mut heads[step.choice.thread.index()], place);
            place += 1;
            objects |= bit(&step.footprint);
            Left { step, event, index, next, taken: false }
        };
        if let Some(last) = v.last() {
            self.causes = last.causes;
            self.steps.push(left(Sleeper { choice: last.choice, footprint: last.footprint }, NO_EVENT, u32::MAX));
        }
        self.steps.extend(v.events().iter().rev().map(|&id| {
            let event = trace.event(id);
            left(Sleeper::of(event), id, event.index)
        }));
        self.objects = objects;
    }

    /// How many steps are left.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// The steps that are left.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Sleeper> + '_ {
        self.steps.iter().rev().filter(|left| !left.taken).map(|left| left.step)
    }

    /// Whether what is left can go on by this step, `p.… ∼ v`: it is one of its first, and is then taken, or it is none of
    /// them and independent of all.
    #[inline(always)]
    pub(crate) fn goes_by(&mut self, trace: &Trace, step: &Sleeper) -> bool {
        match self.take(trace, step.choice) {
            Taken::Yes => true,
            Taken::NotFirst => false,
            Taken::Absent => self.is_independent(&step.footprint),
        }
    }

    /// Takes the next step of `choice.thread` if it is a first step of what is left, by this alternative.
    #[inline(always)]
    fn take(&mut self, trace: &Trace, choice: Choice) -> Taken {
        match self.steps.last() {
            Some(first) if first.step.choice == choice => {
                self.heads[choice.thread.index()] = first.next;
                self.len -= 1;
                let mut left = self.steps.len() - 1;
                while left > 0 && self.steps[left - 1].taken {
                    left -= 1;
                }
                self.steps.truncate(left);
                Taken::Yes
            }
            _ => self.take_from_within(trace, choice),
        }
    }

    /// The same, for a step that is not the first of all.
    #[inline(never)]
    fn take_from_within(&mut self, trace: &Trace, choice: Choice) -> Taken {
        let place = self.heads.get(choice.thread.index()).map_or(NOWHERE, |&head| head) as usize;
        let Some(&left) = self.steps.get(place) else { return Taken::Absent };
        if left.step.choice != choice || self.is_preceded(trace, place) {
            return Taken::NotFirst;
        }
        self.heads[choice.thread.index()] = left.next;
        self.steps[place].step.footprint = Footprint::NONE;
        self.steps[place].taken = true;
        self.len -= 1;
        Taken::Yes
    }

    /// Whether a step that is left happens before this one, which is the next of its thread.
    fn is_preceded(&self, trace: &Trace, place: usize) -> bool {
        let left = &self.steps[place];
        if left.event != NO_EVENT {
            return self.is_any_before(trace, left.event, place);
        }
        let earlier = &self.steps[place + 1..];
        earlier.iter().any(|earlier| earlier.step.footprint.depends(&left.step.footprint))
            || self.causes.iter().any(|&cause| cause != NO_EVENT && self.is_any_before(trace, cause, place))
    }

    /// Whether a step that is left, and earlier in v than the one at `place`, happens before `event` or is it. If any of
    /// a thread does, the thread's next does.
    fn is_any_before(&self, trace: &Trace, event: EventId, place: usize) -> bool {
        let clock = trace.clocks.row(event as usize);
        let earlier = |head: u32| self.steps.get(head as usize).filter(|_| head as usize > place);
        self.heads.iter().zip(clock).any(|(&head, &steps)| earlier(head).is_some_and(|left| steps >= left.index))
    }

    /// Whether an event with this record depends on nothing that is left.
    #[inline(never)]
    fn is_independent(&self, footprint: &Footprint) -> bool {
        self.objects & bit(footprint) == 0 || !self.steps.iter().any(|left| left.step.footprint.depends(footprint))
    }
}
