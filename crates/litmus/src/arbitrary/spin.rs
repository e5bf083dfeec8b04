//! Loops that wait or retry, for arbitrary programs: what they look at may never come.

use super::gene::Genes;
use super::grow::{Growing, M, X, Y};
use crate::sketch::{Action, BinaryOp, Block, Expr, Local, Place, Statement};
use model::Orders;

fn number(value: i64) -> Expr {
    Expr::Number(value)
}

fn is(local: Local, op: BinaryOp, value: Expr) -> Expr {
    Expr::Binary(op, Box::new(Expr::Local(local)), Box::new(value))
}

fn plus(local: Local, by: i64) -> Expr {
    is(local, BinaryOp::Add, number(by))
}

fn when(condition: Expr, then: Block) -> Statement {
    Statement::If(condition, then, Vec::new())
}

fn leave_if(condition: Expr) -> Statement {
    when(condition, vec![Statement::Break])
}

fn keep(result: Local, action: Action, place: &Place) -> Statement {
    Statement::Act { result: Some(result), action, orders: Orders::default(), place: place.clone() }
}

fn act(action: Action, place: &Place) -> Statement {
    Statement::Act { result: None, action, orders: Orders::default(), place: place.clone() }
}

/// How many sorts of loops there are.
const SORTS: u8 = 13;

impl Growing<'_> {
    /// A loop that ends when what it looks at is as wanted.
    pub(super) fn spin(&mut self, genes: &Genes, block: &mut Block) {
        if !self.take(3) {
            return;
        }
        let at = |growing: &mut Self, other: bool| growing.at(if (genes.object % 2 == 1) != other { Y } else { X });
        let x = at(self, false);
        let wanted = i64::from(genes.number);
        let new = i64::from(genes.comparison % 3);
        let [r, t] = [self.fresh(), self.fresh()];
        use BinaryOp::{Equal, NotEqual};
        let retry = |locals: [Local; 2]| {
            let [r, t] = locals;
            vec![
                keep(t, Action::Read, &x),
                keep(r, Action::CompareExchange(Expr::Local(t), plus(t, 1)), &x),
                leave_if(is(r, Equal, Expr::Local(t))),
            ]
        };
        match genes.local % SORTS {
            0 => block.push(Statement::Loop(vec![keep(r, Action::Read, &x), leave_if(is(r, Equal, number(wanted)))])),
            1 => block.push(Statement::Loop(vec![
                keep(r, Action::Swap(number(1)), &x),
                leave_if(is(r, NotEqual, number(1))),
            ])),
            2 => block.push(Statement::Loop(vec![
                keep(r, Action::CompareExchange(number(wanted), number(new)), &x),
                leave_if(is(r, Equal, number(wanted))),
            ])),
            3 => block.push(Statement::Loop(retry([r, t]))),
            4 => {
                let mutex = self.at(M);
                block.push(Statement::Loop(vec![
                    act(Action::Lock, &mutex),
                    keep(r, Action::Read, &x),
                    act(Action::Unlock, &mutex),
                    leave_if(is(r, Equal, number(wanted))),
                ]));
            }
            5 => {
                let mutex = self.at(M);
                block.push(Statement::Loop(vec![keep(r, Action::TryLock, &mutex), leave_if(is(r, Equal, number(1)))]));
                if genes.use_local {
                    block.push(act(Action::Write(number(new)), &x));
                }
                block.push(act(Action::Unlock, &mutex));
            }
            6 => {
                let y = at(self, true);
                block.push(Statement::Loop(vec![
                    keep(r, Action::Read, &x),
                    when(
                        is(r, Equal, number(wanted)),
                        vec![keep(t, Action::Read, &y), leave_if(is(t, Equal, number(new)))],
                    ),
                ]));
            }
            // A lock by test-and-test-and-set, given back or not.
            7 => {
                block.push(Statement::Loop(vec![
                    keep(r, Action::Read, &x),
                    when(
                        is(r, NotEqual, number(1)),
                        vec![keep(t, Action::Swap(number(1)), &x), leave_if(is(t, NotEqual, number(1)))],
                    ),
                ]));
                if genes.use_local {
                    block.push(act(Action::Write(number(0)), &x));
                }
            }
            // Gives up after some rounds.
            8 => {
                block.push(Statement::Set(t, number(0)));
                block.push(Statement::Loop(vec![
                    keep(r, Action::Read, &x),
                    leave_if(is(r, Equal, number(wanted))),
                    Statement::Set(t, plus(t, 1)),
                    leave_if(is(t, Equal, number(2))),
                ]));
            }
            // What a failed compare-exchange finds is expected next.
            9 => {
                block.push(keep(t, Action::Read, &x));
                block.push(Statement::Loop(vec![
                    Statement::Set(r, Expr::Local(t)),
                    keep(t, Action::CompareExchange(Expr::Local(r), plus(r, 1)), &x),
                    leave_if(is(t, Equal, Expr::Local(r))),
                ]));
            }
            10 => block.push(Statement::Loop(vec![
                keep(r, Action::Read, &x),
                leave_if(is(r, Equal, number(wanted))),
                Statement::Yield,
            ])),
            // One loop within the other.
            11 => {
                let y = at(self, true);
                block.push(Statement::Loop(vec![
                    Statement::Loop(vec![keep(r, Action::Read, &x), leave_if(is(r, Equal, number(wanted)))]),
                    keep(t, Action::Read, &y),
                    leave_if(is(t, Equal, number(new))),
                ]));
            }
            _ => block.push(Statement::Loop(vec![
                keep(r, Action::FetchAdd(number(0)), &x),
                leave_if(is(r, Equal, number(wanted))),
            ])),
        }
        self.values.push(r);
    }

    /// A loop of whose rounds others can see the middle.
    pub(super) fn enter_and_leave(&mut self, genes: &Genes, block: &mut Block) {
        if !self.take(3) {
            return;
        }
        let (x, y) = if genes.object % 2 == 1 { (Y, X) } else { (X, Y) };
        let x = self.at(x);
        let [r, t] = [self.fresh(), self.fresh()];
        let is_zero = |local: Local| is(local, BinaryOp::Equal, number(0));
        // Takes one flag and tries the other one, which leaves the loop; gives the first one back.
        let try_both = |first: &Place, second: &Place, else_: Block| {
            let mut then = vec![keep(t, Action::Swap(number(1)), second), leave_if(is_zero(t))];
            then.push(act(Action::Write(number(0)), first));
            then.extend(else_);
            vec![keep(r, Action::Swap(number(1)), first), when(is_zero(r), then)]
        };
        match genes.comparison % 4 {
            // Enters, looks how many there are, and leaves again.
            0 | 1 => {
                return block.push(Statement::Loop(vec![
                    keep(r, Action::FetchAdd(number(1)), &x),
                    leave_if(is(r, BinaryOp::Equal, number(i64::from(genes.number % 2)))),
                    act(Action::FetchAdd(number(-1)), &x),
                ]));
            }
            2 => {
                let y = self.at(y);
                block.push(Statement::Loop(try_both(&x, &y, Vec::new())));
            }
            // Begins with the other one when it has failed, as `std::lock` does.
            _ => {
                let y = self.at(y);
                let other = try_both(&y, &x, Vec::new());
                block.push(Statement::Loop(try_both(&x, &y, other)));
            }
        }
        if genes.use_local {
            block.push(act(Action::Write(number(0)), &x));
        }
    }
}
