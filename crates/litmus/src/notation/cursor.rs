//! Moves over the tokens and says what was expected.

use super::lexer::{Kind, Token};
use super::parser::{Parser, Result};
use crate::print;
use crate::sketch::Action;
use model::Function;

/// How deep blocks, bodies and expressions may nest, so that no text can overflow the stack.
const MOST_DEPTH: u32 = 200;

/// Words that start a declaration.
pub(super) const DECLARING: [&str; 10] =
    ["var", "mutex", "rwlock", "condvar", "semaphore", "barrier", "latch", "region", "mailbox", "guarded"];

/// Other words that are no names; those of the actions come on top.
const OTHERS: [&str; 17] = [
    "of", "by", "def", "section", "spawn", "join", "yield", "choose", "assume", "assert", "exit", "if", "else",
    "while", "loop", "break", "fence",
];

/// Words of actions on an object with operands.
const ACTING: [&str; 8] =
    ["swap", "compare_exchange", "await", "wait", "wait_timeout", "send", "receive", "try_receive"];

/// Actions on an object that have no operands.
pub(super) const PLAIN: [Action; 27] = {
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
        Upgrade,
        Unwrap,
        Drained,
        CellRead,
        CellWrite,
        Downgrade,
        CountDown,
        PassLatch,
        Init,
        Destroy,
        Free,
    ]
};

/// The function of a read-modify-write of this name.
pub(super) fn function(word: &str) -> Option<Function> {
    Function::ALL.into_iter().find(|function| function.name() == word)
}

/// Whether this is the word of an action.
pub(super) fn is_action(word: &str) -> bool {
    ACTING.contains(&word) || function(word).is_some() || PLAIN.iter().any(|action| print::word(action) == word)
}

/// Whether this is no name.
pub(super) fn is_keyword(word: &str) -> bool {
    DECLARING.contains(&word) || OTHERS.contains(&word) || is_action(word)
}

impl Parser {
    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        Err(self.token().error(format!("expected {what}, found {}", self.token().kind)))
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.token().kind, Kind::Symbol(s) if s == symbol)
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("'{symbol}'")) }
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.token().kind, Kind::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
    }

    /// A name that is no keyword.
    pub(super) fn name(&mut self) -> Result<String> {
        match &self.token().kind {
            Kind::Name(name) if !is_keyword(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    pub(super) fn number(&mut self) -> Result<i64> {
        let negative = self.accept("-");
        let Kind::Number(digits) = self.token().kind else { return self.expected("a number") };
        let value = if negative { 0i64.checked_sub_unsigned(digits) } else { i64::try_from(digits).ok() };
        let Some(value) = value else { return Err(self.token().error(format!("the number {digits} is too large"))) };
        self.advance();
        Ok(value)
    }

    pub(super) fn count(&mut self) -> Result<u32> {
        let start = self.at;
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.tokens[start].error(format!("{value} is out of range here")))
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MOST_DEPTH {
            return Err(self.token().error(format!("nested more than {MOST_DEPTH} deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
