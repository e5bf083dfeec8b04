//! Memory orders: what an operation asks of the memory beside its value.

use std::fmt;
use std::str::FromStr;

/// The order of one access or fence, in the words of C11 and Rust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Order {
    /// Not atomic: unordered with another access of which one writes, this is a data race.
    Plain,
    /// Atomic, and nothing else.
    Relaxed,
    /// What the read sees was released before.
    Acquire,
    /// Whoever acquires the write sees what was done before.
    Release,
    /// Both.
    AcqRel,
    /// Both, and one order of all such operations.
    #[default]
    SeqCst,
}

impl Order {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [Order; 6] =
        [Order::Plain, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Order::Plain => "plain",
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }

    /// Whether this order asks for all that the other does.
    pub fn includes(self, other: Order) -> bool {
        self >= other && (self.acquires() || !other.acquires()) && (self.releases() || !other.releases())
    }

    /// Whether a read or fence of this order acquires.
    #[inline]
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write or fence of this order releases.
    #[inline]
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Order {
    type Err = ();

    fn from_str(text: &str) -> Result<Order, ()> {
        Order::ALL.into_iter().find(|order| order.name() == text).ok_or(())
    }
}

/// The orders of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Orders {
    /// When it does what it is named for.
    pub success: Order,
    /// Of a compare-exchange that finds another value.
    pub failure: Order,
}

impl Orders {
    /// An order, and what is left of it when nothing is written.
    pub const fn of(success: Order) -> Self {
        let failure = match success {
            Order::Release => Order::Relaxed,
            Order::AcqRel => Order::Acquire,
            order => order,
        };
        Orders { success, failure }
    }

    /// Whether nothing stronger can be asked for.
    #[inline]
    pub fn are_seq_cst(self) -> bool {
        self.success == Order::SeqCst && self.failure == Order::SeqCst
    }
}

impl Default for Orders {
    fn default() -> Self {
        Orders::of(Order::SeqCst)
    }
}
