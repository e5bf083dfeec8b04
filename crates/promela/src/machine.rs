//! A model at work: which steps there are in a state, and what each makes of it.
//!
//! A state is one row of bytes: hidden globals (no part of a state, but carried along), the number of processes, who
//! moved last, the other globals, the channels that were made before all processes, and then a frame for each process:
//! its proctype, its control state, its variables, its channels. A process that dies is always the last one.

pub(crate) mod messages;
pub(crate) mod take;
mod view;

pub(crate) use view::binary;

use crate::ast::{Binary, Probe, Unary};
use crate::code::{
    Base, Code, EXIT, HEAD, Indexed, Op, Place, Poll, Receive, Remote, Setup, State, Target, Transition,
};
use crate::model::Model;
use smallvec::SmallVec;
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

/// The fields of a message.
pub(crate) type Message = SmallVec<[i32; 8]>;

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
    /// What is wrong with the last step, which the model goes on after, as with SPIN: an assertion that does not hold, a message
    /// with too many fields or too few.
    pub(crate) noted: Cell<Vec<Fault>>,
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
        Machine { model, noted: Cell::default() }
    }

    pub(crate) fn note(&self, fault: Fault) {
        let mut noted = self.noted.take();
        noted.push(fault);
        self.noted.set(noted);
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
        &self.model.states(state[frame as usize], process)[control(state, frame) as usize].transitions
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
        let message = view.message(channel, arguments)?;
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
                if theirs.eval(theirs_channel)? == channel && theirs.matches(arguments, message.iter().copied())? {
                    steps.push(Step { partner: Some((other, number as u16)), ..step });
                    escape = Some(transition.escape);
                }
            }
        }
        Ok(())
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

pub(crate) fn offset(place: &Place, frame: u32) -> usize {
    match place.base {
        Base::Global => place.offset as usize,
        Base::Own => (frame + place.offset) as usize,
    }
}

pub(crate) fn control(state: &[u8], frame: u32) -> u32 {
    let at = frame as usize + 1;
    u32::from(u16::from_le_bytes([state[at], state[at + 1]]))
}

pub(crate) fn set_control(state: &mut [u8], frame: u32, to: u32) {
    let at = frame as usize + 1;
    state[at..at + 2].copy_from_slice(&(to as u16).to_le_bytes());
}
