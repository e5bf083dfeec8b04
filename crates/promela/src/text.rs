//! Where things are in the files of a model, and how a problem is shown there.

use std::fmt;
use std::sync::Arc;

/// A place in a file: line and column count from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pos {
    /// Which of the model's files.
    pub file: u16,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// A file of the model.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, as the user or an `#include` gave it.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

/// The files of a model, the one that was asked for first.
#[derive(Clone, Debug, Default)]
pub struct Files(Vec<File>);

impl Files {
    /// Adds a file and returns its number.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u16 {
        self.0.push(File { name: name.into(), text: text.into() });
        (self.0.len() - 1) as u16
    }

    pub(crate) fn get(&self, file: u16) -> &File {
        &self.0[usize::from(file)]
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &File> {
        self.0.iter()
    }

    /// A place as `file:line`.
    pub fn line(&self, pos: Pos) -> String {
        format!("{}:{}", self.get(pos.file).name, pos.line)
    }

    /// The text of the line of a place, without white space around it.
    pub fn text_of(&self, pos: Pos) -> &str {
        self.get(pos.file).text.lines().nth(pos.line as usize - 1).unwrap_or("").trim()
    }
}

/// Why a text is no model: the place, what is wrong, and perhaps what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where.
    pub pos: Pos,
    /// How many characters are meant.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    pub(crate) fn new(pos: Pos, message: impl Into<String>) -> Self {
        Problem { pos, width: 1, message: message.into(), help: None }
    }

    pub(crate) fn wide(mut self, width: usize) -> Self {
        self.width = width.max(1);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The problem with the line that it is in and a mark under it.
    pub fn show<'a>(&'a self, files: &'a Files) -> impl fmt::Display + 'a {
        Shown { problem: self, files }
    }
}

struct Shown<'a> {
    problem: &'a Problem,
    files: &'a Files,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { pos, width, message, help } = self.problem;
        let file = self.files.get(pos.file);
        let number = pos.line.to_string();
        let gutter = " ".repeat(number.len());
        writeln!(f, "{message}")?;
        writeln!(f, "{gutter}--> {}:{}:{}", file.name, pos.line, pos.column)?;
        if let Some(line) = file.text.lines().nth((pos.line as usize).saturating_sub(1)) {
            // Tabs keep their width only if the mark's line has them, too.
            let before: String =
                line.chars().take(pos.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            writeln!(f, "{gutter} |")?;
            writeln!(f, "{number} | {line}")?;
            write!(f, "{gutter} | {before}{}", "^".repeat(*width))?;
        }
        if let Some(help) = help {
            write!(f, "\n{gutter} = {help}")?;
        }
        Ok(())
    }
}
