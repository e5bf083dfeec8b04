//! The search when no algorithm is chosen: by the one that explores least.

use crate::algorithm::{algorithm, default_algorithm};
use crate::bug_first::check_first;
use crate::check::{Report, search};
use crate::{AlgorithmInfo, Error, Settings};
use model::Program;
use std::ops::ControlFlow;
use trace::{Execution, Sink};

/// The algorithm for programs with messages: most orders of messages are never told apart.
const WITH_MESSAGES: &str = "observers";

/// How many steps of a program are looked at for messages.
const LOOK: usize = 10_000;

/// As [`check_with`](crate::check_with), by the algorithm that was chosen. If none was, by the one that explores least: `pop`, or `observers`
/// where there are messages; within bounds `source`. Says which it was.
///
/// ```
/// use litmus::LitmusProgram;
/// use mazurka_explore::{Settings, check_by};
///
/// // Only which message comes first matters to the receive.
/// let program = LitmusProgram::new("mailbox p; send p, 1 | send p, 2 | send p, 3 | receive p".parse()?)?;
/// let (algorithm, report) = check_by(None, &program, &Settings::default(), &mut ())?;
/// assert_eq!((algorithm.name, report.tally.completed), ("observers", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_by(
    chosen: Option<&'static AlgorithmInfo>,
    program: &dyn Program,
    settings: &Settings,
    sink: &mut dyn Sink,
) -> Result<(&'static AlgorithmInfo, Report), Error> {
    let usual = chosen.unwrap_or_else(|| default_algorithm(&settings.bounds));
    let is_open = chosen.is_none() && !settings.bounds.any() && settings.checkpoints.is_none();
    if is_open && has_messages(program, settings) {
        let info = algorithm(WITH_MESSAGES).expect("it is one of them");
        match check_first(info, program, settings, sink, None) {
            // It does not know every await.
            Err(Error::Unsupported { .. }) => {}
            result => return result.map(|report| (info, report)),
        }
    }
    check_first(usual, program, settings, sink, None).map(|report| (usual, report))
}

/// Whether there are messages in the first execution of a program.
fn has_messages(program: &dyn Program, settings: &Settings) -> bool {
    let mut settings = Settings { keep_going: true, checkpoints: None, ..settings.clone() };
    settings.limits.executions = Some(1);
    settings.limits.steps = settings.limits.steps.min(LOOK);
    let naive = algorithm("naive").expect("it is one of them");
    let mut look = Look { messages: false };
    // What is wrong with the program, the search will say.
    let _ = search(program, &mut *(naive.make)(), &settings, &mut look, None);
    look.messages
}

struct Look {
    messages: bool,
}

impl Sink for Look {
    fn execution(&mut self, execution: &Execution<'_>) -> ControlFlow<()> {
        self.messages = execution.trace.events().iter().any(|event| event.footprint.is_on_mailbox());
        ControlFlow::Break(())
    }
}
