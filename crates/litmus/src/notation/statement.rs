//! Reads statements.

use super::cursor::{PLAIN, function, is_action, is_keyword};
use super::lexer::{Kind, Token};
use super::parser::{Parser, Result};
use crate::print;
use crate::sketch::{Action, Block, Body, Expr, Local, Place, Selection, Spawned, Statement};
use model::{KINDS, Order, Orders};

/// Stands for the local to be set while what is on the right of it is read.
const UNKNOWN: Local = Local(u32::MAX);

impl Parser {
    pub(super) fn block(&mut self) -> Result<Block> {
        self.expect("{")?;
        let block = self.deeper(Self::statements)?;
        self.expect("}")?;
        Ok(block)
    }

    pub(super) fn statements(&mut self) -> Result<Block> {
        let mut block = Vec::new();
        loop {
            while self.accept(";") {}
            if self.is_symbol("}") || self.is_symbol("|") || self.token().kind == Kind::End {
                return Ok(block);
            }
            block.push(self.statement()?);
            let after_block = matches!(self.tokens[self.at - 1].kind, Kind::Symbol("}"));
            let at_end = self.is_symbol(";") || self.is_symbol("}") || !matches!(self.token().kind, Kind::Name(_));
            if !at_end && !after_block {
                return self.expected("';'");
            }
            if !after_block && !self.is_symbol(";") {
                return Ok(block);
            }
        }
    }

    pub(super) fn statement(&mut self) -> Result<Statement> {
        self.operators = 0;
        let Kind::Name(first) = self.token().kind.clone() else { return self.expected("a statement") };
        if is_keyword(&first) {
            return self.worded(None);
        }
        if let Some(object) = self.object(&first) {
            let place = self.place_of(object)?;
            let action = if self.accept("+=") {
                Action::Add(self.expr()?)
            } else if self.accept("=") {
                Action::Write(self.expr()?)
            } else {
                return self.expected("'=' or '+='");
            };
            return Ok(Statement::Act { result: None, action, orders: self.orders()?, place });
        }
        self.advance();
        self.expect("=")?;
        // What is on the right is read first, so that it cannot use a local that is only now set.
        let mut statement = match self.token().kind.clone() {
            Kind::Name(word) if is_keyword(&word) => self.worded(Some(UNKNOWN))?,
            Kind::Name(word) if self.object(&word).is_some() => {
                let place = self.place()?;
                Statement::Act { result: Some(UNKNOWN), action: Action::Read, orders: self.orders()?, place }
            }
            _ => Statement::Set(UNKNOWN, self.expr()?),
        };
        let local = self.local_to_set(&first);
        match &mut statement {
            Statement::Set(result, _) => *result = local,
            Statement::Act { result, .. } | Statement::Choose { result, .. } => *result = Some(local),
            Statement::Spawn { handle, .. } => *handle = Some(local),
            other => unreachable!("{other:?} has no result"),
        }
        Ok(statement)
    }

    /// A statement that starts with a keyword, or the part of it after `LOCAL =`.
    pub(super) fn worded(&mut self, result: Option<Local>) -> Result<Statement> {
        let start = self.token().clone();
        let Kind::Name(word) = &start.kind else { return self.expected("an operation") };
        self.advance();
        let statement = match word.as_str() {
            "section" => Statement::Section(self.place()?, self.block()?),
            "spawn" => return self.spawn(result),
            "choose" if self.is_symbol("{") => Statement::Select(self.deeper(Self::arms)?),
            "choose" => return Ok(Statement::Choose { result, alternatives: self.count()? }),
            "join" => Statement::Join(self.expr()?),
            "yield" => Statement::Yield,
            "fence" => Statement::Fence(self.order()?.map_or_else(|| self.expected("a memory order"), Ok)?),
            "assume" => Statement::Assume(self.expr()?),
            "assert" => self.assert()?,
            "exit" => Statement::Exit,
            "if" => self.deeper(Self::branch)?,
            "while" => {
                let condition = self.expr()?;
                let leave = Statement::If(Expr::Not(Box::new(condition)), vec![Statement::Break], Vec::new());
                let mut body = vec![leave];
                body.extend(self.block()?);
                Statement::Loop(body)
            }
            "loop" => Statement::Loop(self.block()?),
            "break" => Statement::Break,
            _ => {
                let (action, place) = self.action(word, &start)?;
                if result.is_some() && !action.has_result() {
                    return Err(start.error(format!("'{word}' has no result")));
                }
                let orders = if action.has_orders() { self.orders()? } else { Orders::default() };
                return Ok(Statement::Act { result, action, orders, place });
            }
        };
        match result {
            Some(_) => Err(start.error(format!("'{word}' has no result"))),
            None => Ok(statement),
        }
    }

    /// `{ first -> rest | first -> rest }`
    fn arms(&mut self) -> Result<Vec<Block>> {
        self.expect("{")?;
        let mut arms = Vec::new();
        loop {
            let mut arm = vec![self.statement()?];
            if self.accept("->") {
                arm.extend(self.statements()?);
            }
            arms.push(arm);
            if !self.accept("|") {
                self.expect("}")?;
                return Ok(arms);
            }
        }
    }

    pub(super) fn action(&mut self, word: &str, start: &Token) -> Result<(Action, Place)> {
        if !is_action(word) {
            return Err(start.error(format!("expected a statement, found '{word}'")));
        }
        let place = self.place()?;
        if let Some(action) = PLAIN.iter().find(|action| print::word(action) == word) {
            return Ok((action.clone(), place));
        }
        if word == "await" {
            let equal = self.accept("==");
            if !equal && !self.accept("!=") {
                return self.expected("'==' or '!='");
            }
            let value = self.expr()?;
            return Ok((if equal { Action::AwaitEqual(value) } else { Action::AwaitNotEqual(value) }, place));
        }
        match word {
            "receive" => return Ok((Action::Receive(self.selection()?), place)),
            "try_receive" => return Ok((Action::TryReceive(self.selection()?), place)),
            _ => self.expect(",")?,
        }
        let action = match word {
            "send" => self.message()?,
            "wait" => Action::Wait(self.place()?),
            "wait_timeout" => Action::WaitTimeout(self.place()?),
            "fetch_add" => Action::FetchAdd(self.expr()?),
            "swap" => Action::Swap(self.expr()?),
            _ if let Some(function) = function(word) => Action::Fetch(function, self.expr()?),
            _ => {
                let expected = self.expr()?;
                self.expect(",")?;
                Action::CompareExchange(expected, self.expr()?)
            }
        };
        Ok((action, place))
    }

    /// A memory order, if one stands here.
    fn order(&mut self) -> Result<Option<Order>> {
        let Kind::Name(name) = &self.token().kind else { return Ok(None) };
        let Ok(order) = name.parse() else { return self.expected("';' or a memory order") };
        self.advance();
        Ok(Some(order))
    }

    /// The memory orders behind an access: one, or those of success and of failure.
    fn orders(&mut self) -> Result<Orders> {
        let Some(success) = self.order()? else { return Ok(Orders::default()) };
        let orders = Orders::of(success);
        Ok(Orders { failure: self.order()?.unwrap_or(orders.failure), ..orders })
    }

    /// A message to be sent: `kind: number`, or the number alone.
    fn message(&mut self) -> Result<Action> {
        let colon = self.tokens.get(self.at + 1).map(|token| &token.kind) == Some(&Kind::Symbol(":"));
        let kind = if colon { self.kind()? } else { 0 };
        if colon {
            self.expect(":")?;
        }
        Ok(Action::Send { kind, number: self.expr()? })
    }

    /// `of kind, kind == number`, or any part of it.
    fn selection(&mut self) -> Result<Selection> {
        let mut selection = Selection::default();
        if self.accept_word("of") {
            selection.kinds.push(self.kind()?);
            while self.accept(",") {
                selection.kinds.push(self.kind()?);
            }
        }
        if self.accept("==") {
            selection.number = Some(self.expr()?);
        }
        Ok(selection)
    }

    fn kind(&mut self) -> Result<u8> {
        let start = self.at;
        let kind = self.count()?;
        let known = u8::try_from(kind).ok().filter(|&kind| kind < KINDS);
        known.ok_or_else(|| self.tokens[start].error(format!("there are kinds of message from 0 to {}", KINDS - 1)))
    }

    pub(super) fn assert(&mut self) -> Result<Statement> {
        let condition = self.expr()?;
        if !self.accept(",") {
            return Ok(Statement::Assert(condition, "an assertion does not hold".to_owned()));
        }
        let Kind::Text(message) = self.token().kind.clone() else { return self.expected("a message in quotes") };
        self.advance();
        Ok(Statement::Assert(condition, message))
    }

    pub(super) fn branch(&mut self) -> Result<Statement> {
        let condition = self.expr()?;
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if self.accept_word("else") {
            if self.accept_word("if") {
                otherwise.push(self.deeper(Self::branch)?);
            } else {
                otherwise = self.block()?;
            }
        }
        Ok(Statement::If(condition, then, otherwise))
    }

    pub(super) fn spawn(&mut self, handle: Option<Local>) -> Result<Statement> {
        if self.is_symbol("{") {
            let outer = std::mem::take(&mut self.locals);
            let block = self.block()?;
            let locals = std::mem::replace(&mut self.locals, outer);
            return Ok(Statement::Spawn { handle, what: Spawned::Inline(Body { locals, block }) });
        }
        let start = self.at;
        let name = self.name()?;
        let Some(number) = self.sketch.templates.iter().position(|t| t.name == name) else {
            return Err(self.tokens[start].error(format!("there is no template '{name}' above")));
        };
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.accept(")") {
            loop {
                arguments.push(self.expr()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Statement::Spawn { handle, what: Spawned::Template(number, arguments) })
    }
}
