//! Reads places and expressions.

use super::cursor::is_keyword;
use super::lexer::Kind;
use super::parser::{Parser, Result};
use crate::sketch::{BinaryOp, Expr, Local, ObjectRef, Place};

/// How many operators a statement may have: `1 + 1 + …` makes a tree as deep as it is long.
const MOST_OPERATORS: u32 = 1000;

impl Parser {
    pub(super) fn object(&self, name: &str) -> Option<ObjectRef> {
        let place = self.sketch.objects.iter().position(|declared| declared.name == name)?;
        Some(ObjectRef(place as u32))
    }

    pub(super) fn declared(&mut self) -> Result<ObjectRef> {
        let start = self.at;
        let name = self.name()?;
        self.object(&name).ok_or_else(|| self.tokens[start].error(format!("'{name}' is not declared")))
    }

    pub(super) fn place(&mut self) -> Result<Place> {
        let start = self.at;
        let object = self.declared()?;
        self.at = start;
        self.place_of(object)
    }

    pub(super) fn place_of(&mut self, object: ObjectRef) -> Result<Place> {
        self.advance();
        if !self.accept("[") {
            return Ok(Place { object, index: None });
        }
        let index = self.expr()?;
        self.expect("]")?;
        Ok(Place { object, index: Some(index) })
    }

    pub(super) fn local_to_set(&mut self, name: &str) -> Local {
        let known = self.locals.iter().position(|local| local == name);
        Local(known.unwrap_or_else(|| {
            self.locals.push(name.to_owned());
            self.locals.len() - 1
        }) as u32)
    }

    pub(super) fn expr(&mut self) -> Result<Expr> {
        self.binary(1)
    }

    /// Operators that bind at least as tightly as `least`, to the left.
    pub(super) fn binary(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.deeper(Self::unary)?;
        while let Some(op) = self.operator(least) {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(self.token().error(format!("more than {MOST_OPERATORS} operators in one statement")));
            }
            self.advance();
            let right = self.deeper(|parser| parser.binary(op.precedence() + 1))?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    pub(super) fn operator(&self, least: u8) -> Option<BinaryOp> {
        let Kind::Symbol(symbol) = self.token().kind else { return None };
        BinaryOp::ALL.into_iter().find(|op| op.symbol() == symbol && op.precedence() >= least)
    }

    pub(super) fn unary(&mut self) -> Result<Expr> {
        let start = self.token().clone();
        match &start.kind {
            Kind::Number(_) => Ok(Expr::Number(self.number()?)),
            Kind::Symbol("-") if matches!(self.tokens[self.at + 1].kind, Kind::Number(_)) => {
                Ok(Expr::Number(self.number()?))
            }
            Kind::Symbol("-") => {
                self.advance();
                Ok(Expr::Negate(Box::new(self.deeper(Self::unary)?)))
            }
            Kind::Symbol("!") => {
                self.advance();
                Ok(Expr::Not(Box::new(self.deeper(Self::unary)?)))
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.deeper(Self::expr)?;
                self.expect(")")?;
                Ok(inner)
            }
            Kind::Name(name) if !is_keyword(name) => {
                self.advance();
                if self.object(name).is_some() {
                    return Err(start.error(format!(
                        "'{name}' is shared: read it into a local first, so that each step is a statement"
                    )));
                }
                match self.locals.iter().position(|local| local == name) {
                    Some(local) => Ok(Expr::Local(Local(local as u32))),
                    None => Err(start.error(format!("'{name}' is no declared object, and no local set before"))),
                }
            }
            _ => self.expected("an expression"),
        }
    }
}
