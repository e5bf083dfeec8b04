//! Why a sketch is no program.

use std::fmt;

/// A sketch that cannot be made a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// There is no thread.
    NoThreads,
    /// A declaration makes no sense.
    Declaration {
        /// The name declared.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A statement makes no sense.
    Statement {
        /// Its text.
        statement: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A body has too many locals, constants and intermediate values.
    TooLarge,
    /// A library program was given the wrong number of arguments.
    Arguments {
        /// The program.
        program: &'static str,
        /// What it takes, as text.
        takes: String,
    },
    /// A library program was given an argument out of range.
    Range {
        /// The program.
        program: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value given.
        given: i64,
        /// The least that is allowed.
        least: i64,
        /// The most that is allowed.
        most: i64,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoThreads => write!(f, "the program has no thread"),
            BuildError::Declaration { name, problem } => write!(f, "in the declaration of '{name}': {problem}"),
            BuildError::Statement { statement, problem } => write!(f, "in '{statement}': {problem}"),
            BuildError::TooLarge => write!(f, "a thread has more than 65535 locals, constants and intermediate values"),
            BuildError::Arguments { program, takes } => write!(f, "{program} takes {takes}"),
            BuildError::Range { program, parameter, given, least, most } => {
                write!(f, "{program}: {parameter} must be from {least} to {most}, not {given}")
            }
        }
    }
}

impl std::error::Error for BuildError {}
