//! The papers' programs, and some with bugs to show, by name. One file a source.

mod demonstrations;
mod diverging;
mod observers;
mod pop;
mod quasi_optimal;
mod small;
mod source_sets;

pub use diverging::Diverging;

use crate::builder::Builder;
use crate::error::BuildError;
use crate::program::LitmusProgram;

/// One program of the library.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it is, in one line.
    pub description: &'static str,
    /// Where it is from.
    pub citation: &'static str,
    /// How many classes it has, as a formula or in words; empty when not known in closed form.
    pub classes: &'static str,
    source: Source,
}

/// How a program is written.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// With the builder, from the arguments.
    Rust(fn(&mut Builder, &[i64])),
    /// In the notation.
    Text(&'static str),
}

/// A parameter of a library program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// What it is called.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A value for a first look.
    pub default: i64,
    /// The least that is allowed.
    pub least: i64,
    /// The most that is allowed.
    pub most: i64,
}

const fn parameter(name: &'static str, meaning: &'static str, default: i64, least: i64, most: i64) -> Parameter {
    Parameter { name, meaning, default, least, most }
}

impl Entry {
    /// The program with these arguments.
    pub fn build(&self, arguments: &[i64]) -> Result<LitmusProgram, BuildError> {
        if arguments.len() != self.parameters.len() {
            return Err(BuildError::Arguments { program: self.name, takes: self.takes() });
        }
        for (parameter, &given) in self.parameters.iter().zip(arguments) {
            let Parameter { least, most, .. } = *parameter;
            if !(least..=most).contains(&given) {
                return Err(BuildError::Range { program: self.name, parameter: parameter.name, given, least, most });
            }
        }
        match self.source {
            Source::Rust(write) => {
                let mut builder = Builder::new();
                write(&mut builder, arguments);
                builder.build()
            }
            Source::Text(text) => LitmusProgram::new(text.parse().expect("the library's texts are programs")),
        }
    }

    /// The program with its default arguments.
    pub fn build_default(&self) -> Result<LitmusProgram, BuildError> {
        self.build(&self.defaults())
    }

    /// The default arguments.
    pub fn defaults(&self) -> Vec<i64> {
        self.parameters.iter().map(|parameter| parameter.default).collect()
    }

    fn takes(&self) -> String {
        match self.parameters {
            [] => "no arguments".to_owned(),
            [one] => format!("one argument: {}, {}", one.name, one.meaning),
            many => {
                let each: Vec<_> = many.iter().map(|p| format!("{}, {}", p.name, p.meaning)).collect();
                format!("{} arguments: {}", many.len(), each.join("; "))
            }
        }
    }
}

/// Every program of the library, in the order of the papers.
pub fn all() -> &'static [Entry] {
    static ALL: std::sync::LazyLock<Vec<Entry>> = std::sync::LazyLock::new(|| {
        let sources = [
            source_sets::ENTRIES,
            small::ENTRIES,
            observers::ENTRIES,
            quasi_optimal::ENTRIES,
            pop::ENTRIES,
            demonstrations::ENTRIES,
        ];
        sources.concat()
    });
    &ALL
}

/// The program of this name; `-` and `_` are the same.
pub fn find(name: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.name == name.replace('-', "_"))
}
