//! The transitions of a process by numbers that mean the same whatever other processes do.
//!
//! First come the transitions of its control state. A send may also be one half of a rendezvous: then its number says which
//! send it is, which process receives, and by which of the transitions that that process has where it stands.

use crate::code::{Op, State};
use crate::model::Model;

/// How transitions of a model are numbered.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// The largest number of transitions of a control state.
    own: usize,
    /// The same of those that send; 0 if there is no rendezvous.
    sends: usize,
    /// One more than the last transition of a control state that receives.
    receives: usize,
    /// Which transitions receive in some control state.
    receiving: Vec<bool>,
}

/// What a number means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// A transition by itself.
    Own(usize),
    /// The send of this number among those of the control state, with this transition of that process.
    Meet { send: usize, partner: u8, receive: usize },
}

impl Numbers {
    /// Nothing if there would be too many.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let states = || model.proctypes.iter().flat_map(|proctype| &proctype.states);
        let own = states().map(|state| state.transitions.len()).max().unwrap_or(0).max(1);
        let meets = model.channel_types.iter().any(|kind| kind.capacity == 0);
        let sends = if meets { states().map(|state| sends(state).count()).max().unwrap_or(0) } else { 0 };
        let mut receiving = Vec::new();
        for made in states().flat_map(|state| state.transitions.iter().enumerate()) {
            if meets && matches!(made.1.op, Op::Receive { .. } | Op::DStep(_)) {
                receiving.resize(receiving.len().max(made.0 + 1), false);
                receiving[made.0] = true;
            }
        }
        let numbers = Numbers { own, sends, receives: receiving.len(), receiving };
        let creates = states().flat_map(|state| &state.transitions).any(|made| matches!(made.op, Op::Run { .. }));
        let processes = if creates { 255 } else { model.active.len() };
        (numbers.end(processes) <= usize::from(u16::MAX)).then_some(numbers)
    }

    /// One more than the largest number where there are at most so many processes.
    pub(super) fn end(&self, processes: usize) -> usize {
        self.own + processes * self.sends * self.receives
    }

    /// One more than the largest number in a control state.
    pub(super) fn end_in(&self, state: &State, processes: usize) -> usize {
        if self.meets_in(state) { self.end(processes) } else { state.transitions.len().max(1) }
    }

    fn meets_in(&self, state: &State) -> bool {
        self.sends > 0 && sends(state).next().is_some()
    }

    /// What a number means; nothing if it means nothing in this control state.
    pub(super) fn way(&self, state: &State, number: u16) -> Option<Way> {
        let number = usize::from(number);
        let Some(meeting) = number.checked_sub(self.own) else {
            // A process without any transition waits for ever.
            return (number < state.transitions.len().max(1)).then_some(Way::Own(number));
        };
        if !self.meets_in(state) {
            return None;
        }
        let (send, receive) = (meeting / self.receives % self.sends, meeting % self.receives);
        let partner = u8::try_from(meeting / self.receives / self.sends).ok()?;
        (self.receiving[receive] && send < sends(state).count()).then_some(Way::Meet { send, partner, receive })
    }

    /// Which transition of the control state a way is.
    pub(super) fn place(&self, state: &State, way: Way) -> usize {
        match way {
            Way::Own(place) => place,
            Way::Meet { send, .. } => sends(state).nth(send).unwrap_or(0),
        }
    }
}

/// The transitions of a control state that send.
pub(super) fn sends(state: &State) -> impl Iterator<Item = usize> + '_ {
    let all = state.transitions.iter().enumerate();
    all.filter(|(_, made)| matches!(made.op, Op::Send { .. })).map(|(place, _)| place)
}
