//! What a step makes of a state, and what it reads and writes on the way.

use super::cells::{self, ChannelCells};
use super::names::Threads;
use super::numbers::{Numbers, Way};
use super::ready::Ready;
use super::whole::Whole;
use crate::code::{EXIT, Op, Receive, Transition};
use crate::machine::messages::remove;
use crate::machine::take::finish;
use crate::machine::{Alone, Fault, Machine, Message, Step};
use model::Cell;
use std::cell::{Cell as Slot, RefCell};

/// Statements of an `atomic` that are one step at the most. Behind so many, the process goes on alone by another one.
const LONGEST: u32 = 1_000;

/// Statements of a `d_step` that are too many.
const ENDLESS: u32 = 10_000_000;

/// A state of a model, and what was read and written since it was loaded.
pub(super) struct Scene<'m> {
    pub(super) machine: Machine<'m>,
    pub(super) numbers: &'m Numbers,
    pub(super) threads: &'m Threads,
    pub(super) whole: Whole,
    /// What was there before the last statement.
    before: Whole,
    /// Whether anybody wants to know what is read and written.
    pub(super) records: bool,
    pub(super) reads: RefCell<Vec<Cell>>,
    pub(super) writes: RefCell<Vec<Cell>>,
    /// Whether a `timeout` was asked for that was not.
    pub(super) waits_for_timeout: Slot<bool>,
    /// The statements that were taken, each with the state before it, where somebody wants to show them.
    pub(super) told: Option<Vec<Told>>,
}

/// A statement, or the two of a rendezvous.
pub(super) struct Told {
    pub(super) ready: Ready,
    pub(super) before: Whole,
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Acted {
    Done,
    /// This statement failed.
    Failed(Ready, Fault),
}

impl<'m> Scene<'m> {
    pub(super) fn new(machine: Machine<'m>, numbers: &'m Numbers, threads: &'m Threads) -> Self {
        Scene {
            machine,
            numbers,
            whole: Whole::default(),
            records: false,
            reads: RefCell::default(),
            writes: RefCell::default(),
            before: Whole::default(),
            threads,
            waits_for_timeout: Slot::default(),
            told: None,
        }
    }

    pub(super) fn write(&self, cell: Cell) {
        if self.records {
            self.writes.borrow_mut().push(cell);
        }
    }

    /// The transitions of a process, whether they can be taken or not.
    pub(super) fn ways(&self, process: u8) -> impl Iterator<Item = (u16, Way)> + use<'m> {
        let (state, numbers) = (self.standing(process), self.numbers);
        let end = numbers.end_in(state, usize::from(self.whole.most));
        (0..end as u16).filter_map(move |number| numbers.way(state, number).map(|way| (number, way)))
    }

    /// Takes a step, with what follows it without anybody else: the rest of an `atomic`, as long as there is one way to go on.
    pub(super) fn act(&mut self, ready: Ready) -> Acted {
        let was_held = self.whole.holder.is_some();
        self.whole.holder = None;
        let mut next = ready;
        let mut acted = Acted::Done;
        for taken in 1.. {
            let done = self.statement(next);
            match done.and_then(|alone| self.machine.noted.take().first().map_or(Ok(alone), |fault| Err(*fault))) {
                Err(fault) => {
                    acted = Acted::Failed(next, fault);
                    break;
                }
                Ok(Alone::Nobody) => break,
                Ok(Alone::Process(process)) => match self.only_way(process) {
                    Onward::Ended => break,
                    Onward::By(step) if taken < LONGEST => next = Ready { step, timeout: false, fault: None },
                    Onward::By(_) | Onward::Several => {
                        self.whole.holder = Some(process);
                        break;
                    }
                },
            }
        }
        if let Acted::Failed(failed, _) = acted {
            self.stop(failed.step.process);
            self.stop(ready.step.process);
        }
        if was_held || self.whole.holder.is_some() {
            self.write(cells::HOLDER);
        }
        acted
    }

    fn stop(&mut self, process: u8) {
        if let Some(stopped) = self.whole.processes.get_mut(usize::from(process)) {
            stopped.is_stopped = true;
        }
    }

    /// How a process goes on that goes on alone.
    fn only_way(&mut self, process: u8) -> Onward {
        self.write(cells::mover(process));
        let mut only = Onward::Ended;
        for (_, way) in self.ways(process) {
            match self.step_by(process, way, false) {
                Ok(None) => {}
                Ok(Some(step)) if only == Onward::Ended => only = Onward::By(step),
                // What cannot be worked out fails when it is chosen.
                Ok(Some(_)) | Err(_) => only = Onward::Several,
            }
        }
        only
    }

    /// Takes one statement, or the two of a rendezvous. If it fails, nothing is changed.
    fn statement(&mut self, ready: Ready) -> Result<Alone, Fault> {
        self.before.clone_from(&self.whole);
        let result = self.statement_in_full(ready);
        if result.is_err() {
            self.whole.clone_from(&self.before);
        }
        if let Some(told) = &mut self.told {
            told.push(Told { ready, before: self.before.clone() });
        }
        result
    }

    fn statement_in_full(&mut self, Ready { step, timeout, fault }: Ready) -> Result<Alone, Fault> {
        self.machine.noted.take();
        let transition: &'m Transition = &self.standing(step.process).transitions[usize::from(step.transition)];
        self.write(cells::mover(step.process));
        if let Some(fault) = fault {
            return Err(fault);
        }
        let (mut mover, mut alone) = (step.process, transition.atomic);
        if let Some((partner, number)) = step.partner {
            let received: &'m Transition = &self.standing(partner).transitions[usize::from(number)];
            self.write(cells::mover(partner));
            self.meet(step.process, transition, partner, received, timeout)?;
            (mover, alone) = (partner, received.atomic);
        } else if let Op::DStep(begin) = transition.op {
            self.d_step(step.process, begin, timeout, None)?;
            self.stand(step.process, transition);
        } else if matches!(transition.op, Op::End) {
            self.end(step.process, transition)?;
        } else {
            self.simple(step.process, &transition.op, timeout)?;
            self.stand(step.process, transition);
        }
        let model = self.machine.model;
        if model.has_last {
            self.whole.state[model.hidden as usize + 1] = mover;
            self.write(cells::last(model));
        }
        let is_there = usize::from(mover) < self.whole.shape.processes.len();
        Ok(if alone && is_there { Alone::Process(mover) } else { Alone::Nobody })
    }

    /// A process stands after its step.
    fn stand(&mut self, process: u8, transition: &Transition) {
        let frame = self.whole.shape.processes[usize::from(process)];
        finish(&mut self.whole.state, frame, transition);
    }

    fn meet(
        &mut self,
        sender: u8,
        send: &'m Transition,
        receiver: u8,
        receive: &'m Transition,
        timeout: bool,
    ) -> Result<(), Fault> {
        let Op::Send { channel, arguments, .. } = &send.op else { return Err(Fault::NoChannel) };
        let view = self.view(sender, timeout);
        let number = self.eval(&view, channel)?;
        let message = self.message(&view, number, arguments)?;
        self.machine.count_fields(arguments.len(), message.len());
        self.stand(sender, send);
        match &receive.op {
            Op::Receive { arguments, .. } => {
                self.machine.count_fields(arguments.len(), message.len());
                self.store(receiver, arguments, &message, timeout)?;
            }
            Op::DStep(begin) => self.d_step(receiver, *begin, timeout, Some(&message))?,
            _ => return Err(Fault::NoChannel),
        }
        self.stand(receiver, receive);
        Ok(())
    }

    /// The fields of a message go where a receive wants them.
    fn store(&mut self, process: u8, arguments: &[Receive], message: &[i32], timeout: bool) -> Result<(), Fault> {
        for (argument, value) in arguments.iter().zip(message) {
            let Receive::Store(target) = argument else { continue };
            if let Some(cell) = self.target(&self.view(process, timeout), target)? {
                self.write(cell);
            }
            let Whole { state, shape, .. } = &mut self.whole;
            self.machine.store(state, shape, process, std::slice::from_ref(argument), &[*value], timeout)?;
        }
        Ok(())
    }

    /// A whole `d_step`; of several ways to go on, the first is taken. A message that was received by a rendezvous is for its
    /// first statement.
    fn d_step(&mut self, process: u8, begin: u32, timeout: bool, mut message: Option<&[i32]>) -> Result<(), Fault> {
        let frame = self.whole.shape.processes[usize::from(process)];
        let states = self.machine.model.states(self.whole.state[frame as usize], process);
        let mut here = begin;
        for _ in 0..ENDLESS {
            let mut chosen: Option<&'m Transition> = None;
            for transition in &states[here as usize].transitions {
                let can = match &transition.op {
                    _ if message.is_some() => true,
                    Op::Else => true,
                    op @ Op::Send { channel, .. } => {
                        let view = self.view(process, timeout);
                        let number = self.eval(&view, channel)?;
                        if self.channel(&view, number)?.1.capacity == 0 {
                            return Err(Fault::RendezvousInDStep);
                        }
                        self.is_op_open(process, op, timeout)?
                    }
                    op => self.is_op_open(process, op, timeout)?,
                };
                if can {
                    chosen = Some(transition);
                    break;
                }
            }
            let Some(transition) = chosen else { return Err(Fault::BlockedDStep) };
            match (&transition.op, message.take()) {
                (Op::Receive { arguments, .. }, Some(message)) => {
                    self.machine.count_fields(arguments.len(), message.len());
                    self.store(process, arguments, message, timeout)?;
                }
                (op, _) => self.simple(process, op, timeout)?,
            }
            if transition.to == EXIT {
                return Ok(());
            }
            here = transition.to;
        }
        Err(Fault::EndlessDStep)
    }

    /// The youngest process dies, and its channels with it.
    fn end(&mut self, process: u8, transition: &Transition) -> Result<(), Fault> {
        self.write(cells::count(self.machine.model));
        let Whole { state, shape, .. } = &mut self.whole;
        self.machine.perform(state, shape, process, transition, false)?;
        for channel in self.whole.shape.channels.len()..self.whole.heads.len() {
            self.write(ChannelCells::new(channel).life());
        }
        self.whole.heads.truncate(self.whole.shape.channels.len());
        self.whole.processes.truncate(self.whole.shape.processes.len());
        Ok(())
    }

    /// Does one statement that is no `d_step` and no end.
    fn simple(&mut self, process: u8, op: &'m Op, timeout: bool) -> Result<(), Fault> {
        match op {
            Op::Receive { channel, arguments, random, keep } => {
                return self.receive(process, (channel, arguments), *random, *keep, timeout);
            }
            Op::Send { .. } => self.note_send(process, op, timeout)?,
            Op::Assert(code) => _ = self.eval(&self.view(process, timeout), code)?,
            Op::Assign(target, code) => {
                let view = self.view(process, timeout);
                self.eval(&view, code)?;
                let cell = self.target(&view, target)?;
                cell.into_iter().for_each(|cell| self.write(cell));
            }
            Op::Fill(values) => {
                for (place, _) in values.iter().filter(|(place, _)| place.base == crate::code::Base::Global) {
                    self.write(cells::global(place.offset as usize));
                }
            }
            Op::Run { arguments, .. } => {
                let view = self.view(process, timeout);
                for argument in arguments {
                    self.eval(&view, argument)?;
                }
            }
            Op::Skip | Op::Condition(_) | Op::Else | Op::End | Op::DStep(_) | Op::Print(..) => {}
        }
        let Whole { state, shape, .. } = &mut self.whole;
        self.machine.apply(state, shape, process, op, timeout)?;
        if let Op::Run { result, .. } = op {
            self.note_run(process, timeout, result.as_ref())?;
        }
        Ok(())
    }

    /// A process was made.
    fn note_run(&mut self, process: u8, timeout: bool, result: Option<&crate::code::Target>) -> Result<(), Fault> {
        let made = (self.whole.shape.processes.len() - 1) as u8;
        self.write(cells::count(self.machine.model));
        self.write(cells::mover(made));
        for channel in self.whole.heads.len()..self.whole.shape.channels.len() {
            self.write(ChannelCells::new(channel).life());
        }
        self.whole.heads.resize(self.whole.shape.channels.len(), 0);
        self.whole.most = self.whole.most.max(made + 1);
        if let Some(target) = result {
            let cell = self.target(&self.view(process, timeout), target)?;
            cell.into_iter().for_each(|cell| self.write(cell));
        }
        let parent = &mut self.whole.processes[usize::from(process)];
        parent.children += 1;
        let (thread, nth) = (parent.thread, parent.children - 1);
        let proctype = self.whole.state[self.whole.shape.processes[usize::from(made)] as usize];
        let thread = self.threads.child(Some(thread), nth, proctype);
        self.whole.processes.push(super::whole::Process { thread, children: 0, is_stopped: false });
        Ok(())
    }

    fn note_send(&mut self, process: u8, op: &Op, timeout: bool) -> Result<(), Fault> {
        let Op::Send { channel, arguments, sorted } = op else { return Ok(()) };
        let view = self.view(process, timeout);
        let number = self.eval(&view, channel)?;
        self.message(&view, number, arguments)?;
        let (at, kind, parts) = self.channel(&view, number)?;
        if kind.capacity > 0 {
            let tail = self.tail(&view, number, at, kind);
            let places = if *sorted { 0..kind.capacity as usize } else { tail..tail + 1 };
            self.write(parts.tail());
            places.for_each(|place| self.write(parts.place(place)));
        }
        Ok(())
    }

    fn receive(
        &mut self,
        process: u8,
        (channel, arguments): (&'m crate::code::Code, &'m [Receive]),
        random: bool,
        keep: bool,
        timeout: bool,
    ) -> Result<(), Fault> {
        let view = self.view(process, timeout);
        let Some(slot) = self.slot(&view, channel, arguments, random)? else { return Err(Fault::BlockedDStep) };
        let number = self.eval(&view, channel)?;
        let (at, kind, parts) = self.channel(&view, number)?;
        let message: Message = view.fields(at, kind, slot).collect();
        let (capacity, size) = (kind.capacity as usize, kind.message as usize);
        if !keep {
            let head = self.head(number);
            self.write(parts.head());
            if random {
                // Those behind it move up.
                self.write(parts.tail());
                (0..capacity).for_each(|place| self.write(parts.place(place)));
            } else {
                self.write(parts.place(head));
            }
            self.whole.heads[number as usize - 1] = ((head + 1) % capacity) as u8;
            remove(&mut self.whole.state, at, size, slot);
            self.machine.count_fields(arguments.len(), message.len());
        }
        self.store(process, arguments, &message, timeout)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Onward {
    /// It cannot.
    Ended,
    /// There is one step.
    By(Step),
    /// There are several.
    Several,
}
