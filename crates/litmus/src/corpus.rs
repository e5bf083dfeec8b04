//! How many classes programs have, and where that is known from: the rows of `corpus/*.toml` at the root of the
//! repository.
//!
//! ```toml
//! [[row]]
//! program = "lastzero"         # of the library, with args; or text = "…" in the notation
//! args = [5]
//! classes = 64                 # Mazurkiewicz traces, deadlocked and cut ones included
//! deadlocks = 0                # of them, if known
//! cut = 0                      # of them, if known: stopped at a false assume
//! observers = 64               # with observers, if known; observers_cut of them cut
//! classic = 241                # the paper's figures for classic and source-DPOR, to compare with, never to equal:
//! classic_blocked = 177        # completed and blocked together, and the blocked among them
//! source = 79
//! source_blocked = 15
//! pop_blocked = 0              # how often pop is blocked by sleep sets: never, but for a few programs with adds
//! citation = "JACM'17, Table 1"
//! heavy = true                 # too large for an ordinary test run
//! ```

use crate::error::BuildError;
use crate::library;
use crate::notation::ParseError;
use crate::program::LitmusProgram;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// One row of the corpus.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// A program of the library.
    pub program: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<i64>,
    /// A program in the notation, in place of one of the library.
    pub text: Option<String>,
    /// The number of Mazurkiewicz traces.
    pub classes: u64,
    /// How many of them are deadlocks, if known.
    pub deadlocks: Option<u64>,
    /// How many of them are cut by an assume, if known.
    pub cut: Option<u64>,
    /// The number of classes with observers, if known.
    pub observers: Option<u64>,
    /// How many of those are cut by an assume, if known.
    pub observers_cut: Option<u64>,
    /// The paper's figure for classic DPOR.
    pub classic: Option<u64>,
    /// How many of those were sleep-set blocked.
    pub classic_blocked: Option<u64>,
    /// The paper's figure for source-DPOR.
    pub source: Option<u64>,
    /// How many of those were sleep-set blocked.
    pub source_blocked: Option<u64>,
    /// How often pop is blocked by sleep sets, in the scheduling order of creation.
    #[serde(default)]
    pub pop_blocked: u64,
    /// Where the figures are from.
    pub citation: String,
    /// Whether it is too large for an ordinary test run.
    #[serde(default)]
    pub heavy: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    row: Vec<Row>,
}

/// The files of the corpus: their names and texts.
const FILES: [(&str, &str); 8] = [
    ("source_sets.toml", include_str!("../../../corpus/source_sets.toml")),
    ("observers.toml", include_str!("../../../corpus/observers.toml")),
    ("messages.toml", include_str!("../../../corpus/messages.toml")),
    ("quasi_optimal.toml", include_str!("../../../corpus/quasi_optimal.toml")),
    ("barriers.toml", include_str!("../../../corpus/barriers.toml")),
    ("pop.toml", include_str!("../../../corpus/pop.toml")),
    ("demonstrations.toml", include_str!("../../../corpus/demonstrations.toml")),
    ("found.toml", include_str!("../../../corpus/found.toml")),
];

/// How many execution graphs a program has under each memory model: a row of `corpus/memory_models.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRow {
    /// What it is called.
    pub name: String,
    /// The program.
    pub text: String,
    /// The graphs under RC11.
    pub rc11: u64,
    /// Under sequential consistency.
    pub sc: u64,
    /// Under release and acquire.
    pub ra: u64,
    /// Under total store order.
    pub tso: u64,
    /// Under partial store order.
    pub pso: u64,
    /// Where the figures are from.
    pub citation: String,
}

#[derive(Deserialize)]
struct GraphFile {
    row: Vec<GraphRow>,
}

/// All rows of programs with memory orders.
pub fn graph_rows() -> Result<Vec<GraphRow>, CorpusError> {
    let name = "memory_models.toml";
    let file: Result<GraphFile, _> = toml::from_str(include_str!("../../../corpus/memory_models.toml"));
    file.map(|file| file.row).map_err(|error| CorpusError::File { name, problem: error.to_string() })
}

impl GraphRow {
    /// The graphs under the model of this name.
    pub fn graphs(&self, model: &str) -> Option<u64> {
        match model {
            "rc11" => Some(self.rc11),
            "sc" => Some(self.sc),
            "ra" => Some(self.ra),
            "tso" => Some(self.tso),
            "pso" => Some(self.pso),
            _ => None,
        }
    }
}

/// Which memory models allow an outcome of a program: a row of `corpus/litmus_outcomes.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRow {
    /// What it is called.
    pub name: String,
    /// The program: its threads do not branch.
    pub text: String,
    /// What the reads of all threads return, one thread after the other.
    pub reads: Vec<u64>,
    /// What is in variables at the end.
    #[serde(default)]
    pub last: BTreeMap<String, u64>,
    /// The names of the models that allow it.
    pub allowed: Vec<String>,
}

#[derive(Deserialize)]
struct OutcomeFile {
    row: Vec<OutcomeRow>,
}

/// All litmus tests of the literature.
pub fn outcome_rows() -> Result<Vec<OutcomeRow>, CorpusError> {
    let name = "litmus_outcomes.toml";
    let file: Result<OutcomeFile, _> = toml::from_str(include_str!("../../../corpus/litmus_outcomes.toml"));
    file.map(|file| file.row).map_err(|error| CorpusError::File { name, problem: error.to_string() })
}

/// A corpus that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CorpusError {
    /// A file cannot be read.
    File {
        /// Which.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A row names neither a library program nor a text, or both.
    NoProgram,
    /// A row names a program that the library has not.
    Unknown(String),
    /// A row's text is no program.
    Text(ParseError),
    /// A row's program cannot be built.
    Build(BuildError),
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorpusError::File { name, problem } => write!(f, "corpus/{name}: {problem}"),
            CorpusError::NoProgram => write!(f, "a row needs either 'program' or 'text'"),
            CorpusError::Unknown(name) => write!(f, "the library has no program '{name}'"),
            CorpusError::Text(error) => write!(f, "{error}"),
            CorpusError::Build(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CorpusError {}

/// All rows.
pub fn rows() -> Result<Vec<Row>, CorpusError> {
    let mut rows = Vec::new();
    for (name, text) in FILES {
        rows.extend(parse(text).map_err(|problem| CorpusError::File { name, problem })?);
    }
    Ok(rows)
}

/// The rows of a text such as the files of the corpus have, or what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    toml::from_str(text).map(|file: File| file.row).map_err(|error| error.to_string())
}

/// How many classes of one equivalence a row has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// All of them.
    pub classes: u64,
    /// Those that are deadlocks, if known.
    pub deadlocks: Option<u64>,
    /// Those that are cut by an assume, if known.
    pub cut: Option<u64>,
}

impl Row {
    /// The classes that are Mazurkiewicz traces.
    pub fn traces(&self) -> Expected {
        Expected { classes: self.classes, deadlocks: self.deadlocks, cut: self.cut }
    }

    /// The classes with observers, if known. Each is some traces together, so that there are no deadlocks where no trace
    /// is one.
    pub fn observations(&self) -> Option<Expected> {
        let none_of = |traces: Option<u64>| traces.filter(|&traces| traces == 0);
        let cut = self.observers_cut.or(none_of(self.cut));
        self.observers.map(|classes| Expected { classes, deadlocks: none_of(self.deadlocks), cut })
    }

    /// What it is called: the program with its arguments, or the text.
    pub fn name(&self) -> String {
        match (&self.program, &self.text) {
            (Some(program), _) if self.args.is_empty() => program.clone(),
            (Some(program), _) => {
                let args: Vec<_> = self.args.iter().map(i64::to_string).collect();
                format!("{program}({})", args.join(","))
            }
            (None, text) => text.clone().unwrap_or_default(),
        }
    }

    /// The program of the row.
    pub fn build(&self) -> Result<LitmusProgram, CorpusError> {
        match (&self.program, &self.text) {
            (Some(name), None) => {
                let entry = library::find(name).ok_or_else(|| CorpusError::Unknown(name.clone()))?;
                entry.build(&self.args).map_err(CorpusError::Build)
            }
            (None, Some(text)) => {
                LitmusProgram::new(text.parse().map_err(CorpusError::Text)?).map_err(CorpusError::Build)
            }
            _ => Err(CorpusError::NoProgram),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_built() {
        let rows = rows().unwrap();
        assert!(rows.len() > 150);
        for row in rows {
            row.build().unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        }
    }
}
