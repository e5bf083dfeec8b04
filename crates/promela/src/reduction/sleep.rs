//! Sleep sets, in a search that keeps its states: every state is met, and fewer steps between them are taken.
//!
//! ```text
//! visit(s, Z):                                            (Godefroid 1996, section 5.2)
//!     if s is new:  sleep(s) := Z;             T := the possible steps of s, without Z
//!     otherwise:    T := sleep(s) \ Z;         Z := Z ∩ sleep(s);    sleep(s) := Z
//!     for t in T:
//!         visit(t(s), { z in Z : z is independent of t in s })
//!         Z := Z + t
//! ```
//!
//! A step sleeps where all that it leads to was or will be explored by a sequence in which it came earlier. When a state
//! is met again and fewer steps sleep than the first time, those that slept then are taken now.

use crate::analysis::{Analysis, Present};
use crate::machine::Step;
use rustc_hash::FxHashMap;

/// The steps that slept when states were met, by their names; where nothing did, there is no entry.
#[derive(Default)]
pub(crate) struct Sleeping {
    kept: FxHashMap<u64, Box<[Step]>>,
}

impl Sleeping {
    /// A state is met for the first time: takes the sleeping ones out of the steps from `first` on.
    pub(crate) fn begin(&mut self, name: u64, asleep: &[Step], steps: &mut Vec<Step>, first: usize) {
        self.keep(name, asleep);
        let mut awake = steps.split_off(first);
        awake.retain(|step| !asleep.contains(step));
        steps.append(&mut awake);
    }

    /// A state is met again: adds the steps that are to be taken now, and leaves asleep what still is.
    pub(crate) fn again(&mut self, name: u64, asleep: &mut Vec<Step>, steps: &mut Vec<Step>) {
        let kept = self.kept.remove(&name).unwrap_or_default();
        steps.extend(kept.iter().filter(|step| !asleep.contains(step)));
        asleep.retain(|step| kept.contains(step));
        self.keep(name, asleep);
    }

    fn keep(&mut self, name: u64, asleep: &[Step]) {
        if !asleep.is_empty() {
            self.kept.insert(name, asleep.into());
        }
    }
}

/// Those of the sleeping steps that still sleep after a step.
pub(crate) fn still(analysis: &Analysis<'_>, present: &Present<'_>, asleep: &[Step], taken: Step) -> Vec<Step> {
    asleep.iter().copied().filter(|step| are_independent(analysis, present, *step, taken)).collect()
}

fn are_independent(analysis: &Analysis<'_>, present: &Present<'_>, one: Step, other: Step) -> bool {
    let sides = |step: Step| [Some((step.process, step.transition)), step.partner].into_iter().flatten();
    sides(one).all(|one| {
        sides(other).all(|other| {
            let init = |(process, transition): (u8, u16)| {
                analysis.init(&present.view(usize::from(process)), usize::from(transition), true)
            };
            one.0 != other.0 && {
                let [one, other] = [init(one), init(other)];
                !one.conflicts(&other) && !other.conflicts(&one)
            }
        })
    })
}
