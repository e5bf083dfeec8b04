//! What can be wrong with a checkpoint.

use std::fmt;
use std::path::PathBuf;

/// A checkpoint that cannot be written, or gone on from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckpointError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: CheckpointProblem,
}

/// What is wrong with a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CheckpointProblem {
    /// The algorithm's searches cannot be written down.
    OtherAlgorithm,
    /// The front end cannot name threads so that another process knows them.
    OtherFrontEnd,
    /// The file is there already, and is not what the search goes on from.
    Exists,
    /// It cannot be read: why.
    CannotRead(String),
    /// It cannot be written: why.
    CannotWrite(String),
    /// It is something else.
    NoCheckpoint,
    /// Its end is missing.
    CutShort,
    /// It is not what was written.
    Damaged,
    /// It was written by a version of Mazurka that is not this one.
    OtherVersion(String),
    /// It is of another program, of this name.
    OtherProgram(String),
    /// The search was another one.
    OtherSetting {
        /// What was set.
        name: String,
        /// How it was set when the checkpoint was written.
        then: String,
        /// How it is set now.
        now: String,
    },
    /// The program does not do what it did: how it shows.
    DoesNotFit(String),
}

/// What to do when a file is of no use.
const ANEW: &str = "start the search anew, with --checkpoint and another file";

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            CheckpointProblem::OtherAlgorithm => f.write_str(
                "only searches by the algorithm 'pop' and under memory models have checkpoints; use one, or leave out --checkpoint and --resume",
            ),
            CheckpointProblem::OtherFrontEnd => {
                f.write_str("programs of this kind have no checkpoints; leave out --checkpoint and --resume")
            }
            CheckpointProblem::Exists => write!(
                f,
                "the checkpoint '{path}' is there already; go on from it with --resume, give another file, or remove it"
            ),
            CheckpointProblem::CannotRead(why) => {
                write!(f, "cannot read '{path}': {why}; give the file that --checkpoint named")
            }
            CheckpointProblem::CannotWrite(why) => write!(
                f,
                "cannot write the checkpoint '{path}': {why}; if one was written before, it is still there: put this \
                 right, and go on with --resume, or give --checkpoint another file"
            ),
            problem => write!(f, "cannot go on from '{path}': {}", unfit(problem)),
        }
    }
}

/// Why a file that can be read is not what a search can go on from.
fn unfit(problem: &CheckpointProblem) -> String {
    match problem {
        CheckpointProblem::CutShort => {
            format!("its end is missing, as if it was copied in part; copy it again, or {ANEW}")
        }
        CheckpointProblem::Damaged => format!("it is damaged, or was changed by hand; copy it again, or {ANEW}"),
        CheckpointProblem::OtherVersion(version) => {
            format!("it was written by {version}, and this is {}; go on with that version, or {ANEW}", this_version())
        }
        CheckpointProblem::OtherProgram(name) => format!(
            "it is of the program {name}, or of another text of it; give the same program and arguments, or {ANEW}"
        ),
        CheckpointProblem::OtherSetting { name, then, now } => {
            format!("its {name} is {then}, and not {now}; give the same options, or {ANEW}")
        }
        CheckpointProblem::DoesNotFit(how) => {
            format!("the program does not behave as it did: {how}. Give the same program, or {ANEW}")
        }
        _ => "it is no checkpoint; give the file that --checkpoint named".to_owned(),
    }
}

/// What a checkpoint says of who wrote it.
pub(crate) fn this_version() -> String {
    format!("mazurka {}", env!("CARGO_PKG_VERSION"))
}
