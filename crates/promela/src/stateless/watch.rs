//! Expressions, with what is read on the way that decides their values. What a process has of its own is no cell: it alone reads
//! and writes that, unless another one moves it or asks for it.

use super::act::Scene;
use super::cells::{self, ChannelCells};
use crate::ast::{Binary, Probe, Unary};
use crate::code::{Base, ChannelType, Code, Indexed, Place, Poll, Receive, Remote, Target, Width};
use crate::machine::{Evaluated, Fault, Message, View, binary, control, offset};
use model::Cell;

impl Scene<'_> {
    pub(super) fn read(&self, cell: Cell) {
        if self.records {
            self.reads.borrow_mut().push(cell);
        }
    }

    fn read_place(&self, place: &Place) {
        if place.base == Base::Global {
            self.read(cells::global(place.offset as usize));
        }
    }

    /// The value of an expression.
    pub(super) fn eval(&self, view: &View<'_>, code: &Code) -> Evaluated {
        let value = self.value(view, code);
        debug_assert!(
            value == view.eval(code) || self.whole.processes.iter().any(|process| process.is_stopped),
            "{code:?}"
        );
        value
    }

    fn value(&self, view: &View<'_>, code: &Code) -> Evaluated {
        Ok(match code {
            Code::Const(_) | Code::Pid | Code::NonProgress => return view.eval(code),
            Code::Load(place) | Code::PlaceConst(_, place, _) => {
                self.read_place(place);
                return view.eval(code);
            }
            Code::LoadIndexed(indexed) => {
                let (at, width) = self.indexed(view, indexed, view.frame)?;
                width.load(view.state, at)
            }
            Code::Unary(operator, operand) => {
                let operand = self.value(view, operand)?;
                match operator {
                    Unary::Not => i32::from(operand == 0),
                    Unary::Minus => operand.wrapping_neg(),
                    Unary::Complement => !operand,
                    Unary::Next | Unary::Always | Unary::Eventually => 0,
                }
            }
            Code::Binary(operator, operands) => {
                let (left, right) = &**operands;
                let left = self.value(view, left)?;
                match operator {
                    Binary::And if left == 0 => 0,
                    Binary::Or if left != 0 => 1,
                    _ => binary(*operator, left, self.value(view, right)?)?,
                }
            }
            Code::Condition(parts) => {
                let [condition, one, other] = &**parts;
                self.value(view, if self.value(view, condition)? != 0 { one } else { other })?
            }
            Code::Processes => {
                self.read(cells::count(view.model));
                return view.eval(code);
            }
            Code::Last => {
                self.read(cells::last(view.model));
                return view.eval(code);
            }
            Code::Timeout => {
                if !view.timeout {
                    self.waits_for_timeout.set(true);
                }
                return view.eval(code);
            }
            Code::Probe(probe, channel) => self.probe(view, *probe, channel)?,
            Code::Poll(poll) => self.poll(view, poll)?,
            Code::Enabled(pid) => {
                let pid = self.value(view, pid)?;
                match self.process(view, pid) {
                    Some(pid) => i32::from(self.can_move(pid, view.timeout)?),
                    None => 0,
                }
            }
            Code::PcValue(pid) => {
                let pid = self.value(view, pid)?;
                let there = self.process(view, pid);
                there.map_or(0, |pid| control(view.state, view.shape.processes[usize::from(pid)]) as i32)
            }
            Code::RemoteLabel(remote, state) => {
                let Some((_, frame)) = self.remote(view, remote)? else { return Ok(0) };
                i32::from(control(view.state, frame) == view.model.remote_states[state.0 as usize])
            }
            Code::RemoteVar(remote, target) => {
                let Some((_, frame)) = self.remote(view, remote)? else { return Ok(0) };
                match target {
                    Target::Place(place) => place.width.load(view.state, offset(place, frame)),
                    Target::Indexed(indexed) => {
                        let (at, width) = self.indexed(view, indexed, frame)?;
                        width.load(view.state, at)
                    }
                    Target::Nowhere => 0,
                }
            }
        })
    }

    /// The process of a pid, which is looked at whether it is there or not.
    fn process(&self, view: &View<'_>, pid: i32) -> Option<u8> {
        let pid = u8::try_from(pid).ok()?;
        self.read(cells::mover(pid));
        (usize::from(pid) < view.shape.processes.len()).then_some(pid)
    }

    /// The process that a remote reference means, which is read.
    fn remote(&self, view: &View<'_>, remote: &Remote) -> Result<Option<(u8, u32)>, Fault> {
        if let Some(pid) = &remote.pid {
            let pid = self.value(view, pid)?;
            self.process(view, pid);
        } else {
            self.read(cells::count(view.model));
        }
        let found = view.remote(remote)?;
        if let Some((process, _)) = found {
            self.read(cells::mover(process));
        }
        Ok(found)
    }

    /// Where a place behind indices is; it is read if it is a global's.
    fn indexed(&self, view: &View<'_>, indexed: &Indexed, frame: u32) -> Result<(usize, Width), Fault> {
        for index in &indexed.indices {
            let value = self.value(view, &index.value)?;
            if !(0..index.length as i32).contains(&value) {
                return Err(Fault::Index);
            }
        }
        let (at, width) = view.indexed_at(indexed, frame)?;
        if indexed.first.base == Base::Global {
            self.read(cells::global(at));
        }
        Ok((at, width))
    }

    /// What an assignment or a receive writes, if it is a global's.
    pub(super) fn target(&self, view: &View<'_>, target: &Target) -> Result<Option<Cell>, Fault> {
        Ok(match target {
            Target::Place(place) => (place.base == Base::Global).then(|| cells::global(place.offset as usize)),
            Target::Indexed(indexed) => {
                for index in &indexed.indices {
                    self.value(view, &index.value)?;
                }
                let (at, _) = view.indexed_at(indexed, view.frame)?;
                (indexed.first.base == Base::Global).then(|| cells::global(at))
            }
            Target::Nowhere => None,
        })
    }

    /// The channel of a number: where its bytes are, its type, and its cells.
    pub(super) fn channel<'v>(
        &self,
        view: &'v View<'_>,
        number: i32,
    ) -> Result<(usize, &'v ChannelType, ChannelCells), Fault> {
        let place = usize::try_from(number - 1).unwrap_or(usize::MAX);
        let cells = ChannelCells::new(place.min(255));
        if place >= view.model.channels.len() {
            self.read(cells.life());
        }
        let (at, kind) = view.channel(number)?;
        Ok((at, kind, cells))
    }

    /// In which place the first message of a channel is, or would be.
    pub(super) fn head(&self, number: i32) -> usize {
        usize::from(self.whole.heads[number as usize - 1])
    }

    /// The same for the next message that is sent.
    pub(super) fn tail(&self, view: &View<'_>, number: i32, at: usize, kind: &ChannelType) -> usize {
        (self.head(number) + usize::from(view.state[at])) % kind.capacity as usize
    }

    /// All of a channel is read.
    fn read_all(&self, cells: ChannelCells, kind: &ChannelType) {
        self.read(cells.head());
        self.read(cells.tail());
        (0..kind.capacity as usize).for_each(|place| self.read(cells.place(place)));
    }

    /// The next message is looked at.
    fn read_first(&self, cells: ChannelCells, number: i32) {
        self.read(cells.head());
        self.read(cells.place(self.head(number)));
    }

    /// Whether there is room is looked at.
    pub(super) fn read_room(&self, view: &View<'_>, number: i32, at: usize, kind: &ChannelType, cells: ChannelCells) {
        self.read(cells.tail());
        self.read(cells.place(self.tail(view, number, at, kind)));
    }

    fn probe(&self, view: &View<'_>, probe: Probe, channel: &Code) -> Evaluated {
        let number = self.value(view, channel)?;
        let (at, kind, cells) = self.channel(view, number)?;
        let length = if kind.capacity == 0 { 0 } else { u32::from(view.state[at]) };
        if kind.capacity > 0 {
            match probe {
                Probe::Len => {
                    self.read(cells.head());
                    self.read(cells.tail());
                }
                Probe::Full | Probe::NotFull => self.read_room(view, number, at, kind, cells),
                Probe::Empty | Probe::NotEmpty => self.read_first(cells, number),
            }
        }
        Ok(match probe {
            Probe::Len => length as i32,
            Probe::Full => i32::from(length == kind.capacity),
            Probe::NotFull => i32::from(length < kind.capacity),
            Probe::Empty => i32::from(length == 0),
            Probe::NotEmpty => i32::from(length > 0),
        })
    }

    fn poll(&self, view: &View<'_>, poll: &Poll) -> Evaluated {
        let number = self.value(view, &poll.channel)?;
        let (at, kind, cells) = self.channel(view, number)?;
        if kind.capacity > 0 {
            if poll.random {
                self.read_all(cells, kind)
            } else {
                self.read_first(cells, number)
            }
            if view.state[at] > 0 {
                // Whether they are all asked for is not looked at; what they are worth is decided below.
                poll.arguments.iter().flatten().for_each(|argument| _ = self.value(view, argument));
            }
        }
        view.poll(poll)
    }

    /// Which message a receive takes, if there is one.
    pub(super) fn slot(
        &self,
        view: &View<'_>,
        channel: &Code,
        arguments: &[Receive],
        random: bool,
    ) -> Result<Option<usize>, Fault> {
        let number = self.value(view, channel)?;
        let (at, kind, cells) = self.channel(view, number)?;
        if kind.capacity == 0 {
            return Ok(None);
        }
        if random {
            self.read_all(cells, kind)
        } else {
            self.read_first(cells, number)
        }
        if view.state[at] > 0 {
            self.read_matched(view, arguments);
        }
        view.slot(number, arguments, random)
    }

    /// What a receive compares fields with is read.
    pub(super) fn read_matched(&self, view: &View<'_>, arguments: &[Receive]) {
        for argument in arguments {
            if let Receive::Match(code) = argument {
                let _ = self.value(view, code);
            }
        }
    }

    /// The values that are sent.
    pub(super) fn message(&self, view: &View<'_>, number: i32, arguments: &[Code]) -> Result<Message, Fault> {
        arguments.iter().for_each(|argument| _ = self.value(view, argument));
        view.message(number, arguments)
    }
}
