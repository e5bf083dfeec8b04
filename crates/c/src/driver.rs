//! Compiling and linking a program so that it can be explored.
//!
//! Compilers instrument for ThreadSanitizer *after* they optimised, when accesses have been merged and removed. So clang is
//! called several times: to translate into its intermediate language, to instrument that, and to optimise it then. That way
//! every access of the source text is announced, and all the rest is fast. gcc cannot be split like that: it instruments
//! what it does not optimise.
//!
//! The result is a shared object. It has the C++ library in it, so that this library's state is part of the program's
//! and its calls are replaced too.

mod atomic_functions;
mod blind;
mod by_value;
mod cache;
mod captured;
mod compiler;
mod error;
mod fills;
pub(crate) mod held_back;
pub(crate) mod library;
mod link;
pub(crate) mod outside;
mod sources;
mod streams;
mod types;
mod unseen;
mod unusual;
pub(crate) mod wrapped;

pub use cache::Cache;
pub use compiler::{Compiler, Family};
pub use error::DriverError;

use std::path::{Path, PathBuf};
use std::process::Command;

/// What to build.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Build {
    /// The compilers to use.
    pub compiler: Compiler,
    /// Sources in C or C++, and objects that this driver compiled.
    pub inputs: Vec<PathBuf>,
    /// Flags for the compiler and the linker.
    pub flags: Vec<String>,
    /// Whether sources of C are compiled as C++, and everything is linked as such.
    pub plus_plus: bool,
    /// Optimise by this flag before instrumenting: explores what the optimiser left.
    pub as_compiled: Option<String>,
    /// Where results of compilers are kept.
    pub cache: Cache,
}

impl Build {
    /// Of these inputs, with the compiler that is there.
    pub fn new(inputs: Vec<PathBuf>, compiler: Compiler) -> Self {
        Build { compiler, inputs, flags: Vec::new(), plus_plus: false, as_compiled: None, cache: Cache::of_user() }
    }

    /// Compiles and links into `output`, with intermediate files in the folder `scratch`.
    pub fn run(&self, output: &Path, scratch: &Path) -> Result<(), DriverError> {
        let mut objects = Vec::new();
        let mut plus_plus = self.plus_plus;
        for (nth, input) in self.inputs.iter().enumerate() {
            if !input.exists() {
                return Err(DriverError::NoInput(input.clone()));
            }
            match Language::of(input) {
                Some(language) => {
                    plus_plus |= language == Language::Cpp;
                    let object = scratch.join(format!("{nth}.o"));
                    self.compile(input, &object, scratch)?;
                    objects.push(object);
                }
                None => objects.push(input.clone()),
            }
        }
        link::link(self, &objects, plus_plus, output, scratch)
    }
}

impl Build {
    /// Compiles one source into an object that [`Build::run`] takes.
    pub fn compile(&self, source: &Path, object: &Path, scratch: &Path) -> Result<(), DriverError> {
        if !source.exists() {
            return Err(DriverError::NoInput(source.to_owned()));
        }
        let language = if self.plus_plus { Language::Cpp } else { Language::of(source).unwrap_or(Language::C) };
        sources::compile(self, source, language, object, scratch)
    }
}

/// What a source is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
}

impl Language {
    /// By the end of the file's name; `None` for what is no source.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "cp" | "ii" => Some(Language::Cpp),
            _ => None,
        }
    }
}

/// Whether a file is a source that this driver compiles.
pub fn is_source(path: &Path) -> bool {
    Language::of(path).is_some()
}

/// Runs a command; its messages go to the user.
fn run(command: &mut Command, what: &str) -> Result<(), DriverError> {
    let status = command.status().map_err(|error| DriverError::NotRun(what.to_owned(), error.to_string()))?;
    if status.success() { Ok(()) } else { Err(DriverError::Failed(what.to_owned())) }
}
