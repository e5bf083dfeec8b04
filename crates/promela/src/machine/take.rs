//! What a step makes of a state.

use super::messages::{insert, remove};
use super::*;

impl Machine<'_> {
    /// Takes a step: `state` becomes the state after it. Says whether the process that moved last goes on alone.
    pub(crate) fn take(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        step: Step,
        timeout: bool,
    ) -> Result<Alone, Fault> {
        let transition = &self.transitions(state, shape, step.process)[usize::from(step.transition)];
        self.noted.take();
        let mut mover = step.process;
        let mut alone = transition.atomic;
        if let Some((partner, number)) = step.partner {
            let received = &self.transitions(state, shape, partner)[usize::from(number)];
            self.rendezvous(state, shape, step.process, transition, partner, received, timeout)?;
            mover = partner;
            alone = received.atomic;
        } else {
            self.perform(state, shape, step.process, transition, timeout)?;
        }
        if self.model.has_last {
            let at = self.count_at() + 1;
            state[at] = mover;
        }
        // A process that died has nothing to go on with.
        Ok(if alone && usize::from(mover) < shape.processes.len() { Alone::Process(mover) } else { Alone::Nobody })
    }

    pub(crate) fn perform(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        process: u8,
        transition: &Transition,
        timeout: bool,
    ) -> Result<(), Fault> {
        let frame = shape.processes[usize::from(process)];
        match &transition.op {
            Op::End => {
                state.truncate(frame as usize);
                let at = self.count_at();
                state[at] -= 1;
                self.shape(state, shape);
                return Ok(());
            }
            Op::DStep(begin) => self.dstep(state, shape, process, *begin, timeout, None)?,
            op => self.apply(state, shape, process, op, timeout)?,
        }
        finish(state, frame, transition);
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "a rendezvous has two sides")]
    pub(super) fn rendezvous(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        sender: u8,
        send: &Transition,
        receiver: u8,
        receive: &Transition,
        timeout: bool,
    ) -> Result<(), Fault> {
        let Op::Send { channel, arguments, .. } = &send.op else { return Err(Fault::NoChannel) };
        let view = self.view(state, shape, sender, timeout);
        let message = view.message(view.eval(channel)?, arguments)?;
        self.count_fields(arguments.len(), message.len());
        finish(state, shape.processes[usize::from(sender)], send);
        match &receive.op {
            Op::Receive { arguments, .. } => {
                self.count_fields(arguments.len(), message.len());
                self.store(state, shape, receiver, arguments, &message, timeout)?;
            }
            Op::DStep(begin) => self.dstep(state, shape, receiver, *begin, timeout, Some(&message))?,
            _ => return Err(Fault::NoChannel),
        }
        finish(state, shape.processes[usize::from(receiver)], receive);
        Ok(())
    }

    /// Does one statement that is no `d_step` and no end.
    pub(crate) fn apply(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        process: u8,
        op: &Op,
        timeout: bool,
    ) -> Result<(), Fault> {
        let frame = shape.processes[usize::from(process)];
        match op {
            Op::Skip | Op::Condition(_) | Op::Else | Op::End | Op::DStep(_) | Op::Print(..) => {}
            Op::Assert(code) => {
                if self.view(state, shape, process, timeout).eval(code)? == 0 {
                    self.note(Fault::Assertion);
                }
            }
            Op::Assign(target, code) => {
                let view = self.view(state, shape, process, timeout);
                let value = view.eval(code)?;
                let place = view.place(target)?;
                put(state, place, value);
            }
            Op::Fill(values) => {
                for (place, value) in values {
                    place.width.store(state, offset(place, frame), *value);
                }
            }
            Op::Run { proctype, arguments, result } => {
                let view = self.view(state, shape, process, timeout);
                let mut values = Message::new();
                for argument in arguments {
                    values.push(view.eval(argument)?);
                }
                let pid = self.create(*proctype, &values, state, shape)?;
                if let Some(target) = result {
                    let place = self.view(state, shape, process, timeout).place(target)?;
                    put(state, place, i32::from(pid));
                }
            }
            Op::Send { channel, arguments, sorted } => {
                let view = self.view(state, shape, process, timeout);
                let channel = view.eval(channel)?;
                let message = view.message(channel, arguments)?;
                self.count_fields(arguments.len(), message.len());
                let (at, kind) = view.channel(channel)?;
                if kind.capacity == 0 {
                    return Err(Fault::RendezvousInDStep);
                }
                insert(self.model, state, at, shape.channels[channel as usize - 1].1, &message, *sorted);
            }
            Op::Receive { channel, arguments, random, keep } => {
                let view = self.view(state, shape, process, timeout);
                let channel = view.eval(channel)?;
                let (at, kind) = view.channel(channel)?;
                let Some(slot) = view.slot(channel, arguments, *random)? else { return Err(Fault::BlockedDStep) };
                let message: Message = view.fields(at, kind, slot).collect();
                let size = kind.message as usize;
                if !keep {
                    remove(state, at, size, slot);
                    self.count_fields(arguments.len(), message.len());
                }
                self.store(state, shape, process, arguments, &message, timeout)?;
            }
        }
        Ok(())
    }

    /// A send or a receive has so many fields, and its channel's messages so many.
    pub(crate) fn count_fields(&self, given: usize, wanted: usize) {
        if given != wanted {
            self.note(Fault::Fields);
        }
    }

    /// Puts the fields of a message where a receive wants them.
    pub(crate) fn store(
        &self,
        state: &mut [u8],
        shape: &Shape,
        process: u8,
        arguments: &[Receive],
        message: &[i32],
        timeout: bool,
    ) -> Result<(), Fault> {
        for (argument, value) in arguments.iter().zip(message) {
            if let Receive::Store(target) = argument {
                let place = self.view(state, shape, process, timeout).place(target)?;
                put(state, place, *value);
            }
        }
        Ok(())
    }

    /// Does a whole `d_step`; of several ways to go on, the first is taken. A message that was received by a rendezvous is
    /// for its first statement.
    pub(super) fn dstep(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        process: u8,
        begin: u32,
        timeout: bool,
        mut message: Option<&[i32]>,
    ) -> Result<(), Fault> {
        let frame = shape.processes[usize::from(process)];
        let states = self.model.states(state[frame as usize], process);
        let mut here = begin;
        for _ in 0..ENDLESS {
            let mut chosen = None;
            for transition in &states[here as usize].transitions {
                let view = self.view(state, shape, process, timeout);
                let can = match &transition.op {
                    _ if message.is_some() => true,
                    Op::Else => true,
                    Op::Send { channel, .. } => {
                        let (at, kind) = view.channel(view.eval(channel)?)?;
                        if kind.capacity == 0 {
                            return Err(Fault::RendezvousInDStep);
                        }
                        u32::from(state[at]) < kind.capacity
                    }
                    op => view.is_enabled(op)?,
                };
                if can {
                    chosen = Some(transition);
                    break;
                }
            }
            let Some(transition) = chosen else { return Err(Fault::BlockedDStep) };
            match (&transition.op, message.take()) {
                (Op::Receive { arguments, .. }, Some(message)) => {
                    self.count_fields(arguments.len(), message.len());
                    self.store(state, shape, process, arguments, message, timeout)?;
                }
                (op, _) => self.apply(state, shape, process, op, timeout)?,
            }
            if transition.to == EXIT {
                return Ok(());
            }
            here = transition.to;
        }
        Err(Fault::EndlessDStep)
    }
}

/// A process stands after its step, and variables that nobody will read are 0.
pub(crate) fn finish(state: &mut [u8], frame: u32, transition: &Transition) {
    set_control(state, frame, transition.to);
    for place in &transition.dead {
        place.width.store(state, offset(place, frame), 0);
    }
}

fn put(state: &mut [u8], place: Option<(usize, crate::code::Width)>, value: i32) {
    if let Some((at, width)) = place {
        width.store(state, at, value);
    }
}
