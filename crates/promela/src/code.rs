//! What the processes of a model do, ready to be run: places in the state, expressions and statements.

use crate::ast::{Binary, Name, Probe, Unary};
use crate::text::Pos;

/// How a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    Bit,
    Byte,
    Short,
    Int,
    /// So many bits, fewer than 32.
    Bits(u8),
}

impl Width {
    /// How many bytes of the state it takes.
    pub(crate) fn size(self) -> u32 {
        match self {
            Width::Bit | Width::Byte | Width::Bits(0..=8) => 1,
            Width::Short | Width::Bits(9..=16) => 2,
            Width::Int | Width::Bits(_) => 4,
        }
    }

    pub(crate) fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Width::Bit | Width::Byte | Width::Bits(0..=8) => i32::from(bytes[at]),
            Width::Short => i32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Width::Bits(9..=16) => i32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Width::Int | Width::Bits(_) => i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]),
        }
    }

    pub(crate) fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        match self {
            Width::Bit => bytes[at] = (value & 1) as u8,
            Width::Byte => bytes[at] = value as u8,
            Width::Bits(bits @ 0..=8) => bytes[at] = (value & ((1 << bits) - 1)) as u8,
            Width::Short => bytes[at..at + 2].copy_from_slice(&(value as i16).to_le_bytes()),
            Width::Bits(bits @ 9..=16) => {
                bytes[at..at + 2].copy_from_slice(&((value & ((1 << bits) - 1)) as u16).to_le_bytes());
            }
            Width::Int => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
            Width::Bits(bits) => {
                let kept = (i64::from(value) & ((1i64 << bits) - 1)) as i32;
                bytes[at..at + 4].copy_from_slice(&kept.to_le_bytes());
            }
        }
    }
}

/// Whose variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Global,
    /// Of the process itself: offsets count from its frame.
    Own,
}

/// A scalar variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) base: Base,
    pub(crate) offset: u32,
    pub(crate) width: Width,
}

/// A place behind array indices.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Indexed {
    pub(crate) first: Place,
    pub(crate) indices: Vec<Index>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Index {
    pub(crate) value: Code,
    pub(crate) length: u32,
    /// Bytes from one element to the next.
    pub(crate) stride: u32,
}

/// Where an assignment or a receive puts a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Target {
    Place(Place),
    Indexed(Box<Indexed>),
    /// `_`: nowhere.
    Nowhere,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Code {
    Const(i32),
    Load(Place),
    LoadIndexed(Box<Indexed>),
    Unary(Unary, Box<Code>),
    Binary(Binary, Box<(Code, Code)>),
    /// `variable op constant`, the commonest guard.
    PlaceConst(Binary, Place, i32),
    Condition(Box<[Code; 3]>),
    Pid,
    Processes,
    Last,
    Timeout,
    NonProgress,
    Probe(Probe, Box<Code>),
    Poll(Box<Poll>),
    Enabled(Box<Code>),
    PcValue(Box<Code>),
    RemoteLabel(Box<Remote>, RemoteState),
    RemoteVar(Box<Remote>, Target),
}

/// The state of a label in another process; its number is known when all processes are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RemoteState(pub(crate) u32);

/// A process that is named by its proctype, and by its pid where there can be several.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Remote {
    pub(crate) proctype: u8,
    pub(crate) pid: Option<Code>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Poll {
    pub(crate) channel: Code,
    pub(crate) arguments: Vec<Option<Code>>,
    pub(crate) random: bool,
}

/// What a receive does with a field.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Receive {
    Store(Target),
    Match(Code),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    /// Does nothing: `skip`, and jumps that are steps of their own.
    Skip,
    /// Prints, when a counterexample is shown.
    Print(Name, Vec<Code>),
    Condition(Code),
    Else,
    Assign(Target, Code),
    /// Initial values of an array that is declared among statements.
    Fill(Vec<(Place, i32)>),
    Run {
        proctype: u8,
        arguments: Vec<Code>,
        result: Option<Target>,
    },
    Send {
        channel: Code,
        arguments: Vec<Code>,
        sorted: bool,
    },
    Receive {
        channel: Code,
        arguments: Vec<Receive>,
        random: bool,
        keep: bool,
    },
    Assert(Code),
    /// The process dies, if it is the youngest.
    End,
    /// Statements that are one step: where they begin among the states of the proctype.
    DStep(u32),
}

/// A step that a process can take.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) op: Op,
    /// The state after it; [`EXIT`] within a `d_step` that it ends.
    pub(crate) to: u32,
    /// The process goes on alone after it.
    pub(crate) atomic: bool,
    /// The escape that it begins, from 1; 0 for others.
    pub(crate) escape: u32,
    /// Variables that nobody reads again before they are written.
    pub(crate) dead: Vec<Place>,
    pub(crate) pos: Pos,
}

/// Where a `d_step` ends.
pub(crate) const EXIT: u32 = u32::MAX;

/// A control state.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) transitions: Vec<Transition>,
    pub(crate) is_end: bool,
    pub(crate) is_accepting: bool,
    pub(crate) is_progress: bool,
}

/// A kind of channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChannelType {
    pub(crate) capacity: u32,
    pub(crate) fields: Vec<Width>,
    pub(crate) message: u32,
}

impl ChannelType {
    /// Bytes of the state that it takes: the number of messages, and room for all that there can be.
    pub(crate) fn size(&self) -> u32 {
        if self.capacity == 0 { 0 } else { 1 + self.capacity * self.message }
    }
}

/// How a variable begins.
#[derive(Clone, Debug)]
pub(crate) enum Setup {
    Value(Place, Code),
    /// The next channel; the variable holds its number.
    Channel(Place, u16),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) place: Place,
    pub(crate) length: Option<u32>,
    pub(crate) stride: u32,
    pub(crate) is_mtype: bool,
}

/// A proctype, ready to be run.
#[derive(Clone, Debug)]
pub(crate) struct Proctype {
    pub(crate) name: Name,
    /// Where its text ends.
    pub(crate) end: Pos,
    pub(crate) parameters: Vec<Place>,
    pub(crate) setup: Vec<Setup>,
    pub(crate) provided: Option<Code>,
    pub(crate) states: Vec<State>,
    /// The same for processes with the first pids, where these make a difference.
    pub(crate) by_pid: Vec<Vec<State>>,
    pub(crate) initial: u32,
    /// Bytes of its variables, behind its proctype and state.
    pub(crate) frame: u32,
    /// Channels of its own, which lie behind the frame.
    pub(crate) channels: Vec<u16>,
    pub(crate) variables: Vec<Variable>,
}

impl Proctype {
    /// Its name as people know it.
    pub(crate) fn shown_name(&self) -> &str {
        if &*self.name == ":init:" { "init" } else { &self.name }
    }
}

/// Bytes before a process's variables: its proctype, and its state in two.
pub(crate) const HEAD: u32 = 3;
