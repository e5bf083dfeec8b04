//! Operators on locals and expressions.

use crate::sketch::{BinaryOp, Expr, Local};
use std::ops;

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Number(value)
    }
}

impl From<Local> for Expr {
    fn from(local: Local) -> Expr {
        Expr::Local(local)
    }
}

/// Comparisons and connectives: they make an expression that the program evaluates, not a `bool`.
pub trait Operand: Into<Expr> + Sized {
    /// `self == other`
    fn is(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::Equal, self, other)
    }
    /// `self != other`
    fn differs(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::NotEqual, self, other)
    }
    /// `self < other`
    fn less(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::Less, self, other)
    }
    /// `self <= other`
    fn at_most(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::AtMost, self, other)
    }
    /// `self > other`
    fn more(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::More, self, other)
    }
    /// `self >= other`
    fn at_least(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::AtLeast, self, other)
    }
    /// Both.
    fn and(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::And, self, other)
    }
    /// Either or both.
    fn or(self, other: impl Into<Expr>) -> Expr {
        binary(BinaryOp::Or, self, other)
    }
    /// Whether it is 0.
    fn negated(self) -> Expr {
        Expr::Not(Box::new(self.into()))
    }
}

impl Operand for Local {}
impl Operand for Expr {}

fn binary(op: BinaryOp, a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::Binary(op, Box::new(a.into()), Box::new(b.into()))
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<R: Into<Expr>> ops::$trait<R> for Local {
            type Output = Expr;
            fn $method(self, other: R) -> Expr {
                binary(BinaryOp::$op, self, other)
            }
        }
        impl<R: Into<Expr>> ops::$trait<R> for Expr {
            type Output = Expr;
            fn $method(self, other: R) -> Expr {
                binary(BinaryOp::$op, self, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
    Rem rem Remainder;
}
