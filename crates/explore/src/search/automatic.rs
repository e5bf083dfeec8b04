//! The search when no algorithm is chosen: by the one that explores least. If its first execution has messages, it begins anew.

use crate::algorithms::{algorithm, default_algorithm};
use crate::search::bug_first::check_first;
use crate::search::check::Report;
use crate::{AlgorithmInfo, Error, Settings};
use model::Program;
use trace::Sink;

/// The algorithm for programs with messages: most orders of messages are never told apart.
const WITH_MESSAGES: &str = "observers";

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
    if !is_open {
        return check_first(usual, program, settings, sink, None).map(|report| (usual, report));
    }
    let looking = Settings { stop_at_messages: true, ..settings.clone() };
    let report = check_first(usual, program, &looking, sink, None)?;
    if !report.found_messages {
        return Ok((usual, report));
    }
    // That execution is not counted as one; its steps are, as all that are taken more than once.
    let steps = report.tally.steps;
    let again = |mut report: Report| {
        report.tally.replayed += steps;
        report
    };
    let info = algorithm(WITH_MESSAGES).expect("it is one of them");
    match check_first(info, program, settings, sink, None) {
        // It does not know every await.
        Err(Error::Unsupported { .. }) => {
            check_first(usual, program, settings, sink, None).map(|report| (usual, again(report)))
        }
        result => result.map(|report| (info, again(report))),
    }
}
