//! Expressions and formulas.

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, PollArgument, Probe, Unary, VarRef};
use crate::lexer::Kind;
use crate::text::Problem;
use std::sync::Arc;

/// Binary operators by how strongly they bind, the weakest first; those of formulas are in between.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    // Level of `until`.
    &[],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[("<", Binary::Lt), (">", Binary::Gt), ("<=", Binary::Le), (">=", Binary::Ge)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

/// Where `until` and its kin stand in [`LEVELS`].
const UNTIL: usize = 2;

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        if !self.in_formula {
            return self.binary(0);
        }
        let mut left = self.binary(0)?;
        while let Some(operator) = self.implication() {
            let pos = self.pos();
            self.next += if operator == Binary::Equivalent && self.at("<") { 2 } else { 1 };
            let right = self.binary(0)?;
            left = Expr::Binary(pos, operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// An implication or equivalence of a formula that stands here.
    fn implication(&self) -> Option<Binary> {
        if self.at("->") || self.at_word("implies") {
            Some(Binary::Implies)
        } else if self.at_word("equivalent") || (self.at("<") && self.peek_at(1).is("->") && !self.peek_at(1).spaced) {
            Some(Binary::Equivalent)
        } else {
            None
        }
    }

    fn until(&self) -> Option<Binary> {
        let Kind::Word(word) = &self.peek().kind else { return None };
        match &**word {
            "U" | "until" | "stronguntil" => Some(Binary::Until),
            "W" | "weakuntil" => Some(Binary::WeakUntil),
            "V" | "release" => Some(Binary::Release),
            _ => None,
        }
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let token = self.peek();
            let operator = if level == UNTIL {
                if self.in_formula { self.until() } else { None }
            } else if self.in_formula && self.implication().is_some() {
                None
            } else {
                operators.iter().find(|(mark, _)| token.is(mark)).map(|(_, operator)| *operator)
            };
            let Some(operator) = operator else { return Ok(left) };
            // `ch?<x>`: the mark closes the arguments of a receive.
            if operator == Binary::Gt && self.closing_angle {
                return Ok(left);
            }
            let pos = self.pos();
            self.next += 1;
            let right = self.binary(level + 1)?;
            left = Expr::Binary(pos, operator, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if self.in_formula
            && let Some((operator, tokens)) = self.temporal()
        {
            self.next += tokens;
            return Ok(Expr::Unary(operator, Box::new(self.unary()?)));
        }
        let operator = match &self.peek().kind {
            Kind::Mark("!") => Unary::Not,
            Kind::Mark("-") => Unary::Minus,
            Kind::Mark("~") => Unary::Complement,
            _ => return self.primary(),
        };
        self.next += 1;
        let operand = self.unary()?;
        Ok(match (operator, operand) {
            (Unary::Minus, Expr::Const(value)) => Expr::Const(value.wrapping_neg()),
            (operator, operand) => Expr::Unary(operator, Box::new(operand)),
        })
    }

    /// A temporal operator that stands here, and how many tokens it takes.
    fn temporal(&self) -> Option<(Unary, usize)> {
        let second = self.peek_at(1);
        match &self.peek().kind {
            Kind::Mark("[") if second.is("]") => Some((Unary::Always, 2)),
            Kind::Mark("<") if second.is(">") => Some((Unary::Eventually, 2)),
            Kind::Word(word) => match &**word {
                "always" => Some((Unary::Always, 1)),
                "eventually" => Some((Unary::Eventually, 1)),
                "X" | "next" => Some((Unary::Next, 1)),
                _ => None,
            },
            _ => None,
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        match &token.kind {
            Kind::Number(number) => {
                self.next += 1;
                Ok(Expr::Const(*number))
            }
            Kind::Mark("(") => self.parenthesised(),
            Kind::Word(word) => match &**word {
                "true" | "skip" => self.constant_word(1),
                "false" => self.constant_word(0),
                "timeout" => {
                    self.next += 1;
                    Ok(Expr::Timeout)
                }
                "np_" => {
                    self.next += 1;
                    Ok(Expr::NonProgress(token.pos))
                }
                "run" => self.run(),
                "len" => self.probe(Probe::Len),
                "full" => self.probe(Probe::Full),
                "empty" => self.probe(Probe::Empty),
                "nfull" => self.probe(Probe::NotFull),
                "nempty" => self.probe(Probe::NotEmpty),
                "enabled" | "pc_value" => {
                    self.next += 1;
                    self.expect("(")?;
                    let of = Box::new(self.expression()?);
                    self.expect(")")?;
                    let enabled = &**word == "enabled";
                    Ok(if enabled { Expr::Enabled(token.pos, of) } else { Expr::PcValue(token.pos, of) })
                }
                _ if self.mtypes.contains_key(word) => self.constant_word(self.mtypes[word]),
                _ if self.proctypes.contains(word) && [":", "@", "["].iter().any(|mark| self.peek_at(1).is(mark)) => {
                    self.remote()
                }
                _ => self.variable_or_poll(),
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn constant_word(&mut self, value: i32) -> Parsed<Expr> {
        self.next += 1;
        Ok(Expr::Const(value))
    }

    /// `( … )`, or `( condition -> one : other )`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let closing = std::mem::take(&mut self.closing_angle);
        let inner = self.expression()?;
        if !self.in_formula && self.skip("->") {
            let one = self.expression()?;
            self.expect(":")?;
            let other = self.expression()?;
            self.expect(")")?;
            self.closing_angle = closing;
            return Ok(Expr::Condition(Box::new([inner, one, other])));
        }
        self.expect(")")?;
        self.closing_angle = closing;
        Ok(inner)
    }

    fn run(&mut self) -> Parsed<Expr> {
        let pos = self.take().pos;
        if self.in_dstep {
            return Err(Problem::new(pos, "`run` in a `d_step`")
                .wide(3)
                .help("a `d_step` makes no process; use `atomic`"));
        }
        let name = self.name("the name of a proctype")?;
        self.expect("(")?;
        let arguments = self.expressions(")")?;
        self.expect(")")?;
        if self.at_word("priority") {
            return Err(self.unexpected("`;`"));
        }
        Ok(Expr::Run(pos, name, arguments))
    }

    fn probe(&mut self, probe: Probe) -> Parsed<Expr> {
        self.next += 1;
        self.expect("(")?;
        let channel = self.reference()?;
        self.expect(")")?;
        Ok(Expr::Probe(probe, channel))
    }

    /// `proctype[pid]@label`, `proctype@label`, `proctype[pid]:variable`, `proctype:variable`.
    fn remote(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let proctype = self.name("the name of a proctype")?;
        let mut pid = None;
        if self.skip("[") {
            pid = Some(Box::new(self.expression()?));
            self.expect("]")?;
        }
        if self.skip("@") {
            let label = self.name("the name of a label")?;
            return Ok(Expr::RemoteLabel { pos, proctype, pid, label });
        }
        self.expect(":")?;
        Ok(Expr::RemoteVar { proctype, pid, variable: self.reference()? })
    }

    fn variable_or_poll(&mut self) -> Parsed<Expr> {
        let variable = self.reference()?;
        let random = self.at("??");
        if (random || self.at("?")) && self.peek_at(1).is("[") {
            self.next += 2;
            let mut arguments: Vec<PollArgument> = Vec::new();
            for argument in self.receive_arguments("]")? {
                arguments.push(match argument {
                    crate::ast::Argument::Match(value) => Some(value),
                    crate::ast::Argument::Store(_) => None,
                });
            }
            self.expect("]")?;
            return Ok(Expr::Poll { channel: variable, arguments, random });
        }
        Ok(Expr::Var(variable))
    }

    pub(super) fn reference(&mut self) -> Parsed<VarRef> {
        let pos = self.pos();
        let mut parts = Vec::new();
        loop {
            let name = self.name("a variable")?;
            let mut index = None;
            if self.skip("[") {
                let closing = std::mem::take(&mut self.closing_angle);
                let formula = std::mem::take(&mut self.in_formula);
                index = Some(self.expression()?);
                self.closing_angle = closing;
                self.in_formula = formula;
                self.expect("]")?;
            }
            parts.push((name, index));
            if !self.skip(".") {
                return Ok(VarRef { pos, parts });
            }
        }
    }

    /// Expressions between commas, up to a mark that stays.
    pub(super) fn expressions(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut found = Vec::new();
        while !self.at(end) {
            found.push(self.expression()?);
            if !self.skip(",") {
                break;
            }
        }
        Ok(found)
    }

    /// An expression of constants, as array lengths are.
    pub(super) fn constant(&mut self) -> Parsed<i32> {
        let pos = self.pos();
        let expression = self.expression()?;
        self.constant_value(&expression).ok_or_else(|| {
            Problem::new(pos, "a constant was expected").help("only numbers and operators can stand here")
        })
    }

    fn constant_value(&self, expression: &Expr) -> Option<i32> {
        match expression {
            Expr::Const(value) => Some(*value),
            Expr::Unary(Unary::Minus, operand) => Some(self.constant_value(operand)?.wrapping_neg()),
            Expr::Binary(_, operator, left, right) => {
                let (left, right) = (self.constant_value(left)?, self.constant_value(right)?);
                match operator {
                    Binary::Add => Some(left.wrapping_add(right)),
                    Binary::Sub => Some(left.wrapping_sub(right)),
                    Binary::Mul => Some(left.wrapping_mul(right)),
                    Binary::Div => left.checked_div(right),
                    Binary::Rem => left.checked_rem(right),
                    _ => None,
                }
            }
            // A variable with an initial value can be the length of an array.
            Expr::Var(variable) => match &variable.parts[..] {
                [(name, None)] => self.constants.get(&Arc::clone(name)).copied(),
                _ => None,
            },
            _ => None,
        }
    }
}
