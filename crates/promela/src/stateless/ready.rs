//! Which transitions can be taken, with what is read on the way that decides it.

use super::act::Scene;
use super::cells;
use super::numbers::Way;
use crate::code::{Code, Op, State, Transition};
use crate::machine::{Fault, Step, View, control};

/// A step that can be taken, and whether that is because nobody can go on otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ready {
    pub(super) step: Step,
    pub(super) timeout: bool,
    /// Why it cannot even be told whether it can be taken: then it can, and fails.
    pub(super) fault: Option<Fault>,
}

impl<'m> Scene<'m> {
    pub(super) fn view(&self, process: u8, timeout: bool) -> View<'_> {
        self.machine.view(&self.whole.state, &self.whole.shape, process, timeout)
    }

    /// Where a process stands.
    pub(super) fn standing(&self, process: u8) -> &'m State {
        let frame = self.whole.shape.processes[usize::from(process)];
        let states = self.machine.model.states(self.whole.state[frame as usize], process);
        &states[control(&self.whole.state, frame) as usize]
    }

    /// The step of a process by one of its transitions, if it can be taken.
    pub(super) fn ready(&self, process: u8, way: Way) -> Option<Ready> {
        self.waits_for_timeout.set(false);
        let (result, timeout) = match self.step_by(process, way, false) {
            Ok(None) if self.machine.model.has_timeout && self.waits_for_timeout.get() => match self.is_quiet() {
                Ok(true) => (self.step_by(process, way, true), true),
                Ok(false) => (Ok(None), false),
                Err(fault) => (Err(fault), false),
            },
            result => (result, false),
        };
        match result {
            Ok(step) => step.map(|step| Ready { step, timeout, fault: None }),
            Err(fault) => {
                let transition = self.numbers.place(self.standing(process), way) as u16;
                let step = Step { process, transition, partner: None };
                Some(Ready { step, timeout, fault: Some(fault) })
            }
        }
    }

    /// That there is no further process is looked at: the next one that is made would be the first of those.
    fn read_end(&self) {
        self.read(cells::mover(self.whole.processes.len() as u8));
    }

    /// Whether nobody can go on, unless because of that.
    fn is_quiet(&self) -> Result<bool, Fault> {
        self.read_end();
        for process in 0..self.whole.processes.len() as u8 {
            if self.can_move(process, false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether some transition of a process can be taken. (It is another process that asks.)
    pub(super) fn can_move(&self, process: u8, timeout: bool) -> Result<bool, Fault> {
        self.read(cells::mover(process));
        let transitions = &self.standing(process).transitions;
        if self.whole.processes[usize::from(process)].is_stopped || !self.is_provided(process, timeout)? {
            return Ok(false);
        }
        for place in 0..transitions.len() {
            if self.is_possible(process, place, timeout)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_provided(&self, process: u8, timeout: bool) -> Result<bool, Fault> {
        let frame = self.whole.shape.processes[usize::from(process)];
        match &self.machine.model.proctypes[usize::from(self.whole.state[frame as usize])].provided {
            Some(clause) => Ok(self.eval(&self.view(process, timeout), clause)? != 0),
            None => Ok(true),
        }
    }

    /// The same as [`Scene::ready`], where it is known whether anybody can go on.
    pub(super) fn step_by(&self, process: u8, way: Way, timeout: bool) -> Result<Option<Step>, Fault> {
        let state = self.standing(process);
        if !self.is_provided(process, timeout)? {
            return Ok(None);
        }
        let (place, met) = match way {
            Way::Own(place) => (place, None),
            Way::Meet { send, partner, receive } => {
                let Some(place) = super::numbers::sends(state).nth(send) else { return Ok(None) };
                (place, Some((partner, receive)))
            }
        };
        let Some(transition) = state.transitions.get(place) else { return Ok(None) };
        if self.is_kept_back(process, &state.transitions, place, timeout)? {
            return Ok(None);
        }
        let step = Step { process, transition: place as u16, partner: None };
        match (&transition.op, met) {
            (Op::Send { channel, arguments, .. }, Some((partner, receive))) => {
                let view = self.view(process, timeout);
                let number = self.eval(&view, channel)?;
                let (_, kind, _) = self.channel(&view, number)?;
                if kind.capacity > 0 || !self.receives(&view, number, arguments, partner, receive)? {
                    return Ok(None);
                }
                Ok(Some(Step { partner: Some((partner, receive as u16)), ..step }))
            }
            (_, Some(_)) => Ok(None),
            (_, None) => Ok(self.is_open(process, &state.transitions, place, timeout)?.then_some(step)),
        }
    }

    /// Whether a transition waits for others of its process to be impossible, and one is not: `else`, and what an escape of an
    /// `unless` comes before.
    fn is_kept_back(
        &self,
        process: u8,
        transitions: &[Transition],
        place: usize,
        timeout: bool,
    ) -> Result<bool, Fault> {
        let own = &transitions[place];
        let is_else = matches!(own.op, Op::Else);
        for (earlier, made) in transitions[..place].iter().enumerate() {
            let comes_before = is_else || (made.escape != 0 && made.escape != own.escape);
            if comes_before && self.is_possible(process, earlier, timeout)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a transition can be taken, by itself or with somebody.
    fn is_possible(&self, process: u8, place: usize, timeout: bool) -> Result<bool, Fault> {
        let transitions = &self.standing(process).transitions;
        if self.is_kept_back(process, transitions, place, timeout)? {
            return Ok(false);
        }
        if self.is_open(process, transitions, place, timeout)? {
            return Ok(true);
        }
        let Op::Send { channel, arguments, .. } = &transitions[place].op else { return Ok(false) };
        let view = self.view(process, timeout);
        let number = self.eval(&view, channel)?;
        let (_, kind, _) = self.channel(&view, number)?;
        if kind.capacity > 0 {
            return Ok(false);
        }
        self.read_end();
        for partner in 0..self.whole.processes.len() as u8 {
            for receive in 0..self.standing(partner).transitions.len() {
                if self.receives(&view, number, arguments, partner, receive)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a transition can be taken by itself, but for what keeps it back.
    fn is_open(&self, process: u8, transitions: &[Transition], place: usize, timeout: bool) -> Result<bool, Fault> {
        match &transitions[place].op {
            Op::DStep(begin) => {
                let is_first_possible = |earlier| self.is_possible(process, earlier, timeout);
                self.can_begin(process, *begin, place, timeout, &is_first_possible)
            }
            op => self.is_op_open(process, op, timeout),
        }
    }

    /// Whether some first statement of a `d_step` can be done.
    fn can_begin(
        &self,
        process: u8,
        begin: u32,
        place: usize,
        timeout: bool,
        is_possible: &dyn Fn(usize) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        for first in &self.proctype(process).states[begin as usize].transitions {
            let can = match &first.op {
                Op::Else => {
                    let mut moved = false;
                    for earlier in 0..place {
                        moved = moved || is_possible(earlier)?;
                    }
                    !moved
                }
                op => self.is_op_open(process, op, timeout)?,
            };
            if can {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn proctype(&self, process: u8) -> &'m crate::code::Proctype {
        let frame = self.whole.shape.processes[usize::from(process)];
        &self.machine.model.proctypes[usize::from(self.whole.state[frame as usize])]
    }

    /// Whether a statement that is no `d_step` can be done without anybody else.
    pub(super) fn is_op_open(&self, process: u8, op: &Op, timeout: bool) -> Result<bool, Fault> {
        let view = self.view(process, timeout);
        Ok(match op {
            Op::Condition(code) => self.eval(&view, code)? != 0,
            Op::Send { channel, .. } => {
                let number = self.eval(&view, channel)?;
                let (at, kind, parts) = self.channel(&view, number)?;
                if kind.capacity == 0 {
                    return Ok(false);
                }
                self.read_room(&view, number, at, kind, parts);
                u32::from(view.state[at]) < kind.capacity
            }
            Op::Receive { channel, arguments, random, .. } => self.slot(&view, channel, arguments, *random)?.is_some(),
            Op::End | Op::Run { .. } => {
                self.read(cells::count(self.machine.model));
                view.is_enabled(op)?
            }
            Op::Skip | Op::Print(..) | Op::Else | Op::Assign(..) | Op::Fill(_) | Op::Assert(_) | Op::DStep(_) => {
                view.is_enabled(op)?
            }
        })
    }

    /// Whether a transition of another process receives what a process offers on a channel that holds nothing.
    fn receives(
        &self,
        view: &View<'_>,
        number: i32,
        arguments: &[Code],
        partner: u8,
        receive: usize,
    ) -> Result<bool, Fault> {
        if partner == view.process {
            return Ok(false);
        }
        // A process that is made or ends moves, too.
        self.read(cells::mover(partner));
        if usize::from(partner) >= view.shape.processes.len() {
            return Ok(false);
        }
        let transitions = &self.standing(partner).transitions;
        if receive >= transitions.len()
            || self.whole.processes[usize::from(partner)].is_stopped
            || !self.is_provided(partner, view.timeout)?
        {
            return Ok(false);
        }
        // The steps of one escape are enough.
        for (earlier, made) in transitions[..receive].iter().enumerate() {
            if made.escape != 0
                && made.escape != transitions[receive].escape
                && self.matches(view, number, arguments, partner, earlier)?
            {
                return Ok(false);
            }
        }
        self.matches(view, number, arguments, partner, receive)
    }

    fn matches(
        &self,
        view: &View<'_>,
        number: i32,
        offered: &[Code],
        partner: u8,
        receive: usize,
    ) -> Result<bool, Fault> {
        let theirs = self.view(partner, view.timeout);
        let transition = &self.standing(partner).transitions[receive];
        let Op::Receive { channel, arguments, keep: false, .. } = self.first_of(partner, &transition.op) else {
            return Ok(false);
        };
        if self.eval(&theirs, channel)? != number {
            return Ok(false);
        }
        let message = self.message(view, number, offered)?;
        self.read_matched(&theirs, arguments);
        theirs.matches(arguments, message.iter().copied())
    }

    /// A statement, or the only first one of a `d_step`.
    fn first_of(&self, process: u8, op: &'m Op) -> &'m Op {
        match op {
            Op::DStep(begin) => match &self.proctype(process).states[*begin as usize].transitions[..] {
                [only] => &only.op,
                _ => op,
            },
            op => op,
        }
    }
}
