//! Reads tokens into a sketch, by recursive descent with a bounded depth.

use super::ParseError;
use super::cursor::DECLARING;
use super::lexer::{Kind, Token, tokens};
use crate::sketch::{Body, Declaration, ObjectKind, Sketch, Template, Thread};

pub(super) type Result<T> = std::result::Result<T, ParseError>;

pub(super) fn parse(text: &str) -> Result<Sketch> {
    let mut parser =
        Parser { tokens: tokens(text)?, at: 0, depth: 0, operators: 0, sketch: Sketch::default(), locals: Vec::new() };
    parser.program()?;
    Ok(parser.sketch)
}

pub(super) struct Parser {
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) depth: u32,
    pub(super) sketch: Sketch,
    /// How many operators the statement being read has so far.
    pub(super) operators: u32,
    /// The locals of the body being read.
    pub(super) locals: Vec<String>,
}

impl Parser {
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
        DECLARING.contains(&name.as_str()).then(|| name.clone())
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
            "latch" => ObjectKind::Latch,
            "region" => ObjectKind::Region,
            "mailbox" => ObjectKind::Mailbox,
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
}
