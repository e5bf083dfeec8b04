//! Expressions, registers and jumps.

use super::{BodyCompiler, Result};
use crate::code::{Address, Instruction, Register};
use crate::sketch::{BinaryOp, Expr, Local};

impl BodyCompiler<'_, '_> {
    pub(super) fn jump_unless(&mut self, condition: &Expr) -> Result<usize> {
        let jump = match condition {
            Expr::Binary(op, a, b) if op.precedence() == BinaryOp::Equal.precedence() => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                Instruction::JumpUnless { op: *op, a, b, to: 0 }
            }
            _ => Instruction::JumpIfZero { condition: self.evaluate(condition)?, to: 0 },
        };
        self.emit(jump);
        Ok(self.code.instructions.len() - 1)
    }

    pub(super) fn evaluate(&mut self, value: &Expr) -> Result<Register> {
        match value {
            Expr::Number(n) => Ok(self.constant(*n)),
            Expr::Local(local) => self.local(*local),
            _ => {
                let to = self.temporary();
                self.evaluate_into(to, value)?;
                Ok(to)
            }
        }
    }

    pub(super) fn evaluate_into(&mut self, to: Register, value: &Expr) -> Result<()> {
        let instruction = match value {
            Expr::Number(_) | Expr::Local(_) => Instruction::Copy { to, from: self.evaluate(value)? },
            Expr::Not(operand) => Instruction::Not { to, from: self.evaluate(operand)? },
            Expr::Negate(operand) => Instruction::Negate { to, from: self.evaluate(operand)? },
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                Instruction::Binary { op: *op, to, a, b }
            }
        };
        self.emit(instruction);
        Ok(())
    }

    pub(super) fn local(&self, local: Local) -> Result<Register> {
        if local.0 as usize >= self.body.locals.len() {
            return Err(self.error("no such local"));
        }
        Ok((local.0 + 1) as Register)
    }

    pub(super) fn constant(&mut self, value: i64) -> Register {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let register = self.register(value);
        self.constants.insert(value, register);
        register
    }

    /// A register that is free again at the next statement.
    pub(super) fn temporary(&mut self) -> Register {
        self.temporaries_in_use += 1;
        if self.temporaries_in_use > self.temporaries.len() {
            let register = self.register(0);
            self.temporaries.push(register);
        }
        self.temporaries[self.temporaries_in_use - 1]
    }

    /// A new register. That there are not too many is checked at the end of the body.
    pub(super) fn register(&mut self, initial: i64) -> Register {
        self.registers.push(initial);
        (self.registers.len() - 1) as Register
    }

    pub(super) fn here(&self) -> Address {
        self.code.instructions.len() as Address
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
        self.code.sites_of.push(self.site);
    }

    /// Gives a jump its target: here.
    pub(super) fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.code.instructions[jump] {
            Instruction::Jump(to) | Instruction::JumpIfZero { to, .. } | Instruction::JumpUnless { to, .. } => {
                *to = here
            }
            other => unreachable!("{other:?} is no jump"),
        }
    }
}
