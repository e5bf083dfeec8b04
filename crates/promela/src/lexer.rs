//! From characters to tokens. The preprocessor and the parser share them.

use crate::text::{Pos, Problem};
use std::fmt;
use std::sync::Arc;

/// The smallest parts of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word(Arc<str>),
    Number(i32),
    /// A text in quotes, as it is written between them.
    Text(Arc<str>),
    /// Punctuation, as short as can be told apart.
    Mark(&'static str),
    /// The end of a line; the preprocessor takes these out.
    Line,
    /// The end of the model.
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) pos: Pos,
    /// White space came before it.
    pub(crate) spaced: bool,
}

impl Token {
    pub(crate) fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, Kind::Mark(found) if *found == mark)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Word(found) if &**found == word)
    }

    /// How many characters it takes.
    pub(crate) fn width(&self) -> usize {
        match &self.kind {
            Kind::Word(word) => word.chars().count(),
            Kind::Number(number) => number.to_string().len(),
            Kind::Text(text) => text.chars().count() + 2,
            Kind::Mark(mark) => mark.len(),
            Kind::Line | Kind::End => 1,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Word(word) => write!(f, "`{word}`"),
            Kind::Number(number) => write!(f, "`{number}`"),
            Kind::Text(text) => write!(f, "\"{text}\""),
            Kind::Mark(mark) => write!(f, "`{mark}`"),
            Kind::Line => write!(f, "the end of the line"),
            Kind::End => write!(f, "the end of the model"),
        }
    }
}

/// Longer ones first.
const MARKS: &[&str] = &[
    "##", "::", "->", "--", "++", "<<", ">>", "<=", ">=", "==", "!=", "!!", "??", "&&", "||", "..", "{", "}", "(", ")",
    "[", "]", ";", ":", ",", ".", "=", "<", ">", "!", "?", "&", "|", "^", "~", "+", "-", "*", "/", "%", "@", "#", "\\",
    "$",
];

/// The tokens of a file, with the ends of its lines. Comments are white space; a line that ends in `\` goes on.
pub(crate) fn tokens(file: u16, text: &str) -> Result<Vec<Token>, Problem> {
    let mut lexer = Lexer { file, rest: text, line: 1, column: 1, spaced: true, found: Vec::new() };
    lexer.run()?;
    let pos = lexer.pos();
    lexer.found.push(Token { kind: Kind::Line, pos, spaced: true });
    Ok(lexer.found)
}

struct Lexer<'a> {
    file: u16,
    rest: &'a str,
    line: u32,
    column: u32,
    spaced: bool,
    found: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn pos(&self) -> Pos {
        Pos { file: self.file, line: self.line, column: self.column }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
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

    fn push(&mut self, kind: Kind, pos: Pos) {
        self.found.push(Token { kind, pos, spaced: self.spaced });
        self.spaced = false;
    }

    fn run(&mut self) -> Result<(), Problem> {
        while let Some(c) = self.rest.chars().next() {
            let pos = self.pos();
            match c {
                '\n' => {
                    self.skip(1);
                    self.push(Kind::Line, pos);
                    self.spaced = true;
                }
                '\\' if self.rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                    let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
                    self.skip(end);
                    self.spaced = true;
                }
                c if c.is_whitespace() => {
                    self.skip(c.len_utf8());
                    self.spaced = true;
                }
                _ if self.rest.starts_with("/*") => {
                    let Some(end) = self.rest[2..].find("*/") else {
                        return Err(Problem::new(pos, "this comment has no end").wide(2));
                    };
                    self.skip(end + 4);
                    self.spaced = true;
                }
                _ if self.rest.starts_with("//") => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.skip(end);
                }
                '"' => self.text(pos)?,
                '\'' => self.character(pos)?,
                c if c.is_ascii_digit() => self.number(pos)?,
                c if c.is_ascii_alphabetic() || c == '_' => {
                    let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                    let word = self.skip(end.unwrap_or(self.rest.len()));
                    self.push(Kind::Word(word.into()), pos);
                }
                c => {
                    let Some(mark) = MARKS.iter().find(|mark| self.rest.starts_with(**mark)) else {
                        return Err(Problem::new(pos, format!("`{c}` has no meaning in Promela")));
                    };
                    self.skip(mark.len());
                    self.push(Kind::Mark(mark), pos);
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, pos: Pos) -> Result<(), Problem> {
        let bytes = self.rest.as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end) {
                None | Some(b'\n') => return Err(Problem::new(pos, "this text has no closing quote")),
                Some(b'\\') => end += 2,
                Some(b'"') => break,
                Some(_) => end += 1,
            }
        }
        let whole = self.skip(end + 1);
        self.push(Kind::Text(whole[1..end].into()), pos);
        Ok(())
    }

    fn character(&mut self, pos: Pos) -> Result<(), Problem> {
        let mut chars = self.rest[1..].chars();
        let (value, written) = match chars.next() {
            Some('\\') => match chars.next() {
                Some('n') => ('\n', 2),
                Some('t') => ('\t', 2),
                Some('r') => ('\r', 2),
                Some('f') => ('\x0c', 2),
                Some(other) if other.is_ascii() => (other, 2),
                _ => return Err(Problem::new(pos, "a character in quotes was expected")),
            },
            Some(c) if c.is_ascii() && c != '\n' => (c, 1),
            _ => return Err(Problem::new(pos, "a character in quotes was expected")),
        };
        if !self.rest[1 + written..].starts_with('\'') {
            return Err(Problem::new(pos, "this character has no closing quote").wide(1 + written));
        }
        self.skip(written + 2);
        self.push(Kind::Number(value as i32), pos);
        Ok(())
    }

    fn number(&mut self, pos: Pos) -> Result<(), Problem> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let digits = self.skip(end);
        let Ok(number) = digits.parse::<u32>() else {
            return Err(Problem::new(pos, format!("{digits} does not fit into an `int`")).wide(digits.len()));
        };
        // As in C on machines of today, what is too large for an `int` wraps.
        self.push(Kind::Number(number as i32), pos);
        Ok(())
    }
}
