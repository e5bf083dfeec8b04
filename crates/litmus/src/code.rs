//! What a sketch is compiled to: flat code over registers.
//!
//! A body's registers are its locals, its temporaries and its constants, so that every operand is a register and no
//! instruction has to ask what an operand is. A thread's registers start as a copy of its body's.

use crate::sketch::{BinaryOp, ObjectKind};
use model::{Function, ObjectId, Orders, Site, State};

/// A register, counted from the start of its thread's.
pub(crate) type Register = u16;
/// An index into [`Code::instructions`].
pub(crate) type Address = u32;

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// The site of each instruction; apart, because only failures ask.
    pub(crate) sites_of: Vec<Site>,
    pub(crate) visibles: Vec<Visible>,
    pub(crate) guarded: Vec<Guarded>,
    /// Arguments of spawns: runs of registers that [`What::Spawn`] points into.
    pub(crate) arguments: Vec<Register>,
    pub(crate) bodies: Vec<BodyCode>,
    /// The bodies of the initial threads.
    pub(crate) initial: Vec<usize>,
    /// The objects' words at the start.
    pub(crate) words: Vec<State>,
    /// The guarded cells at the start.
    pub(crate) cells: Vec<i64>,
    pub(crate) messages: Vec<String>,
    /// What each object is called, and is.
    pub(crate) objects: Vec<(String, ObjectKind)>,
    /// The text of each site.
    pub(crate) sites: Vec<String>,
    /// Where the arms of selections start.
    pub(crate) arms: Vec<Address>,
    /// Whether objects are initialised, destroyed or freed.
    pub(crate) has_lives: bool,
    /// For each of `visibles`, the registers that its thread can still read when it is about to perform it.
    pub(crate) live: Vec<Box<[Register]>>,
}

/// Where a body starts and what its registers start as.
#[derive(Clone, Debug)]
pub(crate) struct BodyCode {
    pub(crate) name: String,
    pub(crate) entry: Address,
    pub(crate) registers: Vec<i64>,
}

/// One instruction. All but [`Instruction::Visible`] and [`Instruction::Select`] are local.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Visible(u32),
    Copy {
        to: Register,
        from: Register,
    },
    Not {
        to: Register,
        from: Register,
    },
    Negate {
        to: Register,
        from: Register,
    },
    Binary {
        op: BinaryOp,
        to: Register,
        a: Register,
        b: Register,
    },
    Jump(Address),
    JumpIfZero {
        condition: Register,
        to: Address,
    },
    /// Goes to `to` unless `a op b`.
    JumpUnless {
        op: BinaryOp,
        a: Register,
        b: Register,
        to: Address,
    },
    /// Reads the cell that this entry of [`Code::guarded`] tells.
    Load {
        to: Register,
        guarded: u32,
    },
    /// Writes the cell that this entry of [`Code::guarded`] tells.
    Store {
        from: Register,
        guarded: u32,
    },
    /// So many of [`Code::arms`] from this one on: the thread asks for the first operation of each.
    Select {
        first: u32,
        count: u16,
    },
    Assume(Register),
    Assert {
        condition: Register,
        message: u32,
    },
    End,
}

/// A visible operation: how to work out the [`model::Op`] and where its result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visible {
    pub(crate) what: What,
    pub(crate) object: Cells,
    pub(crate) result: Register,
    pub(crate) keep: Keep,
    pub(crate) site: Site,
    pub(crate) orders: Orders,
}

/// One of a run of objects or of guarded cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// Holds which of them.
    pub(crate) index: Register,
}

impl Cells {
    /// No object: `get` of it is [`ObjectId::NONE`].
    pub(crate) const NONE: Cells = Cells { first: ObjectId::NONE.0, len: 1, index: ZERO };
}

/// The register that every body keeps at 0.
pub(crate) const ZERO: Register = 0;

/// An access of a guarded cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    pub(crate) cells: Cells,
    /// When guarded element by element: which mutex's section this is in.
    pub(crate) section: Option<Register>,
}

/// What is kept in the result register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep {
    Nothing,
    /// The object's word before.
    Before,
    /// Whether it was done rather than refused.
    Success,
    /// The number of the message that was received, or -1.
    Message,
    /// The chosen alternative.
    Alternative,
    /// Of a pass: whether the arrival before it was the last of its meeting; the register holds how many came before.
    WasLast {
        parties: u32,
        arrivals: Register,
    },
    /// The handle of the thread that was created.
    Child,
}

/// Which messages are received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
    pub(crate) kinds: model::Pattern,
    /// Holds the number that a message must have, if it must have one.
    pub(crate) number: Option<Register>,
}

/// The operation, with the registers of its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// An operation with no operand.
    Plain(model::OpKind),
    Write(Register),
    PlainWrite(Register),
    FetchAdd(Register),
    Fetch(Function, Register),
    Swap(Register),
    CompareExchange(Register, Register),
    Add(Register),
    AwaitEqual(Register),
    AwaitNotEqual(Register),
    /// The mutex to release.
    Wait(Cells),
    /// The condition variable waited on.
    Relock(Cells),
    /// The message's number is in this register.
    Send {
        kind: u8,
        number: Register,
    },
    Receive(Selection),
    TryReceive(Selection),
    Arrive {
        parties: u32,
        ordered: bool,
    },
    /// The register holds how many came to the barrier before this thread.
    Pass {
        parties: u32,
        arrivals: Register,
    },
    Spawn {
        body: u32,
        first_argument: u32,
        arguments: u16,
    },
    Join(Register),
}
