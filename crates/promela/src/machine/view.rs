//! How a process sees a state: the values of expressions, and what is possible.

use super::*;

impl View<'_> {
    /// Whether some process is in such a control state.
    pub(crate) fn stands_at(&self, is_such: impl Fn(&State) -> bool) -> bool {
        self.shape.processes.iter().any(|frame| {
            let proctype = &self.model.proctypes[usize::from(self.state[*frame as usize])];
            is_such(&proctype.states[control(self.state, *frame) as usize])
        })
    }

    pub(crate) fn eval(&self, code: &Code) -> Evaluated {
        Ok(match code {
            Code::Const(value) => *value,
            Code::Load(place) => place.width.load(self.state, offset(place, self.frame)),
            Code::PlaceConst(operator, place, right) => {
                let left = place.width.load(self.state, offset(place, self.frame));
                binary(*operator, left, *right)?
            }
            Code::LoadIndexed(indexed) => {
                let (at, width) = self.indexed(indexed)?;
                width.load(self.state, at)
            }
            Code::Unary(operator, operand) => {
                let operand = self.eval(operand)?;
                match operator {
                    Unary::Not => i32::from(operand == 0),
                    Unary::Minus => operand.wrapping_neg(),
                    Unary::Complement => !operand,
                    Unary::Next | Unary::Always | Unary::Eventually => 0,
                }
            }
            Code::Binary(operator, operands) => {
                let (left, right) = &**operands;
                let left = self.eval(left)?;
                match operator {
                    Binary::And if left == 0 => 0,
                    Binary::Or if left != 0 => 1,
                    _ => binary(*operator, left, self.eval(right)?)?,
                }
            }
            Code::Condition(parts) => {
                let [condition, one, other] = &**parts;
                self.eval(if self.eval(condition)? != 0 { one } else { other })?
            }
            Code::Pid => i32::from(self.process),
            Code::Processes => i32::from(self.state[self.model.hidden as usize]),
            Code::Last => i32::from(self.state[self.model.hidden as usize + 1]),
            Code::Timeout => i32::from(self.timeout),
            Code::NonProgress => i32::from(self.non_progress),
            Code::Probe(probe, channel) => {
                let (at, kind) = self.channel(self.eval(channel)?)?;
                let length = if kind.capacity == 0 { 0 } else { u32::from(self.state[at]) };
                match probe {
                    Probe::Len => length as i32,
                    Probe::Full => i32::from(length == kind.capacity),
                    Probe::NotFull => i32::from(length < kind.capacity),
                    Probe::Empty => i32::from(length == 0),
                    Probe::NotEmpty => i32::from(length > 0),
                }
            }
            Code::Poll(poll) => self.poll(poll)?,
            Code::Enabled(pid) => {
                let pid = self.eval(pid)?;
                let machine = Machine::new(self.model);
                let there = u8::try_from(pid).ok().filter(|pid| usize::from(*pid) < self.shape.processes.len());
                let mut steps = Vec::new();
                if let Some(pid) = there {
                    machine.steps_of(self.state, self.shape, pid, self.timeout, &mut steps)?;
                }
                i32::from(!steps.is_empty())
            }
            Code::PcValue(pid) => {
                let frame = usize::try_from(self.eval(pid)?).ok().and_then(|pid| self.shape.processes.get(pid));
                frame.map_or(0, |frame| control(self.state, *frame) as i32)
            }
            Code::RemoteLabel(remote, state) => {
                let Some((_, frame)) = self.remote(remote)? else { return Ok(0) };
                i32::from(control(self.state, frame) == self.model.remote_states[state.0 as usize])
            }
            Code::RemoteVar(remote, target) => {
                let Some((process, frame)) = self.remote(remote)? else { return Ok(0) };
                let there = View { process, frame, ..*self };
                match target {
                    Target::Place(place) => place.width.load(self.state, offset(place, frame)),
                    Target::Indexed(indexed) => {
                        // Indices are values of the process that asks.
                        let (at, width) = self.indexed_at(indexed, there.frame)?;
                        width.load(self.state, at)
                    }
                    Target::Nowhere => 0,
                }
            }
        })
    }

    /// The process that a remote reference means.
    pub(crate) fn remote(&self, remote: &Remote) -> Result<Option<(u8, u32)>, Fault> {
        let is_meant = |frame: u32| self.state[frame as usize] == remote.proctype;
        let Some(pid) = &remote.pid else {
            let found = self.shape.processes.iter().position(|frame| is_meant(*frame));
            return Ok(found.map(|pid| (pid as u8, self.shape.processes[pid])));
        };
        let pid = self.eval(pid)?;
        let frame = usize::try_from(pid).ok().and_then(|pid| self.shape.processes.get(pid));
        Ok(frame.filter(|frame| is_meant(**frame)).map(|frame| (pid as u8, *frame)))
    }

    pub(crate) fn indexed(&self, indexed: &Indexed) -> Result<(usize, crate::code::Width), Fault> {
        self.indexed_at(indexed, self.frame)
    }

    pub(crate) fn indexed_at(&self, indexed: &Indexed, frame: u32) -> Result<(usize, crate::code::Width), Fault> {
        let mut at = offset(&indexed.first, frame);
        for index in &indexed.indices {
            let value = self.eval(&index.value)?;
            if !(0..index.length as i32).contains(&value) {
                return Err(Fault::Index);
            }
            at += value as usize * index.stride as usize;
        }
        Ok((at, indexed.first.width))
    }

    pub(crate) fn place(&self, target: &Target) -> Result<Option<(usize, crate::code::Width)>, Fault> {
        Ok(match target {
            Target::Place(place) => Some((offset(place, self.frame), place.width)),
            Target::Indexed(indexed) => Some(self.indexed(indexed)?),
            Target::Nowhere => None,
        })
    }

    /// A channel's bytes and type.
    pub(crate) fn channel(&self, number: i32) -> Result<(usize, &crate::code::ChannelType), Fault> {
        let found = usize::try_from(number - 1).ok().and_then(|number| self.shape.channels.get(number));
        let (at, kind) = found.ok_or(Fault::NoChannel)?;
        Ok((*at as usize, &self.model.channel_types[usize::from(*kind)]))
    }

    /// Whether a statement that is neither a send nor a `d_step` can be done.
    pub(crate) fn is_enabled(&self, op: &Op) -> Result<bool, Fault> {
        Ok(match op {
            Op::Condition(code) => self.eval(code)? != 0,
            Op::Receive { channel, arguments, random, .. } => {
                let channel = self.eval(channel)?;
                self.slot(channel, arguments, *random)?.is_some()
            }
            Op::End => usize::from(self.process) + 1 == self.shape.processes.len(),
            Op::Run { .. } => self.state[self.model.hidden as usize] < 255,
            Op::Skip
            | Op::Print(..)
            | Op::Else
            | Op::Assign(..)
            | Op::Fill(_)
            | Op::Assert(_)
            | Op::Send { .. }
            | Op::DStep(_) => true,
        })
    }

    /// The values that are sent, as the channel keeps them: those that are missing are 0.
    pub(crate) fn message(&self, channel: i32, arguments: &[Code]) -> Result<Message, Fault> {
        let mut message = Message::new();
        let (_, kind) = self.channel(channel)?;
        for (number, width) in kind.fields.iter().enumerate() {
            let value = arguments.get(number).map_or(Ok(0), |argument| self.eval(argument))?;
            let mut bytes = [0; 4];
            width.store(&mut bytes, 0, value);
            message.push(width.load(&bytes, 0));
        }
        Ok(message)
    }

    /// The fields of a message that is in a channel.
    pub(crate) fn fields<'f>(
        &'f self,
        at: usize,
        kind: &'f crate::code::ChannelType,
        slot: usize,
    ) -> impl ExactSizeIterator<Item = i32> + 'f {
        let mut at = at + 1 + slot * kind.message as usize;
        kind.fields.iter().map(move |field| {
            let value = field.load(self.state, at);
            at += field.size() as usize;
            value
        })
    }

    pub(crate) fn matches(
        &self,
        arguments: &[Receive],
        message: impl ExactSizeIterator<Item = i32>,
    ) -> Result<bool, Fault> {
        if arguments.len() > message.len() {
            return Err(Fault::Fields);
        }
        for (argument, value) in arguments.iter().zip(message) {
            if let Receive::Match(code) = argument
                && self.eval(code)? != value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The message of a channel that a receive takes: the first, or with `??` the first that matches.
    pub(crate) fn slot(&self, channel: i32, arguments: &[Receive], random: bool) -> Result<Option<usize>, Fault> {
        let (at, kind) = self.channel(channel)?;
        if kind.capacity == 0 {
            return Ok(None);
        }
        let length = usize::from(self.state[at]);
        for slot in 0..if random { length } else { length.min(1) } {
            if self.matches(arguments, self.fields(at, kind, slot))? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    pub(crate) fn poll(&self, poll: &Poll) -> Evaluated {
        let channel = self.eval(&poll.channel)?;
        let (at, kind) = self.channel(channel)?;
        if kind.capacity == 0 {
            return Ok(0);
        }
        let length = usize::from(self.state[at]);
        if length > 0 && poll.arguments.len() > kind.fields.len() {
            return Err(Fault::Fields);
        }
        'slots: for slot in 0..if poll.random { length } else { length.min(1) } {
            for (argument, value) in poll.arguments.iter().zip(self.fields(at, kind, slot)) {
                if let Some(code) = argument
                    && self.eval(code)? != value
                {
                    continue 'slots;
                }
            }
            return Ok(1);
        }
        Ok(0)
    }
}

pub(crate) fn binary(operator: Binary, left: i32, right: i32) -> Evaluated {
    Ok(match operator {
        Binary::Or => i32::from(left != 0 || right != 0),
        Binary::And => i32::from(left != 0 && right != 0),
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::BitAnd => left & right,
        Binary::Eq => i32::from(left == right),
        Binary::Ne => i32::from(left != right),
        Binary::Lt => i32::from(left < right),
        Binary::Gt => i32::from(left > right),
        Binary::Le => i32::from(left <= right),
        Binary::Ge => i32::from(left >= right),
        Binary::ShiftLeft => left.wrapping_shl(right as u32),
        Binary::ShiftRight => left.wrapping_shr(right as u32),
        Binary::Add => left.wrapping_add(right),
        Binary::Sub => left.wrapping_sub(right),
        Binary::Mul => left.wrapping_mul(right),
        Binary::Div | Binary::Rem if right == 0 => return Err(Fault::Division),
        Binary::Div => left.wrapping_div(right),
        Binary::Rem => left.wrapping_rem(right),
        Binary::Implies => i32::from(left == 0 || right != 0),
        Binary::Equivalent => i32::from((left == 0) == (right == 0)),
        Binary::Until | Binary::WeakUntil | Binary::Release => 0,
    })
}
