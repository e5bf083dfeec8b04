//! What each transition of a model accesses, and what a process can access from each of its control states on: the static
//! analysis behind `init_accesses` and `future_accesses` of the paper.
//!
//! An access names a variable or a channel by an expression. Where that can only have one value as long as its process
//! lives (constants, the pid, parameters and channels that nobody assigns to) it is found out from the state at hand, so that
//! `ring[_pid]!token` is one channel. Otherwise it is all that it could be.

use crate::code::{Base, Code, EXIT, Indexed, Op, Place, Proctype, Receive, Target, Transition};
use crate::model::Model;
use crate::touch::Mode;
use std::ops::Range;

/// Something that is accessed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Access {
    /// Bytes of the globals.
    Bytes(Range<u32>, bool),
    /// One element, by indices that can be found out.
    Element(Indexed, bool),
    /// The channel that an expression is.
    Channel(Code, Mode),
    AnyChannel,
    /// The channels that the process made.
    OwnChannels,
    Run,
    End,
    CountProcesses,
    Everything,
}

/// Which variables somebody assigns to.
pub(crate) struct Assigned {
    globals: Vec<bool>,
    /// By proctype.
    own: Vec<Vec<bool>>,
}

impl Assigned {
    pub(crate) fn new(model: &Model) -> Self {
        let own = model.proctypes.iter().map(|proctype| vec![false; (crate::code::HEAD + proctype.frame) as usize]);
        let mut assigned = Assigned { globals: vec![false; model.globals as usize], own: own.collect() };
        for (number, proctype) in model.proctypes.iter().enumerate() {
            for transition in proctype.states.iter().flat_map(|state| &state.transitions) {
                for target in targets(&transition.op) {
                    assigned.mark(number, &target);
                }
            }
        }
        assigned
    }

    fn mark(&mut self, proctype: usize, target: &Target) {
        let (place, bytes) = match target {
            Target::Place(place) => (place, place.offset..place.offset + place.width.size()),
            Target::Indexed(indexed) => (&indexed.first, extent(indexed)),
            Target::Nowhere => return,
        };
        let set = if place.base == Base::Global { &mut self.globals } else { &mut self.own[proctype] };
        set[bytes.start as usize..bytes.end as usize].fill(true);
    }

    fn is_fixed(&self, proctype: usize, base: Base, bytes: Range<u32>) -> bool {
        let set = if base == Base::Global { &self.globals } else { &self.own[proctype] };
        set[bytes.start as usize..bytes.end as usize].iter().all(|assigned| !assigned)
    }

    /// Bytes of a frame that nobody assigns to.
    pub(crate) fn fixed_bytes(&self, proctype: usize) -> Vec<u32> {
        let bytes = self.own[proctype].iter().enumerate().skip(crate::code::HEAD as usize);
        bytes.filter(|(_, assigned)| !**assigned).map(|(offset, _)| offset as u32).collect()
    }

    /// Whether an expression has one value as long as its process lives.
    pub(crate) fn is_stable(&self, proctype: usize, code: &Code) -> bool {
        let of = |place: &Place| self.is_fixed(proctype, place.base, place.offset..place.offset + place.width.size());
        match code {
            Code::Const(_) | Code::Pid => true,
            Code::Load(place) | Code::PlaceConst(_, place, _) => of(place),
            Code::LoadIndexed(indexed) => {
                self.is_fixed(proctype, indexed.first.base, extent(indexed))
                    && indexed.indices.iter().all(|index| self.is_stable(proctype, &index.value))
            }
            Code::Unary(_, inner) => self.is_stable(proctype, inner),
            Code::Binary(_, sides) => self.is_stable(proctype, &sides.0) && self.is_stable(proctype, &sides.1),
            Code::Condition(parts) => parts.iter().all(|part| self.is_stable(proctype, part)),
            _ => false,
        }
    }
}

/// All bytes that a place behind indices can be.
pub(crate) fn extent(indexed: &Indexed) -> Range<u32> {
    let furthest: u32 = indexed.indices.iter().map(|index| (index.length - 1) * index.stride).sum();
    indexed.first.offset..indexed.first.offset + furthest + indexed.first.width.size()
}

fn targets(op: &Op) -> Vec<Target> {
    match op {
        Op::Assign(target, _) => vec![target.clone()],
        Op::Fill(values) => values.iter().map(|(place, _)| Target::Place(*place)).collect(),
        Op::Run { result, .. } => result.iter().cloned().collect(),
        Op::Receive { arguments, .. } => {
            let stored = |argument: &Receive| match argument {
                Receive::Store(target) => Some(target.clone()),
                Receive::Match(_) => None,
            };
            arguments.iter().filter_map(stored).collect()
        }
        _ => Vec::new(),
    }
}

/// The accesses of statements, in the order in which they are found.
pub(crate) struct Collector<'m> {
    pub(crate) model: &'m Model,
    pub(crate) proctype: usize,
    pub(crate) found: Vec<Access>,
}

impl Collector<'_> {
    pub(crate) fn add(&mut self, access: Access) {
        if !self.found.contains(&access) {
            self.found.push(access);
        }
    }

    /// What a transition accesses; a `d_step` is all its statements.
    pub(crate) fn transition(&mut self, transition: &Transition) {
        let Op::DStep(begin) = transition.op else { return self.op(&transition.op) };
        let proctype = &self.model.proctypes[self.proctype];
        for state in within_dstep(proctype, begin) {
            for inner in &proctype.states[state as usize].transitions {
                self.op(&inner.op);
            }
        }
    }

    /// What decides whether a transition is possible.
    pub(crate) fn guard(&mut self, transition: &Transition) {
        match &transition.op {
            Op::Condition(code) => self.reads(code),
            // Whether somebody is there to receive depends on where others stand, which every step of theirs changes.
            Op::Send { .. } if has_rendezvous(self.model) => self.add(Access::Everything),
            Op::Send { channel, .. } => self.channel(channel, Mode::Look),
            Op::Receive { channel, arguments, .. } => {
                self.channel(channel, Mode::Look);
                self.matched(arguments);
            }
            Op::DStep(begin) => {
                let proctype = &self.model.proctypes[self.proctype];
                for first in &proctype.states[*begin as usize].transitions {
                    self.guard(first);
                }
            }
            Op::End => self.add(Access::End),
            Op::Run { .. } => self.add(Access::CountProcesses),
            Op::Skip | Op::Print(..) | Op::Else | Op::Assign(..) | Op::Fill(_) | Op::Assert(_) => {}
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Else | Op::DStep(_) | Op::Print(..) => {}
            Op::Condition(code) | Op::Assert(code) => self.reads(code),
            Op::Assign(target, code) => {
                self.reads(code);
                self.target(target);
            }
            Op::Fill(values) => values.iter().for_each(|(place, _)| self.place(place, true)),
            Op::Run { arguments, result, .. } => {
                arguments.iter().for_each(|argument| self.reads(argument));
                result.iter().for_each(|target| self.target(target));
                self.add(Access::Run);
            }
            Op::Send { channel, arguments, sorted } => {
                arguments.iter().for_each(|argument| self.reads(argument));
                self.channel(channel, if *sorted { Mode::All } else { Mode::Send });
            }
            Op::Receive { channel, arguments, keep, .. } => {
                self.matched(arguments);
                targets(op).iter().for_each(|target| self.target(target));
                self.channel(channel, if *keep { Mode::Peek } else { Mode::Receive });
            }
            // Its channels go with it.
            Op::End => {
                self.add(Access::End);
                self.add(Access::OwnChannels);
            }
        }
    }

    fn matched(&mut self, arguments: &[Receive]) {
        for argument in arguments {
            if let Receive::Match(code) = argument {
                self.reads(code);
            }
        }
    }

    fn place(&mut self, place: &Place, write: bool) {
        if place.base == Base::Global {
            self.add(Access::Bytes(place.offset..place.offset + place.width.size(), write));
        }
    }

    fn indexed(&mut self, indexed: &Indexed, write: bool) {
        indexed.indices.iter().for_each(|index| self.reads(&index.value));
        if indexed.first.base == Base::Global {
            self.add(Access::Element(indexed.clone(), write));
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Place(place) => self.place(place, true),
            Target::Indexed(indexed) => self.indexed(indexed, true),
            Target::Nowhere => {}
        }
    }

    fn channel(&mut self, code: &Code, mode: Mode) {
        self.reads(code);
        self.add(Access::Channel(code.clone(), mode));
    }

    pub(crate) fn reads(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::Pid | Code::Timeout | Code::NonProgress => {}
            Code::Load(place) | Code::PlaceConst(_, place, _) => self.place(place, false),
            Code::LoadIndexed(indexed) => self.indexed(indexed, false),
            Code::Unary(_, inner) => self.reads(inner),
            Code::Binary(_, sides) => {
                self.reads(&sides.0);
                self.reads(&sides.1);
            }
            Code::Condition(parts) => parts.iter().for_each(|part| self.reads(part)),
            Code::Processes => self.add(Access::CountProcesses),
            Code::Probe(_, channel) => self.channel(channel, Mode::Look),
            Code::Poll(poll) => {
                poll.arguments.iter().flatten().for_each(|argument| self.reads(argument));
                self.channel(&poll.channel, Mode::Look);
            }
            // Every step of another process changes what these look at.
            Code::Last | Code::Enabled(_) | Code::PcValue(_) | Code::RemoteLabel(..) | Code::RemoteVar(..) => {
                self.add(Access::Everything);
            }
        }
    }
}

/// Whether a model has channels that hold nothing.
pub(crate) fn has_rendezvous(model: &Model) -> bool {
    model.channel_types.iter().any(|kind| kind.capacity == 0)
}

/// The states within a `d_step`.
fn within_dstep(proctype: &Proctype, begin: u32) -> Vec<u32> {
    let mut found = vec![begin];
    let mut next = 0;
    while next < found.len() {
        for transition in &proctype.states[found[next] as usize].transitions {
            if transition.to != EXIT && !found.contains(&transition.to) {
                found.push(transition.to);
            }
        }
        next += 1;
    }
    found
}
