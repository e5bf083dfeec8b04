//! Statements and sequences of them.

use super::{Parsed, Parser};
use crate::ast::{Argument, Block, Expr, Name, Stmt, StmtKind, VarRef};
use crate::lexer::Kind;
use crate::text::Problem;
use std::sync::Arc;

/// A `select` of more values is a loop that counts.
const WIDEST_CHOICE: i32 = 32;

impl Parser {
    /// Statements up to one of these marks or words, which stays.
    pub(super) fn sequence(&mut self, ends: &[&str]) -> Parsed<Block> {
        let mut steps = Vec::new();
        self.skip_separators();
        loop {
            if ends.iter().any(|end| self.at(end) || self.at_word(end)) {
                break;
            }
            let step = self.step()?;
            // A `;` is understood behind a `}`, behind `else`, and at the end of a line.
            let closed = self.tokens[self.next - 1].is("}") || matches!(step.kind, StmtKind::Else) || self.line_ended();
            steps.push(step);
            if !self.skip_separators() && !closed && !ends.iter().any(|end| self.at(end) || self.at_word(end)) {
                return Err(self.unexpected("`;` or `->`"));
            }
        }
        if steps.iter().all(|step| matches!(step.kind, StmtKind::Decl(_) | StmtKind::Exclusive)) && steps.is_empty() {
            return Err(self.unexpected("a statement").help("a sequence has at least one; `skip` does nothing"));
        }
        Ok(Block { steps })
    }

    /// Whether a line ended behind the last token.
    pub(super) fn line_ended(&self) -> bool {
        let [last, next] = [&self.tokens[self.next - 1].pos, &self.peek().pos];
        (last.file, last.line) != (next.file, next.line)
    }

    fn step(&mut self) -> Parsed<Stmt> {
        let pos = self.pos();
        if self.is_declaration() {
            return Ok(Stmt { pos, kind: StmtKind::Decl(self.declaration()?) });
        }
        if self.at_word("xr") || self.at_word("xs") {
            self.next += 1;
            loop {
                self.reference()?;
                if !self.skip(",") {
                    return Ok(Stmt { pos, kind: StmtKind::Exclusive });
                }
            }
        }
        let statement = self.statement()?;
        if self.skip_word("unless") {
            let escape = self.statement()?;
            return Ok(Stmt { pos, kind: StmtKind::Unless(Box::new(statement), Box::new(escape)) });
        }
        Ok(statement)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let pos = self.pos();
        Ok(Stmt { pos, kind: self.statement_kind()? })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        let token = self.peek().clone();
        let Kind::Word(word) = &token.kind else {
            if self.at("{") {
                return Ok(StmtKind::Block(self.braced()?));
            }
            return Ok(StmtKind::Expr(self.expression()?));
        };
        match &**word {
            "if" => {
                self.next += 1;
                Ok(StmtKind::If(self.options("fi")?))
            }
            "do" => {
                self.next += 1;
                Ok(StmtKind::Do(self.options("od")?))
            }
            "atomic" => {
                self.next += 1;
                Ok(StmtKind::Atomic(self.braced()?))
            }
            "d_step" => {
                self.next += 1;
                let outside = std::mem::replace(&mut self.in_dstep, true);
                let block = self.braced()?;
                self.in_dstep = outside;
                Ok(StmtKind::DStep(block))
            }
            "for" => self.for_loop(),
            "select" => self.select(),
            "else" => {
                self.next += 1;
                Ok(StmtKind::Else)
            }
            "break" => {
                self.next += 1;
                Ok(StmtKind::Break)
            }
            "goto" => {
                self.next += 1;
                Ok(StmtKind::Goto(self.name("the name of a label")?))
            }
            "assert" => {
                self.next += 1;
                Ok(StmtKind::Assert(self.expression()?))
            }
            "printf" => self.printf(),
            "printm" => {
                self.next += 1;
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(StmtKind::Printm(value))
            }
            "return" => Err(Problem::new(token.pos, "`return` outside of an inline").wide(6)),
            _ if self.name_ahead().is_some() && !self.mtypes.contains_key(word) => self.named(word),
            _ => Ok(StmtKind::Expr(self.expression()?)),
        }
    }

    /// A statement that begins with a name.
    fn named(&mut self, word: &Name) -> Parsed<StmtKind> {
        let token = self.peek().clone();
        if let Some(inline) = self.inlines.get(word).filter(|_| self.peek_at(1).is("(")).cloned() {
            self.next += 1;
            self.put_inline(&token, &inline, None)?;
            // The call's own tokens are gone: the text begins here.
            return self.statement_kind();
        }
        if self.peek_at(1).is(":") && !self.proctypes.contains(word) {
            self.next += 2;
            if self.is_declaration() {
                return Err(Problem::new(token.pos, "a label cannot stand before a declaration").wide(token.width()));
            }
            let pos = self.pos();
            let alone = self.at("}") || self.at("::") || self.at_word("fi") || self.at_word("od") || self.at(";");
            let inner = if alone { Stmt { pos, kind: StmtKind::Expr(Expr::Const(1)) } } else { self.statement()? };
            return Ok(StmtKind::Label(Arc::clone(word), Box::new(inner)));
        }
        if self.proctypes.contains(word) {
            return Ok(StmtKind::Expr(self.expression()?));
        }
        let start = self.next;
        let variable = self.reference()?;
        match &self.peek().kind {
            Kind::Mark("=") => {
                let lhs = self.tokens[start..self.next].to_vec();
                self.next += 1;
                self.assignment(variable, &lhs, start)
            }
            Kind::Mark("++") => Ok(self.step_by(variable, crate::ast::Binary::Add)),
            Kind::Mark("--") => Ok(self.step_by(variable, crate::ast::Binary::Sub)),
            Kind::Mark("!" | "!!") => self.send(variable),
            Kind::Mark("?" | "??") if !self.peek_at(1).is("[") => self.receive(variable),
            _ => {
                self.next = start;
                Ok(StmtKind::Expr(self.expression()?))
            }
        }
    }

    fn assignment(&mut self, variable: VarRef, lhs: &[crate::lexer::Token], start: usize) -> Parsed<StmtKind> {
        let token = self.peek().clone();
        if let Kind::Word(word) = &token.kind
            && let Some(inline) = self.inlines.get(word).filter(|_| self.peek_at(1).is("(")).cloned()
        {
            self.next += 1;
            self.put_inline(&token, &inline, Some(lhs))?;
            // The assignment is in the text of the inline now.
            self.tokens.drain(start..self.next);
            self.next = start;
            return self.statement_kind();
        }
        Ok(StmtKind::Assign(variable, self.expression()?))
    }

    fn step_by(&mut self, variable: VarRef, operator: crate::ast::Binary) -> StmtKind {
        let pos = self.take().pos;
        let value = Expr::Binary(pos, operator, Box::new(Expr::Var(variable.clone())), Box::new(Expr::Const(1)));
        StmtKind::Step(variable, value)
    }

    fn send(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let sorted = self.take().is("!!");
        let mut arguments = vec![self.expression()?];
        if self.skip("(") {
            arguments.extend(self.expressions(")")?);
            self.expect(")")?;
        }
        while self.skip(",") {
            arguments.push(self.expression()?);
        }
        Ok(StmtKind::Send { channel, arguments, sorted })
    }

    fn receive(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let random = self.take().is("??");
        let keep = self.skip("<");
        self.closing_angle = keep;
        let arguments = self.receive_arguments(if keep { ">" } else { "" });
        self.closing_angle = false;
        let arguments = arguments?;
        if keep {
            self.expect(">")?;
        }
        Ok(StmtKind::Receive { channel, arguments, random, keep })
    }

    /// The arguments of a receive or a poll; `message(a, b)` is the same as `message, a, b`.
    pub(super) fn receive_arguments(&mut self, end: &str) -> Parsed<Vec<Argument>> {
        let mut arguments = Vec::new();
        loop {
            if self.skip("(") {
                arguments.extend(self.receive_arguments(")")?);
                self.expect(")")?;
            } else {
                arguments.push(self.receive_argument()?);
                if self.skip("(") {
                    arguments.extend(self.receive_arguments(")")?);
                    self.expect(")")?;
                }
            }
            if self.at(end) || !self.skip(",") {
                return Ok(arguments);
            }
        }
    }

    fn receive_argument(&mut self) -> Parsed<Argument> {
        match &self.peek().kind {
            Kind::Word(word) if &**word == "eval" => {
                self.next += 1;
                self.expect("(")?;
                let closing = std::mem::take(&mut self.closing_angle);
                let value = self.expression()?;
                self.closing_angle = closing;
                self.expect(")")?;
                Ok(Argument::Match(value))
            }
            Kind::Word(word) if self.mtypes.contains_key(word) => {
                let value = self.mtypes[word];
                self.next += 1;
                Ok(Argument::Match(Expr::Const(value)))
            }
            Kind::Word(word) if matches!(&**word, "true" | "false" | "skip") => {
                let value = i32::from(&**word != "false");
                self.next += 1;
                Ok(Argument::Match(Expr::Const(value)))
            }
            Kind::Number(number) => {
                let number = *number;
                self.next += 1;
                Ok(Argument::Match(Expr::Const(number)))
            }
            Kind::Mark("-") => {
                self.next += 1;
                match self.take().kind {
                    Kind::Number(number) => Ok(Argument::Match(Expr::Const(number.wrapping_neg()))),
                    _ => {
                        self.next -= 1;
                        Err(self.unexpected("a number"))
                    }
                }
            }
            _ if self.name_ahead().is_some() => Ok(Argument::Store(self.reference()?)),
            _ => Err(self.unexpected("a variable, a constant or `eval`")),
        }
    }

    fn options(&mut self, end: &str) -> Parsed<Vec<Block>> {
        let mut options = Vec::new();
        while self.skip("::") {
            options.push(self.sequence(&["::", end])?);
        }
        if options.is_empty() {
            return Err(self.unexpected("`::`"));
        }
        self.expect_word(end)?;
        Ok(options)
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.take();
        self.expect("(")?;
        let variable = self.reference()?;
        if self.skip_word("in") {
            let of = self.reference()?;
            self.expect(")")?;
            self.skip(";");
            return Ok(StmtKind::ForIn { variable, of, body: self.braced()? });
        }
        let (from, to) = self.range()?;
        self.skip(";");
        Ok(StmtKind::For { variable, from, to, body: self.braced()? })
    }

    fn select(&mut self) -> Parsed<StmtKind> {
        self.take();
        self.expect("(")?;
        let variable = self.reference()?;
        let (from, to) = self.range()?;
        if let ([(name, None)], Expr::Const(first), Expr::Const(last)) = (&variable.parts[..], &from, &to)
            && (0..=WIDEST_CHOICE).contains(&(last - first))
            && *first >= 0
            && name.chars().all(char::is_alphanumeric)
            && !self.in_inline()
        {
            // As SPIN does it: a choice among assignments, one for each value.
            let pos = variable.pos;
            let option = |value| {
                let kind = StmtKind::Assign(variable.clone(), Expr::Const(value));
                Block { steps: vec![Stmt { pos, kind }] }
            };
            return Ok(StmtKind::If((*first..=*last).map(option).collect()));
        }
        Ok(StmtKind::Select { variable, from, to })
    }

    /// `: from .. to )`.
    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        self.expect(")")?;
        Ok((from, to))
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        self.take();
        self.expect("(")?;
        let Kind::Text(format) = self.peek().kind.clone() else { return Err(self.unexpected("a text in quotes")) };
        self.next += 1;
        let arguments = if self.skip(",") { self.expressions(")")? } else { Vec::new() };
        self.expect(")")?;
        Ok(StmtKind::Print { format, arguments })
    }
}
