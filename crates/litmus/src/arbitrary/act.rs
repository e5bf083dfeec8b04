//! What a deed is in a program: an action on an object.

use super::gene::{Deed, Genes};
use super::grow::{A, B, C, D, Growing, K, L, M, P, Q, S, U, X, Y};
use crate::sketch::{Action, BinaryOp, Block, Expr, Local, Place, Selection, Statement};
use model::{Function, Orders};

impl Growing<'_> {
    /// What is done to which object.
    pub(super) fn action(&mut self, deed: Deed, genes: &Genes) -> (Action, Place) {
        let operand = self.operand(genes);
        match deed {
            Deed::Read => (Action::Read, self.variable(genes)),
            Deed::Write => (Action::Write(operand), self.variable(genes)),
            Deed::FetchAdd => (Action::FetchAdd(operand), self.variable(genes)),
            Deed::Swap => (Action::Swap(operand), self.variable(genes)),
            Deed::CompareExchange => {
                let new = Expr::Number(genes.comparison.into());
                (Action::CompareExchange(operand, new), self.variable(genes))
            }
            Deed::Add => (Action::Add(Expr::Number(i64::from(genes.number) + 1)), self.variable(genes)),
            Deed::AwaitEqual => (Action::AwaitEqual(operand), self.variable(genes)),
            Deed::AwaitNotEqual => (Action::AwaitNotEqual(operand), self.variable(genes)),
            Deed::Fetch => {
                // By addition, it is written as the deed above.
                let functions = &Function::ALL[1..];
                let function = functions[usize::from(genes.local) % functions.len()];
                (Action::Fetch(function, operand), self.variable(genes))
            }
            Deed::Upgrade => (Action::Upgrade, self.at(U)),
            Deed::Unwrap => (Action::Unwrap, self.at(U)),
            Deed::Refer => (Action::Add(Expr::Number(if genes.use_local { 1 } else { -1 })), self.at(U)),
            Deed::Drained => (Action::Drained, self.at(U)),
            Deed::CellRead => (Action::CellRead, self.at(Y)),
            Deed::CellWrite => (Action::CellWrite, self.at(Y)),
            Deed::PlainRead => (Action::Read, self.at(Y)),
            Deed::PlainWrite => (Action::Write(operand), self.at(Y)),
            Deed::Lock => (Action::Lock, self.mutex(genes)),
            Deed::TryLock => (Action::TryLock, self.mutex(genes)),
            Deed::Unlock => (Action::Unlock, self.mutex(genes)),
            Deed::ReadLock => (Action::ReadLock, self.at(L)),
            Deed::TryReadLock => (Action::TryReadLock, self.at(L)),
            Deed::ReadUnlock => (Action::ReadUnlock, self.at(L)),
            Deed::WriteLock => (Action::WriteLock, self.at(L)),
            Deed::TryWriteLock => (Action::TryWriteLock, self.at(L)),
            Deed::WriteUnlock => (Action::WriteUnlock, self.at(L)),
            Deed::Downgrade => (Action::Downgrade, self.at(L)),
            Deed::Wait => (Action::Wait(self.at(M)), self.at(C)),
            Deed::WaitTimeout => (Action::WaitTimeout(self.at(M)), self.at(C)),
            Deed::NotifyOne => (Action::NotifyOne, self.at(C)),
            Deed::NotifyAll => (Action::NotifyAll, self.at(C)),
            Deed::Acquire => (Action::Acquire, self.at(S)),
            Deed::TryAcquire => (Action::TryAcquire, self.at(S)),
            Deed::Release => (Action::Release, self.at(S)),
            Deed::Meet => (Action::Meet, self.at(if genes.object < 2 { B } else { D })),
            Deed::CountDown => (Action::CountDown, self.at(K)),
            Deed::PassLatch => (Action::PassLatch, self.at(K)),
            Deed::Init => (Action::Init, self.mortal(genes)),
            Deed::Destroy => (Action::Destroy, self.mortal(genes)),
            Deed::Free => (Action::Free, self.mortal(genes)),
            Deed::Send => {
                (Action::Send { kind: genes.comparison % 2, number: self.number(genes) }, self.mailbox(genes))
            }
            Deed::Receive => (Action::Receive(self.selection(genes)), self.mailbox(genes)),
            Deed::TryReceive => (Action::TryReceive(self.selection(genes)), self.mailbox(genes)),
            Deed::Spin | Deed::EnterAndLeave => unreachable!("{deed:?} is several"),
            Deed::Region | Deed::Fence => unreachable!("{deed:?} is a statement of its own"),
            Deed::Section | Deed::Join | Deed::Yield | Deed::Choose | Deed::Assume | Deed::Assert | Deed::Exit => {
                unreachable!("{deed:?} is on no object")
            }
        }
    }

    pub(super) fn act(&mut self, action: Action, place: Place) -> Statement {
        let result = action.has_result().then(|| self.fresh_value());
        Statement::Act { result, action, orders: Orders::default(), place }
    }

    pub(super) fn fresh_value(&mut self) -> Local {
        let value = self.fresh();
        self.values.push(value);
        value
    }

    /// The inside of a section: reads this guarded cell, writes it, both or nothing.
    pub(super) fn section(&mut self, cell: usize, genes: &Genes) -> Block {
        let (reads, writes) = (genes.comparison & 1 != 0, genes.comparison & 2 != 0);
        let mut inside = Vec::new();
        let mut new = self.operand(genes);
        if reads {
            let cell = self.at(cell);
            inside.push(self.act(Action::Read, cell));
            let read = self.values.last().map_or(Expr::Number(0), |&value| Expr::Local(value));
            new = Expr::Binary(BinaryOp::Add, Box::new(read), Box::new(Expr::Number(1)));
        }
        if writes {
            let cell = self.at(cell);
            inside.push(self.act(Action::Write(new), cell));
        }
        inside
    }

    pub(super) fn at(&mut self, object: usize) -> Place {
        Place { object: self.shared.object(object), index: None }
    }

    /// What has a life: mostly the mutex.
    fn mortal(&mut self, genes: &Genes) -> Place {
        self.at(match genes.local % 8 {
            0 => S,
            1 => C,
            2 => L,
            _ => M,
        })
    }

    fn mutex(&mut self, genes: &Genes) -> Place {
        self.at(M + usize::from(genes.object % 2))
    }

    /// Mostly `p`.
    fn mailbox(&mut self, genes: &Genes) -> Place {
        self.at(if genes.object == 3 { Q } else { P })
    }

    /// The number of a message, kept in range.
    fn number(&self, genes: &Genes) -> Expr {
        match self.operand(genes) {
            number @ Expr::Number(_) => number,
            local => Expr::Binary(BinaryOp::Remainder, Box::new(local), Box::new(Expr::Number(3))),
        }
    }

    fn selection(&self, genes: &Genes) -> Selection {
        match genes.comparison {
            0 => Selection::any(),
            1 => Selection::of_kind(genes.number % 2),
            2 => Selection::of_number(self.number(genes)),
            _ => Selection { kinds: vec![genes.object % 2], number: Some(self.number(genes)) },
        }
    }

    /// Mostly `x`. The index of `a` is kept in range, as one out of range would end most runs at once.
    fn variable(&mut self, genes: &Genes) -> Place {
        match genes.object {
            0 | 1 => self.at(X),
            2 => self.at(Y),
            _ => {
                let index = match self.operand(genes) {
                    Expr::Number(n) => Expr::Number(n % 2),
                    local => Expr::Binary(BinaryOp::Remainder, Box::new(local), Box::new(Expr::Number(2))),
                };
                Place { object: self.shared.object(A), index: Some(index) }
            }
        }
    }
}
