//! A model as it is written, after macros and inlines were put in.

use crate::text::Pos;
use std::sync::Arc;

pub(crate) type Name = Arc<str>;

/// The types of variables and of message fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bit,
    Byte,
    Short,
    Int,
    Unsigned(u32),
    Mtype,
    Chan,
    /// A `typedef`.
    Struct(Name),
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ast {
    /// In the order of the text: the initial values of later ones may use earlier ones.
    pub(crate) globals: Vec<Decl>,
    pub(crate) structs: Vec<StructDecl>,
    pub(crate) proctypes: Vec<Proctype>,
    pub(crate) claims: Vec<Claim>,
    /// Names of messages, by their values: those of one `mtype` list count from 1.
    pub(crate) mtypes: Vec<(Name, i32)>,
}

#[derive(Clone, Debug)]
pub(crate) struct StructDecl {
    pub(crate) name: Name,
    pub(crate) fields: Vec<Decl>,
}

/// One variable.
#[derive(Clone, Debug)]
pub(crate) struct Decl {
    pub(crate) pos: Pos,
    pub(crate) name: Name,
    pub(crate) kind: Type,
    /// How many elements, if it is an array.
    pub(crate) array: Option<u32>,
    pub(crate) hidden: bool,
    pub(crate) initial: Initial,
}

#[derive(Clone, Debug)]
pub(crate) enum Initial {
    Zero,
    Value(Expr),
    Elements(Vec<i32>),
    Channel(ChannelDecl),
}

#[derive(Clone, Debug)]
pub(crate) struct ChannelDecl {
    pub(crate) capacity: u32,
    pub(crate) fields: Vec<Type>,
}

/// How much of a model stands before a part of it. Nothing else can be named there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) globals: usize,
    pub(crate) proctypes: usize,
}

impl Seen {
    pub(crate) const ALL: Seen = Seen { globals: usize::MAX, proctypes: usize::MAX };
}

#[derive(Clone, Debug)]
pub(crate) struct Proctype {
    pub(crate) pos: Pos,
    /// Where its body is closed.
    pub(crate) end: Pos,
    pub(crate) name: Name,
    /// How many run from the start.
    pub(crate) active: u32,
    pub(crate) parameters: Vec<Decl>,
    pub(crate) provided: Option<Expr>,
    pub(crate) body: Block,
    pub(crate) seen: Seen,
}

/// What must never happen.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) name: Name,
    pub(crate) pos: Pos,
    pub(crate) kind: ClaimKind,
    pub(crate) seen: Seen,
}

#[derive(Clone, Debug)]
pub(crate) enum ClaimKind {
    /// A `never` claim: an automaton that must have no accepting run.
    Never(Block),
    /// A formula that must hold.
    Ltl(Expr),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) steps: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) pos: Pos,
    pub(crate) kind: StmtKind,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Decl(Vec<Decl>),
    /// `xr` and `xs`.
    Exclusive,
    Label(Name, Box<Stmt>),
    Assign(VarRef, Expr),
    /// `++` and `--`, with the value as of an assignment. To SPIN, nobody looks at a variable by these.
    Step(VarRef, Expr),
    /// An expression as a statement: it waits until it is not 0.
    Expr(Expr),
    Send {
        channel: VarRef,
        arguments: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        channel: VarRef,
        arguments: Vec<Argument>,
        random: bool,
        keep: bool,
    },
    Print {
        format: Name,
        arguments: Vec<Expr>,
    },
    Printm(Expr),
    Assert(Expr),
    Else,
    Goto(Name),
    Break,
    If(Vec<Block>),
    Do(Vec<Block>),
    Atomic(Block),
    DStep(Block),
    Block(Block),
    Unless(Box<Stmt>, Box<Stmt>),
    /// `for (variable : from .. to) { body }`.
    For {
        variable: VarRef,
        from: Expr,
        to: Expr,
        body: Block,
    },
    /// `for (variable in of) { body }`.
    ForIn {
        variable: VarRef,
        of: VarRef,
        body: Block,
    },
    Select {
        variable: VarRef,
        from: Expr,
        to: Expr,
    },
}

/// What a receive does with a field of the message.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Store(VarRef),
    /// The field must be equal to this.
    Match(Expr),
}

/// `name[index].name[index]…`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VarRef {
    pub(crate) pos: Pos,
    pub(crate) parts: Vec<(Name, Option<Expr>)>,
}

impl VarRef {
    pub(crate) fn simple(pos: Pos, name: Name) -> Self {
        VarRef { pos, parts: vec![(name, None)] }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    ShiftLeft,
    ShiftRight,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    // Of formulas only.
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Not,
    Minus,
    Complement,
    // Of formulas only.
    Next,
    Always,
    Eventually,
}

/// Questions about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Probe {
    Len,
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    Const(i32),
    Var(VarRef),
    Unary(Unary, Box<Expr>),
    Binary(Pos, Binary, Box<Expr>, Box<Expr>),
    Condition(Box<[Expr; 3]>),
    Run(Pos, Name, Vec<Expr>),
    Probe(Probe, VarRef),
    /// `channel?[arguments]`.
    Poll {
        channel: VarRef,
        arguments: Vec<PollArgument>,
        random: bool,
    },
    Enabled(Pos, Box<Expr>),
    PcValue(Pos, Box<Expr>),
    Timeout,
    NonProgress(Pos),
    RemoteLabel {
        pos: Pos,
        proctype: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    RemoteVar {
        proctype: Name,
        pid: Option<Box<Expr>>,
        variable: VarRef,
    },
}

/// A field of a polled message: any value, or an equal one.
pub(crate) type PollArgument = Option<Expr>;
