//! A concurrent program as a tree: what the builder makes, the notation is read into and printed from, the compiler
//! takes, and fuzzing grows and shrinks.
//!
//! Locals and objects are small numbers into tables of names, so that handles to them are `Copy` and compiling needs no
//! symbol table. A sketch is only a shape: that names are unique, indices in range and objects of the right kind is
//! checked when it is [compiled](crate::LitmusProgram::new).

use model::{Function, Order, Orders};

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sketch {
    /// The shared objects and guarded cells.
    pub objects: Vec<Declaration>,
    /// Bodies that can be spawned by name.
    pub templates: Vec<Template>,
    /// The threads that exist from the start, in the order in which they are created.
    pub threads: Vec<Thread>,
}

/// One object, or an array of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// How many there are, if it is an array.
    pub size: Option<u32>,
    /// Nothing for all zero, one value for all elements, or one for each element.
    pub initial: Vec<i64>,
}

impl Declaration {
    /// How many objects this declares.
    pub fn len(&self) -> u32 {
        self.size.unwrap_or(1)
    }

    /// Whether it declares nothing: an array of no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The initial value of an element.
    pub fn initial_of(&self, element: u32) -> i64 {
        match self.initial[..] {
            [] => 0,
            [all] => all,
            ref each => each[element as usize],
        }
    }
}

/// The kinds of object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A shared variable: every access is an event.
    Variable,
    /// A mutex.
    Mutex,
    /// A reader-writer lock.
    RwLock,
    /// A condition variable.
    Condvar,
    /// A counting semaphore.
    Semaphore,
    /// A latch that is counted down.
    Latch,
    /// Memory that is touched by atomic sections only.
    Region,
    /// A mailbox.
    Mailbox,
    /// A barrier.
    Barrier {
        /// How many threads meet.
        parties: u32,
    },
    /// Plain memory that only sections of its mutex or region touch: no access is an event. An array guarded by an array of the
    /// same size is guarded element by element; by one mutex, as a whole.
    Guarded {
        /// The mutexes, as an index into [`Sketch::objects`].
        by: ObjectRef,
    },
}

/// A declaration, as an index into [`Sketch::objects`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObjectRef(pub u32);

/// A local of a body, as an index into [`Body::locals`]. Locals start at 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Local(pub u32);

/// A body with parameters, to be spawned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// What its threads are called.
    pub name: String,
    /// How many of the body's first locals are set by the spawner.
    pub parameters: usize,
    /// What its threads do.
    pub body: Body,
}

/// A thread that exists from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// What it is called; without a name, by its number.
    pub name: Option<String>,
    /// What it does.
    pub body: Body,
}

/// What one thread does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The names of its locals.
    pub locals: Vec<String>,
    /// Its statements.
    pub block: Block,
}

/// Statements, one after the other.
pub type Block = Vec<Statement>;

/// One object: a declared one or an element of a declared array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which declaration.
    pub object: ObjectRef,
    /// Which element, if it is an array.
    pub index: Option<Expr>,
}

/// One statement. At most one operation of each is visible to other threads, apart from the statements inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Computes a local.
    Set(Local, Expr),
    /// An operation on an object.
    Act {
        /// Where the operation's result goes, if it has one and it is wanted.
        result: Option<Local>,
        /// What is done.
        action: Action,
        /// In which memory orders; only accesses of variables have others than the default.
        orders: Orders,
        /// To which object.
        place: Place,
    },
    /// A fence of this memory order.
    Fence(Order),
    /// A critical section of a mutex in one step, or an atomic section of a region: only local statements and guarded cells
    /// inside.
    Section(Place, Block),
    /// Creates a thread.
    Spawn {
        /// Where its handle goes, if wanted.
        handle: Option<Local>,
        /// What it does.
        what: Spawned,
    },
    /// Waits for the end of a thread: a handle, or the number of an initial thread.
    Join(Expr),
    /// A step that does nothing.
    Yield,
    /// A number from 0, chosen by the checker.
    Choose {
        /// Where it goes, if wanted.
        result: Option<Local>,
        /// How many there are to choose from.
        alternatives: u32,
    },
    /// Waits until the first statement of one of these blocks can be done, and goes on by one of those of which it can.
    Select(Vec<Block>),
    /// Cuts the run unless this is not 0.
    Assume(Expr),
    /// Fails with a message unless this is not 0.
    Assert(Expr, String),
    /// Ends the thread.
    Exit,
    /// One block or the other.
    If(Expr, Block, Block),
    /// A block again and again, until a break.
    Loop(Block),
    /// Leaves the innermost loop.
    Break,
}

/// What a spawned thread does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spawned {
    /// A template (an index into [`Sketch::templates`]) with arguments.
    Template(usize, Vec<Expr>),
    /// A body of its own, which sees none of the spawner's locals.
    Inline(Body),
}

/// What can be done to an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Reads a variable or guarded cell.
    Read,
    /// Writes a variable or guarded cell.
    Write(Expr),
    /// Adds to a variable; the result is the value before.
    FetchAdd(Expr),
    /// Computes a variable's value anew from this number; the result is the value before.
    Fetch(Function, Expr),
    /// Replaces a variable's value; the result is the value before.
    Swap(Expr),
    /// Writes the second value if the variable has the first; the result is the value found.
    CompareExchange(Expr, Expr),
    /// Adds to a variable without looking at it.
    Add(Expr),
    /// One reference more to what a variable counts, if there is any; the result is whether there was.
    Upgrade,
    /// The only reference to what a variable counts goes; the result is whether it was the only one.
    Unwrap,
    /// Waits until nothing refers any more to what a variable counts.
    Drained,
    /// Reads a variable as a plain cell, whose value does not matter.
    CellRead,
    /// Writes a variable as a plain cell, which keeps its value.
    CellWrite,
    /// Waits until the variable has this value; the result is the value.
    AwaitEqual(Expr),
    /// Waits until the variable has another value; the result is the value.
    AwaitNotEqual(Expr),
    /// Acquires a mutex.
    Lock,
    /// Tries to acquire a mutex; the result is whether it did.
    TryLock,
    /// Releases a mutex.
    Unlock,
    /// Acquires a reader-writer lock, shared.
    ReadLock,
    /// Tries to acquire a reader-writer lock, shared; the result is whether it did.
    TryReadLock,
    /// Releases a reader-writer lock held shared.
    ReadUnlock,
    /// Acquires a reader-writer lock, exclusive.
    WriteLock,
    /// Tries to acquire a reader-writer lock, exclusive; the result is whether it did.
    TryWriteLock,
    /// Releases a reader-writer lock held exclusive.
    WriteUnlock,
    /// Holds a reader-writer lock shared that was held exclusive.
    Downgrade,
    /// Releases this mutex, waits on the condition variable, and acquires the mutex again: two steps.
    Wait(Place),
    /// The same, until time is up, which may be at any time; the result is whether it was.
    WaitTimeout(Place),
    /// Wakes one waiter.
    NotifyOne,
    /// Wakes all waiters.
    NotifyAll,
    /// Takes one from a semaphore.
    Acquire,
    /// Tries to take one from a semaphore; the result is whether it did.
    TryAcquire,
    /// Gives one to a semaphore.
    Release,
    /// Arrives at a barrier and goes on when all have arrived: two steps. The result is 1 for the last to arrive, else 0.
    Meet,
    /// Counts a latch down.
    CountDown,
    /// Waits until a latch is open.
    PassLatch,
    /// Brings an object to life.
    Init,
    /// Ends the life of an object.
    Destroy,
    /// Gives the memory of an object back.
    Free,
    /// Sends a message to a mailbox.
    Send {
        /// The kind of the message.
        kind: u8,
        /// Its number, which is also its key.
        number: Expr,
    },
    /// Waits for a message; the result is the number of the oldest that matches.
    Receive(Selection),
    /// Receives a message if one matches; the result is its number, or -1.
    TryReceive(Selection),
}

/// Which messages a receive takes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Those of these kinds; of any, if there are none.
    pub kinds: Vec<u8>,
    /// Those with this number, if one is given.
    pub number: Option<Expr>,
}

impl Selection {
    /// Every message.
    pub fn any() -> Self {
        Selection::default()
    }

    /// Messages of this kind.
    pub fn of_kind(kind: u8) -> Self {
        Selection { kinds: vec![kind], number: None }
    }

    /// Messages with this number.
    pub fn of_number(number: impl Into<Expr>) -> Self {
        Selection { kinds: Vec::new(), number: Some(number.into()) }
    }
}

/// A computation on locals. Truth is 1 and falsehood 0; anything but 0 counts as true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant.
    Number(i64),
    /// A local's value.
    Local(Local),
    /// 1 if the operand is 0, else 0.
    Not(Box<Expr>),
    /// The operand with the other sign.
    Negate(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Operators. Arithmetic wraps; division is Euclidean, so that a remainder is never negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOp {
    /// All of them, for parsing and generating.
    pub const ALL: [BinaryOp; 13] = {
        use BinaryOp::*;
        [Or, And, Equal, NotEqual, Less, AtMost, More, AtLeast, Add, Subtract, Multiply, Divide, Remainder]
    };

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Or => "||",
            And => "&&",
            Equal => "==",
            NotEqual => "!=",
            Less => "<",
            AtMost => "<=",
            More => ">",
            AtLeast => ">=",
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            Remainder => "%",
        }
    }

    /// How tightly it binds: more is tighter.
    pub fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Or => 1,
            And => 2,
            Equal | NotEqual | Less | AtMost | More | AtLeast => 3,
            Add | Subtract => 4,
            Multiply | Divide | Remainder => 5,
        }
    }

    /// The value; `None` when dividing by zero.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        use BinaryOp::*;
        Some(match self {
            Or => i64::from(a != 0 || b != 0),
            And => i64::from(a != 0 && b != 0),
            Equal => i64::from(a == b),
            NotEqual => i64::from(a != b),
            Less => i64::from(a < b),
            AtMost => i64::from(a <= b),
            More => i64::from(a > b),
            AtLeast => i64::from(a >= b),
            Add => a.wrapping_add(b),
            Subtract => a.wrapping_sub(b),
            Multiply => a.wrapping_mul(b),
            Divide if b != 0 => a.wrapping_div_euclid(b),
            Remainder if b != 0 => a.wrapping_rem_euclid(b),
            Divide | Remainder => return None,
        })
    }
}

impl Action {
    /// Whether it can be done in these memory orders.
    pub fn allows(&self, orders: Orders) -> bool {
        use Action::*;
        let Orders { success, failure } = orders;
        match self {
            Read => !matches!(success, Order::Release | Order::AcqRel),
            Write(_) => !matches!(success, Order::Acquire | Order::AcqRel),
            AwaitEqual(_) | AwaitNotEqual(_) => !matches!(success, Order::Plain | Order::Release | Order::AcqRel),
            FetchAdd(_) | Fetch(..) | Swap(_) | Add(_) => success != Order::Plain,
            CompareExchange(..) => {
                success != Order::Plain && !matches!(failure, Order::Plain | Order::Release | Order::AcqRel)
            }
            _ => !self.has_orders() && orders == Orders::default(),
        }
    }

    /// Whether it is an access of a variable, which has memory orders.
    pub fn has_orders(&self) -> bool {
        use Action::*;
        match self {
            Read | Write(_) | AwaitEqual(_) | AwaitNotEqual(_) | Add(_) => true,
            FetchAdd(_) | Fetch(..) | Swap(_) | CompareExchange(..) => true,
            Upgrade | Unwrap | Drained | CellRead | CellWrite | Lock | TryLock | Unlock => false,
            ReadLock | TryReadLock | ReadUnlock | WriteLock | TryWriteLock | WriteUnlock | Downgrade => false,
            Wait(_) | WaitTimeout(_) | NotifyOne | NotifyAll | Acquire | TryAcquire | Release | Meet => false,
            CountDown | PassLatch | Init | Destroy | Free | Send { .. } | Receive(_) | TryReceive(_) => false,
        }
    }

    /// Whether a result can be kept in a local.
    pub fn has_result(&self) -> bool {
        use Action::*;
        match self {
            Read | FetchAdd(_) | Fetch(..) | Swap(_) | CompareExchange(..) | AwaitEqual(_) | AwaitNotEqual(_) => true,
            Upgrade | Unwrap | WaitTimeout(_) => true,
            TryLock | TryReadLock | TryWriteLock | TryAcquire | Receive(_) | TryReceive(_) | Meet => true,
            Write(_) | Add(_) | Lock | Unlock | ReadLock | ReadUnlock | WriteLock | WriteUnlock => false,
            Wait(_) | NotifyOne | NotifyAll | Acquire | Release | Send { .. } => false,
            Drained | CellRead | CellWrite | Downgrade | CountDown | PassLatch | Init | Destroy | Free => false,
        }
    }

    /// Whether it applies to objects of this kind.
    pub fn fits(&self, kind: ObjectKind) -> bool {
        use Action::*;
        match self {
            Read | Write(_) => matches!(kind, ObjectKind::Variable | ObjectKind::Guarded { .. }),
            FetchAdd(_) | Fetch(..) | Swap(_) | CompareExchange(..) | Add(_) | AwaitEqual(_) | AwaitNotEqual(_) => {
                kind == ObjectKind::Variable
            }
            Upgrade | Unwrap | Drained | CellRead | CellWrite => kind == ObjectKind::Variable,
            Lock | TryLock | Unlock => kind == ObjectKind::Mutex,
            ReadLock | TryReadLock | ReadUnlock | WriteLock | TryWriteLock | WriteUnlock | Downgrade => {
                kind == ObjectKind::RwLock
            }
            Wait(_) | WaitTimeout(_) | NotifyOne | NotifyAll => kind == ObjectKind::Condvar,
            Acquire | TryAcquire | Release => kind == ObjectKind::Semaphore,
            Meet => matches!(kind, ObjectKind::Barrier { .. }),
            CountDown | PassLatch => kind == ObjectKind::Latch,
            Init | Destroy | Free => match kind {
                ObjectKind::Mutex | ObjectKind::RwLock | ObjectKind::Condvar | ObjectKind::Semaphore => true,
                ObjectKind::Barrier { .. } => true,
                ObjectKind::Variable | ObjectKind::Latch | ObjectKind::Region => false,
                ObjectKind::Mailbox | ObjectKind::Guarded { .. } => false,
            },
            Send { .. } | Receive(_) | TryReceive(_) => kind == ObjectKind::Mailbox,
        }
    }
}
