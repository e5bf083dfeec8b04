//! Which events are cutoffs: a second run of the program says to which state the history of an event leads.

use crate::Error;
use crate::explorer::{Explorer, Stop};
use model::Run;
use std::collections::HashMap;
use trace::unfolding::Unfolding;

/// The states that events lead to.
pub(super) struct States<'a> {
    run: Box<dyn Run + 'a>,
    numbers: HashMap<u128, u32>,
}

impl<'a> States<'a> {
    /// Knows the state before the first step. An error where states cannot be compared.
    pub(super) fn new(e: &Explorer<'a>, u: &mut Unfolding) -> Result<Self, Stop> {
        let mut states = States { run: e.shared().program.start(), numbers: HashMap::new() };
        let Some(start) = states.number() else {
            return Err(Stop::Error(Error::Unsupported {
                algorithm: "unfolding",
                operation: "a search for cutoffs",
                reason: "it needs states that can be compared, which only litmus programs have; leave out --cutoffs",
            }));
        };
        u.look_for_cutoffs();
        u.tell_state(None, start, 0);
        Ok(states)
    }

    /// The number of the state that the run is in.
    fn number(&mut self) -> Option<u32> {
        let state = self.run.whole_state()?;
        let next = self.numbers.len() as u32;
        Some(*self.numbers.entry(state).or_insert(next))
    }

    /// Tells the states of all new events.
    pub(super) fn tell(&mut self, u: &mut Unfolding) {
        while let Some(node) = u.next_unknown() {
            let steps = u.steps_to(node);
            self.run.restart();
            // A step that is not possible shows a program that diverges: the search itself will say so.
            let all_possible = steps.iter().all(|&choice| self.run.step(choice).is_some());
            if let Some(state) = self.number().filter(|_| all_possible) {
                u.tell_state(Some(node), state, steps.len());
            }
        }
    }
}
