//! What can go wrong with a search, other than finding a bug.

use crate::CheckpointError;
use model::{Choice, Op, ScheduledStep, Stepped};
use std::fmt;

/// A search that could not be done. A bug found is no error but a [finding](crate::Finding).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The program did something else than in the run that is being repeated.
    Diverged(Box<Divergence>),
    /// The program did something else, or saw something else, than in the run of another worker that is being repeated.
    DivergedInPrefix {
        /// Within so many steps.
        steps: usize,
    },
    /// The algorithm does not know an operation of the program.
    Unsupported {
        /// The algorithm.
        algorithm: &'static str,
        /// The operation.
        operation: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// An execution comes back to a state that it was in: the program need not end, and neither would the search.
    ComesBack {
        /// The step that leads back.
        step: usize,
        /// After how many steps it was there before.
        to: usize,
    },
    /// A schedule does not fit the program.
    ScheduleDoesNotFit {
        /// The step, counted from 1.
        step: usize,
        /// What the schedule says.
        wanted: ScheduledStep,
        /// Why that cannot be.
        problem: String,
    },
    /// A checkpoint cannot be written, or gone on from.
    Checkpoint(CheckpointError),
    /// A worker in a process of its own could not go on: its message.
    InWorker(String),
    /// The process of a worker has ended before its work was done: how.
    WorkerLost(String),
}

impl Error {
    /// The algorithm takes threads for what they are at most places: each waits for one operation.
    pub(crate) fn siblings(algorithm: &'static str) -> Self {
        let operation = "threads that wait for the first of several operations";
        Error::Unsupported { algorithm, operation, reason: "to it, a thread has one next step" }
    }
}

/// Where a program behaved differently when it was run again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The step, counted from 1.
    pub step: usize,
    /// Whose step.
    pub choice: Choice,
    /// The thread's name.
    pub thread: String,
    /// What it did first; `None` when an earlier run only showed that it could take a step.
    pub expected: Option<Described>,
    /// What it did now; `None` when it could not take a step at all.
    pub found: Option<Described>,
}

/// A step in words and in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// The operation.
    pub op: Op,
    /// In words, with the object's name.
    pub text: String,
}

impl Described {
    pub(crate) fn new(names: &dyn model::Names, stepped: &Stepped) -> Self {
        let op = stepped.op;
        let object = match op.object {
            model::ObjectId::NONE => String::new(),
            object => format!(" {}", names.object(object)),
        };
        let text = format!("{}{object} ({} → {})", op.kind, stepped.before as i64, stepped.after as i64);
        Described { op, text }
    }
}

/// What may be the cause of a divergence.
const DEPENDS: &str = "Its steps must depend on nothing but the schedule: look for time, random numbers, addresses used as \
                       values, or state kept from one run to the next";

/// What can be done about executions that go round for ever.
const COMES_BACK: &str = "executions of this program need not end, and exploring them one by one would not either. `mazurka verify` \
                          searches its states; a limit of steps (--max-steps) or a bound on depth (--depth-bound) has \
                          executions given up";

/// How the message of a divergence begins, by which one that a worker met is known.
const DIFFERENTLY: &str = "the program behaves differently when it is run again with the same schedule:";

impl Error {
    /// Whether the program did not do the same again, here or in another process.
    pub(crate) fn is_divergence(&self) -> bool {
        match self {
            Error::Diverged(_) | Error::DivergedInPrefix { .. } => true,
            Error::InWorker(message) => message.starts_with(DIFFERENTLY),
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Diverged(divergence) => divergence.fmt(f),
            Error::DivergedInPrefix { steps } => write!(
                f,
                "{DIFFERENTLY} what it did or saw within the \
                 first {steps} steps is not what it did before. {DEPENDS}"
            ),
            Error::Checkpoint(error) => error.fmt(f),
            Error::InWorker(message) => f.write_str(message),
            Error::WorkerLost(how) => write!(
                f,
                "a process of the search was lost, and what it had to explore with it: {how}. The program under test may \
                 have destroyed its memory, or used up the machine's, of which --workers 1 needs less"
            ),
            Error::Unsupported { algorithm, operation, reason } => write!(
                f,
                "the algorithm '{algorithm}' cannot explore programs with {operation} yet: {reason}; \
                 use --algorithm optimal, which explores as few executions"
            ),
            Error::ComesBack { step, to: 0 } => {
                write!(f, "step {step} of an execution leads back to its start: {COMES_BACK}")
            }
            Error::ComesBack { step, to } => {
                write!(f, "step {step} of an execution leads back to the state after step {to}: {COMES_BACK}")
            }
            Error::ScheduleDoesNotFit { step, wanted, problem } => write!(
                f,
                "the schedule does not fit this program: step {step} is of thread {}, but {problem}; \
                 check that the program and its parameters are those that the schedule was printed for",
                wanted.thread
            ),
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did = |step: &Option<Described>, otherwise: &str| match step {
            Some(step) => format!("did: {}", step.text),
            None => otherwise.to_owned(),
        };
        let expected = did(&self.expected, "could take a step");
        let found = did(&self.found, "could not take a step");
        write!(
            f,
            "{DIFFERENTLY} at step {}, thread {} \
             first {expected}, and then {found}. {DEPENDS}",
            self.step, self.thread
        )
    }
}

impl std::error::Error for Error {}
