//! A model at work: which steps there are in a state, and what each makes of it.
//!
//! A state is one row of bytes: hidden globals (no part of a state, but carried along), the number of processes, who
//! moved last, the other globals, the channels that were made before all processes, and then a frame for each process:
//! its proctype, its control state, its variables, its channels. A process that dies is always the last one.

use crate::ast::{Binary, Probe, Unary};
use crate::code::{
    Base, Code, EXIT, HEAD, Indexed, Op, Place, Poll, Receive, Remote, Setup, State, Target, Transition,
};
use crate::model::Model;
use std::cell::Cell;

/// What a model must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An assertion does not hold.
    Assertion,
    /// An array has no such element.
    Index,
    /// A division by zero.
    Division,
    /// A `d_step` that cannot go on.
    BlockedDStep,
    /// A rendezvous within a `d_step`.
    RendezvousInDStep,
    /// A variable is used as a channel that is none.
    NoChannel,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A message with another number of fields than its channel has.
    Fields,
    /// A remote reference to a process that is not there.
    NoProcess,
    /// A `d_step` that takes more than ten million steps.
    EndlessDStep,
}

impl Fault {
    /// What a report says.
    pub fn text(self) -> &'static str {
        match self {
            Fault::Assertion => "assertion violated",
            Fault::Index => "an array has no such element",
            Fault::Division => "division by zero",
            Fault::BlockedDStep => "a d_step cannot go on",
            Fault::RendezvousInDStep => "a rendezvous within a d_step",
            Fault::NoChannel => "a channel is used before it was made",
            Fault::TooManyProcesses => "more than 255 processes",
            Fault::TooManyChannels => "more than 255 channels",
            Fault::Fields => "a message with another number of fields than its channel has",
            Fault::NoProcess => "a remote reference to a process that is not there",
            Fault::EndlessDStep => "a d_step does not end",
        }
    }
}

pub(crate) type Evaluated = Result<i32, Fault>;

/// Steps of a `d_step` that are too many.
const ENDLESS: u32 = 10_000_000;

/// A step that can be taken: whose, and with whom it meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) process: u8,
    pub(crate) transition: u16,
    /// The receiver of a rendezvous and its transition.
    pub(crate) partner: Option<(u8, u16)>,
}

/// Where the processes and channels of a state lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) processes: Vec<u32>,
    /// Offset and type of each channel; a variable holds its number, from 1.
    pub(crate) channels: Vec<(u32, u16)>,
}

pub(crate) struct Machine<'m> {
    pub(crate) model: &'m Model,
    /// Whether an assertion failed in the last step.
    pub(crate) failed: Cell<bool>,
}

/// A state that is looked at by a process.
#[derive(Clone, Copy)]
pub(crate) struct View<'s> {
    pub(crate) model: &'s Model,
    pub(crate) state: &'s [u8],
    pub(crate) shape: &'s Shape,
    pub(crate) process: u8,
    pub(crate) frame: u32,
    pub(crate) timeout: bool,
    /// No process is at a label of progress.
    pub(crate) non_progress: bool,
}

impl<'m> Machine<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Machine { model, failed: Cell::new(false) }
    }

    /// Where the number of processes is.
    fn count_at(&self) -> usize {
        self.model.hidden as usize
    }

    pub(crate) fn processes(&self, state: &[u8]) -> u8 {
        state[self.count_at()]
    }

    /// The state in which a model begins.
    pub(crate) fn initial(&self) -> Result<Vec<u8>, Fault> {
        let model = self.model;
        let mut state = vec![0; model.globals as usize];
        let mut shape = Shape::default();
        for kind in &model.channels {
            shape.channels.push((state.len() as u32, *kind));
            state.resize(state.len() + model.channel_types[usize::from(*kind)].size() as usize, 0);
        }
        self.set_up(&model.setup, &mut state, &shape, 0, 0, 0)?;
        for proctype in &model.active {
            self.shape(&state, &mut shape);
            self.create(*proctype, &[], &mut state, &mut shape)?;
        }
        Ok(state)
    }

    /// Gives variables their initial values; channels count from `first`.
    fn set_up(
        &self,
        setup: &[Setup],
        state: &mut [u8],
        shape: &Shape,
        first: usize,
        process: u8,
        frame: u32,
    ) -> Result<(), Fault> {
        let mut channel = first;
        for setup in setup {
            let (place, value) = match setup {
                Setup::Channel(place, _) => {
                    channel += 1;
                    (place, i32::try_from(channel).ok().filter(|number| *number < 256).ok_or(Fault::TooManyChannels)?)
                }
                Setup::Value(place, code) => {
                    let view =
                        View { model: self.model, state, shape, process, frame, timeout: false, non_progress: false };
                    (place, view.eval(code)?)
                }
            };
            place.width.store(state, offset(place, frame), value);
        }
        Ok(())
    }

    /// Makes a process; the answer is its pid.
    fn create(&self, proctype: u8, arguments: &[i32], state: &mut Vec<u8>, shape: &mut Shape) -> Result<u8, Fault> {
        let count = self.processes(state);
        if count == 255 {
            return Err(Fault::TooManyProcesses);
        }
        let made = &self.model.proctypes[usize::from(proctype)];
        let frame = state.len() as u32;
        state.resize(state.len() + (HEAD + made.frame) as usize, 0);
        state[frame as usize] = proctype;
        set_control(state, frame, made.initial);
        let first = shape.channels.len();
        for kind in &made.channels {
            shape.channels.push((state.len() as u32, *kind));
            state.resize(state.len() + self.model.channel_types[usize::from(*kind)].size() as usize, 0);
        }
        shape.processes.push(frame);
        for (place, value) in made.parameters.iter().zip(arguments) {
            place.width.store(state, offset(place, frame), *value);
        }
        let at = self.count_at();
        state[at] = count + 1;
        self.set_up(&made.setup, state, shape, first, count, frame)?;
        Ok(count)
    }

    /// Finds out where the processes and channels of a state lie.
    pub(crate) fn shape(&self, state: &[u8], shape: &mut Shape) {
        shape.processes.clear();
        shape.channels.clear();
        let mut at = self.model.globals;
        let mut channels = |kinds: &[u16], at: &mut u32| {
            for kind in kinds {
                shape.channels.push((*at, *kind));
                *at += self.model.channel_types[usize::from(*kind)].size();
            }
        };
        channels(&self.model.channels, &mut at);
        for _ in 0..self.processes(state) {
            shape.processes.push(at);
            let proctype = &self.model.proctypes[usize::from(state[at as usize])];
            at += HEAD + proctype.frame;
            channels(&proctype.channels, &mut at);
        }
    }

    pub(crate) fn view<'s>(&'s self, state: &'s [u8], shape: &'s Shape, process: u8, timeout: bool) -> View<'s> {
        let frame = shape.processes.get(usize::from(process)).copied().unwrap_or(0);
        View { model: self.model, state, shape, process, frame, timeout, non_progress: false }
    }

    /// The transitions of a process in its present control state.
    pub(crate) fn transitions(&self, state: &[u8], shape: &Shape, process: u8) -> &'m [Transition] {
        let frame = shape.processes[usize::from(process)];
        let proctype = &self.model.proctypes[usize::from(state[frame as usize])];
        &proctype.states[control(state, frame) as usize].transitions
    }

    /// Adds the steps that one process can take.
    pub(crate) fn steps_of(
        &self,
        state: &[u8],
        shape: &Shape,
        process: u8,
        timeout: bool,
        steps: &mut Vec<Step>,
    ) -> Result<(), Fault> {
        let view = self.view(state, shape, process, timeout);
        let proctype = &self.model.proctypes[usize::from(state[view.frame as usize])];
        if let Some(clause) = &proctype.provided
            && view.eval(clause)? == 0
        {
            return Ok(());
        }
        let before = steps.len();
        let mut escape = 0;
        for (number, transition) in self.transitions(state, shape, process).iter().enumerate() {
            if steps.len() > before && escape != transition.escape && escape != 0 {
                // The steps of one escape are enough.
                break;
            }
            let found = steps.len();
            let step = Step { process, transition: number as u16, partner: None };
            match &transition.op {
                Op::Else if steps.len() > before => continue,
                Op::Send { channel, arguments, .. } => {
                    let channel = view.eval(channel)?;
                    let (at, kind) = view.channel(channel)?;
                    if kind.capacity > 0 {
                        if u32::from(state[at]) < kind.capacity {
                            steps.push(step);
                        }
                    } else {
                        self.partners(&view, channel, arguments, step, steps)?;
                    }
                }
                Op::DStep(begin) => {
                    if self.can_begin(&view, proctype, *begin, steps.len() > before)? {
                        steps.push(step);
                    }
                }
                op => {
                    if view.is_enabled(op)? {
                        steps.push(step);
                    }
                }
            }
            if steps.len() > found {
                escape = transition.escape;
            }
        }
        Ok(())
    }

    /// Whether some first statement of a `d_step` can be done.
    fn can_begin(
        &self,
        view: &View<'_>,
        proctype: &crate::code::Proctype,
        begin: u32,
        moved: bool,
    ) -> Result<bool, Fault> {
        for transition in &proctype.states[begin as usize].transitions {
            let can = match &transition.op {
                Op::Else => !moved,
                Op::Send { channel, .. } => {
                    let (at, kind) = view.channel(view.eval(channel)?)?;
                    kind.capacity > 0 && u32::from(view.state[at]) < kind.capacity
                }
                op => view.is_enabled(op)?,
            };
            if can {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Those who can receive what is offered on a channel that holds nothing.
    fn partners(
        &self,
        view: &View<'_>,
        channel: i32,
        arguments: &[Code],
        step: Step,
        steps: &mut Vec<Step>,
    ) -> Result<(), Fault> {
        let mut message = Vec::with_capacity(arguments.len());
        view.message(channel, arguments, &mut message)?;
        for other in (0..view.shape.processes.len() as u8).filter(|other| *other != step.process) {
            let theirs = self.view(view.state, view.shape, other, view.timeout);
            let proctype = &self.model.proctypes[usize::from(view.state[theirs.frame as usize])];
            if let Some(clause) = &proctype.provided
                && theirs.eval(clause)? == 0
            {
                continue;
            }
            let mut escape = None;
            for (number, transition) in self.transitions(view.state, view.shape, other).iter().enumerate() {
                if escape.is_some_and(|escape| escape != 0 && escape != transition.escape) {
                    break;
                }
                let receive = match &transition.op {
                    Op::DStep(begin) => match &proctype.states[*begin as usize].transitions[..] {
                        [only] => &only.op,
                        _ => continue,
                    },
                    op => op,
                };
                let Op::Receive { channel: theirs_channel, arguments, random: _, keep: false } = receive else {
                    continue;
                };
                if theirs.eval(theirs_channel)? == channel && theirs.matches(arguments, &message)? {
                    steps.push(Step { partner: Some((other, number as u16)), ..step });
                    escape = Some(transition.escape);
                }
            }
        }
        Ok(())
    }

    /// Takes a step: `state` becomes the state after it. Says whether the process that moved last goes on alone. An
    /// assertion that does not hold is noted in `failed`, and the model goes on, as with SPIN.
    pub(crate) fn take(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        step: Step,
        timeout: bool,
    ) -> Result<Alone, Fault> {
        let transition = &self.transitions(state, shape, step.process)[usize::from(step.transition)];
        self.failed.set(false);
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

    fn perform(
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
    fn rendezvous(
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
        let mut message = Vec::with_capacity(arguments.len());
        let view = self.view(state, shape, sender, timeout);
        view.message(view.eval(channel)?, arguments, &mut message)?;
        finish(state, shape.processes[usize::from(sender)], send);
        match &receive.op {
            Op::Receive { arguments, .. } => self.store(state, shape, receiver, arguments, &message, timeout)?,
            Op::DStep(begin) => self.dstep(state, shape, receiver, *begin, timeout, Some(&message))?,
            _ => return Err(Fault::NoChannel),
        }
        finish(state, shape.processes[usize::from(receiver)], receive);
        Ok(())
    }

    /// Does one statement that is no `d_step` and no end.
    fn apply(&self, state: &mut Vec<u8>, shape: &mut Shape, process: u8, op: &Op, timeout: bool) -> Result<(), Fault> {
        let frame = shape.processes[usize::from(process)];
        match op {
            Op::Skip | Op::Condition(_) | Op::Else | Op::End | Op::DStep(_) | Op::Print(..) => {}
            Op::Assert(code) => {
                if self.view(state, shape, process, timeout).eval(code)? == 0 {
                    self.failed.set(true);
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
                let mut values = Vec::with_capacity(arguments.len());
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
                let mut message = Vec::with_capacity(arguments.len());
                view.message(channel, arguments, &mut message)?;
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
                let mut message = Vec::with_capacity(kind.fields.len());
                view.read_message(at, kind, slot, &mut message);
                let size = kind.message as usize;
                if !keep {
                    remove(state, at, size, slot);
                }
                self.store(state, shape, process, arguments, &message, timeout)?;
            }
        }
        Ok(())
    }

    /// Puts the fields of a message where a receive wants them.
    fn store(
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
    fn dstep(
        &self,
        state: &mut Vec<u8>,
        shape: &mut Shape,
        process: u8,
        begin: u32,
        timeout: bool,
        mut message: Option<&[i32]>,
    ) -> Result<(), Fault> {
        let frame = shape.processes[usize::from(process)];
        let proctype = &self.model.proctypes[usize::from(state[frame as usize])];
        let mut here = begin;
        for _ in 0..ENDLESS {
            let mut chosen = None;
            for transition in &proctype.states[here as usize].transitions {
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

    /// Whether a process may stand where it stands when nothing can go on.
    pub(crate) fn may_end(&self, state: &[u8], shape: &Shape) -> bool {
        shape.processes.iter().all(|frame| {
            let proctype = &self.model.proctypes[usize::from(state[*frame as usize])];
            proctype.states[control(state, *frame) as usize].is_end
        })
    }
}

/// Who goes on after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alone {
    /// Anybody.
    Nobody,
    /// This process, as long as it can.
    Process(u8),
}

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
    fn remote(&self, remote: &Remote) -> Result<Option<(u8, u32)>, Fault> {
        let is_meant = |frame: u32| self.state[frame as usize] == remote.proctype;
        let Some(pid) = &remote.pid else {
            let found = self.shape.processes.iter().position(|frame| is_meant(*frame));
            return Ok(found.map(|pid| (pid as u8, self.shape.processes[pid])));
        };
        let pid = self.eval(pid)?;
        let frame = usize::try_from(pid).ok().and_then(|pid| self.shape.processes.get(pid));
        Ok(frame.filter(|frame| is_meant(**frame)).map(|frame| (pid as u8, *frame)))
    }

    fn indexed(&self, indexed: &Indexed) -> Result<(usize, crate::code::Width), Fault> {
        self.indexed_at(indexed, self.frame)
    }

    fn indexed_at(&self, indexed: &Indexed, frame: u32) -> Result<(usize, crate::code::Width), Fault> {
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

    fn place(&self, target: &Target) -> Result<Option<(usize, crate::code::Width)>, Fault> {
        Ok(match target {
            Target::Place(place) => Some((offset(place, self.frame), place.width)),
            Target::Indexed(indexed) => Some(self.indexed(indexed)?),
            Target::Nowhere => None,
        })
    }

    /// A channel's bytes and type.
    fn channel(&self, number: i32) -> Result<(usize, &crate::code::ChannelType), Fault> {
        let found = usize::try_from(number - 1).ok().and_then(|number| self.shape.channels.get(number));
        let (at, kind) = found.ok_or(Fault::NoChannel)?;
        Ok((*at as usize, &self.model.channel_types[usize::from(*kind)]))
    }

    /// Whether a statement that is neither a send nor a `d_step` can be done.
    fn is_enabled(&self, op: &Op) -> Result<bool, Fault> {
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

    /// The values that are sent, as the channel keeps them.
    fn message(&self, channel: i32, arguments: &[Code], message: &mut Vec<i32>) -> Result<(), Fault> {
        let (_, kind) = self.channel(channel)?;
        if arguments.len() > kind.fields.len() {
            return Err(Fault::Fields);
        }
        for (number, width) in kind.fields.iter().enumerate() {
            let value = arguments.get(number).map_or(Ok(0), |argument| self.eval(argument))?;
            let mut bytes = [0; 4];
            width.store(&mut bytes, 0, value);
            message.push(width.load(&bytes, 0));
        }
        Ok(())
    }

    fn read_message(&self, at: usize, kind: &crate::code::ChannelType, slot: usize, message: &mut Vec<i32>) {
        let mut at = at + 1 + slot * kind.message as usize;
        for field in &kind.fields {
            message.push(field.load(self.state, at));
            at += field.size() as usize;
        }
    }

    fn matches(&self, arguments: &[Receive], message: &[i32]) -> Result<bool, Fault> {
        if arguments.len() > message.len() {
            return Err(Fault::Fields);
        }
        for (argument, value) in arguments.iter().zip(message) {
            if let Receive::Match(code) = argument
                && self.eval(code)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The message of a channel that a receive takes: the first, or with `??` the first that matches.
    fn slot(&self, channel: i32, arguments: &[Receive], random: bool) -> Result<Option<usize>, Fault> {
        let (at, kind) = self.channel(channel)?;
        if kind.capacity == 0 {
            return Ok(None);
        }
        let length = usize::from(self.state[at]);
        let mut message = Vec::with_capacity(kind.fields.len());
        for slot in 0..if random { length } else { length.min(1) } {
            message.clear();
            self.read_message(at, kind, slot, &mut message);
            if self.matches(arguments, &message)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    fn poll(&self, poll: &Poll) -> Evaluated {
        let channel = self.eval(&poll.channel)?;
        let (at, kind) = self.channel(channel)?;
        if kind.capacity == 0 {
            return Ok(0);
        }
        let length = usize::from(self.state[at]);
        let mut message = Vec::with_capacity(kind.fields.len());
        'slots: for slot in 0..if poll.random { length } else { length.min(1) } {
            message.clear();
            self.read_message(at, kind, slot, &mut message);
            for (argument, value) in poll.arguments.iter().zip(&message) {
                if let Some(code) = argument
                    && self.eval(code)? != *value
                {
                    continue 'slots;
                }
            }
            return Ok(1);
        }
        Ok(0)
    }
}

fn binary(operator: Binary, left: i32, right: i32) -> Evaluated {
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

fn offset(place: &Place, frame: u32) -> usize {
    match place.base {
        Base::Global => place.offset as usize,
        Base::Own => (frame + place.offset) as usize,
    }
}

pub(crate) fn control(state: &[u8], frame: u32) -> u32 {
    let at = frame as usize + 1;
    u32::from(u16::from_le_bytes([state[at], state[at + 1]]))
}

fn set_control(state: &mut [u8], frame: u32, to: u32) {
    let at = frame as usize + 1;
    state[at..at + 2].copy_from_slice(&(to as u16).to_le_bytes());
}

/// A process stands after its step, and variables that nobody will read are 0.
fn finish(state: &mut [u8], frame: u32, transition: &Transition) {
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

/// Puts a message into a channel that has room.
fn insert(model: &Model, state: &mut [u8], at: usize, kind: u16, message: &[i32], sorted: bool) {
    let kind = &model.channel_types[usize::from(kind)];
    let size = kind.message as usize;
    let length = usize::from(state[at]);
    let mut slot = length;
    if sorted {
        // Before the first message that is greater, field by field.
        slot = (0..length)
            .find(|slot| {
                let mut from = at + 1 + slot * size;
                let there = kind.fields.iter().map(|field| {
                    let value = field.load(state, from);
                    from += field.size() as usize;
                    value
                });
                there.gt(message.iter().copied())
            })
            .unwrap_or(length);
        state.copy_within(at + 1 + slot * size..at + 1 + length * size, at + 1 + (slot + 1) * size);
    }
    let mut to = at + 1 + slot * size;
    for (field, value) in kind.fields.iter().zip(message) {
        field.store(state, to, *value);
        to += field.size() as usize;
    }
    state[at] += 1;
}

/// Takes a message out of a channel; those behind it move up, and what is empty is 0.
fn remove(state: &mut [u8], at: usize, size: usize, slot: usize) {
    let length = usize::from(state[at]);
    let first = at + 1;
    state.copy_within(first + (slot + 1) * size..first + length * size, first + slot * size);
    state[first + (length - 1) * size..first + length * size].fill(0);
    state[at] -= 1;
}
