//! Cuts a text into tokens.

use super::ParseError;
use std::fmt;

/// A token and where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Token {
    pub(super) fn error(&self, problem: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, problem: problem.into() }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Name(String),
    /// The digits' value; the sign is not part of it.
    Number(u64),
    Text(String),
    Symbol(&'static str),
    End,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Name(name) => write!(f, "'{name}'"),
            Kind::Number(n) => write!(f, "'{n}'"),
            Kind::Text(_) => write!(f, "a string"),
            Kind::Symbol(symbol) => write!(f, "'{symbol}'"),
            Kind::End => write!(f, "the end of the text"),
        }
    }
}

/// Longer ones first, so that `<=` is not taken for `<`.
const SYMBOLS: [&str; 27] = [
    "->", "||", "&&", "==", "!=", "<=", ">=", "+=", "|", "=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[",
    "]", "{", "}", ";", ",", ":",
];

/// The tokens of a text; the last is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, column) = (lexer.line, lexer.column);
        let start = Token { kind: Kind::End, line, column };
        let kind = lexer.token().map_err(|problem| start.error(problem))?;
        let at_end = kind == Kind::End;
        tokens.push(Token { kind, line, column });
        if at_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
}

impl<'t> Lexer<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        self.take(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") && !self.rest.starts_with('#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Kind, String> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        if first.is_alphabetic() || first == '_' {
            return Ok(Kind::Name(self.take_while(|c| c.is_alphanumeric() || c == '_').to_owned()));
        }
        if first.is_ascii_digit() {
            let digits = self.take_while(|c| c.is_ascii_digit());
            let value = digits.parse().ok().filter(|&n: &u64| n <= 1 << 63);
            return value.map(Kind::Number).ok_or_else(|| format!("the number {digits} is too large"));
        }
        if first == '"' {
            return self.text();
        }
        match SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol)) {
            Some(symbol) => {
                self.take(symbol.len());
                Ok(Kind::Symbol(symbol))
            }
            None => Err(format!("'{first}' means nothing here")),
        }
    }

    fn text(&mut self) -> Result<Kind, String> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.take(at + 1);
                    return Ok(Kind::Text(value));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                    _ => return Err("after '\\' in a string, expected '\"', '\\' or 'n'".to_owned()),
                },
                _ => value.push(c),
            }
        }
        Err("the string has no end".to_owned())
    }
}
