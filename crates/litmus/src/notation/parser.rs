//! Reads tokens into a sketch, by recursive descent with a bounded depth.

use super::ParseError;
use super::lexer::{Kind, Token, tokens};
use crate::sketch::{
    Action, BinaryOp, Block, Body, Declaration, Expr, Local, ObjectKind, ObjectRef, Place, Sketch, Spawned, Statement,
    Template, Thread,
};

type Result<T> = std::result::Result<T, ParseError>;

/// How deep blocks, bodies and expressions may nest, so that no text can overflow the stack.
const MOST_DEPTH: u32 = 200;

/// Stands for the local to be set while what is on the right of it is read.
const UNKNOWN: Local = Local(u32::MAX);

/// Words that are no names.
const KEYWORDS: [&str; 43] = [
    "var",
    "mutex",
    "rwlock",
    "condvar",
    "semaphore",
    "barrier",
    "guarded",
    "of",
    "by",
    "def",
    "read",
    "fetch_add",
    "swap",
    "compare_exchange",
    "await",
    "lock",
    "try_lock",
    "unlock",
    "section",
    "read_lock",
    "try_read_lock",
    "read_unlock",
    "write_lock",
    "try_write_lock",
    "write_unlock",
    "wait",
    "notify_one",
    "notify_all",
    "acquire",
    "try_acquire",
    "release",
    "meet",
    "spawn",
    "join",
    "yield",
    "choose",
    "assume",
    "assert",
    "if",
    "else",
    "while",
    "loop",
    "break",
];

pub(super) fn parse(text: &str) -> Result<Sketch> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, sketch: Sketch::default(), locals: Vec::new() };
    parser.program()?;
    Ok(parser.sketch)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    sketch: Sketch,
    /// The locals of the body being read.
    locals: Vec<String>,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        Err(self.token().error(format!("expected {what}, found {}", self.token().kind)))
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.token().kind, Kind::Symbol(s) if s == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("'{symbol}'")) }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.token().kind, Kind::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
    }

    /// A name that is no keyword.
    fn name(&mut self) -> Result<String> {
        match &self.token().kind {
            Kind::Name(name) if !is_keyword(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    fn number(&mut self) -> Result<i64> {
        let negative = self.accept("-");
        let Kind::Number(digits) = self.token().kind else { return self.expected("a number") };
        let value = if negative { 0i64.checked_sub_unsigned(digits) } else { i64::try_from(digits).ok() };
        let Some(value) = value else { return Err(self.token().error(format!("the number {digits} is too large"))) };
        self.advance();
        Ok(value)
    }

    fn count(&mut self) -> Result<u32> {
        let start = self.at;
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.tokens[start].error(format!("{value} is out of range here")))
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MOST_DEPTH {
            return Err(self.token().error(format!("nested more than {MOST_DEPTH} deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn program(&mut self) -> Result<()> {
        while let Some(keyword) = self.declaration_keyword() {
            self.advance();
            self.declarations(&keyword)?;
        }
        while self.accept_word("def") {
            self.template()?;
        }
        loop {
            let name = self.thread_name()?;
            let block = self.statements()?;
            let locals = std::mem::take(&mut self.locals);
            self.sketch.threads.push(Thread { name, body: Body { locals, block } });
            if !self.accept("|") {
                break;
            }
        }
        if self.token().kind == Kind::End { Ok(()) } else { self.expected("'|' or the end of the text") }
    }

    fn declaration_keyword(&self) -> Option<String> {
        let Kind::Name(name) = &self.token().kind else { return None };
        KEYWORDS[..7].contains(&name.as_str()).then(|| name.clone())
    }

    fn declarations(&mut self, keyword: &str) -> Result<()> {
        loop {
            self.declaration(keyword)?;
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    fn declaration(&mut self, keyword: &str) -> Result<()> {
        let start = self.at;
        let name = self.name()?;
        if self.object(&name).is_some() {
            return Err(self.tokens[start].error(format!("'{name}' is declared already")));
        }
        let size = if self.accept("[") {
            let size = self.count()?;
            self.expect("]")?;
            Some(size)
        } else {
            None
        };
        let kind = match keyword {
            "var" => ObjectKind::Variable,
            "mutex" => ObjectKind::Mutex,
            "rwlock" => ObjectKind::RwLock,
            "condvar" => ObjectKind::Condvar,
            "semaphore" => ObjectKind::Semaphore,
            "barrier" if self.accept_word("of") => ObjectKind::Barrier { parties: self.count()? },
            "barrier" => return self.expected("'of' and the number of parties"),
            _ if self.accept_word("by") => ObjectKind::Guarded { by: self.declared()? },
            _ => return self.expected("'by' and the mutex that guards it"),
        };
        let mut initial = Vec::new();
        if self.accept("=") {
            initial.push(self.number()?);
            while matches!(self.token().kind, Kind::Number(_)) || self.is_symbol("-") {
                initial.push(self.number()?);
            }
        }
        self.sketch.objects.push(Declaration { name, kind, size, initial });
        Ok(())
    }

    fn template(&mut self) -> Result<()> {
        let name = self.name()?;
        self.expect("(")?;
        if !self.accept(")") {
            loop {
                let parameter = self.name()?;
                self.locals.push(parameter);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let parameters = self.locals.len();
        let block = self.block()?;
        let locals = std::mem::take(&mut self.locals);
        self.sketch.templates.push(Template { name, parameters, body: Body { locals, block } });
        self.accept(";");
        Ok(())
    }

    /// A thread's name, if one stands before a colon.
    fn thread_name(&mut self) -> Result<Option<String>> {
        let ahead = |n: usize| self.tokens.get(self.at + n).map(|token| &token.kind);
        let colon = Some(&Kind::Symbol(":"));
        if ahead(1) == colon {
            let name = self.name()?;
            self.advance();
            return Ok(Some(name));
        }
        match (ahead(2).cloned(), ahead(4) == colon) {
            (Some(Kind::Number(n)), true) => {
                let name = self.name()?;
                self.expect("[")?;
                self.advance();
                self.expect("]")?;
                self.advance();
                Ok(Some(format!("{name}[{n}]")))
            }
            _ => Ok(None),
        }
    }

    fn block(&mut self) -> Result<Block> {
        self.expect("{")?;
        let block = self.deeper(Self::statements)?;
        self.expect("}")?;
        Ok(block)
    }

    fn statements(&mut self) -> Result<Block> {
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

    fn statement(&mut self) -> Result<Statement> {
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
            return Ok(Statement::Act { result: None, action, place });
        }
        self.advance();
        self.expect("=")?;
        // What is on the right is read first, so that it cannot use a local that is only now set.
        let mut statement = match self.token().kind.clone() {
            Kind::Name(word) if is_keyword(&word) => self.worded(Some(UNKNOWN))?,
            Kind::Name(word) if self.object(&word).is_some() => {
                Statement::Act { result: Some(UNKNOWN), action: Action::Read, place: self.place()? }
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
    fn worded(&mut self, result: Option<Local>) -> Result<Statement> {
        let start = self.token().clone();
        let Kind::Name(word) = &start.kind else { return self.expected("an operation") };
        self.advance();
        let statement = match word.as_str() {
            "section" => Statement::Section(self.place()?, self.block()?),
            "spawn" => return self.spawn(result),
            "choose" => return Ok(Statement::Choose { result, alternatives: self.count()? }),
            "join" => Statement::Join(self.expr()?),
            "yield" => Statement::Yield,
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
                return Ok(Statement::Act { result, action, place });
            }
        };
        match result {
            Some(_) => Err(start.error(format!("'{word}' has no result"))),
            None => Ok(statement),
        }
    }

    fn action(&mut self, word: &str, start: &Token) -> Result<(Action, Place)> {
        const PLAIN: [Action; 17] = {
            use Action::*;
            [
                Read,
                Lock,
                TryLock,
                Unlock,
                ReadLock,
                TryReadLock,
                ReadUnlock,
                WriteLock,
                TryWriteLock,
                WriteUnlock,
                NotifyOne,
                NotifyAll,
                Acquire,
                TryAcquire,
                Release,
                Meet,
                Read,
            ]
        };
        if !KEYWORDS[10..32].contains(&word) {
            return Err(start.error(format!("expected a statement, found '{word}'")));
        }
        let place = self.place()?;
        if let Some(action) = PLAIN.iter().find(|action| crate::print::word(action) == word) {
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
        self.expect(",")?;
        let action = match word {
            "wait" => Action::Wait(self.place()?),
            "fetch_add" => Action::FetchAdd(self.expr()?),
            "swap" => Action::Swap(self.expr()?),
            _ => {
                let expected = self.expr()?;
                self.expect(",")?;
                Action::CompareExchange(expected, self.expr()?)
            }
        };
        Ok((action, place))
    }

    fn assert(&mut self) -> Result<Statement> {
        let condition = self.expr()?;
        if !self.accept(",") {
            return Ok(Statement::Assert(condition, "an assertion does not hold".to_owned()));
        }
        let Kind::Text(message) = self.token().kind.clone() else { return self.expected("a message in quotes") };
        self.advance();
        Ok(Statement::Assert(condition, message))
    }

    fn branch(&mut self) -> Result<Statement> {
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

    fn spawn(&mut self, handle: Option<Local>) -> Result<Statement> {
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

    fn object(&self, name: &str) -> Option<ObjectRef> {
        let place = self.sketch.objects.iter().position(|declared| declared.name == name)?;
        Some(ObjectRef(place as u32))
    }

    fn declared(&mut self) -> Result<ObjectRef> {
        let start = self.at;
        let name = self.name()?;
        self.object(&name).ok_or_else(|| self.tokens[start].error(format!("'{name}' is not declared")))
    }

    fn place(&mut self) -> Result<Place> {
        let start = self.at;
        let object = self.declared()?;
        self.at = start;
        self.place_of(object)
    }

    fn place_of(&mut self, object: ObjectRef) -> Result<Place> {
        self.advance();
        if !self.accept("[") {
            return Ok(Place { object, index: None });
        }
        let index = self.expr()?;
        self.expect("]")?;
        Ok(Place { object, index: Some(index) })
    }

    fn local_to_set(&mut self, name: &str) -> Local {
        let known = self.locals.iter().position(|local| local == name);
        Local(known.unwrap_or_else(|| {
            self.locals.push(name.to_owned());
            self.locals.len() - 1
        }) as u32)
    }

    fn expr(&mut self) -> Result<Expr> {
        self.binary(1)
    }

    /// Operators that bind at least as tightly as `least`, to the left.
    fn binary(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.deeper(Self::unary)?;
        while let Some(op) = self.operator(least) {
            self.advance();
            let right = self.deeper(|parser| parser.binary(op.precedence() + 1))?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operator(&self, least: u8) -> Option<BinaryOp> {
        let Kind::Symbol(symbol) = self.token().kind else { return None };
        BinaryOp::ALL.into_iter().find(|op| op.symbol() == symbol && op.precedence() >= least)
    }

    fn unary(&mut self) -> Result<Expr> {
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

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name) || name == "exit"
}
